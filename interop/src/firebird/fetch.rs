//! What a driver's client spends on a table of a hundred thousand CHAR(255) values: the fields are
//! fetched as they are, and made into text as before the fix, as by the fix, and by the crate.

use super::client::{Connection, Statement};
use crate::counterpart::Tally;
use anyhow::{Context as _, Result, bail};
use onecopy_benches::alloc;
use onecopy_benches::utf8_runes::before;
use rustix::time::{ClockId, clock_gettime};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;
use utf8_runes::column::FixedText;

const ROWS: u32 = 100_000;
const LENGTH: usize = 255;
const COLUMN: FixedText = FixedText::new(LENGTH);

/// How often each client fetches the table; the least is taken, for other work on the machine only
/// adds. The slow one takes ten times as long as the others and does it once.
const ROUNDS: usize = 3;

/// What the rows are made of, in turn: ASCII, accents, CJK, emoji and all of them.
const PATTERNS: [&str; 5] = ["plain letters, ", "Ünïcödé é ", "京都の秋、", "😀👍🎉", "aé京😀 "];

/// Before a row's fixes, its own number; so many characters.
fn text(id: u32) -> String {
    let pattern = PATTERNS[id as usize % PATTERNS.len()];
    let number = id.to_string();
    number.chars().chain(pattern.chars().cycle()).take(width(id)).collect()
}

/// From none to all of the column.
fn width(id: u32) -> usize {
    id as usize * 7919 % (LENGTH + 1)
}

/// Fills the table on the server, by the rules of [`text`].
fn fill(database: &Connection) -> Result<()> {
    database.run("CREATE TABLE fetched (id INTEGER NOT NULL PRIMARY KEY, x CHAR(255))")?;
    database.commit()?;
    let choices = PATTERNS.iter().enumerate().fold(String::new(), |mut sql, (at, pattern)| {
        let _ = write!(sql, " WHEN {at} THEN '{pattern}'");
        sql
    });
    database.run(&format!(
        "EXECUTE BLOCK AS DECLARE id INTEGER = 0; BEGIN \
         WHILE (id < {ROWS}) DO BEGIN \
         INSERT INTO fetched VALUES (:id, RPAD(CAST(:id AS VARCHAR(255)), \
         MOD(:id * 7919, {}), CASE MOD(:id, {}){choices} END)); id = id + 1; END END",
        LENGTH + 1,
        PATTERNS.len()
    ))?;
    Ok(database.commit()?)
}

/// What is done with a field.
#[derive(Debug, Clone, Copy)]
struct Client {
    name: &'static str,
    rounds: usize,
    take: fn(&[u8]),
}

/// The driver's own string, in UTF-16 and one allocation: what it had before it counted and cut.
fn utf16(field: &[u8]) -> Vec<u16> {
    let text = std::str::from_utf8(field).unwrap_or_default();
    let mut units = Vec::with_capacity(text.encode_utf16().count());
    units.extend(text.encode_utf16());
    units
}

fn of_before(units: &[u16]) -> Vec<u16> {
    before::prefix(units, LENGTH).into_owned()
}

/// Another string only if something is cut.
fn of_fix(units: Vec<u16>) -> Vec<u16> {
    let kept = before::fix_prefix(&units, LENGTH);
    if kept.len() == units.len() { units } else { kept.to_vec() }
}

/// Has a value made and thrown away, as a driver hands it to its caller.
fn spend<T>(value: T) {
    black_box(value);
}

const CLIENTS: [Client; 5] = [
    Client { name: "raw", rounds: ROUNDS, take: |field| spend(field) },
    Client { name: "before", rounds: 1, take: |field| spend(of_before(&utf16(field))) },
    Client { name: "fix", rounds: ROUNDS, take: |field| spend(of_fix(utf16(field))) },
    Client { name: "after", rounds: ROUNDS, take: |field| spend(COLUMN.decode(field)) },
    Client {
        name: "after, owned",
        rounds: ROUNDS,
        take: |field| spend(COLUMN.decode(field).map(str::to_owned)),
    },
];

/// What a client spent on all rows.
#[derive(Debug, Clone, Copy)]
struct Spent {
    cpu: Duration,
    allocations: u64,
    bytes: u64,
}

