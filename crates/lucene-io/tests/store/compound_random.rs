//! Compound files of any bytes: an error, or a directory that holds what it says.

use crate::kit::{Packed, get, noise, open};
use lucene_io::store::{CompoundDirectory, Directory, check_name};
use lucene_io::stored::Verify;
use lucene_io::{DataOutput, Error, codec};
use proptest::prelude::*;

/// Of the `.cfs`; its last byte is that of the version.
const HEADER: usize = 9 + "CompoundFileWriterData".len();

/// Whatever it was made of: names are names, and the files are all there is between the header and
/// the footer.
fn sound(result: Result<CompoundDirectory, Error>, cfs: &[u8]) {
    let Ok(dir) = result else { return };
    let names = dir.list_all().unwrap();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    let mut all = 0;
    for name in &names {
        check_name(name).unwrap();
        assert!(name.starts_with("_0") && name.len() > 2);
        all += get(&dir, name).len();
    }
    let footer = if cfs[HEADER - 1] == 1 { 16 } else { 0 };
    assert_eq!(all, cfs.len() - HEADER - footer, "{names:?}");
}

fn checked(cfs: &[u8], cfe: &[u8]) {
    for verify in [Verify::OnOpen, Verify::Lazy] {
        sound(open(cfs, cfe, verify), cfs);
    }
}

/// With a right checksum, so that the parser sees it.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    codec::write_footer(&mut bytes).unwrap();
    bytes
}

fn header(codec: &str, version: i32) -> Vec<u8> {
    let mut bytes = Vec::new();
    codec::write_header(&mut bytes, codec, version).unwrap();
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_table(version in 0..=1_i32, table: Vec<u8>, data in 0..200_usize) {
        let mut cfs = [header("CompoundFileWriterData", version), noise(1, data)].concat();
        let mut cfe = [header("CompoundFileWriterEntries", version), table].concat();
        if version == 1 {
            (cfs, cfe) = (signed(cfs), signed(cfe));
        }
        checked(&cfs, &cfe);
    }

    /// Places near those that are right.
    #[test]
    fn near_places(
        version in 0..=1_i32,
        places in prop::collection::vec((29..45_i64, 0..12_i64), 0..4),
        data in 0..12_usize,
    ) {
        let mut packed = Packed::of(version, &[(".a", &noise(1, data))]);
        packed.count = places.len() as i32;
        packed.entries =
            places.iter().enumerate().map(|(i, (at, len))| (format!(".{i}"), *at, *len)).collect();
        checked(&packed.cfs, &packed.cfe());
    }

    /// A right one with some bytes others, signed again.
    #[test]
    fn some_bytes_others(
        version in 0..=1_i32,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let packed = Packed::of(version, &[(".fdt", b"stored"), (".liv", b""), (".si", b"info")]);
        let mut cfe = packed.cfe();
        let footer = if version == 1 { 16 } else { 0 };
        cfe.truncate(cfe.len() - footer);
        for (at, byte) in &changes {
            let at = at.index(cfe.len());
            cfe[at] = *byte;
        }
        checked(&packed.cfs, &if version == 1 { signed(cfe.clone()) } else { cfe.clone() });
        // And without.
        checked(&packed.cfs, &cfe);
    }
}

/// A table that is right, made of the same parts: what the properties rest on.
#[test]
fn the_right_one_is_opened() {
    for version in 0..=1 {
        let mut table = vec![1];
        table.write_string(".a").unwrap();
        table.write_i64(HEADER as i64).unwrap();
        table.write_i64(9).unwrap();
        let mut cfs = [header("CompoundFileWriterData", version), noise(1, 9)].concat();
        let mut cfe = [header("CompoundFileWriterEntries", version), table].concat();
        if version == 1 {
            (cfs, cfe) = (signed(cfs), signed(cfe));
        }
        let dir = open(&cfs, &cfe, Verify::OnOpen).unwrap();
        assert_eq!(get(&dir, "_0.a"), noise(1, 9));
        checked(&cfs, &cfe);
    }
}
