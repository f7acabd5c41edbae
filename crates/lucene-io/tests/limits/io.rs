//! What is allocated: nothing for a promise, nothing a string, once for an owned one.

use crate::common::PlainInput;
use crate::counting::allocated;
use lucene_io::lz4::{self, Compression, Compressor};
use lucene_io::{
    ChecksumInput, DataInput, DataOutput, Error, ReadInput, SliceInput, SliceOutput, WriteOutput,
    codec,
};

const TEXTS: [&str; 4] =
    ["0f8fad5b-d9cb-469f-a165-70867728950e", "Größe, Höhe, Länge", "統一碼萬國碼", "🙂🙃🙂🙃"];

#[test]
fn a_promise_allocates_nothing() {
    // A length of i32::MAX, of 2^30 + 1, of one more than there is; counts of i32::MAX.
    let hostile: [&[u8]; 4] =
        [b"\xff\xff\xff\xff\x07x", b"\x81\x80\x80\x80\x04", b"\x03ab", b"\x7f\xff\xff\xff"];
    for bytes in hostile {
        let mut inputs = [SliceInput::new(bytes), SliceInput::new(bytes)];
        let calls: [fn(&mut dyn DataInput); 6] = [
            |i| drop(i.read_string()),
            |i| drop(i.read_string_lossy()),
            |i| drop(i.read_string_string_map()),
            |i| drop(i.read_map_of_strings()),
            |i| drop(i.read_string_set()),
            |i| drop(i.read_set_of_strings()),
        ];
        for call in calls {
            let [slice, hashed] = &mut inputs;
            assert_eq!(allocated(|| call(slice)), (0, 0), "{bytes:?}");
            assert_eq!(allocated(|| call(&mut ChecksumInput::new(hashed))), (0, 0), "{bytes:?}");
            inputs = [SliceInput::new(bytes), SliceInput::new(bytes)];
        }
    }
}

/// Entries that are all the same are one, however many come: no list of them is made first.
#[test]
fn what_is_repeated_is_kept_once() {
    let mut bytes = 1_000_000_i32.to_be_bytes().to_vec();
    bytes.resize(4 + 2_000_000, 0);
    let mut calls = 0;
    let (_, map) = allocated(|| {
        calls += SliceInput::new(&bytes).read_string_string_map().unwrap().len();
    });
    let (_, set) = allocated(|| calls += SliceInput::new(&bytes).read_string_set().unwrap().len());
    assert_eq!(calls, 2);
    assert!(map <= 1024 && set <= 1024, "{map} {set}");
}

#[test]
fn a_stream_believes_64_kib_at_a_time() {
    for have in [0, 1, 65_536, 200_000] {
        let mut bytes = b"\xff\xff\xff\xff\x07".to_vec();
        bytes.resize(5 + have, b'x');
        let check = |input: &mut dyn DataInput| {
            let mut result = Ok(String::new());
            let (_, all) = allocated(|| result = input.read_string());
            let result = result.unwrap_err();
            assert!(matches!(result, Error::UnexpectedEof { at: 5, need: 0x7FFF_FFFF }));
            // Each step asks for all that is there and 64 KiB; the last is the largest.
            let steps = have as u64 / 65_536 + 1;
            assert!(all <= (1..=steps).sum::<u64>() * 65_536, "{all} bytes for {have}");
        };
        check(&mut PlainInput { bytes: &bytes, at: 0 });
        check(&mut ReadInput::new(bytes.as_slice()));
    }
}

#[test]
fn a_string_costs_nothing_borrowed_or_reused_and_once_owned() {
    for text in TEXTS.iter().flat_map(|t| [String::from(*t), t.repeat(300)]) {
        let mut bytes = Vec::new();
        bytes.write_string(&text).unwrap();
        let mut reused = String::with_capacity(text.len());
        let once = (1, text.len() as u64);
        assert_eq!(allocated(|| SliceInput::new(&bytes).read_str().unwrap()), (0, 0));
        assert_eq!(allocated(|| SliceInput::new(&bytes).read_string().unwrap()), once);
        assert_eq!(allocated(|| SliceInput::new(&bytes).read_string_lossy().unwrap()), once);
        let into = || SliceInput::new(&bytes).read_string_into(&mut reused).unwrap();
        assert_eq!(allocated(into), (0, 0));
        let mut stream = ReadInput::new(bytes.as_slice());
        assert_eq!(allocated(|| stream.read_string().unwrap()), once);
        let mut stream = ReadInput::new(bytes.as_slice());
        assert_eq!(allocated(|| stream.read_string_into(&mut reused).unwrap()), (0, 0));
        let mut plain = PlainInput { bytes: &bytes, at: 0 };
        assert_eq!(allocated(|| plain.read_string().unwrap()), once);
        let mut plain = PlainInput { bytes: &bytes, at: 0 };
        assert_eq!(allocated(|| plain.read_string_into(&mut reused).unwrap()), (0, 0));
        assert_eq!(reused, text);
    }
    assert_eq!(allocated(|| SliceInput::new(b"\0").read_string().unwrap()), (0, 0));
}

#[test]
fn writing_a_string_costs_nothing() {
    for text in TEXTS.iter().flat_map(|t| [String::from(*t), t.repeat(700)]) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut warm = Vec::new();
        warm.write_utf16(&units).unwrap();
        warm.clear();
        assert_eq!(allocated(|| warm.write_utf16(&units).unwrap()), (0, 0), "{text}");
        let mut memory = vec![0; warm.len()];
        let mut slice = SliceOutput::new(&mut memory);
        assert_eq!(allocated(|| slice.write_utf16(&units).unwrap()), (0, 0));
        let mut stream = WriteOutput::new(std::io::sink());
        assert_eq!(allocated(|| stream.write_utf16(&units).unwrap()), (0, 0));
        assert_eq!(allocated(|| stream.write_string(&text).unwrap()), (0, 0));
    }
}

#[test]
fn headers_footers_and_errors_cost_nothing() {
    let mut file = Vec::with_capacity(64);
    let all = allocated(|| {
        codec::write_header(&mut file, "FooBar", 1).unwrap();
        codec::write_footer(&mut file).unwrap();
        let mut input = ChecksumInput::new(SliceInput::new(&file));
        codec::check_header(&mut input, "FooBar", 1..=1).unwrap();
        codec::check_footer(&mut input).unwrap();
        let mut input = SliceInput::new(&file);
        codec::check_header(&mut input, "FooBaz", 1..=1).unwrap_err()
    });
    assert_eq!(all, (0, 0));
}

#[test]
fn a_block_costs_nothing_after_the_first() {
    let text = TEXTS.concat().repeat(100);
    for compression in [Compression::LuceneExact, Compression::Fast, Compression::Literals] {
        let mut compressor = Compressor::new(compression);
        let mut block = Vec::new();
        compressor.compress(text.as_bytes(), &mut block).unwrap();
        let mut back = Vec::with_capacity(text.len());
        // As many that the places in the table run full several times.
        let all = allocated(|| {
            for n in (0..60).map(|n| text.len() - n * 100) {
                block.clear();
                back.clear();
                compressor.compress(&text.as_bytes()[..n], &mut block).unwrap();
                lz4::decompress(&block, n, &mut back).unwrap();
            }
        });
        assert_eq!(all, (0, 0), "{compression:?}");
    }
}
