//! Every framing: headers as the protocols' documents give them, and packets through a stream,
//! whatever the reads are.

use crate::common::{Taken, drain, load, read};
use pktpool::mysql::MySql;
use pktpool::postgres::{Backend, Frontend};
use pktpool::smp::{self, Smp};
use pktpool::tds::Tds;
use pktpool::{Error, FrameHead, Framing, LengthDelimited, Limits, PacketStream};
use proptest::prelude::*;
use serde::Deserialize;

/// A framing by its name in the corpus.
fn framing(name: &str) -> Box<dyn Framing> {
    match name {
        "tds" => Box::new(Tds::default()),
        "smp" => Box::new(Smp),
        "postgres backend" => Box::new(Backend),
        "postgres frontend" => Box::new(Frontend),
        "mysql" => Box::new(MySql),
        _ => Box::new(length_delimited(name)),
    }
}

fn length_delimited(name: &str) -> LengthDelimited {
    let mut words = name.split(' ');
    assert_eq!(words.next(), Some("length"), "{name}");
    words.fold(LengthDelimited::default(), |framing, word| {
        let (key, value) = word.split_once('=').unwrap_or((word, "0"));
        let value: i64 = value.parse().unwrap();
        let size = value as usize;
        match key {
            "width" => framing.width(value as u8),
            "little" => framing.little_endian(),
            "offset" => framing.offset(size),
            "inclusive" => framing.inclusive(),
            "adjust" => framing.adjust(value),
            "header" => framing.header(size),
            "kind" => framing.kind_at(size),
            "max" => framing.max_packet(size),
            _ => panic!("{name}: {key}"),
        }
    })
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    framing: String,
    bytes: String,
    head: Option<(usize, usize, u8, bool)>,
    error: Option<String>,
}

#[test]
fn headers_of_the_documents() {
    let cases = load::<File>("framings.toml").case;
    assert_eq!(cases.len(), 55);
    for case in cases {
        let (name, framing, bytes) = (&case.name, framing(&case.framing), hex(&case.bytes));
        let answer = framing.decode(&bytes);
        let head = answer.ok().flatten().map(|h| {
            let FrameHead { header_len, total_len, end_of_message, kind } = h;
            (header_len, total_len, kind, end_of_message)
        });
        assert_eq!(head, case.head, "{name}");
        assert_eq!(answer.err().map(|e| format!("{e:?}")), case.error, "{name}");
        // A header is one from its last byte on, and not before.
        for n in 0..bytes.len() {
            let cut = framing.decode(&bytes[..n]);
            if n < case.head.map_or(1, |head| head.0) {
                assert_eq!(cut, Ok(None), "{name}: {n} bytes");
            } else {
                assert!(cut == Ok(None) && case.head.is_none() || cut == answer, "{name}: {n}");
            }
        }
        let more = [&bytes[..], &[0xFF; 2000]].concat();
        assert_eq!(framing.decode(&more), answer, "{name}: with more behind it");
        through_a_stream(&case, &bytes);
    }
}

/// A packet of the case, whole, or its error, out of a stream that gets it byte by byte.
fn through_a_stream(case: &Case, bytes: &[u8]) {
    let name = &case.name;
    let mut stream = PacketStream::new(framing(&case.framing), Limits::default());
    let mut fed = Ok(None);
    for byte in bytes {
        stream.feed(&[*byte]).unwrap();
        fed = stream.next_packet().map(|packet| packet.map(|p| (p.kind, p.end_of_message)));
        if !matches!(fed, Ok(None)) {
            break;
        }
    }
    let max_packet = Limits::default().max_packet;
    match case.head {
        Some((_, total, ..)) if total > max_packet => {
            assert_eq!(fed, Err(Error::PacketTooLarge { length: total as u64 }), "{name}");
        }
        Some((_, total, kind, end)) if total <= bytes.len() => {
            assert_eq!(fed, Ok(Some((kind, end))), "{name}");
        }
        Some(_) => {
            assert_eq!(fed, Ok(None), "{name}");
            let partial = bytes.len() as u64;
            assert_eq!(stream.end_of_input(), Err(Error::UnexpectedEof { partial }), "{name}");
        }
        None => assert_eq!(fed.err().map(|e| format!("{e:?}")), case.error, "{name}"),
    }
    // No declared length allocates: one read buffer, whatever the header says.
    assert!(stream.stats().bytes_allocated <= 64 << 10, "{name}");
}

