//! Directories: how files are read from every kind. Names in the comments are those of the tests of
//! Lucene that state it (`BaseDirectoryTestCase` where no other is named).

use crate::kit::{self, Kind, Seek, get, kind, noise};
use crate::on;
use lucene_io::store::{Directory, check_name};
use lucene_io::{ChecksumInput, DataInput, DataOutput, Error, IndexOutput};
use std::io::ErrorKind;
use std::thread;

on! {
    ram: Ram fs: Fs behind: Behind compound: Compound;
    [
        listed_and_missing checksum seeking slices slice_of_slice random_access read_bytes eof
        inputs_are_independent clones_on_threads refused_names strings_around_the_buffer
    ]
}
#[cfg(feature = "mmap")]
on! {
    mmap: Mapped;
    [
        listed_and_missing checksum seeking slices slice_of_slice random_access read_bytes eof
        inputs_are_independent clones_on_threads refused_names strings_around_the_buffer
    ]
}

/// `TestCompoundFile.testFileNotFound`, `testListAll`
fn listed_and_missing<K: Kind>() {
    let files: [(&str, &[u8]); 5] =
        [("_0.fdt", b"one"), ("_0.b", b""), ("_0_1.del", b"2"), ("_0.Z", b"3"), ("_0", b"4")];
    // A compound file holds no empty name.
    let files = &files[..if std::any::type_name::<K>().ends_with("Compound") { 4 } else { 5 }];
    K::with(files, |dir| {
        let mut names: Vec<_> = files.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        assert_eq!(dir.list_all().unwrap(), names);
        for (name, bytes) in files {
            assert_eq!(dir.file_length(name).unwrap(), bytes.len() as u64);
            assert_eq!(get(dir, name), *bytes);
        }
        for name in ["bogus", "_0.fd", "_0.fdtt", "_1.fdt", ".fdt", "_0.FDT"] {
            assert_eq!(kind(dir.file_length(name)), ErrorKind::NotFound, "{name}");
            assert_eq!(kind(dir.open_input(name).map(drop)), ErrorKind::NotFound, "{name}");
            assert_eq!(kind(dir.open_file(name)), ErrorKind::NotFound, "{name}");
        }
    });
}

/// `testChecksum`
fn checksum<K: Kind>() {
    for len in [0, 1, 19_999, 70_000] {
        let mut bytes = noise(6, len);
        K::with(&[("_0.a", &bytes)], |dir| {
            let mut input = ChecksumInput::new(dir.open_input("_0.a").unwrap());
            input.skip_bytes(len as u64).unwrap();
            assert_eq!(input.checksum(), bytes.clone().checksum());
        });
        lucene_io::codec::write_footer(&mut bytes).unwrap();
        let expected = lucene_io::codec::checksum_entire_file(&bytes).unwrap();
        K::with(&[("_0.a", &bytes)], |dir| {
            let file = dir.open_file("_0.a").unwrap();
            assert_eq!(file.retrieve_checksum().unwrap(), expected);
            assert_eq!(file.checksum_entire_file().unwrap(), expected);
            // A part has a footer only if it ends where the file does.
            let short = file.slice(0, file.len() - 1).unwrap();
            assert!(short.checksum_entire_file().is_err());
        });
        let at = len / 2;
        bytes[at] ^= 1;
        K::with(&[("_0.a", &bytes)], |dir| {
            let error = dir.open_file("_0.a").unwrap().checksum_entire_file().unwrap_err();
            match len {
                0 => assert!(matches!(error, Error::FooterMismatch)),
                _ => assert!(matches!(error, Error::ChecksumMismatch { .. }), "{error:?}"),
            }
        });
    }
    K::with(&[("_0.a", &[0; 15])], |dir| {
        let file = dir.open_file("_0.a").unwrap();
        assert!(matches!(file.checksum_entire_file(), Err(Error::Truncated)));
        assert!(matches!(file.retrieve_checksum(), Err(Error::Truncated)));
    });
}

