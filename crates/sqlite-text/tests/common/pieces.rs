//! A text read in pieces against the cell that holds it.

use super::cells::{At, Cell, Text};
use rusqlite::Connection;
use sqlite_text::{Error, StorageClass, TextReader};
use std::io::{BufRead, ErrorKind, Read};

/// Reads the column `a` of row 1 of the table `t`: in pieces, whole, and by the cuts in turn, where 0
/// is a piece and another number so many bytes.
pub(crate) fn check(db: &Connection, cell: &Cell, cuts: &[u8]) {
    let open = || TextReader::open(db, "main", "t", "a", 1);
    let text = match cell {
        Cell::Text(text) => text,
        Cell::Null => return refused(open(), StorageClass::Null),
        Cell::Other(class, _) => return refused(open(), *class),
    };
    for lossy in [false, true] {
        let open = || open().unwrap().lossy(lossy);
        let (right, error) = readable(text, lossy);
        let mut reader = open();
        let mut read = String::new();
        let ended = loop {
            match reader.next_chunk() {
                Ok(Some(piece)) => {
                    assert!(!piece.is_empty());
                    read.push_str(piece);
                }
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        assert!(read == right && ended == error, "{read:?} {right:?}, {ended:?} {error:?}");
        assert_eq!(reader.next_chunk(), Ok(None));

        let mut whole = Vec::new();
        let end = open().read_to_end(&mut whole);
        assert_eq!(whole, right.as_bytes());
        assert_eq!(
            end.map_err(|error| error.kind()).err(),
            error.as_ref().map(|_| ErrorKind::InvalidData)
        );
        let mut whole = String::new();
        let end = open().read_to_string(&mut whole);
        // All or nothing, as `Read` promises.
        let all = if error.is_none() { &*right } else { "" };
        assert_eq!((&*whole, end.is_err()), (all, error.is_some()));
        by_cuts(open(), cuts, right.as_bytes(), error.is_some());
    }
}

fn by_cuts(mut reader: TextReader<'_>, cuts: &[u8], right: &[u8], error: bool) {
    let mut read = Vec::new();
    let mut met = false;
    for (i, cut) in cuts.iter().enumerate() {
        match *cut {
            0 => match reader.next_chunk() {
                Ok(piece) => read.extend_from_slice(piece.unwrap_or_default().as_bytes()),
                // Within a scalar value there is no piece.
                Err(Error::Sqlite { code: 21, .. }) => {
                    assert!(std::str::from_utf8(&read).is_err());
                }
                Err(_) => met = true,
            },
            n if i % 2 == 0 => match reader.fill_buf().map(|bytes| bytes.len().min(n.into())) {
                Ok(n) => {
                    read.extend_from_slice(&reader.fill_buf().unwrap()[..n]);
                    reader.consume(n);
                }
                Err(_) => met = true,
            },
            n => {
                let mut part = [0; 256];
                match reader.read(&mut part[..n.into()]) {
                    Ok(n) => read.extend_from_slice(&part[..n]),
                    Err(_) => met = true,
                }
            }
        }
    }
    met |= reader.read_to_end(&mut read).is_err();
    assert_eq!(read, right);
    assert_eq!(met, error);
    assert_eq!(reader.read_to_end(&mut read).unwrap(), 0);
}

/// What can be read, and what comes then.
fn readable(text: &Text, lossy: bool) -> (String, Option<Error>) {
    if lossy {
        return (text.lossy(), None);
    }
    match (text.strict(At { row: 0, column: 0 }), text) {
        (Ok(text), _) => (text, None),
        (Err(error @ Error::InvalidUtf8 { valid_up_to, .. }), Text::Utf8(bytes)) => {
            (String::from_utf8(bytes[..valid_up_to].to_vec()).unwrap(), Some(error))
        }
        (Err(error @ Error::InvalidUtf16 { index, .. }), Text::Utf16(units)) => {
            (String::from_utf16(&units[..index]).unwrap(), Some(error))
        }
        (Err(other), _) => panic!("{other}"),
    }
}

fn refused(opened: Result<TextReader<'_>, Error>, actual: StorageClass) {
    assert_eq!(opened.map(drop), Err(Error::InvalidType { column: 0, row: 0, actual }));
}
