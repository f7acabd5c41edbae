//! Hostile input, wrong calls, and memory over many cycles.

mod common;

use common::{computed, drain, packet, read, tds};
use pktpool::tds::{Packetizer, Tds};
use pktpool::{Error, FrameError, FrameHead, Framing, Limits, MAX_HEADER, PacketStream};
use proptest::prelude::*;

/// A framing that answers what it was told to.
#[derive(Debug)]
struct Fixed(Result<Option<FrameHead>, FrameError>);

impl Framing for Fixed {
    fn decode(&self, _: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        self.0
    }
}

/// Two bytes of big-endian length, exclusive, for packets of any size up to 65 535 × 64.
struct Long;

impl Framing for Long {
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        Ok(head.first_chunk().map(|&length| FrameHead {
            header_len: 2,
            total_len: 2 + 64 * usize::from(u16::from_be_bytes(length)),
            end_of_message: true,
            kind: 0,
        }))
    }
}

fn head(header_len: usize, total_len: usize) -> Result<Option<FrameHead>, FrameError> {
    Ok(Some(FrameHead { header_len, total_len, end_of_message: true, kind: 0 }))
}

#[test]
fn a_header_that_never_ends() {
    for (max_packet, bound) in [(1 << 20, MAX_HEADER), (500, 500), (0, 64)] {
        let limits = Limits { max_packet, ..Limits::default() };
        let mut stream = PacketStream::new(Fixed(Ok(None)), limits);
        for _ in 1..bound {
            stream.feed(&[0]).unwrap();
            assert_eq!(stream.next_packet(), Ok(None));
        }
        stream.feed(&[0; 10]).unwrap();
        assert_eq!(stream.next_packet(), Err(Error::BadHeader));
        assert_eq!(stream.next_packet(), Err(Error::Poisoned));
    }
}

#[test]
fn headers_that_make_no_sense() {
    for (answer, error) in [
        (head(0, 0), Error::BadLength { length: 0 }),
        (head(8, 7), Error::BadLength { length: 7 }),
        (head(usize::MAX, 0), Error::BadLength { length: 0 }),
        (head(8, usize::MAX), Error::PacketTooLarge { length: u64::MAX }),
        (Err(FrameError::BadHeader), Error::BadHeader),
    ] {
        let mut stream = PacketStream::new(Fixed(answer), Limits::default());
        stream.feed(&[0]).unwrap();
        assert_eq!(stream.next_packet(), Err(error));
        assert_eq!(stream.next_packet(), Err(Error::Poisoned));
        assert_eq!(stream.commit(0), Err(Error::Poisoned));
        assert_eq!(stream.end_of_input(), Err(Error::Poisoned));
        assert!(!stream.spare_mut().is_empty());
    }
}

#[test]
fn a_declared_length_allocates_nothing() {
    let limits = Limits { max_packet: usize::MAX, ..Limits::default() };
    let mut stream = PacketStream::new(Fixed(head(1, usize::MAX - 1)), limits);
    for _ in 0..1000 {
        read(&mut stream, &[1; 100]);
        assert_eq!(stream.next_packet(), Ok(None));
    }
    assert!(stream.stats().bytes_allocated <= 4 * 64 * 1024);
    assert_eq!(stream.end_of_input(), Err(Error::UnexpectedEof { partial: 100_000 }));
}

#[test]
fn more_committed_than_the_spare() {
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    assert_eq!(stream.commit(0), Ok(()));
    let n = stream.spare_mut().len() + 1;
    assert_eq!(stream.commit(n), Err(Error::BadLength { length: n as u64 }));
    assert_eq!(stream.commit(1), Err(Error::Poisoned));

    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    assert_eq!(stream.commit(1), Err(Error::BadLength { length: 1 }), "there was no spare yet");
}

#[test]
fn packets_taken_between_spare_and_commit() {
    let mut stream = PacketStream::new(tds(), Limits::default());
    let wire: Vec<u8> = (0..200).flat_map(|i| packet(0, i, &[i; 1000])).collect();
    let (mut taken, mut rest) = (Vec::new(), &wire[..]);
    while !rest.is_empty() {
        let spare = stream.spare_mut();
        let n = spare.len().min(rest.len()).min(30_011);
        spare[..n].copy_from_slice(&rest[..n]);
        drain(&mut stream, &mut taken).unwrap();
        stream.commit(n).unwrap();
        rest = &rest[n..];
    }
    drain(&mut stream, &mut taken).unwrap();
    assert_eq!(taken, common::cut(&wire));
}

