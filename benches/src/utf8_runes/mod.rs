//! Cases of `utf8-runes`: the rows of the Firebird .NET provider's story, and each kernel against
//! what else there is.

pub mod before;
mod blanks;
mod columns;
pub mod input;
mod peers;

use crate::registry::Registry;
use input::Script;
use utf8_runes::column::FixedText;
use utf8_runes::{bytes, utf16};

/// Adds the cases.
pub fn register(registry: &mut Registry) {
    story(registry);
    for (script, text) in input::TEXTS {
        for size in input::SIZES {
            count(registry, input::name("count", text, &size.to_string()), script, size);
            offset(registry, input::name("offset", text, &size.to_string()), script, size);
            units(registry, input::name("utf16-count", text, &size.to_string()), script, size);
        }
        count(registry, input::name("count", text, "1mib"), script, input::LARGE);
        for size in [100, 4096] {
            validate(registry, input::name("validate", text, &size.to_string()), script, size);
        }
    }
    for script in [Script::Mixed, Script::Cjk] {
        let text = if script == Script::Cjk { "cjk" } else { "mixed" };
        validate_count(registry, input::name("validate-count", text, "400"), script, 400);
    }
    columns::register(registry);
    transcode(registry, "utf8-runes/utf16-to-utf8/guid-36", || {
        input::guid().encode_utf16().collect()
    });
    for (script, text) in input::TEXTS.into_iter().chain([(Script::Latin, "latin")]) {
        for size in input::SIZES {
            let name = input::name("utf16-to-utf8", text, &size.to_string());
            transcode(registry, name, move || input::units(script, size));
        }
        for size in [16, 400, 4096] {
            let name = input::name("utf8-to-utf16", text, &size.to_string());
            into_units(registry, name, script, size);
        }
    }
}

