//! Reads that resume: values over many reads, several in one step, skipping.

use crate::wire::{Protocol, Wire, byte};
use crate::{common, done, full, message, starved, stream, until_done};
use pktpool::{Error, Limits, PacketStream, Progress, Reader, Stop, tds::Tds};

fn content(n: usize) -> Vec<u8> {
    (0..n).map(byte).collect()
}

#[test]
fn one_byte_a_read() {
    let value = content(30_000);
    let bytes = [&b"\x01\x02"[..], &value, b"tail"].concat();
    let wire = Wire::tds(&bytes, 512);
    let ((head, got, tail), runs, taken) =
        until_done(&mut stream(&wire), &wire.bytes, 1, |r: &mut Reader<'_>| {
            Ok((r.u16_be()?, r.read_vec(value.len())?, r.bytes()?))
        });
    assert_eq!((head, &tail), (0x0102, b"tail"));
    assert!(*got == *value);
    assert_eq!((runs, taken), (wire.bytes.len() + 1, wire.bytes.len()), "progress at every byte");
}

#[test]
fn several_values_in_one_step() {
    let lengths = [1, 900, 0, 4000, 7, 70_000, 0, 0, 30];
    let bytes = content(lengths.iter().map(|n| n + 3).sum());
    for (packet, read) in [(512, 700), (4096, 1), (32_767, 1460), (512, 100_000), (9, 4000)] {
        let wire = Wire::tds(&bytes, packet);
        let piece = if read == 1 { 3 } else { read };
        let (values, ..) = until_done(&mut stream(&wire), &wire.bytes, piece, |r| {
            let mut values = Vec::new();
            for n in lengths {
                // A scalar before each: it must be there whenever the step runs again.
                values.push((r.bytes::<3>()?, r.read_vec(n)?));
            }
            Ok(values)
        });
        let mut at = 0;
        for ((between, value), n) in values.iter().zip(lengths) {
            assert_eq!(between[..], bytes[at..at + 3]);
            assert!(**value == bytes[at + 3..at + 3 + n], "{n} bytes in packets of {packet}");
            at += n + 3;
        }
    }
}

#[test]
fn values_side_by_side_without_anything_between() {
    let bytes = content(9000);
    let wire = Wire::tds(&bytes, 600);
    for piece in [1, 50, 593, 600, 607, 20_000] {
        let ((a, b, c), ..) = until_done(&mut stream(&wire), &wire.bytes, piece, |r| {
            Ok((r.read_vec(3000)?, r.read_vec(1)?, r.read_vec(5999)?))
        });
        assert!([&*a, &*b, &*c].concat() == bytes, "reads of {piece}");
    }
}

#[test]
fn an_empty_value_shares_its_offset_with_the_next() {
    // SqlClient 3871: a value of length 0 in a continued read was null; here, it hid the next one.
    let bytes = content(5000);
    let wire = Wire::tds(&bytes, 512);
    for piece in [1, 100, 512, 513] {
        let (values, ..) = until_done(&mut stream(&wire), &wire.bytes, piece, |r| {
            let first = (r.read_vec(0)?, r.read_vec(2000)?);
            r.skip(0)?;
            r.read_into(&mut [])?;
            let second = (r.read_vec(0)?, r.read_vec(3000)?, r.read_vec(0)?);
            Ok([first.0, first.1, second.0, second.1, second.2])
        });
        assert_eq!(values.each_ref().map(|v| v.len()), [0, 2000, 0, 3000, 0]);
        assert!(*values[1] == bytes[..2000] && *values[3] == bytes[2000..]);
    }
}

#[test]
fn skipping_lets_go_of_what_it_passed() {
    let wire = Wire::tds(&content(1 << 20), 4096);
    let mut stream = stream(&wire);
    let length = (1 << 20) - 1;
    let (last, ..) = until_done(&mut stream, &wire.bytes, 8000, |r| {
        r.skip(length)?;
        r.u8()
    });
    assert_eq!(last, byte((1 << 20) - 1));
    assert!(stream.stats().bytes_retained_high < 3 * 64 * 1024, "{:?}", stream.stats());
}

#[test]
fn the_next_message_lets_go_of_what_it_passed() {
    let mut packets = vec![(1, false, 4000); 300];
    packets.extend([(1, true, 0), (2, true, 1)]);
    let wire = Wire::new(Protocol::Tds, &packets);
    let mut stream = stream(&wire);
    let (got, runs, _) = until_done(&mut stream, &wire.bytes, 5000, |r| {
        let first = r.u8()?;
        r.next_message()?;
        Ok((first, r.kind()?, r.u8()?, r.position()))
    });
    assert_eq!(got, (byte(0), 2, byte(1_200_000), 1_200_001));
    assert!(runs > 200);
    assert!(stream.stats().bytes_retained_high < 3 * 64 * 1024, "{:?}", stream.stats());
}

#[test]
fn a_value_over_a_message_of_small_packets_and_headers_alone() {
    let packets: Vec<_> = (0..3000).map(|i| (9, i == 2999, [0, 1, 2, 0, 5][i % 5])).collect();
    let wire = Wire::new(Protocol::Short, &packets);
    for piece in [1, 7, 100_000] {
        let n = wire.payload.len() - 2;
        let ((value, rest), ..) = until_done(&mut stream(&wire), &wire.bytes, piece, |r| {
            Ok((r.read_vec(n)?, r.bytes::<2>()?))
        });
        assert!(*value == wire.payload[..n] && rest[..] == wire.payload[n..]);
    }
}

