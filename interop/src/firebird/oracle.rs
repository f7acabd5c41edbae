//! The server as an oracle: random strings through its functions, its conversions and its tables.

use super::client::{Connection, Statement, UTF8};
use super::raw::Error;
use super::row::{SQL_TEXT, SQL_VARYING};
use super::verdict::{Verdict, fixed, varying, verdicts};
use crate::counterpart::Tally;
use crate::strings::{self, Case, EACH, LENGTHS, SEED};
use anyhow::{Context as _, Result, bail};
use fastrand::Rng;
use utf8_runes::column::{FixedText, Overflow, VarText};
use utf8_runes::{count, exceeds, prefix, trim_blanks};

/// What fits a parameter: its length is an i16, and counts two more bytes for a VARCHAR.
const MOST: usize = 32_765;
/// The longest VARCHAR in UTF8.
const LONGEST: usize = 8191;
/// Differences that are shown before we give up.
const ENOUGH: u64 = 10;

/// How it went.
#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) strings: usize,
    stored: usize,
    refused: usize,
    /// Of more bytes than the field, and among them those that the server cut without a word.
    longer: usize,
    lost: usize,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { strings, stored, refused, longer, lost } = self;
        write!(
            f,
            "{strings} random strings: {stored} stored, {refused} refused; {longer} have more bytes \
             than the field, of which the server cut {lost} without an error"
        )
    }
}

/// Compares them all.
pub(super) fn check(database: &Connection, tally: &mut Tally) -> Result<Summary> {
    let mut summary = Summary::default();
    for n in LENGTHS {
        database.run(&format!(
            "CREATE TABLE fixed{n} (id INTEGER NOT NULL PRIMARY KEY, x CHAR({n}))"
        ))?;
        database.run(&format!(
            "CREATE TABLE varying{n} (id INTEGER NOT NULL PRIMARY KEY, x VARCHAR({n}))"
        ))?;
        database.commit()?;
        of_length(database, n, tally, &mut summary).with_context(|| format!("n {n}"))?;
    }
    Ok(summary)
}

fn of_length(db: &Connection, n: usize, tally: &mut Tally, summary: &mut Summary) -> Result<()> {
    let mut server = Server::prepare(db, n)?;
    let mut rng = Rng::with_seed(SEED);
    let failed = tally.failed;
    let mut stored = Vec::new();
    for at in 0..EACH {
        let text = strings::random(&mut rng, n, MOST);
        let case = Case { what: "", n, at, text: &text };
        if !exceeds(&text, LONGEST) {
            server.functions(case, tally)?;
        }
        let ours = verdicts(&text, n);
        server.conversions(case, &ours, tally)?;
        server.insertions(case, &ours, tally)?;

        summary.strings += 1;
        if text.len() > 4 * n {
            summary.longer += 1;
            let stored = matches!(ours, [Verdict::Stored(_), _]);
            summary.lost += usize::from(stored && fixed(n).fit(&text).is_err());
        }
        if let [Verdict::Stored(padded), Verdict::Stored(kept)] = ours {
            summary.stored += 1;
            stored.push((at, text, padded, kept));
        } else {
            summary.refused += 1;
        }
        if tally.failed - failed >= ENOUGH {
            bail!("{ENOUGH} differences, no more of them are looked for");
        }
    }
    drop(server);
    db.commit()?;

    let mut of_fixed = Rows::of(db, &format!("SELECT x FROM fixed{n} ORDER BY id"))?;
    let mut of_varying = Rows::of(db, &format!("SELECT x FROM varying{n} ORDER BY id"))?;
    for (at, text, padded, kept) in &stored {
        let case = Case { what: "", n, at: *at, text };
        let field = of_fixed.next()?;
        tally.compare(
            case.doing("field read back"),
            &blank_filled(padded, 4 * n).as_slice(),
            &field,
        );
        tally.compare(
            case.doing("CHAR read back"),
            &Ok(padded.as_str()),
            &FixedText::new(n).decode(field),
        );
        tally.compare(
            case.doing("VARCHAR read back"),
            &Ok(kept.as_str()),
            &VarText::new(n).decode(of_varying.next()?),
        );
    }
    Ok(())
}

