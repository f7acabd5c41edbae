//! Every public function on input, and into output, that lies exactly between pages which must not
//! be touched: one byte read or written too far ends the process. On every length and tier.
#![cfg(all(unix, feature = "alloc"))]

mod each_tier;
mod guarded;
mod model;

use each_tier::each_tier;
use guarded::Guarded;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
use utf8_runes::column::{DecodeError, EncodeError, FixedText, LengthPrefix, Overflow, Pad};
use utf8_runes::column::{Tail, Unit, VarText};
use utf8_runes::utf16_bytes::{self, Endian, MalformedUtf16};
use utf8_runes::{bytes, utf16};

const BYTES: usize = 300;
const UNITS: usize = 200;

/// All of them; or, where `cargo xtask asan` makes everything many times slower, every so many.
fn lengths(from: usize, to: usize) -> impl Iterator<Item = usize> {
    let step = std::env::var("UTF8_RUNES_LENGTH_STEP").ok().and_then(|step| step.parse().ok());
    (from..=to).step_by(step.unwrap_or(1).max(1))
}

/// How many runes to ask for: the edges and two between.
fn asked(count: usize) -> [usize; 8] {
    let third = count / 3;
    [0, 1, third, count - third, count.saturating_sub(1), count, count + 1, usize::MAX]
}

/// The kinds of text, and blanks: behind something and alone.
fn texts(len: usize) -> Vec<String> {
    let mut texts = model::texts(len);
    let half = model::texts(len / 2);
    texts.extend(half.iter().skip(3).take(2).map(|text| format!("{text:<len$}")));
    texts.push(" ".repeat(len));
    texts
}

/// Bytes that are no text: a fault at the start, in the middle, at the end or everywhere, and a
/// sequence that the end cuts short.
fn malformed(len: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> =
        [0x80, 0xBF, 0xC2, 0xFF].iter().map(|byte| vec![*byte; len]).collect();
    for (turn, text) in model::texts(len).into_iter().enumerate() {
        let lead = [0xC3, 0xE3, 0xF1][(len + turn) % 3];
        let kept = floor(&text, len.saturating_sub(1));
        all.push([&text.as_bytes()[..kept], &[lead]].concat());
        let mut faulty = text.into_bytes();
        let (at, fault) = match (len + turn) % 3 {
            0 => (0, 0x80),
            1 => (faulty.len() / 2, 0xED),
            _ => (faulty.len().saturating_sub(1), 0xF0),
        };
        if let Some(byte) = faulty.get_mut(at) {
            *byte = fault;
        }
        all.push(faulty);
    }
    all
}

/// Calls `check` with `items` before the guard and behind the other one.
fn both<T: guarded::Plain>(room: &mut Guarded<T>, items: &[T], check: impl Fn(&mut [T])) {
    check(room.before(items));
    check(room.behind(items));
}

/// `str::floor_char_boundary`, which is newer than this crate's first compiler.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[test]
fn text() {
    each_tier(|| {
        let mut room = Guarded::new(BYTES);
        for len in lengths(0, BYTES) {
            for text in texts(len) {
                let count = text.chars().count();
                let offsets = asked(count).map(|n| model::offset(&text, n));
                both(&mut room, text.as_bytes(), |bytes| {
                    text_calls(bytes, &offsets);
                    ends_and_units(bytes, &offsets);
                });
            }
        }
    });
}

