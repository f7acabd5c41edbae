//! Feature `bytes`: values and packets as [`Bytes`], pieces of a read as a [`Buf`].
//!
//! A [`Reader`](crate::Reader) is no [`Buf`]: a `Buf` panics where bytes are missing, and a reader
//! has to say whether they are still to come. [`take`](crate::Reader::take) first, which says so, and
//! go on with what it gives.

use crate::{Chunks, Framing, Packet, PacketStream, Value};
use ::bytes::{Buf, Bytes};

/// Feature `bytes`. Without a copy: the value's bytes themselves, also within the step that read it.
///
/// ```
/// use pktpool::{Limits, PacketStream, tds::Tds};
///
/// let mut stream = PacketStream::new(Tds::default(), Limits::default());
/// stream.feed(b"\x04\x01\0\x0D\0\0\x01\0hello")?;
/// let value = stream.read(|r| r.read_vec(5))?.done().unwrap();
/// assert_eq!(bytes::Bytes::from(value), "hello");
/// # Ok::<(), pktpool::Error>(())
/// ```
impl From<Value> for Bytes {
    fn from(value: Value) -> Self {
        value.try_into_vec().map_or_else(Self::from_owner, Self::from)
    }
}

/// Feature `bytes`. A copy of the payload, as the packet itself is borrowed from the stream.
///
/// ```
/// use pktpool::{Limits, PacketStream, tds::Tds};
///
/// let mut stream = PacketStream::new(Tds::default(), Limits::default());
/// stream.feed(b"\x04\x01\0\x0D\0\0\x01\0hello")?;
/// let payload = stream.next_packet()?.map(bytes::Bytes::from);
/// assert_eq!(payload.unwrap(), "hello");
/// # Ok::<(), pktpool::Error>(())
/// ```
impl From<Packet<'_>> for Bytes {
    fn from(packet: Packet<'_>) -> Self {
        Self::copy_from_slice(packet.payload())
    }
}

/// Feature `bytes`. All of it is there, so that nothing is missing before
/// [`remaining`](Buf::remaining) bytes were read.
///
/// ```
/// use bytes::Buf;
/// use pktpool::{Limits, PacketStream, tds::Tds};
///
/// let mut stream = PacketStream::new(Tds::default(), Limits::default());
/// // A number that two packets share.
/// stream.feed(&[4, 0, 0, 9, 0, 0, 1, 0, 0x12, 4, 1, 0, 10, 0, 0, 2, 0, 0x34, 0x56])?;
/// let numbers = stream.read(|r| {
///     let mut buf = r.take(3)?;
///     Ok((buf.get_u16(), buf.get_u8()))
/// });
/// assert_eq!(numbers?.done(), Some((0x1234, 0x56)));
/// # Ok::<(), pktpool::Error>(())
/// ```
impl Buf for Chunks<'_> {
    fn remaining(&self) -> usize {
        self.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.piece()
    }

    /// # Panics
    /// As every `Buf`, when it has fewer bytes.
    fn advance(&mut self, n: usize) {
        let missing = self.skip_bytes(n);
        assert!(missing == 0, "advanced {missing} bytes over the end");
    }
}

impl<F: Framing> PacketStream<F> {
    /// Feature `bytes`. Takes in all of a buffer by copy, as [`feed`](Self::feed) does.
    ///
    /// # Errors
    /// [`Error::Poisoned`](crate::Error::Poisoned) after an earlier error; what was not taken in
    /// stays in the buffer.
    pub fn feed_buf(&mut self, buf: &mut impl Buf) -> Result<(), crate::Error> {
        while buf.has_remaining() {
            let chunk = buf.chunk();
            let n = chunk.len();
            self.feed(chunk)?;
            buf.advance(n);
        }
        Ok(())
    }
}
