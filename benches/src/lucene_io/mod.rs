//! Cases of `lucene-io`: the seed's strings on their way out and in, the limits of both, integers,
//! and a file with its checksum. A call is a batch (64 GUIDs, 16 long strings, 16 000 integers), the
//! same for every variant, so that the loop of the harness is not what is measured.

mod after;
pub(crate) mod before;
mod checksum;
mod documents;
mod foreign;
mod input;
mod lz4;
mod peers;
pub(crate) mod stored;
use crate::registry::{CaseBuilder, Registry};
use crate::subject::Sink;
use input::{Integers, Strings};

/// Adds the cases.
pub fn register(registry: &mut Registry) {
    write_utf16(registry);
    read_owned(registry);
    read_borrowed(registry);
    read_reused(registry);
    write_str(registry);
    integers(registry);
    file(registry);
    checksum::register(registry);
    lz4::register(registry);
    stored::register(registry);
}

/// A way to write, tried on every string into one vector that is kept.
macro_rules! writing {
    ($case:expr, $field:ident, $($name:literal => $write:expr),+ $(,)?) => {
        $case$(.stateful(
            $name,
            |_| Vec::new(),
            |out: &mut Vec<u8>, strings: &'static Strings, sink: &mut Sink| {
                out.clear();
                for string in &strings.$field {
                    $write(&mut *out, string.as_ref());
                }
                sink.see(out);
            },
        ))+
    };
}

/// A way of other bytes, likewise; how it is read is for the digest alone.
macro_rules! writing_foreign {
    ($case:expr, $($name:literal => $write:expr, $read:expr);+ $(;)?) => {
        $case$(.stateful(
            $name,
            |_| Vec::new(),
            |out: &mut Vec<u8>, strings: &'static Strings, sink: &mut Sink| {
                out.clear();
                for text in &strings.texts {
                    $write(&mut *out, text.as_ref());
                }
                sink.see(&foreign::Strings(out, $read));
            },
        ))+
    };
}

/// A way to read, tried on all strings that lie one behind the other.
macro_rules! reading {
    ($case:expr, $($name:literal => $read:expr),+ $(,)?) => {
        reading!($case, from encoded, $($name => $read),+)
    };
    ($case:expr, from $field:ident, $($name:literal => $read:expr),+ $(,)?) => {
        $case$(.showing($name, |strings: &'static Strings, sink: &mut Sink| {
            let mut input = strings.$field.as_slice();
            while !input.is_empty() {
                sink.see(&$read(&mut input));
            }
        }))+
    };
}

type Make = fn() -> Strings;
type MakeIntegers = fn() -> Integers;

fn write_utf16(registry: &mut Registry) {
    let cases: [(&'static str, Make); 5] = [
        ("lucene-io/write-utf16/guid-36", input::guids),
        ("lucene-io/write-utf16/latin-36", input::latin),
        ("lucene-io/write-utf16/cjk-36", input::cjk),
        ("lucene-io/write-utf16/ascii-1000", input::long),
        ("lucene-io/write-utf16/ascii-3000", input::very_long),
    ];
    for (name, make) in cases {
        writing!(
            registry.case(name, make), units,
            "before" => before::write_utf16,
            "fix" => before::write_utf16_fixed,
            "after" => after::write_utf16,
            "std" => peers::std_write_utf16,
        )
        .stateful(
            "encoding_rs",
            |_| (Vec::new(), Vec::new()),
            |(scratch, out), strings, sink| {
                out.clear();
                for units in &strings.units {
                    peers::encoding_rs_write_utf16(scratch, out, units);
                }
                sink.see(out);
            },
        );
    }
}

fn read_owned(registry: &mut Registry) {
    let cases: [(&'static str, Make); 4] = [
        ("lucene-io/read-string/guid-36", input::guids),
        ("lucene-io/read-string/latin-36", input::latin),
        ("lucene-io/read-string/cjk-36", input::cjk),
        ("lucene-io/read-string/ascii-3000", input::very_long),
    ];
    for (name, make) in cases {
        let case = reading!(
            registry.case(name, make),
            "before" => before::read_string,
            "fix" => before::read_string_fixed,
            "prost" => |input: &mut &'static [u8]| {
                let mut text = String::new();
                peers::prost_read_into(input, &mut text);
                text
            },
            "leb128" => |input: &mut &'static [u8]| peers::leb128_read(input).to_owned(),
            "integer-encoding" => |input: &mut &'static [u8]| {
                peers::integer_encoding_read(input).to_owned()
            },
        )
        .showing("after", after::read_strings);
        let case = reading!(case, from bincode, "bincode" => foreign::bincode_read);
        reading!(case, from tantivy, "tantivy-common" => foreign::tantivy_read);
    }
}

