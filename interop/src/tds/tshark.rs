//! tshark as a witness of the packets: what it makes of a capture of the loopback interface is
//! compared with what went through [`PacketStream`](pktpool::PacketStream) and out of
//! [`Packetizer`](pktpool::tds::Packetizer).

use super::plan::{self, Session, Skills};
use super::responder::{Responder, Seen};
use super::{Row, compare, tiberius};
use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use crate::process::{Running, output};
use anyhow::{Context as _, Result, bail, ensure};
use pktpool::tds::PacketHeader;
use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Type, status and length of a packet.
type Packet = (u8, u8, u16);

/// How long a capture may take to begin, and what was sent to be written.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often what was asked is asked again, because the capture dropped frames.
const TRIES: usize = 3;

/// The witness.
#[derive(Debug)]
pub(crate) struct Tshark {
    /// dumpcap, which captures, and tshark, which reads.
    found: OnceLock<[PathBuf; 2]>,
}

impl Tshark {
    pub(crate) const fn new() -> Self {
        Self { found: OnceLock::new() }
    }
}

impl Counterpart for Tshark {
    fn name(&self) -> &'static str {
        "tds-tshark"
    }

    fn about(&self) -> &'static str {
        "tshark: its list of TDS packets, both directions"
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        let tshark = installer.program("tshark", "tshark")?;
        let dumpcap = installer.program("dumpcap", "wireshark-common")?;
        // A capture may be forbidden, in a container for example.
        let mut list = Command::new(&dumpcap);
        list.arg("-D");
        let interfaces = String::from_utf8_lossy(&output(list, b"")?).into_owned();
        let loopback = |line: &str| line.split_whitespace().any(|word| word == "lo");
        ensure!(
            interfaces.lines().any(loopback),
            "no capture of the loopback interface is allowed"
        );
        let _ = self.found.set([dumpcap, tshark]);
        Ok(())
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let [dumpcap, tshark] = self.found.get().context("nothing was prepared")?;
        let sessions = sessions();
        let expected: Vec<_> = sessions.iter().map(Session::expected).collect();
        let mut tries = 1;
        let (seen, list) = loop {
            let Witnessed { seen, answers, list, dropped } = witness(dumpcap, tshark, &sessions)?;
            tally.compare("connections that broke off", &Vec::new(), &seen.problems);
            compare(self.name(), &sessions, &expected, &answers, tally);
            if dropped == 0 {
                break (seen, list);
            }
            // It says so itself: a witness that looked away is no witness.
            ensure!(tries < TRIES, "the capture dropped frames {TRIES} times, {dropped} at last");
            println!("the capture dropped {dropped} frames: once more");
            tries += 1;
        };
        for (what, ours, theirs) in
            [("received", &seen.received, &list.to_server), ("sent", &seen.sent, &list.to_client)]
        {
            tally.compare(format!("number of packets {what}"), &ours.len(), &theirs.len());
            // Each packet for itself, so that a difference shows which.
            for (n, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                let PacketHeader { packet_type, status, length, .. } = *ours;
                let ours: Packet = (packet_type, status, length);
                tally.compare(format!("packet {n} {what}"), &ours, theirs);
            }
        }
        let mut version = Command::new(tshark);
        version.arg("--version");
        let said = String::from_utf8_lossy(&output(version, b"")?).into_owned();
        let version = said.split_whitespace().nth(2).context("no version")?;
        Ok(version.trim_end_matches('.').to_owned())
    }
}

/// What was asked once, and what both sides saw of it.
#[derive(Debug)]
struct Witnessed {
    seen: Seen,
    answers: Vec<Vec<Vec<Row>>>,
    list: List,
    /// Frames that the kernel or dumpcap had no room for.
    dropped: u64,
}

fn witness(dumpcap: &Path, tshark: &Path, sessions: &[Session]) -> Result<Witnessed> {
    let folder = tempfile::tempdir()?;
    let [file, log] = ["capture", "log"].map(|name| folder.path().join(name));
    let responder = Responder::start()?;
    let address = responder.address();
    let capture = capture(dumpcap, &file, &log, address.port())?;
    let answers = tiberius::run(address, sessions);
    let seen = responder.stop()?;
    settle(&file)?;
    // It ends by a signal and says so.
    capture.stop()?;
    let said = fs::read_to_string(&log)?;
    let dropped = dropped(&said).with_context(|| format!("dumpcap said {said:?}"))?;
    let list = list(tshark, &file, address.port())?;
    Ok(Witnessed { seen, answers: answers?, list, dropped })
}

