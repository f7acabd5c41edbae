//! Headers and footers: vectors of Lucene, the public reports on them by name, damaged bits.

use crate::common::{PlainInput, hexdump, unhex};
use lucene_io::{ChecksumInput, DataInput, DataOutput, Error, SliceInput, SliceOutput, codec};

const ID: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Java Lucene 8.7: writeIndexHeader("FooBar", 5, id 0..15, "suf"), writeString("hi"), writeFooter.
const JAVA_8_7: &str =
    "3fd76c17 06 466f6f426172 00000005 000102030405060708090a0b0c0d0e0f 03 737566
                        02 6869 c02893e8 00000000 000000008003d473";

fn file() -> Vec<u8> {
    let mut out = Vec::new();
    codec::write_header(&mut out, "FooBar", 5).unwrap();
    out.write_string("hi").unwrap();
    codec::write_footer(&mut out).unwrap();
    out
}

fn read(file: &[u8]) -> Result<String, Error> {
    let mut input = ChecksumInput::new(SliceInput::new(file));
    codec::check_header(&mut input, "FooBar", 1..=5)?;
    let text = input.read_string()?;
    codec::check_footer(&mut input)?;
    Ok(text)
}

#[test]
fn java_8_7_index_header_and_footer() {
    let java = unhex(JAVA_8_7);
    let mut out = Vec::new();
    codec::write_index_header(&mut out, "FooBar", 5, &ID, "suf").unwrap();
    out.write_string("hi").unwrap();
    codec::write_footer(&mut out).unwrap();
    assert_eq!(out, java);

    let mut input = ChecksumInput::new(SliceInput::new(&java));
    assert_eq!(codec::check_index_header(&mut input, "FooBar", 5..=6, &ID, "suf").unwrap(), 5);
    assert_eq!(input.read_string().unwrap(), "hi");
    assert_eq!(codec::check_footer(&mut input).unwrap(), 0x8003_D473);
    assert_eq!(codec::retrieve_checksum(&java).unwrap(), 0x8003_D473);
    assert_eq!(codec::checksum_entire_file(&java).unwrap(), 0x8003_D473);
}

#[test]
fn every_output_writes_the_same_footer() {
    let mut memory = vec![0; file().len()];
    let mut out = SliceOutput::new(&mut memory);
    codec::write_header(&mut out, "FooBar", 5).unwrap();
    out.write_string("hi").unwrap();
    codec::write_footer(&mut out).unwrap();
    assert_eq!(out.written(), file());
    #[cfg(feature = "std")]
    {
        let mut out = lucene_io::WriteOutput::new(Vec::new());
        codec::write_header(&mut out, "FooBar", 5).unwrap();
        out.write_string("hi").unwrap();
        let dynamic: &mut dyn lucene_io::IndexOutput = &mut out;
        codec::write_footer(dynamic).unwrap();
        assert_eq!(out.finish().unwrap(), file());
    }
}

#[test]
fn names_that_a_header_holds() {
    for name in ["", "x", &"x".repeat(127)] {
        let mut out = Vec::new();
        codec::write_header(&mut out, name, -7).unwrap();
        assert_eq!(out.len(), 9 + name.len());
        let mut input = SliceInput::new(&out);
        assert_eq!(codec::check_header(&mut input, name, -7..=0).unwrap(), -7);
        assert_eq!(input.remaining(), 0);
    }
    for name in [&*"x".repeat(128), "é"] {
        let mut out = Vec::new();
        assert!(matches!(codec::write_header(&mut out, name, 1), Err(Error::InvalidName)));
        assert!(out.is_empty());
    }
    for suffix in [&*"x".repeat(256), "é"] {
        let mut out = Vec::new();
        let result = codec::write_index_header(&mut out, "x", 1, &ID, suffix);
        assert!(matches!(result, Err(Error::InvalidName)));
        assert!(out.is_empty());
    }
    let (mut out, longest) = (Vec::new(), "x".repeat(255));
    codec::write_index_header(&mut out, "x", 1, &ID, &longest).unwrap();
    codec::check_index_header(&mut SliceInput::new(&out), "x", 1..=1, &ID, &longest).unwrap();
}