/// `testSeekToEOFThenBack`, `testIllegalEOF`, `testSeekToEndOfFile`, `testSeekBeyondEndOfFile`
fn seeking<K: Kind>() {
    let bytes = noise(7, 50_000);
    K::with(&[("_0.a", &bytes)], |dir| {
        let mut input = dir.open_input("_0.a").unwrap();
        let end = bytes.len() as u64;
        for to in [end, 0, 16_384, 16_383, 16_385, end - 1, 1, 40_000, 30_000, 39_999, end] {
            input.go(to).unwrap();
            assert_eq!(input.position(), to);
            let mut read = vec![0; 20_000.min((end - to) as usize)];
            input.read_bytes(&mut read).unwrap();
            assert_eq!(read, bytes[to as usize..][..read.len()], "from {to}");
            input.go(to).unwrap();
            assert_eq!(input.read_byte().ok(), bytes.get(to as usize).copied());
        }
        input.go(77).unwrap();
        for to in [end + 1, end + 2048, u64::MAX] {
            let error = input.go(to).unwrap_err();
            assert!(matches!(error, Error::UnexpectedEof { at, .. } if at == to), "{error:?}");
            assert_eq!(input.position(), 77);
        }
        let error = input.skip_bytes(u64::MAX).unwrap_err();
        assert!(matches!(error, Error::UnexpectedEof { at: 77, need: u64::MAX }), "{error:?}");
        assert_eq!(input.read_byte().unwrap(), bytes[77]);
    });
}

/// `testSliceOutOfBounds`
fn slices<K: Kind>() {
    K::with(&[("_0.a", &[7; 100])], |dir| {
        let file = dir.open_file("_0.a").unwrap();
        let beyond = [(0, 101), (101, 0), (100, 1), (u64::MAX, 1), (1, u64::MAX), (50, 51)];
        for (at, len) in beyond {
            let error = file.slice(at, len).unwrap_err();
            assert!(
                matches!(error, Error::UnexpectedEof { at: a, need } if (a, need) == (at, len))
            );
        }
        let slice = file.slice(4, 50).unwrap();
        assert_eq!((slice.len(), slice.input().position()), (50, 0));
        slice.slice(1, 50).unwrap_err();
        assert!(slice.slice(50, 0).unwrap().is_empty());
        let mut byte = [0];
        slice.read_at(49, &mut byte).unwrap();
        assert_eq!(byte, [7]);
        let error = slice.read_at(50, &mut byte).unwrap_err();
        assert!(matches!(error, Error::UnexpectedEof { at: 50, need: 1 }), "{error:?}");
        slice.read_at(50, &mut []).unwrap();
        slice.read_at(51, &mut []).unwrap_err();
        let mut input = slice.input();
        input.skip_bytes(50).unwrap();
        let error = input.read_byte().unwrap_err();
        assert!(matches!(error, Error::UnexpectedEof { at: 50, need: 1 }), "{error:?}");
    });
}

/// `testSliceOfSlice`
fn slice_of_slice<K: Kind>() {
    let bytes = noise(8, 250);
    K::with(&[("_0.a", &bytes)], |dir| {
        let file = dir.open_file("_0.a").unwrap();
        for i in (0..250).step_by(16) {
            let outer = file.slice(i, 250 - i).unwrap();
            for j in (0..outer.len()).step_by(16) {
                let inner = outer.slice(j, outer.len() - j).unwrap();
                let mut read = vec![0; inner.len() as usize];
                inner.input().read_bytes(&mut read).unwrap();
                assert_eq!(read, bytes[(i + j) as usize..]);
                if let Some(slice) = inner.as_slice() {
                    assert_eq!(slice, read);
                }
            }
        }
    });
}

