//! Steps that do not read the same when they run again: right bytes or `StepChanged`, never others.

use crate::wire::{Protocol, Wire, byte};
use crate::{common, done, starved, stream};
use pktpool::{Error, Progress, Reader, Stop};

const LENGTH: usize = 3000;

fn wire() -> Wire {
    Wire::tds(&(0..LENGTH).map(byte).collect::<Vec<_>>(), 600)
}

type Step = fn(&mut Reader<'_>) -> Result<Vec<u8>, Stop>;

/// What a step may turn into, with the place of the bytes it gives. The first run was `u8`, then
/// `read_vec(2500)`.
const OTHERS: [(&str, usize, Step); 12] = [
    ("the same", 1, |r| {
        r.u8()?;
        Ok(r.read_vec(2500)?.into_vec())
    }),
    ("a shorter value", 1, |r| {
        r.u8()?;
        Ok(r.read_vec(100)?.into_vec())
    }),
    ("a value shorter by one", 1, |r| {
        r.u8()?;
        Ok(r.read_vec(2499)?.into_vec())
    }),
    ("a longer value", 1, |r| {
        r.u8()?;
        Ok(r.read_vec(2999)?.into_vec())
    }),
    ("a value that begins earlier", 0, |r| Ok(r.read_vec(2500)?.into_vec())),
    ("a value that begins later", 2, |r| {
        r.u8()?;
        r.u8()?;
        Ok(r.read_vec(2400)?.into_vec())
    }),
    ("scalars", 1, |r| {
        r.u8()?;
        Ok(r.u64_le()?.to_le_bytes().to_vec())
    }),
    ("slices", 1, |r| {
        r.u8()?;
        Ok(r.take(2500)?.flatten().copied().collect())
    }),
    ("slices over the start", 0, |r| Ok(r.take(2501)?.flatten().copied().collect())),
    ("a copy", 1, |r| {
        r.u8()?;
        let mut out = vec![0; 2500];
        r.read_into(&mut out)?;
        Ok(out)
    }),
    ("a byte behind a skip", 2501, |r| {
        r.u8()?;
        r.skip(2500)?;
        Ok(vec![r.u8()?])
    }),
    ("a look", 1, |r| {
        r.u8()?;
        Ok(vec![r.peek()?])
    }),
];

fn first(r: &mut Reader<'_>) -> Result<(), Stop> {
    r.u8()?;
    r.read_vec(2500).map(|_| ())
}

#[test]
fn right_bytes_or_an_error() {
    let wire = wire();
    for (name, place, other) in OTHERS {
        // What arrived at the first run, and at the second.
        for (cut, then) in [(8, 9), (9, 60), (30, 1300), (700, 701), (1300, 3040), (2000, 2000)] {
            let context = format!("{name}, {cut} bytes and then {then}");
            let mut stream = stream(&wire);
            common::read(&mut stream, &wire.bytes[..cut]);
            starved(&mut stream, first);
            common::read(&mut stream, &wire.bytes[cut..then]);
            let mut result = stream.read(other);
            if let Ok(Progress::NeedMore) = result {
                common::read(&mut stream, &wire.bytes[then..]);
                result = stream.read(other);
            }
            match result {
                Ok(Progress::Done(bytes)) => {
                    assert!(wire.payload[place..].starts_with(&bytes), "{context}");
                }
                Err(Error::StepChanged) => {
                    assert_ne!(name, "the same", "{context}");
                    assert!(matches!(stream.read(first), Err(Error::Poisoned)), "{context}");
                }
                other => panic!("{context}: {other:?}"),
            }
        }
    }
}

/// A value of another length at the same offset, over bytes of which some went into the first.
#[test]
fn another_length_is_told_and_not_guessed() {
    let wire = wire();
    let mut stream = stream(&wire);
    common::read(&mut stream, &wire.bytes[..2000]);
    starved(&mut stream, first);
    assert!(stream.stats().bytes_retained < 700, "the value's bytes are let go of");
    let told = stream.read(|r| {
        r.u8()?;
        let refused = r.u64_le();
        assert!(matches!(refused, Err(Stop::Failed(Error::StepChanged))), "{refused:?}");
        assert_eq!(r.position(), 1, "a refused read does not move the reader");
        let refused = r.take(1900).map(drop);
        assert!(matches!(refused, Err(Stop::Failed(Error::StepChanged))), "{refused:?}");
        refused
    });
    assert_eq!(told.unwrap_err(), Error::StepChanged);
}

/// Refused and caught, the step can still go back to what it did first.
#[test]
fn the_value_is_still_there_after_a_refusal() {
    let wire = wire();
    let mut stream = stream(&wire);
    common::read(&mut stream, &wire.bytes[..2000]);
    starved(&mut stream, first);
    common::read(&mut stream, &wire.bytes[2000..]);
    let value = stream.read(|r| {
        assert_eq!(r.u8()?, wire.payload[0]);
        assert!(matches!(r.u64_le(), Err(Stop::Failed(Error::StepChanged))));
        r.read_vec(2500)
    });
    match value {
        Ok(Progress::Done(value)) => assert!(*value == wire.payload[1..2501]),
        Err(Error::StepChanged) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_byte_that_a_peek_showed_is_kept() {
    let wire = wire();
    let mut stream = stream(&wire);
    let step = |r: &mut Reader<'_>| {
        let peeked = r.peek()?;
        Ok((peeked, r.read_vec(LENGTH)?))
    };
    for piece in wire.bytes.chunks(97) {
        common::read(&mut stream, piece);
        // Runs that look and give up, between those that read.
        let peeked = stream.read(|r| {
            r.kind().ok();
            let peeked = r.peek();
            assert!(matches!(peeked, Ok(b) if b == wire.payload[0]), "{peeked:?}");
            Err::<(), _>(Stop::NeedMore)
        });
        assert!(matches!(peeked, Ok(Progress::NeedMore)));
        if let Progress::Done((peeked, value)) = stream.read(step).unwrap() {
            assert_eq!(peeked, wire.payload[0]);
            assert!(*value == wire.payload);
            return;
        }
    }
    panic!("it must be done");
}

/// A skip that becomes a read, and the other way round.
#[test]
fn a_skip_is_not_a_value() {
    let wire = wire();
    let mut skipped = stream(&wire);
    common::read(&mut skipped, &wire.bytes[..2000]);
    starved(&mut skipped, |r| r.skip(2500));
    common::read(&mut skipped, &wire.bytes[2000..]);
    match skipped.read(|r| r.read_vec(2500)) {
        Ok(Progress::Done(value)) => assert!(*value == wire.payload[..2500]),
        result => assert_eq!(result.unwrap_err(), Error::StepChanged),
    }

    let mut read = stream(&wire);
    common::read(&mut read, &wire.bytes[..2000]);
    starved(&mut read, |r| r.read_vec(2500));
    common::read(&mut read, &wire.bytes[2000..]);
    // Skipping gives no bytes, so it may well be let through; what is behind it must be right.
    let behind = read.read(|r| {
        r.skip(2500)?;
        r.u8()
    });
    match behind {
        Ok(Progress::Done(byte)) => assert_eq!(byte, wire.payload[2500]),
        result => assert_eq!(result.unwrap_err(), Error::StepChanged),
    }
}

/// A skip that is cut short and goes on by another length.
#[test]
fn a_skip_of_another_length() {
    let wire = wire();
    for other in [0_u64, 1, 100, 1900, 2499, 2501, 2999] {
        let mut stream = stream(&wire);
        common::read(&mut stream, &wire.bytes[..2000]);
        starved(&mut stream, |r| r.skip(2500));
        common::read(&mut stream, &wire.bytes[2000..]);
        let behind = stream.read(|r| {
            r.skip(other)?;
            Ok((r.position(), r.u8()?))
        });
        match behind {
            Ok(Progress::Done(seen)) => assert_eq!(seen, (other, wire.payload[other as usize])),
            result => assert_eq!(result.unwrap_err(), Error::StepChanged, "{other}"),
        }
    }
}

/// Two values are begun, and the second is asked for first.
#[test]
fn values_in_another_order() {
    let wire = wire();
    let mut stream = stream(&wire);
    common::read(&mut stream, &wire.bytes[..2000]);
    starved(&mut stream, |r| Ok((r.read_vec(1000)?, r.read_vec(1500)?)));
    common::read(&mut stream, &wire.bytes[2000..]);
    match stream.read(|r| Ok((r.read_vec(1500)?, r.read_vec(1000)?))) {
        Ok(Progress::Done((a, b))) => {
            assert!(*a == wire.payload[..1500] && *b == wire.payload[1500..2500]);
        }
        result => assert_eq!(result.unwrap_err(), Error::StepChanged),
    }
}

/// A step that does less: what it reads of the start is committed, and what was begun is not mixed up
/// with what lies behind.
#[test]
fn a_step_that_is_done_before_the_value() {
    let wire = wire();
    let mut stream = stream(&wire);
    common::read(&mut stream, &wire.bytes[..2000]);
    starved(&mut stream, first);
    assert_eq!(done(&mut stream, |r| r.u8()), wire.payload[0]);
    common::read(&mut stream, &wire.bytes[2000..]);
    let mut at = 1;
    loop {
        match stream.read(|r| Ok((r.position(), r.bytes::<7>()?))) {
            Ok(Progress::Done((position, bytes))) => {
                assert_eq!(position, at as u64);
                assert_eq!(bytes[..], wire.payload[at..at + 7]);
                at += 7;
            }
            Err(Error::StepChanged) => break,
            Err(Error::EndOfMessage) => {
                assert!(at + 7 > LENGTH);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The next message is asked for first: it is the end of the message that it goes over, and no other.
#[test]
fn the_next_message_earlier_than_before() {
    let packets = [(1, false, 20), (1, true, 20), (2, true, 5), (3, true, 5)];
    let wire = Wire::new(Protocol::Tds, &packets);
    let end = wire.frames[2].head_end + 1;
    for cut in 0..=end {
        let mut stream = stream(&wire);
        common::read(&mut stream, &wire.bytes[..cut]);
        starved(&mut stream, |r| {
            r.u8()?;
            r.read_vec(10)?;
            r.next_message()?;
            r.bytes::<4>()
        });
        common::read(&mut stream, &wire.bytes[cut..]);
        let behind = stream.read(|r| {
            r.next_message()?;
            Ok((r.position(), r.kind()?, r.bytes::<5>()?))
        });
        match behind {
            Ok(Progress::Done((position, kind, bytes))) => {
                assert_eq!((position, kind), (40, 2), "cut at {cut}");
                assert_eq!(bytes[..], wire.payload[40..45]);
            }
            result => assert_eq!(result.unwrap_err(), Error::StepChanged, "cut at {cut}"),
        }
    }
}

/// A refusal at the end of one message says nothing of the next one, which has the same position.
#[test]
fn a_refusal_is_of_its_message() {
    let wire = Wire::new(Protocol::Tds, &[(1, true, 2), (2, true, 700)]);
    for cut in [40, 300] {
        let mut stream = stream(&wire);
        common::read(&mut stream, &wire.bytes[..cut]);
        let end = |r: &mut Reader<'_>| -> Result<(), Stop> {
            r.bytes::<2>()?;
            assert!(matches!(r.u16_le(), Err(Stop::Failed(Error::EndOfMessage))));
            r.next_message()
        };
        starved(&mut stream, |r| {
            end(r)?;
            r.read_vec(700)
        });
        common::read(&mut stream, &wire.bytes[cut..]);
        let other = stream.read(|r| {
            end(r)?;
            r.u16_le()
        });
        match other {
            Ok(Progress::Done(read)) => assert_eq!(read.to_le_bytes(), wire.payload[2..4]),
            result => assert_eq!(result.unwrap_err(), Error::StepChanged),
        }
    }
}