/// A text's field of so many bytes.
fn blank_filled(text: &str, width: usize) -> Vec<u8> {
    let mut field = text.as_bytes().to_vec();
    field.resize(width, b' ');
    field
}

/// A query whose rows must be there.
struct Rows<'a>(Statement<'a>);

impl<'a> Rows<'a> {
    fn of(database: &'a Connection, sql: &str) -> Result<Self> {
        let mut statement = database.prepare(sql)?;
        statement.execute()?;
        Ok(Self(statement))
    }

    fn next(&mut self) -> Result<&[u8]> {
        if !self.0.fetch()? {
            bail!("a row is missing");
        }
        self.0.output.field(0).context("a value, not NULL")
    }
}

/// The statements for one length. Every parameter is a text by itself.
struct Server<'a> {
    n: usize,
    lengths: Statement<'a>,
    substring: Statement<'a>,
    rpad: Statement<'a>,
    trim: Statement<'a>,
    as_text: Statement<'a>,
    as_varying: Statement<'a>,
    as_varchar: Statement<'a>,
    fixed: Statement<'a>,
    varying: Statement<'a>,
}

impl<'a> Server<'a> {
    fn prepare(db: &'a Connection, n: usize) -> Result<Self, Error> {
        let of = |what: &str| {
            db.prepare(&format!(
                "SELECT {what} FROM (SELECT CAST(? AS VARCHAR({LONGEST})) AS x FROM RDB$DATABASE)"
            ))
        };
        let cast = |to: &str| db.prepare(&format!("SELECT CAST(? AS {to}({n})) FROM RDB$DATABASE"));
        let insert = |table: &str| db.prepare(&format!("INSERT INTO {table}{n} VALUES (?, ?)"));
        let mut server = Self {
            n,
            lengths: of("CHAR_LENGTH(x), OCTET_LENGTH(x)")?,
            substring: of(&format!("SUBSTRING(x FROM 1 FOR {n})"))?,
            rpad: of(&format!("RPAD(x, {n})"))?,
            trim: of("TRIM(TRAILING FROM x)")?,
            as_text: cast("CHAR")?,
            as_varying: cast("CHAR")?,
            as_varchar: cast("VARCHAR")?,
            fixed: insert("fixed")?,
            varying: insert("varying")?,
        };
        // Numbers come as text, and the same CHAR once as it is and once with its length.
        server.lengths.output.coerce(0, SQL_VARYING, 20);
        server.lengths.output.coerce(1, SQL_VARYING, 20);
        let (_, _, width) = server.as_varying.output.described(0);
        server.as_varying.output.coerce(0, SQL_VARYING, i16::try_from(width).unwrap_or(i16::MAX));
        Ok(server)
    }

    /// What needs no column: lengths and parts of the text.
    fn functions(&mut self, case: Case<'_>, tally: &mut Tally) -> Result<()> {
        let (n, text) = (self.n, case.text);
        let number = |n: usize| n.to_string();
        ask(&mut self.lengths, case)?;
        let theirs = |column| value(&self.lengths, column, 20);
        tally.compare(case.doing("CHAR_LENGTH"), number(count(text)).as_str(), theirs(0)?);
        tally.compare(case.doing("OCTET_LENGTH"), number(text.len()).as_str(), theirs(1)?);
        for (what, statement, ours) in [
            ("SUBSTRING", &mut self.substring, prefix(text, n)),
            ("RPAD", &mut self.rpad, &*FixedText::new(n).overflow(Overflow::Truncate).fit(text)?),
            ("TRIM", &mut self.trim, trim_blanks(text)),
        ] {
            ask(statement, case)?;
            tally.compare(case.doing(what), ours, value(statement, 0, LONGEST)?);
        }
        Ok(())
    }

