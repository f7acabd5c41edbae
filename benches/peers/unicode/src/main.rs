//! Cases of `utf8-runes` with simdutf (C++) and stringzilla (C), both as they are built by default:
//! the instruction set is chosen at run time.
//!
//! Neither decodes a CHAR(n) field. Under `simdutf` it validates and stringzilla finds the cut; under
//! `stringzilla`, where blanks are trimmed, simdutf8 validates.

mod raw;

use input::Script;
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use std::process::ExitCode;
use stringzilla::sz;

#[allow(dead_code, unreachable_pub, reason = "shared with the runner of the light cases")]
#[path = "../../../src/utf8_runes/input.rs"]
mod input;

#[path = "../../../src/utf8_runes/blanks.rs"]
mod blanks;

fn main() -> ExitCode {
    let mut registry = Registry::default();
    let all = &mut registry;
    for (script, text) in input::TEXTS {
        for size in input::SIZES {
            count(all, input::name("count", text, &size.to_string()), script, size);
            offset(all, input::name("offset", text, &size.to_string()), script, size);
            units(all, input::name("utf16-count", text, &size.to_string()), script, size);
        }
        count(all, input::name("count", text, "1mib"), script, input::LARGE);
        for length in input::LENGTHS {
            for (fill, part) in input::FILLS {
                let rest = format!("{length}-{fill}");
                keep(all, input::name("decode", text, &rest), script, length, length / part);
                trim(all, input::name("trim", text, &rest), script, length, length / part);
            }
        }
    }
    transcode(all, "utf8-runes/utf16-to-utf8/guid-36", || input::guid().encode_utf16().collect());
    for (script, text) in input::TEXTS.into_iter().chain([(Script::Latin, "latin")]) {
        for size in input::SIZES {
            let name = input::name("utf16-to-utf8", text, &size.to_string());
            transcode(all, name, move || input::units(script, size));
        }
    }
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
        .case(name, move || input::text_and_offset(script, size))
        .variant("stringzilla", |(text, n)| sz::find_nth_utf8(text, *n).unwrap_or(text.len()));
}

/// It counts units that are no low surrogate, so a lone one counts nothing; there is none here.
fn units(registry: &mut Registry, name: &'static str, script: Script, size: usize) {
    registry
        .case(name, move || input::units(script, size))
        .variant("simdutf", |units: &'static Vec<u16>| simdutf::count_utf16(units));
}

/// A field and the length of its column.
type Field = (Vec<u8>, usize);

fn keep(registry: &mut Registry, name: &'static str, script: Script, length: usize, filled: usize) {
    registry.case(name, move || (input::field(script, length, filled), length)).variant(
        "simdutf",
        |(field, n): &'static Field| {
            if simdutf::validate_utf8(field) { cut(field, *n) } else { &[] }
        },
    );
}

fn trim(registry: &mut Registry, name: &'static str, script: Script, length: usize, filled: usize) {
    registry
        .case(name, move || (input::field(script, length, filled), length))
        .variant("simdutf", |(field, n): &'static Field| {
            if simdutf::validate_utf8(field) { trimmed(cut(field, *n)) } else { &[] }
        })
        .variant("stringzilla", |(field, n)| {
            let text = simdutf8::basic::from_utf8(field).unwrap_or_default();
            trimmed(cut(text.as_bytes(), *n))
        });
}

/// The first `n` characters of a field that is valid; as bytes, for making a `&str` of them costs
/// nothing.
fn cut(field: &[u8], n: usize) -> &[u8] {
    &field[..sz::find_nth_utf8(field, n).unwrap_or(field.len())]
}

fn trimmed(text: &[u8]) -> &[u8] {
    &text[..blanks::trimmed_len(text)]
}

/// Into a buffer that is kept. It refuses a lone surrogate where others replace it; there is none.
fn transcode(registry: &mut Registry, name: &'static str, make: impl Fn() -> Vec<u16> + 'static) {
    registry.case(name, make).stateful(
        "simdutf",
        |units| vec![0; 3 * units.len()],
        |out, units, sink| {
            let written = raw::utf16_to_utf8(units, out);
            sink.see(&out[..written]);
        },
    );
}
