//! What each byte means: the tables that every other module reads.

/// Whether `byte` is an attr-char of RFC 8187, section 3.2.1: a byte that an ext-value holds as it
/// is. All others are written as `%` and two hexadecimal digits.
///
/// These are 74 bytes: the ASCII letters and digits, the backtick and `! # $ & + - . ^ _ | ~`; in
/// other words the token characters of HTTP without `*`, `'` and `%`.
///
/// ```
/// assert!(rfc5987::is_attr_char(b'~'));
/// assert!(!b"*'%() \x7F\xE9".iter().any(|b| rfc5987::is_attr_char(*b)));
/// ```
#[must_use]
#[inline]
pub const fn is_attr_char(byte: u8) -> bool {
    // Few ranges and comparisons without branches: a loop over a block becomes vector code.
    (byte.wrapping_sub(b'^') <= b'z' - b'^')
        | (byte.wrapping_sub(b'A') <= b'Z' - b'A')
        | (byte.wrapping_sub(b'0') <= b'9' - b'0')
        | (byte.wrapping_sub(b'-') <= b'.' - b'-')
        | (byte | 2 == b'~') // `|` and `~`
        | (byte | 2 == b'#') // `!` and `#`
        | (byte | 2 == b'&') // `$` and `&`
        | (byte == b'+')
}

/// Whether `byte` is a tchar of RFC 9110, section 5.6.2.
pub(crate) const fn is_token_char(byte: u8) -> bool {
    is_attr_char(byte) | matches!(byte, b'*' | b'\'' | b'%')
}

/// The digits of an escape. Upper case, as RFC 3986 recommends and every producer writes.
pub(crate) const HEX_DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// How a byte is written: up to three bytes of text in the low 24 bits (first byte lowest), and
/// their number, 1 or 3, in the top 8.
pub(crate) static WRITTEN: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = if is_attr_char(byte as u8) {
            u32::from_le_bytes([byte as u8, 0, 0, 1])
        } else {
            u32::from_le_bytes([b'%', HEX_DIGITS[byte >> 4], HEX_DIGITS[byte & 15], 3])
        };
        byte += 1;
    }
    table
};

/// What [`HEX_VALUE`] holds for a byte that is no hexadecimal digit.
pub(crate) const NO_DIGIT: u8 = 0xFF;

/// The value of a hexadecimal digit of either case.
pub(crate) static HEX_VALUE: [u8; 256] = {
    let mut table = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        table[HEX_DIGITS[value as usize] as usize] = value;
        table[HEX_DIGITS[value as usize].to_ascii_lowercase() as usize] = value;
        value += 1;
    }
    table
};

/// [`NAME_CLASS`]: this byte keeps a name from being sent as a plain quoted string.
pub(crate) const NOT_PLAIN: u8 = 1;
/// [`NAME_CLASS`]: `%`, which does so before two hexadecimal digits.
pub(crate) const PERCENT: u8 = 2;
/// [`NAME_CLASS`]: `=`, which does so before `?`.
pub(crate) const EQUALS: u8 = 4;

/// What a byte of a file name means for the plain `filename` parameter.
pub(crate) static NAME_CLASS: [u8; 256] = {
    let mut table = [NOT_PLAIN; 256];
    let mut byte = 0x20;
    while byte < 0x7F {
        table[byte] = match byte as u8 {
            b'"' | b'\\' | b'/' => NOT_PLAIN,
            b'%' => PERCENT,
            b'=' => EQUALS,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// What stands for a byte in the fallback of a name; 0 for a continuation byte, so that a scalar
/// value gives one character.
pub(crate) static FALLBACK: [u8; 256] = {
    let mut table = [b'_'; 256];
    let mut byte = 0;
    while byte < 256 {
        if NAME_CLASS[byte] & (NOT_PLAIN | PERCENT) == 0 {
            table[byte] = byte as u8;
        } else if byte & 0xC0 == 0x80 {
            table[byte] = 0;
        }
        byte += 1;
    }
    table
};

/// [`KINDS`]: a tchar.
pub(crate) const TOKEN: u8 = 1;
/// [`KINDS`]: what can stand in an unquoted value that is read.
pub(crate) const UNQUOTED: u8 = 2;
/// [`KINDS`]: all but `;`.
pub(crate) const NO_SEMICOLON: u8 = 4;

/// To which of the three kinds each byte belongs.
pub(crate) static KINDS: [u8; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        if is_token_char(byte) {
            table[index] |= TOKEN | UNQUOTED;
        }
        if byte >= 0x80 {
            table[index] |= UNQUOTED;
        }
        if byte != b';' {
            table[index] |= NO_SEMICOLON;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attr_chars_are_those_of_the_grammar() {
        let marks = b"!#$&+-.^_`|~";
        for byte in 0..=u8::MAX {
            let named = byte.is_ascii_alphanumeric() || marks.contains(&byte);
            assert_eq!(is_attr_char(byte), named, "{byte:#04X}");
            let separator = b"()<>@,;:\\\"/[]?={} \t".contains(&byte);
            assert_eq!(is_token_char(byte), byte.is_ascii_graphic() && !separator, "{byte:#04X}");
        }
        assert_eq!((0..=u8::MAX).filter(|b| is_attr_char(*b)).count(), 74);
    }

    #[test]
    fn tables_agree_with_the_standard_library() {
        for byte in 0..=u8::MAX {
            let [a, b, c, len] = WRITTEN[usize::from(byte)].to_le_bytes();
            if is_attr_char(byte) {
                assert_eq!((a, len), (byte, 1));
            } else {
                assert_eq!(std::format!("%{byte:02X}").as_bytes(), &[a, b, c][..usize::from(len)]);
            }
            let digit = char::from(byte).to_digit(16).map_or(NO_DIGIT, |d| d as u8);
            assert_eq!(HEX_VALUE[usize::from(byte)], digit);
        }
    }
}
