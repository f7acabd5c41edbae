//! What standard SQL does with char(n) and varchar(n): storing refuses what is too long but for
//! blanks, and an explicit cast cuts.

use super::server::Server;
use crate::counterpart::Tally;
use crate::strings::{self, Case, EACH, LENGTHS, SEED};
use anyhow::{Context as _, Result, bail};
use fastrand::Rng;
use postgres::{Client, Row, Statement};
use utf8_runes::column::{DecodeError, FixedText, Overflow, VarText};
use utf8_runes::{count, prefix, trim_blanks};

/// The bytes of a string at most, the same as for Firebird.
const MOST: usize = 32_765;
/// Differences that are shown before we give up.
const ENOUGH: u64 = 10;

/// Random strings in columns of every length, and what is no UTF-8.
pub(super) fn check(server: &Server, tally: &mut Tally) -> Result<String> {
    let mut client = server.connect()?;
    for n in LENGTHS {
        of_length(&mut client, n, tally).with_context(|| format!("n {n}"))?;
    }
    println!("{} random strings", EACH * LENGTHS.len());
    malformed(&mut client, tally);
    let version: String = client.query_one("SHOW server_version", &[])?.get(0);
    // The server waits for its clients to go.
    client.close()?;
    Ok(version)
}

/// The statements for one length.
struct Statements {
    select: Statement,
    insert_char: Statement,
    insert_varchar: Statement,
}

impl Statements {
    fn prepare(client: &mut Client, n: usize) -> Result<Self> {
        client.batch_execute(&format!(
            "CREATE TABLE fixed{n} (x char({n})); CREATE TABLE varying{n} (x varchar({n}))"
        ))?;
        let select = client.prepare(&format!(
            "SELECT char_length(t), octet_length(t), left(t, {n}), rpad(t, {n}), rtrim(t, ' '), \
             t::char({n}), t::varchar({n}), char_length(t::char({n})) FROM (SELECT $1::text AS t) s"
        ))?;
        let mut insert =
            |table| client.prepare(&format!("INSERT INTO {table}{n} VALUES ($1) RETURNING x"));
        Ok(Self { select, insert_char: insert("fixed")?, insert_varchar: insert("varying")? })
    }
}

fn of_length(client: &mut Client, n: usize, tally: &mut Tally) -> Result<()> {
    let statements = Statements::prepare(client, n)?;
    let mut rng = Rng::with_seed(SEED);
    let failed = tally.failed;
    for at in 0..EACH {
        let text = strings::random(&mut rng, n, MOST);
        let case = Case { what: "", n, at, text: &text };
        let row = client.query_one(&statements.select, &[&text]);
        functions(&row.with_context(|| case.doing("asked").to_string())?, case, tally)?;
        for (what, insert, ours) in [
            ("INSERT into char", &statements.insert_char, stored_char(&text, n)),
            ("INSERT into varchar", &statements.insert_varchar, stored_varchar(&text, n)),
        ] {
            let theirs = client.query_one(insert, &[&text]);
            tally.compare(case.doing(what), &ours, &outcome(theirs)?);
        }
        if tally.failed - failed >= ENOUGH {
            bail!("{ENOUGH} differences, no more of them are looked for");
        }
    }
    Ok(())
}

/// Lengths and cuts, and casts, which cut too.
fn functions(row: &Row, case: Case<'_>, tally: &mut Tally) -> Result<()> {
    let Case { n, text, .. } = case;
    let cut = prefix(text, n);
    let padded = FixedText::new(n).overflow(Overflow::Truncate).fit(text)?;
    let lengths = [("char_length", 0, count(text)), ("octet_length", 1, text.len())];
    // Blanks at the end of a char(n) do not count there.
    let lengths = lengths.into_iter().chain([("char_length of char", 7, count(trim_blanks(cut)))]);
    for (what, column, ours) in lengths {
        let theirs = usize::try_from(row.get::<_, i32>(column)).ok();
        tally.compare(case.doing(what), &Some(ours), &theirs);
    }
    for (what, column, ours) in [
        ("left", 2, cut),
        ("rpad", 3, &*padded),
        ("rtrim", 4, trim_blanks(text)),
        ("cast to char", 5, &*padded),
        ("cast to varchar", 6, cut),
    ] {
        tally.compare(case.doing(what), ours, row.get::<_, &str>(column));
    }
    Ok(())
}

/// What a column holds after it was stored to, or the SQLSTATE.
type Stored = Result<String, String>;

fn stored_char(text: &str, n: usize) -> Stored {
    match FixedText::new(n).overflow(Overflow::SqlStore).fit(text) {
        Ok(stored) => Ok(stored.into_owned()),
        Err(error) => Err(error.sqlstate().to_owned()),
    }
}

fn stored_varchar(text: &str, n: usize) -> Stored {
    let column = VarText::new(n).overflow(Overflow::SqlStore);
    let mut field = vec![0; column.byte_width()];
    match column.encode(text, &mut field) {
        Ok(_) => column.decode(&field).map(str::to_owned).map_err(|e| e.sqlstate().to_owned()),
        Err(error) => Err(error.sqlstate().to_owned()),
    }
}

/// What the server says to an INSERT.
fn outcome(result: Result<Row, postgres::Error>) -> Result<Stored> {
    match result {
        Ok(row) => Ok(Ok(row.try_get(0)?)),
        Err(error) => match error.code() {
            Some(code) => Ok(Err(code.code().to_owned())),
            None => Err(error.into()),
        },
    }
}

/// The same SQLSTATE for what is no UTF-8.
fn malformed(client: &mut Client, tally: &mut Tally) {
    for bytes in [&b"\xC0\x80"[..], b"\xED\xA0\x80", b"a\xFF", b"\xF4\x90\x80\x80", b"caf\xC3"] {
        let ours = FixedText::new(9).decode(bytes).map(str::to_owned);
        let theirs = client.query_one("SELECT convert_from($1, 'UTF8')", &[&bytes]);
        let theirs = theirs.map(|row| row.get::<_, String>(0));
        tally.compare(
            format!("{bytes:x?} as UTF-8"),
            &ours.map_err(|error: DecodeError| error.sqlstate().to_owned()),
            &theirs.map_err(|error| error.code().map_or_else(String::new, |c| c.code().into())),
        );
    }
}