#[test]
fn what_is_wrong_with_a_header() {
    let file = unhex(JAVA_8_7);
    let check = |file: &[u8], codec: &str, versions, id: &[u8; 16], suffix: &str| {
        let mut input = SliceInput::new(file);
        format!("{:?}", codec::check_index_header(&mut input, codec, versions, id, suffix))
    };
    assert_eq!(check(&file, "FooBar", 5..=5, &ID, "suf"), "Ok(5)");
    for codec in ["FooBaz", "FooBarn", "FooBa", ""] {
        assert_eq!(check(&file, codec, 5..=5, &ID, "suf"), "Err(CodecMismatch)");
    }
    assert_eq!(check(&file, "FooBar", 5..=5, &[7; 16], "suf"), "Err(HeaderMismatch)");
    assert_eq!(check(&file, "FooBar", 5..=5, &ID, "sux"), "Err(HeaderMismatch)");
    assert_eq!(check(&file, "FooBar", 5..=5, &ID, ""), "Err(HeaderMismatch)");
    assert_eq!(check(&file[1..], "FooBar", 5..=5, &ID, "suf"), "Err(HeaderMismatch)");
    assert_eq!(
        check(&file[..3], "FooBar", 5..=5, &ID, "suf"),
        "Err(UnexpectedEof { at: 0, need: 4 })"
    );
}

#[test]
fn rucene_8_version_outside_the_range() {
    let error = |versions| {
        let file = file();
        codec::check_header(&mut SliceInput::new(&file), "FooBar", versions).unwrap_err()
    };
    assert!(matches!(error(6..=7), Error::VersionTooOld { actual: 5, min: 6, max: 7 }));
    assert!(matches!(error(1..=4), Error::VersionTooNew { actual: 5, min: 1, max: 4 }));
}

#[test]
fn tantivy_758_short_files_and_garbage() {
    for len in 0..16 {
        let short = vec![0xC0; len];
        assert!(matches!(codec::retrieve_checksum(&short), Err(Error::Truncated)));
        assert!(matches!(codec::checksum_entire_file(&short), Err(Error::Truncated)));
        let mut input = ChecksumInput::new(SliceInput::new(&short));
        assert!(matches!(codec::check_footer(&mut input), Err(Error::Truncated)));
        let mut input = ChecksumInput::new(PlainInput { bytes: &short, at: 0 });
        let result = codec::check_footer(&mut input);
        assert!(matches!(result, Err(Error::Truncated)), "{result:?}");
    }
    assert!(matches!(codec::retrieve_checksum(&[0xFF; 64]), Err(Error::FooterMismatch)));
    assert!(matches!(codec::checksum_entire_file(&[0xFF; 64]), Err(Error::FooterMismatch)));
    // The smallest file of all: a footer of nothing.
    let mut empty = Vec::new();
    codec::write_footer(&mut empty).unwrap();
    assert_eq!(empty.len(), codec::FOOTER_LENGTH);
    codec::checksum_entire_file(&empty).unwrap();
}

#[test]
fn elasticsearch_13923_the_checksum_has_eight_bytes() {
    let good = file();
    let tail = good.len() - 8;
    assert_eq!(good[tail..tail + 4], [0; 4]);
    for i in tail..tail + 4 {
        let mut bad = good.clone();
        bad[i] = 1;
        for result in [codec::retrieve_checksum(&bad), codec::checksum_entire_file(&bad)] {
            assert!(matches!(result, Err(Error::Corrupt { file: "codec footer", .. })));
        }
        assert!(matches!(read(&bad), Err(Error::Corrupt { file: "codec footer", .. })));
    }
    // A writer that drops the first of the eight, or shifts them by one.
    let mut dropped = good.clone();
    dropped.remove(tail);
    assert!(codec::checksum_entire_file(&dropped).is_err());
    assert!(matches!(read(&dropped), Err(Error::Truncated)));
    let mut shifted = good;
    shifted[tail..].rotate_left(1);
    assert!(codec::checksum_entire_file(&shifted).is_err());
}

