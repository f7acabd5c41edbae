//! What Lucene's and Lucene.NET's own suites do beside single values, by the names they have there;
//! the values are in `data/suites.toml` and `data/test_index_input.toml`. See `data/ORIGINS.md`.

#![cfg(feature = "std")]

use crate::common::{Dribble, PlainInput};
use lucene_io::{
    ChecksumInput, DataInput, DataOutput, Error, IndexOutput, ReadInput, SliceInput, SliceOutput,
    WriteOutput,
};

/// Numbers that look random and are always the same: a linear congruence, its upper half.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 32) as u32
    }

    fn long(&mut self) -> u64 {
        u64::from(self.next()) << 32 | u64::from(self.next())
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }
}

/// `TestIndexInput`, the random part: integers of both kinds and widths in turn.
#[test]
fn test_index_input_random_reads() {
    const COUNT: usize = 65_536;
    let mut random = Random(1);
    let ints: Vec<i32> = (0..COUNT).map(|_| random.next() as i32).collect();
    let mut long = |i: usize| match i % 10 {
        // A long with many zeros at its end.
        0 => i64::from(random.next() >> 1) << 32,
        _ => (random.long() >> 1) as i64,
    };
    let longs: Vec<i64> = (0..COUNT).map(&mut long).collect();
    let mut memory = vec![0; COUNT * (5 + 4 + 9 + 8)];
    let mut out = SliceOutput::new(&mut memory);
    for (int, long) in ints.iter().zip(&longs) {
        out.write_vint(*int).unwrap();
        out.write_i32(*int).unwrap();
        out.write_vlong(*long).unwrap();
        out.write_i64(*long).unwrap();
    }
    let bytes = out.written();
    let mut slice = SliceInput::new(bytes);
    let mut reader = ReadInput::new(bytes);
    let mut plain = PlainInput { bytes, at: 0 };
    let mut hashed = ChecksumInput::new(SliceInput::new(bytes));
    let inputs: [&mut dyn DataInput; 4] = [&mut slice, &mut reader, &mut plain, &mut hashed];
    for input in inputs {
        for (int, long) in ints.iter().zip(&longs) {
            assert_eq!(input.read_vint().unwrap(), *int);
            assert_eq!(input.read_i32().unwrap(), *int);
            assert_eq!(input.read_vlong().unwrap(), *long);
            assert_eq!(input.read_i64().unwrap(), *long);
        }
        assert_eq!(input.position(), bytes.len() as u64);
    }
    assert_eq!(hashed.checksum(), out.checksum());
}

/// `TestVIntUtils`: every value of a single byte, and no prefix of a longer one is taken for it.
#[test]
fn test_vint_utils_single_bytes_and_prefixes() {
    for byte in 0..=0x7F {
        let mut source = [0; 5];
        source[0] = byte;
        let mut input = SliceInput::new(&source);
        assert_eq!(input.read_vint().unwrap(), i32::from(byte));
        assert_eq!(input.position(), 1);
    }
    for width in 1..=9 {
        let mut bytes = Vec::new();
        bytes.write_vlong(1 << (7 * (width - 1))).unwrap();
        assert_eq!(bytes.len(), width);
        for cut in 0..width {
            let mut inputs = [SliceInput::new(&bytes[..cut]), SliceInput::new(&bytes[..cut])];
            let eof = |result: Error| match result {
                Error::UnexpectedEof { at, need: 1 } => assert_eq!(at, cut as u64),
                other => panic!("{other:?}"),
            };
            eof(inputs[0].read_vlong().unwrap_err());
            if cut < 5 {
                eof(inputs[1].read_vint().unwrap_err());
            }
        }
    }
}

