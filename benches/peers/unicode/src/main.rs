//! Cases of `utf8-runes` with simdutf (C++) and stringzilla (C), both as they are built by default:
//! the instruction set is chosen at run time.
//!
//! Neither decodes a CHAR(n) field; there, simdutf validates and stringzilla finds the cut.

mod raw;

use input::Script;
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use std::process::ExitCode;
use stringzilla::sz;

#[allow(dead_code, unreachable_pub, reason = "shared with the runner of the light cases")]
#[path = "../../../src/utf8_runes/input.rs"]
mod input;

fn main() -> ExitCode {
    let mut registry = Registry::default();
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
        for &size in sizes {
            count(&mut registry, format!("utf8-runes/count/{name}-{size}").leak(), script, size);
        }
    }
    for (script, name) in [(Script::Ascii, "ascii"), (Script::Cjk, "cjk")] {
        for size in [100, 400] {
            offset(&mut registry, format!("utf8-runes/offset/{name}-{size}").leak(), script, size);
        }
        for length in [10, 100, 255] {
            let case = format!("utf8-runes/decode/{name}-{length}-full").leak();
            keep(&mut registry, case, script, length);
        }
    }
    for (script, name, length) in [
        (Script::Ascii, "ascii", 10),
        (Script::Ascii, "ascii", 100),
        (Script::Ascii, "ascii", 255),
        (Script::Mixed, "mixed", 100),
        (Script::Mixed, "mixed", 255),
    ] {
        let case = format!("utf8-runes/trim/{name}-{length}-quarter").leak();
        trim(&mut registry, case, script, length);
    }
    transcode(&mut registry, "utf8-runes/utf16-to-utf8/guid-36", || {
        input::guid().encode_utf16().collect()
    });
    transcode(&mut registry, "utf8-runes/utf16-to-utf8/latin-400", || {
        input::utf16(Script::Latin, 400)
    });
    transcode(&mut registry, "utf8-runes/utf16-to-utf8/cjk-400", || input::utf16(Script::Cjk, 400));
    runner::main(&registry)
}

fn count(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    registry
        .case(name, move || input::text(script, size))
        .variant("simdutf", |text| simdutf::count_utf8(text.as_bytes()))
        .variant("stringzilla", sz::count_utf8);
}

/// The offset behind seven eighths of the text.
fn offset(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    registry
        .case(name, move || {
            let text = input::text(script, size);
            let n = text.chars().count() * 7 / 8;
            (text, n)
        })
        .variant("stringzilla", |(text, n)| sz::find_nth_utf8(text, *n).unwrap_or(text.len()));
}

/// A field and the length of its column.
type Field = (Vec<u8>, usize);

fn keep(registry: &mut Registry, name: &'static str, script: Script, length: usize) {
    registry
        .case(name, move || (input::field(script, length, length), length))
        .variant("simdutf", |(field, n): &'static Field| decode(field, *n));
}

fn trim(registry: &mut Registry, name: &'static str, script: Script, length: usize) {
    registry
        .case(name, move || (input::field(script, length, length / 4), length))
        .variant("simdutf", |(field, n): &'static Field| trim_blanks(decode(field, *n)));
}

/// The first `n` characters of a field, all of which is validated; as bytes, for making a `&str`
/// of them costs nothing.
fn decode(field: &[u8], n: usize) -> &[u8] {
    if !simdutf::validate_utf8(field) {
        return &[];
    }
    &field[..sz::find_nth_utf8(field, n).unwrap_or(field.len())]
}

/// Trailing blanks eight at a time, as for the light peers.
fn trim_blanks(text: &[u8]) -> &[u8] {
    let mut bytes = text;
    while let Some((head, tail)) = bytes.split_last_chunk::<8>() {
        let differs = u64::from_le_bytes(*tail) ^ 0x2020_2020_2020_2020;
        if differs != 0 {
            return &text[..bytes.len() - (differs.leading_zeros() / 8) as usize];
        }
        bytes = head;
    }
    let kept = bytes.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
    &text[..kept]
}

/// Into a buffer that is kept. It refuses a lone surrogate where others replace it; there is none.
fn transcode(registry: &mut Registry, name: &'static str, make: fn() -> Vec<u16>) {
    registry.case(name, make).stateful(
        "simdutf",
        |units| vec![0; 3 * units.len()],
        |out, units, sink| {
            let written = raw::utf16_to_utf8(units, out);
            sink.see(&out[..written]);
        },
    );
}
