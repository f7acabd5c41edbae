//! A segment whose files lie in one.

use super::files::{copy, get, put};
use super::kit::Packed;
use super::model::{Doc, Rng, own, read_all, write};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Compression, Reader, Verify};
use lucene_io::{DataOutput, codec};

/// The same segment with its files packed, and a `.si` that says so.
fn packed(docs: &[Doc]) -> RamDirectory {
    let dir = write(docs, Compression::LuceneExact);
    let parts = [".fdt", ".fdx", ".fnm"];
    let bytes = parts.map(|extension| get(&dir, &format!("_0{extension}")));
    let files: Vec<(&str, &[u8])> =
        parts.into_iter().zip(bytes.iter().map(Vec::as_slice)).collect();
    Packed::of(1, &files).put(&dir, "_0");
    for name in ["_0.fdt", "_0.fdx", "_0.fnm"] {
        dir.delete_file(name).unwrap();
    }
    let mut info = get(&dir, "_0.si");
    info.truncate(info.len() - codec::FOOTER_LENGTH);
    // The count of documents, and then whether it is compound.
    let count = [&(docs.len() as i32).to_be_bytes()[..], &[0xFF]].concat();
    let at = info.windows(5).position(|bytes| bytes == count).unwrap();
    info[at + 4] = 1;
    codec::write_footer(&mut info).unwrap();
    put(&dir, "_0.si", &info);
    dir
}

#[test]
fn documents_in_a_compound_file() {
    let docs = Rng(30).docs(1000, 9, 60);
    let dir = packed(&docs);
    for verify in [Verify::OnOpen, Verify::Lazy] {
        let mut reader = Reader::open(&dir, "_0", verify).unwrap();
        assert_eq!(read_all(&mut reader).unwrap(), docs);
        let some = reader.clone().documents(&[999, 3, 500]).unwrap();
        let some: Vec<Doc> = some.iter().map(own).collect();
        assert_eq!(some, [999, 3, 500].map(|id: usize| docs[id].clone()));
    }
}

#[test]
fn flipped_bits_in_a_compound_file() {
    let docs = Rng(31).docs(300, 9, 40);
    let dir = packed(&docs);
    let mut rng = Rng(32);
    for name in ["_0.cfs", "_0.cfe", "_0.si"] {
        let whole = get(&dir, name);
        for _ in 0..300 {
            let mut damaged = whole.clone();
            damaged[rng.below(whole.len())] ^= 1 << rng.below(8);
            let other = copy(&dir);
            put(&other, name, &damaged);
            assert!(Reader::open(&other, "_0", Verify::OnOpen).is_err(), "{name}");
            if let Ok(mut reader) = Reader::open(&other, "_0", Verify::Lazy) {
                assert_eq!(name, "_0.cfs");
                let _ = read_all(&mut reader);
            }
        }
    }
}

/// Nothing of it is read from beside it.
#[test]
fn files_beside_a_compound_file() {
    let docs = Rng(33).docs(10, 3, 10);
    let dir = packed(&docs);
    for name in ["_0.fdt", "_0.fdx", "_0.fnm"] {
        let mut out = dir.create_output(name).unwrap();
        out.write_string("not these").unwrap();
    }
    let mut reader = Reader::open(&dir, "_0", Verify::OnOpen).unwrap();
    assert_eq!(read_all(&mut reader).unwrap(), docs);
}
