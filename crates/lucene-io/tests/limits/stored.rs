//! What stored fields allocate: nothing a document, a chunk at most, and nothing for a promise.

use crate::counting::{allocated, held, peak};
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, FsDirectory, RamDirectory};
use lucene_io::stored::{Compression, Reader, Value, Verify, Visit, Writer};
use lucene_io::{DataOutput, Error, IndexOutput, SliceInput, WriteOutput, codec};
use std::hint::black_box;

/// Allocations during a call, reallocations included.
fn allocations<T>(call: impl FnOnce() -> T) -> u64 {
    allocated(call).0
}

/// Files that go nowhere: what a writer holds is its own.
struct Sink;

impl Directory for Sink {
    type Input = SliceInput<'static>;
    type Output = WriteOutput<std::io::Sink>;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
    fn file_length(&self, _: &str) -> Result<u64, Error> {
        Ok(0)
    }
    fn open_input(&self, _: &str) -> Result<Self::Input, Error> {
        Err(Error::Truncated)
    }
    fn create_output(&self, _: &str) -> Result<Self::Output, Error> {
        Ok(WriteOutput::new(std::io::sink()))
    }
    fn delete_file(&self, _: &str) -> Result<(), Error> {
        Ok(())
    }
    fn rename(&self, _: &str, _: &str) -> Result<(), Error> {
        Ok(())
    }
    fn sync(&self, _: &[&str]) -> Result<(), Error> {
        Ok(())
    }
}

const GUID: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

struct Sample {
    names: Vec<String>,
    texts: Vec<String>,
    units: Vec<Vec<u16>>,
}

/// Fields of a document, and texts of which none is like the next.
fn sample() -> Sample {
    let names = (0..30).map(|i| format!("field{i}")).collect();
    let texts: Vec<String> = (0..97).map(|i| GUID[i % 20..].repeat(1 + i % 3)).collect();
    let units = texts.iter().map(|text| text.encode_utf16().collect()).collect();
    Sample { names, texts, units }
}

impl Sample {
    fn write<O: IndexOutput>(&self, writer: &mut Writer<O>, id: usize) -> Result<(), Error> {
        let doc = writer.start_document()?;
        for (i, name) in self.names.iter().enumerate() {
            let text = (id * 31 + i) % self.texts.len();
            match i % 8 {
                0 => doc.utf16(name, &self.units[text]),
                1 => doc.bytes(name, self.texts[text].as_bytes()),
                2 => doc.i32(name, id as i32),
                3 => doc.i64(name, -(id as i64)),
                4 => doc.f32(name, id as f32),
                5 => doc.f64(name, id as f64),
                _ => doc.string(name, &self.texts[text]),
            };
            // One of many values, and one that is not in every document.
            if i == 7 && id.is_multiple_of(3) {
                doc.string(name, "again").string("sometimes", "");
            }
        }
        doc.end()
    }

    fn index(&self, count: usize, compression: Compression) -> RamDirectory {
        let dir = RamDirectory::new();
        let mut writer = Writer::create(&dir, "_0", compression).unwrap();
        (0..count).for_each(|id| self.write(&mut writer, id).unwrap());
        index::write_commit(&dir, &[writer.finish().unwrap()], Target::Lucene410).unwrap();
        dir
    }
}

const COMPRESSIONS: [Compression; 3] =
    [Compression::LuceneExact, Compression::Fast, Compression::Literals];

#[test]
fn writing_a_document_costs_nothing() {
    let sample = sample();
    for compression in COMPRESSIONS {
        let mut writer = Writer::create(&Sink, "_0", compression).unwrap();
        let warm = 100;
        (0..warm).for_each(|id| sample.write(&mut writer, id).unwrap());
        let all = allocations(|| {
            (warm..warm + 3000).for_each(|id| sample.write(&mut writer, id).unwrap());
        });
        assert_eq!(all, 0, "{compression:?}");
        // The segment is made of the names.
        let names = sample.names.len() as u64 + 1;
        assert!(allocations(|| writer.finish().unwrap()) < names + 20);
    }
}

