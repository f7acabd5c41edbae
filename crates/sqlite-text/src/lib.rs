//! TEXT columns out of SQLite with no copy or one copy, checked UTF-8, from databases of any
//! encoding: beside [rusqlite](https://docs.rs/rusqlite), or on the statement of any other driver.
//!
//! It is for programs that read much text from SQLite: scans, exports, loaders, caches. A text is
//! borrowed from the row for as long as the row stands, copied once into what you keep, or read many
//! rows at a time into columns of Arrow's layout.
//!
//! # Tasks
//! Look at a text, keep nothing: [`RowTextExt::text`] borrows from SQLite's own memory.
#![cfg_attr(feature = "rusqlite", doc = "```")]
#![cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
//! use sqlite_text::RowTextExt;
//!
//! let db = rusqlite::Connection::open_in_memory()?;
//! db.execute_batch("CREATE TABLE log (line); INSERT INTO log VALUES ('ok'), ('error: disk')")?;
//! let mut statement = db.prepare_cached("SELECT line FROM log")?;
//! let mut rows = statement.query([])?;
//! let mut errors = 0;
//! while let Some(row) = rows.next()? {
//!     errors += usize::from(row.text(0)?.starts_with("error"));
//! }
//! assert_eq!(errors, 1);
//! # Ok::<(), rusqlite::Error>(())
//! ```
//! Keep many short texts: [`TextBuf`] in place of `String`, anywhere in rusqlite.
#![cfg_attr(feature = "rusqlite", doc = "```")]
#![cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
//! use sqlite_text::TextBuf;
//!
//! let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = db.prepare("SELECT 'Bern' UNION ALL SELECT 'Wien'")?;
//! let cities: Vec<TextBuf> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
//! assert_eq!(cities, ["Bern", "Wien"]);
//! # Ok::<(), rusqlite::Error>(())
//! ```
//! One buffer for all rows: [`RowTextExt::read_text_into`]. Text that may hold anything:
//! [`RowTextExt::text_lossy`] or, as a value, [`LossyText`].
#![cfg_attr(feature = "rusqlite", doc = "```")]
#![cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
//! use sqlite_text::RowTextExt;
//!
//! let db = rusqlite::Connection::open_in_memory()?;
//! let mut buffer = String::new();
//! db.query_row("SELECT 'Grüezi', cast(x'E9' AS TEXT)", [], |row| {
//!     row.read_text_into(0, &mut buffer)?;
//!     assert_eq!(row.text_lossy(1)?, "\u{FFFD}");
//!     assert!(row.text(1).is_err());
//!     Ok(())
//! })?;
//! assert_eq!(buffer, "Grüezi");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! As fast as SQLite goes, in databases of any encoding: [`TextStatement`] steps by itself.
#![cfg_attr(feature = "rusqlite", doc = "```")]
#![cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
//! use sqlite_text::TextStatement;
//!
//! let db = rusqlite::Connection::open_in_memory()?;
//! db.execute_batch("CREATE TABLE t (id, s); INSERT INTO t VALUES (1, 'one'), (2, NULL)")?;
//! let mut statement = TextStatement::prepare(&db, "SELECT s FROM t WHERE id >= ?1")?;
//! let mut rows = statement.query(&[&1])?;
//! let s = rows.column_index("s").unwrap();
//! assert_eq!(rows.next()?.unwrap().text_opt(s)?, Some("one"));
//! assert_eq!(rows.next()?.unwrap().text_opt(s)?, None);
//! assert!(rows.next()?.is_none());
//! # Ok::<(), rusqlite::Error>(())
//! ```
//! Without rusqlite: [`TextStatement::from_raw`] takes over a statement of `libsqlite3-sys`.
//!
//! Thousands of rows, into columns: [`TextBatch`], which with the feature `arrow` becomes an Arrow
//! array without a copy.
#![cfg_attr(feature = "rusqlite", doc = "```")]
#![cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
//! use sqlite_text::{TextBatch, TextStatement};
//!
//! let db = rusqlite::Connection::open_in_memory()?;
//! db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('one'), (NULL), ('three')")?;
//! let mut statement = TextStatement::prepare(&db, "SELECT s FROM t")?;
//! let mut reader = statement.read_batch(&[])?;
//! let mut columns = [TextBatch::new()];
//! let mut texts = 0;
//! while reader.next_batch(&mut columns)? > 0 {
//!     texts += columns[0].iter().flatten().count();
//! }
//! assert_eq!(texts, 2);
//! # Ok::<(), rusqlite::Error>(())
//! ```
//! Store or look up a long text without SQLite's copy of it: [`TextStatement::bind_static`]. Read one
//! text of megabytes in flat memory: [`TextReader`]. Write SQL functions over text: [`function`].
//!
//! # When not to use it
//! When you keep every text as a `String` and they are short and ASCII: `row.get::<_, String>` already
//! makes one copy and one allocation. When the time goes into the query itself: nothing here makes
//! SQLite step faster, and of a file that is not in memory the step is nearly all. When you want
//! numbers, dates or JSON: rusqlite's `FromSql` types.
//!
//! # Performance
//! SQLite copies each text once, from its page to the statement. On top of that a borrow costs a
//! check of the UTF-8 and no allocation; an owned text one copy and, above 24 bytes with
//! [`TextBuf`], one allocation; a batch one copy, checked in pieces of some KiB. The check is that of
//! `utf8-runes`. [`RowTextExt`] cannot be faster than rusqlite's own `get_ref`; [`TextStatement`] is
//! not bound by that: most of its time is `sqlite3_step`. From a UTF-16 database it takes the UTF-16
//! and transcodes it itself, into memory that it reuses. `benches/` in the repository measures all of
//! it against `sqlite3_step` alone, rusqlite, diesel, sqlx and sqll.
//!
//! # Untrusted input
//! SQLite stores any bytes as TEXT: `cast(x'FF' AS TEXT)` is one. Nothing here trusts them; text
//! that is not UTF-8 is an error, or U+FFFD if you ask for that. A NUL inside a text is kept. The
//! empty text, NULL and the empty BLOB stay three different things. In a UTF-16 database a lone
//! surrogate is an error of [`TextStatement`], where SQLite's own conversion gives bytes that are
//! not UTF-8 or swallows the next character. A long text there, of some KiB, that starts with U+FEFF
//! or U+FFFE SQLite takes to start with a mark of the byte order, and a statement reads what is
//! behind that; [`TextReader`] reads it as it is stored. Out of memory is an error of both, never an
//! empty text.
//! A database file made by somebody else can hold surprising *names* too: see the limits of
//! [`RowTextExt`].
//!
//! # Features
//! | feature | default | what |
//! |---|---|---|
//! | `rusqlite` | yes | [`RowTextExt`], [`LossyText`], `FromSql` and `ToSql` for [`TextBuf`], [`TextStatement::prepare`] and [`query`](TextStatement::query) |
//! | `bundled` | no | builds SQLite from source in place of linking the system's |
//! | `arrow` | no | [`TextBatch`] becomes a `StringArray` or `LargeStringArray` of `arrow-array` 60 |
//! | `compact_str` | no | `CompactText`, a `CompactString` that reads and binds as `String` does |

