//! Bytes in, packets out.

mod buffers;

use crate::{Error, FrameHead, Framing, Limits, MAX_HEADER, Stats};
use buffers::{Ahead, Buffers};
use core::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// The input ended where it must not: complete packets may still be taken, then it is over.
    Ended,
    Poisoned,
}

/// A stream of packets out of arbitrary reads, without doing the reading.
///
/// Fill [`spare_mut`](Self::spare_mut), tell [`commit`](Self::commit) how much, and take what is
/// complete with [`next_packet`](Self::next_packet) until it says `None`. At steady state nothing is
/// allocated, and no payload byte is copied but those of a packet that a read left incomplete at the
/// end of a buffer. The first buffer is allocated by the first read, so an idle stream costs nothing.
///
/// ```
/// use pktpool::{Limits, PacketStream, tds::Tds};
/// use std::io::Read;
///
/// # let mut socket: &[u8] = &[4, 0, 0, 10, 0, 0, 1, 0, b'h', b'i', 4, 1, 0, 9, 0, 0, 2, 0, b'!'];
/// let mut stream = PacketStream::new(Tds::default(), Limits::default());
/// let mut message = Vec::new();
/// loop {
///     let n = socket.read(stream.spare_mut())?;
///     if n == 0 {
///         stream.end_of_input()?; // fails when a packet or a message is open
///         break;
///     }
///     stream.commit(n)?;
///     while let Some(packet) = stream.next_packet()? {
///         message.extend_from_slice(packet.payload());
///         if packet.end_of_message {
///             assert_eq!(message, b"hi!");
///             message.clear();
///         }
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PacketStream<F> {
    framing: F,
    limits: Limits,
    /// Bytes that the framing is shown: the same ones whatever the reads were.
    max_header: usize,
    buffers: Buffers,
    /// The header of the packet at the front, when it was read and the packet is not complete.
    open: Option<FrameHead>,
    message: Message,
    state: State,
}

/// How far a message is.
#[derive(Debug, Clone, Copy, Default)]
struct Message {
    /// Payload bytes of its packets so far.
    len: u64,
    /// Whether its last packet is still to come.
    open: bool,
}

impl Message {
    /// The message with one packet more, if its header makes sense and is within the limits.
    #[inline]
    fn with(self, head: &FrameHead, limits: &Limits) -> Result<Self, Error> {
        let length = head.total_len as u64;
        if head.total_len > limits.max_packet {
            return Err(Error::PacketTooLarge { length });
        }
        if head.total_len < head.header_len.max(1) {
            return Err(Error::BadLength { length });
        }
        let len = self.len.saturating_add((head.total_len - head.header_len) as u64);
        if len > limits.max_message {
            return Err(Error::MessageTooLarge { length: len });
        }
        Ok(if head.end_of_message { Self::default() } else { Self { len, open: true } })
    }
}

impl<F: Framing> PacketStream<F> {
    /// A stream that got nothing yet; allocates nothing.
    #[must_use]
    pub fn new(framing: F, limits: Limits) -> Self {
        Self {
            framing,
            limits,
            // A header longer than a packet may be is over the limit too; 64 bytes so that a tiny
            // limit still gets its packets refused by their length.
            max_header: MAX_HEADER.min(limits.max_packet.max(64)),
            buffers: Buffers::new(limits.max_packet, limits.spare_nodes),
            open: None,
            message: Message::default(),
            state: State::Open,
        }
    }

    /// Where the next read goes: at least 1 KiB and usually more than half a read buffer (64 KiB, or
    /// 16 KiB where [`Limits::max_packet`] is small), of unspecified content.
    ///
    /// It stays the same place until [`commit`](Self::commit), [`feed`](Self::feed) or another call
    /// of this; taking packets in between does not move it.
    #[must_use]
    #[inline]
    pub fn spare_mut(&mut self) -> &mut [u8] {
        self.buffers.spare_mut(self.open.map_or(0, |head| head.total_len))
    }

    /// `n` bytes at the front of the spare were filled; 0 changes nothing.
    ///
    /// # Errors
    /// [`Error::BadLength`] when `n` is more than the spare, which poisons the stream: what it was
    /// told is not what arrived. [`Error::Poisoned`] after an earlier error.
    #[inline]
    pub fn commit(&mut self, n: usize) -> Result<(), Error> {
        if self.state != State::Open {
            return Err(Error::Poisoned);
        }
        if self.buffers.commit(n) {
            Ok(())
        } else {
            Err(self.poison(Error::BadLength { length: n as u64 }))
        }
    }