#[test]
fn lucene_9396_one_byte_shorter_or_longer() {
    let good = file();
    assert!(matches!(read(&good[..good.len() - 1]), Err(Error::Truncated)));
    let longer = [&good[..], &[0]].concat();
    let result = read(&longer);
    assert!(matches!(result, Err(Error::Corrupt { what: "bytes follow it", .. })), "{result:?}");
    // An input that does not know its end finds out.
    let mut input = ChecksumInput::new(PlainInput { bytes: &longer, at: 0 });
    input.skip_bytes(good.len() as u64 - 16).unwrap();
    assert!(matches!(codec::check_footer(&mut input), Err(Error::Corrupt { .. })));
    let message = codec::checksum_entire_file(&longer).unwrap_err().to_string();
    assert!(message.contains("truncated or extended"), "{message}");
}

#[test]
fn lucene_7822_the_checksum_is_the_main_cause() {
    // The length of "hi" damaged: parsing stumbles, but the file as a whole says why.
    let mut bad = file();
    bad[15] = 0x7F;
    assert!(matches!(read(&bad), Err(Error::UnexpectedEof { .. })));
    assert!(matches!(codec::checksum_entire_file(&bad), Err(Error::ChecksumMismatch { .. })));
}

#[test]
fn lucene_5583_a_skip_feeds_the_checksum() {
    let body: Vec<u8> = (0..5000_u32).map(|i| (i * 7) as u8).collect();
    let mut file = body.clone();
    codec::write_footer(&mut file).unwrap();
    for skips in [&[5000_u64][..], &[1, 4999], &[0, 1023, 1024, 1025, 1928], &[512, 512, 3976]] {
        let mut input = ChecksumInput::new(SliceInput::new(&file));
        for &skip in skips {
            input.skip_bytes(skip).unwrap();
        }
        codec::check_footer(&mut input).unwrap();
    }
    // A clone goes its own way.
    let mut one = ChecksumInput::new(SliceInput::new(&file));
    one.skip_bytes(600).unwrap();
    let mut two = one.clone();
    assert_eq!((two.position(), two.checksum()), (600, one.checksum()));
    two.skip_bytes(1).unwrap();
    assert_eq!(one.position(), 600);
    one.skip_bytes(4400).unwrap();
    codec::check_footer(&mut one).unwrap();
    two.skip_bytes(4399).unwrap();
    codec::check_footer(&mut two).unwrap();
    // A skip past the end moves nothing where the end is known.
    let mut input = ChecksumInput::new(SliceInput::new(&file));
    let result = input.skip_bytes(6000);
    assert!(matches!(result, Err(Error::UnexpectedEof { at: 0, need: 6000 })), "{result:?}");
    assert_eq!(input.position(), 0);
}

#[test]
fn laurus_548_the_checksum_is_of_many_writes() {
    let mut whole = Vec::new();
    for i in 0..1000 {
        whole.write_vint(i).unwrap();
        whole.write_bytes(&[0; 3]).unwrap();
    }
    codec::write_footer(&mut whole).unwrap();
    codec::checksum_entire_file(&whole).unwrap();
    #[cfg(feature = "std")]
    {
        let mut out = lucene_io::WriteOutput::new(Vec::new());
        for i in 0..1000 {
            out.write_vint(i).unwrap();
            out.write_bytes(&[0; 3]).unwrap();
        }
        codec::write_footer(&mut out).unwrap();
        assert_eq!(out.finish().unwrap(), whole);
    }
}

/// `TestCodecUtil`: where the data begins behind a header, plain and of an index.
#[test]
fn test_codec_util_header_length() {
    let mut out = Vec::new();
    codec::write_header(&mut out, "FooBar", 5).unwrap();
    out.write_string("this is the data").unwrap();
    assert_eq!(SliceInput::new(&out[9 + 6..]).read_str().unwrap(), "this is the data");
    let mut out = Vec::new();
    codec::write_index_header(&mut out, "FooBar", 5, &ID, "xyz").unwrap();
    out.write_string("this is the data").unwrap();
    let data = &out[9 + 6 + 16 + 1 + 3..];
    assert_eq!(SliceInput::new(data).read_str().unwrap(), "this is the data");
}

