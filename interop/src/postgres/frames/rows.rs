//! Twenty thousand rows, by both protocols, by packets and by steps, in reads of every size.

use super::connection::{By, Connection, Format, Spent};
use super::message::Row;
use super::oracle::Oracle;
use super::steps::{self, Digest};
use crate::counterpart::Tally;
use crate::postgres::server::Server;
use anyhow::{Context as _, Result, bail};

const ROWS: usize = 20_000;
/// Rows that are read byte by byte; one of them has a value of 9 KB.
const DRIBBLED: usize = 1000;
/// Bytes of a read: a segment of Ethernet, a packet of SQL Server, a read buffer.
const READS: [usize; 3] = [1460, 8000, 64 << 10];

/// Of every shape: numbers, NULLs, nothing at all, two to four bytes a character, and now and then
/// a value that is longer than a read.
pub(super) fn query(rows: usize) -> String {
    format!(
        "SELECT i AS id, i * 1000003::int8 AS big, md5(i::text) AS hash, i / 3.0::float8 AS ratio, \
         i % 2 = 0 AS even, substr('añ€😀zß漢字', 1 + i % 4, i % 9) AS text, \
         CASE WHEN i % 5 = 0 THEN ''::bytea WHEN i % 7 > 0 THEN decode(md5(i::text), 'hex') END AS bytes, \
         CASE WHEN i % 997 = 0 THEN repeat('é€😀', 1000 + i % 4000) END AS long \
         FROM generate_series(1, {rows}) AS i"
    )
}

/// Compares every value with tokio-postgres.
pub(super) fn check(server: &Server, oracle: &Oracle, tally: &mut Tally) -> Result<()> {
    for (rows, reads, formats) in [
        (ROWS, &READS[..], &[Format::Text, Format::Binary][..]),
        (DRIBBLED, &[1], &[Format::Binary]),
    ] {
        let query = query(rows);
        for &format in formats {
            let theirs = match format {
                Format::Text => oracle.text(&query)?.0,
                Format::Binary => oracle.binary(&query)?.1,
            };
            if theirs.len() != rows {
                bail!("tokio-postgres got {} rows of {rows}", theirs.len());
            }
            for &most in reads {
                // Halves know no format.
                let ways = if format == Format::Text { &By::ALL[..2] } else { &By::ALL };
                for &by in ways {
                    let what = format!("{format:?} by {by:?}, reads of {most}");
                    whole(server, &query, (format, by, most), &theirs, tally).context(what)?;
                }
                let what = format!("{format:?} digested, reads of {most}");
                digested(server, &query, (format, most), &theirs, tally).context(what)?;
            }
            if format == Format::Binary {
                let columns = oracle.binary(&query)?.0;
                let mut ours = Connection::open(server.address(), By::Steps, 1460)?;
                ours.ask(&query, format)?;
                tally.compare("columns", &ours.answer()?.columns, &columns);
                ours.close()?;
            }
        }
    }
    Ok(())
}

/// All values, owned.
fn whole(
    server: &Server,
    query: &str,
    (format, by, most): (Format, By, usize),
    theirs: &[Row],
    tally: &mut Tally,
) -> Result<()> {
    let mut connection = Connection::open(server.address(), by, most)?;
    connection.spent = Spent::default();
    connection.ask(query, format)?;
    let answer = connection.answer()?;
    let Spent { bytes, reads, continuations, .. } = connection.spent;
    connection.close()?;
    let failed = tally.failed;
    let what = format!("{format:?} by {by:?}, reads of {most}");
    tally.compare(format!("{what}: rows"), &answer.rows.len(), &theirs.len());
    tally.compare(format!("{what}: tag"), &answer.tags, &vec![format!("SELECT {}", theirs.len())]);
    for (at, (ours, theirs)) in answer.rows.iter().zip(theirs).enumerate() {
        let place = Place { what: &what, at, column: ours.len() };
        tally.compare(place, &ours.len(), &theirs.len());
        for (column, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            tally.compare(Place { what: &what, at, column }, ours, theirs);
        }
        if tally.failed > failed + 10 {
            bail!("10 differences, no more of them are looked for");
        }
    }
    println!(
        "rows: {what}: {} rows, {bytes} B in {reads} reads, {continuations} continuations",
        answer.rows.len()
    );
    Ok(())
}

/// A row of more than a read buffer, after which a stream has all it needs.
const WARM: &str = "SELECT repeat('x', 100000)";

/// On a stream that is warm, nothing is allocated by a step.
fn digested(
    server: &Server,
    query: &str,
    (format, most): (Format, usize),
    theirs: &[Row],
    tally: &mut Tally,
) -> Result<()> {
    let mut connection = Connection::open(server.address(), By::Steps, most)?;
    connection.ask(WARM, format)?;
    digests(&mut connection, |_| ())?;
    connection.spent = Spent::default();
    connection.ask(query, format)?;
    let mut rows = theirs.iter();
    digests(&mut connection, |ours| {
        let theirs = rows.next().map(|row| Digest::of(row).0);
        tally.compare("digest of a row", &Some(ours), &theirs);
    })?;
    let spent @ Spent { continuations, of_steps, of_reads, retained, .. } = connection.spent;
    connection.close()?;
    let what = format!("{format:?} digested, reads of {most}");
    tally.compare(format!("{what}: rows left"), &rows.len(), &0);
    tally.compare(format!("{what}: allocations"), &of_steps, &0);
    spent.buffers_only(&what, tally);
    println!(
        "rows: {what}: {continuations} continuations, {of_steps} allocations and {of_reads} of the reads, at most {retained} B held"
    );
    Ok(())
}

/// The digests of an answer's rows.
fn digests(connection: &mut Connection, mut take: impl FnMut(u64)) -> Result<()> {
    loop {
        match connection.until_done(steps::digest)? {
            Ok(digest) => take(digest),
            Err(b'Z') => return Ok(()),
            Err(_) => {}
        }
    }
}

/// Where a value stands; written out only when it differs.
struct Place<'a> {
    what: &'a str,
    at: usize,
    column: usize,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: row {}, column {}", self.what, self.at, self.column)
    }
}
