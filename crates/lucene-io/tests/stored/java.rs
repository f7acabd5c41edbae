//! The very bytes of Java, and Java's bytes read.

use super::files::get;
use super::model::{Doc, Owned, doc, open, read_all, write};
use lucene_io::index::{self, Target};
use lucene_io::store::RamDirectory;
use lucene_io::stored::{Compression, Writer};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    segment: Vec<Segment>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Segment {
    name: String,
    docs: usize,
    fdt: Bytes,
    fdx: Bytes,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Bytes {
    All(String),
    Sum { length: usize, crc: u32 },
}

/// What the documents are made of, as the program in Java made them.
struct Source(u32);

impl Source {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) as usize
    }

    fn text(&mut self, len: usize) -> Owned {
        Owned::String((0..len).map(|_| char::from(b'a' + (self.next() % 26) as u8)).collect())
    }

    fn random(&mut self, fields: usize, most: usize) -> Doc {
        let count = self.next() % fields;
        let mut field = || {
            let name = format!("f{}", self.next() % 10);
            let value = match self.next() % 6 {
                0 => {
                    let len = self.next() % most;
                    self.text(len)
                }
                1 => {
                    let len = self.next() % most;
                    Owned::Bytes((0..len).map(|_| self.next() as u8).collect())
                }
                2 => Owned::I32((self.next() as i32) << 16 | self.next() as i32),
                3 => Owned::F32((self.next() as f32 / 7.0).to_bits()),
                4 => Owned::I64((self.next() as i64) << 48 | self.next() as i64),
                _ => Owned::F64((self.next() as f64 / 7.0).to_bits()),
            };
            (name, value)
        };
        (0..count).map(|_| field()).collect()
    }

    fn document(&mut self, case: &str, id: usize) -> Doc {
        let one = |value: Owned| vec![(String::from("f"), value)];
        match case {
            "three documents" => (0..=id).flat_map(|_| one(self.text(10 * id))).collect(),
            "equal documents" => doc([("f", "equal")]),
            "no fields" | "no documents but one of no fields" => Doc::new(),
            "compressible" => {
                let text = "to be, or not to be: that is the question ";
                one(Owned::String(format!("{}to be ", &text[id % 7..])))
            }
            "random" => self.random(12, 60),
            "many fields" => {
                let mut field = |i| {
                    let len = self.next() % 8;
                    (format!("field{i}"), self.text(len))
                };
                (0..300).map(&mut field).collect()
            }
            "pieces" => {
                vec![("id".into(), Owned::I32(id as i32)), ("f".into(), self.text(id * 4000))]
            }
            "exactly twice" => one(self.text(if id == 1 { 32_768 - 4 } else { 16_384 - 5 + id })),
            // The average is rounded, half of one up.
            "one and a half a chunk" => one(self.text(if id % 2 == 0 { 16_400 } else { 5 })),
            "one and two thirds a chunk" => {
                one(self.text(if matches!(id, 1 | 3 | 4) { 16_400 } else { 5 }))
            }
            "more than a block of chunks" => {
                let Owned::String(text) = self.text(50) else { unreachable!() };
                one(Owned::String(text.repeat(16_400_usize.div_ceil(50))))
            }
            other => panic!("which documents are {other}?"),
        }
    }
}

fn segments() -> Vec<Segment> {
    let file: File = toml::from_str(include_str!("../data/stored_java.toml")).unwrap();
    assert_eq!(file.segment.len(), 13);
    file.segment
}

#[track_caller]
fn same(case: &str, ours: &[u8], javas: &Bytes) {
    match javas {
        Bytes::All(hex) => {
            let ours: String = ours.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(ours, hex.replace('\n', ""), "{case}");
        }
        Bytes::Sum { length, crc } => {
            assert_eq!((ours.len(), crc32fast::hash(ours)), (*length, *crc), "{case}");
        }
    }
}

fn check(segment: &Segment, dir: &RamDirectory) {
    same(&segment.name, &get(dir, "_0.fdt"), &segment.fdt);
    same(&segment.name, &get(dir, "_0.fdx"), &segment.fdx);
}

#[test]
fn the_bytes_of_java() {
    for segment in segments() {
        if segment.name == "every type" {
            continue;
        }
        let mut source = Source(1);
        let docs: Vec<Doc> =
            (0..segment.docs).map(|id| source.document(&segment.name, id)).collect();
        let dir = write(&docs, Compression::LuceneExact);
        check(&segment, &dir);
        // They are Java's then, and are read.
        assert_eq!(read_all(&mut open(&dir)).unwrap(), docs, "{}", segment.name);
    }
}

/// Text with a lone surrogate, and a NaN.
#[test]
fn the_bytes_of_java_for_every_type() {
    let segments = segments();
    let segment = segments.iter().find(|segment| segment.name == "every type").unwrap();
    let text: Vec<u16> = "Größe 🙂 ".encode_utf16().chain([0xD83D]).collect();
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::LuceneExact).unwrap();
    let one = writer.start_document().unwrap();
    one.utf16("text", &text).bytes("bytes", &[0, 0xFF, 7]).i32("int", -2).i64("long", i64::MIN);
    one.f32("float", -0.0).f64("double", f64::NAN).string("text", "").end().unwrap();
    let finished = writer.finish().unwrap();
    index::write_commit(&dir, &[finished], Target::Lucene410).unwrap();
    check(segment, &dir);
}
