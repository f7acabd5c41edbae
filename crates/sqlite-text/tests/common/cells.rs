//! What a cell holds and what every reader must make of it: an oracle of the standard library alone,
//! and the question to SQLite itself what is in a result.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, ToSql};
use sqlite_text::{Error, LossyText, RowTextExt, StorageClass, TextBuf, TextRow, TypePolicy};
use std::borrow::Cow;

pub(crate) const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16le", "UTF-16be"];
pub(crate) const POLICIES: [TypePolicy; 3] =
    [TypePolicy::TextOnly, TypePolicy::TextOrNull, TypePolicy::Coerce];

/// A text as the database holds it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Text {
    Utf8(Vec<u8>),
    Utf16(Vec<u16>),
}

/// A value, and for what is no TEXT the one that SQLite's `CAST` makes of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Null,
    Text(Text),
    Other(StorageClass, Text),
}

/// Where a cell is: what errors name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At {
    pub(crate) row: usize,
    pub(crate) column: usize,
}

impl Text {
    /// The bytes of a text in a database of that encoding.
    pub(crate) fn stored(encoding: &str, bytes: &[u8]) -> Self {
        let units = |read: fn([u8; 2]) -> u16| {
            Self::Utf16(bytes.chunks_exact(2).map(|b| read([b[0], b[1]])).collect())
        };
        match encoding {
            "UTF-8" => Self::Utf8(bytes.to_vec()),
            "UTF-16le" => units(u16::from_le_bytes),
            _ => units(u16::from_be_bytes),
        }
    }

    pub(crate) fn of(encoding: &str, text: &str) -> Self {
        match encoding {
            "UTF-8" => Self::Utf8(text.into()),
            _ => Self::Utf16(text.encode_utf16().collect()),
        }
    }

    pub(crate) fn strict(&self, at: At) -> Result<String, Error> {
        let At { row, column } = at;
        match self {
            Self::Utf8(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(text.to_owned()),
                Err(e) => Err(Error::InvalidUtf8 { column, row, valid_up_to: e.valid_up_to() }),
            },
            Self::Utf16(units) => {
                let mut text = String::new();
                let mut index = 0;
                for scalar in char::decode_utf16(units.iter().copied()) {
                    let scalar = scalar.map_err(|_| Error::InvalidUtf16 { column, row, index })?;
                    text.push(scalar);
                    index += scalar.len_utf16();
                }
                Ok(text)
            }
        }
    }

