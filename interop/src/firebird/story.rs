//! The story's cases and the drivers' bug reports, in a real table: what the server stores or
//! refuses, what it sends, and what the crate makes of it.

use super::client::{Connection, UTF8};
use super::row::{Row, SQL_TEXT, SQL_VARYING};
use super::verdict::{Verdict, fixed};
use crate::counterpart::Tally;
use anyhow::{Context as _, Result, bail};
use std::borrow::Cow;
use utf8_runes::column::{FixedText, Pad, RightTruncation, VarText};
use utf8_runes::{bytes, count};

/// What becomes of a text in a column of n characters, in the server and by `fit`.
struct Store {
    what: &'static str,
    varchar: bool,
    n: usize,
    text: &'static str,
    server: Result<(), Refusal>,
    crates: Result<(), (usize, usize)>,
}

/// Why the server refuses.
enum Refusal {
    TooLong(usize, usize),
    Malformed,
}

/// A text that both take.
const fn taken(what: &'static str, n: usize, text: &'static str) -> Store {
    Store { what, varchar: false, n, text, server: Ok(()), crates: Ok(()) }
}

/// A text that both refuse with the same lengths.
const fn refused(what: &'static str, n: usize, text: &'static str, actual: usize) -> Store {
    let server = Err(Refusal::TooLong(n, actual));
    Store { what, varchar: false, n, text, server, crates: Err((n, actual)) }
}

const fn varchar(store: Store) -> Store {
    Store { varchar: true, ..store }
}

const STORES: [Store; 22] = [
    refused("three letters in two", 2, "abc", 3),
    varchar(refused("three letters in two", 2, "abc", 3)),
    refused("accents count once", 2, "ééé", 3),
    taken("blanks too many behind an accent", 2, "é      "),
    taken("blanks too many", 2, "ab   "),
    varchar(taken("blanks too many", 2, "ab   ")),
    refused("a tab too many", 2, "ab\t", 3),
    refused("a no-break space too many", 2, "ab\u{A0}", 3),
    refused("an ideographic space too many", 2, "ab\u{3000}", 3),
    refused("a combining accent counts", 1, "e\u{301}", 2),
    taken("a combining accent counts", 2, "e\u{301}"),
    // More bytes than the field: the server counts those, or cuts a character in half.
    Store {
        what: "nine bytes in a field of eight",
        varchar: false,
        n: 2,
        text: "日本語",
        server: Err(Refusal::Malformed),
        crates: Err((2, 3)),
    },
    Store {
        what: "twelve bytes in a field of eight",
        varchar: false,
        n: 2,
        text: "😊😊😊",
        server: Err(Refusal::TooLong(8, 12)),
        crates: Err((2, 3)),
    },
    // 3.0.11 keeps `a` and says nothing of the loss.
    Store {
        what: "blanks up to the field's end, and more behind",
        varchar: false,
        n: 1,
        text: "a   lost",
        server: Ok(()),
        crates: Err((1, 8)),
    },
    taken("NETProvider#1213", 1, "😊"),
    taken("NETProvider, the first of the two changes", 2, "😊!"),
    taken("NETProvider#1272", 100, "sixty letters and forty blanks make a hundred, or so they say"),
    taken("php-src#8576", 1, "A"),
    taken("jaybird#760", 3, "😊"),
    refused(
        "trafodion#1387",
        30,
        "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
        40,
    ),
    varchar(taken("firebird_fdw#5", 20, "カタカナデスヨ")),
    varchar(taken("firebird-odbc-driver#101", 9, "девятьбук")),
];

/// Compares them all.
pub(super) fn check(database: &Connection, tally: &mut Tally) -> Result<()> {
    for (column, lengths) in [("CHAR", &[1, 2, 3, 30, 100][..]), ("VARCHAR", &[2, 9, 20])] {
        for n in lengths {
            database.run(&format!("CREATE TABLE {column}{n} (x {column}({n}))"))?;
        }
    }
    database.commit()?;
    for store in &STORES {
        of_store(database, store, tally).with_context(|| store.what)?;
    }
    literals(database, tally)?;
    malformed(database, tally)?;
    other_charsets(database, tally)
}

fn of_store(database: &Connection, store: &Store, tally: &mut Tally) -> Result<()> {
    let Store { what, varchar, n, text, server, crates } = store;
    let column = if *varchar { "VARCHAR" } else { "CHAR" };
    let what = format!("{what}: {text:?} into {column}({n})");
    let fit = fixed(*n).fit(text).map(Cow::into_owned);
    let error = crates.map_err(|(expected, actual)| RightTruncation { expected, actual }).err();
    tally.compare(format!("{what}, by fit"), &error, &fit.as_ref().err().copied());

    let mut insert =
        database.prepare(&format!("INSERT INTO {column}{n} VALUES (?) RETURNING x"))?;
    if !insert.input.set(0, SQL_TEXT, UTF8, text.as_bytes()) {
        bail!("a parameter of {} bytes", text.len());
    }
    let verdict = insert.one().map_err(Verdict::from);
    let expected = match server {
        Ok(()) => Ok(()),
        Err(Refusal::TooLong(expected, actual)) => Err(Verdict::TooLong(*expected, *actual)),
        Err(Refusal::Malformed) => Err(Verdict::Malformed),
    };
    tally.compare(format!("{what}, by the server"), &expected, &verdict);
    if verdict.is_err() {
        return Ok(());
    }
    let field = insert.output.field(0).context("a value")?;
    let kept = utf8_runes::prefix(text, *n);
    if *varchar {
        tally.compare(format!("{what}, read"), &Ok(kept), &VarText::new(*n).decode(field));
        return Ok(());
    }
    let column = FixedText::new(*n);
    tally.compare(format!("{what}, the field's width"), &column.byte_width(), &field.len());
    let padded = fixed(*n).fit(kept)?;
    tally.compare(format!("{what}, read"), &Ok(&*padded), &column.decode(field));
    tally.compare(format!("{what}, its length"), &count(&padded), n);
    let trimmed = column.pad(Pad::Trim).decode(field);
    tally.compare(format!("{what}, trimmed"), &Ok(utf8_runes::trim_blanks(kept)), &trimmed);
    Ok(())
}