#[test]
fn the_end_of_input_leaves_complete_packets() {
    let wire = [packet(0, 1, b"a"), packet(0, 2, b"b"), packet(1, 3, b"c")].concat();
    let mut stream = PacketStream::new(tds(), Limits::default());
    stream.feed(&wire[..wire.len() - 1]).unwrap();
    assert_eq!(stream.end_of_input(), Err(Error::UnexpectedEof { partial: 8 }));
    assert_eq!(stream.feed(b"c"), Err(Error::Poisoned));
    for expected in [b"a", b"b"] {
        assert_eq!(stream.next_packet().unwrap().unwrap().payload(), expected);
    }
    assert_eq!(stream.next_packet(), Err(Error::Poisoned));

    // It may see a bad header coming; the stream still gets there in order.
    let mut stream = PacketStream::new(tds(), Limits::default());
    stream.feed(&[&packet(1, 1, b"a")[..], &[4, 1, 0, 2, 0, 0, 0, 0]].concat()).unwrap();
    assert_eq!(stream.end_of_input(), Err(Error::BadLength { length: 2 }));
    assert_eq!(stream.next_packet().unwrap().unwrap().payload(), b"a");
    assert_eq!(stream.next_packet(), Err(Error::BadLength { length: 2 }));
    assert_eq!(stream.next_packet(), Err(Error::Poisoned));

    // The messages that were not taken are told apart.
    let limits = Limits { max_message: 200, ..Limits::default() };
    let mut stream = PacketStream::new(tds(), limits);
    stream.feed(&packet(0, 1, &[1; 150])).unwrap();
    assert!(stream.next_packet().unwrap().is_some());
    stream.feed(&[packet(1, 2, &[2; 50]), packet(1, 3, &[3; 100])].concat()).unwrap();
    assert_eq!(stream.end_of_input(), Ok(()));

    let mut stream = PacketStream::new(tds(), Limits::default());
    assert_eq!(stream.end_of_input(), Ok(()), "an empty input is no message cut short");
}

/// It looks through packets that were not taken, at each byte of them once: eight times as many
/// take about eight times as long, and not 64 times.
#[test]
fn the_end_of_a_long_backlog() {
    let some = packet(1, 1, b"").repeat(1 << 17);
    let look_through = |megabytes: usize| {
        let mut stream = PacketStream::new(tds(), Limits::default());
        (0..megabytes).for_each(|_| stream.feed(&some).unwrap());
        let start = computed();
        assert_eq!(stream.end_of_input(), Ok(()));
        computed() - start
    };
    let (short, long) = (look_through(2), look_through(16));
    assert!(long < 25 * short, "2 MiB take {short:?}, 16 MiB {long:?}");
}

#[test]
fn packetizer_sizes() {
    for size in [0, 1, 7, 8, 65_536, usize::MAX] {
        assert_eq!(Packetizer::new(1, size), Err(Error::BadLength { length: size as u64 }));
    }
    for size in [9, 65_535] {
        let packetizer = Packetizer::new(1, size).unwrap();
        let empty: Vec<_> = packetizer.packets(&[]).collect();
        assert_eq!((empty.len(), empty[0].0.length, empty[0].0.status), (1, 8, 1));
        let full = vec![0; 2 * (size - 8)];
        let lengths: Vec<_> = packetizer.packets(&full).map(|p| usize::from(p.0.length)).collect();
        assert_eq!(lengths, [size, size], "no empty packet behind a full one");
    }
}

#[test]
fn retained_bytes_are_never_overwritten() {
    // Not one packet is taken for long, so every buffer is retained; then all of them are.
    let mut stream = PacketStream::new(tds(), Limits::default());
    let wire: Vec<u8> = (0..=255).flat_map(|i| packet(0, i, &vec![i; 4000])).collect();
    for piece in wire.chunks(5000) {
        read(&mut stream, piece);
    }
    let stats = stream.stats();
    assert_eq!(stats.bytes_retained, wire.len());
    assert_eq!(stats.buffers_retained, stats.buffers_live - 1);
    assert_eq!(stats.nodes_live, stats.buffers_live);
    let mut taken = Vec::new();
    drain(&mut stream, &mut taken).unwrap();
    assert_eq!(taken, common::cut(&wire));
    let stats = stream.stats();
    assert_eq!((stats.nodes_live, stats.bytes_retained, stats.buffers_retained), (0, 0, 0));
    assert_eq!(stats.bytes_retained_high, wire.len());
}

