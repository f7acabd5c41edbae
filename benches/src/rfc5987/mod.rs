//! Cases of `rfc5987`: the seed's two names, the same work on names of other lengths and scripts,
//! and the ways back and into a header.

pub(crate) mod before;
pub mod input;
mod peers;

use crate::registry::Registry;
use http::HeaderValue;
use input::{
    ACCENTS_45, ASCII_25, ASCII_120, CJK_124, EMOJI_52, FILE_8, SEED_ESCAPE, SEED_NO_ESCAPE,
    SPACES_43,
};
use rfc5987::{Builder, ContentDisposition, ExtValue};

type Make = fn() -> String;

/// Adds the cases.
pub fn register(registry: &mut Registry) {
    owned(registry);
    into_kept_room(registry);
    back(registry);
    header(registry);
    read(registry);
}

/// A whole ext-value in a string of its own.
fn owned(registry: &mut Registry) {
    let seed: [(&'static str, Make); 2] = [
        ("rfc5987/ext-value/seed-no-escape", || SEED_NO_ESCAPE.to_owned()),
        ("rfc5987/ext-value/seed-escape", || SEED_ESCAPE.to_owned()),
    ];
    for (name, make) in seed {
        registry
            .case(name, make)
            .variant("before", |name| before::ext_value(name))
            .variant("fix", |name| before::ext_value_fixed(name))
            .variant("after", |name| String::from(ExtValue::new(name)))
            .variant("percent-encoding", |name| peers::percent_ext_value(name));
    }
    let more: [(&'static str, Make); 9] = [
        ("rfc5987/ext-value/file-8", || FILE_8.to_owned()),
        ("rfc5987/ext-value/ascii-25", || ASCII_25.to_owned()),
        ("rfc5987/ext-value/ascii-120", || ASCII_120.to_owned()),
        ("rfc5987/ext-value/spaces-43", || SPACES_43.to_owned()),
        ("rfc5987/ext-value/accents-45", || ACCENTS_45.to_owned()),
        ("rfc5987/ext-value/cjk-124", || CJK_124.to_owned()),
        ("rfc5987/ext-value/emoji-52", || EMOJI_52.to_owned()),
        ("rfc5987/ext-value/safe-4000", input::safe_4000),
        ("rfc5987/ext-value/mixed-3900", input::mixed_3900),
    ];
    for (name, make) in more {
        registry
            .case(name, make)
            .variant("before", |name| before::ext_value(name))
            .variant("after", |name| String::from(ExtValue::new(name)))
            .variant("percent-encoding", |name| peers::percent_ext_value(name));
    }
}

/// Value-chars into room that the caller keeps, and their number.
fn into_kept_room(registry: &mut Registry) {
    registry
        .case("rfc5987/append/accents-45", || ACCENTS_45.to_owned())
        .stateful(
            "after",
            |_| String::new(),
            |out, name, sink| {
                out.clear();
                rfc5987::encode_append(name, out);
                sink.see(out.as_str());
            },
        )
        .stateful(
            "percent-encoding",
            |_| String::new(),
            |out, name, sink| {
                out.clear();
                peers::percent_append(name, out);
                sink.see(out.as_str());
            },
        );

    let cases: [(&'static str, Make); 7] = [
        ("rfc5987/into/file-8", || FILE_8.to_owned()),
        ("rfc5987/into/ascii-25", || ASCII_25.to_owned()),
        ("rfc5987/into/spaces-43", || SPACES_43.to_owned()),
        ("rfc5987/into/accents-45", || ACCENTS_45.to_owned()),
        ("rfc5987/into/cjk-124", || CJK_124.to_owned()),
        ("rfc5987/into/emoji-52", || EMOJI_52.to_owned()),
        ("rfc5987/into/safe-4000", input::safe_4000),
    ];
    for (name, make) in cases {
        let room = |name: &String| vec![0; 3 * name.len()];
        registry
            .case(name, make)
            .stateful("after", room, |buffer, name, sink| {
                sink.see(&rfc5987::encode_into(name.as_bytes(), buffer));
            })
            .stateful("percent-encoding", room, |buffer, name, sink| {
                sink.see(peers::percent_into(name, buffer));
            });
    }

    registry
        .case("rfc5987/len/accents-45", || ACCENTS_45.to_owned())
        .variant("after", |name| rfc5987::encoded_len(name.as_bytes()))
        .variant("percent-encoding", |name| peers::percent_len(name));
}

/// Value-chars to text.
fn back(registry: &mut Registry) {
    let cases: [(&'static str, Make); 6] = [
        ("rfc5987/decode/ascii-25", || input::escaped(ASCII_25)),
        ("rfc5987/decode/spaces-43", || input::escaped(SPACES_43)),
        ("rfc5987/decode/accents-45", || input::escaped(ACCENTS_45)),
        ("rfc5987/decode/cjk-124", || input::escaped(CJK_124)),
        ("rfc5987/decode/safe-4000", || input::escaped(&input::safe_4000())),
        ("rfc5987/decode/mixed-3900", || input::escaped(&input::mixed_3900())),
    ];
    for (name, make) in cases {
        registry
            .case(name, make)
            .variant("after", |value| rfc5987::decode(value))
            .variant("percent-encoding", |value| peers::percent_decode(value));
    }
}

/// A whole header.
fn header(registry: &mut Registry) {
    let cases: [(&'static str, Make); 5] = [
        ("rfc5987/header/ascii-25", || ASCII_25.to_owned()),
        ("rfc5987/header/ascii-120", || ASCII_120.to_owned()),
        ("rfc5987/header/accents-45", || ACCENTS_45.to_owned()),
        ("rfc5987/header/emoji-52", || EMOJI_52.to_owned()),
        ("rfc5987/header/cjk-124", || CJK_124.to_owned()),
    ];
    for (name, make) in cases {
        registry
            .case(name, make)
            .variant("after", |name| Builder::attachment().filename(name).build())
            .variant("percent-encoding", |name| peers::percent_header(name))
            .variant("std", |name| peers::std_header(name));
    }
    // The same as what a response takes.
    let cases: [(&'static str, Make); 3] = [
        ("rfc5987/header-value/ascii-25", || ASCII_25.to_owned()),
        ("rfc5987/header-value/accents-45", || ACCENTS_45.to_owned()),
        ("rfc5987/header-value/cjk-124", || CJK_124.to_owned()),
    ];
    for (name, make) in cases {
        registry
            .case(name, make)
            .showing("after", |name, sink| {
                let value = Builder::attachment().filename(name).to_header_value();
                value.iter().for_each(|value| sink.see(value.as_bytes()));
            })
            .showing("percent-encoding", |name, sink| {
                let value = HeaderValue::try_from(peers::percent_header(name));
                value.iter().for_each(|value| sink.see(value.as_bytes()));
            });
    }
}

/// A header taken apart, its names still as they stand there; and the name of the file out of it.
fn read(registry: &mut Registry) {
    let parse: [(&'static str, Make); 5] = [
        ("rfc5987/parse/file-8", || input::header(FILE_8)),
        ("rfc5987/parse/ascii-25", || input::header(ASCII_25)),
        ("rfc5987/parse/form-25", || input::part(ASCII_25)),
        ("rfc5987/parse/accents-45", || input::header(ACCENTS_45)),
        ("rfc5987/parse/cjk-124", || input::header(CJK_124)),
    ];
    for (name, make) in parse {
        registry.case(name, make).showing("after", |header, sink| {
            let Ok(read) = ContentDisposition::parse(header.as_bytes()) else { return };
            sink.see(read.disposition());
            for (name, value) in read.params() {
                if name == "filename" {
                    sink.see(&value[1..value.len() - 1]);
                }
            }
        });
    }
    let name: [(&'static str, Make); 3] = [
        ("rfc5987/filename/ascii-25", || input::header(ASCII_25)),
        ("rfc5987/filename/accents-45", || input::header(ACCENTS_45)),
        ("rfc5987/filename/cjk-124", || input::header(CJK_124)),
    ];
    for (name, make) in name {
        registry.case(name, make).variant("after", |header| {
            ContentDisposition::parse(header.as_bytes()).ok().and_then(|read| read.filename())
        });
    }
}
