//! A message cut into TDS packets.

use crate::Error;
use crate::framing::tds::{END_OF_MESSAGE, HEADER, PacketHeader};
use core::iter;

/// Cuts messages into packets without copying: each packet is a header to write and a slice of the
/// message to write after it, for vectored writes.
///
/// All packets but the last are full, ids count from 1 and wrap, `spid` and `window` are 0, and the
/// last has status bit 0 set. An empty message is one packet of a header alone.
///
/// ```
/// let packetizer = pktpool::tds::Packetizer::new(0x01, 512)?;
/// let message = [0x41; 1000];
/// let packets: Vec<_> = packetizer.packets(&message).collect();
/// assert_eq!(packets.len(), 2);
/// assert_eq!((packets[0].0.length, packets[0].0.status, packets[0].1.len()), (512, 0, 504));
/// assert_eq!((packets[1].0.length, packets[1].0.status, packets[1].1.len()), (504, 1, 496));
/// # Ok::<(), pktpool::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packetizer {
    packet_type: u8,
    /// Payload bytes of a full packet, from 1 to 65 527.
    payload: u16,
}

impl Packetizer {
    /// For messages of `packet_type` in packets of up to `packet_size` bytes, header included.
    ///
    /// # Errors
    /// [`Error::BadLength`] when the size is not in 9..=65 535: room for one byte of payload, and
    /// what the header's length field can hold.
    pub fn new(packet_type: u8, packet_size: usize) -> Result<Self, Error> {
        let bad = Error::BadLength { length: packet_size as u64 };
        let size = u16::try_from(packet_size).map_err(|_| bad)?;
        match size.checked_sub(HEADER as u16) {
            None | Some(0) => Err(bad),
            Some(payload) => Ok(Self { packet_type, payload }),
        }
    }

    /// The packets of one message, in order.
    #[inline]
    pub fn packets<'m>(
        &self,
        message: &'m [u8],
    ) -> impl Iterator<Item = (PacketHeader, &'m [u8])> + use<'m> {
        let Self { packet_type, payload } = *self;
        let mut rest = Some(message);
        let mut packet_id = 0_u8;
        iter::from_fn(move || {
            let (data, behind) = match rest?.split_at_checked(payload.into()) {
                Some((data, behind)) if !behind.is_empty() => (data, Some(behind)),
                _ => (rest?, None),
            };
            rest = behind;
            packet_id = packet_id.wrapping_add(1);
            let header = PacketHeader {
                packet_type,
                status: if behind.is_none() { END_OF_MESSAGE } else { 0 },
                // Not above the packet size, which is a u16.
                length: (HEADER + data.len()) as u16,
                spid: 0,
                packet_id,
                window: 0,
            };
            Some((header, data))
        })
    }
}