#[test]
fn visiting_a_document_costs_nothing() {
    let sample = sample();
    let folder = tempfile::tempdir().unwrap();
    for compression in COMPRESSIONS {
        let ram = sample.index(1000, compression);
        let files = FsDirectory::open(folder.path()).unwrap();
        for name in ram.list_all().unwrap() {
            let mut out = files.create_output(&name).unwrap();
            out.write_bytes(ram.open_file(&name).unwrap().as_slice().unwrap()).unwrap();
            out.close().unwrap();
        }
        let readers = [
            Reader::open(&ram, "_0", Verify::OnOpen).unwrap(),
            Reader::open(&files, "_0", Verify::OnOpen).unwrap(),
        ];
        for mut reader in readers {
            let mut read = |docs: &[u32]| {
                let mut total = 0;
                for &doc in docs {
                    reader
                        .visit(doc, |field| {
                            total += match field.value {
                                Value::String(text) => text.len(),
                                Value::Bytes(bytes) => bytes.len(),
                                _ => 1,
                            };
                            Visit::Next
                        })
                        .unwrap();
                }
                total
            };
            let order: Vec<u32> = (0..1000).collect();
            let mixed: Vec<u32> = (0..1000).map(|id| id * 601 % 1000).collect();
            let total = read(&order);
            assert!(total > 1000);
            assert_eq!(allocations(|| assert_eq!(read(&order), total)), 0);
            assert_eq!(allocations(|| assert_eq!(read(&mixed), total)), 0);
        }
        for name in files.list_all().unwrap() {
            files.delete_file(&name).unwrap();
        }
    }
}

#[test]
fn a_document_of_its_own_costs_three_allocations() {
    let sample = sample();
    let mut reader =
        Reader::open(&sample.index(500, Compression::Fast), "_0", Verify::OnOpen).unwrap();
    (0..500).for_each(|doc| drop(reader.document(doc).unwrap()));
    let all = allocations(|| {
        for doc in 1..500 {
            assert!(reader.document(doc).unwrap().get("field2").is_some());
        }
    });
    // Text, bytes, fields.
    assert_eq!(all, 499 * 3);
    let docs: Vec<u32> = (0..500).map(|id| id * 77 % 500).collect();
    assert!(allocations(|| reader.documents(&docs).unwrap()) <= 500 * 3 + 8);
}

/// 100 MB of documents, none of which is kept.
#[test]
fn a_writer_holds_a_chunk() {
    let text = GUID.repeat(100);
    let mut bytes = 0;
    let most = peak(|| {
        let mut writer = Writer::create(&Sink, "_0", Compression::Fast).unwrap();
        while bytes < 100 << 20 {
            bytes += 10 * text.len();
            let doc = writer.start_document().unwrap();
            for _ in 0..10 {
                doc.string("text", &text);
            }
            doc.end().unwrap();
        }
        writer.finish().unwrap()
    });
    // Two buffers of 16 KiB, a block of the index (24 KiB), the chunk, what it is compressed to,
    // and the compressor's tables.
    assert!(most < 400 << 10, "{most}");
}

/// A large document does not stay in memory when small ones come.
#[test]
fn a_large_document_is_given_back() {
    let large = vec![7; 20 << 20];
    let small = [7; 500];
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::Fast).unwrap();
    writer.start_document().unwrap().bytes("f", &large).end().unwrap();
    let mut writer = Writer::create(&Sink, "_1", Compression::Fast).unwrap();
    let before = held();
    writer.start_document().unwrap().bytes("f", &large).end().unwrap();
    assert!(held() - before > 20 << 20);
    for _ in 0..40 {
        writer.start_document().unwrap().bytes("f", &small).end().unwrap();
    }
    assert!(held() - before < 300 << 10);
}

#[test]
fn a_reader_holds_a_chunk() {
    let sample = sample();
    let folder = tempfile::tempdir().unwrap();
    let dir = FsDirectory::open(folder.path()).unwrap();
    let mut writer = Writer::create(&dir, "_0", Compression::Literals).unwrap();
    (0..25_000).for_each(|id| sample.write(&mut writer, id).unwrap());
    index::write_commit(&dir, &[writer.finish().unwrap()], Target::Lucene410).unwrap();
    let size = dir.file_length("_0.fdt").unwrap();
    assert!(size > 20 << 20, "{size}");
    let most = peak(|| {
        let mut reader = Reader::open(&dir, "_0", Verify::OnOpen).unwrap();
        for doc in 0..reader.doc_count() {
            reader
                .visit(doc, |field| {
                    black_box(field);
                    Visit::Next
                })
                .unwrap();
        }
        reader
    });
    // A chunk twice, the places of 1400 chunks, a piece that is verified.
    assert!(most < 300 << 10, "{most}");
}

