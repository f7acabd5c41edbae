//! What a client says: LOGIN7, batches and calls (\[MS-TDS\] 2.2.6.4, 2.2.6.7, 2.2.6.6), as steps of
//! a [`PacketStream`](pktpool::PacketStream).

use super::values::{self, Column, Value};
use pktpool::{NeedMoreOr, Reader, tds};

/// What is read of LOGIN7.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Login {
    pub(super) version: u32,
    pub(super) packet_size: u32,
    pub(super) user: String,
    pub(super) database: String,
}

/// A call of `sp_executesql`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) sql: String,
    /// The parameters, with the column that can give them back.
    pub(super) parameters: Vec<(Column, Value)>,
}

/// More bytes are needed, or the client said what no client should.
type Refused = NeedMoreOr<String>;

/// `sp_executesql`, by its number.
const EXECUTE_SQL: u16 = 10;

const INTN: u8 = 0x26;
const BIGVARBINARY: u8 = 0xA5;
const NVARCHAR: u8 = 0xE7;
/// A length of two bytes that is none: unlimited in a type, NULL in a value.
const MAX: u16 = 0xFFFF;

/// A value may be so long.
const LIMIT: usize = 64 << 20;
/// LOGIN7 may be so long: \[MS-TDS\] 2.2.6.4.
const LOGIN: u32 = 128 << 10;

/// The whole of LOGIN7.
pub(super) fn login(r: &mut Reader<'_>) -> Result<Login, Refused> {
    let length = r.u32_le()?;
    if !(94..=LOGIN).contains(&length) {
        return refuse(format!("a LOGIN7 of {length} bytes"));
    }
    // Its texts are given by their place in it, the length included.
    let behind = r.read_vec(length as usize - 4)?;
    let login = [&length.to_le_bytes()[..], &behind].concat();
    let u16_at = |at| login.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes));
    let u32_at = |at| login.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let text_at = |at| {
        let (offset, units) = (usize::from(u16_at(at)?), usize::from(u16_at(at + 2)?));
        values::from_utf16(login.get(offset..offset + 2 * units)?)
    };
    let read = || {
        let (version, packet_size) = (u32_at(4)?, u32_at(8)?);
        Some(Login { version, packet_size, user: text_at(40)?, database: text_at(68)? })
    };
    let Some(login) = read() else { return refuse("a LOGIN7 with a text outside of it") };
    r.next_message()?;
    Ok(login)
}

/// What stands before every request, behind its own length.
pub(super) fn headers(r: &mut Reader<'_>) -> Result<(), Refused> {
    match r.u32_le()?.checked_sub(4) {
        Some(length) => Ok(r.skip(length.into())?),
        None => refuse("headers shorter than their length"),
    }
}

/// A packet's part of a text that only the message's end ends; `None` behind it.
pub(super) fn piece(r: &mut Reader<'_>) -> Result<Option<Vec<u8>>, Refused> {
    if r.at_message_end() {
        r.next_message()?;
        return Ok(None);
    }
    r.peek()?;
    Ok(Some(r.take(r.remaining_in_packet())?.flatten().copied().collect()))
}

/// A call, behind its headers, to the end of its message.
pub(super) fn call(r: &mut Reader<'_>) -> Result<Call, Refused> {
    match r.u16_le()? {
        MAX => match r.u16_le()? {
            EXECUTE_SQL => {}
            other => return refuse(format!("a call of procedure {other}")),
        },
        units => {
            let name = utf16(&r.read_vec(2 * usize::from(units))?)?;
            if name != "sp_executesql" {
                return refuse(format!("a call of {name}"));
            }
        }
    }
    let _options = r.u16_le()?;
    let mut parameters = Vec::new();
    while !r.at_message_end() {
        parameters.push(parameter(r)?);
    }
    r.next_message()?;
    let mut parameters = parameters.into_iter();
    let Some((_, Value::Text(sql))) = parameters.next() else { return refuse("a call of nothing") };
    // The second declares the others.
    Ok(Call { sql, parameters: parameters.skip(1).collect() })
}

fn parameter(r: &mut Reader<'_>) -> Result<(Column, Value), Refused> {
    let units = r.u8()?;
    r.skip(2 * u64::from(units))?;
    let _status = r.u8()?;
    match r.u8()? {
        INTN => {
            let (_of, length) = (r.u8()?, r.u8()?);
            let value = match length {
                0 => Value::Null,
                4 => Value::Int(r.i32_le()?),
                other => return refuse(format!("an int of {other} bytes")),
            };
            Ok((Column::Int, value))
        }
        NVARCHAR => {
            let max = r.u16_le()?;
            let _collation = r.bytes::<5>()?;
            let value = match long(r, max)? {
                Some(bytes) => Value::Text(utf16(&bytes)?),
                None => Value::Null,
            };
            Ok((Column::NVarCharMax, value))
        }
        BIGVARBINARY => {
            let max = r.u16_le()?;
            let value = long(r, max)?.map_or(Value::Null, |bytes| Value::Bytes(bytes.to_vec()));
            Ok((Column::VarBinaryMax, value))
        }
        other => refuse(format!("a parameter of type {other:#04x}")),
    }
}

