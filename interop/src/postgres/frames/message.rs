//! What a server says, out of the payload of one packet (PostgreSQL's "Message Formats").

use std::fmt;

/// One message, as far as the checks look into it.
#[derive(Debug)]
pub(super) enum Message {
    /// `RowDescription`.
    Columns(Vec<Column>),
    /// `DataRow`.
    Row(Row),
    /// `CommandComplete`: its tag.
    Complete(String),
    /// `ErrorResponse`.
    Error(Fields),
    /// `NoticeResponse`.
    Notice(Fields),
    /// `CopyData`: one row of a COPY, or a piece of one.
    Copied(Vec<u8>),
    /// `ReadyForQuery`: the answer is over.
    Ready,
    /// One that only its kind matters of.
    Other(u8),
}

/// The values of a row; `None` is NULL.
pub(super) type Row = Vec<Option<Vec<u8>>>;

/// The letters and texts of an error or a notice, in their order.
pub(super) type Fields = Vec<(char, String)>;

/// A column, as a `RowDescription` has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    /// The type's number.
    pub(super) type_oid: u32,
    /// In the binary format, else as text.
    pub(super) binary: bool,
}

/// A message that is not as its kind should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) &'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed message: {}", self.0)
    }
}

impl std::error::Error for Malformed {}

impl Message {
    /// The message of this kind with this payload.
    pub(super) fn of(kind: u8, payload: &[u8]) -> Result<Self, Malformed> {
        let mut bytes = Bytes(payload);
        let message = match kind {
            b'T' => Self::Columns(bytes.columns()?),
            b'D' => Self::Row(bytes.row()?),
            b'C' => Self::Complete(bytes.text()?),
            b'E' => Self::Error(bytes.fields()?),
            b'N' => Self::Notice(bytes.fields()?),
            b'd' => Self::Copied(bytes.take(payload.len())?.to_vec()),
            b'Z' => bytes.take(1).map(|_| Self::Ready)?,
            other => bytes.take(payload.len()).map(|_| Self::Other(other))?,
        };
        if bytes.0.is_empty() { Ok(message) } else { Err(Malformed("bytes after its end")) }
    }
}

/// What is left of a payload.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(Malformed("too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(Malformed("too short"))?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u16(&mut self) -> Result<u16, Malformed> {
        self.array().map(u16::from_be_bytes)
    }

    /// Bytes up to a zero.
    fn text(&mut self) -> Result<String, Malformed> {
        let end = self.0.iter().position(|&b| b == 0).ok_or(Malformed("text without an end"))?;
        let text = self.take(end)?.to_vec();
        self.take(1)?;
        String::from_utf8(text).map_err(|_| Malformed("text that is no UTF-8"))
    }

    fn row(&mut self) -> Result<Row, Malformed> {
        let values = self.u16()?;
        (0..values)
            .map(|_| match i32::from_be_bytes(self.array()?) {
                -1 => Ok(None),
                length => {
                    let length = usize::try_from(length).map_err(|_| Malformed("length"))?;
                    Ok(Some(self.take(length)?.to_vec()))
                }
            })
            .collect()
    }

    fn columns(&mut self) -> Result<Vec<Column>, Malformed> {
        let columns = self.u16()?;
        (0..columns)
            .map(|_| {
                let name = self.text()?;
                self.take(6)?; // the table's number and the column's in it
                let type_oid = u32::from_be_bytes(self.array()?);
                self.take(6)?; // the type's size and modifier
                Ok(Column { name, type_oid, binary: self.u16()? == 1 })
            })
            .collect()
    }

    fn fields(&mut self) -> Result<Fields, Malformed> {
        let mut fields = Fields::new();
        loop {
            match self.array()? {
                [0] => return Ok(fields),
                [letter] => fields.push((char::from(letter), self.text()?)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_and_empty_are_two_things() {
        let payload = b"\0\x03\xFF\xFF\xFF\xFF\0\0\0\0\0\0\0\x02hi";
        let Message::Row(row) = Message::of(b'D', payload).unwrap() else { panic!("no row") };
        assert_eq!(row, [None, Some(vec![]), Some(b"hi".to_vec())]);
    }

    #[test]
    fn what_is_short_or_long_is_malformed() {
        for payload in
            [&b"\0"[..], b"\0\x01", b"\0\x01\0\0\0\x02h", b"\0\x01\xFF\xFF\xFF\xFE", b"\0\0!"]
        {
            assert!(Message::of(b'D', payload).is_err(), "{payload:?}");
        }
        assert!(Message::of(b'E', b"SERROR\0").is_err(), "no end");
        assert!(Message::of(b'Z', b"").is_err());
    }
}