    /// CAST, in which Firebird stores too.
    fn conversions(
        &mut self,
        case: Case<'_>,
        ours: &[Verdict; 2],
        tally: &mut Tally,
    ) -> Result<()> {
        let n = self.n;
        let text_field = |field: &[u8]| FixedText::new(n).decode(field).map(str::to_owned);
        let theirs = cast(&mut self.as_text, case, text_field)?;
        tally.compare(case.doing("CAST AS CHAR, as SQL_TEXT"), &ours[0], &theirs);
        if let Verdict::Stored(padded) = &theirs {
            let field = self.as_text.output.field(0).unwrap_or_default();
            let filled = blank_filled(padded, 4 * n);
            tally.compare(case.doing("the whole field"), filled.as_slice(), field);
        }
        let varying_field = |field: &[u8]| VarText::new(n).decode(field).map(str::to_owned);
        let theirs = cast(&mut self.as_varying, case, varying_field)?;
        tally.compare(case.doing("CAST AS CHAR, as SQL_VARYING"), &ours[0], &theirs);
        let theirs = cast(&mut self.as_varchar, case, varying_field)?;
        tally.compare(case.doing("CAST AS VARCHAR"), &ours[1], &theirs);
        Ok(())
    }

    /// Stores what can be encoded as encoded, and has the server refuse the rest.
    fn insertions(&mut self, case: Case<'_>, ours: &[Verdict; 2], tally: &mut Tally) -> Result<()> {
        let (n, text) = (self.n, case.text);
        let mut field = vec![0; 4 * n + 2];
        let id = case.at.to_string();
        for (what, statement, ours) in [
            ("INSERT into CHAR", &mut self.fixed, &ours[0]),
            ("INSERT into VARCHAR", &mut self.varying, &ours[1]),
        ] {
            let input = &mut statement.input;
            let mut ready = input.set(0, SQL_TEXT, UTF8, id.as_bytes());
            if what.ends_with(" CHAR") {
                let encoded = fixed(n).encode(text, &mut field[..4 * n]);
                ready &= match encoded {
                    Ok(()) => input.set(1, SQL_TEXT, UTF8, &field[..4 * n]),
                    Err(_) => input.set(1, SQL_TEXT, UTF8, text.as_bytes()),
                };
            } else {
                ready &= match varying(n).encode(text, &mut field) {
                    Ok(written) => input.set(1, SQL_VARYING, UTF8, &field[..written]),
                    Err(_) => input.set(1, SQL_VARYING, UTF8, &prefixed(text)),
                };
            }
            if !ready {
                bail!("{}: a parameter too long", case.doing(what));
            }
            let theirs = match statement.execute() {
                // Read back later.
                Ok(()) if matches!(ours, Verdict::Stored(_)) => ours.clone(),
                Ok(()) => Verdict::Stored("without an error".to_owned()),
                Err(error) => Verdict::from(error),
            };
            tally.compare(case.doing(what), ours, &theirs);
        }
        Ok(())
    }
}

/// A text as a parameter: behind its length or as it is, in turn.
fn ask(statement: &mut Statement<'_>, case: Case<'_>) -> Result<()> {
    pass(statement, case)?;
    statement.one().with_context(|| case.doing("asked").to_string())
}

fn pass(statement: &mut Statement<'_>, case: Case<'_>) -> Result<()> {
    let Case { at, text, .. } = case;
    let set = if at.is_multiple_of(2) {
        statement.input.set(0, SQL_VARYING, UTF8, &prefixed(text))
    } else {
        statement.input.set(0, SQL_TEXT, UTF8, text.as_bytes())
    };
    if !set {
        bail!("a parameter of {} bytes", text.len());
    }
    Ok(())
}

fn prefixed(text: &str) -> Vec<u8> {
    let len = u16::try_from(text.len()).unwrap_or(u16::MAX);
    [&len.to_ne_bytes(), text.as_bytes()].concat()
}

/// A VARCHAR that came.
fn value<'r>(statement: &'r Statement<'_>, column: usize, n: usize) -> Result<&'r str> {
    let field = statement.output.field(column).context("a value, not NULL")?;
    Ok(VarText::new(n).decode(field)?)
}

fn cast<E: std::error::Error + Send + Sync + 'static>(
    statement: &mut Statement<'_>,
    case: Case<'_>,
    decode: impl Fn(&[u8]) -> Result<String, E>,
) -> Result<Verdict> {
    pass(statement, case)?;
    if let Err(error) = statement.one() {
        return Ok(error.into());
    }
    let field = statement.output.field(0).context("a value, not NULL")?;
    Ok(Verdict::Stored(decode(field)?))
}
