//! `utf8-runes` on UTF-16 as bytes, in either order, against the standard library.

use crate::tiers::on_every_tier;
use utf8_runes::utf16_bytes::{self, Endian, MalformedUtf16};

/// Bytes of UTF-16: a length in runes, then the bytes, which may end in half a unit.
pub fn utf16_bytes(data: &[u8]) {
    let (runes, input) = crate::number(data);
    for endian in [Endian::Little, Endian::Big] {
        let model = Model::new(input, endian);
        let count = model.ends.len() - 1;
        on_every_tier(|| {
            for n in [runes, count.saturating_sub(runes), count + 1, usize::MAX] {
                let prefix = &input[..model.ends[n.min(count)]];
                assert_eq!(utf16_bytes::prefix(input, endian, n), prefix, "{n}");
            }
            model.check(runes);
        });
    }
}

/// The bytes, what they are as text, and where their runes end.
struct Model<'a> {
    input: &'a [u8],
    endian: Endian,
    text: String,
    ends: Vec<usize>,
    malformed: usize,
    first: Option<usize>,
}

impl<'a> Model<'a> {
    fn new(input: &'a [u8], endian: Endian) -> Self {
        let units = input.chunks_exact(2).map(|pair| match endian {
            Endian::Little => u16::from_le_bytes([pair[0], pair[1]]),
            Endian::Big => u16::from_be_bytes([pair[0], pair[1]]),
        });
        let mut this =
            Self { input, endian, text: String::new(), ends: vec![0], malformed: 0, first: None };
        for rune in char::decode_utf16(units) {
            let rune = rune.ok();
            this.push(rune, rune.map_or(2, |c| 2 * c.len_utf16()));
        }
        if input.len() % 2 == 1 {
            this.push(None, 1);
        }
        this
    }

    /// One more rune, which takes so many bytes.
    fn push(&mut self, rune: Option<char>, width: usize) {
        let at = self.ends.last().copied().unwrap_or_default();
        if rune.is_none() {
            self.malformed += 1;
            self.first = self.first.or(Some(at));
        }
        self.text.push(rune.unwrap_or(char::REPLACEMENT_CHARACTER));
        self.ends.push(at + width);
    }

    fn check(&self, spare: usize) {
        let Self { input, endian, text, malformed, .. } = self;
        let expected = self.first.map_or(Ok(()), |offset| Err(MalformedUtf16 { offset }));
        assert_eq!(utf16_bytes::count(input, *endian), self.ends.len() - 1);
        assert_eq!(utf16_bytes::validate(input, *endian), expected);
        let need = text.len();
        assert_eq!(utf16_bytes::utf8_len(input, *endian), need);
        for size in [need.saturating_sub(1), need, need + 1, need + 70] {
            let mut out = vec![0; size].into_boxed_slice();
            let written = utf16_bytes::encode_lossy_into(input, *endian, &mut out);
            assert_eq!(written, (size >= need).then_some(need), "{size}");
            if written.is_some() {
                assert_eq!(&out[..need], text.as_bytes());
            }
        }
        for spare in [0, spare, need] {
            let room = || {
                let mut out = Vec::with_capacity(1 + spare);
                out.push(b'x');
                out
            };
            let string = || String::from_utf8(room()).expect("an x");
            let whole = format!("x{text}");
            let mut out = room();
            assert_eq!(utf16_bytes::append_utf8_lossy(input, *endian, &mut out), *malformed);
            assert_eq!(out, whole.as_bytes());
            let mut out = string();
            assert_eq!(utf16_bytes::append_lossy(input, *endian, &mut out), *malformed);
            assert_eq!(out, whole);

            let whole = if expected.is_ok() { &whole } else { "x" };
            let mut out = room();
            assert_eq!(utf16_bytes::append_utf8(input, *endian, &mut out), expected);
            assert_eq!(out, whole.as_bytes());
            let mut out = string();
            assert_eq!(utf16_bytes::append(input, *endian, &mut out), expected);
            assert_eq!(out, whole);
        }
    }
}
