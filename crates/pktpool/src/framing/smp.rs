//! SMP, the sessions of MARS within one connection: 16 bytes of header, lengths little-endian and
//! inclusive (\[MC-SMP\] 2.2.1). The payloads of one session's DATA packets are a stream of TDS.

use super::{FrameError, FrameHead, Framing};

/// Bytes of a packet header.
const HEADER: usize = 16;
/// The first byte of every packet.
const SMID: u8 = 0x53;

/// The framing: `kind` is the FLAGS byte (0x01 SYN, 0x02 ACK, 0x04 FIN, 0x08 DATA), and every packet
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
        let Some(&[_, kind, _, _, a, b, c, d, ..]) = head.first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        let total_len = super::fits(length)?;
        if total_len < HEADER {
            return Err(FrameError::BadLength { length });
        }
        Ok(Some(FrameHead { header_len: HEADER, total_len, end_of_message: true, kind }))
    }
}
