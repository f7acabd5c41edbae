//! What the story's documents cost, Java's Lucene and the crate side by side: the processor time of
//! both processes, in turns on one machine. 2 000 documents with a hundred GUIDs each are written as
//! an index, and read again.

use super::document::{Document, Value, encode};
use super::java::Programs;
use crate::counterpart::Tally;
use anyhow::{Context as _, Result, ensure};
use fastrand::Rng;
use lucene_io::index::{self, Target};
use lucene_io::store::FsDirectory;
use lucene_io::stored::{self, Compression, Reader, Verify, Visit, Writer};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

const DOCUMENTS: usize = 2_000;
/// Java's clock ticks every ten milliseconds: of so many runs that is nothing.
const RUNS: u32 = 10;
const ROUNDS: usize = 7;
/// Its compiler is done after about as many.
const WARM_UP: u32 = 40;

/// What Java does: writes all, reads documents, or hands every value to a visitor.
const KINDS: [&str; 3] = ["write", "document", "visit"];

/// A measurement: what Java does, what we do, and how many times less it is to cost.
struct Claim {
    name: &'static str,
    /// One of [`KINDS`].
    theirs: &'static str,
    ours: fn(&Work) -> Result<u64>,
    /// In percent: the contract's figure, which is told, and what is held to.
    goal: u64,
    floor: u64,
}

const CLAIMS: [Claim; 7] = [
    Claim {
        name: "write, the fast way",
        theirs: "write",
        ours: |work| work.write(Compression::Fast),
        goal: 400,
        floor: 500,
    },
    Claim {
        name: "write, the same bytes",
        theirs: "write",
        ours: |work| work.write(Compression::LuceneExact),
        goal: 300,
        floor: 250,
    },
    // Java does not verify `.fdt` when it opens an index.
    Claim {
        name: "read, borrowed",
        theirs: "document",
        ours: |work| work.visit(Verify::Lazy),
        goal: 500,
        floor: 350,
    },
    Claim {
        name: "read and verified, borrowed",
        theirs: "document",
        ours: |work| work.visit(Verify::OnOpen),
        goal: 500,
        floor: 325,
    },
    Claim {
        name: "read by a visitor, borrowed",
        theirs: "visit",
        ours: |work| work.visit(Verify::Lazy),
        goal: 500,
        floor: 325,
    },
    Claim {
        name: "read and verified, documents",
        theirs: "document",
        ours: Work::documents,
        goal: 200,
        floor: 250,
    },
    Claim {
        name: "read and verified, a String each",
        theirs: "document",
        ours: Work::strings,
        goal: 200,
        floor: 190,
    },
];

/// What is written, and where.
struct Work {
    documents: Vec<Vec<(String, String)>>,
    written: PathBuf,
    read: PathBuf,
}

/// Measures all claims in turns, prints what it came to, and holds to the floors.
pub(super) fn check(programs: &Programs<'_>, tally: &mut Tally) -> Result<()> {
    // In memory, where there is a place for that.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }?;
    let documents = super::sets::story(&mut Rng::with_seed(super::texts::SEED), DOCUMENTS);
    let file = folder.path().join("documents");
    fs::write(&file, encode(&documents))?;
    let theirs = folder.path().join("theirs");
    let ours = folder.path().join("ours");
    let mut java = Java::start(programs, &file, &theirs)?;
    let work = Work { documents: texts(&documents), written: ours, read: theirs };
    let units: u64 = work.documents.iter().flatten().map(|(_, text)| text.len() as u64).sum();
    for kind in KINDS {
        java.spend(kind, WARM_UP)?;
    }
    for claim in &CLAIMS {
        (claim.ours)(&work)?;
    }
    // The least of the rounds, on both sides: what else the machine does only adds.
    let mut theirs = [u64::MAX; KINDS.len()];
    let mut ours = [u64::MAX; CLAIMS.len()];
    let all = units * u64::from(RUNS);
    for _ in 0..ROUNDS {
        for (kind, least) in KINDS.iter().zip(&mut theirs) {
            let (nanos, read) = java.spend(kind, RUNS)?;
            ensure!(read == all || *kind == "write", "Java, {kind}: {read} of {all}");
            *least = nanos.min(*least);
        }
        for (claim, least) in CLAIMS.iter().zip(&mut ours) {
            let before = processor_time()?;
            let mut read = 0;
            for _ in 0..RUNS {
                read += (claim.ours)(&work)?;
            }
            *least = nanos_of(processor_time()? - before).min(*least);
            ensure!(read == all, "{}: {read} of {all}", claim.name);
        }
    }
    java.stop()?;
    let millis = |nanos: u64| nanos as f64 / f64::from(RUNS) / 1e6;
    for (claim, ours) in CLAIMS.iter().zip(ours) {
        let kind = KINDS.iter().position(|kind| *kind == claim.theirs).context("no such kind")?;
        let theirs = theirs[kind];
        let times = theirs as f64 / ours as f64;
        let goal = claim.goal as f64 / 100.0;
        println!(
            "{:34} Java {:5.1} ms, ours {:5.2} ms: {times:.2} times less (goal {goal}, {})",
            claim.name,
            millis(theirs),
            millis(ours),
            if times >= goal { "reached" } else { "missed" },
        );
        let what = format!("{}: percent of Java's processor time", claim.name);
        tally.at_most(what, ours * 100 / theirs.max(1), 10_000 / claim.floor);
    }
    Ok(())
}