/// `testRandomLong`, `testRandomInt`, `testRandomShort`, `testRandomByte`, with and without padding
fn random_access<K: Kind>() {
    let longs = noise(9, 300 * 8);
    for padding in 0..8 {
        let bytes = [noise(10, padding), longs.clone()].concat();
        K::with(&[("_0.a", &bytes)], |dir| {
            let file = dir.open_file("_0.a").unwrap();
            for i in (0..300).step_by(7) {
                let part = file.slice((padding + i * 8) as u64, ((300 - i) * 8) as u64).unwrap();
                for j in i..300 {
                    let mut long = [0; 8];
                    part.read_at(((j - i) * 8) as u64, &mut long).unwrap();
                    assert_eq!(long, longs[j * 8..][..8]);
                }
            }
        });
    }
}

/// `TestBufferedIndexInput`: the byte at each place.
fn byte_at(n: usize) -> u8 {
    (n.wrapping_mul(n) % 256) as u8
}

/// `TestBufferedIndexInput.testReadByte`, `testReadBytes`
fn read_bytes<K: Kind>() {
    let bytes: Vec<u8> = (0..100 * 1024).map(byte_at).collect();
    K::with(&[("_0.a", &bytes)], |dir| {
        let mut input = dir.open_input("_0.a").unwrap();
        for expected in &bytes {
            assert_eq!(input.read_byte().unwrap(), *expected);
        }
        let growing = (1..900).map(|i| i * i / 15 + 1);
        let fluctuating = noise(11, 200).into_iter().map(|b| usize::from(b) * 137 % 40_000 + 1);
        let small = std::iter::repeat_n(7, 3000);
        let mut at = bytes.len();
        for size in growing.chain(fluctuating).chain(small) {
            if at == bytes.len() {
                at = 0;
                input.go(0).unwrap();
            }
            assert_eq!(input.position(), at as u64);
            let mut read = vec![0; size.min(bytes.len() - at)];
            input.read_bytes(&mut read).unwrap();
            assert_eq!(read, bytes[at..at + read.len()]);
            at += read.len();
        }
    });
}

/// `TestBufferedIndexInput.testEOF`, `TestCompoundFile.testReadPastEOF`
fn eof<K: Kind>() {
    for len in [1024, 16_384, 40_000] {
        let bytes = noise(12, len as usize);
        K::with(&[("_0.a", &bytes), ("_0.b", b"behind it")], |dir| {
            let mut input = dir.open_input("_0.a").unwrap();
            input.read_bytes(&mut vec![0; len as usize]).unwrap();
            input.read_bytes(&mut []).unwrap();
            for n in [1, 11, 50, 100_000] {
                for at in [len, len - 10, 0] {
                    input.go(at).unwrap();
                    let mut read = vec![0; n + (len - at) as usize];
                    let error = input.read_bytes(&mut read).unwrap_err();
                    let need = read.len() as u64;
                    assert!(
                        matches!(error, Error::UnexpectedEof { at: a, need: n } if (a, n) == (at, need))
                    );
                    // Nothing has moved.
                    assert_eq!(input.position(), at);
                    assert_eq!(input.bytes_left(), Some(len - at));
                }
            }
            input.go(len - 10).unwrap();
            input.read_bytes(&mut [0; 10]).unwrap();
            assert!(input.read_byte().is_err());
        });
    }
}

/// Strings that the buffer of an input just holds, and just not, in and across it.
fn strings_around_the_buffer<K: Kind>() {
    for len in [16_382, 16_383, 16_384, 16_385, 16_450, 40_000] {
        for before in [0, 1, 16_383] {
            let text: String = ('a'..='z').cycle().take(len - 2).chain(['é']).collect();
            let mut bytes = noise(14, before);
            bytes.write_string(&text).unwrap();
            bytes.write_string("behind").unwrap();
            bytes.write_vint(len as i32).unwrap();
            bytes.extend(noise(15, len - 1));
            K::with(&[("_0.a", &bytes)], |dir| {
                let mut input = dir.open_input("_0.a").unwrap();
                let mut reused = String::from("left over");
                for _ in 0..2 {
                    input.go(before as u64).unwrap();
                    assert_eq!(input.read_string().unwrap(), text);
                    input.go(before as u64).unwrap();
                    input.read_string_into(&mut reused).unwrap();
                    assert_eq!(reused, text);
                    assert_eq!(input.read_string().unwrap(), "behind");
                    // The last one lacks a byte; its length is consumed.
                    let at = bytes.len() as u64 - (len as u64 - 1);
                    let error = input.read_string_into(&mut reused).unwrap_err();
                    let Error::UnexpectedEof { at: a, need } = error else { panic!("{error:?}") };
                    assert_eq!((a, need, input.position()), (at, len as u64, at));
                    assert_eq!(reused, "");
                }
            });
        }
    }
}

