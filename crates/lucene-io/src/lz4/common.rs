//! What the encoders, and in part the decoder, have in common.

/// The shortest match: what one is longer than its 4 bits say.
pub(super) const MIN_MATCH: usize = 4;

/// How many bytes from `a` on are those from `b` on, `a < b`, up to `limit`.
#[inline(always)]
pub(super) fn common(bytes: &[u8], a: usize, b: usize, limit: usize) -> usize {
    if b + 8 <= limit
        && let Some(early) = bytes.get(a..).and_then(|rest| rest.first_chunk::<8>())
        && let Some(late) = bytes.get(b..).and_then(|rest| rest.first_chunk::<8>())
    {
        let differ = u64::from_le_bytes(*early) ^ u64::from_le_bytes(*late);
        if differ != 0 {
            return (differ.trailing_zeros() / 8) as usize;
        }
    }
    long(bytes, a, b, limit)
}

#[inline(never)]
fn long(bytes: &[u8], a: usize, b: usize, limit: usize) -> usize {
    let Some(late) = bytes.get(b..limit) else { return 0 };
    let Some(early) = bytes.get(a..).and_then(|rest| rest.get(..late.len())) else { return 0 };
    let words = early.as_chunks::<16>().0.iter().zip(late.as_chunks::<16>().0);
    let same = words.take_while(|(x, y)| x == y).count() * 16;
    let rest = early[same..].iter().zip(&late[same..]);
    same + rest.take_while(|(x, y)| x == y).count()
}
