//! What is not a row: errors after rows, notices, copies, answers without rows, columns or
//! anything, and descriptions that are longer than a read.

use super::connection::{Answer, By, Connection, Format};
use super::message::{Fields, Row};
use super::oracle::Oracle;
use crate::counterpart::Tally;
use crate::postgres::server::Server;
use anyhow::{Context as _, Result, bail};
use postgres::NoTls;
use std::io::Read as _;
use std::sync::{Arc, Mutex};
use tokio_postgres::error::{DbError, ErrorPosition};

/// Bytes of a read.
const READS: [usize; 4] = [1, 7, 1460, 64 << 10];

/// An error comes after so many rows.
const FAILS: &str = "SELECT 1000 / (500 - i) FROM generate_series(1, 1000) AS i";
const NOTICES: &str = "DO $$ BEGIN FOR i IN 1..40 LOOP RAISE NOTICE 'ünd % %', i, repeat('x', i * i) \
                       USING DETAIL = 'détail', HINT = 'hint'; END LOOP; END $$";
/// Some 2 MB.
const COPY: &str = "COPY (SELECT i, md5(i::text), CASE WHEN i % 3 = 0 THEN NULL ELSE repeat('é', i % 90) END \
                    FROM generate_series(1, 20000) AS i) TO STDOUT";

/// All of it, the way of reading being all that changes.
pub(super) fn check(server: &Server, oracle: &Oracle, tally: &mut Tally) -> Result<()> {
    let mut answers = 0;
    for by in By::ALL {
        for most in READS {
            let mut ours = Connection::open(server.address(), by, most)?;
            let mut ask = |query: &str, format| -> Result<Answer> {
                answers += 1;
                ours.ask(query, format)?;
                ours.answer().with_context(|| format!("{by:?}, reads of {most}: {query:.60}"))
            };
            let what = format!("{by:?}, reads of {most}");
            statements(&mut ask, oracle, &what, tally)?;
            error(&mut ask, oracle, &what, tally)?;
            ours.close()?;
        }
    }
    println!(
        "odd answers: {answers}, the same by packets, steps and halves, in reads of {READS:?}"
    );
    notices(server, tally)?;
    copies(server, tally)
}

/// Several statements at once, or none, or without columns or rows.
fn statements(
    ask: &mut impl FnMut(&str, Format) -> Result<Answer>,
    oracle: &Oracle,
    what: &str,
    tally: &mut Tally,
) -> Result<()> {
    let wide = (0..400).map(|at| format!("NULL AS column_number_{at}")).collect::<Vec<_>>();
    for query in [
        "",
        ";",
        "SELECT",
        "SELECT FROM generate_series(1, 3)",
        "SELECT 1 WHERE false",
        "SELECT NULL, '', 'é€😀', NULL, ''",
        "SELECT 1; SELECT 'two', NULL; VALUES (3), (4); BEGIN; SELECT ''; ROLLBACK; SET extra_float_digits = 1",
        &format!("SELECT {}", wide.join(", ")),
    ] {
        let (rows, told) = oracle.text(query)?;
        let ours = ask(query, Format::Text)?;
        tally.compare(format!("{what}: {query:.60}"), &ours.rows, &rows);
        let tags: Vec<u64> = ours.tags.iter().map(|tag| number(tag)).collect();
        // An answer to nothing has no tag; tokio-postgres tells of no rows.
        let told = if ours.tags.is_empty() { vec![] } else { told };
        tally.compare(format!("{what}: tags of {query:.60}"), &tags, &told);
        if !query.contains(';') && !query.is_empty() {
            let (columns, rows) = oracle.binary(query)?;
            let ours = ask(query, Format::Binary)?;
            tally.compare(format!("{what}: binary {query:.60}"), &ours.rows, &rows);
            tally.compare(format!("{what}: columns of {query:.60}"), &ours.columns, &columns);
        }
    }
    Ok(())
}