/// `TestCompoundFile.testRandomAccess`, `testRandomAccessClones`, `testClonedStreamsClosing`
fn inputs_are_independent<K: Kind>() {
    let names: Vec<String> = (0..20).map(|i| format!("_0.f{i}")).collect();
    let contents: Vec<Vec<u8>> = (0..20).map(|i| noise(20 + i, 2000)).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().map(String::as_str).zip(contents.iter().map(Vec::as_slice)).collect();
    K::with(&files, |dir| {
        let first = dir.open_input("_0.f11").unwrap();
        let second = dir.open_input("_0.f3").unwrap();
        let mut inputs = [first.clone(), second.clone(), first, second];
        for (i, to) in [(0, 100), (1, 1027), (2, 17), (0, 1910), (3, 0), (1, 17), (2, 1999)] {
            let before = inputs.each_ref().map(DataInput::position);
            inputs[i].go(to).unwrap();
            let expected = &contents[if i % 2 == 0 { 11 } else { 3 }];
            assert_eq!(inputs[i].read_byte().unwrap(), expected[to as usize]);
            for other in (0..4).filter(|other| *other != i) {
                assert_eq!(inputs[other].position(), before[other]);
            }
        }
        // What it came from may go first.
        let [clone, ..] = inputs;
        assert_eq!(clone.clone().read_byte().unwrap(), contents[11][clone.position() as usize]);
    });
}

fn clones_on_threads<K: Kind>() {
    let bytes = noise(13, 300_000);
    K::with(&[("_0.pad", b"padding"), ("_0.a", &bytes)], |dir| {
        let file = dir.open_file("_0.a").unwrap();
        let input = dir.open_input("_0.a").unwrap();
        thread::scope(|scope| {
            for i in 0..6 {
                let (file, mut input, bytes) = (file.clone(), input.clone(), &bytes);
                scope.spawn(move || {
                    for at in noise(i, 1500).chunks(3) {
                        let at = usize::from(at[0]) << 10 | usize::from(at[1]) << 2;
                        let mut read = vec![0; 1 + at % 20_000];
                        file.read_at(at as u64, &mut read).unwrap();
                        assert_eq!(read, bytes[at..at + read.len()]);
                        input.go(at as u64).unwrap();
                        input.read_bytes(&mut read).unwrap();
                        assert_eq!(read, bytes[at..at + read.len()]);
                    }
                });
            }
        });
    });
}

const REFUSED: [&str; 14] = [
    "", ".", "..", "/", "a/b", "/etc", "\\", "a\\b", "C:x", "..x", "x..", "a\0", "_0..fdt",
    "../_0.a",
];

/// No call goes anywhere with them.
fn refused_names<K: Kind>() {
    K::with(&[("_0.a", b"a")], |dir| {
        for name in REFUSED {
            let refused = |result: Result<(), Error>| {
                assert!(matches!(result, Err(Error::InvalidName)), "{name:?}: {result:?}");
            };
            refused(check_name(name));
            refused(dir.file_length(name).map(drop));
            refused(dir.open_input(name).map(drop));
            refused(dir.open_file(name).map(drop));
            refused(dir.create_output(name).map(drop));
            refused(dir.delete_file(name));
            refused(dir.rename(name, "_0.b"));
            refused(dir.rename("_0.a", name));
            refused(dir.sync(&[name]));
        }
        assert_eq!(dir.list_all().unwrap(), ["_0.a"]);
    });
}
