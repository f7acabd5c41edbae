//! Cases of `utf8-runes`: the rows of the Firebird .NET provider's story, and each kernel against
//! what else there is.

pub mod before;
pub mod input;
mod peers;

use crate::registry::Registry;
use input::Script;
use utf8_runes::column::{FixedText, Pad};
use utf8_runes::utf16;

/// Adds the cases.
pub fn register(registry: &mut Registry) {
    story(registry);
    for (script, name) in [
        (Script::Ascii, "ascii"),
        (Script::Mixed, "mixed"),
        (Script::Cjk, "cjk"),
        (Script::Emoji, "emoji"),
    ] {
        let sizes: &[usize] = match script {
            Script::Ascii | Script::Cjk => &[16, 100, 400, 4000],
            _ => &[100, 4000],
        };
        for size in sizes.iter().copied() {
            count(registry, format!("utf8-runes/count/{name}-{size}").leak(), script, size);
        }
    }
    for (script, name) in [(Script::Ascii, "ascii"), (Script::Cjk, "cjk")] {
        for size in [100, 400] {
            offset(registry, format!("utf8-runes/offset/{name}-{size}").leak(), script, size);
        }
        for length in [10, 100, 255] {
            keep(
                registry,
                format!("utf8-runes/decode/{name}-{length}-full").leak(),
                script,
                length,
            );
        }
    }
    for (script, name, length) in [
        (Script::Ascii, "ascii", 10),
        (Script::Ascii, "ascii", 100),
        (Script::Ascii, "ascii", 255),
        (Script::Mixed, "mixed", 100),
        (Script::Mixed, "mixed", 255),
    ] {
        trim(registry, format!("utf8-runes/trim/{name}-{length}-quarter").leak(), script, length);
    }
    units(registry, "utf8-runes/utf16-count/ascii-400", Script::Ascii, 400);
    units(registry, "utf8-runes/utf16-count/emoji-400", Script::Emoji, 200);
    transcode(registry, "utf8-runes/utf16-to-utf8/guid-36", || {
        input::guid().encode_utf16().collect()
    });
    transcode(registry, "utf8-runes/utf16-to-utf8/latin-400", || input::utf16(Script::Latin, 400));
    transcode(registry, "utf8-runes/utf16-to-utf8/cjk-400", || input::utf16(Script::Cjk, 400));
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
        .case(name, move || {
            let text = input::text(script, size);
            let n = text.chars().count() * 7 / 8;
            (text, n)
        })
        .variant("after", |(text, n): &'static (String, usize)| utf8_runes::offset(text, *n))
        .variant("std", |(text, n)| peers::std_offset(text, *n))
        .variant("str_indices", |(text, n)| str_indices::chars::to_byte_idx(text, *n));
}

/// A column and a field of it.
type Field = (FixedText, usize, Vec<u8>);

fn keep(registry: &mut Registry, name: &'static str, script: Script, length: usize) {
    registry
        .case(name, move || (FixedText::new(length), length, input::field(script, length, length)))
        .variant("after", |(column, _, field): &'static Field| column.decode(field))
        .variant("std", |(_, n, field)| peers::std_decode(field, *n))
        .variant("simdutf8", |(_, n, field)| peers::simd_decode(field, *n));
}

fn trim(registry: &mut Registry, name: &'static str, script: Script, length: usize) {
    registry
        .case(name, move || {
            let column = FixedText::new(length).pad(Pad::Trim);
            (column, length, input::field(script, length, length / 4))
        })
        .variant("after", |(column, _, field): &'static Field| column.decode(field))
        .variant("std", |(_, n, field)| peers::std_decode(field, *n).trim_end_matches(' '))
        .variant("simdutf8", |(_, n, field)| peers::trim_blanks(peers::simd_decode(field, *n)));
}

fn units(registry: &mut Registry, name: &'static str, script: Script, count: usize) {
    registry
        .case(name, move || input::utf16(script, count))
        .variant("after", |units: &'static Vec<u16>| utf16::count(units))
        .variant("std", |units| char::decode_utf16(units.iter().copied()).count())
        .variant("widestring", |units| widestring::U16Str::from_slice(units).chars().count());
}

fn transcode(registry: &mut Registry, name: &'static str, make: fn() -> Vec<u16>) {
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
