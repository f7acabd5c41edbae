//! Count, cut and validate text by Unicode scalar value ("rune"), and read and write fixed-length
//! CHAR(n) columns, in place: nothing is copied where a borrow will do.
//!
//! For authors of database drivers, column stores and text tools, who get text as bytes of a
//! length in characters, or as UTF-16, and must find where the n-th character ends.
//!
//! # Examples
//!
//! Count and cut a `&str`:
//!
//! ```
//! assert_eq!(utf8_runes::count("日本語"), 3);
//! assert_eq!(utf8_runes::prefix("日本語", 2), "日本");
//! assert!(utf8_runes::exceeds("日本語", 2));
//! ```
//!
//! Cut and validate bytes in one go:
//!
//! ```
//! assert_eq!(utf8_runes::bytes::prefix(b"abc\xFF", 3), Ok("abc"));
//! ```
//!
//! From the end, by position, within limits of other units; as functions or as methods of `str`:
//!
//! ```
//! use utf8_runes::RuneStr;
//!
//! assert_eq!("日本語です".rune_suffix(2), "です");
//! assert_eq!("日本語です".rune_substr(1, 2), "本語");
//! assert_eq!(utf8_runes::rune_index("日本語", 6), 2); // the character at byte 6
//! assert_eq!(utf8_runes::prefix_bytes("日本語", 7), "日本"); // VARCHAR2(7 BYTE)
//! assert_eq!(utf8_runes::prefix_utf16("😊😊", 3), "😊"); // NVARCHAR(3), maxlength="3"
//! ```
//!
//! Read and write a CHAR(n) field:
//!
//! ```
//! use utf8_runes::column::{FixedText, Pad};
//!
//! let column = FixedText::new(2).pad(Pad::Trim);
//! assert_eq!(column.decode("😊!   ".as_bytes()), Ok("😊!"));
//! let mut field = [0; 8];
//! column.encode("é", &mut field).unwrap();
//! assert_eq!(field, *"é      ".as_bytes());
//! ```
//!
//! Read a column as a driver gets it described and fetched, here `CHAR(5) CHARACTER SET UTF8` of
//! Firebird (feature `firebird`):
//!
//! ```
//! # #[cfg(feature = "firebird")] {
//! use utf8_runes::column::Pad;
//! use utf8_runes::firebird::{Layout, TextColumn};
//!
//! // Three members of its XSQLVAR, once a statement.
//! let (sqltype, sqlsubtype, sqllen) = (452, 4, 20);
//! let column = TextColumn::new(sqltype, sqlsubtype, sqllen).unwrap().pad(Pad::Trim);
//!
//! // What `sqldata` points to, once a row: borrowed, cut to five characters, validated.
//! let sqldata = "Zoë 😊           ".as_bytes();
//! assert_eq!(column.decode(sqldata), Ok("Zoë 😊"));
//!
//! // Or many rows in one buffer: each the field and two bytes that tell a null.
//! let Layout::Fixed(char5) = column.layout() else { panic!("not CHAR") };
//! let rows = [sqldata, b"\0\0", b"Ada                 ", b"\0\0"].concat();
//! let names: Vec<_> = char5.decode_rows(&rows, 22).map(Result::unwrap).collect();
//! assert_eq!(names, ["Zoë 😊", "Ada"]);
//!
//! // A parameter is the whole field; text that does not fit is SQLSTATE 22001.
//! let mut field = [0; 20];
//! assert_eq!(column.encode("naïve", &mut field), Ok(20));
//! assert_eq!(column.encode("naïveté", &mut field).unwrap_err().sqlstate(), "22001");
//! # }
//! ```
//!
//! Count, cut and convert UTF-16, lone surrogates included, and as bytes of either order:
//!
//! ```
//! let units = [0xD83D, 0xDE0A, 0xD83D];
//! assert_eq!(utf8_runes::utf16::count(&units), 2);
//! assert_eq!(utf8_runes::utf16::prefix(&units, 1), &units[..2]);
//! # #[cfg(feature = "alloc")] {
//! let mut text = String::new();
//! assert_eq!(utf8_runes::utf16::append_lossy(&units, &mut text), 1);
//! assert_eq!(text, "😊\u{FFFD}");
//! # }
//!
//! use utf8_runes::utf16_bytes::{self, Endian};
//! assert_eq!(utf16_bytes::count(b"\xD8\x3D\xDE\x0A\0!", Endian::Big), 2);
//! ```
//!
//! # When not to use it
//!
//! A rune is not what a reader calls a character: `e` with U+0301 is two. For graphemes, display
//! width, normalisation or collation take crates of the `unicode-rs` and ICU4X families; for other
//! character sets, `encoding_rs`. If text is short and rarely counted, `chars().count()` does.
//!
//! # Performance
//!
//! Nothing allocates but what returns or fills an owned value, and that once. Work is bounded by what is asked for: the n-th rune is sought no further than it
//! lies, a cut validates what it returns and not what it drops. Malformed input costs a second look,
//! for the standard library to say where the fault is.
//!
//! On x86-64 the kernels are there for AVX-512 (F, BW, VL; with VBMI and VBMI2 where the processor
//! has them), for AVX2 (with BMI1, BMI2, LZCNT and POPCNT) and for SSE2. The first call that has 32
//! bytes or more asks the processor; from then on a call reads that answer, one byte, and shorter
//! input never asks. Elsewhere, and for what a lesser instruction set has nothing to add to, the
//! portable kernels run: safe code in shapes that compilers vectorise, and the standard library for
//! validation.
//!
//! Without the feature `std` nobody can ask: what the program is compiled for is used
//! (`-C target-cpu`, `-C target-feature`). With it, a program that is compiled for AVX-512 with VBMI
//! and VBMI2 does not ask either.
//!
//! Measured against the standard library and other crates in the repository's `docs/BENCHMARKS.md`.
//!
//! # Untrusted input
//!
//! Every function is total: any bytes, any units, any length up to `usize::MAX` have a defined
//! result, and nothing panics. Unsafe code lives in `arch` alone. Malformed UTF-8 is an error with its
//! position, the one [`core::str::from_utf8`] gives, or U+FFFD where a name says `lossy`.
//! `column::FixedText::fit` and `encode_append` add as many blanks as the column's length says: do
//! not let strangers choose that length.
//!
//! # Features
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `std` | yes | `alloc`; the instruction set is chosen at run time |
//! | `alloc` | with `std` | what returns `Cow`, writes to a `String` or `Vec`, or shortens one |
//! | `tiers` | no | `tier`: which kernels run, for tests and benchmarks; what the program is compiled for then takes no short cut |
//! | `firebird` | no | `firebird`: the character sets of a Firebird server, and its columns as described |

#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod arch;
pub mod bytes;
pub mod column;
#[cfg(feature = "firebird")]
pub mod firebird;
mod rune_str;
mod text;
#[cfg(feature = "tiers")]
pub mod tier;
pub mod utf16;
pub mod utf16_bytes;

pub use rune_str::RuneStr;
#[cfg(feature = "alloc")]
pub use text::truncate;
pub use text::{
    ceil_char_boundary, count, count_upto, exceeds, floor_char_boundary, offset, offset_from_end,
    prefix, prefix_bytes, prefix_utf16, rune_index, split_at, substr, suffix, suffix_bytes,
    trim_blanks, utf16_len,
};

/// The README's example is a test.
#[cfg(all(doctest, feature = "firebird"))]
#[doc = include_str!("../README.md")]
struct Readme;
