//! What steps and packets are read from.

use super::cursor::Cursor;
use super::track::Track;
use crate::stream::buffers::{Ahead, Buffers};
use crate::stream::head::Rules;
use crate::{Error, FrameHead, Framing};
use core::sync::atomic::{AtomicUsize, Ordering};

/// What arrived, and how it is cut into packets. A step's reader has it without the type of the
/// framing.
pub(in crate::stream) struct Input<F: ?Sized> {
    pub(in crate::stream) buffers: Buffers,
    pub(in crate::stream) rules: Rules,
    /// Header-only packets that a step waits behind.
    pub(in crate::stream) header_only: HeaderOnly,
    pub(in crate::stream) framing: F,
}

/// An input as a reader sees it.
pub(in crate::stream) type Source<'a> = Input<dyn Heads + 'a>;

/// A framing whose type is not known. A packet costs one call, and that call may inline the framing.
// All by reference: a copy of a cursor right after it was written stalls, as it reads wider.
pub(in crate::stream) trait Heads {
    /// The header at `ahead`; `None` while it is not there.
    fn head(&self, rules: &Rules, ahead: Ahead<'_>) -> Result<Option<FrameHead>, Error>;

    /// Whether a packet of a header alone is next; false while that is not known.
    fn is_header_only(&self, input: &Source<'_>, cursor: &Cursor<'_>, track: &Track) -> bool;

    /// See [`Cursor::enter_front`].
    fn enter_front<'a>(
        &self,
        input: &'a Source<'_>,
        cursor: &mut Cursor<'a>,
        track: &mut Track,
    ) -> bool;
}

impl<F: Framing> Heads for F {
    fn head(&self, rules: &Rules, ahead: Ahead<'_>) -> Result<Option<FrameHead>, Error> {
        rules.head(self, ahead)
    }

    fn is_header_only(&self, input: &Source<'_>, cursor: &Cursor<'_>, track: &Track) -> bool {
        let head = match cursor.decode_front(input, track, self) {
            Some(head) => Ok(Some(head)),
            None => input.rules.head(self, cursor.ahead(input, track)),
        };
        matches!(head, Ok(Some(head)) if head.total_len <= head.header_len)
    }

    fn enter_front<'a>(
        &self,
        input: &'a Source<'_>,
        cursor: &mut Cursor<'a>,
        track: &mut Track,
    ) -> bool {
        cursor.enter_front(input, track, self)
    }
}

/// Header-only packets that a step was past and did not consume, the longest run of them. Not gone
/// over again when a step comes there again, as they may be many: how far they go, and the bytes of
/// the buffers before them.
// Atomic only because looking ahead finds them too, and the stream stays `Sync`.
#[derive(Debug, Default)]
pub(in crate::stream) struct HeaderOnly {
    at: AtomicUsize,
    len: AtomicUsize,
}

impl HeaderOnly {
    #[inline]
    pub(in crate::stream) fn is_some(&self) -> bool {
        self.len.load(Ordering::Relaxed) > 0
    }

    /// How far those go that begin `at` bytes from the start of the buffers.
    pub(super) fn known(&self, at: usize) -> usize {
        if self.at.load(Ordering::Relaxed) == at { self.len.load(Ordering::Relaxed) } else { 0 }
    }

    /// A run of them was found.
    pub(super) fn found(&self, at: usize, len: usize) {
        if len > self.len.load(Ordering::Relaxed) {
            self.at.store(at, Ordering::Relaxed);
            self.len.store(len, Ordering::Relaxed);
        }
    }

    /// `n` bytes of the buffers were taken, as packets or by a step.
    pub(in crate::stream) fn consumed(&mut self, n: usize) {
        let (at, len) = (self.at.get_mut(), self.len.get_mut());
        let before = n.min(*at);
        *at -= before;
        *len = len.saturating_sub(n - before);
    }
}
