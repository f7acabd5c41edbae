//! What a stream may hold.

/// Bounds of a stream, all in bytes but the last.
///
/// Nothing is ever allocated because a header declares a length: buffers grow by the bytes that
/// came in. The limits say how far. A stream that goes over one of the first three fails, and with it
/// the connection: they are for input that nobody trusts, not for flow control.
///
/// ```
/// let limits = pktpool::Limits { max_packet: 32_767, max_message: 1 << 20, ..Default::default() };
/// assert_eq!(limits.spare_nodes, 16);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one packet, header included; the smaller of this and the framing's own limit wins.
    /// Enforced where a header is read. It also chooses the size of a read buffer: twice this, within
    /// 16 KiB and 64 KiB; a framing's own limit does not. Default: 64 MiB.
    pub max_packet: usize,
    /// Payload bytes of one message, enforced where the header is read that goes over it, by packets
    /// and by steps. Default: none (`u64::MAX`), as a result set is one message of any size and the
    /// stream holds no more of it than what was not taken yet.
    pub max_message: u64,
    /// Bytes of the stream that may be held when a step of [`parse`](crate::PacketStream::parse) ends
    /// for want of more: all that arrived and the stream still has, so it is to be above the largest
    /// row or token, less what its resumable reads have read (a [`skip`](crate::Reader::skip) within
    /// what arrived in one piece of a packet is held like other reads), and one read. Where only
    /// [`next_packet`](crate::PacketStream::next_packet) is called, it is not looked at. Default:
    /// 64 MiB.
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