/// The rows of the seed.
fn story(registry: &mut Registry) {
    registry
        .case("utf8-runes/read/char100-utf16", || value_and_blanks(100))
        .variant("before", |units: &'static Vec<u16>| before::prefix(units, 100))
        .variant("fix", |units| before::fix_prefix(units, 100))
        .variant("after", |units| utf16::prefix(units, 100));
    registry
        .case("utf8-runes/read/char100-utf8", || input::field(Script::Ascii, 100, 60))
        .variant("before", |field: &'static Vec<u8>| before::decode(field, 100))
        .variant("fix", |field| before::fix_decode(field, 100))
        .variant("after", |field| FixedText::new(100).decode(field));
    registry
        .case("utf8-runes/cut/120-to-100-borrowed", || input::utf16(Script::Ascii, 120))
        .variant("before", |units: &'static Vec<u16>| before::prefix(units, 100))
        .variant("fix", |units| before::fix_prefix(units, 100))
        .variant("after", |units| utf16::prefix(units, 100));
    registry
        .case("utf8-runes/cut/120-to-100-owned", || input::utf16(Script::Ascii, 120))
        .variant("before", |units: &'static Vec<u16>| before::prefix(units, 100).into_owned())
        .variant("fix", |units| before::fix_prefix(units, 100).to_vec())
        .variant("after", |units| utf16::prefix(units, 100).to_vec());
    registry
        .case("utf8-runes/cut/80-emoji-to-60-borrowed", || input::utf16(Script::Emoji, 80))
        .variant("before", |units: &'static Vec<u16>| before::prefix(units, 60))
        .variant("fix", |units| before::fix_prefix(units, 60))
        .variant("after", |units| utf16::prefix(units, 60));
    registry
        .case("utf8-runes/cut/80-emoji-to-60-owned", || input::utf16(Script::Emoji, 80))
        .variant("before", |units: &'static Vec<u16>| before::prefix(units, 60).into_owned())
        .variant("fix", |units| before::fix_prefix(units, 60).to_vec())
        .variant("after", |units| utf16::prefix(units, 60).to_vec());
    registry
        .case("utf8-runes/write/count-83", || input::utf16(Script::Ascii, 83))
        .variant("before", |units: &'static Vec<u16>| before::count(units))
        .variant("fix", |units| before::fix_count(units))
        .variant("after", |units| utf16::count(units));
}

fn value_and_blanks(length: usize) -> Vec<u16> {
    let mut units = input::utf16(Script::Ascii, 60);
    units.resize(length, 0x20);
    units
}

fn count(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    registry
        .case(name, move || input::text(script, size))
        .variant("after", |text: &'static String| utf8_runes::count(text))
        .variant("std", |text| text.chars().count())
        .variant("bytecount", |text| bytecount::num_chars(text.as_bytes()))
        .variant("str_indices", |text| str_indices::chars::count(text));
}

/// The offset behind seven eighths of the text.
fn offset(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    registry
        .case(name, move || input::text_and_offset(script, size))
        .variant("after", |(text, n): &'static (String, usize)| utf8_runes::offset(text, *n))
        .variant("std", |(text, n)| peers::std_offset(text, *n))
        .variant("str_indices", |(text, n)| str_indices::chars::to_byte_idx(text, *n));
}

fn validate(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    registry
        .case(name, move || input::text(script, size).into_bytes())
        .variant("after", |text: &'static Vec<u8>| bytes::validate(text))
        .variant("std", |text| std::str::from_utf8(text))
        .variant("simdutf8", |text| simdutf8::basic::from_utf8(text));
}

fn validate_count(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    registry
        .case(name, move || input::text(script, size).into_bytes())
        .variant("after", |text: &'static Vec<u8>| bytes::validate_count(text))
        .variant("std", |text| std::str::from_utf8(text).map(|text| text.chars().count()))
        .variant("simdutf8", |text| {
            simdutf8::basic::from_utf8(text).map(|text| bytecount::num_chars(text.as_bytes()))
        });
}

fn units(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    registry
        .case(name, move || input::units(script, size))
        .variant("after", |units: &'static Vec<u16>| utf16::count(units))
        .variant("std", |units| char::decode_utf16(units.iter().copied()).count())
        .variant("widestring", |units| widestring::U16Str::from_slice(units).chars().count());
}

fn transcode(registry: &mut Registry, name: &'static str, make: impl Fn() -> Vec<u16> + 'static) {
    registry
        .case(name, make)
        .stateful(
            "after",
            |units| Vec::with_capacity(3 * units.len()),
            |out: &mut Vec<u8>, units: &'static Vec<u16>, sink| {
                out.clear();
                utf16::append_utf8_lossy(units, out);
                sink.see(out.as_slice());
            },
        )
        .stateful(
            "encoding_rs",
            // As its documentation asks: three bytes a unit.
            |units| vec![0; 3 * units.len()],
            |out: &mut Vec<u8>, units, sink| {
                let written = encoding_rs::mem::convert_utf16_to_utf8(units, out);
                sink.see(&out[..written]);
            },
        )
        .stateful(
            "std",
            |units| String::with_capacity(3 * units.len()),
            |out: &mut String, units, sink| {
                peers::std_transcode(units, out);
                sink.see(out.as_str());
            },
        );
}

/// Into a buffer that holds a unit for each byte, as `encoding_rs` asks.
fn into_units(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    let room = |text: &String| vec![0; text.len()];
    registry
        .case(name, move || input::text(script, size))
        .stateful("after", room, |out: &mut Vec<u16>, text: &'static String, sink| {
            let written = utf16::encode_utf16_into(text, out).unwrap_or_default();
            sink.see(&out[..written]);
        })
        .stateful("encoding_rs", room, |out: &mut Vec<u16>, text, sink| {
            let written = encoding_rs::mem::convert_str_to_utf16(text, out);
            sink.see(&out[..written]);
        })
        .stateful(
            "std",
            |text| Vec::with_capacity(text.len()),
            |out: &mut Vec<u16>, text, sink| {
                out.clear();
                out.extend(text.encode_utf16());
                sink.see(out.as_slice());
            },
        );
}
