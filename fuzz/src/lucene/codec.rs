//! Headers and footers: a slice, a stream and a file read alike, and what was written is accepted.

use super::files::{Source, damage, seal};
use lucene_io::store::FileSlice;
use lucene_io::{ChecksumInput, DataInput, DataOutput, IndexOutput, ReadInput, SliceInput, codec};

/// Bytes as they are, or a file that is written and damaged.
pub fn codec(data: &[u8]) {
    let mut source = Source(data);
    let how = source.byte();
    let (name, suffix) =
        (source.take(usize::from(how >> 4)), source.take(usize::from(how >> 2 & 3)));
    let (name, suffix) = (String::from_utf8_lossy(name), String::from_utf8_lossy(suffix));
    let version = i32::from(source.byte() as i8);
    let id = [source.byte(); 16];
    if how & 1 == 0 {
        return all(source.0, &name, version, &id, &suffix);
    }
    let mut file = Vec::new();
    let written = if how & 2 == 0 {
        codec::write_header(&mut file, &name, version)
    } else {
        codec::write_index_header(&mut file, &name, version, &id, &suffix)
    };
    if written.is_err() {
        assert!(!name.is_ascii() || !suffix.is_ascii());
        return assert!(file.is_empty());
    }
    let body = source.take(usize::from(source.0.first().copied().unwrap_or(0)));
    file.write_bytes(body).expect("a vector takes anything");
    codec::write_footer(&mut file).expect("a vector takes anything");

    let checksum = codec::checksum_entire_file(&file).expect("a whole file");
    assert_eq!(checksum, IndexOutput::checksum(&mut file[..file.len() - 8].to_vec()));
    let mut input = ChecksumInput::new(SliceInput::new(&file));
    let read = if how & 2 == 0 {
        codec::check_header(&mut input, &name, version..=version)
    } else {
        codec::check_index_header(&mut input, &name, version..=version, &id, &suffix)
    };
    assert_eq!(read.expect("its header"), version);
    input.skip_bytes(body.len() as u64).expect("its body");
    assert_eq!(codec::check_footer(&mut input).expect("its footer"), checksum);

    if source.is_empty() {
        return;
    }
    let whole = file.clone();
    let first = damage(&mut file, &mut source);
    if first
        && file.len() == whole.len()
        && file.iter().zip(&whole).filter(|(a, b)| a != b).count() == 1
    {
        assert!(codec::checksum_entire_file(&file).is_err(), "one byte is always found");
    }
    while !source.is_empty() {
        damage(&mut file, &mut source);
    }
    if how & 4 == 0 {
        seal(&mut file, true);
        codec::checksum_entire_file(&file).expect("sealed");
    }
    all(&file, &name, version, &id, &suffix);
}

/// Every reader of a header or footer, by each kind of input.
fn all(file: &[u8], name: &str, version: i32, id: &[u8; 16], suffix: &str) {
    let slice = FileSlice::from(file.to_vec());
    let text = |result: Result<u32, lucene_io::Error>| result.map_err(|error| error.to_string());
    assert_eq!(text(codec::retrieve_checksum(file)), text(slice.retrieve_checksum()));
    let checksum = text(codec::checksum_entire_file(file));
    assert_eq!(checksum, text(slice.checksum_entire_file()));
    if let Ok(checksum) = checksum {
        assert_eq!(text(codec::retrieve_checksum(file)), Ok(checksum));
    }
    for index in [false, true] {
        let read = |input: &mut dyn DataInput| read(input, index, name, version, id, suffix);
        let of_slice = read(&mut SliceInput::new(file));
        assert_eq!(of_slice, read(&mut ReadInput::new(file)));
        assert_eq!(of_slice, read(&mut slice.input()));
    }
    // The footer behind what a reader has read, wherever that is.
    for at in [0, file.len() / 2, file.len().saturating_sub(codec::FOOTER_LENGTH)] {
        let mut input = ChecksumInput::new(SliceInput::new(file));
        input.skip_bytes(at as u64).expect("as long as the file");
        let mut stream = ChecksumInput::new(ReadInput::new(file));
        stream.skip_bytes(at as u64).expect("as long as the file");
        let footer = text(codec::check_footer(&mut input));
        assert_eq!(footer, text(codec::check_footer(&mut stream)));
        if let Ok(found) = footer {
            assert_eq!(checksum, Ok(found), "a footer, and not of this file");
        }
    }
}

/// Either header. An error is told by its text; what a stream has then consumed is its own affair.
fn read(
    mut input: &mut dyn DataInput,
    index: bool,
    name: &str,
    version: i32,
    id: &[u8; 16],
    suffix: &str,
) -> Result<(i32, u64), String> {
    let versions = version.saturating_sub(1)..=version;
    let read = if index {
        codec::check_index_header(&mut input, name, versions, id, suffix)
    } else {
        codec::check_header(&mut input, name, versions)
    };
    Ok((read.map_err(|error| error.to_string())?, input.position()))
}
