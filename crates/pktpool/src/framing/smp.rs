//! SMP, the sessions of MARS within one connection: 16 bytes of header, lengths little-endian and
//! inclusive (\[MC-SMP\] 2.2.1).
//!
//! The payloads of one session's DATA packets are the bytes of its TDS stream, cut anywhere: a stream
//! of SMP gives them to one of TDS for each session.
//!
//! ```
//! use pktpool::{Limits, PacketStream, smp, tds};
//!
//! let mut connection = PacketStream::new(smp::Smp, Limits::default());
//! let mut session_5 = PacketStream::new(tds::Tds::default(), Limits::default());
//! # let response = [4, 1, 0, 11, 0, 0, 1, 0, b'r', b'o', b'w'];
//! # for (i, piece) in response.chunks(6).enumerate() {
//! #     let length = 16 + piece.len() as u32;
//! #     let header = smp::PacketHeader { flags: smp::DATA, sid: 5, length, seqnum: 1 + i as u32, window: 4 };
//! #     connection.feed(&header.to_bytes())?;
//! #     connection.feed(piece)?;
//! # }
//! while let Some(packet) = connection.next_packet()? {
//!     if let Some(header) = smp::PacketHeader::read(packet.header())
//!         && (header.flags, header.sid) == (smp::DATA, 5)
//!     {
//!         session_5.feed(packet.payload())?;
//!     }
//! }
//! assert_eq!(session_5.next_packet()?.unwrap().payload(), b"row");
//! # Ok::<(), pktpool::Error>(())
//! ```

use super::{FrameError, FrameHead, Framing};

/// Bytes of a packet header.
const HEADER: usize = 16;
/// The first byte of every packet.
const SMID: u8 = 0x53;

/// The flag of a packet that opens a session.
pub const SYN: u8 = 0x01;
/// The flag of a packet that tells a new window.
pub const ACK: u8 = 0x02;
/// The flag of a packet that closes a session.
pub const FIN: u8 = 0x04;
/// The flag of a packet with a payload.
pub const DATA: u8 = 0x08;

/// The framing: `kind` is the FLAGS byte ([`SYN`], [`ACK`], [`FIN`], [`DATA`]), and every packet
/// ends its message, as SMP knows none above a packet.
///
/// | bytes | field | |
/// |---|---|---|
/// | 0 | SMID | 0x53, or [`FrameError::BadHeader`], from that byte on |
/// | 1 | FLAGS | `kind`; combinations are let through for the session layer to refuse |
/// | 2..4 | SID | the session |
/// | 4..8 | LENGTH | of the packet with its header; below 16 it is [`FrameError::BadLength`] |
/// | 8..12, 12..16 | SEQNUM, WNDW | the flow control |
///
/// LENGTH is 32 bits wide and the protocol has no limit below that:
/// [`Limits::max_packet`](crate::Limits::max_packet) sets one.
///
/// ```
/// use pktpool::{Framing, smp::Smp};
///
/// // \[MC-SMP\] 4.3: the first command of session 5, 80 bytes of TDS.
/// let header = [0x53, 8, 5, 0, 0x60, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0];
/// let head = Smp.decode(&header)?.unwrap();
/// assert_eq!((head.kind, head.header_len, head.total_len), (0x08, 16, 96));
/// assert_eq!(Smp.decode(&header[..15]), Ok(None));
/// # Ok::<(), pktpool::FrameError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Smp;

impl Framing for Smp {
    #[inline]
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        if head.first().is_some_and(|&smid| smid != SMID) {
            return Err(FrameError::BadHeader);
        }
        let Some(PacketHeader { flags: kind, length, .. }) = PacketHeader::read(head) else {
            return Ok(None);
        };
        let length = u64::from(length);
        let total_len = super::fits(length)?;
        if total_len < HEADER {
            return Err(FrameError::BadLength { length });
        }
        Ok(Some(FrameHead { header_len: HEADER, total_len, end_of_message: true, kind }))
    }
}

/// The 16 bytes before a payload, without the SMID, which is always 0x53.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PacketHeader {
    /// [`SYN`], [`ACK`], [`FIN`] or [`DATA`].
    pub flags: u8,
    /// The session.
    pub sid: u16,
    /// Bytes of the packet, these 16 included.
    pub length: u32,
    /// Counts the session's DATA packets from 1, wrapping.
    pub seqnum: u32,
    /// The highest SEQNUM that the other side may send.
    pub window: u32,
}

impl PacketHeader {
    /// Reads a header; `None` when there are fewer than 16 bytes.
    #[must_use]
    #[inline]
    pub const fn read(bytes: &[u8]) -> Option<Self> {
        let Some(&[_, flags, s0, s1, l0, l1, l2, l3, q0, q1, q2, q3, w0, w1, w2, w3]) =
            bytes.first_chunk::<HEADER>()
        else {
            return None;
        };
        Some(Self {
            flags,
            sid: u16::from_le_bytes([s0, s1]),
            length: u32::from_le_bytes([l0, l1, l2, l3]),
            seqnum: u32::from_le_bytes([q0, q1, q2, q3]),
            window: u32::from_le_bytes([w0, w1, w2, w3]),
        })
    }

    /// Writes the header.
    #[must_use]
    #[inline]
    pub const fn to_bytes(self) -> [u8; 16] {
        let [s0, s1] = self.sid.to_le_bytes();
        let [l0, l1, l2, l3] = self.length.to_le_bytes();
        let [q0, q1, q2, q3] = self.seqnum.to_le_bytes();
        let [w0, w1, w2, w3] = self.window.to_le_bytes();
        [SMID, self.flags, s0, s1, l0, l1, l2, l3, q0, q1, q2, q3, w0, w1, w2, w3]
    }
}
