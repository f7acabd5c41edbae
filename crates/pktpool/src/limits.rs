//! What a stream may hold.

/// Bounds of a stream, all in bytes but the last.
///
/// Nothing is ever allocated because a header declares a length: buffers grow by the bytes that
/// came in. The limits say how far.
///
/// ```
/// let limits = pktpool::Limits { max_packet: 32_767, max_message: 1 << 20, ..Default::default() };
/// assert_eq!(limits.spare_nodes, 16);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one packet, header included; the smaller of this and the framing's own limit wins.
    /// Enforced by [`next_packet`](crate::PacketStream::next_packet) when it reads a header.
    /// Default: 64 MiB.
    pub max_packet: usize,
    /// Payload bytes of one message, enforced by
    /// [`next_packet`](crate::PacketStream::next_packet) when it reads the header that goes over
    /// it. Default: none (`u64::MAX`), as a result set is one message of any size and the stream
    /// holds no more of it than the packets that were not taken yet.
    pub max_message: u64,
    /// Bytes that may stay held for a parse that was abandoned until more input comes. No call of
    /// this version holds any: a packet taken with
    /// [`next_packet`](crate::PacketStream::next_packet) is let go at the next call. Default: 64 MiB.
    pub max_retained: usize,
    /// Read buffers kept for reuse, at most; unused ones are given back after a while.
    /// Default: 16, what the original fix found enough for multi-packet readers.
    pub spare_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_packet: 64 << 20,
            max_message: u64::MAX,
            max_retained: 64 << 20,
            spare_nodes: 16,
        }
    }
}
