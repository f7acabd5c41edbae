//! TDS, the protocol of SQL Server and Sybase: 8 bytes of header, lengths big-endian and inclusive
//! ([MS-TDS] 2.2.3.1).

use super::{FrameError, FrameHead, Framing};

pub use crate::packetizer::Packetizer;
pub use crate::plp::read_plp;

/// Bytes of a packet header.
pub(crate) const HEADER: usize = 8;
/// The status bit of the last packet of a message.
pub(crate) const END_OF_MESSAGE: u8 = 0x01;

/// The framing: `kind` is the packet type, a message ends with status bit 0; other status bits and
/// unknown types are let through, as \[MS-TDS\] 2.2.3.1 demands.
///
/// A length below 8 is [`FrameError::BadLength`]. A packet of a header alone is fine.
///
/// ```
/// use pktpool::{Framing, tds::Tds};
///
/// let head = Tds::default().decode(&[0x04, 0x01, 0x00, 0x0B, 0, 0, 1, 0]).unwrap().unwrap();
/// assert_eq!((head.total_len, head.end_of_message, head.kind), (11, true, 4));
/// assert_eq!(Tds::default().decode(&[0x04, 0x01, 0x00]), Ok(None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tds {
    /// The largest packet allowed, header included: what LOGIN7 negotiated.
    pub max_packet: usize,
}

/// 32 767 bytes, the largest packet size that LOGIN7 can ask for.
impl Default for Tds {
    fn default() -> Self {
        Self { max_packet: 32_767 }
    }
}

impl Framing for Tds {
    #[inline]
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        let Some(bytes) = head.first_chunk::<HEADER>() else { return Ok(None) };
        let header = PacketHeader::from_bytes(*bytes);
        let total_len = usize::from(header.length);
        if total_len < HEADER {
            return Err(FrameError::BadLength { length: header.length.into() });
        }
        if total_len > self.max_packet {
            return Err(FrameError::PacketTooLarge { length: header.length.into() });
        }
        Ok(Some(FrameHead {
            header_len: HEADER,
            total_len,
            end_of_message: header.status & END_OF_MESSAGE != 0,
            kind: header.packet_type,
        }))
    }
}

/// The 8 bytes before a payload, in their order; any bytes are a header and come back the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PacketHeader {
    /// What the message is: 0x01 SQL batch, 0x03 RPC, 0x04 server response, 0x07 bulk load…
    pub packet_type: u8,
    /// A set of bits: 0x01 end of message, 0x02 ignore this event, 0x08 reset connection…
    pub status: u8,
    /// Bytes of the packet, these 8 included.
    pub length: u16,
    /// The server's process id; clients send 0.
    pub spid: u16,
    /// Counts the packets of a message, wrapping; receivers ignore it.
    pub packet_id: u8,
    /// Unused, 0.
    pub window: u8,
}

impl PacketHeader {
    /// Reads a header.
    #[must_use]
    #[inline]
    pub const fn from_bytes(bytes: [u8; 8]) -> Self {
        let [packet_type, status, l0, l1, s0, s1, packet_id, window] = bytes;
        Self {
            packet_type,
            status,
            length: u16::from_be_bytes([l0, l1]),
            spid: u16::from_be_bytes([s0, s1]),
            packet_id,
            window,
        }
    }

    /// Writes the header.
    #[must_use]
    #[inline]
    pub const fn to_bytes(self) -> [u8; 8] {
        let [l0, l1] = self.length.to_be_bytes();
        let [s0, s1] = self.spid.to_be_bytes();
        [self.packet_type, self.status, l0, l1, s0, s1, self.packet_id, self.window]
    }
}
