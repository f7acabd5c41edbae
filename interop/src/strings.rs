//! Random strings on which databases and the crate might differ, the same for all counterparts.

use fastrand::Rng;
use std::fmt;

/// Where every run starts, so that what failed fails again.
pub(crate) const SEED: u64 = 0x5EED_0003;

/// The lengths of columns that they are made for.
pub(crate) const LENGTHS: [usize; 5] = [1, 2, 3, 255, 8191];

/// How many for each length.
pub(crate) const EACH: usize = 1000;

/// What strings are made of.
const POOLS: [&[char]; 6] = [
    &[' '],
    &['a', 'b', 'Z', '0', '~', ' ', '\''],
    &['é', 'ß', 'Ł', 'Ω', 'ж', 'e', '\u{301}', '\u{300}'],
    &['日', '本', '語', '京', '서', '울', 'カ', '々', '，'],
    &['😀', '😊', '🚀', '👩', '\u{200D}', '👧', '🇨', '🇭', '𝒳', '𠮷'],
    // Blanks that are none, the last scalar value of each length, and neighbours of the surrogates.
    &[
        '\t',
        '\n',
        '\u{A0}',
        '\u{3000}',
        '\u{2003}',
        '\u{200B}',
        '\u{FEFF}',
        '\u{1}',
        '\u{7F}',
        '\u{80}',
        '\u{7FF}',
        '\u{800}',
        '\u{D7FF}',
        '\u{E000}',
        '\u{FFFD}',
        '\u{10000}',
        '\u{10FFFF}',
    ],
];

/// One string for a column of `n` characters, in at most `most` bytes: often about as long as the
/// column, often longer by nothing but blanks. Without U+0000, which not every database can hold.
pub(crate) fn random(rng: &mut Rng, n: usize, most: usize) -> String {
    let favourite = rng.usize(..POOLS.len());
    // Of ten characters, how many come from there.
    let share = [3, 7, 9, 10][rng.usize(..4)];
    let length = match rng.u8(..8) {
        0 => rng.usize(..=n),
        1 => n,
        2 => n + 1,
        3 => 2 * n + rng.usize(..3),
        _ => (n + rng.usize(..=4)).saturating_sub(2),
    };
    let blanks = if rng.u8(..3) == 0 { rng.usize(..=n.min(40) + 4) } else { 0 };
    let mut text = String::new();
    let mut room = most.saturating_sub(blanks);
    for _ in 0..length {
        let pool = if rng.u8(..10) < share { favourite } else { rng.usize(..POOLS.len()) };
        let rune = POOLS[pool][rng.usize(..POOLS[pool].len())];
        room = match room.checked_sub(rune.len_utf8()) {
            Some(room) => room,
            None => break,
        };
        text.push(rune);
    }
    text.extend(std::iter::repeat_n(' ', blanks));
    text
}

/// What a failure says of its string: enough to make it again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'a> {
    /// What was done with it.
    pub(crate) what: &'a str,
    pub(crate) n: usize,
    /// Which of those for this length.
    pub(crate) at: usize,
    pub(crate) text: &'a str,
}

impl<'a> Case<'a> {
    /// The same string, and something else that is done with it.
    pub(crate) fn doing(self, what: &'a str) -> Self {
        Self { what, ..self }
    }
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, n, at, text } = self;
        write!(f, "{what}: seed {SEED:#x}, n {n}, string {at}: \"{}\"", text.escape_unicode())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_lie_around_the_length_and_repeat() {
        for n in LENGTHS {
            let make = || {
                let mut rng = Rng::with_seed(SEED);
                (0..EACH).map(|_| random(&mut rng, n, 32_765)).collect::<Vec<_>>()
            };
            let strings = make();
            assert_eq!(strings, make());
            let count = |has: fn(usize, usize) -> bool| {
                strings.iter().filter(|text| has(text.chars().count(), n)).count()
            };
            assert!(strings.iter().all(|text| text.len() <= 32_765 && !text.contains('\0')));
            assert!(count(|length, n| length > n) > EACH / 5, "{n}");
            assert!(count(|length, n| length <= n) > EACH / 5, "{n}");
            let blank_excess = |text: &&String| {
                text.chars().count() > n && text.chars().skip(n).all(|rune| rune == ' ')
            };
            assert!(strings.iter().filter(blank_excess).count() > EACH / 20, "{n}");
        }
    }

    #[test]
    fn a_failure_shows_all_of_its_string() {
        let case = Case { what: "left", n: 2, at: 7, text: "a 😊" };
        assert_eq!(
            case.to_string(),
            "left: seed 0x5eed0003, n 2, string 7: \"\\u{61}\\u{20}\\u{1f60a}\""
        );
    }
}