/// `TestCodecUtil`: names that are too long or not ASCII, another magic.
#[test]
fn test_codec_util_what_is_refused() {
    for name in [&*"a".repeat(128), "\u{1234}"] {
        let result = codec::write_header(&mut Vec::new(), name, 5);
        assert!(matches!(result, Err(Error::InvalidName)));
    }
    for suffix in [&*"a".repeat(256), "\u{1234}"] {
        let result = codec::write_index_header(&mut Vec::new(), "foobar", 5, &ID, suffix);
        assert!(matches!(result, Err(Error::InvalidName)));
    }
    let longest = "a".repeat(255);
    let mut out = Vec::new();
    codec::write_index_header(&mut out, "foobar", 5, &ID, &longest).unwrap();
    let mut input = SliceInput::new(&out);
    codec::check_index_header(&mut input, "foobar", 5..=5, &ID, &longest).unwrap();
    assert_eq!(input.remaining(), 0);
    let wrong = 1234_i32.to_be_bytes();
    let result = codec::check_header(&mut SliceInput::new(&wrong), "bogus", 1..=1);
    assert!(matches!(result, Err(Error::HeaderMismatch)));
}

/// `TestCodecUtil`: a footer read where it stands, one byte past where it begins, and one whose
/// checksum is another.
#[test]
fn test_codec_util_check_footer() {
    let mut good = Vec::new();
    codec::write_header(&mut good, "FooBar", 5).unwrap();
    good.write_string("this is the data").unwrap();
    let body = good.len();
    codec::write_footer(&mut good).unwrap();
    codec::checksum_entire_file(&good).unwrap();
    let at = |file: &[u8], at: usize| {
        let mut input = ChecksumInput::new(SliceInput::new(file));
        input.skip_bytes(at as u64).unwrap();
        codec::check_footer(&mut input)
    };
    assert_eq!(at(&good, body).unwrap(), codec::retrieve_checksum(&good).unwrap());
    assert!(matches!(at(&good, body + 1), Err(Error::Truncated)));
    assert!(matches!(at(&good, body - 1), Err(Error::FooterMismatch)));
    let mut bad = good.clone();
    bad[body + 8..].copy_from_slice(&1_234_567_i64.to_be_bytes());
    let result = at(&bad, body);
    assert!(matches!(result, Err(Error::ChecksumMismatch { expected: 1_234_567, .. })));
}

/// `TestCodecUtil`: checksums of more than 32 bits, of which the last one is none.
#[test]
fn test_codec_util_bogus_crc() {
    for (crc, fits) in [(-1_i64, false), (1 << 32, false), (-(1 << 32), false), (0xFFFF_FFFF, true)]
    {
        let mut file = Vec::new();
        codec::write_footer(&mut file).unwrap();
        file[8..].copy_from_slice(&crc.to_be_bytes());
        match codec::retrieve_checksum(&file) {
            Ok(checksum) => assert!(fits && checksum == u32::MAX),
            Err(error) => assert!(!fits && matches!(error, Error::Corrupt { .. }), "{error:?}"),
        }
    }
}

/// `TestCodecUtil`: an empty file, a byte and a footer, and 17 bytes that are none.
#[test]
fn test_codec_util_retrieve_checksum() {
    assert!(matches!(codec::checksum_entire_file(&[]), Err(Error::Truncated)));
    assert!(matches!(codec::retrieve_checksum(&[]), Err(Error::Truncated)));
    let mut file = vec![42];
    codec::write_footer(&mut file).unwrap();
    codec::retrieve_checksum(&file).unwrap();
    let counted: Vec<u8> = (0..=16).collect();
    assert!(matches!(codec::retrieve_checksum(&counted), Err(Error::FooterMismatch)));
}

#[test]
fn every_flipped_bit_is_found() {
    let good = file();
    assert_eq!(read(&good).unwrap(), "hi");
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(codec::checksum_entire_file(&bad).is_err(), "bit {bit} of a whole file");
        assert!(read(&bad).is_err(), "bit {bit} while reading");
    }
    for len in 0..good.len() {
        assert!(codec::checksum_entire_file(&good[..len]).is_err());
        assert!(read(&good[..len]).is_err());
    }
}

#[test]
fn dump() {
    insta::assert_snapshot!("header_and_footer", hexdump(&file()));
    insta::assert_snapshot!("index_header_and_footer", hexdump(&unhex(JAVA_8_7)));
}