/// A segment of so many documents whose `.fdt` and `.fdx` are made by hand, with right checksums.
fn hostile(docs: usize, index: &[u8], chunk: &[u8]) -> RamDirectory {
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::Fast).unwrap();
    (0..docs).for_each(|_| writer.start_document().unwrap().string("f", "").end().unwrap());
    index::write_commit(&dir, &[writer.finish().unwrap()], Target::Lucene410).unwrap();
    let put = |name: &str, codec: &str, body: &[u8]| {
        dir.delete_file(name).unwrap();
        let mut out = dir.create_output(name).unwrap();
        codec::write_header(&mut out, codec, 2).unwrap();
        out.write_bytes(body).unwrap();
        codec::write_footer(&mut out).unwrap();
        out.close().unwrap();
        dir.file_length(name).unwrap()
    };
    let data = put("_0.fdt", "Lucene41StoredFieldsData", &[b"\x80\x80\x01\x02", chunk].concat());
    let mut body = index.to_vec();
    body.write_vint(0).unwrap();
    body.write_vlong(data as i64 - 16).unwrap();
    put("_0.fdx", "Lucene41StoredFieldsIndex", &body);
    dir
}

/// One chunk, at the end of the header.
const ONE: &[u8] = b"\x02\x01\x00\x00\x01\x00\x25\x00\x01\x00";

#[test]
fn a_promise_allocates_nothing_in_a_chunk() {
    let largest = b"\xff\xff\xff\xff\x07";
    let cases: [(&str, Vec<u8>); 6] = [
        // A document of 2 GiB, of which there are 3 bytes; and of as many fields.
        ("length", [&b"\x00\x01\x01"[..], largest, b"\x30abc"].concat()),
        ("fields", [&b"\x00\x01"[..], largest, b"\x03\x30\x00\x01x"].concat()),
        // A field of 2 GiB, of text and of bytes.
        ("text", [&b"\x00\x01\x01\x06\x60\x00"[..], largest].concat()),
        ("bytes", [&b"\x00\x01\x01\x06\x60\x01"[..], largest].concat()),
        // As many documents; a run of literals, and a match, of as many bytes.
        ("documents", [&b"\x00"[..], largest, b"\x00\x01\x00\x01"].concat()),
        ("match", b"\x00\x01\x01\xff\xff\x01\x1fx\x01\x00\xff\xff\xff\xff\xff\xff".to_vec()),
    ];
    for (what, chunk) in cases {
        let dir = hostile(1, ONE, &chunk);
        let most = peak(|| {
            let read = Reader::open(&dir, "_0", Verify::OnOpen).and_then(|mut reader| {
                assert!(reader.visit(0, |_| Visit::Next).is_err(), "{what}");
                assert!(reader.documents(&[0]).is_err(), "{what}");
                reader.document(0)
            });
            assert!(read.is_err(), "{what}");
        });
        assert!(most < 40 << 10, "{what}: {most}");
    }
}

#[test]
fn a_promise_allocates_nothing_in_an_index() {
    let chunk = b"\x00\x01\x01\x03\x30\x00\x01x";
    let largest = b"\xff\xff\xff\xff\x07";
    let cases = [
        [&b"\x02"[..], largest, &ONE[2..]].concat(),
        [&b"\x02"[..], largest, b"\x00\x00\x20", &ONE[5..]].concat(),
        [&ONE[..2], largest, largest, &ONE[4..]].concat(),
    ];
    for index in cases {
        let dir = hostile(1, &index, chunk);
        let most = peak(|| assert!(Reader::open(&dir, "_0", Verify::OnOpen).is_err()));
        assert!(most < 40 << 10, "{most}");
    }
    let mut reader = Reader::open(&hostile(1, ONE, chunk), "_0", Verify::OnOpen).unwrap();
    assert_eq!(reader.document(0).unwrap().get("f"), Some(Value::String("x")));
}