/// `TestByteArrayDataInput`: bytes from the middle of an array; and what Java 4.10 gets wrong there,
/// where a read goes past the end of the part.
#[test]
fn test_byte_array_data_input_keeps_to_its_part() {
    let whole = [1, 1, 65];
    assert_eq!(SliceInput::new(&whole[1..]).read_str().unwrap(), "A");
    let whole = *b"\x05ABCDE";
    let mut input = SliceInput::new(&whole[..3]);
    assert!(matches!(input.read_str(), Err(Error::UnexpectedEof { at: 1, need: 5 })));
    assert!(matches!(input.skip_bytes(3), Err(Error::UnexpectedEof { at: 1, need: 3 })));
}

/// `TestBufferedChecksum`: 1, 2, 3; and updates of all sizes with looks at the value in between.
#[test]
fn test_buffered_checksum() {
    let mut out = WriteOutput::new(std::io::sink());
    for byte in [1, 2, 3] {
        out.write_byte(byte).unwrap();
    }
    assert_eq!(out.checksum(), 1_438_416_925);
    let mut input = ChecksumInput::new(SliceInput::new(&[1, 2, 3]));
    input.skip_bytes(3).unwrap();
    assert_eq!(input.checksum(), 1_438_416_925);

    let mut random = Random(2);
    let mut bytes = Vec::new();
    let mut out = WriteOutput::new(std::io::sink());
    for _ in 0..2000 {
        match random.below(3) {
            0 => {
                let piece: Vec<u8> = (0..random.below(1024)).map(|_| random.next() as u8).collect();
                out.write_bytes(&piece).unwrap();
                bytes.extend_from_slice(&piece);
            }
            1 => {
                let byte = random.next() as u8;
                out.write_byte(byte).unwrap();
                bytes.push(byte);
            }
            _ => assert_eq!(out.checksum(), crc32fast::hash(&bytes)),
        }
    }
    let mut input = ChecksumInput::new(SliceInput::new(&bytes));
    let mut piece = vec![0; 1024];
    while (input.position() as usize) < bytes.len() {
        let n = random.below(1024).min(bytes.len() - input.position() as usize);
        match random.below(4) {
            0 => input.read_bytes(&mut piece[..n]).unwrap(),
            1 => drop(input.read_byte().unwrap()),
            2 => input.skip_bytes(n as u64).unwrap(),
            _ => {
                let read = &bytes[..input.position() as usize];
                assert_eq!(input.checksum(), crc32fast::hash(read));
            }
        }
    }
    assert_eq!(input.checksum(), out.checksum());
}

/// The bytes of `TestCopyBytes`.
fn copied(len: usize) -> Vec<u8> {
    (0..len).map(|i| ((i % 256) * (1 + i / 256)) as u8).collect()
}

/// `TestCopyBytes`: a file copied by single bytes and pieces of all sizes, from every kind of input.
#[test]
fn test_copy_bytes() {
    let mut random = Random(3);
    for size in [1, 77_777, 1_000_003] {
        let bytes = copied(size);
        let mut slice = SliceInput::new(&bytes);
        let mut reader = ReadInput::new(bytes.as_slice());
        let mut dribble = ReadInput::new(Dribble::new(bytes.as_slice(), 5000));
        let mut plain = PlainInput { bytes: &bytes, at: 0 };
        let mut hashed = ChecksumInput::new(SliceInput::new(&bytes));
        let inputs: [&mut dyn DataInput; 5] =
            [&mut slice, &mut reader, &mut dribble, &mut plain, &mut hashed];
        for input in inputs {
            let mut out = WriteOutput::new(Vec::new());
            while (out.position() as usize) < size {
                if random.below(2) == 0 {
                    out.write_byte(input.read_byte().unwrap()).unwrap();
                } else {
                    let left = size - out.position() as usize;
                    out.copy_bytes(input, (1 + random.below(77_777)).min(left) as u64).unwrap();
                }
                assert_eq!(out.position(), input.position());
            }
            assert!(out.finish().unwrap() == bytes, "{size}");
        }
        assert_eq!(hashed.checksum(), crc32fast::hash(&bytes));
    }
}

