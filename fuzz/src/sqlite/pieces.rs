//! One text in pieces.

use super::common::cells::ENCODINGS;
use super::common::pieces;
use super::{DATABASES, Input, text};

/// The rest of the input as a TEXT whose bytes lie about the edge of the reader's buffer of 64 KiB,
/// read by any cuts; or a value of another kind, which is refused.
pub fn pieces(data: &[u8]) {
    let mut input = Input(data);
    DATABASES.with(|databases| {
        let database = input.number() % databases.len();
        let (db, encoding) = (&databases[database], ENCODINGS[database % 3]);
        let flags = input.number();
        let count = input.number() % 32;
        let cuts = input.take(count);
        if flags & 7 == 7 {
            let cells = input.fill(db, encoding, 1, 100);
            db.execute_batch("UPDATE t SET rowid = 1").expect("one row");
            return pieces::check(db, &cells[0][0], cuts);
        }
        // Most inputs are short texts.
        let mut bytes = Vec::new();
        if flags & 7 >= 5 {
            let x: &[u8] = match encoding {
                "UTF-8" => b"xx",
                "UTF-16le" => b"x\0",
                _ => b"\0x",
            };
            bytes.extend(x.iter().cycle().take(65_536 - 2 * (flags / 8)));
        }
        bytes.extend_from_slice(input.0);
        let sql = "INSERT OR REPLACE INTO t (rowid, a) VALUES (1, cast(?1 AS TEXT))";
        db.prepare_cached("DELETE FROM t").and_then(|mut all| all.execute([])).expect("a table");
        db.prepare_cached(sql).and_then(|mut one| one.execute([&bytes])).expect("a row");
        pieces::check(db, &text(encoding, &bytes), cuts);
    });
}
