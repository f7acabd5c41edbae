//! What a step's reader looks at and does not change.

use super::cursor::{Cursor, Track};
use crate::stream::buffers::{Ahead, Buffers};
use crate::stream::head::Rules;
use crate::{Error, FrameHead, Framing};
use core::cell::Cell;

/// What a walk reads from.
#[derive(Clone, Copy)]
pub(in crate::stream) struct Source<'a> {
    pub(in crate::stream) buffers: &'a Buffers,
    pub(in crate::stream) framing: &'a dyn Heads,
    pub(in crate::stream) rules: &'a Rules,
    /// A cell, as looking ahead finds them too.
    pub(in crate::stream) header_only: &'a Cell<HeaderOnly>,
}

/// A framing as a reader sees it, which does not know its type. A packet costs one call whose type is
/// not known, and that call may inline the framing.
// All by reference: a copy of a cursor right after it was written stalls, as it reads wider.
pub(in crate::stream) trait Heads {
    /// The header at `ahead`; `None` while it is not there.
    fn head(&self, rules: &Rules, ahead: Ahead<'_>) -> Result<Option<FrameHead>, Error>;

    /// Whether a packet of a header alone is next; false while that is not known.
    fn is_header_only(&self, source: &Source<'_>, cursor: &Cursor<'_>) -> bool;

    /// See [`Cursor::peek_front`].
    fn peek_front(&self, source: &Source<'_>, cursor: &Cursor<'_>, track: &Track<'_>)
    -> Option<u8>;

    /// See [`Cursor::enter_front`].
    fn enter_front<'a>(
        &self,
        source: &Source<'a>,
        cursor: &mut Cursor<'a>,
        track: &mut Track<'_>,
    ) -> bool;
}

impl<F: Framing> Heads for F {
    fn head(&self, rules: &Rules, ahead: Ahead<'_>) -> Result<Option<FrameHead>, Error> {
        rules.head(self, ahead)
    }

    fn is_header_only(&self, source: &Source<'_>, cursor: &Cursor<'_>) -> bool {
        let head = match cursor.decode_front(source, self) {
            Some(head) => Ok(Some(head)),
            None => source.rules.head(self, cursor.ahead(source)),
        };
        matches!(head, Ok(Some(head)) if head.total_len <= head.header_len)
    }

    fn peek_front(
        &self,
        source: &Source<'_>,
        cursor: &Cursor<'_>,
        track: &Track<'_>,
    ) -> Option<u8> {
        cursor.peek_front(source, track, self)
    }

    fn enter_front<'a>(
        &self,
        source: &Source<'a>,
        cursor: &mut Cursor<'a>,
        track: &mut Track<'_>,
    ) -> bool {
        cursor.enter_front(source, track, self)
    }
}

/// Header-only packets that a step was past and did not consume, the longest run of them. Not gone
/// over again when a step comes there again, as they may be many: how far they go, and the bytes of
/// the buffers before them.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::stream) struct HeaderOnly {
    pub(super) at: usize,
    pub(super) len: usize,
}

impl HeaderOnly {
    #[inline]
    pub(in crate::stream) fn is_some(self) -> bool {
        self.len > 0
    }

    /// A run of them was found.
    #[inline]
    pub(super) fn found(cell: &Cell<Self>, at: usize, len: usize) {
        if len > cell.get().len {
            cell.set(Self { at, len });
        }
    }

    /// `n` bytes of the buffers were taken, as packets or by a step.
    pub(in crate::stream) fn consumed(&mut self, n: usize) {
        let before = n.min(self.at);
        self.at -= before;
        self.len = self.len.saturating_sub(n - before);
    }
}
