//! The corpora under `data/`, each case at its own reads, at one byte a read, and at once; by packets,
//! and by steps of a parse.
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "a path to a method is of one lifetime, a step of any"
)]

use crate::common::{Taken, cut, drain, load, packet, read};
use pktpool::tds::{Packetizer, Tds, read_plp};
use pktpool::{Error, Limits, PacketStream, Progress, Reader, Snapshot, Stop};
use serde::Deserialize;

#[derive(Deserialize)]
struct File<C, S = ()> {
    case: Vec<C>,
    #[serde(default = "Vec::new")]
    step: Vec<S>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    packets: Vec<(u8, usize)>,
    #[serde(default)]
    status: Vec<u8>,
    #[serde(default)]
    raw: Vec<u8>,
    reads: Vec<usize>,
    #[serde(default)]
    after: Vec<usize>,
    max_packet: Option<usize>,
    max_message: Option<u64>,
    error: Option<String>,
    end: Option<String>,
}

impl Case {
    fn wire(&self) -> Vec<u8> {
        let status = |i: usize| self.status.get(i).copied().unwrap_or(0);
        let packets = self.packets.iter().enumerate();
        let mut wire: Vec<u8> = packets
            .flat_map(|(i, &(fill, n))| packet(status(i), i as u8, &vec![fill; n]))
            .collect();
        wire.extend(&self.raw);
        wire
    }