fn read_borrowed(registry: &mut Registry) {
    fn case<'r>(
        registry: &'r mut Registry,
        name: &'static str,
        make: Make,
    ) -> CaseBuilder<'r, Strings> {
        let case = reading!(
            registry.case(name, make),
            "before" => before::read_string,
            "leb128" => peers::leb128_read,
            "integer-encoding" => peers::integer_encoding_read,
        )
        .showing("after", after::read_strs)
        .stateful("prost", |_| String::new(), prost_reads);
        let case = reading!(case, from bincode, "bincode" => foreign::bincode_read_str);
        reading!(case, from tantivy, "tantivy-common" => foreign::tantivy_read)
    }
    let guids = case(registry, "lucene-io/read-str/guid-36", input::guids);
    reading!(guids, "std" => peers::std_read_short);
    let long = case(registry, "lucene-io/read-str/ascii-3000", input::very_long);
    reading!(long, "std" => peers::std_read_long);
}

fn read_reused(registry: &mut Registry) {
    let cases: [(&'static str, Make); 2] = [
        ("lucene-io/read-string-into/guid-36", input::guids),
        ("lucene-io/read-string-into/ascii-3000", input::very_long),
    ];
    for (name, make) in cases {
        reading!(registry.case(name, make), "before" => before::read_string)
            .stateful("after", |_| String::new(), after::read_strings_into)
            .stateful("prost", |_| String::new(), prost_reads);
    }
}

/// It has no strings that borrow: into one that is kept.
fn prost_reads(text: &mut String, strings: &'static Strings, sink: &mut Sink) {
    let mut input = strings.encoded.as_slice();
    while !input.is_empty() {
        peers::prost_read_into(&mut input, text);
        sink.see(text);
    }
}

fn write_str(registry: &mut Registry) {
    fn case<'r>(
        registry: &'r mut Registry,
        name: &'static str,
        make: Make,
    ) -> CaseBuilder<'r, Strings> {
        let case = writing!(
            registry.case(name, make), texts,
            "after" => after::write_string,
            "prost" => peers::prost_write,
            "leb128" => peers::leb128_write,
            "integer-encoding" => peers::integer_encoding_write,
        );
        writing_foreign!(
            case,
            "bincode" => foreign::bincode_write, foreign::bincode_read;
            "tantivy-common" => foreign::tantivy_write, foreign::tantivy_read;
        )
    }
    let guids = case(registry, "lucene-io/write-string/guid-36", input::guids);
    writing!(guids, texts, "std" => peers::std_write_short);
    let long = case(registry, "lucene-io/write-string/ascii-1000", input::long);
    writing!(long, texts, "std" => peers::std_write_long);
}

fn integers(registry: &mut Registry) {
    let cases: [(&'static str, MakeIntegers); 3] = [
        ("lucene-io/read-vint/1-byte", || input::integers(1)),
        ("lucene-io/read-vint/1-to-2-bytes", || input::integers(2)),
        ("lucene-io/read-vint/1-to-5-bytes", || input::integers(5)),
    ];
    for (name, make) in cases {
        registry
            .case(name, make)
            .variant("after", |integers| after::sum(&integers.encoded))
            .variant("prost", |integers| peers::prost_sum(&integers.encoded))
            .variant("leb128", |integers| peers::leb128_sum(&integers.encoded))
            .variant("integer-encoding", |integers| peers::integer_encoding_sum(&integers.encoded))
            .variant("tantivy-common", |integers| foreign::tantivy_sum(&integers.tantivy));
    }
    macro_rules! write_all {
        ($case:expr, $($name:literal => $write:expr),+ $(,)?) => {
            $case$(.stateful(
                $name,
                |_| Vec::new(),
                |out: &mut Vec<u8>, integers: &'static Integers, sink: &mut Sink| {
                    out.clear();
                    $write(out, &integers.values);
                    sink.see(out);
                },
            ))+
        };
    }
    write_all!(
        registry.case("lucene-io/write-vint/1-to-5-bytes", || input::integers(5)),
        "after" => after::write_vints,
        "prost" => peers::prost_write_all,
        "leb128" => peers::leb128_write_all,
        "integer-encoding" => peers::integer_encoding_write_all,
    )
    .stateful(
        "tantivy-common",
        |_| Vec::new(),
        |out, integers, sink| {
            out.clear();
            foreign::tantivy_write_all(out, &integers.values);
            sink.see(&foreign::Integers(out));
        },
    );
}

fn file(registry: &mut Registry) {
    macro_rules! filing {
        ($case:expr, $($name:literal => $file:expr),+ $(,)?) => {
            $case$(.stateful(
                $name,
                |_| Vec::new(),
                |out: &mut Vec<u8>, strings: &'static Strings, sink: &mut Sink| {
                    out.clear();
                    $file(out, &strings.texts);
                    sink.see(out);
                },
            ))+
        };
    }
    filing!(
        registry.case("lucene-io/write-output/guid-36", input::guids),
        "after" => after::file,
        "std" => peers::std_file,
    );
}
