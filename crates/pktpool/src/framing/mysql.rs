//! The protocol of MySQL and MariaDB: a little-endian length of 3 bytes, which counts the payload
//! only, and a sequence id ("MySQL Packets" in MySQL's protocol documentation, "0 - Packet" in
//! MariaDB's).

use super::{FrameError, FrameHead, Framing};

const HEADER: usize = 4;
/// The payload of a packet that another one continues.
const FULL: u32 = 0x00FF_FFFF;

/// The framing, the same in both directions: `kind` is the sequence id, which nobody checks here.
///
/// A payload of 0xFF\_FFFF bytes (16 MiB less one) goes on in the next packet: `end_of_message` is
/// false for it, and the message is the payloads joined. One that is an exact multiple ends with an
/// empty packet. No length is impossible; [`Limits::max_packet`](crate::Limits::max_packet) and
/// [`Limits::max_message`](crate::Limits::max_message) (a server's `max_allowed_packet`) set limits.
///
/// It is not for a compressed connection, whose packets have 7 bytes of header and are to be
/// decompressed first.
///
/// ```
/// use pktpool::{Framing, mysql::MySql};
///
/// // COM_PING, and the first packet of a statement of 40 MiB.
/// let ping = MySql.decode(&[1, 0, 0, 0, 0x0E])?.unwrap();
/// assert_eq!((ping.total_len, ping.kind, ping.end_of_message), (5, 0, true));
/// let first = MySql.decode(&[0xFF, 0xFF, 0xFF, 0])?.unwrap();
/// assert_eq!((first.total_len, first.end_of_message), (4 + 0xFF_FFFF, false));
/// # Ok::<(), pktpool::FrameError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MySql;

impl Framing for MySql {
    #[inline]
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        let Some(&[a, b, c, kind]) = head.first_chunk::<HEADER>() else { return Ok(None) };
        let length = u32::from_le_bytes([a, b, c, 0]);
        let total_len = super::fits(u64::from(length) + HEADER as u64)?;
        let end_of_message = length != FULL;
        Ok(Some(FrameHead { header_len: HEADER, total_len, end_of_message, kind }))
    }
}
