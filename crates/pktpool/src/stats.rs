//! What a stream holds.

/// The memory of a [`PacketStream`](crate::PacketStream) at one moment.
///
/// Made for tests and dashboards: a stream that is read as fast as it is fed holds less than one
/// packet, in one buffer. Where `bytes_retained` grows, packets are not taken until there are none, or
/// a step is too large: it reads a whole result, or a long value with [`take`](crate::Reader::take).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Links of the chain of read buffers that hold bytes of the stream; 0 when all was taken.
    pub nodes_live: usize,
    /// Bytes of the stream held now: arrived, and neither taken nor released by a resumable read.
    /// Values that are being put together are not counted.
    pub bytes_retained: usize,
    /// The most bytes that were ever held, with those of the last read that a step released.
    pub bytes_retained_high: usize,
    /// Read buffers in use, the one that is being filled included.
    pub buffers_live: usize,
    /// The most that `buffers_live` ever was.
    pub buffers_live_high: usize,
    /// Full read buffers that had to be replaced, as they hold bytes that are still needed.
    pub buffers_retained: usize,
    /// Read buffers kept for reuse.
    pub buffers_spare: usize,
    /// Bytes of all read buffers, used and spare.
    pub bytes_allocated: usize,
}
