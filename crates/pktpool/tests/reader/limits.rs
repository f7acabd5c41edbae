//! Limits and hostile input, as steps meet them.

use crate::wire::{Protocol, Wire, byte};
use crate::{common, done, failed, full, refused, starved, stream};
use pktpool::tds::{Packetizer, Tds};
use pktpool::{
    Error, FrameError, FrameHead, Framing, Limits, MAX_HEADER, PacketStream, Progress, Reader, Stop,
};
use std::time::Duration;

fn limited(limits: Limits) -> PacketStream<Protocol> {
    PacketStream::new(Protocol::Tds, limits)
}

/// A step that never has enough, over bytes that come one by one.
fn held(max_retained: usize, bytes: &[u8]) -> (usize, Result<(), Error>) {
    let mut stream = limited(Limits { max_retained, ..Limits::default() });
    for (i, &byte) in bytes.iter().enumerate() {
        stream.feed(&[byte]).unwrap();
        match stream.read(|r| r.take(1 << 20).map(drop)) {
            Ok(Progress::NeedMore) => assert!(stream.stats().bytes_retained <= max_retained),
            Ok(Progress::Done(())) => panic!("there is no megabyte"),
            Err(error) => return (i + 1, Err(error)),
        }
    }
    (bytes.len(), Ok(()))
}

#[test]
fn the_retention_limit_is_of_bytes_and_exact() {
    let wire = Wire::new(Protocol::Tds, &[(4, false, 30); 4]);
    for limit in [0, 1, 7, 8, 9, 37, 38, 39, 45, 46, 47, 100, 151] {
        let (fed, result) = held(limit, &wire.bytes);
        assert_eq!(result, Err(Error::RetentionLimit), "{limit}");
        // Headers that were passed may be let go of, and nothing else can be.
        let headers = 8 * wire.frames.iter().take_while(|f| f.start < fed).count();
        assert!((limit + 1..=limit + 1 + headers).contains(&fed), "{limit} is passed at {fed}");
        assert_eq!(held(limit, &wire.bytes[..fed - 1]), (fed - 1, Ok(())));
    }
    assert_eq!(held(152, &wire.bytes), (152, Ok(())));
}

#[test]
fn the_retention_limit_is_what_the_stream_says_it_holds() {
    let wire = Wire::new(Protocol::Tds, &[(4, false, 300), (4, false, 100)]);
    // Half of it in a value, which does not count.
    let step = |r: &mut Reader<'_>| {
        r.bytes::<20>()?;
        r.read_vec(200)?;
        r.take(1000).map(drop)
    };
    let holds = {
        let mut stream = full(&wire);
        starved(&mut stream, step);
        stream.stats().bytes_retained
    };
    assert!((200..=216).contains(&holds), "{holds}: 20 before the value and 180 behind it");
    for (max_retained, expected) in [(holds, None), (holds - 1, Some(Error::RetentionLimit))] {
        let mut stream = limited(Limits { max_retained, ..Limits::default() });
        stream.feed(&wire.bytes).unwrap();
        assert_eq!(stream.read(step).err(), expected);
        if expected.is_some() {
            assert_eq!(failed(&mut stream, |r| r.u8()), Error::Poisoned);
            assert_eq!(stream.stats().bytes_retained, 0);
        }
    }
}

#[test]
fn what_is_done_is_not_retained() {
    let wire = Wire::new(Protocol::Tds, &[(4, false, 500); 20]);
    let mut stream = limited(Limits { max_retained: 100, ..Limits::default() });
    // Far more than the limit arrives at once, and no step holds it.
    stream.feed(&wire.bytes).unwrap();
    for at in (0..10_000).step_by(50) {
        assert_eq!(done(&mut stream, |r| r.bytes::<50>())[..], wire.payload[at..at + 50]);
    }
    starved(&mut stream, |r| r.u8());
}

