//! Every place where a buffer's edge can cut a text: buffers of a few bytes.

use super::*;
use proptest::prelude::*;
use rusqlite::Connection;

const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16le", "UTF-16be"];

fn database(encoding: &str) -> Connection {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch(&format!("PRAGMA encoding = '{encoding}'; CREATE TABLE t (s)")).unwrap();
    db
}

/// A row with these bytes as they are, as TEXT.
fn put(db: &Connection, bytes: &[u8]) -> i64 {
    db.execute("INSERT INTO t VALUES (cast(?1 AS TEXT))", [bytes]).unwrap();
    db.last_insert_rowid()
}

fn opened(db: &Connection, rowid: i64, size: usize) -> TextReader<'_> {
    let mut reader = TextReader::open(db, "main", "t", "s", rowid).unwrap();
    reader.size = size;
    reader.window = Window::new(size.min(reader.cell.len));
    reader
}

fn all(mut reader: TextReader<'_>) -> (String, Result<()>) {
    let mut text = String::new();
    let ended = loop {
        match reader.next_chunk() {
            Ok(Some(piece)) => {
                assert!(!piece.is_empty());
                text.push_str(piece);
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    for _ in 0..2 {
        assert_eq!(reader.next_chunk(), Ok(None));
    }
    (text, ended)
}

fn check_utf8(db: &Connection, bytes: &[u8], sizes: &[usize]) {
    let rowid = put(db, bytes);
    for &size in sizes {
        let (text, ended) = all(opened(db, rowid, size));
        match core::str::from_utf8(bytes) {
            Ok(right) => assert_eq!((&*text, ended), (right, Ok(()))),
            Err(error) => {
                let valid_up_to = error.valid_up_to();
                assert_eq!(text.as_bytes(), &bytes[..valid_up_to], "{size} {bytes:X?}");
                let error = Error::InvalidUtf8 { column: 0, row: 0, valid_up_to };
                assert_eq!(ended, Err(error), "{size} {bytes:X?}");
            }
        }
        let lossy = all(opened(db, rowid, size).lossy(true));
        let right = String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(lossy, (right, Ok(())), "{size} {bytes:X?}");
    }
}

fn check_utf16(db: &Connection, units: &[u16], big: bool, sizes: &[usize]) {
    let bytes: Vec<u8> = units
        .iter()
        .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
        .collect();
    let rowid = put(db, &bytes);
    let mut right = String::new();
    let mut index = 0;
    let lone = char::decode_utf16(units.iter().copied()).find_map(|scalar| match scalar {
        Ok(scalar) => {
            index += scalar.len_utf16();
            right.push(scalar);
            None
        }
        Err(_) => Some(Error::InvalidUtf16 { column: 0, row: 0, index }),
    });
    for &size in sizes {
        let strict = all(opened(db, rowid, size));
        assert_eq!(strict, (right.clone(), lone.clone().map_or(Ok(()), Err)), "{size} {units:X?}");
        let lossy = all(opened(db, rowid, size).lossy(true));
        assert_eq!(lossy, (String::from_utf16_lossy(units), Ok(())), "{size} {units:X?}");
    }
}

/// Sequences whole, cut, overlong, of surrogates, too high, and bytes that start nothing.
const PARTS: [&[u8]; 16] = [
    b"a",
    b"\xC3\xA9",
    b"\xE2\x82\xAC",
    b"\xF0\x9F\x98\x80",
    b"\xC3",
    b"\xE2\x82",
    b"\xF0\x9F\x98",
    b"\xF0\x9F",
    b"\xF0",
    b"\x80",
    b"\xED\xA0\x80",
    b"\xC0\x80",
    b"\xE0\x80\x80",
    b"\xF4\x90\x80\x80",
    b"\xFF",
    b"\0",
];

#[test]
fn three_sequences_of_every_kind_cut_at_every_place() {
    let db = database("UTF-8");
    db.execute_batch("BEGIN").unwrap();
    for a in PARTS {
        for b in PARTS {
            for c in PARTS {
                check_utf8(&db, &[a, b, c].concat(), &[4, 6]);
            }
        }
    }
}

#[test]
fn four_units_of_every_kind_cut_at_every_place() {
    const UNITS: [u16; 6] = [0x61, 0xE9, 0x20AC, 0xD83D, 0xDE00, 0xFEFF];
    for (encoding, big) in [("UTF-16le", false), ("UTF-16be", true)] {
        let db = database(encoding);
        db.execute_batch("BEGIN").unwrap();
        for n in 0..6_usize.pow(4) {
            let units: Vec<u16> = (0..4).map(|i| UNITS[n / 6_usize.pow(i) % 6]).collect();
            check_utf16(&db, &units, big, &[4, 6]);
        }
    }
}

proptest! {
    #[test]
    fn bytes_of_any_kind(
        parts in prop::collection::vec(prop::sample::select(PARTS.as_slice()), 0..40),
        size in (2_usize..20).prop_map(|n| 2 * n),
    ) {
        check_utf8(&database("UTF-8"), &parts.concat(), &[size]);
    }

    #[test]
    fn units_of_any_kind(
        units in prop::collection::vec(
            prop_oneof![Just(0x61_u16), Just(0xD83D), Just(0xDE00), any::<u16>()], 0..40),
        size in (2_usize..20).prop_map(|n| 2 * n),
        big in any::<bool>(),
    ) {
        let db = database(if big { "UTF-16be" } else { "UTF-16le" });
        check_utf16(&db, &units, big, &[size]);
    }

    /// Reading by bytes, whatever the reads' sizes, is the same text; pieces in between fit.
    #[test]
    fn bytes_and_pieces_in_turn(
        text in "[a-é€😀\n]{0,60}",
        sizes in prop::collection::vec(0_usize..9, 1..40),
        size in (2_usize..9).prop_map(|n| 2 * n),
        encoding in prop::sample::select(ENCODINGS.as_slice()),
    ) {
        let db = database(encoding);
        db.execute("INSERT INTO t VALUES (?1)", [&text]).unwrap();
        let mut reader = opened(&db, 1, size);
        let mut got = Vec::new();
        for n in sizes {
            if n == 0 {
                match reader.next_chunk() {
                    Ok(piece) => got.extend_from_slice(piece.unwrap_or_default().as_bytes()),
                    Err(error) => {
                        let misused = matches!(error, Error::Sqlite { code: 21, .. });
                        prop_assert!(misused && core::str::from_utf8(&got).is_err());
                    }
                }
            } else {
                let mut part = vec![0; n];
                let read = reader.read(&mut part).unwrap();
                got.extend_from_slice(&part[..read]);
            }
        }
        reader.read_to_end(&mut got).unwrap();
        prop_assert_eq!(got, text.as_bytes());
    }
}
