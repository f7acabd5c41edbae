//! Random texts on which an encoder of UTF-16 might go wrong, the same in every run.

use fastrand::Rng;

/// Where every run starts, so that what failed fails again.
pub(super) const SEED: u64 = 0x5EED_0006;

/// What texts are made of, as ranges of scalar values.
const POOLS: [(u32, u32); 8] = [
    (0x20, 0x7E),
    (0x30, 0x39),
    (0x00, 0x7F),
    (0x80, 0x24F),
    (0x4E00, 0x9FA5),
    (0x1F300, 0x1F6FF),
    (0xD7F0, 0xE010),
    (0xFFF0, 0x1000F),
];

/// A text with no lone surrogate.
pub(super) fn scalars(rng: &mut Rng, length: usize) -> String {
    let favourite = rng.usize(..POOLS.len());
    let share = [5, 9, 10][rng.usize(..3)];
    let rune = |rng: &mut Rng| {
        let pool = if rng.u8(..10) < share { favourite } else { rng.usize(..POOLS.len()) };
        let (first, last) = POOLS[pool];
        // The range with the surrogates in it has neighbours of theirs on both sides.
        char::from_u32(rng.u32(first..=last)).unwrap_or('\u{FFFF}')
    };
    (0..length).map(|_| rune(rng)).collect()
}

/// UTF-16 as Java holds it, of every third text with lone surrogates in it.
pub(super) fn units(rng: &mut Rng, length: usize) -> Vec<u16> {
    let mut units: Vec<u16> = scalars(rng, length).encode_utf16().collect();
    if rng.u8(..3) == 0 {
        for _ in 0..=units.len() / 8 {
            let at = rng.usize(..=units.len());
            units.insert(at, rng.u16(0xD800..=0xDFFF));
        }
    }
    units
}

/// A length: mostly short, often where the length of UTF-8 begins to need another byte.
pub(super) fn length(rng: &mut Rng) -> usize {
    match rng.u8(..10) {
        0 => 0,
        1..=5 => rng.usize(1..40),
        6 => rng.usize(40..46),
        7 => rng.usize(120..132),
        8 => rng.usize(5455..5470),
        _ => rng.usize(..3000),
    }
}

/// As the files hold it: a lone surrogate becomes U+FFFD.
pub(super) fn stored(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_repeat_and_have_everything_in_them() {
        let make = || {
            let mut rng = Rng::with_seed(SEED);
            (0..500)
                .map(|_| {
                    let length = length(&mut rng);
                    units(&mut rng, length)
                })
                .collect::<Vec<_>>()
        };
        let texts = make();
        assert_eq!(texts, make());
        let lone = texts.iter().filter(|units| String::from_utf16(units).is_err()).count();
        assert!((100..300).contains(&lone), "{lone}");
        let ascii = texts.iter().filter(|units| units.iter().all(|unit| *unit < 0x80)).count();
        assert!(ascii > 20, "{ascii}");
        assert!(texts.iter().any(Vec::is_empty));
        assert!(texts.iter().any(|units| stored(units).len() > 16383));
    }
}
