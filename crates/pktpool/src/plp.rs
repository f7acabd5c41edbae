//! Partially length-prefixed values of TDS (\[MS-TDS\] 2.2.5.2.3).

use crate::stream::resume::{Body, Read};
use crate::{Error, Reader, Stop, Value};

const NULL: u64 = u64::MAX;
const UNKNOWN: u64 = u64::MAX - 1;

/// Reads a `varchar(max)`, `nvarchar(max)`, `varbinary(max)` or `xml` value: its length, its chunks
/// and their terminator. `None` is NULL, which is not an empty value.
///
/// Resumable: bytes of the value are put together as they come, and released at once. It grows by
/// the bytes received, whatever length is declared, unless
/// [`set_max_preallocation`](crate::PacketStream::set_max_preallocation) allows more.
///
/// # Errors
/// [`Error::MessageTooLarge`] when the value is declared longer than `limit` bytes or turns out so;
/// [`Error::BadLength`] when its chunks are not as long together as was declared; else as every read
/// of a [`Reader`].
///
/// ```
/// use pktpool::{Limits, PacketStream, tds};
///
/// let mut stream = PacketStream::new(tds::Tds::default(), Limits::default());
/// // Length 5, of which a chunk of 3 bytes and one of 2, and the terminator.
/// let payload = b"\x05\0\0\0\0\0\0\0\x03\0\0\0hel\x02\0\0\0lo\0\0\0\0";
/// for (header, data) in tds::Packetizer::new(0x04, 16)?.packets(payload) {
///     stream.feed(&header.to_bytes())?;
///     stream.feed(data)?;
/// }
/// let value = stream.read(|r| tds::read_plp(r, 1 << 20))?.done().unwrap();
/// assert_eq!(value.as_deref(), Some(&b"hello"[..]));
/// # Ok::<(), pktpool::Error>(())
/// ```
pub fn read_plp(reader: &mut Reader<'_>, limit: usize) -> Result<Option<Value>, Stop> {
    let mut null = false;
    let value = reader.resumable(Read::Plp { limit }, |reader, body| {
        advance(reader, body, limit)?;
        null = body.null;
        Ok(())
    })?;
    Ok((!null).then_some(value))
}

fn advance(reader: &mut Reader<'_>, body: &mut Body, limit: usize) -> Result<(), Stop> {
    let total = match body.total {
        Some(total) => total,
        None => reader.u64_le()?,
    };
    body.total = Some(total);
    if total == NULL {
        body.null = true;
        return Ok(());
    }
    let known = (total != UNKNOWN).then_some(total);
    if known.is_some_and(|total| total > limit as u64) {
        return Err(Error::MessageTooLarge { length: total }.into());
    }
    loop {
        if body.chunk == 0 {
            body.chunk = reader.u32_le()?;
            let length = body.value.len() as u64 + u64::from(body.chunk);
            if body.chunk == 0 {
                return match known {
                    Some(total) if total != length => {
                        Err(Error::BadLength { length: total }.into())
                    }
                    _ => Ok(()),
                };
            }
            match known {
                Some(total) if length > total => return Err(Error::BadLength { length }.into()),
                None if length > limit as u64 => {
                    return Err(Error::MessageTooLarge { length }.into());
                }
                _ => {}
            }
        }
        let before = body.value.len();
        let chunk = body.chunk as usize;
        let (expected, most) = match known {
            Some(total) => (total as usize, total as usize),
            None => (before.saturating_add(chunk), limit),
        };
        let appended = reader.append(body, chunk, expected, most);
        body.chunk -= (body.value.len() - before) as u32;
        appended?;
    }
}