#![deny(unsafe_code)]
// The crate's page speaks of the getters for rusqlite also where they are left out.
#![cfg_attr(not(feature = "rusqlite"), allow(rustdoc::broken_intra_doc_links))]

/// The C interface that errors and codes refer to; the same crate as `rusqlite::ffi`.
pub use libsqlite3_sys as ffi;

mod batch;
#[cfg(feature = "rusqlite")]
mod bind;
mod blob_reader;
#[cfg(feature = "rusqlite")]
mod bound;
#[cfg(feature = "compact_str")]
mod compact;
mod decode;
mod encoding;
mod error;
#[cfg(feature = "rusqlite")]
mod extension;
pub mod function;
#[allow(unsafe_code, reason = "the one room for it")]
mod raw;
mod rows;
#[cfg(all(doctest, feature = "rusqlite"))]
mod rules;
mod statement;
mod text_buf;

pub use batch::{BatchReader, Offset, TextBatch, TextBatchIter};
pub use blob_reader::TextReader;
#[cfg(feature = "rusqlite")]
pub use bound::BoundStatement;
#[cfg(feature = "compact_str")]
pub use compact::CompactText;
/// What [`CompactText`] holds.
#[cfg(feature = "compact_str")]
pub use compact_str::CompactString;
pub use error::{Error, Result, StorageClass};
#[cfg(feature = "rusqlite")]
pub use extension::{LossyText, RowTextExt};
pub use rows::{TextRow, TextRows};
pub use statement::{TextStatement, TypePolicy};
pub use text_buf::TextBuf;

// One of its examples needs both.
#[cfg(all(doctest, feature = "rusqlite", feature = "arrow"))]
#[doc = include_str!("../README.md")]
mod readme {}
