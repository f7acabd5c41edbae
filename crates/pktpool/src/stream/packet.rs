//! A packet handed out, and how far a message is.

use crate::value::Preview;
use crate::{Error, FrameHead, Limits};
use core::fmt;

/// A complete packet, borrowed from the stream until its next call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Packet<'a> {
    /// What kind of packet it is, in the protocol's own numbers.
    pub kind: u8,
    /// Whether it is the last of its message.
    pub end_of_message: bool,
    header: &'a [u8],
    payload: &'a [u8],
}

impl<'a> Packet<'a> {
    #[inline]
    pub(super) fn new(head: &FrameHead, bytes: &'a [u8]) -> Self {
        let (header, payload) = bytes.split_at_checked(head.header_len).unwrap_or((bytes, &[]));
        Self { kind: head.kind, end_of_message: head.end_of_message, header, payload }
    }

    /// The bytes before the payload, as they arrived; none when a [`Reader`](crate::Reader) took
    /// the packet's first bytes.
    #[must_use]
    #[inline]
    pub fn header(&self) -> &'a [u8] {
        self.header
    }

    /// The bytes behind the header, or those that a [`Reader`](crate::Reader) left; may be none.
    #[must_use]
    #[inline]
    pub fn payload(&self) -> &'a [u8] {
        self.payload
    }
}

/// Of the payload its length and its first bytes.
impl fmt::Debug for Packet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packet")
            .field("kind", &self.kind)
            .field("end_of_message", &self.end_of_message)
            .field("header", &self.header)
            .field("payload", &Preview(self.payload))
            .finish()
    }
}

/// A packet that was taken from the read buffers and is still there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    pub(super) head: FrameHead,
    /// Its bytes; a begun packet's rest.
    pub(super) len: usize,
}

/// A packet whose header was consumed by a reader, or none.
// In whole words, as all that headers say: it is copied right after it was written, which stalls
// where the copy reads wider than what was written.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Begun {
    total_len: usize,
    /// The kind, and the two bits below.
    flags: usize,
}

const SOME: usize = 1 << 8;
const LAST: usize = 1 << 9;

impl Begun {
    pub(super) const NONE: Self = Self { total_len: 0, flags: 0 };

    #[inline]
    pub(super) fn new(head: &FrameHead) -> Self {
        let last = if head.end_of_message { LAST } else { 0 };
        Self { total_len: head.total_len, flags: SOME | last | usize::from(head.kind) }
    }

    #[inline]
    pub(super) fn is_some(self) -> bool {
        self.flags != 0
    }

    #[inline]
    pub(super) fn end_of_message(self) -> bool {
        self.flags & LAST != 0
    }

    #[inline]
    pub(super) fn kind(self) -> u8 {
        self.flags as u8
    }

    pub(super) fn total_len(self) -> usize {
        self.total_len
    }

    /// The rest of it as a packet without a header.
    pub(super) fn rest(self) -> FrameHead {
        let (kind, end_of_message) = (self.kind(), self.end_of_message());
        FrameHead { header_len: 0, total_len: 0, end_of_message, kind }
    }
}

impl fmt::Debug for Begun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = self.is_some().then_some((self.total_len, self.kind(), self.end_of_message()));
        some.fmt(f)
    }
}

/// Where the stream is in its packets: inside one, or between two.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) headers: Headers,
    /// Payload bytes of the packet it is in still to be read.
    pub(super) left: usize,
}

/// What the headers read so far say.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Headers {
    pub(super) message: Message,
    /// The packet that it is in, or whose end it is at.
    pub(super) begun: Begun,
}

impl Place {
    /// Payload bytes from the start of the stream.
    #[inline]
    pub(super) fn position(&self) -> u64 {
        self.headers.message.end.wrapping_sub(self.left as u64)
    }
}

/// How far a message is, by the headers read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Message {
    /// Payload bytes of the stream up to the end of the last packet, and up to the start of the
    /// message. They wrap, so that a declared length of any size comes out right.
    pub(super) end: u64,
    start: u64,
    /// Not 0 when its last packet is still to come.
    pub(super) open: u64,
}

impl Message {
    /// One of `length` bytes so far.
    #[inline]
    pub(super) fn new(end: u64, length: u64, open: u64) -> Self {
        Self { end, start: end.wrapping_sub(length), open }
    }

    /// Payload bytes of it so far.
    #[inline]
    pub(super) fn length(self) -> u64 {
        self.end.wrapping_sub(self.start)
    }

    /// The message with a header-only packet more, which is not its last.
    pub(super) fn opened(self) -> Self {
        Self { open: 1, ..self }
    }

    pub(super) fn is_open(self) -> bool {
        self.open != 0
    }

    /// The message with one packet more, if its header makes sense and is within the limits.
    #[inline]
    pub(super) fn with(self, head: &FrameHead, limits: &Limits) -> Result<Self, Error> {
        let length = head.total_len as u64;
        if head.total_len > limits.max_packet {
            return Err(Error::PacketTooLarge { length });
        }
        if head.total_len < head.header_len.max(1) {
            return Err(Error::BadLength { length });
        }
        let payload = (head.total_len - head.header_len) as u64;
        let length = self.length().saturating_add(payload);
        if length > limits.max_message {
            return Err(Error::MessageTooLarge { length });
        }
        let end = self.end.wrapping_add(payload);
        Ok(if head.end_of_message {
            Self { end, start: end, open: 0 }
        } else {
            Self { end, start: self.start, open: 1 }
        })
    }
}
