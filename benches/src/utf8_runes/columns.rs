//! Fields of CHAR(n) and VARCHAR(n) columns.

use super::input::{self, Script};
use super::peers;
use crate::registry::Registry;
use utf8_runes::column::{FixedText, Pad, VarText};

/// Adds the cases.
pub(super) fn register(registry: &mut Registry) {
    for (script, text) in input::TEXTS {
        for length in input::LENGTHS {
            for (fill, part) in input::FILLS {
                let rest = format!("{length}-{fill}");
                keep(registry, input::name("decode", text, &rest), script, length, length / part);
                trim(registry, input::name("trim", text, &rest), script, length, length / part);
            }
        }
    }
    for (script, text) in [(Script::Ascii, "ascii"), (Script::Mixed, "mixed")] {
        rows(registry, input::name("rows", text, "100-quarter"), script);
        var(registry, input::name("var", text, "100"), script);
        into(registry, input::name("decode-into", text, "100-quarter"), script);
        encode(registry, input::name("encode", text, "100-quarter"), script);
        fit(registry, input::name("fit", text, "100-full"), script, 100);
        fit(registry, input::name("fit", text, "100-quarter"), script, 25);
    }
}

/// A column, its length, and a field of it.
type Field = (FixedText, usize, Vec<u8>);

fn keep(registry: &mut Registry, name: &'static str, script: Script, length: usize, filled: usize) {
    registry
        .case(name, move || (FixedText::new(length), length, input::field(script, length, filled)))
        .variant("after", |(column, _, field): &'static Field| column.decode(field))
        .variant("std", |(_, n, field)| peers::std_decode(field, *n))
        .variant("simdutf8", |(_, n, field)| peers::simd_decode(field, *n));
}

fn trim(registry: &mut Registry, name: &'static str, script: Script, length: usize, filled: usize) {
    registry
        .case(name, move || {
            let column = FixedText::new(length).pad(Pad::Trim);
            (column, length, input::field(script, length, filled))
        })
        .variant("after", |(column, _, field): &'static Field| column.decode(field))
        .variant("std", |(_, n, field)| peers::std_decode(field, *n).trim_end_matches(' '))
        .variant("simdutf8", |(_, n, field)| peers::trim_blanks(peers::simd_decode(field, *n)));
}

/// The bytes from a row to the next.
const STRIDE: usize = 400;

/// A fetched block of 256 rows.
fn rows(registry: &mut Registry, name: &'static str, script: Script) {
    registry
        .case(name, move || input::fields(script, 100, 25, 256))
        .showing("after", |rows: &'static Vec<u8>, sink| {
            for value in FixedText::new(100).pad(Pad::Trim).decode_rows(rows, STRIDE) {
                sink.see(&value);
            }
        })
        .showing("std", |rows, sink| {
            for row in rows.chunks(STRIDE) {
                sink.see(peers::std_decode(row, 100).trim_end_matches(' '));
            }
        })
        .showing("simdutf8", |rows, sink| {
            for row in rows.chunks(STRIDE) {
                sink.see(peers::trim_blanks(peers::simd_decode(row, 100)));
            }
        });
}

fn var(registry: &mut Registry, name: &'static str, script: Script) {
    registry
        .case(name, move || input::var_field(script, 100))
        .variant("after", |field: &'static Vec<u8>| VarText::new(100).decode(field))
        .variant("std", |field| peers::std_decode(peers::var_text(field), 100))
        .variant("simdutf8", |field| peers::simd_decode(peers::var_text(field), 100));
}

/// Into a `String` that is used again.
fn into(registry: &mut Registry, name: &'static str, script: Script) {
    registry
        .case(name, move || input::field(script, 100, 25))
        .stateful(
            "after",
            |_| String::with_capacity(400),
            |out: &mut String, field: &'static Vec<u8>, sink| {
                // An error leaves the value before in `out`, and the digest would tell.
                let _ = FixedText::new(100).pad(Pad::Trim).decode_into(field, out);
                sink.see(out.as_str());
            },
        )
        .stateful(
            "std",
            |_| String::with_capacity(400),
            |out: &mut String, field, sink| {
                out.clear();
                out.push_str(peers::std_decode(field, 100).trim_end_matches(' '));
                sink.see(out.as_str());
            },
        );
}

/// Into a field that is used again.
fn encode(registry: &mut Registry, name: &'static str, script: Script) {
    registry
        .case(name, move || input::characters(script, 25))
        .stateful(
            "after",
            |_| vec![0; STRIDE],
            |field: &mut Vec<u8>, text: &'static String, sink| {
                sink.see(&FixedText::new(100).encode(text, field).is_ok());
                sink.see(field.as_slice());
            },
        )
        .stateful(
            "std",
            |_| vec![0; STRIDE],
            |field: &mut Vec<u8>, text, sink| {
                sink.see(&peers::std_encode(text, 100, field));
                sink.see(field.as_slice());
            },
        );
}

fn fit(registry: &mut Registry, name: &'static str, script: Script, filled: usize) {
    registry
        .case(name, move || input::characters(script, filled))
        .variant("after", |text: &'static String| FixedText::new(100).fit(text))
        .variant("std", |text| peers::std_fit(text, 100));
}
