//! TDS in real clients: a server built on `pktpool` answers FreeTDS, python-tds, pymssql, tedious
//! and tiberius, and what they read is compared value by value. tshark lists the packets of both
//! directions, to be compared with the crate's own list.
//!
//! No server of TDS can be installed, so the clients are the counterparts.

mod freetds;
mod plan;
mod question;
mod records;
mod request;
mod responder;
mod tiberius;
mod tokens;
mod tshark;
mod values;

use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use crate::process::output;
use anyhow::{Context as _, Result};
use plan::{How, Session, Skills};
use responder::{Responder, Seen};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use tshark::Tshark;
use values::Row;

/// Whose versions are ours to choose.
const PYTHON: [&str; 2] = ["pymssql==2.4.6", "python-tds==1.17.1"];
const NODE: (&str, &str) = ("tedious", "19.2.2");
/// What the Rust client's version is read from.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// The head of both Python scripts.
const RECORDS: &str = include_str!("scripts/records.py");

/// One client.
#[derive(Debug)]
pub(crate) struct Client {
    name: &'static str,
    about: &'static str,
    who: Who,
    /// What `prepare` has found: the program, and the folder of what it needs beside it.
    found: OnceLock<Vec<PathBuf>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Tsql,
    Bsqldb,
    Pytds,
    Pymssql,
    Tedious,
    Tiberius,
}

impl Client {
    const fn new(name: &'static str, about: &'static str, who: Who) -> Self {
        Self { name, about, who, found: OnceLock::new() }
    }
}

/// All clients, and the one that only looks on.
pub(crate) static TSQL: Client =
    Client::new("tds-tsql", "FreeTDS's tsql: results of a server on pktpool", Who::Tsql);
pub(crate) static BSQLDB: Client =
    Client::new("tds-bsqldb", "FreeTDS's bsqldb: results of a server on pktpool", Who::Bsqldb);
pub(crate) static PYTDS: Client =
    Client::new("tds-pytds", "python-tds: results, parameters, attention", Who::Pytds);
pub(crate) static PYMSSQL: Client =
    Client::new("tds-pymssql", "pymssql: results of a server on pktpool", Who::Pymssql);
pub(crate) static TEDIOUS: Client =
    Client::new("tds-tedious", "tedious: results, parameters, attention", Who::Tedious);
pub(crate) static TIBERIUS_CRATE: Client =
    Client::new("tds-tiberius", "tiberius: results and parameters", Who::Tiberius);
pub(crate) static TSHARK: Tshark = Tshark::new();

impl Counterpart for Client {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        let found = match self.who {
            Who::Tsql => vec![installer.program("tsql", "freetds-bin")?],
            Who::Bsqldb => vec![installer.program("bsqldb", "freetds-bin")?],
            Who::Pytds | Who::Pymssql => vec![installer.python(&PYTHON)?],
            Who::Tedious => {
                let node = installer.program("node", "nodejs")?;
                vec![node, installer.node_modules(NODE.0, NODE.1)?]
            }
            Who::Tiberius => Vec::new(),
        };
        let _ = self.found.set(found);
        Ok(())
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let skills = self.skills();
        let sessions = plan::sessions(skills);
        let responder = Responder::start()?;
        let answers = self.run(responder.address(), &sessions);
        let seen = responder.stop()?;
        // First, as it is why a client has failed.
        tally.compare("connections that broke off", &Vec::new(), &seen.problems);
        let answers = answers?;
        let mut expected: Vec<_> = sessions.iter().map(Session::expected).collect();
        if self.who == Who::Bsqldb {
            for (session, answers) in sessions.iter().zip(&mut expected) {
                for (ask, rows) in session.asks.iter().zip(answers) {
                    let columns = ask.question.answer().columns;
                    *rows =
                        freetds::shown(freetds::Program::Bsqldb, std::mem::take(rows), &columns);
                }
            }
        }
        compare(self.name, &sessions, &expected, &answers, tally);
        compare_sizes(self.name, &sessions, &seen, tally);
        let cancels = sessions.iter().flat_map(|session| &session.asks);
        let cancels = cancels.filter(|ask| ask.how == How::Cancel).count();
        tally.compare("attentions that stopped rows", &cancels, &seen.attentions);
        let (received, sent) = (seen.received.len(), seen.sent.len());
        Ok(format!("{}; {received} packets from it, {sent} to it", self.version()?))
    }
}

impl Client {
    fn skills(&self) -> Skills {
        let (packet_size, call, cancel) = match self.who {
            Who::Tsql | Who::Bsqldb | Who::Pymssql => (false, false, false),
            Who::Pytds | Who::Tedious => (true, true, true),
            Who::Tiberius => (true, true, false),
        };
        Skills { packet_size, call, cancel }
    }

    /// What it reads, session by session.
    fn run(&self, address: SocketAddr, sessions: &[Session]) -> Result<Vec<Vec<Vec<Row>>>> {
        let found = self.found.get().context("nothing was prepared")?;
        let program = || found.first().context("no program");
        let python = |script: &str| -> Result<Command> {
            let mut command = Command::new(program()?);
            command.args(["-I", "-c", &format!("{RECORDS}\n{script}")]);
            Ok(command)
        };
        let command = match self.who {
            Who::Tsql => {
                return freetds::run(freetds::Program::Tsql, program()?, address, sessions);
            }
            Who::Bsqldb => {
                return freetds::run(freetds::Program::Bsqldb, program()?, address, sessions);
            }
            Who::Tiberius => return tiberius::run(address, sessions),
            Who::Pytds => python(include_str!("scripts/pytds_reads.py"))?,
            Who::Pymssql => python(include_str!("scripts/pymssql_reads.py"))?,
            Who::Tedious => {
                let mut node = Command::new(program()?);
                node.args(["-e", include_str!("scripts/tedious_reads.js"), "--"]);
                node.env("NODE_PATH", found.last().context("no folder")?);
                node
            }
        };
        script(command, address, sessions)
    }

