//! Batches.

use super::common::batches::Plan;
use super::common::cells::ENCODINGS;
use super::{COLUMNS, DATABASES, Input};
use sqlite_text::TextStatement;

/// Rows of any values in batches of any limits.
pub fn batch(data: &[u8]) {
    let mut input = Input(data);
    DATABASES.with(|databases| {
        let database = input.number() % databases.len();
        let (db, encoding) = (&databases[database], ENCODINGS[database % 3]);
        let flags = input.number();
        let max_rows = input.number() % 16;
        let max_bytes = input.number();
        let plan = Plan {
            columns: flags / 8 % (COLUMNS + 1),
            max_rows: if max_rows == 15 { usize::MAX } else { max_rows },
            max_bytes: if max_bytes == 255 { usize::MAX } else { max_bytes },
            policy: input.policy(),
            lossy: flags & 1 != 0,
            wide: flags & 2 != 0,
            fresh: flags & 4 != 0,
        };
        // Long enough that a batch checks what it has so far, after 32 KiB.
        let truth = input.fill(db, encoding, 32, 32_780);
        let sql = "SELECT a, b, c FROM t ORDER BY rowid";
        let mut statement = TextStatement::prepare(db, sql).expect("valid SQL");
        plan.check(&mut statement, &[], &truth, encoding);
    });
}