/// A value of a type with a length, or of one without, which comes in chunks.
fn long(r: &mut Reader<'_>, max: u16) -> Result<Option<pktpool::Value>, Refused> {
    if max == MAX {
        return Ok(tds::read_plp(r, LIMIT)?);
    }
    match r.u16_le()? {
        MAX => Ok(None),
        length => Ok(Some(r.read_vec(length.into())?)),
    }
}

fn utf16(bytes: &[u8]) -> Result<String, Refused> {
    values::from_utf16(bytes).map_or_else(|| refuse("text that is none"), Ok)
}

fn refuse<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused::Other(why.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pktpool::tds::{Packetizer, Tds};
    use pktpool::{Limits, PacketStream, ParseError, Progress};

    fn b_varchar(text: &str) -> Vec<u8> {
        let units = values::to_utf16(text);
        [&[(units.len() / 2) as u8][..], &units].concat()
    }

    /// A call by number: its text, a declaration, an nvarchar(max) in two chunks and a NULL.
    fn a_call() -> Vec<u8> {
        let text = |text: &str| {
            let units = values::to_utf16(text);
            let length = (units.len() as u16).to_le_bytes();
            [&[0, 0, NVARCHAR, 0x40, 0x1F, 9, 4, 0xD0, 0, 0x34][..], &length, &units].concat()
        };
        let mut call = vec![0xFF, 0xFF, EXECUTE_SQL as u8, 0, 0, 0];
        call.extend(text("select @P1"));
        call.extend(text("@P1 nvarchar(max)"));
        call.extend(b_varchar("@P1"));
        call.extend([0, NVARCHAR, 0xFF, 0xFF, 9, 4, 0xD0, 0, 0x34]);
        // Its length is not told, and a chunk ends inside a unit.
        call.extend((u64::MAX - 1).to_le_bytes());
        call.extend(b"\x03\0\0\0a\0b\x01\0\0\0\0\0\0\0\0");
        call.extend([0, 0, BIGVARBINARY, 0x40, 0x1F, 0xFF, 0xFF]);
        call
    }

    #[test]
    fn a_call_is_read_at_every_packet_size_and_every_cut() {
        let expected = Call {
            sql: "select @P1".to_owned(),
            parameters: vec![
                (Column::NVarCharMax, Value::Text("ab".to_owned())),
                (Column::VarBinaryMax, Value::Null),
            ],
        };
        let payload = [&22_u32.to_le_bytes()[..], &[7; 18], &a_call()].concat();
        for size in 9..payload.len() + 9 {
            let mut wire = Vec::new();
            for (header, data) in Packetizer::new(3, size).unwrap().packets(&payload) {
                wire.extend(header.to_bytes());
                wire.extend_from_slice(data);
            }
            for read in [1, 7, wire.len()] {
                let mut stream = PacketStream::new(Tds::default(), Limits::default());
                let mut pieces = wire.chunks(read);
                let mut begun = false;
                let found = loop {
                    let progress = if begun {
                        stream.parse(call).unwrap()
                    } else {
                        begun = !stream.parse(headers).unwrap().needs_more();
                        Progress::NeedMore
                    };
                    match progress {
                        Progress::Done(call) => break call,
                        Progress::NeedMore if begun && pieces.len() == 0 => {}
                        Progress::NeedMore => stream.feed(pieces.next().unwrap()).unwrap(),
                    }
                };
                assert_eq!(found, expected, "packets of {size}, reads of {read}");
                stream.end_of_input().unwrap();
            }
        }
    }

    #[test]
    fn a_batch_is_read_to_its_end_at_every_packet_size() {
        let text = values::to_utf16(&values::text(300));
        let payload = [&22_u32.to_le_bytes()[..], &[7; 18], &text].concat();
        for size in 9..payload.len() + 9 {
            let mut stream = PacketStream::new(Tds::default(), Limits::default());
            for (header, data) in Packetizer::new(1, size).unwrap().packets(&payload) {
                stream.feed(&header.to_bytes()).unwrap();
                stream.feed(data).unwrap();
            }
            assert_eq!(stream.parse(headers), Ok(Progress::Done(())));
            let mut found = Vec::new();
            while let Some(piece) = stream.parse(piece).unwrap().done().unwrap() {
                found.extend(piece);
            }
            assert_eq!(found, text, "packets of {size}");
            stream.end_of_input().unwrap();
        }
    }

    #[test]
    fn what_no_client_says_is_refused() {
        let refused = |payload: &[u8], step: fn(&mut Reader<'_>) -> Result<(), Refused>| {
            let mut stream = PacketStream::new(Tds::default(), Limits::default());
            for (header, data) in Packetizer::new(3, 4096).unwrap().packets(payload) {
                stream.feed(&header.to_bytes()).unwrap();
                stream.feed(data).unwrap();
            }
            match stream.parse(step) {
                Err(ParseError::Other(why)) => why,
                other => panic!("{other:?}"),
            }
        };
        assert!(refused(&[3, 0, 0, 0], headers).contains("headers"));
        assert!(
            refused(&[0xFF, 0xFF, 11, 0, 0, 0], |r| call(r).map(drop)).contains("procedure 11")
        );
        assert!(refused(&[0xFF; 200], |r| login(r).map(drop)).contains("LOGIN7 of"));
        let login_of = |last: u8| [&[96, 0, 0, 0][..], &[0; 64], &[last; 4], &[0; 24]].concat();
        assert!(refused(&login_of(0xFF), |r| login(r).map(drop)).contains("outside"));
    }
}