/// The rows of a command's tag; 0 where it has none.
fn number(tag: &str) -> u64 {
    tag.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// Rows, then an error, then the next question.
fn error(
    ask: &mut impl FnMut(&str, Format) -> Result<Answer>,
    oracle: &Oracle,
    what: &str,
    tally: &mut Tally,
) -> Result<()> {
    let query = oracle.runtime.block_on(oracle.client.simple_query(FAILS));
    let Err(theirs) = query else { bail!("no error from {FAILS}") };
    let theirs = theirs.as_db_error().context("not the server's")?;
    for format in [Format::Text, Format::Binary] {
        let ours = ask(FAILS, format)?;
        let rows: Vec<Row> = (1..500)
            .map(|i: i32| {
                let quotient = 1000 / (500 - i);
                vec![Some(match format {
                    Format::Text => quotient.to_string().into_bytes(),
                    Format::Binary => quotient.to_be_bytes().to_vec(),
                })]
            })
            .collect();
        tally.compare(format!("{what}: rows before an error"), &ours.rows, &rows);
        tally.compare(format!("{what}: the error"), &ours.errors, &vec![fields(theirs)]);
        tally.compare(format!("{what}: tags before an error"), &ours.tags, &vec![]);
    }
    let next = ask("SELECT 'still here'", Format::Text)?;
    tally.compare(format!("{what}: next"), &next.rows, &vec![vec![Some(b"still here".to_vec())]]);
    Ok(())
}

/// What tokio-postgres tells of an error or a notice, in the order in which the server sends it.
fn fields(error: &DbError) -> Fields {
    let position = match error.position() {
        Some(ErrorPosition::Original(at)) => Some(at.to_string()),
        _ => None,
    };
    let severity = error.severity();
    [
        ('S', Some(severity.to_owned())),
        ('V', Some(severity.to_owned())),
        ('C', Some(error.code().code().to_owned())),
        ('M', Some(error.message().to_owned())),
        ('D', error.detail().map(str::to_owned)),
        ('H', error.hint().map(str::to_owned)),
        ('P', position),
        ('W', error.where_().map(str::to_owned)),
        ('F', error.file().map(str::to_owned)),
        ('L', error.line().map(|line| line.to_string())),
        ('R', error.routine().map(str::to_owned)),
    ]
    .into_iter()
    .filter_map(|(letter, text)| Some((letter, text?)))
    .collect()
}

/// The notices of a statement.
fn notices(server: &Server, tally: &mut Tally) -> Result<()> {
    let theirs = Arc::new(Mutex::new(Vec::new()));
    let mut config = postgres::Config::from(server.config());
    let heard = Arc::clone(&theirs);
    config.notice_callback(move |notice| {
        if let Ok(mut heard) = heard.lock() {
            heard.push(fields(&notice));
        }
    });
    let mut client = config.connect(NoTls)?;
    client.batch_execute(NOTICES)?;
    client.close()?;
    let theirs = std::mem::take(&mut *theirs.lock().ok().context("the list of notices")?);
    for by in By::ALL {
        for most in READS {
            let mut ours = Connection::open(server.address(), by, most)?;
            ours.ask(NOTICES, Format::Text)?;
            let answer = ours.answer()?;
            ours.close()?;
            tally.compare(format!("notices, {by:?}, reads of {most}"), &answer.notices, &theirs);
            tally.compare("tag of notices", &answer.tags, &vec!["DO".to_owned()]);
        }
    }
    println!("notices: {}", theirs.len());
    Ok(())
}

/// A copy out of some MB.
fn copies(server: &Server, tally: &mut Tally) -> Result<()> {
    let mut client = server.connect()?;
    let mut theirs = Vec::new();
    client.copy_out(COPY)?.read_to_end(&mut theirs)?;
    client.close()?;
    for by in By::ALL {
        for most in [1460, 8000, 64 << 10] {
            let mut ours = Connection::open(server.address(), by, most)?;
            ours.ask(COPY, Format::Text)?;
            let answer = ours.answer()?;
            ours.close()?;
            tally.compare(format!("copy, {by:?}, reads of {most}"), &answer.copied, &theirs);
            tally.compare("tag of a copy", &answer.tags, &vec!["COPY 20000".to_owned()]);
        }
    }
    println!("copy: {} B", theirs.len());
    Ok(())
}