/// `TestCopyBytes` with threads (LUCENE-3541): clones of an input behind its header go their own ways.
#[test]
fn test_copy_bytes_with_threads() {
    let bytes = copied(9_999);
    let mut input = ChecksumInput::new(SliceInput::new(&bytes));
    let mut header = Vec::new();
    header.copy_bytes(&mut input, 100).unwrap();
    assert_eq!(header, bytes[..100]);
    std::thread::scope(|scope| {
        let copies: Vec<_> = (0..10)
            .map(|_| {
                let mut input = input.clone();
                scope.spawn(move || {
                    let mut copy = Vec::new();
                    copy.copy_bytes(&mut input, 9_899).unwrap();
                    (copy, input.checksum())
                })
            })
            .collect();
        for copy in copies {
            let (copy, checksum) = copy.join().unwrap();
            assert!(copy == bytes[100..]);
            assert_eq!(checksum, crc32fast::hash(&bytes));
        }
    });
    assert_eq!(input.position(), 100);
}

/// `TestBufferedIndexInput`: reads of growing, of wild and of small sizes over the buffer's edges, of
/// a file whose n-th byte is n².
#[test]
fn test_buffered_index_input() {
    let byte = |n: usize| (n.wrapping_mul(n) % 256) as u8;
    let file: Vec<u8> = (0..100 * 1024).map(byte).collect();
    let mut random = Random(4);
    let mut sizes: Vec<usize> = Vec::new();
    let mut size = 1;
    while size < 160 * 1024 {
        sizes.push(size);
        size += size / 200 + 1;
    }
    sizes.extend((0..100).map(|_| 1 + random.below(10_000)));
    sizes.extend([7; 16_384]);
    let mut input = ReadInput::new(file.as_slice());
    let mut piece = vec![0; 160 * 1024];
    for size in sizes {
        let at = input.position() as usize;
        let size = size.min(file.len() - at);
        input.read_bytes(&mut piece[..size]).unwrap();
        assert!(piece[..size] == file[at..at + size], "{size} bytes at {at}");
        assert_eq!(input.position() as usize, at + size);
        if at + size == file.len() {
            input = ReadInput::new(file.as_slice());
        }
    }
    let mut input = ReadInput::new(file.as_slice());
    assert!(file.iter().all(|byte| input.read_byte().unwrap() == *byte));
}

/// `TestBufferedIndexInput`, the end: all can be read, and nothing past it.
#[test]
fn test_buffered_index_input_eof() {
    let file = copied(1024);
    let mut piece = vec![0; 100_000];
    let mut input = ReadInput::new(file.as_slice());
    input.read_bytes(&mut piece[..1024]).unwrap();
    for size in [11, 50, 100_000] {
        let mut reader = ReadInput::new(file.as_slice());
        let mut slice = SliceInput::new(&file);
        for input in [&mut reader as &mut dyn DataInput, &mut slice] {
            input.skip_bytes(1014).unwrap();
            let result = input.read_bytes(&mut piece[..size]);
            let Err(Error::UnexpectedEof { at: 1014, need }) = result else { panic!("{result:?}") };
            assert_eq!(need, size as u64);
        }
    }
    let mut input = ReadInput::new(file.as_slice());
    input.skip_bytes(1014).unwrap();
    input.read_bytes(&mut piece[..10]).unwrap();
    assert_eq!(piece[..10], file[1014..]);
}

/// `BaseDirectoryTestCase`, testLargeWrites, testChecksum and testByte.
#[test]
fn base_directory_test_case() {
    let bytes = copied(19_999);
    let mut out = WriteOutput::new(Vec::new());
    out.write_byte(128).unwrap();
    let before = out.position();
    out.write_bytes(&bytes[..2048]).unwrap();
    assert_eq!(out.position(), before + 2048);
    let file = out.finish().unwrap();
    assert_eq!(SliceInput::new(&file).read_byte().unwrap(), 128);
    let mut input = ChecksumInput::new(ReadInput::new(bytes.as_slice()));
    input.skip_bytes(bytes.len() as u64).unwrap();
    assert_eq!(input.checksum(), crc32fast::hash(&bytes));
}