/// A part of what tiberius is asked: packets of all sizes, and dribbled ones.
fn sessions() -> Vec<Session> {
    let skills = Skills { packet_size: true, call: true, cancel: false };
    let mut sessions = plan::sessions(skills);
    sessions.retain(|session| session.user == "whole" || session.packet_size == 512);
    for session in &mut sessions {
        // Ten megabytes more say nothing new, nor does sending them back: they are asked for last.
        if let Some(at) = session.asks.iter().position(plan::is_large) {
            session.asks.truncate(at);
        }
    }
    sessions
}

/// Starts a capture, and waits until it sees what goes over the port.
fn capture(dumpcap: &Path, file: &Path, log: &Path, port: u16) -> Result<Running> {
    let mut command = Command::new(dumpcap);
    command.args(["-i", "lo", "-q", "-B", "64", "-f", &format!("tcp port {port}"), "-w"]).arg(file);
    command.stderr(File::create(log)?);
    let mut running = Running::start(command)?;
    let start = Instant::now();
    // Connections that say nothing, until one is in the file.
    let empty = 2_000;
    while fs::metadata(file).map_or(0, |data| data.len()) < empty {
        running.lives()?;
        ensure!(start.elapsed() < PATIENCE, "the capture does not begin");
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, port))?);
        thread::sleep(Duration::from_millis(100));
    }
    Ok(running)
}

/// The frames that a capture lost, from the line that dumpcap ends with:
/// `Packets received/dropped on interface 'lo': 5560/0 (…)`.
fn dropped(said: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.starts_with("Packets received/dropped"))?;
    let (_, counts) = line.rsplit_once("': ")?;
    let (_, dropped) = counts.split_whitespace().next()?.split_once('/')?;
    dropped.parse().ok()
}

/// Waits until the file does not grow any more.
fn settle(file: &Path) -> Result<()> {
    let start = Instant::now();
    let mut len = 0;
    while start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(700));
        let now = fs::metadata(file)?.len();
        if now == len {
            return Ok(());
        }
        len = now;
    }
    bail!("the capture does not end")
}

/// The packets in the order of the capture.
#[derive(Debug, Default)]
struct List {
    to_server: Vec<Packet>,
    to_client: Vec<Packet>,
}

fn list(tshark: &Path, file: &Path, port: u16) -> Result<List> {
    let mut command = Command::new(tshark);
    command.arg("-n").arg("-r").arg(file).args(["-d", &format!("tcp.port=={port},tds")]);
    // Of each packet its header alone: a message put together would be taken apart.
    command.args(["-o", "tds.defragment:FALSE", "-Y", "tds", "-T", "fields"]);
    // A thread that changes its processor while it writes is captured so: a later segment first.
    command.args(["-o", "tcp.reassemble_out_of_order:TRUE"]);
    for field in ["tcp.dstport", "tds.type", "tds.status", "tds.length"] {
        command.args(["-e", field]);
    }
    let said = String::from_utf8(output(command, b"")?)?;
    let mut list = List::default();
    for line in said.lines() {
        let (to, packets) = read(line).with_context(|| format!("tshark printed {line:?}"))?;
        if to == port { &mut list.to_server } else { &mut list.to_client }.extend(packets);
    }
    Ok(list)
}

/// One line: the port, and the packets that end in this segment.
fn read(line: &str) -> Result<(u16, Vec<Packet>)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [to, kinds, statuses, lengths] = fields.as_slice() else { bail!("not four fields") };
    let [kinds, statuses, lengths] = [kinds, statuses, lengths]
        .map(|field| -> Result<Vec<u16>> { field.split(',').map(number).collect() });
    let (kinds, statuses, lengths) = (kinds?, statuses?, lengths?);
    ensure!(kinds.len() == statuses.len() && kinds.len() == lengths.len(), "fields do not match");
    let packets = kinds.iter().zip(&statuses).zip(&lengths);
    let packets = packets.map(|((kind, status), length)| -> Result<Packet> {
        Ok((u8::try_from(*kind)?, u8::try_from(*status)?, *length))
    });
    Ok((to.parse()?, packets.collect::<Result<_>>()?))
}

fn number(text: &str) -> Result<u16> {
    Ok(match text.strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16)?,
        None => text.parse()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_the_capture_dropped_are_counted() {
        let said = "Capturing on 'Loopback: lo'\nPackets captured: 55\nPackets received/dropped on \
                    interface 'Loopback: lo': 55/7 (pcap:7/dumpcap:0/flushed:0/ps_ifdrop:0) (88.7%)\n";
        assert_eq!(dropped(said), Some(7));
        assert_eq!(dropped("Capturing on 'Loopback: lo'\n"), None);
    }

    #[test]
    fn several_packets_of_a_segment_are_read() {
        let line = "1433\t4,4\t0x00,0x01\t512,20";
        assert_eq!(read(line).unwrap(), (1433, vec![(4, 0, 512), (4, 1, 20)]));
        assert!(read("1433\t4,4\t0x00\t512,20").is_err());
        assert!(read("1433\t4").is_err());
    }
}
