//! What directories and their inputs allocate: nothing for a promise, nothing a string that is lent.

use crate::counting::allocated;
use crate::kit::{self, Kind, Packed, noise};
use crate::on;
use lucene_io::store::{Directory, FileSlice};
use lucene_io::stored::Verify;
use lucene_io::{DataInput, DataOutput, codec};

/// A file with a footer, of strings.
fn strings() -> Vec<u8> {
    let mut bytes = Vec::new();
    for i in 0..20_000 {
        bytes.write_string(&format!("{i:036}")).unwrap();
    }
    codec::write_footer(&mut bytes).unwrap();
    bytes
}

/// A buffer at most for an input, a piece at most for a checksum, and nothing a string.
fn little<K: Kind>() {
    let bytes = strings();
    K::with(&[("_0.a", &bytes)], |dir| {
        let mut file = None;
        let (_, all) = allocated(|| file = Some(dir.open_file("_0.a").unwrap()));
        assert!(all <= 1024, "{all} bytes to open");
        let (_, all) = allocated(|| file.as_ref().unwrap().checksum_entire_file().unwrap());
        assert!(all <= 64 * 1024, "{all} bytes to verify");
        let mut input = dir.open_input("_0.a").unwrap();
        input.read_byte().unwrap();
        let mut text = String::with_capacity(36);
        input.skip_bytes(36).unwrap();
        let into = || (0..10_000).for_each(|_| input.read_string_into(&mut text).unwrap());
        assert_eq!(allocated(into), (0, 0));
        assert_eq!(allocated(|| input.read_string().unwrap()), (1, 36));
        assert_eq!(allocated(|| input.read_i64().unwrap()), (0, 0));
        let mut far = vec![0; 100_000];
        assert_eq!(allocated(|| input.read_bytes(&mut far).unwrap()), (0, 0));
        assert_eq!(allocated(|| input.skip_bytes(100_000).unwrap()), (0, 0));
    });
}

on! {
    ram: Ram fs: Fs compound: Compound;
    [little]
}
#[cfg(feature = "mmap")]
on! {
    mmap: Mapped;
    [little]
}

/// A small file has a small buffer.
#[test]
fn an_input_of_a_small_file() {
    let file = FileSlice::from(noise(1, 50));
    let (_, all) = allocated(|| file.input().read_i64().unwrap());
    assert!(all <= 50, "{all}");
}

/// A length or a count that is not there reserves nothing.
#[test]
fn promises() {
    let file = FileSlice::from(b"\xff\xff\xff\xff\x07x".to_vec());
    let (_, all) = allocated(|| file.input().read_string().unwrap_err());
    assert!(all <= 64, "{all}");
    for version in 0..=1 {
        let mut packed = Packed::of(version, &[(".a", b"a"), (".b", b"b")]);
        let open = |packed: &Packed| {
            let (cfs, cfe) = (packed.cfs.clone(), packed.cfe());
            let dir = lucene_io::store::RamDirectory::new();
            kit::put(&dir, "_0.cfs", &cfs);
            kit::put(&dir, "_0.cfe", &cfe);
            let open = || lucene_io::store::CompoundDirectory::open(&dir, "_0", Verify::OnOpen);
            let (_, all) = allocated(|| open().map_err(drop));
            all
        };
        let right = open(&packed);
        packed.count = i32::MAX;
        assert!(open(&packed) <= right + 1024);
        packed.entries[1].0 = "x".repeat(100);
        packed.entries[1].2 = i64::MAX;
        assert!(open(&packed) <= right + 1024);
    }
}

#[cfg(feature = "mmap")]
#[test]
fn strings_lent_by_a_map() {
    kit::Mapped::with(&[("_0.a", &strings())], |dir| {
        let mut input = dir.open_input("_0.a").unwrap();
        let read = || (0..20_000).map(|_| input.read_str().unwrap().len()).sum::<usize>();
        assert_eq!(allocated(read), (0, 0));
    });
}

#[cfg(feature = "bytes")]
#[test]
fn bytes_shared() {
    let bytes = bytes::Bytes::from(strings());
    let start = bytes.as_ptr();
    let mut input = lucene_io::BytesInput::new(bytes);
    // Sharing what came from a `Vec` for the first time counts its owners.
    input.take(0).unwrap();
    let first = input.read_byte_slice().unwrap();
    assert_eq!(first.as_ptr(), start.wrapping_add(1));
    let read = || (1..20_000).map(|_| input.read_byte_slice().unwrap().len()).sum::<usize>();
    assert_eq!(allocated(read), (0, 0));
    assert_eq!(first, "0".repeat(36));
}
