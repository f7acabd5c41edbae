//! Bytes in, packets out.
//!
//! The ways that a byte takes, each further down one that is rarer and slower:
//!
//! | what | where | copied |
//! |---|---|---|
//! | it arrives | [`PacketStream::spare_mut`]: the room behind the last byte of the last buffer | by the read |
//! | in a packet that is whole in the first buffer | `next_packet`, `take_front` | no |
//! | in one that is known to be short | `next_packet`, `is_short`: one compare, and nothing else | no |
//! | in one of two buffers, or with a header that is cut or bad | `take_split_packet` | once, joined |
//! | in the rest of a packet that a step began | `take_begun_packet` | if in two buffers |
//! | in the chunk that a reader is at | `Reader`, scalars and `take`: a slice of the first buffer | no |
//! | behind it: the next packet or buffer | `Reader::far`, `Cursor::refill` and `enter` | scalars only |
//! | in a value | `Reader::resumable`: appended, and let go of before the value is complete | once |
//! | left over at the end of a buffer | `Buffers::make_room`: moved to its front, or another buffer | a few bytes |
//!
//! `buffers` has the bytes and `head` the rules of a header; `packet` counts packets and messages,
//! `parse` runs steps, `reader` is what a step reads from, and `resume` what it released; `end` says
//! whether the input may end.

mod buffers;
mod end;
mod head;
mod packet;
mod parse;
mod reader;
pub(crate) mod resume;

pub use packet::Packet;
pub(crate) use packet::Taken;
pub use reader::{Chunks, Reader};

use crate::{Error, FrameHead, Framing, Limits, Stats};
use buffers::Buffers;
use core::fmt;
use head::Rules;
use packet::{Begun, Headers};
use reader::{HeaderOnly, Input, Track};
use resume::Resume;

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
    input: Input<F>,
    /// Bytes that a packet at the front has, as far as that is known: at least 1. Not of one that a
    /// step began.
    need: usize,
    /// What the headers read say, and payload bytes still to be read of the packet that it is in.
    track: Track,
    left: usize,
    /// Bytes of its header, if it was entered and nothing of it was read: those are still there.
    head: usize,
    /// What the step that waits for more released.
    resume: Resume,
    /// Whether a step began a packet, released bytes or waits behind header-only packets.
    parsed: bool,
    state: State,
}