fn text_calls(input: &[u8], offsets: &[Option<usize>]) {
    let text = bytes::validate(input).unwrap();
    let count = utf8_runes::count(text);
    assert_eq!(offsets[5], Some(text.len()), "{count} runes of {text:?}");
    assert_eq!(bytes::validate_count(input), Ok(count));
    assert_eq!(utf8_runes::trim_blanks(text), text.trim_end_matches(' '));
    for (n, &offset) in asked(count).into_iter().zip(offsets) {
        let prefix = &text[..offset.unwrap_or(text.len())];
        assert_eq!(utf8_runes::offset(text, n), offset, "{n} of {text:?}");
        assert_eq!(utf8_runes::prefix(text, n), prefix);
        assert_eq!(utf8_runes::count_upto(text, n), count.min(n));
        assert_eq!(utf8_runes::exceeds(text, n), count > n);
        assert_eq!(utf8_runes::prefix_bytes(text, n), model::prefix_bytes(text, n));
        assert_eq!(bytes::prefix(input, n), Ok(prefix));
        assert_eq!(bytes::prefix_lossy(input, n), prefix);
        let column = FixedText::new(n);
        assert_eq!(column.decode(input), Ok(prefix));
        let trimmed = prefix.trim_end_matches(' ');
        assert_eq!(column.pad(Pad::Trim).decode(input), Ok(trimmed));
        assert_eq!(column.pad(Pad::Trim).decode_lossy(input), trimmed);
        let whole = column.tail(Tail::RequireBlank).decode(input);
        let blank = text[prefix.len()..].bytes().position(|byte| byte != b' ');
        let offset = blank.map(|at| prefix.len() + at);
        assert_eq!(whole, offset.map_or(Ok(prefix), |offset| Err(DecodeError::Tail { offset })));
        let halves = model::prefix_utf16(text, n);
        assert_eq!(column.unit(Unit::Utf16).decode(input), Ok(&*halves));
        assert_eq!(column.unit(Unit::Utf16).decode_lossy(input), halves);
        let cut = FixedText::new(n.min(BYTES)).overflow(Overflow::Truncate);
        assert!(cut.fit(text).unwrap().starts_with(prefix));
        assert_eq!(cut.pad(Pad::Trim).fit(text).unwrap(), trimmed);
    }
    let mut owned = String::from("before");
    assert_eq!(FixedText::new(count).decode_into(input, &mut owned), Ok(()));
    assert_eq!(owned, text);
    utf8_runes::truncate(&mut owned, count / 2);
    assert_eq!(utf8_runes::count(&owned), count / 2);
}

/// What seeks from the end, cuts out of the middle, or counts in UTF-16.
fn ends_and_units(input: &[u8], offsets: &[Option<usize>]) {
    let text = std::str::from_utf8(input).unwrap();
    let count = text.chars().count();
    assert_eq!(bytes::count_leads(input), count);
    assert_eq!(bytes::trim_blanks(input), text.trim_end_matches(' ').as_bytes());
    let units = text.encode_utf16().count();
    assert_eq!(utf8_runes::utf16_len(text), units);
    for (n, &offset) in asked(count).into_iter().zip(offsets) {
        let cut = offset.unwrap_or(text.len());
        assert_eq!(utf8_runes::split_at(text, n), text.split_at(cut));
        let rest = &text[cut..];
        assert_eq!(utf8_runes::substr(text, n, 9), &rest[..model::prefix(rest, 9).len()]);
        let left = count.saturating_sub(n);
        // `left` runes end where the last n begin.
        let from = asked(count).iter().position(|m| *m == left).and_then(|at| offsets[at]);
        if let Some(from) = from {
            assert_eq!(utf8_runes::suffix(text, n), &text[from..], "{n} of {text:?}");
            let begins = (n <= count).then_some(from);
            assert_eq!(utf8_runes::offset_from_end(text, n), begins);
        } else {
            assert!(text.ends_with(utf8_runes::suffix(text, n)));
        }
        assert_eq!(utf8_runes::rune_index(text, cut), n.min(count));
        assert_eq!(utf8_runes::floor_char_boundary(text, n), floor(text, n));
        assert_eq!(utf8_runes::ceil_char_boundary(text, n.min(text.len())), ceil(text, n));
        let suffix = &text[ceil(text, text.len().saturating_sub(n))..];
        assert_eq!(utf8_runes::suffix_bytes(text, n), suffix);
        assert_eq!(utf8_runes::prefix_utf16(text, n), model::prefix_utf16(text, n));
    }
}

#[test]
fn bytes_that_are_no_text() {
    each_tier(|| {
        let mut room = Guarded::new(BYTES + 1);
        for len in lengths(1, BYTES) {
            for input in malformed(len) {
                let lossy = String::from_utf8_lossy(&input);
                let asked = asked(lossy.chars().count());
                let prefixes = asked.map(|n| model::bytes_prefix(&input, n));
                let lossy = asked.map(|n| model::prefix(&lossy, n));
                both(&mut room, &input, |bytes| malformed_calls(bytes, asked, &prefixes, &lossy));
            }
        }
    });
}

type Prefix<'a> = Result<&'a str, std::str::Utf8Error>;