    fn version(&self) -> Result<String> {
        let pinned = |package: &str| {
            let mut pairs = PYTHON.iter().filter_map(|one| one.split_once("=="));
            pairs.find(|(name, _)| *name == package).map_or("", |(_, version)| version).to_owned()
        };
        Ok(match self.who {
            Who::Tsql | Who::Bsqldb => {
                let found = self.found.get().and_then(|found| found.first());
                freetds::version(found.context("no program")?)?
            }
            Who::Pytds => pinned("python-tds"),
            Who::Pymssql => pinned("pymssql"),
            Who::Tedious => NODE.1.to_owned(),
            Who::Tiberius => {
                let entry = LOCK.split_once("name = \"tiberius\"\nversion = \"");
                let version = entry.and_then(|(_, behind)| behind.split('"').next());
                version.context("no tiberius in the lock file")?.to_owned()
            }
        })
    }
}

/// Runs a script that gets the sessions as JSON and prints records.
fn script(
    mut command: Command,
    address: SocketAddr,
    sessions: &[Session],
) -> Result<Vec<Vec<Vec<Row>>>> {
    command.arg(address.to_string());
    let said = output(command, &serde_json::to_vec(sessions)?)?;
    let mut answers = records::read(&said)?.into_iter();
    Ok(sessions.iter().map(|session| answers.by_ref().take(session.asks.len()).collect()).collect())
}

/// Answer by answer, what the client was to read and what it has read.
fn compare(
    client: &str,
    sessions: &[Session],
    expected: &[Vec<Vec<Row>>],
    found: &[Vec<Vec<Row>>],
    tally: &mut Tally,
) {
    for (at, (session, expected)) in sessions.iter().zip(expected).enumerate() {
        let found = found.get(at).map_or(&[][..], Vec::as_slice);
        let Session { user, packet_size, .. } = session;
        for (n, (ask, expected)) in session.asks.iter().zip(expected).enumerate() {
            let sql: String = ask.sql.chars().take(40).collect();
            let what = format!("{client}, {user} {packet_size}, {n} {:?} {sql}", ask.how);
            tally.compare(what, &Some(expected), &found.get(n));
        }
    }
}

/// The packet sizes that were agreed on are those of the plan, and the client filled its packets.
fn compare_sizes(client: &str, sessions: &[Session], seen: &Seen, tally: &mut Tally) {
    let size = |session: &Session| match session.packet_size {
        0 => session.user.rsplit('-').next().and_then(|size| size.parse().ok()).unwrap_or(0),
        asked => asked,
    };
    let planned: Vec<usize> = sessions.iter().map(size).collect();
    let agreed: Vec<usize> = seen.logins.iter().map(|(_, size)| *size).collect();
    tally.compare(format!("{client}, packet sizes"), &planned, &agreed);
    let databases = seen.logins.iter().all(|(login, _)| login.database == "base");
    tally.compare(format!("{client}, the database of every login"), &true, &databases);
    let filled = |size: &usize| {
        let mut packets = seen.received.iter();
        packets.any(|packet| packet.status & 1 == 0 && usize::from(packet.length) == *size)
    };
    let unfilled: Vec<&usize> = planned.iter().filter(|size| !filled(size)).collect();
    let many = plan::SIZES.iter().filter(|size| !unfilled.contains(size)).count();
    tally.compare(format!("{client}, sizes of its full packets"), &plan::SIZES.len(), &many);
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::Ask;
    use question::Question;
    use values::Value;

    #[test]
    fn what_differs_or_is_missing_fails() {
        let ask = |question: Question| Ask { how: How::Batch, sql: String::new(), question };
        let asks = vec![ask(Question::Rows(2)), ask(Question::Back("x".to_owned()))];
        let sessions = [Session { user: "whole".to_owned(), packet_size: 512, asks }];
        let expected = [sessions[0].expected()];
        let tally = |found: &[Vec<Vec<Row>>]| {
            let mut tally = Tally::default();
            compare("this test", &sessions, &expected, found, &mut tally);
            (tally.passed, tally.failed)
        };
        assert_eq!(tally(&expected), (2, 0));
        let mut found = expected.clone();
        found[0][0][1][1] = Value::Null;
        assert_eq!(tally(&found), (1, 1));
        found[0].pop();
        assert_eq!(tally(&found), (0, 2));
        assert_eq!(tally(&[]), (0, 2));
    }

    /// tiberius needs nothing installed, so it tests the server wherever tests run.
    #[test]
    fn tiberius_reads_what_is_sent() {
        TIBERIUS_CRATE.prepare(&Installer::new(false).unwrap()).unwrap();
        let sessions = [512, 4096].map(|packet_size| Session {
            user: "whole".to_owned(),
            packet_size,
            asks: [Question::Rows(50), Question::Awkward, Question::Back("é".repeat(3_000))]
                .map(|question| Ask { how: How::Batch, sql: question.to_string(), question })
                .into(),
        });
        let responder = Responder::start().unwrap();
        let found = TIBERIUS_CRATE.run(responder.address(), &sessions).unwrap();
        let seen = responder.stop().unwrap();
        assert_eq!(seen.problems, [""; 0]);
        assert_eq!(found, sessions.each_ref().map(Session::expected));
        assert!(seen.received.iter().any(|packet| packet.length == 512 && packet.status == 0));
        assert!(seen.sent.iter().any(|packet| packet.length == 4096 && packet.status == 0));
        assert!(TIBERIUS_CRATE.version().unwrap().contains('.'));
    }
}
