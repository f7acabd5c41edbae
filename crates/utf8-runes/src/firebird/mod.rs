//! Character sets and text columns as a Firebird server describes them (feature `firebird`).
//!
//! A prepared statement comes with a description of each column: an `XSQLVAR` of the classic
//! interface, the `IMessageMetadata` of the newer one, or the items of `isc_info_sql` on the wire.
//! Three of its numbers say how the bytes of a text column are to be read, and [`TextColumn`]
//! reads them so:
//!
//! ```
//! use utf8_runes::column::Pad;
//! use utf8_runes::firebird::TextColumn;
//!
//! // What an XSQLDA says of CHAR(5) CHARACTER SET UTF8, nullable, and a fetched field of 20 bytes.
//! let (sqltype, sqlsubtype, sqllen) = (453, 4, 20);
//! let field = "Zoë 😊           ".as_bytes();
//!
//! let column = TextColumn::new(sqltype, sqlsubtype, sqllen)?;
//! assert_eq!(column.charset().name, "UTF8");
//! assert!(column.is_nullable());
//! assert_eq!((column.length(), column.byte_width()), (5, 20));
//! assert_eq!(column.decode(field), Ok("Zoë 😊"));
//! assert_eq!(column.decode(b"A                   "), Ok("A    "));
//! assert_eq!(column.pad(Pad::Trim).decode(b"A                   "), Ok("A"));
//! # Ok::<(), utf8_runes::firebird::NotText>(())
//! ```
//!
//! # Which character set the bytes are in
//!
//! That of the *connection* (`isc_dpb_lc_ctype`), not of the column: the server converts. Over a
//! connection in UTF8 every text column is described as UTF8 with four bytes a character, but for
//! those of NONE and OCTETS, which stay as they are. Over a connection in NONE each column comes in
//! its own set; this crate tells how long it is, and the conversion is another crate's
//! ([`Charset::is_utf8`] says whether there is one to do).

mod charset;
mod text_column;

pub use charset::{Charset, charset};
pub use text_column::{Layout, NotText, TextColumn};
