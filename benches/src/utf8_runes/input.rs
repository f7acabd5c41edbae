//! What the cases read: made by rule, the same on every machine and in every runner.
//!
//! Depends on nothing, so that the runners of the heavy peers can include this file.

/// What a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Lower-case words: one byte each.
    Ascii,
    /// Words in which every tenth letter or so takes two bytes.
    Latin,
    /// ASCII with one letter in five of two, three or four bytes.
    Mixed,
    /// Ideographs: three bytes each.
    Cjk,
    /// Above U+FFFF: four bytes each, a pair in UTF-16.
    Emoji,
}

/// The texts that the kernels are measured on, by the names that their cases have.
pub const TEXTS: [(Script, &str); 4] = [
    (Script::Ascii, "ascii"),
    (Script::Mixed, "mixed"),
    (Script::Cjk, "cjk"),
    (Script::Emoji, "emoji"),
];

/// Sizes: bytes of UTF-8, units of UTF-16.
pub const SIZES: [usize; 4] = [16, 100, 400, 4096];

/// Larger than what a core has to itself: 1 MiB.
pub const LARGE: usize = 1 << 20;

/// Lengths of a CHAR column; 8191 is the longest that Firebird has in UTF8.
pub const LENGTHS: [usize; 4] = [10, 100, 255, 8191];

/// How much of a field is text, as a divisor of its length; the rest is blanks.
pub const FILLS: [(&str, usize); 2] = [("full", 1), ("quarter", 4)];

/// A case's name, made once a process.
#[must_use]
pub fn name(what: &str, text: &str, rest: &str) -> &'static str {
    format!("utf8-runes/{what}/{text}-{rest}").leak()
}

/// A fixed generator (splitmix64), so that no pattern repeats within an input.
struct Generator(u64);

impl Generator {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z >> 33) % u64::from(n)) as u32
    }

    fn from(&mut self, first: u32, count: u32) -> char {
        char::from_u32(first + self.below(count)).unwrap_or('?')
    }

    fn rune(&mut self, script: Script) -> char {
        let letter = |g: &mut Self| if g.below(6) == 0 { ' ' } else { g.from(0x61, 26) };
        match script {
            Script::Ascii => letter(self),
            Script::Latin if self.below(10) == 0 => self.from(0xE0, 0x1F),
            Script::Latin => letter(self),
            Script::Mixed => match self.below(15) {
                0 => self.from(0xE0, 0x1F),
                1 => self.rune(Script::Cjk),
                2 => self.rune(Script::Emoji),
                _ => letter(self),
            },
            Script::Cjk => self.from(0x4E00, 0x5000),
            Script::Emoji => self.from(0x1_F600, 0x40),
        }
    }
}

/// An endless text.
fn runes(script: Script) -> impl Iterator<Item = char> {
    let mut generator = Generator(20_261_130);
    std::iter::repeat_with(move || generator.rune(script))
}

/// Exactly `len` bytes; where the last character would not fit, `.` fills up.
#[must_use]
pub fn text(script: Script, len: usize) -> String {
    let mut text = String::with_capacity(len);
    for rune in runes(script) {
        if text.len() + rune.len_utf8() > len {
            break;
        }
        text.push(rune);
    }
    text.extend(std::iter::repeat_n('.', len - text.len()));
    text
}

/// A text, and seven eighths of its characters.
#[must_use]
pub fn text_and_offset(script: Script, len: usize) -> (String, usize) {
    let text = text(script, len);
    let n = text.chars().count() * 7 / 8;
    (text, n)
}

/// Exactly `count` characters.
#[must_use]
pub fn characters(script: Script, count: usize) -> String {
    runes(script).take(count).collect()
}

/// Exactly `count` characters as UTF-16.
#[must_use]
pub fn utf16(script: Script, count: usize) -> Vec<u16> {
    characters(script, count).encode_utf16().collect()
}

/// Exactly `len` units; where the last pair would not fit, `.` fills up.
#[must_use]
pub fn units(script: Script, len: usize) -> Vec<u16> {
    let mut units = Vec::with_capacity(len);
    for rune in runes(script) {
        if units.len() + rune.len_utf16() > len {
            break;
        }
        units.extend_from_slice(rune.encode_utf16(&mut [0; 2]));
    }
    units.resize(len, u16::from(b'.'));
    units
}

/// The field of a CHAR(`length`) CHARACTER SET UTF8: 4 × `length` bytes, `filled` characters and
/// blanks.
#[must_use]
pub fn field(script: Script, length: usize, filled: usize) -> Vec<u8> {
    let mut field = characters(script, filled).into_bytes();
    field.resize(4 * length, b' ');
    field
}

/// The fields of `rows` rows, one behind the other, each with a text of its own.
#[must_use]
pub fn fields(script: Script, length: usize, filled: usize, rows: usize) -> Vec<u8> {
    let mut texts = runes(script);
    let mut fields = Vec::with_capacity(4 * length * rows);
    for row in 1..=rows {
        let text: String = texts.by_ref().take(filled).collect();
        fields.extend_from_slice(text.as_bytes());
        fields.resize(4 * length * row, b' ');
    }
    fields
}

/// The field of a VARCHAR: its byte length in two bytes, the lower first, and the text.
#[must_use]
pub fn var_field(script: Script, count: usize) -> Vec<u8> {
    let text = characters(script, count);
    let len = u16::try_from(text.len()).unwrap_or(u16::MAX);
    [len.to_le_bytes().as_slice(), text.as_bytes()].concat()
}

/// A GUID as programs write it, 36 characters.
#[must_use]
pub fn guid() -> &'static str {
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
}