    /// Takes bytes in by copy, all of them.
    ///
    /// # Errors
    /// [`Error::Poisoned`] after an earlier error.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        if self.state != State::Open {
            return Err(Error::Poisoned);
        }
        while !bytes.is_empty() {
            let spare = self.spare_mut();
            let n = spare.len().min(bytes.len());
            spare[..n].copy_from_slice(&bytes[..n]);
            bytes = &bytes[n..];
            self.commit(n)?;
        }
        Ok(())
    }

    /// The next complete packet, borrowed in place; `None` when more input is needed.
    ///
    /// # Errors
    /// A header that is bad or over a limit is reported when every packet before it was taken, even
    /// if the rest of its packet did not arrive yet. Afterwards, and after the last complete packet
    /// of an input that [ended early](Self::end_of_input), [`Error::Poisoned`].
    #[inline]
    pub fn next_packet(&mut self) -> Result<Option<Packet<'_>>, Error> {
        if self.open.is_some_and(|head| self.buffers.len() < head.total_len) {
            return self.need_more();
        }
        // The usual case, a packet that lies whole in the first buffer; any other starts over.
        let first = self.buffers.front();
        if !first.is_empty()
            && let Ok(Some(head)) = self.framing.decode(&first[..first.len().min(self.max_header)])
            && head.total_len <= first.len()
            && let Ok(message) = self.message.with(&head, &self.limits)
        {
            self.message = message;
            self.open = None;
            self.buffers.take_in_place(head.total_len);
            return Ok(Some(Packet::new(&head, self.buffers.taken(head.total_len))));
        }
        self.next_split_packet()
    }

    /// The next packet when it is not complete, lies in several buffers or has a bad header.
    #[inline(never)]
    fn next_split_packet(&mut self) -> Result<Option<Packet<'_>>, Error> {
        let head = match self.open {
            Some(head) => head,
            None => match self.read_head()? {
                Some(head) => head,
                None => return self.need_more(),
            },
        };
        if self.buffers.len() < head.total_len {
            self.open = Some(head);
            return self.need_more();
        }
        // Checked when the header was read, so this only counts.
        self.message = self.message.with(&head, &self.limits)?;
        self.open = None;
        self.buffers.take(head.total_len);
        Ok(Some(Packet::new(&head, self.buffers.taken(head.total_len))))
    }

    /// No more input will come.
    ///
    /// # Errors
    /// [`Error::UnexpectedEof`] when a packet or a message is open; the complete packets that
    /// arrived can still be taken, more input cannot be given. Packets that were not taken yet are
    /// looked through, so this may also be the error that [`next_packet`](Self::next_packet) will
    /// come to. [`Error::Poisoned`] after an earlier error.
    pub fn end_of_input(&mut self) -> Result<(), Error> {
        if self.state != State::Open {
            return Err(Error::Poisoned);
        }
        let end = self.look_through();
        if end.is_err() {
            self.state = State::Ended;
        }
        end
    }

    /// What the stream holds now.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.buffers.stats()
    }

    #[inline]
    fn need_more(&self) -> Result<Option<Packet<'_>>, Error> {
        if self.state == State::Open { Ok(None) } else { Err(Error::Poisoned) }
    }

    /// Reads the header at the front; an error is reported here once and poisons the stream.
    fn read_head(&mut self) -> Result<Option<FrameHead>, Error> {
        self.buffers.advance();
        let head = self.read_head_at(&mut self.buffers.ahead(), self.message);
        head.map_err(|error| self.poison(error))
    }

    /// Reads the header of a packet that goes on with `message`.
    fn read_head_at(
        &self,
        ahead: &mut Ahead<'_>,
        message: Message,
    ) -> Result<Option<FrameHead>, Error> {
        let first = ahead.first();
        if first.is_empty() {
            return Ok(None);
        }
        let shown = first.len().min(self.max_header);
        let head = match self.framing.decode(&first[..shown])? {
            // All that arrived was shown.
            None if shown < self.max_header && shown == ahead.left() => None,
            None => self.read_cut_head(ahead)?,
            head => head,
        };
        head.map(|head| message.with(&head, &self.limits).map(|_| head)).transpose()
    }

    /// Reads a header that is cut by a buffer's end, or does not end at all.
    #[cold]
    fn read_cut_head(&self, ahead: &Ahead<'_>) -> Result<Option<FrameHead>, Error> {
        let mut head = [0; MAX_HEADER];
        let n = ahead.clone().copy_to(&mut head[..self.max_header]);
        match self.framing.decode(&head[..n])? {
            None if n == self.max_header => Err(Error::BadHeader),
            head => Ok(head),
        }
    }

    /// Whether the bytes that were not taken end where a message does.
    fn look_through(&self) -> Result<(), Error> {
        let (mut ahead, mut message) = (self.buffers.ahead(), self.message);
        while ahead.left() > 0 {
            match self.read_head_at(&mut ahead, message)? {
                Some(head) if head.total_len <= ahead.left() => {
                    message = message.with(&head, &self.limits)?;
                    ahead.skip(head.total_len);
                }
                _ => return Err(Error::UnexpectedEof { partial: ahead.left() as u64 }),
            }
        }
        if message.open { Err(Error::UnexpectedEof { partial: 0 }) } else { Ok(()) }
    }

    #[cold]
    fn poison(&mut self, error: Error) -> Error {
        self.state = State::Poisoned;
        self.open = None;
        self.buffers.clear();
        error
    }
}

impl<F> fmt::Debug for PacketStream<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PacketStream")
            .field("limits", &self.limits)
            .field("stats", &self.buffers.stats())
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// A complete packet, borrowed from the stream until its next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    fn new(head: &FrameHead, bytes: &'a [u8]) -> Self {
        let (header, payload) = bytes.split_at_checked(head.header_len).unwrap_or((bytes, &[]));
        Self { kind: head.kind, end_of_message: head.end_of_message, header, payload }
    }

    /// The bytes before the payload, as they arrived.
    #[must_use]
    #[inline]
    pub fn header(&self) -> &'a [u8] {
        self.header
    }

    /// The bytes behind the header; may be none.
    #[must_use]
    #[inline]
    pub fn payload(&self) -> &'a [u8] {
        self.payload
    }
}