/// The documents with their texts as Rust has them.
fn texts(documents: &[Document]) -> Vec<Vec<(String, String)>> {
    let text = |value: &Value| match value {
        Value::Text(units) => super::texts::stored(units),
        _ => String::new(),
    };
    let field = |(name, value): &(String, Value)| (name.clone(), text(value));
    documents.iter().map(|document| document.iter().map(field).collect()).collect()
}

impl Work {
    /// An index, committed; the sum of the texts' lengths.
    fn write(&self, compression: Compression) -> Result<u64> {
        if self.written.exists() {
            fs::remove_dir_all(&self.written)?;
        }
        fs::create_dir(&self.written)?;
        let directory = FsDirectory::open(&self.written)?;
        let mut writer = Writer::create(&directory, "_0", compression)?;
        let mut units = 0;
        for document in &self.documents {
            let mut out = writer.start_document()?;
            for (name, text) in document {
                out = out.string(name, text);
                units += text.len() as u64;
            }
            out.end()?;
        }
        index::write_commit(&directory, &[writer.finish()?], Target::Lucene410)?;
        Ok(units)
    }

    /// Every value of Java's index where it lies.
    fn visit(&self, verify: Verify) -> Result<u64> {
        let mut units = 0;
        self.segments(verify, |reader, doc| {
            reader.visit(doc, |field| {
                units += length(field.value);
                Visit::Next
            })
        })?;
        Ok(units)
    }

    /// Every document as one of its own.
    fn documents(&self) -> Result<u64> {
        let mut units = 0;
        self.segments(Verify::OnOpen, |reader, doc| {
            let document = reader.document(doc)?;
            units += document.fields().map(|field| length(field.value)).sum::<u64>();
            Ok(())
        })?;
        Ok(units)
    }

    /// Every value as a `String`, as Java's documents have them.
    fn strings(&self) -> Result<u64> {
        let mut units = 0;
        let mut strings = Vec::new();
        self.segments(Verify::OnOpen, |reader, doc| {
            strings.clear();
            reader.visit(doc, |field| {
                if let stored::Value::String(text) = field.value {
                    strings.push(text.to_owned());
                }
                Visit::Next
            })?;
            units += strings.iter().map(|text| text.len() as u64).sum::<u64>();
            Ok(())
        })?;
        Ok(units)
    }

    fn segments(
        &self,
        verify: Verify,
        mut read: impl FnMut(&mut Reader, u32) -> Result<(), lucene_io::Error>,
    ) -> Result<()> {
        let directory = FsDirectory::open(&self.read)?;
        for segment in index::read_commit(&directory)?.segments() {
            let mut reader = Reader::open(&directory, segment.name(), verify)?;
            for doc in 0..reader.doc_count() {
                read(&mut reader, doc)?;
            }
        }
        Ok(())
    }
}

fn length(value: stored::Value<'_>) -> u64 {
    match value {
        stored::Value::String(text) => text.len() as u64,
        _ => 0,
    }
}

/// Of this process. Nothing else of it runs meanwhile.
fn processor_time() -> Result<Duration> {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Ok(Duration::new(time.tv_sec.try_into()?, time.tv_nsec.try_into()?))
}

fn nanos_of(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// `Cpu.java`, which waits for what to do.
struct Java {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Java {
    fn start(programs: &Programs<'_>, documents: &Path, folder: &Path) -> Result<Self> {
        let mut command = programs.unchecked("Cpu", &[documents, folder])?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot start Java")?;
        let asks = child.stdin.take().context("its input")?;
        let answers = BufReader::new(child.stdout.take().context("its output")?);
        Ok(Self { child, asks, answers })
    }

    /// The nanoseconds that so many runs took, and the sum of the lengths that were read.
    fn spend(&mut self, kind: &str, runs: u32) -> Result<(u64, u64)> {
        writeln!(self.asks, "{kind} {runs}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let (nanos, units) = line.trim().split_once(' ').context("Java has ended")?;
        Ok((nanos.parse()?, units.parse()?))
    }

    fn stop(self) -> Result<()> {
        let Self { mut child, asks, .. } = self;
        drop(asks);
        ensure!(child.wait()?.success(), "Java has failed");
        Ok(())
    }
}
