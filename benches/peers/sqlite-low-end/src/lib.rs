//! A program on sqlx whose texts `sqlite-text` reads: statements of ours on the connection that sqlx
//! has opened, and on one opened in C's way.

mod raw;

pub use raw::{Db, function_on_sqlx, on_sqlx, reader_on_sqlx};
