//! TEXT columns out of SQLite with no copy or one copy, checked UTF-8, through
//! [rusqlite](https://docs.rs/rusqlite).
//!
//! It is for programs that read much text from SQLite: scans, exports, loaders, caches. A text is
//! borrowed from the row for as long as the row stands, or copied once into what you keep.
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
//! # When not to use it
//! When you keep every text as a `String` and they are ASCII: `row.get::<_, String>` already makes
//! one copy and one allocation. When the time goes into the query itself: nothing here makes SQLite
//! step faster. When you want numbers, dates or JSON: rusqlite's `FromSql` types.
//!
//! # Performance
//! SQLite copies each text once, from its page to the statement. On top of that a borrow costs a
//! check of the UTF-8 and no allocation; an owned text one copy and, above 24 bytes with
//! [`TextBuf`], one allocation. The check is that of `utf8-runes`: faster than the
//! standard library's on ASCII, and today the same on other text. [`RowTextExt`] cannot be faster than rusqlite's own `get_ref`; [`TextStatement`] is not bound by that. From a UTF-16
//! database it takes the UTF-16 and transcodes it itself, into memory that it reuses. `benches/` in
//! the repository measures all of it against rusqlite.
//!
//! # Untrusted input
//! SQLite stores any bytes as TEXT: `cast(x'FF' AS TEXT)` is one. Nothing here trusts them; text
//! that is not UTF-8 is an error, or U+FFFD if you ask for that. A NUL inside a text is kept. The
//! empty text, NULL and the empty BLOB stay three different things. In a UTF-16 database a lone
//! surrogate is an error of [`TextStatement`], where SQLite's own conversion gives bytes that are
//! not UTF-8 or swallows the next character. Out of memory is an error there, never an empty text.
//! A database file made by somebody else can hold surprising *names* too: see the limits of
//! [`RowTextExt`].
//!
//! # Features
//! | feature | default | what |
//! |---|---|---|
//! | `rusqlite` | yes | [`RowTextExt`], [`LossyText`], `FromSql` and `ToSql` for [`TextBuf`], [`TextStatement::prepare`] and [`query`](TextStatement::query) |
//! | `bundled` | no | builds SQLite from source in place of linking the system's |

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
mod decode;
mod error;
#[cfg(feature = "rusqlite")]
mod extension;
mod function;
#[allow(unsafe_code, reason = "the one room for it")]
mod raw;
mod rows;
#[cfg(all(doctest, feature = "rusqlite"))]
mod rules;
mod statement;
mod text_buf;

pub use batch::{BatchReader, Offset, TextBatch, TextBatchIter};
#[cfg(feature = "rusqlite")]
pub use bound::BoundStatement;
pub use error::{Error, Result, StorageClass};
#[cfg(feature = "rusqlite")]
pub use extension::{LossyText, RowTextExt};
pub use rows::{TextRow, TextRows};
pub use statement::{TextStatement, TypePolicy};
pub use text_buf::TextBuf;

#[cfg(all(doctest, feature = "rusqlite"))]
#[doc = include_str!("../README.md")]
mod readme {}