/// The framings with the packets that each can have, written here by hand: header and payload.
const FRAMINGS: [&str; 8] = [
    "tds",
    "smp",
    "postgres backend",
    "postgres frontend",
    "mysql",
    "length",
    "length width=3 little offset=2 kind=1",
    "length width=2 offset=1 inclusive header=7 kind=0",
];

/// A packet as the oracle sees it.
fn packet(framing: &str, kind: u8, payload: &[u8]) -> Taken {
    let n = payload.len();
    let be = |n: usize| (n as u32).to_be_bytes();
    let le = |n: usize| (n as u32).to_le_bytes();
    let (kind, end, header) = match framing {
        "tds" => {
            let length = ((n + 8) as u16).to_be_bytes();
            let status = kind >> 4;
            let header = vec![kind, status, length[0], length[1], 0, 51, 7, 0];
            (kind, status % 2 == 1, header)
        }
        "smp" => {
            let header = [&[0x53, kind, 5, 0][..], &le(n + 16), &[1, 0, 0, 0, 4, 0, 0, 0]].concat();
            (kind, true, header)
        }
        // Now and then a packet of the start, which has at least a code.
        "postgres frontend" if kind < 60 && (4..=9996).contains(&n) => (0, true, be(n + 4).into()),
        "postgres frontend" => (kind | 1, true, [&[kind | 1][..], &be(n + 4)].concat()),
        "postgres backend" => (kind, true, [&[kind][..], &be(n + 4)].concat()),
        "mysql" => (kind, true, vec![le(n)[0], le(n)[1], le(n)[2], kind]),
        "length" => (0, true, be(n).into()),
        "length width=3 little offset=2 kind=1" => {
            (kind, true, vec![9, kind, le(n)[0], le(n)[1], le(n)[2]])
        }
        "length width=2 offset=1 inclusive header=7 kind=0" => {
            (kind, true, vec![kind, be(n + 7)[2], be(n + 7)[3], 1, 2, 3, 4])
        }
        _ => panic!("{framing}"),
    };
    (kind, end, header, payload.to_vec())
}

fn wire(packets: &[Taken]) -> Vec<u8> {
    packets.iter().flat_map(|(_, _, header, payload)| [&header[..], payload].concat()).collect()
}

