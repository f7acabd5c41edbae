//! Text columns: CHAR(n) and VARCHAR(n) fields as database servers send and store them.
//!
//! [`FixedText`] describes a column whose fields have one length, and reads and writes them;
//! [`VarText`] is for fields that begin with their length. A CHAR(n) CHARACTER SET UTF8 column of
//! Firebird, for one, holds text of at most n scalar values in a field of 4n bytes, filled with
//! blanks; so the field decodes to *more* than n scalar values whenever the text is shorter than
//! 4n bytes, and a reader has to cut.
//!
//! ```
//! use utf8_runes::column::{FixedText, Overflow, Pad};
//!
//! const CODE: FixedText = FixedText::new(3); // CHAR(3)
//! assert_eq!(CODE.decode("😊        ".as_bytes()), Ok("😊  "));
//! assert_eq!(CODE.pad(Pad::Trim).decode("😊        ".as_bytes()), Ok("😊"));
//!
//! let mut field = [0; 12];
//! CODE.encode("日本", &mut field).unwrap();
//! assert_eq!(&field, "日本      ".as_bytes());
//! let error = CODE.encode("abcd", &mut field).unwrap_err();
//! assert_eq!(error.to_string(), "string right truncation, expected length 3, actual 4");
//! assert_eq!(error.sqlstate(), "22001");
//! // Standard SQL forgives blanks that are too many, and only those.
//! assert_eq!(CODE.overflow(Overflow::SqlStore).encode("abc  ", &mut field), Ok(()));
//! ```

mod error;
mod fixed;
mod settings;
mod var;

pub use error::{DecodeError, EncodeError, RightTruncation};
pub use fixed::FixedText;
pub use settings::{LengthPrefix, Overflow, Pad, Tail, Unit};
pub use var::VarText;
