//! Compound files: what is in them, and what is wrong with them. Names in the comments are those of
//! Lucene's `TestCompoundFile`.

use crate::kit::{Packed, get, kind, noise, open, put};
use lucene_io::store::{CompoundDirectory, Directory, RamDirectory};
use lucene_io::stored::Verify;
use lucene_io::{DataOutput, Error, IndexOutput, codec};
use std::io::ErrorKind;

const BOTH: [Verify; 2] = [Verify::OnOpen, Verify::Lazy];

/// Three files, one of them empty, of a version.
fn sample(version: i32) -> Packed {
    Packed::of(version, &[(".fdt", b"stored"), (".liv", b""), ("_1.del", b"0123456789")])
}

fn corrupt(result: Result<CompoundDirectory, Error>, said: &str) {
    match result {
        Err(Error::Corrupt { what, .. }) if what == said => {}
        other => panic!("expected {said:?}, got {other:?}"),
    }
}

/// `testSingleFile`, `testTwoFiles`, `testRandomFiles`, `testManySubFiles`
#[test]
fn what_was_packed_is_there() {
    let sizes = [0, 1, 10, 100, 1023, 1024, 1025, 3071, 3072, 3073, 0, 100_000, 0];
    let contents: Vec<Vec<u8>> = sizes.iter().map(|n| noise(*n as u64, *n)).collect();
    let names: Vec<String> = (0..sizes.len()).map(|i| format!(".big{i}")).collect();
    for version in 0..=1 {
        for n in [0, 1, 2, sizes.len()] {
            let files: Vec<(&str, &[u8])> =
                (0..n).map(|i| (names[i].as_str(), contents[i].as_slice())).collect();
            for verify in BOTH {
                let dir = Packed::of(version, &files).open(verify).unwrap();
                let mut expected: Vec<String> =
                    files.iter().map(|f| format!("_0{}", f.0)).collect();
                expected.sort();
                assert_eq!(dir.list_all().unwrap(), expected);
                for (name, bytes) in &files {
                    assert_eq!(get(&dir, &format!("_0{name}")), *bytes);
                }
            }
        }
    }
    let names: Vec<String> = (0..500).map(|i| format!(".{i}")).collect();
    let bytes: Vec<[u8; 1]> = (0..500).map(|i| [i as u8]).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().map(String::as_str).zip(bytes.iter().map(<[u8; 1]>::as_slice)).collect();
    let dir = Packed::of(1, &files).open(Verify::OnOpen).unwrap();
    for (name, byte) in &files {
        assert_eq!(get(&dir, &format!("_0{name}")), *byte);
    }
}

/// The table's order need not be that of the bytes: Java's is that of a hash map.
#[test]
fn the_order_of_the_table_is_free() {
    let mut packed = sample(1);
    packed.entries.reverse();
    let dir = packed.open(Verify::OnOpen).unwrap();
    assert_eq!(dir.list_all().unwrap(), ["_0.fdt", "_0.liv", "_0_1.del"]);
    assert_eq!(get(&dir, "_0_1.del"), b"0123456789");
}

/// `testReadNestedCFP`
#[test]
fn a_compound_file_in_a_compound_file() {
    let inner = Packed::of(1, &[(".xyz", b"\0\0\0\0"), ("_1.xyz", b"\0\0\0\x01")]);
    let cfe = inner.cfe();
    let outer = Packed::of(1, &[(".cfs", &inner.cfs), (".cfe", &cfe)]);
    let dir = RamDirectory::new();
    outer.put(&dir, "d");
    let outer = CompoundDirectory::open(&dir, "d", Verify::OnOpen).unwrap();
    assert_eq!(outer.list_all().unwrap(), ["d.cfe", "d.cfs"]);
    let inner = CompoundDirectory::open(&outer, "d", Verify::OnOpen).unwrap();
    assert_eq!(inner.list_all().unwrap(), ["d.xyz", "d_1.xyz"]);
    assert_eq!(get(&inner, "d_1.xyz"), [0, 0, 0, 1]);
}