    fn run(&self, reads: &[usize], after: &[usize], by: By) {
        let name = format!("{} at reads of {reads:?}, {by:?}", self.name);
        let wire = self.wire();
        let defaults = Limits::default();
        let limits = Limits {
            max_packet: self.max_packet.unwrap_or(defaults.max_packet),
            max_message: self.max_message.unwrap_or(defaults.max_message),
            ..defaults
        };
        let mut stream = PacketStream::new(Tds::default(), limits);
        let mut expected = cut(&wire);
        expected.truncate(self.packets.len());
        if by == By::Steps {
            // A step sees payload: no headers, and nothing of packets that have none.
            expected.iter_mut().for_each(|packet| (packet.1, packet.2) = (false, Vec::new()));
            expected.retain(|packet| !packet.3.is_empty());
        }
        let (mut taken, mut rest, mut error) = (Vec::new(), &wire[..], None);
        for i in 0.. {
            if rest.is_empty() || error.is_some() {
                break;
            }
            let n = reads[i.min(reads.len() - 1)].min(rest.len());
            read(&mut stream, &rest[..n]);
            rest = &rest[n..];
            error = match by {
                By::Packets => drain(&mut stream, &mut taken),
                By::Steps => by_steps(&mut stream, &mut taken),
            }
            .err();
            if let Some(&count) = after.get(i)
                && expected.len() == self.packets.len()
            {
                assert_eq!(taken.len(), count, "{name}: after read {i}");
            }
        }
        assert_eq!(taken, expected, "{name}");
        assert_eq!(error.map(|e| format!("{e:?}")), self.error, "{name}");
        if self.error.is_some() {
            assert_eq!(stream.next_packet(), Err(Error::Poisoned), "{name}");
            assert!(matches!(stream.read(|r| r.u8()), Err(Error::Poisoned)), "{name}");
            assert_eq!(stream.feed(&[4]), Err(Error::Poisoned), "{name}");
        }
        if let Some(end) = &self.end {
            let got = stream.end_of_input().map_or_else(|e| format!("{e:?}"), |()| "ok".to_owned());
            assert_eq!(&got, end, "{name}");
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum By {
    Packets,
    Steps,
}

/// One step a packet: what is left of it, whole.
fn by_steps(stream: &mut PacketStream<Tds>, out: &mut Vec<Taken>) -> Result<(), Error> {
    loop {
        let progress = stream.read(|r| {
            while r.at_message_end() {
                r.next_message()?;
            }
            let kind = r.kind()?;
            let mut payload = Vec::new();
            r.take(r.remaining_in_packet())?.for_each(|chunk| payload.extend_from_slice(chunk));
            Ok((kind, false, Vec::new(), payload))
        });
        match progress? {
            Progress::Done(packet) => out.push(packet),
            Progress::NeedMore => return Ok(()),
        }
    }
}

fn run(file: &str, count: usize) {
    let cases = load::<File<Case, toml::Value>>(file).case;
    assert_eq!(cases.len(), count, "{file}");
    for case in cases {
        assert!(case.after.len() <= case.reads.len(), "{}", case.name);
        for by in [By::Packets, By::Steps] {
            case.run(&case.reads, &case.after, by);
            case.run(&[1], &[], by);
            case.run(&[usize::MAX], &[], by);
        }
    }
}

#[test]
fn multiplexer_scenarios() {
    run("multiplexer.toml", 12);
}

#[test]
fn bug_reports() {
    run("reports.toml", 20);
}

/// A parse: steps, and what they give. Bytes are written as parts: hex digits, or a byte and `*count`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Steps {
    name: String,
    message: Vec<String>,
    /// Each of them is tried: sizes of packets, header included.
    packet_sizes: Vec<usize>,
    /// `u8`, `bytes n`, `vec n`, `plp`, `skip n`, or `into offset n`: a copy into the middle of zeros.
    step: Vec<String>,
    /// The whole message is so many times what stands above, and so is the step.
    #[serde(default = "one")]
    times: usize,
    gives: Vec<String>,
}

fn one() -> usize {
    1
}

fn bytes(parts: &str) -> Vec<u8> {
    let part = |part: &str| match part.split_once('*') {
        Some((byte, count)) => vec![hex(byte)[0]; count.parse().unwrap()],
        None => hex(part),
    };
    parts.split_whitespace().flat_map(part).collect()
}

fn hex(digits: &str) -> Vec<u8> {
    assert!(digits.len().is_multiple_of(2), "{digits}");
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap())
        .collect()
}

/// What one read gives; `None` is NULL.
fn step(r: &mut Reader<'_>, read: &str) -> Result<Option<Vec<u8>>, Stop> {
    let mut words = read.split(' ');
    let name = words.next().unwrap();
    let mut number = || words.next().unwrap().parse::<usize>().unwrap();
    Ok(Some(match name {
        "u8" => vec![r.u8()?],
        "bytes" => r.take(number())?.flatten().copied().collect(),
        "vec" => r.read_vec(number())?.into_vec(),
        "plp" => return Ok(read_plp(r, usize::MAX)?.map(pktpool::Value::into_vec)),
        "skip" => {
            r.skip(number() as u64)?;
            Vec::new()
        }
        "into" => {
            let offset = number();
            let mut out = vec![0; offset + number()];
            r.read_into(&mut out[offset..])?;
            out
        }
        other => panic!("{other}"),
    }))
}

impl Steps {
    fn run(&self, packet_size: usize, piece: usize) {
        let name = format!("{}: packets of {packet_size}, reads of {piece}", self.name);
        let message = self.message.iter().flat_map(|part| bytes(part)).collect::<Vec<_>>();
        let mut wire = Vec::new();
        for (header, data) in
            Packetizer::new(4, packet_size).unwrap().packets(&message.repeat(self.times))
        {
            wire.extend_from_slice(&header.to_bytes());
            wire.extend_from_slice(data);
        }
        let gives: Vec<_> =
            self.gives.iter().map(|give| (give != "null").then(|| bytes(give))).collect();
        let mut stream = PacketStream::new(Tds { max_packet: 65_535 }, Limits::default());
        let (mut rest, mut done) = (&wire[..], 0);
        while done < self.times {
            let start = (done * message.len()) as u64;
            let progress = stream.read(|r| {
                // Wherever it stopped before, it begins where it began.
                assert_eq!(r.position(), start, "{name}");
                self.step.iter().map(|read| step(r, read)).collect::<Result<Vec<_>, _>>()
            });
            match progress.unwrap() {
                Progress::Done(got) => {
                    assert!(got == gives, "{name}, step {done}");
                    done += 1;
                }
                Progress::NeedMore => {
                    assert!(!rest.is_empty(), "{name}: it needs more than there is");
                    let n = piece.min(rest.len());
                    read(&mut stream, &rest[..n]);
                    rest = &rest[n..];
                }
            }
        }
        assert!(rest.is_empty(), "{name}: done before all of it came");
        stream.end_of_input().unwrap();
    }
}

#[test]
fn bug_reports_of_parsers() {
    let steps = load::<File<toml::Value, Steps>>("reports.toml").step;
    assert_eq!(steps.len(), 12);
    for steps in steps {
        for &size in &steps.packet_sizes {
            for piece in [size, 100_003, 1460, size + 1] {
                steps.run(size, piece);
            }
            if steps.message.iter().map(|part| bytes(part).len()).sum::<usize>() < 5000 {
                steps.run(size, 1);
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshots {
    name: String,
    sizes: Vec<usize>,
    offsets: Vec<u64>,
    rounds: usize,
}

#[test]
fn snapshots() {
    for case in load::<File<Snapshots, toml::Value>>("snapshots.toml").case {
        let mut snapshot = Snapshot::new();
        for round in 0..case.rounds {
            for (i, &size) in case.sizes.iter().enumerate() {
                assert_eq!(snapshot.append(round, size), i);
            }
            let indices = 0..case.sizes.len();
            let offsets: Vec<_> =
                indices.clone().map(|i| snapshot.data_offset(i).unwrap()).collect();
            let sizes: Vec<_> = indices.map(|i| snapshot.data_size(i).unwrap()).collect();
            assert_eq!(
                (offsets, sizes),
                (case.offsets.clone(), case.sizes.clone()),
                "{}",
                case.name
            );
            snapshot.clear();
            assert_eq!((snapshot.data_offset(0), snapshot.data_size(0)), (None, None));
        }
    }
}