/// rust-postgres 1081, `pg_doorman` 227: after one large message its capacity stayed.
#[test]
fn capacity_decays_after_an_outlier() {
    let mut stream = PacketStream::new(Long, Limits::default());
    let outlier = [&[0xFF, 0xFF][..], &vec![7; 64 * 65_535]].concat();
    stream.feed(&outlier).unwrap();
    assert_eq!(stream.next_packet().unwrap().unwrap().payload(), &outlier[2..]);
    assert!(stream.stats().bytes_allocated > outlier.len());
    for _ in 0..200 {
        stream.feed(&[&[0, 1][..], &[1; 64]].concat()).unwrap();
        assert!(stream.next_packet().unwrap().is_some());
    }
    let stats = stream.stats();
    assert_eq!((stats.bytes_allocated, stats.buffers_live, stats.buffers_spare), (64 * 1024, 1, 0));
}

/// One long packet in ten: decaying at once would allocate for each of them.
#[test]
fn capacity_does_not_swing() {
    let mut stream = PacketStream::new(Long, Limits::default());
    let long = [&[0x0F, 0xFF][..], &vec![7; 64 * 0x0FFF]].concat();
    let short = [&[0, 1][..], &[1; 64]].concat();
    let mut allocated = 0;
    for i in 0..2000 {
        stream.feed(if i % 10 == 0 { &long } else { &short }).unwrap();
        assert!(stream.next_packet().unwrap().is_some());
        let now = stream.stats().bytes_allocated;
        if i == 100 {
            allocated = now;
        }
        assert!(i <= 100 || now == allocated, "cycle {i}: {now}, not {allocated}");
    }
}

/// bytes 559, tokio 4997: a half-consumed buffer that grows at every turn.
#[test]
fn a_million_cycles_do_not_grow() {
    let mut stream = PacketStream::new(tds(), Limits::default());
    let packet = packet(0, 1, &[7; 100]);
    read(&mut stream, &packet[..50]);
    for _ in 0..1_000_000 {
        // Always half a packet left over.
        for piece in [&packet[50..], &packet[..50]] {
            let spare = stream.spare_mut();
            spare[..piece.len()].copy_from_slice(piece);
            stream.commit(piece.len()).unwrap();
        }
        assert!(stream.next_packet().unwrap().is_some());
    }
    let stats = stream.stats();
    assert_eq!((stats.bytes_allocated, stats.buffers_live_high), (64 * 1024, 1));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// What the end of input says of packets that were not taken is what taking them says.
    #[test]
    fn the_end_is_the_same_before_packets_are_taken(
        lengths in prop::collection::vec(0_usize..280, 0..600),
        last in prop::option::of(any::<[u8; 8]>()),
        cut in 0_usize..300,
        max_message in prop_oneof![Just(u64::MAX), 0_u64..40_000],
    ) {
        let mut wire: Vec<u8> =
            lengths.iter().flat_map(|&n| packet(u8::from(n % 16 == 0), 1, &vec![1; n])).collect();
        wire.extend(last.iter().flatten());
        wire.truncate(wire.len().saturating_sub(cut));
        // Small packets, so small buffers: several of them, and headers across their ends.
        let limits = Limits { max_packet: 288, max_message, ..Limits::default() };
        let fed = || {
            let mut stream = PacketStream::new(Tds::default(), limits);
            stream.feed(&wire).unwrap();
            stream
        };
        let mut stream = fed();
        let expected = drain(&mut stream, &mut Vec::new()).and_then(|()| stream.end_of_input());
        prop_assert_eq!(fed().end_of_input(), expected);
    }

    /// The same packets and the same error, whatever the bytes and the reads.
    #[test]
    fn any_bytes_any_reads(
        mut wire in prop::collection::vec(prop_oneof![3 => 0_u8..40, 1 => any::<u8>()], 0..2000),
        read_len in 1_usize..300,
        max_message in 0_u64..3000,
        max_packet in 0_usize..300,
    ) {
        // Make most lengths small, so that streams get somewhere.
        for byte in wire.iter_mut().skip(2).step_by(16) {
            *byte = 0;
        }
        let limits = Limits { max_message, max_packet, ..Limits::default() };
        let run = |reads: usize| {
            let mut stream = PacketStream::new(Tds::default(), limits);
            let mut taken = Vec::new();
            for piece in wire.chunks(reads) {
                read(&mut stream, piece);
                if let Err(error) = drain(&mut stream, &mut taken) {
                    return (taken, Err(error));
                }
            }
            let end = stream.end_of_input();
            (taken, end)
        };
        prop_assert_eq!(run(read_len), run(usize::MAX));
    }
}
