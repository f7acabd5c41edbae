//! The corpora under `data/`, each case at its own reads, at one byte a read, and at once.

mod common;

use common::{cut, drain, load, packet, read};
use pktpool::tds::Tds;
use pktpool::{Limits, PacketStream, Snapshot};
use serde::Deserialize;

#[derive(Deserialize)]
struct File<C> {
    case: Vec<C>,
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

    fn run(&self, reads: &[usize], after: &[usize]) {
        let name = format!("{} at reads of {reads:?}", self.name);
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
        let (mut taken, mut rest, mut error) = (Vec::new(), &wire[..], None);
        for i in 0.. {
            if rest.is_empty() || error.is_some() {
                break;
            }
            let n = reads[i.min(reads.len() - 1)].min(rest.len());
            read(&mut stream, &rest[..n]);
            rest = &rest[n..];
            error = drain(&mut stream, &mut taken).err();
            if let Some(&count) = after.get(i) {
                assert_eq!(taken.len(), count, "{name}: after read {i}");
            }
        }
        assert_eq!(taken, expected, "{name}");
        assert_eq!(error.map(|e| format!("{e:?}")), self.error, "{name}");
        if self.error.is_some() {
            assert_eq!(stream.next_packet(), Err(pktpool::Error::Poisoned), "{name}");
            assert_eq!(stream.feed(&[4]), Err(pktpool::Error::Poisoned), "{name}");
        }
        if let Some(end) = &self.end {
            let got = stream.end_of_input().map_or_else(|e| format!("{e:?}"), |()| "ok".to_owned());
            assert_eq!(&got, end, "{name}");
        }
    }
}

fn run(file: &str, count: usize) {
    let cases = load::<File<Case>>(file).case;
    assert_eq!(cases.len(), count, "{file}");
    for case in cases {
        assert!(case.after.len() <= case.reads.len(), "{}", case.name);
        case.run(&case.reads, &case.after);
        case.run(&[1], &[]);
        case.run(&[usize::MAX], &[]);
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
    for case in load::<File<Snapshots>>("snapshots.toml").case {
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