    pub(crate) fn lossy(&self) -> String {
        match self {
            Self::Utf8(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Self::Utf16(units) => char::decode_utf16(units.iter().copied())
                .map(|scalar| scalar.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
        }
    }

    fn bytes(&self, at: At) -> Result<Vec<u8>, Error> {
        match self {
            Self::Utf8(bytes) => Ok(bytes.clone()),
            Self::Utf16(_) => self.strict(at).map(String::into_bytes),
        }
    }
}

impl Cell {
    /// What the policy lets through.
    fn allowed(&self, policy: TypePolicy, at: At) -> Result<Option<&Text>, Error> {
        let refused = |actual| Error::InvalidType { column: at.column, row: at.row, actual };
        match (self, policy) {
            (Self::Null, TypePolicy::TextOnly) => Err(refused(StorageClass::Null)),
            (Self::Null, _) => Ok(None),
            (Self::Text(text), _) | (Self::Other(_, text), TypePolicy::Coerce) => Ok(Some(text)),
            (Self::Other(class, _), _) => Err(refused(*class)),
        }
    }

    /// What `text_opt` must give.
    pub(crate) fn text_opt(&self, policy: TypePolicy, at: At) -> Result<Option<String>, Error> {
        self.allowed(policy, at)?.map(|text| text.strict(at)).transpose()
    }

    /// What the others may read: NULL is an error.
    pub(crate) fn text(&self, policy: TypePolicy, at: At) -> Result<&Text, Error> {
        let At { row, column } = at;
        let null = Error::InvalidType { column, row, actual: StorageClass::Null };
        self.allowed(policy, at)?.ok_or(null)
    }

    /// Compares every getter of a row.
    pub(crate) fn check(&self, row: &TextRow<'_>, policy: TypePolicy, at: At, case: &str) {
        let case = format!("{case}, {policy:?}, {at:?}");
        let i = at.column;
        let read = self.text(policy, at);
        let strict = read.clone().and_then(|text| text.strict(at));
        assert_eq!(row.text(i).map(str::to_owned), strict, "{case}");
        let opt = row.text_opt(i).map(|text| text.map(str::to_owned));
        assert_eq!(opt, self.text_opt(policy, at), "{case}");
        let bytes = read.clone().and_then(|text| text.bytes(at));
        assert_eq!(row.text_bytes(i).map(<[u8]>::to_vec), bytes, "{case}");
        let lossy = row.text_lossy(i);
        if strict.is_ok() {
            assert!(matches!(lossy, Ok(Cow::Borrowed(_))), "{case}");
        }
        assert_eq!(lossy.map(Cow::into_owned), read.map(Text::lossy), "{case}");
        assert_eq!(row.text_buf(i).map(String::from), strict, "{case}");
        #[cfg(feature = "compact_str")]
        assert_eq!(row.compact_string(i).map(String::from), strict, "{case}");
        let mut out = String::from("left over");
        assert_eq!(row.read_text_into(i, &mut out), strict.clone().map(drop), "{case}");
        assert_eq!(out, strict.clone().unwrap_or_default(), "{case}");
        if let Ok(text) = strict {
            // SAFETY: the oracle says that the value is text.
            assert_eq!(unsafe { row.text_unchecked(i) }, Ok(&*text), "{case}");
        }
    }

    /// Compares every getter on a row of rusqlite, which does not know the lone surrogates of a
    /// UTF-16 database: there SQLite's own conversion is what it reads.
    pub(crate) fn check_rusqlite(&self, row: &Row<'_>, at: At, case: &str) {
        let i = at.column;
        let string = || row.get::<_, String>(i);
        let value = row.get_ref(i).unwrap();
        match (self, value) {
            (Self::Text(Text::Utf8(own)), ValueRef::Text(bytes)) => {
                assert_eq!(own, bytes, "{case}");
            }
            (Self::Text(text), ValueRef::Text(bytes)) => {
                if let Ok(text) = text.strict(at) {
                    assert_eq!(text.as_bytes(), bytes, "{case}");
                }
            }
            _ => assert!(string().is_err() && !matches!(self, Self::Text(_)), "{case}"),
        }
        let lossy = match value {
            ValueRef::Text(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            _ => string(),
        };
        assert_eq!(row.text(i).map(str::to_owned), string(), "{case}");
        assert_eq!(row.text_buf(i).map(String::from), string(), "{case}");
        assert_eq!(row.get::<_, TextBuf>(i).map(String::from), string(), "{case}");
        #[cfg(feature = "compact_str")]
        assert_eq!(
            row.get::<_, sqlite_text::CompactText>(i).map(|it| it.0.into()),
            string(),
            "{case}"
        );
        assert_eq!(row.get::<_, LossyText>(i).map(|text| text.0), lossy, "{case}");
        assert_eq!(row.text_lossy(i).map(Cow::into_owned), lossy, "{case}");
        let mut out = String::from("left over");
        assert_eq!(row.read_text_into(i, &mut out), string().map(drop), "{case}");
        assert_eq!(out, string().unwrap_or_default(), "{case}");
        let opt = row.get::<_, Option<String>>(i);
        assert_eq!(row.text_opt(i).map(|text| text.map(str::to_owned)), opt, "{case}");
        let buf = row.get::<_, Option<TextBuf>>(i);
        assert_eq!(buf.map(|text| text.map(String::from)), opt, "{case}");
    }
}

/// What a getter gave and keeps borrowed.
pub(crate) enum Held<'r> {
    Text(Result<&'r str, Error>),
    Opt(Result<Option<&'r str>, Error>),
    Bytes(Result<&'r [u8], Error>),
    Lossy(Result<Cow<'r, str>, Error>),
    Owned(Result<String, Error>),
}

impl<'r> Held<'r> {
    /// The getter of that number, of 6.
    pub(crate) fn read(row: &TextRow<'r>, getter: usize, i: usize) -> Self {
        match getter {
            0 => Self::Text(row.text(i)),
            1 => Self::Opt(row.text_opt(i)),
            2 => Self::Bytes(row.text_bytes(i)),
            3 => Self::Lossy(row.text_lossy(i)),
            4 => Self::Owned(row.text_buf(i).map(String::from)),
            _ => {
                let mut out = String::from("left over");
                Self::Owned(row.read_text_into(i, &mut out).map(|()| out))
            }
        }
    }

    pub(crate) fn check(self, cell: &Cell, policy: TypePolicy, at: At) {
        let strict = || cell.text(policy, at).and_then(|text| text.strict(at));
        match self {
            Self::Text(text) => assert_eq!(text.map(str::to_owned), strict()),
            Self::Opt(text) => {
                assert_eq!(text.map(|text| text.map(str::to_owned)), cell.text_opt(policy, at));
            }
            Self::Bytes(bytes) => match cell.text(policy, at) {
                Ok(Text::Utf8(own)) => assert_eq!(bytes, Ok(&**own)),
                _ => assert_eq!(bytes.map(<[u8]>::to_vec), strict().map(String::into_bytes)),
            },
            Self::Lossy(text) => {
                assert_eq!(text.map(Cow::into_owned), cell.text(policy, at).map(Text::lossy));
            }
            Self::Owned(text) => assert_eq!(text, strict()),
        }
    }
}

/// What a query gives, in SQLite's own words: the class of each value and the bytes of its cast.
pub(crate) fn ask(db: &Connection, sql: &str, params: &[&dyn ToSql]) -> Vec<Vec<Cell>> {
    let encoding: String = db.query_row("PRAGMA encoding", [], |row| row.get(0)).unwrap();
    let columns = db.prepare(sql).unwrap().column_count();
    let names: Vec<_> = (0..columns).map(|i| format!("c{i}")).collect();
    let asked: Vec<_> =
        names.iter().map(|name| format!("typeof({name}), hex(cast({name} AS TEXT))")).collect();
    let sql =
        format!("WITH q ({}) AS ({sql}\n) SELECT {} FROM q", names.join(", "), asked.join(", "));
    let mut statement = db.prepare(&sql).unwrap();
    let cells = |row: &Row<'_>| (0..columns).map(|i| cell(&encoding, row, 2 * i)).collect();
    statement.query_map(params, cells).unwrap().map(Result::unwrap).collect()
}

fn cell(encoding: &str, row: &Row<'_>, i: usize) -> rusqlite::Result<Cell> {
    let text =
        Text::stored(encoding, &unhex(&row.get::<_, Option<String>>(i + 1)?.unwrap_or_default()));
    Ok(match class(&row.get::<_, String>(i)?) {
        StorageClass::Null => Cell::Null,
        StorageClass::Text => Cell::Text(text),
        other => Cell::Other(other, text),
    })
}

pub(crate) fn class(name: &str) -> StorageClass {
    match name.to_ascii_uppercase().as_str() {
        "NULL" => StorageClass::Null,
        "INTEGER" => StorageClass::Integer,
        "REAL" => StorageClass::Real,
        "TEXT" => StorageClass::Text,
        "BLOB" => StorageClass::Blob,
        other => panic!("{other} is no class"),
    }
}

pub(crate) fn unhex(hex: &str) -> Vec<u8> {
    hex.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}
