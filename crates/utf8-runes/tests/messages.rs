//! What errors say, and the SQLSTATE they give.

use utf8_runes::column::{DecodeError, EncodeError, FixedText, LengthPrefix, Overflow, Pad};
use utf8_runes::column::{RightTruncation, Tail, Unit, VarText};
use utf8_runes::utf16::LoneSurrogate;
use utf8_runes::utf16_bytes::{Endian, MalformedUtf16, validate};

#[test]
fn texts_and_states() {
    let column = FixedText::new(2).tail(Tail::RequireBlank);
    let mut field = [0; 3];
    let decode = [
        column.decode(b"a\xFF").unwrap_err(),
        column.decode(b"ab c").unwrap_err(),
        VarText::new(2).decode(b"\x02\0a").unwrap_err(),
    ];
    let encode = [
        column.encode("abc", &mut field).unwrap_err(),
        column.encode("日", &mut field).unwrap_err(),
    ];
    let mut lines = Vec::new();
    lines.extend(decode.map(|error| format!("{} {error}", error.sqlstate())));
    lines.extend(encode.map(|error| format!("{} {error}", error.sqlstate())));
    let truncation = RightTruncation { expected: 2, actual: 3 };
    lines.push(format!("{} {truncation}", truncation.sqlstate()));
    lines.push(LoneSurrogate { index: 7 }.to_string());
    lines.push(validate(b"A\0B", Endian::Little).unwrap_err().to_string());
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn settings_and_errors_are_plain_values() {
    fn plain<T: Copy + Eq + std::fmt::Debug + Send + Sync + 'static>() {}
    fn error<T: Copy + Eq + std::error::Error + Send + Sync + 'static>() {}
    plain::<(FixedText, VarText, LengthPrefix, Unit, Pad, Overflow, Tail)>();
    error::<DecodeError>();
    error::<EncodeError>();
    error::<RightTruncation>();
    error::<LoneSurrogate>();
    error::<MalformedUtf16>();
    plain::<Endian>();
    #[cfg(feature = "firebird")]
    {
        use utf8_runes::firebird::{Charset, Layout, NotText, TextColumn};
        error::<NotText>();
        plain::<(Charset, Layout, TextColumn)>();
    }
}

#[cfg(feature = "firebird")]
#[test]
fn not_text() {
    use utf8_runes::firebird::TextColumn;

    let descriptions = [(496, 0, 4), (453, 1, 8), (452, 7, 4), (448, 4, -40_000)];
    let lines = descriptions.map(|(sqltype, sqlsubtype, sqllen)| {
        TextColumn::new(sqltype, sqlsubtype, sqllen).unwrap_err().to_string()
    });
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn widths() {
    const COLUMN: FixedText = FixedText::new(10).bytes_per_char(3);
    assert_eq!(COLUMN.byte_width(), 30);
    assert_eq!(FixedText::new(10).byte_width(), 40);
    assert_eq!(FixedText::new(10).unit(Unit::Utf16).byte_width(), 40);
    assert_eq!(FixedText::new(10).unit(Unit::Bytes).byte_width(), 10);
    assert_eq!(FixedText::new(usize::MAX).byte_width(), usize::MAX);
}

#[cfg(feature = "tiers")]
#[test]
fn tiers() {
    use utf8_runes::tier::{Tier, available, force};

    assert!(available().contains(&Tier::Portable));
    for tier in [Tier::Portable, Tier::Sse2, Tier::Avx2, Tier::Avx512] {
        assert_eq!(force(Some(tier)), available().contains(&tier));
        assert_eq!(utf8_runes::count("日本語"), 3);
    }
    assert!(force(None));
}

/// Owned results take one allocation of the right size; borrowed ones are borrowed.
#[cfg(feature = "alloc")]
#[test]
fn owned_once() {
    use std::borrow::Cow;

    let Ok(Cow::Owned(padded)) = FixedText::new(9).fit("日本") else { panic!("not padded") };
    assert_eq!(padded.capacity(), padded.len());
    assert!(matches!(FixedText::new(2).fit("日本"), Ok(Cow::Borrowed("日本"))));
    assert!(matches!(utf8_runes::bytes::prefix_lossy(b"a\xFF", 1), Cow::Borrowed("a")));
    let units: Vec<u16> = "aé日😊".repeat(9).encode_utf16().collect();
    let mut out = Vec::new();
    assert_eq!(utf8_runes::utf16::append_utf8_lossy(&units, &mut out), 0);
    assert_eq!(out, "aé日😊".repeat(9).as_bytes());
    assert_eq!(out.capacity(), out.len());
}