#[test]
fn values_and_skips_go_far_beyond_the_retention_limit() {
    let n = 300_000;
    let wire = Wire::tds(&(0..n).map(byte).collect::<Vec<_>>(), 1000);
    let limits = Limits { max_retained: 1100, ..Limits::default() };
    for skip in [false, true] {
        let mut stream = limited(limits);
        for piece in wire.bytes.chunks(700) {
            common::read(&mut stream, piece);
            let progress = stream.read(|r| {
                r.u8()?;
                if skip { r.skip(n as u64 - 1) } else { r.read_vec(n - 1).map(drop) }
            });
            let last = std::ptr::eq(piece.as_ptr_range().end, wire.bytes.as_ptr_range().end);
            assert_eq!(matches!(progress, Ok(Progress::Done(()))), last, "{progress:?}");
        }
    }
}

#[test]
fn the_message_limit_stands_at_the_header_that_passes_it() {
    let wire = Wire::new(Protocol::Tds, &[(4, false, 100), (4, false, 100), (4, true, 1)]);
    let limits = Limits { max_message: 200, ..Limits::default() };
    let error = Error::MessageTooLarge { length: 201 };
    let mut stream = limited(limits);
    stream.feed(&wire.bytes).unwrap();
    done(&mut stream, |r| {
        assert_eq!(r.take(200)?.flatten().count(), 200);
        assert_eq!(refused(r.u8()), error);
        assert_eq!(r.position(), 200);
        // Going back is the only way on.
        Ok(())
    });
    let again = failed(&mut stream, |r| r.u8());
    assert!(again == error || again == Error::Poisoned, "{again:?}");
    assert_eq!(failed(&mut stream, |r| r.u8()), Error::Poisoned);

    // Message by message: exactly the limit, twice, is fine.
    let wire = Wire::new(Protocol::Tds, &[(4, false, 150), (4, true, 50), (4, true, 200)]);
    let mut stream = limited(limits);
    stream.feed(&wire.bytes).unwrap();
    done(&mut stream, |r| {
        r.skip(150)?;
        r.next_message()?;
        r.skip(200)
    });
}

#[test]
fn the_message_limit_counts_steps_and_packets_together() {
    let wire = Wire::new(Protocol::Tds, &[(4, false, 100), (4, false, 100), (4, false, 1)]);
    for by_packet in [[true, false], [false, true], [true, true], [false, false]] {
        let mut stream = limited(Limits { max_message: 200, ..Limits::default() });
        stream.feed(&wire.bytes).unwrap();
        for by_packet in by_packet {
            if by_packet {
                assert_eq!(stream.next_packet().unwrap().unwrap().payload().len(), 100);
            } else {
                done(&mut stream, |r| r.bytes::<100>());
            }
        }
        assert_eq!(failed(&mut stream, |r| r.u8()), Error::MessageTooLarge { length: 201 });
        assert!(matches!(stream.next_packet(), Err(Error::Poisoned)));
    }
}