fn malformed_calls(input: &[u8], asked: [usize; 8], prefixes: &[Prefix<'_>], lossy: &[String]) {
    let whole = std::str::from_utf8(input);
    assert_eq!(bytes::validate(input), whole);
    assert_eq!(bytes::validate_count(input).err(), whole.err());
    let leads = input.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    assert_eq!(bytes::count_leads(input), leads);
    assert!(!bytes::trim_blanks(input).ends_with(b" "));
    for ((n, prefix), lossy) in asked.into_iter().zip(prefixes).zip(lossy) {
        assert_eq!(bytes::prefix(input, n), *prefix, "{n} of {input:x?}");
        assert_eq!(bytes::prefix_lossy(input, n), *lossy);
        let offset = |e: std::str::Utf8Error| DecodeError::Malformed { offset: e.valid_up_to() };
        let value = prefix.map_err(offset);
        let column = FixedText::new(n);
        assert_eq!(column.decode(input), value);
        assert_eq!(column.decode_lossy(input), *lossy);
        let trimmed = value.map(|text| text.trim_end_matches(' '));
        assert_eq!(column.pad(Pad::Trim).decode(input), trimmed);
        let halves = column.unit(Unit::Utf16);
        let blank = |text: &&str| input[text.len()..].iter().all(|byte| *byte == b' ');
        let followed = halves.decode(input).ok().filter(blank);
        assert_eq!(halves.tail(Tail::RequireBlank).decode(input).ok(), followed);
        let head = &input[..n.min(input.len())];
        let counted = std::str::from_utf8(head).map_err(offset);
        assert_eq!(column.unit(Unit::Bytes).decode(input), counted);
        assert_eq!(column.unit(Unit::Bytes).decode_lossy(input), String::from_utf8_lossy(head));
    }
}

#[test]
fn fields_and_rows() {
    each_tier(|| {
        let mut room = Guarded::new(BYTES + 4);
        for len in lengths(0, BYTES) {
            for text in texts(len) {
                let count = text.chars().count();
                for (prefix, head) in [
                    (LengthPrefix::U16Le, (text.len() as u16).to_le_bytes().to_vec()),
                    (LengthPrefix::U32Be, (text.len() as u32).to_be_bytes().to_vec()),
                ] {
                    let column = VarText::new(count).prefix(prefix);
                    let field = [&head, text.as_bytes()].concat();
                    both(&mut room, &field, |field| {
                        assert_eq!(column.decode(field), Ok(&*text));
                        assert_eq!(column.decode_lossy(field).as_deref(), Ok(&*text));
                        let mut out = String::new();
                        assert_eq!(column.decode_into(field, &mut out), Ok(()));
                        assert_eq!(out, text);
                        let (_, short) = field.split_last().unwrap();
                        assert!(matches!(column.decode(short), Err(DecodeError::Length { .. })));
                    });
                }
                let stride = len / 3 + 1;
                let rows: Vec<_> =
                    text.as_bytes().chunks(stride).map(std::str::from_utf8).collect();
                both(&mut room, text.as_bytes(), |input| {
                    let decoded = FixedText::new(BYTES).decode_rows(input, stride);
                    assert_eq!(decoded.len(), rows.len());
                    for (value, row) in decoded.zip(&rows) {
                        assert_eq!(value.ok(), row.ok());
                    }
                });
            }
        }
    });
}

#[test]
fn fields_written() {
    each_tier(|| {
        let mut room = Guarded::new(BYTES);
        let mut out = Guarded::new(2 * BYTES);
        for len in lengths(0, BYTES) {
            for text in texts(len) {
                let count = text.chars().count();
                let input = std::str::from_utf8(room.before(text.as_bytes())).unwrap();
                for blanks in [0, 1, 40] {
                    let column = FixedText::new(count + blanks);
                    let whole = format!("{text}{}", " ".repeat(blanks));
                    both(&mut out, &vec![0; whole.len()], |field| {
                        assert_eq!(column.encode(input, field), Ok(()));
                        assert_eq!(field, whole.as_bytes());
                    });
                    let mut row = Vec::new();
                    assert_eq!(column.encode_append(input, &mut row), Ok(()));
                    assert_eq!(column.decode(&row), Ok(&*whole));
                    both(&mut out, &vec![0; whole.len().saturating_sub(1)], |field| {
                        if whole.is_empty() {
                            return;
                        }
                        let short = EncodeError::FieldTooShort { needed: whole.len() };
                        assert_eq!(column.encode(input, field), Err(short));
                    });
                }
                let var = VarText::new(count);
                both(&mut out, &vec![0; 2 + text.len()], |field| {
                    assert_eq!(var.encode(input, field), Ok(field.len()));
                    assert_eq!(var.decode(field), Ok(input));
                });
                let mut message = Vec::new();
                assert_eq!(var.encode_append(input, &mut message), Ok(2 + text.len()));
                assert_eq!(var.decode(&message), Ok(input));
            }
        }
    });
}

#[test]
fn units() {
    each_tier(|| {
        let mut room = Guarded::new(UNITS);
        let mut out = Guarded::new(3 * UNITS + 3);
        let mut raw = Guarded::new(2 * UNITS + 1);
        for len in lengths(0, UNITS) {
            // Turned by one, so that pairs end, and do not end, at the guard.
            for (kind, turn) in
                model::UNIT_KINDS.into_iter().flat_map(|kind| [(kind, 0), (kind, 1)])
            {
                let units: Vec<u16> = kind.iter().copied().cycle().skip(turn).take(len).collect();
                let model = Units::new(&units);
                model.check(room.behind(&units));
                let input = room.before(&units);
                model.check(input);
                model.check_in_place(input);
                input.copy_from_slice(&units);
                // Both orders at each length, as both turns are.
                let endian = [Endian::Little, Endian::Big][(len + turn) % 2];
                model.check_bytes(&units, endian, &mut raw, &mut out);
                let text = model.text.as_bytes();
                both(&mut out, &vec![0; text.len()], |out| {
                    assert_eq!(utf16::encode_lossy_into(input, out), Some(text.len()));
                    assert_eq!(out, text);
                });
                both(&mut out, &vec![0; text.len().saturating_sub(1)], |out| {
                    let empty = text.is_empty().then_some(0);
                    assert_eq!(utf16::encode_lossy_into(input, out), empty);
                });
            }
        }
    });
}

#[test]
fn text_as_units() {
    each_tier(|| {
        let mut room = Guarded::new(BYTES);
        let mut out = Guarded::new(BYTES);
        for len in lengths(0, BYTES) {
            for text in texts(len) {
                let units: Vec<u16> = text.encode_utf16().collect();
                let input = std::str::from_utf8(room.before(text.as_bytes())).unwrap();
                both(&mut out, &vec![0; units.len()], |out| {
                    assert_eq!(utf16::encode_utf16_into(input, out), Some(units.len()));
                    assert_eq!(out, units);
                });
                both(&mut out, &vec![0; units.len().saturating_sub(1)], |out| {
                    let empty = units.is_empty().then_some(0);
                    assert_eq!(utf16::encode_utf16_into(input, out), empty);
                });
                let mut appended = Vec::new();
                utf16::append_utf16(input, &mut appended);
                assert_eq!(appended, units);
            }
        }
    });
}

/// What is right for some units.
struct Units {
    count: usize,
    offsets: [Option<usize>; 8],
    text: String,
    lone: usize,
    first: Option<usize>,
}

impl Units {
    fn new(units: &[u16]) -> Self {
        let count = model::runes(units).len();
        Self {
            count,
            offsets: asked(count).map(|n| model::utf16_offset(units, n)),
            text: String::from_utf16_lossy(units),
            lone: model::lone_count(units),
            first: model::first_lone(units),
        }
    }

    fn check(&self, units: &[u16]) {
        assert_eq!(utf16::count(units), self.count, "{units:x?}");
        for (n, offset) in asked(self.count).into_iter().zip(self.offsets) {
            assert_eq!(utf16::offset(units, n), offset, "{n} of {units:x?}");
            assert_eq!(utf16::prefix(units, n), &units[..offset.unwrap_or(units.len())]);
        }
        for n in asked(self.count) {
            let (head, tail) = utf16::split_at(units, n);
            assert_eq!(head, utf16::prefix(units, n));
            assert_eq!(head.len() + tail.len(), units.len());
            assert_eq!(utf16::substr(units, n, 9), utf16::prefix(tail, 9));
            assert_eq!(utf16::count_upto(units, n), self.count.min(n));
            assert_eq!(utf16::exceeds(units, n), self.count > n);
            let rest = utf16::split_at(units, self.count.saturating_sub(n)).1;
            assert_eq!(utf16::suffix(units, n), rest);
        }
        assert_eq!(utf16::utf8_len(units), self.text.len());
        let mut out = Vec::new();
        assert_eq!(utf16::append_utf8_lossy(units, &mut out), self.lone);
        assert_eq!(out, self.text.as_bytes());
        let mut out = String::new();
        assert_eq!(utf16::append_lossy(units, &mut out), self.lone);
        assert_eq!(out, self.text);
        let expected = self.first.map_or(Ok(()), |index| Err(utf16::LoneSurrogate { index }));
        assert_eq!(utf16::append_utf8(units, &mut Vec::new()), expected);
        assert_eq!(utf16::append(units, &mut String::new()), expected);
        assert_eq!(utf16::validate(units), expected);
    }

    fn check_in_place(&self, units: &mut [u16]) {
        assert_eq!(utf16::replace_lone(units), self.lone);
        assert!(units.iter().copied().eq(self.text.encode_utf16()));
    }

    /// The units as bytes; and with one more, that is half a unit.
    fn check_bytes(
        &self,
        units: &[u16],
        endian: Endian,
        room: &mut Guarded<u8>,
        out: &mut Guarded<u8>,
    ) {
        let mut bytes: Vec<u8> = match endian {
            Endian::Little => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
            Endian::Big => units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
        };
        for odd in [0, 1] {
            let text = format!("{}{}", self.text, "\u{FFFD}".repeat(odd));
            let first = self.first.map(|at| 2 * at).or((odd == 1).then_some(2 * units.len()));
            let expected = first.map_or(Ok(()), |offset| Err(MalformedUtf16 { offset }));
            both(room, &bytes, |bytes| {
                assert_eq!(utf16_bytes::count(bytes, endian), self.count + odd);
                assert_eq!(utf16_bytes::utf8_len(bytes, endian), text.len());
                assert_eq!(utf16_bytes::validate(bytes, endian), expected);
                for (n, offset) in asked(self.count).into_iter().zip(self.offsets) {
                    let prefix = &bytes[..offset.map_or(bytes.len(), |at| 2 * at)];
                    assert_eq!(utf16_bytes::prefix(bytes, endian, n), prefix);
                }
                let mut string = String::new();
                let malformed = utf16_bytes::append_lossy(bytes, endian, &mut string);
                assert_eq!((malformed, &string), (self.lone + odd, &text));
                let mut vec = Vec::new();
                assert_eq!(utf16_bytes::append_utf8_lossy(bytes, endian, &mut vec), malformed);
                assert_eq!(utf16_bytes::append(bytes, endian, &mut string), expected);
                assert_eq!(utf16_bytes::append_utf8(bytes, endian, &mut vec), expected);
            });
            let input = room.before(&bytes);
            both(out, &vec![0; text.len()], |out| {
                let written = utf16_bytes::encode_lossy_into(input, endian, out);
                assert_eq!(written, Some(text.len()));
                assert_eq!(out, text.as_bytes());
            });
            bytes.push(0);
        }
    }
}

/// Names the edge to touch, in the process that `a_touch_is_seen` starts.
const TOUCH: &str = "UTF8_RUNES_TOUCH";

#[test]
fn a_touch() {
    let mut room = Guarded::<u8>::new(1);
    assert_eq!(room.before(&[7]), [7]);
    assert_eq!(room.behind(&[8]), [8]);
    if let Ok(edge) = std::env::var(TOUCH) {
        room.touch(edge == "behind");
    }
}

/// The guards themselves: who reads one byte too far at either end does not live to tell.
#[test]
fn a_touch_is_seen() {
    for edge in ["before", "behind"] {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["a_touch", "--exact"]).env(TOUCH, edge);
        // The sanitizer would make an exit of the signal.
        child.env("ASAN_OPTIONS", "handle_segv=0:handle_sigbus=0");
        let end = child.output().unwrap().status;
        assert!(matches!(end.signal(), Some(libc::SIGSEGV | libc::SIGBUS)), "{edge}: {end}");
    }
}
