//! A decoder that is plain to see: byte by byte, as the format is told.

/// The bytes up to the end of the sequence that reaches `want`, and how much of `block` that took;
/// `None` when it is damaged before, or stands for more than `len` there.
pub(crate) fn decode(block: &[u8], len: usize, want: usize) -> Option<(Vec<u8>, usize)> {
    let mut input = block.iter().copied();
    let mut out = Vec::new();
    loop {
        let token = input.next()?;
        for _ in 0..length(token >> 4, &mut input)? {
            out.push(input.next()?);
        }
        if out.len() < want {
            let offset = usize::from(u16::from_le_bytes([input.next()?, input.next()?]));
            for _ in 0..length(token & 15, &mut input)? + 4 {
                // An offset of 0 refers to the byte that is to be written.
                out.push(*out.get(out.len().checked_sub(offset)?)?);
                if out.len() > len {
                    return None;
                }
            }
        }
        if out.len() > len {
            return None;
        }
        if out.len() >= want {
            return Some((out, block.len() - input.len()));
        }
    }
}

fn length(short: u8, input: &mut impl Iterator<Item = u8>) -> Option<usize> {
    let mut length = usize::from(short);
    if short == 15 {
        loop {
            let byte = input.next()?;
            length += usize::from(byte);
            if byte < 255 {
                break;
            }
        }
    }
    Some(length)
}

/// A sequence: its literals, and the offset and length of its match, which the last has not.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) literals: usize,
    pub(crate) of_match: Option<(usize, usize)>,
}

/// Takes a block apart.
pub(crate) fn sequences(block: &[u8]) -> Vec<Sequence> {
    let mut input = block.iter().copied();
    let mut all = Vec::new();
    while let Some(token) = input.next() {
        let literals = length(token >> 4, &mut input).unwrap();
        assert!(input.len() >= literals);
        input.by_ref().take(literals).for_each(drop);
        let offset = [input.next(), input.next()];
        let of_match = match offset {
            [Some(low), Some(high)] => {
                let offset = usize::from(u16::from_le_bytes([low, high]));
                Some((offset, length(token & 15, &mut input).unwrap() + 4))
            }
            [None, None] => None,
            _ => panic!("half an offset"),
        };
        all.push(Sequence { literals, of_match });
    }
    all
}
