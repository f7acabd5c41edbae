//! What a text that is bound without a copy must not do, as in the crate's `rules`.
//!
//! Its owner dies before the statement runs: the report of powersync-native (issue 35).
//! ```compile_fail,E0597
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let statement = TextStatement::prepare(&db, "SELECT ?1")?;
//! let mut bound = {
//!     let text = String::from("gone at the end of the block");
//!     statement.bind_static(1, &text)?
//! };
//! bound.query()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! A temporary dies at the semicolon (malt issue 669):
//! ```compile_fail,E0716
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let statement = TextStatement::prepare(&db, "SELECT ?1")?;
//! let mut bound = statement.bind_static(1, &format!("{}", 7))?;
//! bound.query()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! The owner is moved or dropped (libsql issue 287):
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let statement = TextStatement::prepare(&db, "SELECT ?1")?;
//! let text = String::from("moved");
//! let mut bound = statement.bind_static(1, &text)?;
//! let elsewhere = text;
//! bound.query()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! The owner grows and moves its bytes, or just writes:
//! ```compile_fail,E0502
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let statement = TextStatement::prepare(&db, "SELECT ?1")?;
//! let mut text = String::from("a");
//! let mut bound = statement.bind_static(1, &text)?;
//! text.push_str("bc");
//! bound.query()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! The statement is kept by a function whose text ends with it (rustsqlite issue 95):
//! ```compile_fail,E0515
//! use sqlite_text::{BoundStatement, TextStatement};
//!
//! fn bind<'c>(statement: TextStatement<'c>, n: u32) -> BoundStatement<'c, 'c> {
//!     let text = n.to_string();
//!     statement.bind_static(1, &text).unwrap()
//! }
//! ```
//!
//! The statement is not run any more, only dropped after the text, when SQLite still sees it:
//! ```compile_fail,E0597
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let _bound;
//! let text = String::from("dropped first");
//! _bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! One text of several is shorter-lived:
//! ```compile_fail,E0597
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let long = String::from("long");
//! let statement = TextStatement::prepare(&db, "SELECT ?1, ?2")?;
//! let mut bound = statement.bind_static(1, &long)?;
//! {
//!     let short = String::from("short");
//!     bound = bound.bind_static(2, &short)?;
//! }
//! bound.query()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! Replaced by a copy it is still borrowed; `unbind` ends that:
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let statement = TextStatement::prepare(&db, "SELECT ?1")?;
//! let text = String::from("a");
//! let mut bound = statement.bind_static(1, &text)?;
//! bound.bind(1, &"b")?;
//! drop(text);
//! bound.query()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! The statement is used although it was moved in:
//! ```compile_fail,E0382
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT ?1")?;
//! let bound = statement.bind_static(1, "a")?;
//! statement.query_bound()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! Rows are kept over the next use:
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let text = String::from("a");
//! let mut bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! let mut rows = bound.query()?;
//! bound.query()?;
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let text = String::from("a");
//! let mut bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! let mut rows = bound.query()?;
//! bound.execute()?;
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let text = String::from("a");
//! let mut bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! let mut rows = bound.query()?;
//! bound.bind(1, &"b")?;
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let text = String::from("a");
//! let mut bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! let mut rows = bound.query()?;
//! let statement = bound.unbind();
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let text = String::from("a");
//! let mut bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! let mut rows = bound.query()?;
//! let bound = bound.bind_static(1, "b")?;
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! The text of a row, which may be the bound text, ends with the row:
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let text = String::from("a");
//! let mut bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! let mut rows = bound.query()?;
//! let row = rows.next()?.unwrap().text(0)?;
//! drop(rows);
//! println!("{row}");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! The connection is closed first:
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let text = String::from("a");
//! let mut bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! drop(db);
//! bound.query()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0597
//! # use sqlite_text::TextStatement;
//! let _bound;
//! let db = rusqlite::Connection::open_in_memory()?;
//! _bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, "a")?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! Unbound, or when the statement is no more, the text is free:
//! ```
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut text = String::from("a");
//! let bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! let statement = bound.unbind();
//! text.push('b');
//! let bound = statement.bind_static(1, &text)?;
//! drop(bound);
//! text.push('c');
//! drop(text);
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! Forgotten, it is free as well, and nobody is left who could read it:
//! ```
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let text = String::from("a");
//! let mut bound = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
//! bound.query()?.next()?;
//! std::mem::forget(bound);
//! drop(text);
//! assert!(db.close().is_err()); // the statement is still there
//! # Ok::<(), rusqlite::Error>(())
//! ```