/// Fills the table, checks every row, then measures.
///
/// What is held is held without encryption on the wire, which costs the same whatever becomes of the
/// text, and more than all else that the library does. With it, as is the default, is shown.
pub(super) fn check(
    database: &Connection,
    encrypted: &Connection,
    tally: &mut Tally,
) -> Result<()> {
    fill(database).context("filling the table")?;
    every_row(database, tally)?;
    println!("{ROWS} rows of CHAR({LENGTH}) in UTF8, fetched as SQL_TEXT; the client's thread");
    let spent = measure(database, &CLIENTS, ROUNDS)?;
    println!("{}", render(&spent));
    let [raw, before, _, after, owned] = spent;
    let ratio = by(&before, &after);
    println!("client CPU, before by after: {ratio:.1}, and 10 is held");
    let [before, again] = measure(encrypted, &[CLIENTS[1], CLIENTS[3]], 1)?;
    println!("over an encrypted connection: {:.1}, not held\n", by(&before, &again));

    tally.compare("allocations of fetching alone", &0, &raw.allocations);
    tally.compare("allocations of the text borrowed", &(0, 0), &(after.allocations, after.bytes));
    tally.compare("allocations of the text owned", &u64::from(ROWS), &owned.allocations);
    let what = format!("client CPU, before by after, is {ratio:.1} and at least 10");
    tally.compare(what, &true, &(ratio >= 10.0));
    Ok(())
}

/// What each client spends, the least of at most so many rounds.
fn measure<const N: usize>(
    database: &Connection,
    clients: &[Client; N],
    rounds: usize,
) -> Result<[Spent; N]> {
    let mut select = database.prepare("SELECT x FROM fetched")?;
    let mut spent = [Spent { cpu: Duration::MAX, allocations: 0, bytes: 0 }; N];
    for round in 0..rounds {
        for (client, best) in clients.iter().zip(&mut spent).filter(|(one, _)| round < one.rounds) {
            let now = fetch(&mut select, client.take).context(client.name)?;
            if now.cpu < best.cpu {
                *best = now;
            }
        }
    }
    Ok(spent)
}

fn by(before: &Spent, after: &Spent) -> f64 {
    before.cpu.as_secs_f64() / after.cpu.as_secs_f64()
}

/// Each row is what was filled in, by each client.
fn every_row(database: &Connection, tally: &mut Tally) -> Result<()> {
    let mut select = database.prepare("SELECT x FROM fetched ORDER BY id")?;
    select.execute()?;
    let mut wrong = 0;
    for id in 0..ROWS {
        if !select.fetch()? {
            bail!("row {id} is missing");
        }
        let field = select.output.field(0).context("a value")?;
        let ours = COLUMN.decode(field);
        let mut expected = text(id);
        expected.extend(std::iter::repeat_n(' ', LENGTH - width(id)));
        let units: Vec<u16> = expected.encode_utf16().collect();
        let same = ours == Ok(&*expected)
            && of_before(&utf16(field)) == units
            && of_fix(utf16(field)) == units;
        if same {
            tally.passed += 1;
        } else if wrong < 10 {
            wrong += 1;
            tally.compare(format!("row {id}"), &ours, &Ok(&*expected));
        }
    }
    tally.compare("the end of the table", &false, &select.fetch()?);
    Ok(select.close()?)
}

/// Fetches all rows and takes each.
fn fetch(select: &mut Statement<'_>, take: fn(&[u8])) -> Result<Spent> {
    select.execute()?;
    let mut rows = 0;
    let mut error = None;
    let start = cpu();
    // What other threads allocate is not counted.
    let (counts, _) = alloc::measure(|| {
        loop {
            match select.fetch() {
                Ok(true) => take(select.output.field(0).unwrap_or_default()),
                Ok(false) => break,
                Err(failure) => {
                    error = Some(failure);
                    break;
                }
            }
            rows += 1;
        }
    });
    let cpu = cpu().saturating_sub(start);
    error.map_or(Ok(()), Err)?;
    select.close()?;
    if rows != ROWS {
        bail!("{rows} rows of {ROWS}");
    }
    Ok(Spent { cpu, allocations: counts.allocs + counts.reallocs, bytes: counts.bytes })
}

/// What this thread has used of the processor.
fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn render(spent: &[Spent; CLIENTS.len()]) -> String {
    let mut out = format!(
        "{:14}{:>12}{:>14}{:>16}{:>12}\n",
        "client", "CPU", "over raw", "allocations/row", "bytes/row"
    );
    let raw = spent[0].cpu.as_secs_f64();
    for (client, one) in CLIENTS.iter().zip(spent) {
        let milliseconds = one.cpu.as_secs_f64() * 1e3;
        let [allocations, bytes] = [one.allocations, one.bytes].map(|n| n as f64 / f64::from(ROWS));
        let _ = writeln!(
            out,
            "{:14}{milliseconds:>9.0} ms{:>11.0} ms{allocations:>16.2}{bytes:>12.1}",
            client.name,
            milliseconds - raw * 1e3,
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clients_agree_on_rows_of_every_kind() {
        for id in 0..600 {
            let mut field = text(id).into_bytes();
            field.resize(4 * LENGTH, b' ');
            let ours = COLUMN.decode(&field).unwrap();
            assert_eq!(ours.chars().count(), LENGTH);
            assert_eq!(ours.trim_end_matches(' '), text(id).trim_end_matches(' '));
            let units: Vec<u16> = ours.encode_utf16().collect();
            assert_eq!(of_before(&utf16(&field)), units);
            assert_eq!(of_fix(utf16(&field)), units);
        }
    }
}