/// A literal of exactly the field's bytes: 3.0.11 takes it for CHAR(n) without counting, and keeps
/// the first n characters of it. Nothing that is sent as a parameter gets there.
fn literals(database: &Connection, tally: &mut Tally) -> Result<()> {
    for text in ["abcdefgh", "éééé"] {
        let actual = count(text);
        let what = |by: &str| format!("the literal {text:?}, {by}");
        let row = database.row(&format!("INSERT INTO CHAR2 VALUES ('{text}') RETURNING x"))?;
        let stored = FixedText::new(2).decode(row.field(0).context("a value")?);
        tally.compare(what("into CHAR(2)"), &Ok(utf8_runes::prefix(text, 2)), &stored);
        let row = database.row(&format!("INSERT INTO VARCHAR2 VALUES ('{text}') RETURNING x"));
        let verdict = row.map(drop).map_err(Verdict::from);
        tally.compare(what("into VARCHAR(2)"), &Err(Verdict::TooLong(2, actual)), &verdict);
        let fit = fixed(2).fit(text).map(Cow::into_owned);
        tally.compare(what("by fit"), &Err(RightTruncation { expected: 2, actual }), &fit);
    }
    Ok(())
}

/// Bytes that are no UTF-8 are refused by both, and let through to columns of NONE by the server.
fn malformed(database: &Connection, tally: &mut Tally) -> Result<()> {
    for (hex, raw) in
        [("C080", &[0xC0, 0x80][..]), ("EDA080", &[0xED, 0xA0, 0x80]), ("FF", &[0xFF])]
    {
        let row = database.row(&format!("SELECT CAST(x'{hex}' AS CHAR(2)) FROM RDB$DATABASE"));
        let verdict = row.map(drop).map_err(Verdict::from);
        tally.compare(format!("x'{hex}' into CHAR(2)"), &Err(Verdict::Malformed), &verdict);
        tally.compare(format!("x'{hex}', validated"), &true, &bytes::validate(raw).is_err());
    }
    let row =
        database.row("SELECT CAST(x'FFFE' AS CHAR(3) CHARACTER SET NONE) FROM RDB$DATABASE")?;
    let field = row.field(0).context("a value")?;
    tally.compare("x'FFFE' in CHAR(3) of NONE", &[0xFF, 0xFE, b' '][..], field);
    tally.compare("that, decoded", &true, &FixedText::new(3).decode(field).is_err());
    tally.compare("that, replaced", "\u{FFFD}\u{FFFD} ", &FixedText::new(3).decode_lossy(field));
    Ok(())
}

/// Columns without a character set keep their bytes, and others come in four a character.
fn other_charsets(database: &Connection, tally: &mut Tally) -> Result<()> {
    let of = |value: &str, n: usize, charset: &str| -> Result<Row> {
        let sql =
            format!("SELECT CAST({value} AS CHAR({n}) CHARACTER SET {charset}) FROM RDB$DATABASE");
        database.row(&sql).with_context(|| charset.to_owned())
    };
    for (charset, id, filled) in [("NONE", 0, b"A  "), ("OCTETS", 1, b"A\0\0")] {
        let row = of("'A'", 3, charset)?;
        let expected = (SQL_TEXT, id, 3);
        tally.compare(format!("CHAR(3) of {charset}, described"), &expected, &row.described(0));
        let field = row.field(0).context("a value")?;
        tally.compare(format!("CHAR(3) of {charset}, its bytes"), &filled[..], field);
    }
    // node-firebird#84: CHAR(6) in a field of 24 bytes.
    let row = of("'   2'", 6, "ISO8859_1")?;
    let field = row.field(0).context("a value")?;
    let column = FixedText::new(6);
    tally.compare("node-firebird#84, the field's width", &24, &field.len());
    tally.compare("node-firebird#84, read", &Ok("   2  "), &column.decode(field));
    tally.compare("node-firebird#84, trimmed", &Ok("   2"), &column.pad(Pad::Trim).decode(field));
    // A type that the server would send with its length can be had without, and the other way.
    let row = database.row("SELECT CAST('A' AS VARCHAR(3)) FROM RDB$DATABASE")?;
    let described = (SQL_VARYING, 4, 12);
    tally.compare("VARCHAR(3), described", &described, &row.described(0));
    Ok(())
}
