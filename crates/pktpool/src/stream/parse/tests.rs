#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of `Reader` is of one lifetime, and a step is of any"
)]

mod model;

use super::super::buffers::Buffers;
use crate::tds::{Packetizer, Tds, read_plp};
use crate::{Error, Limits, PacketStream, Progress, Reader, Stop};

fn stream() -> PacketStream<Tds> {
    PacketStream::new(Tds { max_packet: 65_535 }, Limits::default())
}

fn content(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// One message in packets of `size` bytes.
fn wire(payload: &[u8], size: usize) -> Vec<u8> {
    let packetizer = Packetizer::new(4, size).unwrap();
    packetizer.packets(payload).flat_map(|(h, p)| [&h.to_bytes()[..], p].concat()).collect()
}

/// Runs steps on a wire that comes in pieces until `done` of them are done.
fn run<T>(
    stream: &mut PacketStream<Tds>,
    wire: &[u8],
    read: usize,
    done: usize,
    mut step: impl FnMut(&mut Reader<'_>) -> Result<T, Stop>,
) -> Vec<T> {
    let (mut out, mut pieces) = (Vec::new(), wire.chunks(read));
    while out.len() < done {
        match stream.read(&mut step).unwrap() {
            Progress::Done(value) => out.push(value),
            Progress::NeedMore => stream.feed(pieces.next().expect("enough input")).unwrap(),
        }
    }
    for rest in pieces {
        stream.feed(rest).unwrap();
    }
    out
}

#[test]
fn every_read_at_every_cut_and_packet_size() {
    let payload = content(200);
    for size in 9..60 {
        for read in [1, 2, 3, 7, 20, 61, 500] {
            let mut stream = stream();
            let got = run(&mut stream, &wire(&payload, size), read, 1, |r| {
                assert_eq!(r.position(), 0);
                let mut out = vec![r.peek()?];
                assert_eq!((r.kind()?, r.remaining_in_packet()), (4, (size - 8).min(200)));
                out.push(r.u8()?);
                out.extend(r.u32_be()?.to_be_bytes());
                out.extend(r.read_vec(20)?.iter());
                assert_eq!(r.position(), 25);
                let peeked = r.peek()?;
                let rest = r.remaining_in_packet();
                assert!(rest > 0 && (25 + rest) % (size - 8) == 0 || 25 + rest == 200);
                r.skip(30)?;
                out.push(peeked);
                r.take(15)?.for_each(|piece| out.extend(piece));
                out.extend(r.read_vec(1)?.iter());
                out.extend(r.read_vec(0)?.iter());
                out.extend(r.read_vec(120)?.iter());
                assert_eq!(r.position(), 191);
                out.extend(r.bytes::<9>()?);
                assert!(r.at_message_end());
                assert_eq!(r.u8(), Err(Stop::Failed(Error::EndOfMessage)));
                assert_eq!(r.position(), 200);
                r.next_message()?;
                Ok(out)
            });
            let expected = [&payload[..1], &payload[..26], &payload[55..]].concat();
            assert_eq!(got[0], expected, "{size} {read}");
            stream.end_of_input().unwrap();
        }
    }
}

#[test]
fn messages_are_dropped() {
    let payload = content(100);
    let wire = [wire(&payload, 20), wire(&[], 20), wire(b"end", 20)].concat();
    for read in 1..wire.len() {
        let mut stream = stream();
        let got = run(&mut stream, &wire, read, 2, |r| {
            let first = r.u16_be()?;
            let position = r.position();
            r.next_message()?;
            if position == 2 {
                r.next_message()?;
            }
            Ok((first, position, r.position()))
        });
        assert_eq!(got, [(7, 2, 100), (u16::from_be_bytes(*b"en"), 102, 103)], "{read}");
        stream.end_of_input().unwrap();
    }
}

#[test]
fn plp_values() {
    let data = content(3000);
    let mut plp = Vec::new();
    plp.extend((u64::MAX - 1).to_le_bytes());
    for chunk in data.chunks(700) {
        plp.extend((chunk.len() as u32).to_le_bytes());
        plp.extend(chunk);
    }
    plp.extend([0; 4]);
    plp.extend(u64::MAX.to_le_bytes());
    plp.extend([0; 12]);
    plp.push(77);
    for size in [9, 10, 16, 100, 512, 4096] {
        for read in [1, 13, 700, 5000] {
            let mut stream = stream();
            let got = run(&mut stream, &wire(&plp, size), read, 1, |r| {
                let value = read_plp(r, 3000)?;
                let null = read_plp(r, 3000)?;
                let empty = read_plp(r, 3000)?;
                Ok((value, null, empty, r.u8()?))
            });
            let (value, null, empty, last) = &got[0];
            assert_eq!(value.as_deref(), Some(&data[..]), "{size} {read}");
            assert_eq!((null.is_none(), empty.as_deref(), *last), (true, Some(&[][..]), 77));
        }
    }
}

#[test]
fn a_large_value_is_released_as_it_comes() {
    let payload = content(5_000_000);
    for (size, read) in [(512, 1460), (8000, 8000), (65_535, 64_000), (65_535, 500)] {
        let mut stream = stream();
        let got = run(&mut stream, &wire(&payload, size), read, 1, |r| {
            let prefix = r.bytes::<100>()?;
            let value = r.read_vec(4_000_000)?;
            r.skip(999_000)?;
            Ok((prefix, value, r.bytes::<900>()?))
        });
        let (prefix, value, rest) = &got[0];
        assert_eq!(prefix[..], payload[..100]);
        assert!(**value == payload[100..4_000_100]);
        assert_eq!(rest[..], payload[4_999_100..]);
        let stats = stream.stats();
        assert!(stats.bytes_retained_high <= 2 * (64 << 10) + 2000, "{size} {read}: {stats:?}");
        assert!(stats.buffers_live_high <= 2, "{size} {read}: {stats:?}");
    }
}

#[test]
fn next_packet_after_a_step() {
    let payload = content(50);
    let mut stream = stream();
    stream.feed(&wire(&payload, 28)).unwrap();
    assert_eq!(stream.read(|r| r.kind()), Ok(Progress::Done(4)));
    assert_eq!(stream.next_packet().unwrap().unwrap().header().len(), 8, "nothing was read of it");
    assert_eq!(stream.read(|r| r.u8()), Ok(Progress::Done(payload[20])));
    let packet = stream.next_packet().unwrap().unwrap();
    assert_eq!((packet.header(), packet.payload()), (&[][..], &payload[21..40]));
    assert_eq!(stream.read(|r| r.read_vec(10).map(|v| v[0])), Ok(Progress::Done(payload[40])));
    assert_eq!(stream.next_packet(), Ok(None));
    assert_eq!(stream.read(|r| r.u8()), Err(Error::EndOfMessage));
    assert_eq!(stream.next_packet(), Err(Error::Poisoned));
}

#[test]
fn a_changed_step() {
    let wire = wire(&content(50), 100);
    type Step = fn(&mut Reader<'_>) -> Result<(), Stop>;
    let changed: [Step; 6] = [
        |r| r.u8().map(drop),
        |r| r.read_vec(31).map(drop),
        |r| r.skip(30),
        |r| r.skip(40),
        |r| r.take(2).map(drop),
        |r| read_plp(r, 100).map(drop),
    ];
    for step in changed {
        let mut stream = stream();
        stream.feed(&wire[..20]).unwrap();
        assert_eq!(stream.read(|r| r.read_vec(30).map(drop)), Ok(Progress::NeedMore));
        assert_eq!(stream.read(|r| r.peek()), Ok(Progress::Done(0)));
        assert_eq!(stream.read(step), Err(Error::StepChanged));
    }
    let mut stream = stream();
    stream.feed(&wire[..20]).unwrap();
    assert_eq!(stream.read(|r| r.read_vec(30).map(drop)), Ok(Progress::NeedMore));
    assert_eq!(stream.next_packet(), Err(Error::StepChanged));
}

#[test]
fn a_dropped_message_may_have_released_bytes() {
    let wire = wire(&content(50), 20);
    for cut in 9..wire.len() {
        let mut stream = stream();
        stream.feed(&wire[..cut]).unwrap();
        assert_eq!(stream.read(|r| r.read_vec(50).map(drop)), Ok(Progress::NeedMore));
        let dropped = stream.read(|r| r.next_message()).unwrap();
        assert_eq!(dropped, Progress::NeedMore);
        stream.feed(&wire[cut..]).unwrap();
        assert_eq!(stream.read(|r| r.next_message()), Ok(Progress::Done(())));
        assert_eq!(stream.read(|r| Ok(r.position())), Ok(Progress::Done(50)));
        stream.end_of_input().unwrap();
        assert_eq!(stream.stats().bytes_retained, 0);
    }
}

/// The crate's documentation says so.
#[test]
fn memory_at_rest() {
    let mut stream = stream();
    assert_eq!(stream.stats().bytes_allocated, 0);
    assert!(cfg!(not(target_pointer_width = "64")) || size_of_val(&stream) == 648);
    run(&mut stream, &wire(&content(300_000), 4096), 1460, 1, |r| {
        let value = r.read_vec(300_000)?;
        r.next_message()?;
        Ok(value)
    });
    assert_eq!((stream.stats().bytes_retained, stream.stats().bytes_allocated), (0, 64 << 10));
    let limits = Limits { max_packet: 4096, ..Limits::default() };
    let mut small = PacketStream::new(Tds::default(), limits);
    small.feed(&[4]).unwrap();
    assert_eq!(small.stats().bytes_allocated, 16 << 10);
}

#[test]
fn header_only_packets_are_gone_over_once() {
    let mut wire = Vec::new();
    (0..100_000).for_each(|_| wire.extend([4, 0, 0, 8, 0, 0, 0, 0]));
    wire.extend([4, 1, 0, 9, 0, 0, 0, 0, 7]);
    // Looked at again by every step, these are 12 000 000 headers.
    let mut stream = stream();
    let got = run(&mut stream, &wire, 3200, 1, |r| {
        let read = (r.u8()?, r.at_message_end());
        r.next_message()?;
        Ok(read)
    });
    assert_eq!(got, [(7, true)]);
    assert_eq!(stream.stats().bytes_retained, 0);

    // They stay packets for those who take packets.
    let mut stream = self::stream();
    for bytes in wire.chunks(800) {
        stream.feed(bytes).unwrap();
        if stream.read(|r| r.u8()).unwrap() != Progress::NeedMore {
            break;
        }
        for _ in 0..bytes.len() / 8 / 2 {
            assert_eq!(stream.next_packet().unwrap().map(|p| p.payload().len()), Some(0));
        }
    }
    let mut left = 0;
    while let Some(packet) = stream.next_packet().unwrap() {
        assert!(packet.payload().is_empty());
        left += 1;
    }
    assert_eq!(left, 0, "the read went over those that were left");
    stream.end_of_input().unwrap();
}
