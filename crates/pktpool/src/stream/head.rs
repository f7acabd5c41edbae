//! Reading a header at its place, wherever the reads cut it.

use super::buffers::Ahead;
use super::packet::Message;
use crate::{Error, FrameHead, Framing, Limits, MAX_HEADER};

/// What holds for every header of a stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) limits: Limits,
    /// Bytes that the framing is shown: the same ones whatever the reads were.
    pub(super) max_header: usize,
}

impl Rules {
    pub(super) fn new(limits: Limits) -> Self {
        // A header longer than a packet may be is over the limit too; 64 bytes so that a tiny limit
        // still gets its packets refused by their length.
        Self { limits, max_header: MAX_HEADER.min(limits.max_packet.max(64)) }
    }

    /// The header at `ahead`, of a packet that goes on with `message`, and the message with it;
    /// `None` while it is not there.
    #[inline]
    pub(super) fn read_head<F: Framing + ?Sized>(
        &self,
        framing: &F,
        ahead: Ahead<'_>,
        message: Message,
    ) -> Result<Option<(FrameHead, Message)>, Error> {
        let Some(head) = self.head(framing, ahead)? else { return Ok(None) };
        Ok(Some((head, message.with(&head, &self.limits)?)))
    }

    /// The header at `ahead`, as the framing reads it.
    #[inline]
    pub(super) fn head<F: Framing + ?Sized>(
        &self,
        framing: &F,
        mut ahead: Ahead<'_>,
    ) -> Result<Option<FrameHead>, Error> {
        let first = ahead.first();
        if first.is_empty() {
            return Ok(None);
        }
        let shown = first.len().min(self.max_header);
        match framing.decode(&first[..shown])? {
            // All that arrived was shown.
            None if shown < self.max_header && shown == ahead.left() => Ok(None),
            None => self.read_cut_head(framing, ahead),
            head => Ok(head),
        }
    }

    /// Reads a header that is cut by a buffer's end, or does not end at all.
    #[cold]
    fn read_cut_head<F: Framing + ?Sized>(
        &self,
        framing: &F,
        ahead: Ahead<'_>,
    ) -> Result<Option<FrameHead>, Error> {
        let mut head = [0; MAX_HEADER];
        let n = ahead.copy_to(&mut head[..self.max_header]);
        match framing.decode(&head[..n])? {
            None if n == self.max_header => Err(Error::BadHeader),
            head => Ok(head),
        }
    }
}