/// meziantou 2714: type 0x12, status 0, length 0xFFFF, for ever.
#[test]
fn packets_without_an_end() {
    let packet = [&[0x12, 0, 0xFF, 0xFF, 0, 0, 1, 0][..], &[0; 65_527]].concat();
    let tds = Tds { max_packet: 65_535 };
    type Step = fn(&mut Reader<'_>) -> Result<(), Stop>;
    let steps: [Step; 4] = [
        |r| r.take(usize::MAX).map(drop),
        |r| r.read_vec(usize::MAX).map(drop),
        |r| r.skip(u64::MAX),
        |r| r.next_message(),
    ];
    for step in steps {
        let limits = Limits { max_message: 4 << 20, ..Limits::default() };
        let mut stream = PacketStream::new(tds, limits);
        let mut fed = 0_u64;
        let error = loop {
            stream.feed(&packet).unwrap();
            fed += 65_527;
            match stream.read(step) {
                Ok(Progress::NeedMore) => assert!(fed <= 4 << 20),
                Ok(Progress::Done(())) => panic!("it has no end"),
                Err(error) => break error,
            }
        };
        assert_eq!(error, Error::MessageTooLarge { length: fed });
        assert!(stream.stats().bytes_allocated < 8 << 20);
    }
    // Without a limit on the message, one on what is held.
    let mut stream = PacketStream::new(tds, Limits { max_retained: 1 << 20, ..Limits::default() });
    let error = loop {
        stream.feed(&packet).unwrap();
        match stream.read(steps[0]) {
            Ok(_) => assert!(stream.stats().bytes_retained <= 1 << 20),
            Err(error) => break error,
        }
    };
    assert_eq!(error, Error::RetentionLimit);
    assert!(stream.stats().bytes_allocated < 4 << 20);
}

/// Headers alone, for ever, while a step waits for one more byte.
#[test]
fn headers_without_an_end() {
    let headers = common::packet(0, 1, &[]).repeat(100);
    let limits = Limits { max_retained: 10_000, ..Limits::default() };
    let mut stream = PacketStream::new(Tds::default(), limits);
    stream.feed(&common::packet(0, 1, b"ab")).unwrap();
    for i in 0..1000 {
        stream.feed(&headers).unwrap();
        let progress = stream.read(|r| {
            assert_eq!(r.u8()?, b'a');
            r.read_vec(100)
        });
        match progress {
            Ok(Progress::NeedMore) => assert!(stream.stats().bytes_retained <= 10_000, "{i}"),
            Ok(Progress::Done(value)) => panic!("{value:?}"),
            Err(error) => {
                assert_eq!(error, Error::RetentionLimit);
                break;
            }
        }
    }
    assert!(stream.stats().bytes_allocated < 1 << 20, "{:?}", stream.stats());
}

/// A framing that never knows.
#[derive(Debug)]
struct Endless;

impl Framing for Endless {
    fn decode(&self, _: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        Ok(None)
    }
}

#[test]
fn a_header_that_never_ends() {
    let mut stream = PacketStream::new(Endless, Limits::default());
    for _ in 1..MAX_HEADER {
        stream.feed(&[0]).unwrap();
        starved(&mut stream, |r| r.u8());
        starved(&mut stream, |r| r.kind());
        assert!(!done(&mut stream, |r| Ok(r.at_message_end())));
    }
    stream.feed(&[0]).unwrap();
    assert_eq!(failed(&mut stream, |r| r.u8()), Error::BadHeader);
    assert_eq!(failed(&mut stream, |r| r.u8()), Error::Poisoned);
}

#[test]
fn lengths_at_the_edge_of_what_numbers_hold() {
    let wire = Wire::new(Protocol::Tds, &[(4, false, 100), (4, false, 100)]);
    let mut stream = full(&wire);
    done(&mut stream, |r| r.bytes::<7>());
    for _ in 0..2 {
        starved(&mut stream, |r| r.skip(u64::MAX));
        starved(&mut stream, |r| r.skip(u64::MAX));
    }
    let mut stream = full(&wire);
    done(&mut stream, |r| r.bytes::<7>());
    starved(&mut stream, |r| r.take(usize::MAX).map(drop));
    starved(&mut stream, |r| r.take(usize::MAX - 7).map(drop));
    starved(&mut stream, |r| r.read_vec(usize::MAX));
    starved(&mut stream, |r| r.read_vec(usize::MAX));
    assert!(stream.stats().bytes_allocated < 1 << 20);
}

#[test]
fn a_packet_of_any_declared_length_is_read_as_it_comes() {
    // Kind 5, 2³⁴ bytes and more of payload.
    let header = [5 << 1, 0x80, 0x80, 0x80, 0x80, 0x40];
    let limits = Limits { max_packet: usize::MAX, ..Limits::default() };
    let mut stream = PacketStream::new(Protocol::Short, limits);
    stream.feed(&header).unwrap();
    assert_eq!(done(&mut stream, |r| Ok((r.kind()?, r.remaining_in_packet()))), (5, 1 << 34));
    for i in 0..100_u8 {
        stream.feed(&[i; 10_000]).unwrap();
        assert_eq!(done(&mut stream, |r| r.bytes::<16>()), [i; 16]);
        done(&mut stream, |r| r.skip(10_000 - 16));
    }
    assert_eq!(done(&mut stream, |r| Ok(r.remaining_in_packet())), (1 << 34) - 1_000_000);
    assert!(stream.stats().bytes_allocated <= 2 * 64 * 1024);
    // The default limit refuses it at its header.
    let mut stream = self::stream(&Wire::new(Protocol::Short, &[]));
    stream.feed(&header).unwrap();
    assert!(matches!(failed(&mut stream, |r| r.u8()), Error::PacketTooLarge { .. }));
}

#[test]
fn a_packet_over_the_limit_behind_good_ones() {
    let limits = Limits { max_packet: 108, ..Limits::default() };
    let wire = Wire::new(Protocol::Tds, &[(4, false, 100), (4, false, 101)]);
    for cut in 108..wire.bytes.len() {
        let mut stream = limited(limits);
        stream.feed(&wire.bytes[..cut]).unwrap();
        assert_eq!(done(&mut stream, |r| r.bytes::<100>())[..], wire.payload[..100]);
        if cut < 116 {
            starved(&mut stream, |r| r.u8());
            stream.feed(&wire.bytes[cut..]).unwrap();
        }
        assert_eq!(failed(&mut stream, |r| r.u8()), Error::PacketTooLarge { length: 109 });
        assert_eq!(stream.feed(&[1]), Err(Error::Poisoned));
    }
}

/// Eight times as many take about as long as eight runs, and not eight times that. What else the machine
/// does is not counted, but it empties caches, and so only what comes again and again counts.
fn assert_linear(name: &str, few: usize, time: impl Fn(usize) -> Duration) {
    let quickest = |runs: usize, n: usize| {
        (0..3).map(|_| (0..runs).map(|_| time(n)).sum::<Duration>()).min().unwrap()
    };
    let mut tries = Vec::new();
    while tries.len() < 5 {
        let (short, long) = (quickest(8, few), quickest(1, 8 * few));
        if long < 3 * short {
            return;
        }
        tries.push((short, long));
    }
    panic!("{name}: eight runs of {few} and one of eight times as many take {tries:?}");
}

/// What a step does takes time for each of its reads once, however many of them there are.
#[test]
fn the_time_of_a_long_step() {
    type Step = fn(&mut Reader<'_>, usize) -> Result<(), Stop>;
    let catches: [(&str, Step); 3] = [
        ("messages", |r, n| {
            for _ in 0..n {
                match r.u16_le() {
                    Err(Stop::Failed(Error::EndOfMessage)) => r.next_message()?,
                    other => return other.map(drop),
                }
            }
            Ok(())
        }),
        ("values", |r, n| {
            for _ in 0..n {
                r.read_vec(1)?;
                r.next_message()?;
            }
            Ok(())
        }),
        ("kept and skipped", |r, n| {
            for _ in 0..n / 2 {
                r.u8()?;
                r.next_message()?;
                r.skip(1)?;
                r.next_message()?;
            }
            Ok(())
        }),
    ];
    for (name, step) in catches {
        let time = |n: usize| {
            let wire = Wire::new(Protocol::Short, &vec![(1, true, 1); n]);
            let mut stream = full(&wire);
            let start = common::computed();
            // It runs three times, and then there is enough.
            for _ in 0..3 {
                starved(&mut stream, |r| step(r, n + 2));
            }
            done(&mut stream, |r| step(r, n));
            common::computed() - start
        };
        assert_linear(name, 1000, time);
    }
}

/// Slices of many packets in many buffers: each of them is found from the one before.
#[test]
fn the_time_of_many_slices() {
    let time = |n: usize| {
        let wire = Wire::new(Protocol::Short, &vec![(1, false, 1); n]);
        let limits = Limits { max_packet: 100, ..Limits::default() };
        let mut stream = PacketStream::new(Protocol::Short, limits);
        stream.feed(&wire.bytes).unwrap();
        let start = common::computed();
        let slices = done(&mut stream, |r| Ok(r.take(n)?.count()));
        assert_eq!(slices, n);
        common::computed() - start
    };
    assert_linear("slices", 8000, time);
}

/// The same with packets about as large as a buffer, so that there are as many buffers as slices.
#[test]
fn the_time_of_slices_in_many_buffers() {
    let time = |n: usize| {
        let limits = Limits { max_packet: 8192, ..Limits::default() };
        let mut stream = PacketStream::new(Tds::default(), limits);
        let message = vec![7; (8192 - 8) * n];
        for (header, payload) in Packetizer::new(4, 8192).unwrap().packets(&message) {
            stream.feed(&header.to_bytes()).unwrap();
            stream.feed(payload).unwrap();
        }
        let start = common::computed();
        let bytes =
            done(&mut stream, |r| Ok(r.take(message.len())?.map(<[u8]>::len).sum::<usize>()));
        assert_eq!(bytes, message.len());
        common::computed() - start
    };
    assert_linear("slices", 500, time);
}
