//! `utf8-runes` on UTF-16 against the standard library.

use crate::tiers::on_every_tier;
use utf8_runes::utf16 as runes16;
use utf8_runes::utf16::LoneSurrogate;

/// UTF-16: a length in runes, then the units.
pub fn utf16(data: &[u8]) {
    let (runes, input) = crate::number(data);
    let units: Box<[u16]> =
        input.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let model = Model::new(&units);
    let count = model.ends.len() - 1;
    on_every_tier(|| {
        for n in [runes, count.saturating_sub(runes), count + 1, usize::MAX] {
            model.cut(n);
        }
        model.whole();
        model.slices();
        model.append(runes);
    });
}

/// Units, what they are as text, and where their runes end.
struct Model<'a> {
    units: &'a [u16],
    text: String,
    ends: Vec<usize>,
    lone: usize,
    first: Option<usize>,
}

impl<'a> Model<'a> {
    fn new(units: &'a [u16]) -> Self {
        let mut ends = vec![0];
        let (mut end, mut lone, mut first) = (0, 0, None);
        for rune in char::decode_utf16(units.iter().copied()) {
            if rune.is_err() {
                lone += 1;
                first = first.or(Some(end));
            }
            end += rune.map_or(1, char::len_utf16);
            ends.push(end);
        }
        Self { units, text: String::from_utf16_lossy(units), ends, lone, first }
    }

    fn cut(&self, n: usize) {
        let units = self.units;
        let offset = self.ends.get(n).copied();
        assert_eq!(runes16::count(units), self.ends.len() - 1);
        assert_eq!(runes16::offset(units, n), offset);
        assert_eq!(runes16::prefix(units, n), &units[..offset.unwrap_or(units.len())]);
        assert_eq!(runes16::utf8_len(units), self.text.len());
        let count = self.ends.len() - 1;
        assert_eq!(runes16::count_upto(units, n), count.min(n));
        assert_eq!(runes16::exceeds(units, n), count > n);
        assert_eq!(runes16::split_at(units, n), units.split_at(self.ends[n.min(count)]));
        let start = n / 3;
        let from = self.ends[start.min(count)];
        let to = self.ends[start.saturating_add(n).min(count)];
        assert_eq!(runes16::substr(units, start, n), &units[from..to]);
        assert_eq!(runes16::suffix(units, n), &units[self.ends[count.saturating_sub(n)]..]);
        let mut owned = units.to_vec();
        runes16::truncate(&mut owned, n);
        assert_eq!(owned, &units[..self.ends[n.min(count)]]);
    }

    fn whole(&self) {
        let expected = self.first.map_or(Ok(()), |index| Err(LoneSurrogate { index }));
        assert_eq!(runes16::validate(self.units), expected);
        let mut owned = self.units.to_vec();
        assert_eq!(runes16::replace_lone(&mut owned), self.lone);
        assert!(owned.iter().copied().eq(self.text.encode_utf16()));
    }

    /// Into rooms that end where an allocation does: one byte short, exact, and with some left.
    fn slices(&self) {
        let need = self.text.len();
        for size in [need.saturating_sub(1), need, need + 1, need + 70] {
            let mut out = vec![0; size].into_boxed_slice();
            let written = runes16::encode_lossy_into(self.units, &mut out);
            assert_eq!(written, (size >= need).then_some(need), "{size}");
            if written.is_some() {
                assert_eq!(&out[..need], self.text.as_bytes());
            }
        }
    }

    /// Behind something, into a vector with `spare` bytes of room and into one with none.
    fn append(&self, spare: usize) {
        let Self { units, text, lone, .. } = self;
        for spare in [0, spare, self.text.len()] {
            let room = || {
                let mut out = Vec::with_capacity(1 + spare);
                out.push(b'x');
                out
            };
            let string = || String::from_utf8(room()).expect("an x");
            let whole = format!("x{text}");
            let mut out = room();
            assert_eq!(runes16::append_utf8_lossy(units, &mut out), *lone);
            assert_eq!(out, whole.as_bytes());
            let mut out = string();
            assert_eq!(runes16::append_lossy(units, &mut out), *lone);
            assert_eq!(out, whole);

            let expected = self.first.map_or(Ok(()), |index| Err(LoneSurrogate { index }));
            let whole = if expected.is_ok() { &whole } else { "x" };
            let mut out = room();
            assert_eq!(runes16::append_utf8(units, &mut out), expected);
            assert_eq!(out, whole.as_bytes());
            let mut out = string();
            assert_eq!(runes16::append(units, &mut out), expected);
            assert_eq!(out, whole);
        }
    }
}
