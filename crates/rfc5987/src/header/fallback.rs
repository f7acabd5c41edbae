//! Which names can be sent as a plain quoted string, and what is sent to clients that read nothing
//! else when one cannot.
//!
//! The rules are what real clients do: curl and wget drop a name with an escaped quote or a
//! backslash and take the URL's, browsers decode `%41` and `=?utf-8?B?…?=` in a plain parameter,
//! and `/` is a separator to all of them. So a plain name has none of these.

use crate::alphabet::{EQUALS, HEX_VALUE, NAME_CLASS, NO_DIGIT, NOT_PLAIN, PERCENT};
use crate::arch;
use alloc::string::String;

/// How a file name can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it is, in quotes.
    Plain,
    /// As an ext-value, beside a fallback.
    Extended {
        /// The fallback must take an `=?` apart.
        encoded_word: bool,
    },
}

/// How `name` can be sent.
pub(crate) fn form_of(name: &str) -> Form {
    let mut class = 0;
    for byte in name.bytes() {
        class |= NAME_CLASS[usize::from(byte)];
        if class & NOT_PLAIN != 0 {
            // Its form is known, but not yet whether an `=` follows.
            class |= EQUALS;
            break;
        }
    }
    let bytes = name.as_bytes();
    let encoded_word = class & EQUALS != 0 && bytes.contains(&b'=') && name.contains("=?");
    if class & NOT_PLAIN != 0 || encoded_word || (class & PERCENT != 0 && has_escape(name)) {
        Form::Extended { encoded_word }
    } else {
        Form::Plain
    }
}

/// Whether there is a `%` with two hexadecimal digits behind it, which some clients decode.
fn has_escape(name: &str) -> bool {
    let digit = |byte: u8| HEX_VALUE[usize::from(byte)] != NO_DIGIT;
    name.as_bytes().windows(3).any(|w| w[0] == b'%' && digit(w[1]) && digit(w[2]))
}

/// The number of characters of the fallback of `name`: one for each scalar value.
pub(crate) fn fallback_len(name: &str) -> usize {
    utf8_runes::count(name)
}

/// Appends the fallback of `name`: itself with `_` for each scalar value that is not printable
/// ASCII and for `"`, `\`, `/` and `%`. The extension stays, as far as it is ASCII.
pub(crate) fn append_fallback(name: &str, len: usize, encoded_word: bool, out: &mut String) {
    if !encoded_word {
        arch::append_fallback(name, len, out);
        return;
    }
    // `=?` begins an encoded word in the eyes of browsers: the `?` goes too.
    for (number, part) in name.split("=?").enumerate() {
        if number > 0 {
            out.push_str("=_");
        }
        arch::append_fallback(part, fallback_len(part), out);
    }
}
