//! A message written in packets.

use crate::tds::PacketHeader;
use ::tokio::io::AsyncWrite;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::io::{self, IoSlice};

/// Packets of one write, at most.
const BATCH: usize = 16;

/// Writes the packets of a message, header and payload of up to 16 packets in one vectored write,
/// without copying the message.
///
/// It keeps how far it is, so it may be dropped out of and gone on with: a future of
/// [`write_to`](Self::write_to) that is dropped at an await has lost nothing and repeats nothing, as
/// long as the writer is kept.
///
/// Whether several slices go out in one call is up to the output; one that only takes the first
/// (see [`is_write_vectored`](AsyncWrite::is_write_vectored)) is better wrapped in a `BufWriter`.
///
/// ```
/// use pktpool::tds::Packetizer;
/// use pktpool::tokio::MessageWriter;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let mut socket = Vec::new();
/// let message = [0x41; 1000];
/// let packets = Packetizer::new(0x01, 512).unwrap().packets(&message);
/// MessageWriter::new(packets).write_to(&mut socket).await?;
/// assert_eq!(socket.len(), 512 + 504);
/// # Ok::<(), std::io::Error>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct MessageWriter<'m, P> {
    packets: P,
    /// What is being written: the packets from `first` to `end`.
    batch: [([u8; 8], &'m [u8]); BATCH],
    first: usize,
    end: usize,
    /// Bytes of the first one that were written.
    written: usize,
}

impl<'m, P: Iterator<Item = (PacketHeader, &'m [u8])>> MessageWriter<'m, P> {
    /// For the packets of [`Packetizer::packets`](crate::tds::Packetizer::packets), or others.
    pub fn new(packets: P) -> Self {
        Self { packets, batch: [([0; 8], &[]); BATCH], first: 0, end: 0, written: 0 }
    }

    /// Writes what is left of the message; it does not flush.
    ///
    /// # Errors
    /// Those of the output, and [`WriteZero`](io::ErrorKind::WriteZero) when it takes nothing.
    pub async fn write_to<W: AsyncWrite + Unpin>(&mut self, output: &mut W) -> io::Result<()> {
        poll_fn(|cx| self.poll_write_to(cx, output)).await
    }

    /// The same for futures written by hand.
    ///
    /// # Errors
    /// As [`write_to`](Self::write_to).
    pub fn poll_write_to<W: AsyncWrite + Unpin>(
        &mut self,
        cx: &mut Context<'_>,
        output: &mut W,
    ) -> Poll<io::Result<()>> {
        while self.refill() {
            let mut slices = [IoSlice::new(&[]); 2 * BATCH];
            let mut used = 0;
            let mut skip = self.written;
            for (header, payload) in &self.batch[self.first..self.end] {
                for bytes in [&header[..], payload] {
                    let left = &bytes[skip.min(bytes.len())..];
                    skip = skip.saturating_sub(bytes.len());
                    if !left.is_empty() {
                        slices[used] = IoSlice::new(left);
                        used += 1;
                    }
                }
            }
            let n = ready!(Pin::new(&mut *output).poll_write_vectored(cx, &slices[..used]))?;
            if n == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.advance(n);
        }
        Poll::Ready(Ok(()))
    }

    /// Has packets to write, or there are none left.
    fn refill(&mut self) -> bool {
        if self.first == self.end {
            (self.first, self.end) = (0, 0);
            for (slot, (header, payload)) in self.batch.iter_mut().zip(&mut self.packets) {
                *slot = (header.to_bytes(), payload);
                self.end += 1;
            }
        }
        self.first < self.end
    }

    /// `n` bytes of the batch were written.
    fn advance(&mut self, n: usize) {
        self.written += n;
        while self.first < self.end {
            let (header, payload) = &self.batch[self.first];
            let Some(behind) = self.written.checked_sub(header.len() + payload.len()) else {
                return;
            };
            self.written = behind;
            self.first += 1;
        }
        // An output that claims more than it was given.
        self.written = 0;
    }
}
