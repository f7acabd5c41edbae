//! One variant of a case, made ready to run.

use crate::digest::{Digest, Digester};
use std::hint::black_box;
use std::time::Instant;

/// Where a variant shows the values that it must not be optimised out of.
///
/// While measuring, a value goes to `black_box`; while checking, into the digest.
#[derive(Debug, Default)]
pub struct Sink {
    digest: Option<Digester>,
}

impl Sink {
    /// Shows one value.
    #[inline(always)]
    pub fn see<T: Digest + ?Sized>(&mut self, value: &T) {
        if let Some(digest) = &mut self.digest {
            Self::take_in(value, digest);
        } else {
            black_box(value);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_in<T: Digest + ?Sized>(value: &T, digest: &mut Digester) {
        value.digest(digest);
    }
}

/// A variant with its input and state, behind one virtual call a slice.
pub trait Subject {
    /// Runs it `calls` times and returns the nanoseconds that took.
    fn slice(&mut self, calls: u64) -> u64;
    /// Runs it once.
    fn once(&mut self);
    /// Runs it once and digests what it produced.
    fn digest(&mut self) -> String;
}

/// A variant that returns its output.
pub(crate) struct Returning<I: 'static, F> {
    pub(crate) input: &'static I,
    pub(crate) call: F,
}

impl<I, O, F> Subject for Returning<I, F>
where
    O: Digest,
    F: FnMut(&'static I) -> O,
{
    // Never inlined, for every variant alike: the loop around one must not differ from another's.
    #[inline(never)]
    fn slice(&mut self, calls: u64) -> u64 {
        let start = Instant::now();
        for _ in 0..calls {
            black_box((self.call)(black_box(self.input)));
        }
        elapsed(start)
    }

    #[inline(never)]
    fn once(&mut self) {
        black_box((self.call)(black_box(self.input)));
    }

    fn digest(&mut self) -> String {
        let mut digest = Digester::default();
        (self.call)(self.input).digest(&mut digest);
        digest.hex()
    }
}

/// A variant that shows many values, or values that borrow from its state.
pub(crate) struct Showing<I: 'static, F> {
    pub(crate) input: &'static I,
    pub(crate) call: F,
}

impl<I, F> Subject for Showing<I, F>
where
    F: FnMut(&'static I, &mut Sink),
{
    #[inline(never)]
    fn slice(&mut self, calls: u64) -> u64 {
        let mut sink = Sink::default();
        let start = Instant::now();
        for _ in 0..calls {
            (self.call)(black_box(self.input), &mut sink);
        }
        elapsed(start)
    }

    #[inline(never)]
    fn once(&mut self) {
        (self.call)(black_box(self.input), &mut Sink::default());
    }

    fn digest(&mut self) -> String {
        let mut sink = Sink { digest: Some(Digester::default()) };
        (self.call)(self.input, &mut sink);
        sink.digest.unwrap_or_default().hex()
    }
}

fn elapsed(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
