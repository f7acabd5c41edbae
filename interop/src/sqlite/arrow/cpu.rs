//! What a table costs as Arrow, ADBC's driver and the crate side by side: the processor time of both
//! processes, in turns on one machine. Each has its connection open and its file in the system's
//! memory, prepares the query, and reads all rows as arrays, each of which it lets go before the next.
//! What SQLite spends on its steps to the rows, the limit of both, is told beside it.

use crate::counterpart::Tally;
use anyhow::{Context as _, Result, ensure};
use arrow_array::Array as _;
use rusqlite::Connection;
use rustix::time::{ClockId, clock_gettime};
use sqlite_text::{TextBatch, TextStatement};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Rows of a batch, for both: ours unless told, and better for ADBC than its own 1024.
const BATCH: usize = 8192;
const ROUNDS: usize = 9;
const SQL: &str = "SELECT s FROM t";

/// A measurement: how many rows of what length, how often a round reads them, and how many times less
/// it is to cost, in percent: the contract's figure, which is told, and what is held to.
struct Claim {
    encoding: &'static str,
    bytes: usize,
    rows: usize,
    runs: u32,
    goal: u64,
    floor: u64,
}

const CLAIMS: [Claim; 5] = [
    Claim { encoding: "UTF-8", bytes: 16, rows: 20_000, runs: 10, goal: 200, floor: 150 },
    Claim { encoding: "UTF-8", bytes: 256, rows: 20_000, runs: 5, goal: 200, floor: 104 },
    Claim { encoding: "UTF-8", bytes: 16, rows: 200_000, runs: 1, goal: 200, floor: 140 },
    Claim { encoding: "UTF-8", bytes: 256, rows: 100_000, runs: 1, goal: 200, floor: 97 },
    Claim { encoding: "UTF-16le", bytes: 256, rows: 20_000, runs: 5, goal: 200, floor: 115 },
];

/// Measures all claims in turns, prints what it came to, and holds to the floors; gives the least and the
/// largest ratio.
pub(super) fn check(python: &Path, tally: &mut Tally) -> Result<String> {
    // In memory, where there is a place for that.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }?;
    let mut adbc = Adbc::start(python)?;
    let mut shown = Vec::new();
    for claim in &CLAIMS {
        let Claim { encoding, bytes, rows, runs, goal, floor } = *claim;
        let file = folder.path().join(format!("{encoding}-{bytes}-{rows}.db"));
        let db = fill(&file, encoding, bytes, rows)?;
        let told = (rows as u64, (rows * bytes) as u64);
        // The least of the rounds, on both sides: what else the machine does only adds. The first
        // round warms up.
        let (mut theirs, mut ours, mut steps) = (u64::MAX, u64::MAX, u64::MAX);
        for round in 0..=ROUNDS {
            let (nanos, read) = adbc.spend(&file, runs)?;
            ensure!(read == told, "ADBC read {read:?}, not {told:?}");
            let all = spent(runs, || {
                let read = whole(&db)?;
                ensure!(read == told, "ours are {read:?}, not {told:?}");
                Ok(())
            })?;
            let alone = spent(runs, || step(&db))?;
            if round > 0 {
                theirs = theirs.min(nanos);
                ours = ours.min(all);
                steps = steps.min(alone);
            }
        }
        let times = theirs as f64 / ours as f64;
        let a_row = |nanos: u64| nanos as f64 / f64::from(runs) / rows as f64;
        let goal = goal as f64 / 100.0;
        println!(
            "{rows:6} rows of {bytes:3} bytes, {encoding:8}: ADBC {:5.1} ns a row, ours {:5.1} (SQLite's \
             steps {:5.1}): {times:.2} times less (goal {goal}, {})",
            a_row(theirs),
            a_row(ours),
            a_row(steps),
            if times >= goal { "reached" } else { "missed" },
        );
        let what =
            format!("{rows} rows of {bytes} bytes, {encoding}: percent of ADBC's processor time");
        tally.at_most(what, ours * 100 / theirs.max(1), 10_000 / floor);
        shown.push(times);
    }
    adbc.stop()?;
    let least = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shown.iter().copied().fold(0.0, f64::max);
    Ok(format!("{least:.2} to {most:.2} times less processor time"))
}

/// A database of so many texts, each a different one.
fn fill(file: &Path, encoding: &str, bytes: usize, rows: usize) -> Result<Connection> {
    let mut db = Connection::open(file)?;
    db.execute_batch(&format!(
        "PRAGMA encoding = '{encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, s)"
    ))?;
    let writes = db.transaction()?;
    let mut insert = writes.prepare("INSERT INTO t (s) VALUES (?1)")?;
    for row in 0..rows {
        insert.execute([format!("{row:016x}").repeat(bytes / 16)])?;
    }
    drop(insert);
    writes.commit()?;
    Ok(db)
}

/// The whole table as arrays; how many rows and bytes that are.
fn whole(db: &Connection) -> Result<(u64, u64)> {
    let mut statement = TextStatement::prepare(db, SQL)?;
    let mut reader = statement.read_batch(&[])?.max_rows(BATCH);
    let mut column = [TextBatch::new()];
    let (mut rows, mut bytes) = (0, 0);
    while reader.next_batch(&mut column)? != 0 {
        let [column] = &mut column;
        let array = std::mem::take(column).into_array();
        rows += array.len() as u64;
        bytes += array.value_data().len() as u64;
    }
    Ok((rows, bytes))
}

/// SQLite's steps alone.
fn step(db: &Connection) -> Result<()> {
    let mut statement = TextStatement::prepare(db, SQL)?;
    let mut rows = statement.query(&[])?;
    while rows.next()?.is_some() {}
    Ok(())
}

/// What so many runs took of the processor.
fn spent(runs: u32, mut run: impl FnMut() -> Result<()>) -> Result<u64> {
    let before = processor_time()?;
    for _ in 0..runs {
        run()?;
    }
    Ok(u64::try_from((processor_time()? - before).as_nanos())?)
}

/// Of this process. Nothing else of it runs meanwhile.
fn processor_time() -> Result<Duration> {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Ok(Duration::new(time.tv_sec.try_into()?, time.tv_nsec.try_into()?))
}

/// `adbc_cpu.py`, which waits for what to read.
struct Adbc {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Adbc {
    fn start(python: &Path) -> Result<Self> {
        let mut command = Command::new(python);
        command.args(["-I", "-c", include_str!("../scripts/adbc_cpu.py")]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot start Python")?;
        let asks = child.stdin.take().context("its input")?;
        let answers = BufReader::new(child.stdout.take().context("its output")?);
        Ok(Self { child, asks, answers })
    }

    /// The nanoseconds that so many runs took, and the rows and bytes of one.
    fn spend(&mut self, file: &Path, runs: u32) -> Result<(u64, (u64, u64))> {
        writeln!(self.asks, "{} {BATCH} {runs}", file.display())?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let mut numbers = line.split_whitespace().map(str::parse);
        let mut next = || numbers.next().context("Python has ended")?.context("no number");
        Ok((next()?, (next()?, next()?)))
    }

    fn stop(self) -> Result<()> {
        let Self { mut child, asks, .. } = self;
        drop(asks);
        ensure!(child.wait()?.success(), "Python has failed");
        Ok(())
    }
}