#[test]
fn it_is_read_only() {
    let dir = sample(1).open(Verify::OnOpen).unwrap();
    for name in ["_0.fdt", "_0.new"] {
        let read_only = ErrorKind::ReadOnlyFilesystem;
        assert_eq!(kind(dir.create_output(name)), read_only);
        assert_eq!(kind(dir.delete_file(name)), read_only);
        assert_eq!(kind(dir.rename(name, "_0.b")), read_only);
        assert_eq!(kind(dir.sync(&[name])), read_only);
    }
    let error = dir.sync(&[]).unwrap_err();
    assert_eq!(error.to_string(), "a compound file is read-only");
    assert_eq!(format!("{dir:?}"), r#"{"_0.fdt": 6, "_0.liv": 0, "_0_1.del": 10}"#);
}

#[test]
fn a_file_that_is_missing() {
    let dir = RamDirectory::new();
    let open = |segment| CompoundDirectory::open(&dir, segment, Verify::OnOpen);
    assert_eq!(kind(open("_0")), ErrorKind::NotFound);
    put(&dir, "_0.cfs", &sample(1).cfs);
    assert_eq!(kind(open("_0")), ErrorKind::NotFound);
    put(&dir, "_0.cfe", &sample(1).cfe());
    open("_0").unwrap();
    for name in ["", "..", "_0.", "../_0", "/_0", "a\\b"] {
        assert!(matches!(open(name), Err(Error::InvalidName)), "{name}");
    }
}

/// Names in the table go by the rule for all names, whole or not.
#[test]
fn names_in_the_table() {
    for version in 0..=1 {
        let names = ["", "..", ".", "/etc/passwd", "../x", "\\x", ".fdt/..", "C:x", "a\0"];
        for name in names {
            let mut packed = sample(version);
            packed.entries[0].0 = name.into();
            for verify in BOTH {
                let result = packed.open(verify);
                assert!(matches!(result, Err(Error::InvalidName)), "{name:?}: {result:?}");
            }
        }
        let mut packed = sample(version);
        packed.entries[2].0 = ".fdt".into();
        corrupt(packed.open(Verify::Lazy), "two entries of one name");
    }
}

type Bend = fn(&mut Packed);

/// The table says what cannot be, under a right checksum.
#[test]
fn a_table_that_does_not_fit() {
    const OVERLAP: &str = "a file overlaps another or the header";
    const GAP: &str = "bytes of no file";
    const NEGATIVE: &str = "negative offset or length";
    const COUNT: &str = "negative count of entries";
    const BEHIND: &str = "bytes behind the last file";
    let cases: [(&str, Bend); 15] = [
        (NEGATIVE, |p| p.entries[0].1 = -1),
        (NEGATIVE, |p| p.entries[0].1 = i64::MIN),
        (NEGATIVE, |p| p.entries[1].2 = -1),
        (COUNT, |p| p.count = -1),
        (COUNT, |p| p.count = i32::MIN),
        (OVERLAP, |p| p.entries[0].1 -= 1),
        (OVERLAP, |p| p.entries[0].1 = 0),
        (OVERLAP, |p| p.entries[0].2 += 1),
        (OVERLAP, |p| p.entries[2].1 -= 1),
        (GAP, |p| p.entries[0].2 -= 1),
        (GAP, |p| p.entries[0] = (".x".into(), p.entries[2].1, 0)),
        (BEHIND, |p| p.entries[2].2 -= 1),
        (OVERLAP, |p| {
            *p = Packed {
                entries: vec![(".x".into(), 0, 0)],
                count: 1,
                ..Packed::of(p.version, &[])
            }
        }),
        ("bytes behind the entries", |p| p.count -= 1),
        ("bytes behind the entries", |p| p.rest.push(0)),
    ];
    for (i, (said, bend)) in cases.into_iter().enumerate() {
        for version in 0..=1 {
            for verify in BOTH {
                let mut packed = sample(version);
                bend(&mut packed);
                // Only the byte after it is another file's.
                if i == 8 {
                    packed.entries[2].2 += 1;
                }
                corrupt(packed.open(verify), said);
            }
        }
    }
    let truncated: [Bend; 8] = [
        |p| p.count += 1,
        |p| p.count = i32::MAX,
        |p| p.entries[2].2 += 1,
        |p| p.entries[2].2 = i64::MAX,
        |p| p.entries[2].1 += 1,
        |p| p.entries[2] = (".x".into(), i64::MAX, i64::MAX),
        // An empty file behind the end, the only way for it to be outside.
        |p| p.entries[1].1 = i64::MAX,
        |p| p.cfs.truncate(p.cfs.len() - 1),
    ];
    for (i, bend) in truncated.into_iter().enumerate() {
        for version in 0..=1 {
            for verify in BOTH {
                let mut packed = sample(version);
                bend(&mut packed);
                let result = packed.open(verify);
                assert!(matches!(result, Err(Error::Truncated)), "{i}: {result:?}");
            }
        }
    }
}

/// No footer is switched off, and none is taken for data.
#[test]
fn versions() {
    for verify in BOTH {
        for (data, table) in [(0, 1), (1, 0)] {
            let mut packed = sample(data);
            packed.cfe_version = table;
            corrupt(packed.open(verify), "of another version than the .cfs");
        }
        let result = Packed { version: 2, ..Packed::of(2, &[]) }.open(verify);
        assert!(matches!(result, Err(Error::VersionTooNew { actual: 2, min: 0, max: 1 })));
        let result = Packed::of(-1, &[]).open(verify);
        assert!(matches!(result, Err(Error::VersionTooOld { actual: -1, .. })));
        // Lucene 3's has no header at all.
        let result = open(b"\x01\0\0\0\0\0\0\0\x10\x06_0.fdt", &sample(0).cfe(), verify);
        assert!(matches!(result, Err(Error::HeaderMismatch)), "{result:?}");
        // The two of one segment swapped.
        let (packed, cfe) = (sample(1), sample(1).cfe());
        assert!(matches!(open(&cfe, &packed.cfs, verify), Err(Error::CodecMismatch)));
    }
}

#[test]
fn the_length_of_the_data() {
    for version in 0..=1 {
        for verify in BOTH {
            let packed = sample(version);
            let (cfs, cfe) = (&packed.cfs, packed.cfe());
            for end in 0..cfs.len() {
                let result = open(&cfs[..end], &cfe, verify);
                assert!(matches!(result, Err(Error::Truncated)), "{end}: {result:?}");
            }
            for more in [1, 16, 1000] {
                let longer = [cfs.as_slice(), &vec![0; more]].concat();
                corrupt(open(&longer, &cfe, verify), "bytes behind the last file");
            }
        }
    }
}

#[test]
fn the_length_of_the_table() {
    for version in 0..=1 {
        for verify in BOTH {
            let packed = sample(version);
            let (cfs, cfe) = (&packed.cfs, packed.cfe());
            for end in 0..cfe.len() {
                let error = open(cfs, &cfe[..end], verify).unwrap_err();
                let named = match version {
                    0 => matches!(error, Error::Truncated),
                    // Whatever the last 16 bytes then look like.
                    _ => matches!(error, Error::Truncated | Error::FooterMismatch),
                };
                assert!(named, "{end}: {error:?}");
            }
            for more in [1, 16, 18, 1000] {
                let longer = [cfe.as_slice(), &vec![0; more]].concat();
                let error = open(cfs, &longer, verify).unwrap_err();
                let named = match version {
                    0 => matches!(error, Error::Corrupt { .. }),
                    _ => matches!(error, Error::FooterMismatch),
                };
                assert!(named, "{more}: {error:?}");
            }
        }
    }
}

/// Every single bit of both files. Version 0 has no checksums: there a flip may change a name, and
/// then that file is missing, or the bytes of a file, which its own footer would show.
#[test]
fn every_flipped_bit() {
    let mut fdt = b"stored".to_vec();
    codec::write_footer(&mut fdt).unwrap();
    for version in 0..=1 {
        let packed = Packed::of(version, &[(".fdt", &fdt), (".liv", b""), (".si", &fdt)]);
        let cfe = packed.cfe();
        for (which, file) in [(0, &packed.cfs), (1, &cfe)] {
            for bit in 0..file.len() * 8 {
                let mut damaged = file.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                for verify in BOTH {
                    let (cfs, cfe) =
                        if which == 0 { (&damaged, &cfe) } else { (&packed.cfs, &damaged) };
                    let Ok(dir) = open(cfs, cfe, verify) else { continue };
                    assert!(version == 0 || (which, verify) == (0, Verify::Lazy), "bit {bit}");
                    let whole = ["_0.fdt", "_0.si"].iter().all(|name| {
                        dir.open_file(name).is_ok_and(|file| file.checksum_entire_file().is_ok())
                    });
                    let empty = dir.file_length("_0.liv").is_ok_and(|len| len == 0);
                    if whole && empty {
                        // Only what holds the checksum is damaged, and nobody asked for that.
                        assert!(version == 1 && verify == Verify::Lazy, "bit {bit}");
                        assert!(which == 0 && bit / 8 >= file.len() - 4, "bit {bit}");
                    }
                }
            }
        }
    }
}

/// The damaged body is what is reported, and nothing that comes of it.
#[test]
fn a_damaged_body_is_a_wrong_checksum() {
    let packed = sample(1);
    let mut cfs = packed.cfs.clone();
    let at = packed.entries[2].1 as usize;
    cfs[at] ^= 4;
    let result = open(&cfs, &packed.cfe(), Verify::OnOpen);
    assert!(matches!(result, Err(Error::ChecksumMismatch { .. })), "{result:?}");
    assert_eq!(get(&open(&cfs, &packed.cfe(), Verify::Lazy).unwrap(), "_0_1.del"), b"4123456789");
    // The table is verified in any case; its count would be negative.
    let mut cfe = packed.cfe();
    let at = codec_header_len("CompoundFileWriterEntries");
    cfe.splice(at..at + 1, *b"\xFF\xFF\xFF\xFF\x0F");
    for verify in BOTH {
        let result = open(&packed.cfs, &cfe, verify);
        assert!(matches!(result, Err(Error::ChecksumMismatch { .. })), "{result:?}");
    }
}

fn codec_header_len(name: &str) -> usize {
    9 + name.len()
}

/// elasticsearch#13923: the upper half of a footer's checksum is nothing but zeros.
#[test]
fn the_footer_is_looked_at_also_when_lazy() {
    let packed = sample(1);
    for back in [16, 12, 8] {
        let mut cfs = packed.cfs.clone();
        let at = cfs.len() - back;
        cfs[at] ^= 1;
        assert!(open(&cfs, &packed.cfe(), Verify::Lazy).is_err(), "{back}");
    }
}

/// Bytes that Java Lucene 4.10 would write for one file `.a` of two bytes, by hand.
#[test]
fn by_hand() {
    let mut cfs = b"\x3f\xd7\x6c\x17\x16CompoundFileWriterData\0\0\0\x01hi".to_vec();
    codec::write_footer(&mut cfs).unwrap();
    let mut cfe = b"\x3f\xd7\x6c\x17\x19CompoundFileWriterEntries\0\0\0\x01\x01\x02.a".to_vec();
    cfe.write_i64(31).unwrap();
    cfe.write_i64(2).unwrap();
    codec::write_footer(&mut cfe).unwrap();
    let dir = open(&cfs, &cfe, Verify::OnOpen).unwrap();
    assert_eq!(get(&dir, "_0.a"), b"hi");
    assert_eq!(Packed::of(1, &[(".a", b"hi")]).cfs, cfs);
    assert_eq!(Packed::of(1, &[(".a", b"hi")]).cfe(), cfe);
    let mut copy = cfe.clone();
    assert_eq!(copy.checksum(), crc(&cfe));
}

fn crc(bytes: &[u8]) -> u32 {
    // By definition, bit by bit.
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}
