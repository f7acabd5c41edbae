//! What a walk knows beside its cursor: what the headers say where it is, and how to go back.
//!
//! Most steps are short, so what is made anew for each is the cursor alone. All of this changes once a
//! packet, or more rarely: it stays in the stream, is as a step finds it unless a flag says otherwise,
//! and is put back when the step ends.

use crate::stream::buffers::Mark;
use crate::stream::packet::{Begun, Headers, Message};

/// No wall.
pub(super) const OPEN: u64 = u64::MAX;

/// What the headers say where a cursor is, and what a walk knows beside it.
#[derive(Debug, Clone, Copy)]
pub(in crate::stream) struct Track {
    /// Between steps, where the stream is.
    pub(in crate::stream) now: Headers,
    /// Whether other headers were read since the step began, and those that it began with.
    pub(in crate::stream) changed: bool,
    before: Before,
    entered: Entered,
    /// Whether what follows may be otherwise than at the start of a stream.
    pub(in crate::stream) moved: bool,
    /// The position where released bytes begin: nothing is read across it.
    pub(super) wall: u64,
    /// The buffer that the chunk is in.
    pub(super) mark: Mark,
}

/// The place between packets before the headers that were entered last: bytes from the start of the
/// buffers, and the headers.
#[derive(Debug, Clone, Copy)]
enum Entered {
    No,
    /// The headers are those that the step began with.
    First {
        at: usize,
    },
    Later {
        at: usize,
        message: Message,
    },
}

/// Headers to go back to.
// Not as they are: a copy would read wider than what the last step wrote, which stalls.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    end: u64,
    length: u64,
    open: u64,
    begun: Begun,
}

impl Before {
    /// Between two packets of a message. What the first one's header said is of no use any more.
    #[inline(always)]
    fn between(message: Message) -> Self {
        let (end, length, open) = (message.end, message.length(), message.open);
        Self { end, length, open, begun: Begun::NONE }
    }

    #[inline]
    fn headers(&self) -> Headers {
        let message = Message::new(self.end, self.length, self.open);
        Headers { message, begun: self.begun }
    }
}

impl Default for Track {
    fn default() -> Self {
        Self {
            now: Headers::default(),
            changed: false,
            before: Before::default(),
            entered: Entered::No,
            moved: false,
            wall: OPEN,
            mark: Mark::default(),
        }
    }
}

impl Track {
    /// Whether the packet ends the message.
    #[inline]
    pub(super) fn in_last(&self) -> bool {
        self.now.begun.end_of_message()
    }

    /// Keeps the headers that the step began with, before others are set.
    #[inline]
    fn keep(&mut self) {
        if !self.changed {
            self.changed = true;
            self.before = Before { begun: self.now.begun, ..Before::between(self.now.message) };
            self.entered = Entered::No;
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
    pub(super) fn enter_first(&mut self, headers: Headers) {
        self.changed = true;
        self.before = Before::between(self.now.message);
        self.entered = Entered::First { at: 0 };
        self.now.message = headers.message;
        self.now.begun = headers.begun;
    }

    /// The headers of a packet that is entered, between two, `at` bytes from the start of the buffers.
    pub(super) fn enter(&mut self, at: usize, headers: Headers) {
        if self.changed {
            self.enter_later(at);
            self.set(headers);
        } else {
            self.set(headers);
            self.entered = Entered::First { at };
        }
    }

    fn enter_later(&mut self, at: usize) {
        // Not if it comes here again, after a read that was refused.
        let message = self.now.message;
        if self.entered().is_none_or(|(_, position)| position != message.end) {
            self.entered = Entered::Later { at, message };
        }
    }

    /// Where the packet entered last begins, and its position.
    #[inline]
    fn entered(&self) -> Option<(usize, u64)> {
        match self.entered {
            Entered::No => None,
            Entered::First { at } => Some((at, self.before.end)),
            Entered::Later { at, message } => Some((at, message.end)),
        }
    }

    /// Goes over the end of the message, which it is at.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.keep();
        self.now.begun = Begun::NONE;
        self.entered = Entered::No;
    }

    /// The step is done. If nothing was read of the packet entered last, it is left, and this is where
    /// it begins.
    #[inline]
    pub(super) fn done(&mut self, position: u64) -> Option<usize> {
        self.changed = false;
        let (at, _) = self.entered().filter(|&(_, begins)| begins == position)?;
        self.now = match self.entered {
            Entered::Later { message, .. } => Headers { message, begun: Begun::NONE },
            _ => self.before.headers(),
        };
        Some(at)
    }

    /// The step is undone.
    #[inline]
    pub(super) fn undo(&mut self) {
        if self.changed {
            self.now = self.before.headers();
            self.changed = false;
        }
    }

    /// No step runs: the next one begins at the first buffer, and where what was released says.
    pub(in crate::stream) fn rest(&mut self, wall: u64, moved: bool) {
        (self.wall, self.mark, self.moved) = (wall, Mark::default(), moved);
    }
}