#[test]
fn peek_and_then_a_value() {
    let bytes = content(3000);
    let wire = Wire::tds(&bytes, 300);
    for piece in [1, 299, 300, 301] {
        let ((peeked, value), ..) = until_done(&mut stream(&wire), &wire.bytes, piece, |r| {
            let (kind, first, again) = (r.kind()?, r.peek()?, r.peek()?);
            assert_eq!((kind, first), (4, again));
            let value = r.read_vec(2999)?;
            let last = r.peek()?;
            r.skip(1)?;
            Ok(((first, last), value))
        });
        assert_eq!(peeked, (bytes[0], bytes[2999]));
        assert!(*value == bytes[..2999]);
    }
}

#[test]
fn peek_and_then_a_skip_or_the_next_message() {
    let wire = Wire::new(Protocol::Tds, &[(1, false, 700), (1, true, 300), (2, true, 5)]);
    for piece in [1, 100, 701] {
        let (seen, ..) = until_done(&mut stream(&wire), &wire.bytes, piece, |r| {
            let first = (r.kind()?, r.remaining_in_packet(), r.peek()?);
            r.skip(500)?;
            let second = (r.kind()?, r.remaining_in_packet(), r.peek()?);
            r.next_message()?;
            let third = (r.kind()?, r.remaining_in_packet(), r.peek()?);
            Ok((first, second, third, r.bytes::<5>()?))
        });
        assert_eq!(seen.0, (1, 700, byte(0)));
        assert_eq!(seen.1, (1, 200, byte(500)));
        assert_eq!((seen.2, &seen.3[..]), ((2, 5, byte(1000)), &wire.payload[1000..]));
    }
}

#[test]
fn a_value_resumes_across_steps_by_its_offset() {
    // The first step gives up on its own, after the value began; the value is asked for again in
    // another step that starts at its offset.
    let bytes = content(2000);
    let wire = Wire::tds(&bytes, 4096);
    let mut stream = stream(&wire);
    stream.feed(&wire.bytes[..1000]).unwrap();
    starved(&mut stream, |r| Ok((r.u8()?, r.read_vec(1999)?)));
    // It may be that the value's bytes can only be had the way they were asked for.
    assert_eq!(done(&mut stream, |r| r.u8()), bytes[0]);
    stream.feed(&wire.bytes[1000..]).unwrap();
    match stream.read(|r| r.read_vec(1999)) {
        Ok(Progress::Done(value)) => assert!(*value == bytes[1..]),
        Err(Error::StepChanged) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_step_that_reads_after_its_value_loses_nothing() {
    let bytes = content(100_000);
    let wire = Wire::tds(&bytes, 1000);
    let mut stream = stream(&wire);
    let mut whole = 0;
    let (value, ..) = until_done(&mut stream, &wire.bytes, 997, |r| {
        let value = r.read_vec(50_000)?;
        whole += 1;
        assert!(*value == bytes[..50_000]);
        // Bytes behind the value, in many reads: each of them runs the step again.
        r.take(49_999)?;
        r.u8()?;
        Ok(value)
    });
    assert!(whole > 40, "{whole} runs had the value");
    let vec = value.into_vec();
    assert!(vec == bytes[..50_000]);
}

#[test]
fn values_of_one_step_after_the_other() {
    // Nothing of one value is left for the next one, whatever their lengths.
    let lengths = [5000, 3, 5000, 5001, 0, 4999, 1];
    let bytes = content(lengths.iter().sum());
    let wire = Wire::tds(&bytes, 700);
    for piece in [1, 333, 700, 20_000] {
        let (mut stream, mut rest, mut at) = (stream(&wire), &wire.bytes[..], 0);
        for n in lengths {
            let (value, _, taken) = until_done(&mut stream, rest, piece, |r| r.read_vec(n));
            rest = &rest[taken..];
            assert!(*value == bytes[at..at + n], "{n} bytes at {at}, reads of {piece}");
            at += n;
        }
        assert!(done(&mut stream, |r| Ok(r.at_message_end())));
        stream.end_of_input().unwrap();
    }
}

#[test]
fn a_value_that_the_message_is_too_short_for() {
    let wire = message(&[b"abc", b"def"]);
    let mut all = full(&wire);
    assert_eq!(all.read(|r| r.read_vec(7)).unwrap_err(), Error::EndOfMessage);
    // Told only after it had begun: then, too.
    for cut in 0..wire.bytes.len() {
        let mut stream = stream(&wire);
        stream.feed(&wire.bytes[..cut]).unwrap();
        match stream.read(|r| r.read_vec(7)) {
            Ok(Progress::NeedMore) => {}
            Err(Error::EndOfMessage) if cut > 11 + 8 => continue,
            other => panic!("{other:?} at {cut}"),
        }
        stream.feed(&wire.bytes[cut..]).unwrap();
        assert_eq!(stream.read(|r| r.read_vec(7)).unwrap_err(), Error::EndOfMessage, "{cut}");
    }
}

/// 20 steps a packet, each with a value in two packets: the place of a value is found by what the
/// reader knows, and the work does not grow with the packets that went by.
#[test]
fn many_small_values_one_after_the_other() {
    let bytes = content(400_000);
    let wire = Wire::tds(&bytes, 512);
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    let (mut at, mut pieces) = (0, wire.bytes.chunks(512));
    while at < bytes.len() {
        match stream.read(|r: &mut Reader<'_>| -> Result<_, Stop> { r.read_vec(25) }).unwrap() {
            Progress::Done(value) => {
                assert!(*value == bytes[at..at + 25]);
                at += 25;
            }
            Progress::NeedMore => common::read(&mut stream, pieces.next().unwrap()),
        }
    }
    assert_eq!(pieces.next(), None);
}
