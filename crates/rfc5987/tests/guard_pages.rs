//! The codec on input, and into output, that lies exactly between pages which must not be touched:
//! one byte read or written too far ends the process. On every length and tier.
#![cfg(unix)]

mod each_tier;
mod guarded;

use each_tier::each_tier;
use guarded::Guarded;
use rfc5987::{DecodeErrorKind, decode, decode_lossy, encode, encode_append, encode_into};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;

const LONGEST: usize = 300;

/// The value-chars of `text`, by nobody's code.
fn slow(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").unwrap();
        }
    }
    out
}

/// Texts of `len` bytes: nothing to escape, nothing else, every second, third, ... byte, one byte at
/// an edge, one byte that is not, runs, and scalar values of several bytes.
fn texts(len: usize) -> Vec<String> {
    let by = |escaped: &dyn Fn(usize) -> bool| -> String {
        (0..len).map(|at| if escaped(at) { '(' } else { 'f' }).collect()
    };
    let mut texts = vec![by(&|_| false), by(&|_| true)];
    for period in [2, 3, 4, 5, 7, 16, 21] {
        texts.push(by(&|at| at % period == len % period));
    }
    for edge in [0, len / 2, len.saturating_sub(1)] {
        texts.push(by(&|at| at == edge));
        texts.push(by(&|at| at != edge));
    }
    texts.push(by(&|at| at / 16 % 2 == 0));
    texts.push(by(&|at| at / 32 % 2 == 1));
    texts.push(by(&|at| at.wrapping_mul(2_654_435_761) >> 7 & 3 == 0));
    for char in ['é', '四', '🎉'] {
        let n = char.len_utf8();
        let mut text = "f".repeat(len % n);
        text.extend((0..len / n).map(|_| char));
        texts.push(text);
        let mut text = String::new();
        while text.len() + n < len {
            text.push(char);
            text.push('f');
        }
        texts.push(format!("{text:.<0$}", text.chars().count() + len - text.len()));
    }
    texts
}

/// Calls `check` with `bytes` before the guard and behind the other one.
fn both(room: &mut Guarded, bytes: &[u8], mut check: impl FnMut(&mut [u8])) {
    check(room.before(bytes));
    check(room.behind(bytes));
}

#[test]
fn every_length() {
    each_tier(|| {
        let mut input = Guarded::new(3 * LONGEST);
        let mut output = Guarded::new(3 * LONGEST);
        for len in 0..=LONGEST {
            for text in texts(len) {
                assert_eq!(text.len(), len);
                let expected = slow(&text);
                both(&mut input, text.as_bytes(), |value| {
                    check_encode(value, &expected, &mut output);
                });
                both(&mut input, expected.as_bytes(), |value| check_decode(value, &text));
                both(&mut input, &expected.to_ascii_lowercase().into_bytes(), |value| {
                    check_decode(value, &text);
                });
            }
        }
    });
}

fn check_encode(value: &[u8], expected: &str, output: &mut Guarded) {
    let text = std::str::from_utf8(value).unwrap();
    assert_eq!(rfc5987::encoded_len(value), expected.len());
    both(output, &vec![0; expected.len()], |out| {
        assert_eq!(encode_into(value, out), Ok(expected));
        assert_eq!(out, expected.as_bytes());
        if let Some((_, short)) = out.split_last_mut() {
            short.fill(7);
            assert_eq!(encode_into(value, short).unwrap_err().needed, expected.len());
            assert!(short.iter().all(|byte| *byte == 7));
        }
    });
    match encode(text) {
        Cow::Borrowed(same) => assert_eq!((same, text), (expected, expected)),
        Cow::Owned(owned) => {
            assert_eq!(owned, expected);
            assert_eq!(owned.capacity(), owned.len());
        }
    }
    let mut appended = String::from("é");
    encode_append(text, &mut appended);
    assert_eq!(&appended["é".len()..], expected);
}

fn check_decode(value: &[u8], text: &str) {
    let value = std::str::from_utf8(value).unwrap();
    let decoded = decode(value).unwrap();
    // Lower case is the same text, but for letters that are not escaped: there are none but `f`.
    assert_eq!(decoded, text);
    assert_eq!(matches!(decoded, Cow::Borrowed(_)), !value.contains('%'));
    if let Cow::Owned(owned) = decoded {
        assert_eq!(owned.capacity(), owned.len());
    }
    let Some(at) = value.rfind('%') else { return };
    // What the end cuts short is an error, and lossily kept.
    for end in [at + 1, at + 2] {
        let cut = &value[..end];
        let error = decode(cut).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::InvalidEscape, at));
        assert!(decode_lossy(cut).ends_with(&cut[at..]));
    }
}

/// Names the edge to touch, in the process that `a_touch_is_seen` starts.
const TOUCH: &str = "RFC5987_TOUCH";

#[test]
fn a_touch() {
    let mut room = Guarded::new(1);
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
