//! Where the input may end.

use super::{PacketStream, State};
use crate::{Error, Framing};

impl<F: Framing> PacketStream<F> {
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

    /// Whether nothing is left of a message, but for header-only packets that end the last one, and
    /// no step waits: the input may end here, and nobody misses anything. Asked when `end_of_input` found
    /// no message open.
    #[cfg(feature = "tokio")]
    pub(crate) fn is_at_rest(&self) -> bool {
        let place = self.place();
        if !self.resume.is_empty() || place.left > 0 {
            return false;
        }
        let (mut ahead, mut message) = (self.input.buffers.ahead(), place.headers.message);
        while ahead.left() > 0 {
            match self.input.rules.read_head(&self.input.framing, ahead, message) {
                Ok(Some((head, with)))
                    if message.is_open() && head.total_len == head.header_len =>
                {
                    message = with;
                    ahead.skip(head.total_len);
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether the bytes that were not taken end where a message does.
    fn look_through(&self) -> Result<(), Error> {
        let (mut ahead, mut place) = (self.input.buffers.ahead(), self.place());
        if let Some(last) = self.resume.records.iter().last() {
            ahead.skip(last.at + last.gap);
            place = last.end;
        }
        if place.left > ahead.left() {
            let partial = (place.headers.begun.total_len() - place.left + ahead.left()) as u64;
            return Err(Error::UnexpectedEof { partial });
        }
        ahead.skip(place.left);
        let mut message = place.headers.message;
        while ahead.left() > 0 {
            match self.input.rules.read_head(&self.input.framing, ahead, message)? {
                Some((head, with)) if head.total_len <= ahead.left() => {
                    message = with;
                    ahead.skip(head.total_len);
                }
                _ => return Err(Error::UnexpectedEof { partial: ahead.left() as u64 }),
            }
        }
        if message.is_open() { Err(Error::UnexpectedEof { partial: 0 }) } else { Ok(()) }
    }
}
