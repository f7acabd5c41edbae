//! What must not compile, each with the error that says so (rustdoc compares that on nightly only),
//! and with what differs from it and compiles. The most telling ones are in the docs of the types, too.
//!
//! # A statement and its connection
//!
//! The connection is closed first:
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a'")?;
//! db.close().unwrap();
//! statement.query_bound()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! Taken apart while it lasts, the statement would be finalised twice:
//! ```compile_fail,E0382
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let statement = TextStatement::prepare(&db, "SELECT 'a'")?;
//! let raw = statement.into_raw();
//! statement.column_index("a");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! # Rows and their statement
//!
//! Rows of two runs at once:
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let mut others = statement.query_bound()?;
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! The statement is dropped, or moved away, under its rows:
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! drop(statement);
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let statement = statement.policy(sqlite_text::TypePolicy::Coerce);
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let raw = statement.into_raw();
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let bound = statement.bind_static(1, "a")?;
//! rows.next()?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! One after the other they are fine:
//! ```
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! assert!(rows.next()?.is_some());
//! drop(rows);
//! let mut rows = statement.query_bound()?;
//! assert!(rows.next()?.is_some());
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! # A row, its texts, and the next row
//!
//! A row is kept (rustsqlite issue 98):
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let first = rows.next()?.unwrap();
//! rows.next()?;
//! first.text(0)?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! A text is kept (rustsqlite issue 100):
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let first = rows.next()?.unwrap().text(0)?;
//! rows.next()?;
//! println!("{first:?}");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let first = rows.next()?.unwrap().text_opt(0)?;
//! rows.next()?;
//! println!("{first:?}");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let first = rows.next()?.unwrap().text_bytes(0)?;
//! rows.next()?;
//! println!("{first:?}");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let first = rows.next()?.unwrap().text_lossy(0)?;
//! rows.next()?;
//! println!("{first:?}");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! A text is kept beyond the end of the run:
//! ```compile_fail,E0505
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let first = rows.next()?.unwrap().text(0)?;
//! drop(rows);
//! println!("{first}");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! All rows are collected:
//! ```compile_fail,E0499
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let mut all = Vec::new();
//! while let Some(row) = rows.next()? {
//!     all.push(row.text(0)?);
//! }
//! println!("{all:?}");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! Copies are kept, and a text lives longer than the `TextRow` it came from:
//! ```
//! # use sqlite_text::TextStatement;
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut rows = statement.query(&[])?;
//! let copy = rows.next()?.unwrap().text_buf(0)?;
//! let second = {
//!     let row = rows.next()?.unwrap();
//!     row.text(0)?
//! };
//! assert_eq!((copy.as_str(), second), ("a", "b"));
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! # Threads
//!
//! Statements, rows and texts of one connection belong to its thread; the control compiles:
//! ```
//! use sqlite_text::{Error, TextBuf};
//!
//! fn sent<T: Send>() {}
//! fn shared<T: Sync>() {}
//! sent::<TextBuf>();
//! shared::<TextBuf>();
//! sent::<Error>();
//! shared::<Error>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::TextStatement;
//!
//! fn sent<T: Send>() {}
//! sent::<TextStatement<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::TextStatement;
//!
//! fn shared<T: Sync>() {}
//! shared::<TextStatement<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::TextRows;
//!
//! fn sent<T: Send>() {}
//! sent::<TextRows<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::TextRows;
//!
//! fn shared<T: Sync>() {}
//! shared::<TextRows<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::TextRow;
//!
//! fn sent<T: Send>() {}
//! sent::<TextRow<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::TextRow;
//!
//! fn shared<T: Sync>() {}
//! shared::<TextRow<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::BoundStatement;
//!
//! fn sent<T: Send>() {}
//! sent::<BoundStatement<'static, 'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::BoundStatement;
//!
//! fn shared<T: Sync>() {}
//! shared::<BoundStatement<'static, 'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::BatchReader;
//!
//! fn sent<T: Send>() {}
//! sent::<BatchReader<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::BatchReader;
//!
//! fn shared<T: Sync>() {}
//! shared::<BatchReader<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::TextReader;
//!
//! fn sent<T: Send>() {}
//! sent::<TextReader<'static>>();
//! ```
//!
//! ```compile_fail,E0277
//! use sqlite_text::TextReader;
//!
//! fn shared<T: Sync>() {}
//! shared::<TextReader<'static>>();
//! ```
//!
//! # Batches
//!
//! The statement is moved away under its reader:
//! ```compile_fail,E0505
//! # use sqlite_text::{TextBatch, TextStatement};
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut reader = statement.read_batch(&[])?;
//! let raw = statement.into_raw();
//! reader.next_batch(&mut [TextBatch::new()])?;
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! A text of a batch is kept while it is filled again:
//! ```compile_fail,E0502
//! # use sqlite_text::{TextBatch, TextStatement};
//! # let db = rusqlite::Connection::open_in_memory()?;
//! let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//! let mut reader = statement.read_batch(&[])?;
//! let mut columns = [TextBatch::new()];
//! reader.next_batch(&mut columns)?;
//! let first = columns[0].get(0);
//! reader.next_batch(&mut columns)?;
//! println!("{first:?}");
//! # Ok::<(), rusqlite::Error>(())
//! ```
//!
//! A batch outlives its reader, its statement and its connection:
//! ```
//! # use sqlite_text::{TextBatch, TextStatement};
//! let mut columns = [TextBatch::new()];
//! {
//!     let db = rusqlite::Connection::open_in_memory()?;
//!     let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
//!     statement.read_batch(&[])?.next_batch(&mut columns)?;
//! }
//! assert_eq!(columns[0].get(1), Some("b"));
//! # Ok::<(), rusqlite::Error>(())
//! ```