fn payload(i: usize, n: usize) -> Vec<u8> {
    (0..n).map(|j| (i * 31 + j * 7 + j / 251) as u8).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    /// Any packets at any reads are the packets.
    #[test]
    fn any_packets_any_reads(
        packets in prop::collection::vec((any::<u8>(), prop_oneof![0_usize..40, 400_usize..5000, 20_000_usize..32_000]), 1..16),
        reads in prop::collection::vec(prop_oneof![1_usize..12, 500_usize..9000, 30_000_usize..200_000], 1..40),
        lazy in 1_usize..4,
        cut in 0_usize..20,
    ) {
        for name in FRAMINGS {
            let all: Vec<_> = packets.iter().enumerate().map(|(i, &(kind, n))| packet(name, kind, &payload(i, n))).collect();
            let wire = wire(&all);
            // The last packet is not complete, or the input ends where it does.
            let arrived = wire.len() - cut.min(all.last().map_or(0, |p| p.2.len() + p.3.len()));
            let mut expected = all;
            if arrived < wire.len() {
                expected.pop();
            }
            let mut stream = PacketStream::new(framing(name), Limits::default());
            let (mut taken, mut rest, mut i) = (Vec::new(), &wire[..arrived], 0);
            while !rest.is_empty() {
                let n = reads[i % reads.len()].min(rest.len());
                read(&mut stream, &rest[..n]);
                rest = &rest[n..];
                i += 1;
                if i % lazy == 0 || rest.is_empty() {
                    drain(&mut stream, &mut taken).unwrap();
                }
            }
            // A cut of the whole last packet ends where the one before it does.
            let between = stream.stats().bytes_retained == 0;
            let open = expected.last().is_some_and(|p| !p.1);
            prop_assert!(taken == expected, "{name}");
            prop_assert_eq!(stream.end_of_input().is_ok(), between && !open, "{}", name);
        }
    }

    /// Any bytes at any combination of options: an answer that more bytes do not change, and a
    /// packet no shorter than its header.
    #[test]
    fn any_options_any_bytes(
        bytes in prop::collection::vec(prop_oneof![Just(0_u8), Just(0xFF), any::<u8>()], 0..24),
        (offset, width, little, inclusive) in (size(), any::<u8>(), any::<bool>(), any::<bool>()),
        (adjust, header, kind, max) in (
            prop_oneof![-20_i64..20, any::<i64>(), Just(i64::MIN), Just(i64::MAX)],
            size(), prop::option::of(size()), prop_oneof![Just(usize::MAX), size()],
        ),
    ) {
        let mut framing = LengthDelimited::new().offset(offset).width(width).adjust(adjust).header(header).max_packet(max);
        framing = if little { framing.little_endian() } else { framing.big_endian() };
        framing = if inclusive { framing.inclusive() } else { framing.exclusive() };
        framing = kind.map_or(framing, |at| framing.kind_at(at));
        let at_most = offset.saturating_add(width.clamp(1, 8).into()).max(header).max(kind.map_or(0, |at| at.saturating_add(1)));
        let answer = framing.decode(&bytes);
        prop_assert_eq!(answer == Ok(None), bytes.len() < at_most);
        if let Ok(Some(head)) = answer {
            prop_assert_eq!(head.header_len, at_most);
            prop_assert!(head.header_len <= head.total_len && head.total_len <= max);
            prop_assert_eq!(head.kind, kind.map_or(0, |at| bytes[at]));
        }
        for n in 0..bytes.len() {
            let cut = framing.decode(&bytes[..n]);
            prop_assert!(cut == Ok(None) || cut == answer);
        }
    }

    /// Any bytes in any of them: packets no shorter than their headers, answers that stay.
    #[test]
    fn any_bytes(bytes in prop::collection::vec(prop_oneof![Just(0_u8), Just(0xFF), Just(0x53), any::<u8>()], 0..40)) {
        for name in FRAMINGS {
            let framing = framing(name);
            let answer = framing.decode(&bytes);
            if let Ok(Some(head)) = answer {
                prop_assert!(1 <= head.header_len && head.header_len <= head.total_len, "{name}");
            }
            for n in 0..bytes.len() {
                let cut = framing.decode(&bytes[..n]);
                prop_assert!(cut == Ok(None) || cut == answer, "{name}");
            }
        }
    }
}

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![8 => 0_usize..10, 1 => Just(usize::MAX), 1 => any::<usize>()]
}