impl<F: Framing> PacketStream<F> {
    /// A stream that got nothing yet; allocates nothing.
    #[must_use]
    pub fn new(framing: F, limits: Limits) -> Self {
        Self {
            input: Input {
                buffers: Buffers::new(limits.max_packet, limits.spare_nodes),
                rules: Rules::new(limits),
                header_only: HeaderOnly::default(),
                framing,
            },
            need: 1,
            track: Track::default(),
            left: 0,
            head: 0,
            resume: Resume::default(),
            parsed: false,
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
        self.input.buffers.spare_mut(self.need)
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
        if self.input.buffers.commit(n) {
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
        if self.input.buffers.front_len() >= self.need {
            // Shown at once, so that it stays in registers.
            if let Some(head) = self.take_front() {
                return Ok(Some(Packet::new(&head, self.input.buffers.taken(head.total_len))));
            }
        }
        if self.is_short() {
            return self.need_more().map(|_| None);
        }
        let taken = self.take_other()?;
        Ok(taken.map(|taken| self.taken(taken)))
    }

    /// Takes the next packet without borrowing it, for who has to do something else when there is
    /// none; [`taken`](Self::taken) shows it.
    #[cfg(feature = "tokio")]
    #[inline]
    pub(crate) fn take_packet(&mut self) -> Result<Option<Taken>, Error> {
        match self.take_front() {
            Some(head) => Ok(Some(Taken { head, len: head.total_len })),
            None if self.is_short() => self.need_more(),
            None => self.take_other(),
        }
    }

    /// Whether there is no packet at the front, or one that is known to be incomplete, as after most of
    /// many short reads.
    #[inline(always)]
    fn is_short(&self) -> bool {
        self.input.buffers.len() < self.need && !self.parsed
    }

    /// Takes the next packet in the usual case, where it lies whole in the first buffer. Where only its
    /// header does, the packet's length becomes what is needed.
    #[inline(always)]
    fn take_front(&mut self) -> Option<FrameHead> {
        let Input { buffers, rules, framing, .. } = &mut self.input;
        let first = buffers.front();
        if !self.parsed
            && first.len() >= self.need
            && let Ok(Some(head)) = framing.decode(&first[..first.len().min(rules.max_header)])
            && let Ok(message) = self.track.now.message.with(&head, &rules.limits)
        {
            if head.total_len <= first.len() {
                self.track.now.message = message;
                self.need = 1;
                buffers.take_in_place(head.total_len);
                return Some(head);
            }
            self.need = head.total_len;
        }
        None
    }

    /// Takes the next packet in any case.
    #[inline(never)]
    fn take_other(&mut self) -> Result<Option<Taken>, Error> {
        if self.state == State::Poisoned {
            // Perhaps by a step that panicked: nothing is as it seems.
            return Err(Error::Poisoned);
        }
        self.leave_whole();
        if self.parsed { self.take_begun_packet() } else { self.take_split_packet() }
    }

    /// The packet taken last.
    #[inline]
    pub(crate) fn taken(&self, taken: Taken) -> Packet<'_> {
        Packet::new(&taken.head, self.input.buffers.taken(taken.len))
    }

    /// The next packet when it is not complete, lies in several buffers or has a bad header.
    fn take_split_packet(&mut self) -> Result<Option<Taken>, Error> {
        let Some(head) = self.next_head()? else { return self.need_more() };
        if self.input.buffers.len() < head.total_len {
            self.need = head.total_len;
            return self.need_more();
        }
        // Checked when the header was read, so this only counts.
        self.track.now.message = self.track.now.message.with(&head, &self.input.rules.limits)?;
        self.need = 1;
        self.input.buffers.take(head.total_len);
        Ok(Some(Taken { head, len: head.total_len }))
    }

    /// The next packet, or the rest of one, where a reader was.
    #[cold]
    fn take_begun_packet(&mut self) -> Result<Option<Taken>, Error> {
        let released = self.resume.wall(0);
        let begun = self.track.now.begun;
        let (len, head) = match self.left {
            1.. => {
                if self.place().position() <= released && released < self.track.now.message.end {
                    return Err(self.poison(Error::StepChanged));
                }
                if self.input.buffers.len() < self.left {
                    return self.need_more();
                }
                let n = core::mem::take(&mut self.left);
                self.track.now.begun = Begun::NONE;
                self.input.buffers.take(n);
                (n, begun.rest())
            }
            _ => {
                let Some(head) = self.next_head()? else { return self.need_more() };
                let message = self.track.now.message.with(&head, &self.input.rules.limits)?;
                if released >= self.track.now.message.end && released < message.end {
                    return Err(self.poison(Error::StepChanged));
                }
                if self.input.buffers.len() < head.total_len {
                    return self.need_more();
                }
                self.track.now = Headers { message, begun: Begun::NONE };
                self.need = 1;
                self.input.buffers.take(head.total_len);
                (head.total_len, head)
            }
        };
        self.resume.consumed(len);
        self.input.header_only.consumed(len);
        self.parsed = !self.resume.is_empty() || self.input.header_only.is_some();
        Ok(Some(Taken { head, len }))
    }

    /// What the stream holds now.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats { bytes_retained: self.held(), ..self.input.buffers.stats() }
    }

    #[inline]
    fn need_more(&self) -> Result<Option<Taken>, Error> {
        if self.state == State::Open { Ok(None) } else { Err(Error::Poisoned) }
    }

    /// The header at the front; an error is reported here once and poisons the stream.
    fn next_head(&mut self) -> Result<Option<FrameHead>, Error> {
        self.input.buffers.advance();
        let (ahead, message) = (self.input.buffers.ahead(), self.track.now.message);
        match self.input.rules.read_head(&self.input.framing, ahead, message) {
            Ok(head) => Ok(head.map(|(head, _)| head)),
            Err(error) => Err(self.poison(error)),
        }
    }

    #[cold]
    fn poison(&mut self, error: Error) -> Error {
        self.state = State::Poisoned;
        self.need = 1;
        (self.track, self.left, self.head) = (Track::default(), 0, 0);
        self.resume = Resume::default();
        self.input.header_only = HeaderOnly::default();
        self.parsed = false;
        self.input.buffers.clear();
        error
    }
}

impl<F: Framing> fmt::Debug for PacketStream<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PacketStream")
            .field("limits", &self.input.rules.limits)
            .field("stats", &self.stats())
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
