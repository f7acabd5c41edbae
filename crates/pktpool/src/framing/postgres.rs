//! PostgreSQL's protocol, version 3, one framing a direction: a type byte, then a big-endian length
//! that counts itself and not the type byte (PostgreSQL documentation, "Frontend/Backend Protocol",
//! sections "Message Flow" and "Message Formats").
//!
//! A message is one packet, so each ends its message.
//!
//! Two answers have no frame at all: the single byte that a server sends to an `SSLRequest` or a
//! `GSSENCRequest`. Read that byte from the socket yourself, and give the stream what comes after.

use super::{FrameError, FrameHead, Framing};

/// Bytes of the length field, which it counts itself.
const LENGTH: usize = 4;
/// The packets without a type: their length with a request code, and what a server takes at most.
const UNTYPED: core::ops::RangeInclusive<u64> = 8..=10_000;

/// What a server sends: `kind` is the type byte (`b'D'` a row, `b'Z'` ready for a query…), the
/// header 5 bytes.
///
/// A length below 4, or one that is negative in the protocol's 32 bits, is
/// [`FrameError::BadLength`]. The protocol's own limit is 2 GiB: set
/// [`Limits::max_packet`](crate::Limits::max_packet) to what a field may be.
///
/// ```
/// use pktpool::{Limits, PacketStream, postgres::Backend};
///
/// let mut stream = PacketStream::new(Backend, Limits::default());
/// // A row of one column, "1", and half of what follows.
/// stream.feed(b"D\0\0\0\x0B\0\x01\0\0\0\x011C\0\0")?;
/// let row = stream.next_packet()?.unwrap();
/// assert_eq!((row.kind, row.header().len(), row.payload()), (b'D', 5, &b"\0\x01\0\0\0\x011"[..]));
/// assert!(stream.next_packet()?.is_none());
/// # Ok::<(), pktpool::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backend;

/// What a client sends: as [`Backend`], and the packets of the start, which have no type:
/// `StartupMessage`, `SSLRequest`, `GSSENCRequest` and `CancelRequest`.
///
/// Those are told by their first byte: it is the highest of the length, 0 as they are short, and no
/// type is 0. Their `kind` is 0, the header 4 bytes, the payload begins with the version or the
/// request's code. A length below 8 is [`FrameError::BadLength`], one above 10 000, which servers
/// refuse as well, [`FrameError::PacketTooLarge`].
///
/// ```
/// use pktpool::{Framing, postgres::Frontend};
///
/// // SSLRequest: 8 bytes, code 80 877 103.
/// let ssl = Frontend.decode(&[0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F])?.unwrap();
/// assert_eq!((ssl.kind, ssl.header_len, ssl.total_len), (0, 4, 8));
/// let query = Frontend.decode(b"Q\0\0\0\x0DSELECT 1\0")?.unwrap();
/// assert_eq!((query.kind, query.header_len, query.total_len), (b'Q', 5, 14));
/// # Ok::<(), pktpool::FrameError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frontend;

impl Framing for Backend {
    #[inline]
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        let Some(&[kind, a, b, c, d]) = head.first_chunk() else { return Ok(None) };
        let length = u32::from_be_bytes([a, b, c, d]);
        if !(LENGTH as u32..=i32::MAX as u32).contains(&length) {
            return Err(FrameError::BadLength { length: length.into() });
        }
        // With the type byte at most 2 GiB, which no 32-bit usize is too small for.
        let total_len = super::fits(u64::from(length) + 1)?;
        Ok(Some(FrameHead { header_len: 1 + LENGTH, total_len, end_of_message: true, kind }))
    }
}

impl Framing for Frontend {
    #[inline]
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        match head.first() {
            Some(0) => startup(head),
            _ => Backend.decode(head),
        }
    }
}

/// A packet without a type.
fn startup(head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
    let Some(&bytes) = head.first_chunk::<LENGTH>() else { return Ok(None) };
    let length = u64::from(u32::from_be_bytes(bytes));
    if length < *UNTYPED.start() {
        return Err(FrameError::BadLength { length });
    }
    if length > *UNTYPED.end() {
        return Err(FrameError::PacketTooLarge { length });
    }
    let total_len = super::fits(length)?;
    Ok(Some(FrameHead { header_len: LENGTH, total_len, end_of_message: true, kind: 0 }))
}