#[test]
fn dribble_and_every_cut() {
    for name in FRAMINGS {
        let sizes = [7, 0, 300, 4, 1];
        let packets: Vec<_> =
            (0..5).map(|i| packet(name, 50 + i as u8, &payload(i, sizes[i]))).collect();
        let wire = wire(&packets);
        for a in 0..=wire.len() {
            let mut stream = PacketStream::new(framing(name), Limits::default());
            let mut taken = Vec::new();
            for piece in [&wire[..a], &wire[a..]] {
                read(&mut stream, piece);
                drain(&mut stream, &mut taken).unwrap();
            }
            assert_eq!(taken, packets, "{name}: cut at {a}");
        }
        let mut stream = PacketStream::new(framing(name), Limits::default());
        let (mut taken, mut ends, mut end) = (Vec::new(), Vec::new(), 0);
        for (i, byte) in wire.iter().enumerate() {
            stream.feed(&[*byte]).unwrap();
            let before = taken.len();
            drain(&mut stream, &mut taken).unwrap();
            if taken.len() > before {
                ends.push(i + 1);
            }
        }
        assert_eq!(taken, packets, "{name}");
        // Each comes with its last byte: nothing waits for what is behind it.
        for (packet, at) in packets.iter().zip(ends) {
            end += packet.2.len() + packet.3.len();
            assert_eq!(at, end, "{name}");
        }
    }
}

/// [MC-SMP] 4.3, field by field, and its bytes again.
#[test]
fn smp_header() {
    let bytes = [0x53, 8, 5, 0, 0x60, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0];
    let header = smp::PacketHeader { flags: smp::DATA, sid: 5, length: 96, seqnum: 1, window: 4 };
    assert_eq!(smp::PacketHeader::read(&bytes), Some(header));
    assert_eq!(header.to_bytes(), bytes);
    assert_eq!(smp::PacketHeader::read(&bytes[..15]), None);
    // Every byte has its place.
    let bytes: [u8; 16] = std::array::from_fn(|i| if i == 0 { 0x53 } else { i as u8 * 16 + 1 });
    assert_eq!(smp::PacketHeader::read(&bytes).map(smp::PacketHeader::to_bytes), Some(bytes));
}

/// MariaDB's 0-packet: 2 × (16 MiB - 1) bytes are two full packets and an empty one.
#[test]
fn an_exact_multiple_of_16_mib_ends_with_an_empty_packet() {
    const FULL: usize = 0xFF_FFFF;
    let mut stream = PacketStream::new(MySql, Limits::default());
    let block = [0x5A; 0x1_0000];
    for id in 0..2 {
        stream.feed(&[0xFF, 0xFF, 0xFF, id]).unwrap();
        let mut left = FULL;
        while left > 0 {
            assert!(stream.next_packet().unwrap().is_none());
            let n = left.min(block.len());
            read(&mut stream, &block[..n]);
            left -= n;
        }
        let packet = stream.next_packet().unwrap().unwrap();
        assert_eq!((packet.kind, packet.end_of_message, packet.payload().len()), (id, false, FULL));
        assert!(packet.payload().iter().all(|&b| b == 0x5A));
        assert!(stream.next_packet().unwrap().is_none());
    }
    stream.feed(&[0, 0, 0, 2]).unwrap();
    let packet = stream.next_packet().unwrap().unwrap();
    assert_eq!((packet.kind, packet.end_of_message, packet.payload()), (2, true, &[][..]));
    stream.end_of_input().unwrap();
}

/// An input that ends behind a full packet ends inside a message.
#[test]
fn a_full_packet_is_not_the_end() {
    let limits = Limits { max_packet: usize::MAX, max_message: 20 << 20, ..Limits::default() };
    let mut stream = PacketStream::new(MySql, limits);
    let full = [&[0xFF, 0xFF, 0xFF, 0][..], &vec![1; 0xFF_FFFF]].concat();
    stream.feed(&full).unwrap();
    assert!(!stream.next_packet().unwrap().unwrap().end_of_message);
    assert_eq!(stream.end_of_input(), Err(Error::UnexpectedEof { partial: 0 }));

    // And a limit of the message counts all of its packets, before the second one arrives.
    let mut stream = PacketStream::new(MySql, limits);
    stream.feed(&full).unwrap();
    stream.feed(&[0xFF, 0xFF, 0x7F, 1]).unwrap();
    assert!(stream.next_packet().unwrap().is_some());
    let length = 0xFF_FFFF + 0x7F_FFFF;
    assert_eq!(stream.next_packet(), Err(Error::MessageTooLarge { length }));
}
