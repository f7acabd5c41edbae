//! Bytes where they lie.

use super::input::Source;
use crate::stream::buffers::{Ahead, Mark};
use crate::value::Preview;
use core::{fmt, mem};

/// Payload bytes in the pieces that they lie in, none of them empty; from
/// [`Reader::take`](super::Reader::take).
// Made of numbers and never passed by reference, so that one piece, the usual case, stays in
// registers.
#[derive(Clone)]
pub struct Chunks<'a> {
    /// The next piece, and how many bytes come behind it.
    piece: &'a [u8],
    left: usize,
    /// Bytes of the buffers up to there, and how many more of them are of the same packet.
    at: usize,
    packet: usize,
    /// The buffer that the last piece is in, so that a walk over many does not begin at the first.
    mark: Mark,
    input: &'a Source<'a>,
}

impl<'a> Chunks<'a> {
    /// A piece and `left` bytes behind it, which arrived, and of which none was released.
    #[inline]
    pub(super) fn new(
        piece: &'a [u8],
        left: usize,
        at: usize,
        packet: usize,
        input: &'a Source<'a>,
    ) -> Self {
        Self { piece, left, at, packet, mark: Mark::default(), input }
    }
}

/// The next piece of at most `left` bytes, where it ends, what is behind it of its packet, and its
/// buffer.
#[cold]
#[inline(never)]
fn walk<'a>(
    input: &'a Source<'a>,
    (at, mark): (usize, Mark),
    mut packet: usize,
    left: usize,
) -> Option<(&'a [u8], usize, usize, Mark)> {
    let mut ahead = Ahead::from(&input.buffers, mark, at);
    while packet == 0 {
        // It made sense before; the framing is asked again, and may not say the same.
        let head = input.framing.head(&input.rules, ahead).ok()??;
        if head.total_len < head.header_len.max(1) {
            return None;
        }
        ahead.skip(head.header_len);
        packet = head.total_len - head.header_len;
    }
    let piece = ahead.piece(packet.min(left));
    if piece.is_empty() {
        return None;
    }
    Some((piece, ahead.at(), packet - piece.len(), ahead.mark()))
}

impl<'a> Iterator for Chunks<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if !self.piece.is_empty() {
            return Some(mem::take(&mut self.piece));
        }
        if self.left == 0 {
            return None;
        }
        let here = (self.at, self.mark);
        let (piece, at, packet, mark) = walk(self.input, here, self.packet, self.left)?;
        (self.at, self.packet, self.mark, self.left) = (at, packet, mark, self.left - piece.len());
        Some(piece)
    }

    /// Of one piece, the usual case, without a loop.
    #[inline]
    fn fold<B, G: FnMut(B, &'a [u8]) -> B>(mut self, init: B, mut each: G) -> B {
        let mut folded = init;
        if !self.piece.is_empty() {
            folded = each(folded, mem::take(&mut self.piece));
        }
        if self.left > 0 {
            for piece in self {
                folded = each(folded, piece);
            }
        }
        folded
    }
}

impl core::iter::FusedIterator for Chunks<'_> {}

#[cfg(feature = "bytes")]
impl<'a> Chunks<'a> {
    /// Bytes still to come.
    pub(crate) fn remaining(&self) -> usize {
        self.piece.len() + self.left
    }

    /// The next piece, without taking it.
    pub(crate) fn piece(&self) -> &'a [u8] {
        if self.piece.is_empty() { self.clone().next().unwrap_or_default() } else { self.piece }
    }

    /// Goes over up to `n` bytes; returns how many there were not.
    pub(crate) fn skip_bytes(&mut self, mut n: usize) -> usize {
        loop {
            match self.piece.get(n..) {
                Some(rest) => {
                    self.piece = rest;
                    n = 0;
                }
                None => n -= mem::take(&mut self.piece).len(),
            }
            // The next piece is at hand, so that looking at it costs nothing.
            if !self.piece.is_empty() {
                return n;
            }
            match self.next() {
                Some(piece) => self.piece = piece,
                None => return n,
            }
        }
    }
}

impl fmt::Debug for Chunks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone().map(Preview)).finish()
    }
}
