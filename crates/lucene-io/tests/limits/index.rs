//! What a hostile commit makes the reader allocate: some times what is there, never what is promised.

use crate::counting::allocated;
use crate::index_common::*;
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::{DataOutput, codec};

fn file(name: &str, version: i32, body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    codec::write_header(&mut out, name, version).unwrap();
    out.extend_from_slice(body);
    codec::write_footer(&mut out).unwrap();
    out
}

/// A body of a promise of 2^31 - 1 entries, with entries of these bytes behind it.
fn promise(before: &[u8], count: &[u8], entry: &[u8], entries: usize) -> Vec<u8> {
    [before, count, &entry.repeat(entries)].concat()
}

#[test]
fn a_promise_allocates_nothing() {
    let int = b"\x7f\xff\xff\xff";
    let vint = b"\xff\xff\xff\xff\x07";
    let zero = [0; 8];
    for entries in [0, 1, 2000] {
        let info = [b"\x0410.x".as_slice(), &[0, 0, 0, 1, 0xFF]].concat();
        let field = [b"\x01a\x00\x00\x00".as_slice(), &zero, &[0; 4]].concat();
        let user = [&zero[..], &[0; 8]].concat();
        let hostile = [
            ("_0.fnm", file("Lucene46FieldInfos", 2, &promise(&[], vint, &field, entries))),
            ("_0.si", file("Lucene46SegmentInfo", 1, &promise(&info, int, b"\x01a\x01b", entries))),
            (
                "_0.si",
                file(
                    "Lucene46SegmentInfo",
                    1,
                    &promise(&[&info[..], &[0; 4]].concat(), int, b"\x03a.b", entries),
                ),
            ),
            ("_0.si", file("Lucene46SegmentInfo", 1, &promise(&[], vint, b"x", entries))),
            ("segments_1", file("segments", 3, &promise(&[0; 12], int, b"\x02_0", entries))),
            ("segments_1", file("segments", 3, &promise(&user, int, b"\x01a\x01b", entries))),
        ];
        for (name, bytes) in hostile {
            let dir = RamDirectory::new();
            let one = segment(&dir, "_0", 1, &["a"]);
            index::write_commit(&dir, &[one], Target::Lucene410).unwrap();
            replace(&dir, name, &bytes);
            let most = 256 * 1024 + 64 * bytes.len() as u64;
            let (_, by_read) = allocated(|| index::read_commit(&dir).unwrap_err());
            assert!(by_read < most, "{name} of {}: {by_read}", bytes.len());
            let (_, by_check) = allocated(|| index::check(&dir).unwrap());
            assert!(by_check < 2 * most, "{name} of {}: {by_check}", bytes.len());
        }
    }
}

/// What `check` needs does not grow with the files that it reads: they are read in pieces.
#[test]
fn check_does_not_load_files() {
    let used = |len: usize| {
        let dir = RamDirectory::new();
        let one = segment(&dir, "_0", 1, &["a"]);
        index::write_commit(&dir, &[one], Target::Lucene410).unwrap();
        let mut info = Vec::new();
        codec::write_header(&mut info, "Lucene46SegmentInfo", 1).unwrap();
        info.write_string("4.10.4").unwrap();
        info.write_bytes(&[0, 0, 0, 1, 0xFF, 0, 0, 0, 0]).unwrap();
        info.write_string_set(["_0.tim"]).unwrap();
        codec::write_footer(&mut info).unwrap();
        replace(&dir, "_0.si", &info);
        write(&dir, "_0.tim", &file("Any", 0, &vec![7; len]));
        assert!(dir.file_length("_0.tim").unwrap() > len as u64);
        allocated(|| assert_eq!(bad(&dir), [])).1
    };
    assert_eq!(used(1 << 16), used(1 << 22));
}
