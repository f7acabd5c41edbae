//! One pass over bytes that nobody has validated: cut and checked from one load. Blanks at the end
//! are taken off afterwards, from there.

use crate::arch::isa::{BLOCK, Block, Isa, Validate, low_bits};
use crate::arch::portable::is_lead;

/// Bytes of which it costs nothing that counts to have looked in vain whether they are ASCII.
const ASCII_FIRST: usize = 8192;

/// Whether all bytes are below 0x80.
#[inline(always)]
pub(crate) fn is_ascii<I: Isa>(isa: I, bytes: &[u8]) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
        return isa.non_ascii(isa.load_partial(bytes)) == 0;
    };
    // The last block overlaps what is looked at besides.
    if isa.non_ascii(isa.load(first)) != 0 || isa.non_ascii(isa.load(last)) != 0 {
        return false;
    }
    let (groups, rest) = bytes.as_chunks::<{ 4 * BLOCK }>();
    let (blocks, _) = rest.as_chunks();
    for group in groups {
        if !four(group).is_some_and(|blocks| isa.all_ascii(blocks)) {
            return false;
        }
    }
    for block in blocks {
        if isa.non_ascii(isa.load(block)) != 0 {
            return false;
        }
    }
    true
}

/// The blocks of four.
#[inline(always)]
fn four(group: &[u8; 4 * BLOCK]) -> Option<&[Block; 4]> {
    group.as_chunks().0.first_chunk()
}

/// The length without trailing bytes 0x20.
#[inline(always)]
pub(crate) fn trimmed_len<I: Isa>(isa: I, bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((head, block)) = rest.split_last_chunk::<BLOCK>() {
        let content = isa.not_blank(isa.load(block));
        if content != 0 {
            return rest.len() - content.leading_zeros() as usize;
        }
        rest = head;
    }
    let content = isa.not_blank(isa.load_partial(rest)) & low_bits(rest.len());
    BLOCK - content.leading_zeros() as usize
}

/// [`prefix`] where that is ASCII, as a value is more often than not; `None` says nothing. It needs
/// nothing of what the other does, so that it is a function apart.
#[inline(always)]
pub(crate) fn ascii_prefix<I: Isa, const TRIM: bool>(
    isa: I,
    bytes: &[u8],
    runes: usize,
) -> Option<usize> {
    let head = match bytes.split_at_checked(runes) {
        Some((head, [next, ..])) if is_lead(*next) => head,
        Some((_, [_, ..])) => return None,
        Some((_, [])) | None => bytes,
    };
    if head.len() > ASCII_FIRST || !is_ascii(isa, head) {
        return None;
    }
    Some(if TRIM { trimmed_len(isa, head) } else { head.len() })
}

/// The length of the first `runes` runes (at least one is asked for), or of all when there are no
/// more; with `TRIM`, without their trailing blanks. `None` when they are malformed.
#[inline(always)]
pub(crate) fn prefix<I: Validate, const TRIM: bool>(
    isa: I,
    bytes: &[u8],
    runes: usize,
) -> Option<usize> {
    let kept = any(isa, bytes, runes)?;
    Some(if TRIM { trimmed_len(isa, kept) } else { kept.len() })
}

#[inline(always)]
fn load<I: Isa>(isa: I, bytes: &[u8]) -> (I::Vector, usize) {
    match bytes.first_chunk::<BLOCK>() {
        Some(block) => (isa.load(block), BLOCK),
        None => (isa.load_partial(bytes), bytes.len()),
    }
}

/// The first `runes` runes, if they are well-formed.
#[inline(always)]
fn any<I: Validate>(isa: I, bytes: &[u8], runes: usize) -> Option<&[u8]> {
    let mut pass = Pass { state: isa.start(), open: false, left: runes };
    let mut rest = bytes;
    let cut = loop {
        if !pass.open {
            skip_ascii(isa, &mut rest, &mut pass.left);
        }
        let Some((block, later)) = rest.split_first_chunk::<BLOCK>() else {
            break match pass.step(isa, isa.load_partial(rest), rest.len()) {
                Some(cut) => cut,
                None => rest.len(),
            };
        };
        if let Some(cut) = pass.step(isa, isa.load(block), BLOCK) {
            break cut;
        }
        rest = later;
    };
    let rest = rest.get(cut..)?;
    // The last block had zeros behind the end, so that a sequence left open there was found.
    if isa.failed(pass.state) {
        return None;
    }
    bytes.get(..bytes.len() - rest.len())
}

struct Pass<S> {
    state: S,
    /// Whether the block before may have left a sequence open. If not, it was ASCII, as far as
    /// `state` knows it, and blocks of ASCII change nothing in that.
    open: bool,
    /// How many more runes are asked for.
    left: usize,
}

impl<S> Pass<S> {
    /// Goes over a block of `width` bytes, with zeros behind; where it is cut, if it is.
    #[inline(always)]
    fn step<I: Validate<State = S>>(
        &mut self,
        isa: I,
        vector: I::Vector,
        width: usize,
    ) -> Option<usize>
    where
        S: Copy,
    {
        let leads = isa.leads(vector);
        // Text has a byte that is no lead in every block that is not ASCII, but for a lead at its
        // end: so the second question is seldom asked for nothing.
        let ascii = leads == u64::MAX && isa.non_ascii(vector) == 0;
        let marks = if width < BLOCK { leads & low_bits(width) } else { leads };
        let here = marks.count_ones() as usize;
        let cut = if here > self.left {
            Some(isa.select(marks, self.left as u32) as usize)
        } else {
            self.left -= here;
            None
        };
        if !ascii || self.open {
            let vector = match cut {
                Some(cut) => isa.keep(vector, cut),
                None => vector,
            };
            self.state = isa.check(self.state, vector);
        }
        self.open = !ascii;
        cut
    }
}

/// Steps over ASCII, as far as that is worth it.
#[inline(always)]
fn skip_ascii<I: Isa>(isa: I, rest: &mut &[u8], left: &mut usize) {
    while let Some((head, later)) = rest.split_first_chunk::<{ 4 * BLOCK }>()
        && head.len() <= *left
        && let Some(blocks) = four(head)
        && isa.all_ascii(blocks)
    {
        *left -= head.len();
        *rest = later;
    }
}

/// [`validate`] of ASCII; `None` says nothing.
#[inline(always)]
pub(crate) fn ascii_validate<I: Isa, const COUNT: bool>(isa: I, bytes: &[u8]) -> Option<usize> {
    (bytes.len() <= ASCII_FIRST && is_ascii(isa, bytes)).then_some(bytes.len())
}

/// With `COUNT` the number of runes, else any number; `None` when `bytes` are malformed.
#[inline(always)]
pub(crate) fn validate<I: Validate, const COUNT: bool>(isa: I, bytes: &[u8]) -> Option<usize> {
    let mut state = isa.start();
    let mut open = false;
    let mut rest = bytes;
    let mut count = 0;
    loop {
        if !open {
            let before = rest.len();
            skip_ascii(isa, &mut rest, &mut { usize::MAX });
            count += before - rest.len();
        }
        let (vector, width) = load(isa, rest);
        let high = isa.non_ascii(vector) != 0;
        if high || open {
            state = isa.check(state, vector);
        }
        open = high;
        if COUNT {
            count += (isa.leads(vector) & low_bits(width)).count_ones() as usize;
        }
        if width < BLOCK {
            // With zeros behind the end, so that a sequence left open there was found.
            break;
        }
        rest = rest.get(width..)?;
    }
    (!isa.failed(state)).then_some(count)
}
