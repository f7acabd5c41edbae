//! Bytes where they lie.

use super::cursor::{Cursor, OPEN, Source};
use core::{fmt, mem};

/// Payload bytes in the pieces that they lie in, none of them empty; from
/// [`Reader::take`](super::Reader::take).
#[derive(Clone)]
pub struct Chunks<'a> {
    /// The next piece, and how many bytes come behind it.
    piece: &'a [u8],
    left: usize,
    walk: Option<(Cursor<'a>, Source<'a>)>,
}

impl<'a> Chunks<'a> {
    #[inline]
    pub(super) fn one(piece: &'a [u8]) -> Self {
        Self { piece, left: 0, walk: None }
    }

    pub(super) fn many(mut cursor: Cursor<'a>, source: Source<'a>, n: usize) -> Self {
        // None of these bytes was released, as all of them were there.
        cursor.wall = OPEN;
        Self { piece: &[], left: n, walk: Some((cursor, source)) }
    }

    #[cold]
    fn walk(&mut self) -> Option<&'a [u8]> {
        let (cursor, source) = self.walk.as_mut()?;
        cursor.refill(source).ok()?;
        let (piece, rest) = cursor.chunk.split_at(cursor.chunk.len().min(self.left));
        cursor.chunk = rest;
        self.left -= piece.len();
        Some(piece)
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if !self.piece.is_empty() {
            return Some(mem::take(&mut self.piece));
        }
        if self.left == 0 { None } else { self.walk() }
    }
}

impl core::iter::FusedIterator for Chunks<'_> {}

impl fmt::Debug for Chunks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
