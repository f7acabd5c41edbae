//! What was handed out or kept stays what it was while the stream goes on.

use crate::wire::{Protocol, Wire, byte};
use crate::{common, done, starved, stream, until_done};
use pktpool::{Progress, Stop, Value};
use std::hash::{DefaultHasher, Hasher};

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

fn content(n: usize) -> Vec<u8> {
    (0..n).map(byte).collect()
}

/// Everything that a step saw, at every run, while 1000 packets arrive.
#[test]
fn bytes_of_a_step_that_keeps_needing_more() {
    let wire = Wire::tds(&content(400_000), 416);
    let mut stream = stream(&wire);
    let mut seen: Option<[u64; 3]> = None;
    let mut runs = 0;
    for piece in wire.bytes.chunks(1024) {
        common::read(&mut stream, piece);
        let progress = stream.read(|r| {
            let scalars = r.bytes::<100>()?;
            let value = r.read_vec(300)?;
            let mut kept = Vec::new();
            r.take(400)?.for_each(|chunk| kept.extend_from_slice(chunk));
            let now = [hash(&scalars), hash(&value), hash(&kept)];
            assert_eq!(*seen.get_or_insert(now), now);
            runs += 1;
            // Never there.
            r.take(400_000)?;
            Ok(())
        });
        match progress {
            Ok(Progress::NeedMore) => {}
            Err(error) => assert_eq!(error, pktpool::Error::EndOfMessage),
            Ok(Progress::Done(())) => panic!(),
        }
    }
    assert!(runs > 300);
    let expected = [0..100, 100..400, 400..800].map(|range| hash(&content(800)[range]));
    assert_eq!(seen, Some(expected));
}

/// Values that leave their step are their owner's, whatever becomes of the stream.
#[test]
fn values_outlive_steps_and_the_stream() {
    let bytes = content(300_000);
    let wire = Wire::tds(&bytes, 4096);
    let (mut values, mut at): (Vec<Value>, _) = (Vec::new(), 0);
    let mut stream = stream(&wire);
    let mut rest = &wire.bytes[..];
    for n in (0..100).map(|i| (i * 37) % 5000 + 1) {
        let (value, _, taken) = until_done(&mut stream, rest, 1460, |r| r.read_vec(n));
        rest = &rest[taken..];
        values.push(value);
    }
    drop(stream);
    for value in values {
        assert_eq!(hash(&value), hash(&bytes[at..at + value.len()]));
        at += value.len();
        value.into_vec().fill(0);
    }
}

/// A value that left a step which then needed more: it is not changed by the runs that follow.
#[test]
fn values_that_escape_a_step_that_was_not_done() {
    let bytes = content(100_000);
    let wire = Wire::tds(&bytes, 1000);
    let mut stream = stream(&wire);
    let mut escaped = Vec::new();
    let (last, ..) = until_done(&mut stream, &wire.bytes, 1500, |r| {
        let value = r.read_vec(20_000)?;
        escaped.push(value);
        let other = r.read_vec(70_000)?;
        Ok(other)
    });
    assert!(*last == bytes[20_000..90_000]);
    assert!(escaped.len() > 40);
    for value in escaped {
        let vec = value.into_vec();
        assert!(vec == bytes[..20_000]);
    }
    assert!(*last == bytes[20_000..90_000]);
}

/// An owner who writes into the vector of an escaped value does not reach the value of later runs.
#[test]
fn writing_into_an_escaped_value() {
    let bytes = content(10_000);
    let wire = Wire::tds(&bytes, 1000);
    let mut stream = stream(&wire);
    let mut vecs = Vec::new();
    let (value, ..) = until_done(&mut stream, &wire.bytes, 999, |r| {
        let mut vec = r.read_vec(3000)?.into_vec();
        vec.fill(0xAA);
        vec.push(1);
        vecs.push(vec);
        let value = r.read_vec(3000)?;
        r.take(4000)?;
        Ok(value)
    });
    assert!(*value == bytes[3000..6000] && vecs.len() > 3);
    let mut again = crate::full(&wire);
    let both = done(&mut again, |r| {
        r.read_vec(3000)?.into_vec().fill(1);
        r.read_vec(3000)
    });
    assert!(both.into_vec() == bytes[3000..6000]);
}

/// A prefix is kept over a value of many buffers that is let go of, and over buffers behind it.
#[test]
fn scattered_bytes_are_kept() {
    let packets: Vec<_> = (0..400).map(|i| (1, i == 399, 2000)).collect();
    let wire = Wire::new(Protocol::Tds, &packets);
    let mut stream = stream(&wire);
    // Kept byte, value, kept byte, value…: 40 of them, 20 000 bytes each but one.
    let (kept, ..) = until_done(&mut stream, &wire.bytes, 8000, |r| {
        let mut kept = Vec::new();
        for _ in 0..40 {
            kept.push(r.u8()?);
            let value = r.read_vec(19_999)?;
            kept.push(value[19_998]);
        }
        Ok(kept)
    });
    let expected: Vec<u8> = (0..40)
        .flat_map(|i| [wire.payload[i * 20_000], wire.payload[i * 20_000 + 19_999]])
        .collect();
    assert_eq!(kept, expected);
    let stats = stream.stats();
    assert!(stats.bytes_retained_high < 10 * 64 * 1024, "{stats:?}");
}

/// Packets taken from a stream while a spare is being filled are never written over.
#[test]
fn the_spare_never_overlaps_what_is_kept() {
    let wire = Wire::tds(&content(500_000), 3000);
    let mut stream = stream(&wire);
    let mut rest = &wire.bytes[..];
    let mut run = 0;
    while !rest.is_empty() {
        // All of the spare is written, and then only a part of it is committed.
        let spare = stream.spare_mut();
        spare.fill(0xCC);
        let n = rest.len().min(spare.len()).min(700 + run % 900);
        spare[..n].copy_from_slice(&rest[..n]);
        stream.commit(n).unwrap();
        rest = &rest[n..];
        run += 1;
        starved(&mut stream, |r| {
            let reach = wire.reach(wire.bytes.len() - rest.len());
            let mut at = 0;
            for chunk in r.take(reach)? {
                assert!(*chunk == wire.payload[at..at + chunk.len()]);
                at += chunk.len();
                if at > 5000 && run % 50 != 0 {
                    break;
                }
            }
            Err::<(), _>(Stop::NeedMore)
        });
    }
}
