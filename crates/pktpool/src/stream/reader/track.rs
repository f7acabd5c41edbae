//! What a walk knows beside its cursor: what the headers say where it is, and how to go back.
//!
//! Most steps are short, so what is made anew for each is the cursor alone. All of this changes once a
//! packet, or more rarely: it stays in the stream, is as a step finds it unless a flag says otherwise,
//! and is put back when the step ends.

use crate::stream::buffers::Mark;
use crate::stream::packet::{Begun, Headers, Message};

/// No packet was entered.
const NOWHERE: usize = usize::MAX;

/// No wall.
pub(super) const OPEN: u64 = u64::MAX;

/// What the headers say where a cursor is, and what a walk knows beside it.
#[derive(Debug, Clone, Copy)]
pub(in crate::stream) struct Track {
    /// Between steps, where the stream is.
    pub(in crate::stream) now: Headers,
    /// Whether other headers were read since the step began, and those that it began with.
    ///
    /// Between steps: whether the packet at the front was entered and nothing of it was read, so that
    /// the next step need not read its header again; who takes packets leaves it first, see
    /// [`leave_whole`](Self::leave_whole).
    pub(in crate::stream) changed: bool,
    before: Before,
    /// The place between packets before the headers that were entered last: bytes from the start of
    /// the buffers, and the message. Means something only while `changed`; `NOWHERE` when the headers
    /// are not those of a packet that was entered.
    entered_at: usize,
    entered: Message,
    /// Whether the two that follow may be otherwise than at the start of a stream, or a step recorded
    /// something.
    pub(in crate::stream) moved: bool,
    /// The position where released bytes begin: nothing is read across it.
    pub(super) wall: u64,
    /// The buffer that the chunk is in.
    pub(super) mark: Mark,
}

/// Headers to go back to.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    between: Between,
    begun: Begun,
}

/// A message to go back to.
// Not a `Message`: its copy would read wider than what was just written, which stalls.
#[derive(Debug, Clone, Copy, Default)]
struct Between {
    end: u64,
    length: u64,
    open: u64,
}

impl Between {
    #[inline(always)]
    fn of(message: Message) -> Self {
        Self { end: message.end, length: message.length(), open: message.open }
    }
}

impl Before {
    #[inline]
    fn headers(&self) -> Headers {
        let Between { end, length, open } = self.between;
        Headers { message: Message::new(end, length, open), begun: self.begun }
    }
}

impl Default for Track {
    fn default() -> Self {
        Self {
            now: Headers::default(),
            changed: false,
            before: Before::default(),
            entered_at: NOWHERE,
            entered: Message::default(),
            moved: false,
            wall: OPEN,
            mark: Mark::default(),
        }
    }
}

impl Track {
    /// Whether the packet ends the message.
    #[inline]
    pub(in crate::stream) fn in_last(&self) -> bool {
        self.now.begun.end_of_message()
    }

    /// Keeps the headers that the step began with, before others are set.
    #[inline]
    fn keep(&mut self) {
        if !self.changed {
            self.changed = true;
            let between = Between::of(self.now.message);
            self.before = Before { between, begun: self.now.begun };
            self.entered_at = NOWHERE;
        }
    }

    #[inline]
    pub(super) fn set(&mut self, headers: Headers) {
        self.keep();
        self.now.message = headers.message;
        self.now.begun = headers.begun;
    }

    /// The headers of a packet that is entered where the step begins, between two.
    #[inline(always)]
    pub(in crate::stream) fn enter_first(&mut self, headers: Headers) {
        self.changed = true;
        // What the header of a packet before it said is of no use any more.
        self.before = Before { between: Between::of(self.now.message), begun: Begun::NONE };
        self.go_in(0, headers);
    }

    /// The headers of a packet that is entered, between two, `at` bytes from the start of the buffers.
    #[inline]
    pub(super) fn enter(&mut self, at: usize, headers: Headers) {
        self.keep();
        self.go_in(at, headers);
    }

    #[inline(always)]
    fn go_in(&mut self, at: usize, headers: Headers) {
        self.entered_at = at;
        self.entered = self.now.message;
        self.now.message = headers.message;
        self.now.begun = headers.begun;
    }

    /// Goes over the end of the message, which it is at.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.keep();
        self.now.begun = Begun::NONE;
        self.entered_at = NOWHERE;
    }

    /// The step is done. If nothing was read of the packet entered last, this is where it begins: it is
    /// left whole, or the next step begins in it.
    #[inline]
    pub(super) fn done(&mut self, position: u64) -> Option<usize> {
        let at = self.entered_at;
        if at == NOWHERE || self.entered.end != position {
            self.changed = false;
            return None;
        }
        self.before = Before { between: Between::of(self.entered), begun: Begun::NONE };
        if self.moved {
            self.leave_whole();
        }
        Some(at)
    }

    /// The step is undone, which began at `at` bytes from the start of the buffers. If all that it did
    /// is to enter the packet there, the next one begins in that; not if it went over the end of a
    /// message before.
    #[inline]
    pub(super) fn undo(&mut self, at: usize) {
        if !self.changed {
            return;
        }
        if self.entered_at == at && !self.before.begun.end_of_message() && !self.moved {
            // Before it is between two packets, whichever it was in.
            self.before.begun = Begun::NONE;
        } else {
            self.leave_whole();
        }
    }

    /// Of the packet that the next step begins in, and that was not read from, the header and payload
    /// bytes.
    pub(super) fn whole(&self) -> (usize, usize) {
        let payload = self.now.message.end.wrapping_sub(self.before.between.end);
        let left = usize::try_from(payload).unwrap_or(usize::MAX);
        (self.now.begun.total_len().saturating_sub(left), left)
    }

    /// What steps consumed is gone from the buffers: a packet that is still entered begins there.
    #[inline]
    pub(in crate::stream) fn released(&mut self) {
        self.entered_at = 0;
    }

    /// Goes back to where the step began, or out of a packet of which nothing was read.
    #[inline]
    pub(in crate::stream) fn leave_whole(&mut self) {
        self.now = self.before.headers();
        self.changed = false;
    }

    /// The place between steps, when the packet at the front is not entered yet.
    pub(in crate::stream) fn outside(&self) -> Option<Headers> {
        self.changed.then(|| self.before.headers())
    }

    /// No step runs: the next one begins at the first buffer, and where what was released says.
    pub(in crate::stream) fn rest(&mut self, wall: u64, moved: bool) {
        (self.wall, self.mark, self.moved) = (wall, Mark::default(), moved);
    }
}
