//! Steps that catch the end of a message, go on, and then need more: what was caught once is caught
//! again, whatever was let go of in between.

use crate::wire::{Protocol, Wire};
use crate::{refused, starved, stream};
use pktpool::{Error, PacketStream, Progress, Reader, Stop};

type Read = fn(&mut Reader<'_>) -> Result<(), Stop>;

/// Reads that want more than the message has.
const TOO_MUCH: [(&str, Read); 5] = [
    ("bytes", |r| r.bytes::<60>().map(drop)),
    ("take", |r| r.take(60).map(drop)),
    ("read_into", |r| r.read_into(&mut [0; 60])),
    ("read_vec", |r| r.read_vec(60).map(drop)),
    ("skip", |r| r.skip(60)),
];

/// The message has 57 bytes, of which the first one was read.
fn wire() -> Wire {
    Wire::new(Protocol::Short, &[(1, false, 50), (1, true, 7), (2, true, 3)])
}

/// The refused read, then the next message and its bytes.
fn step(r: &mut Reader<'_>, read: Read) -> Result<[u8; 3], Stop> {
    r.u8()?;
    match read(r) {
        Err(Stop::Failed(Error::EndOfMessage)) => {}
        Err(stop) => return Err(stop),
        Ok(()) => panic!("60 of 56"),
    }
    assert_eq!(r.position(), 1);
    r.next_message()?;
    assert_eq!(r.position(), 57);
    r.bytes()
}

fn run(stream: &mut PacketStream<Protocol>, read: Read) -> Option<[u8; 3]> {
    match stream.read(|r| step(r, read)).unwrap() {
        Progress::Done(bytes) => Some(bytes),
        Progress::NeedMore => None,
    }
}

#[test]
fn the_end_is_caught_again_when_the_step_runs_again() {
    let wire = wire();
    for (name, read) in TOO_MUCH {
        for first in 0..wire.bytes.len() {
            let mut stream = stream(&wire);
            stream.feed(&wire.bytes[..first]).unwrap();
            assert_eq!(run(&mut stream, read), None, "{name}, {first} bytes");
            for &byte in &wire.bytes[first..wire.bytes.len() - 1] {
                stream.feed(&[byte]).unwrap();
                assert_eq!(run(&mut stream, read), None, "{name}, {first} bytes and more");
            }
            stream.feed(&wire.bytes[wire.bytes.len() - 1..]).unwrap();
            let bytes = run(&mut stream, read).expect(name);
            assert_eq!(bytes[..], wire.payload[57..], "{name}, {first} bytes and more");
        }
    }
}

/// The next message is asked for while its header is there and the last packet's payload is not.
#[test]
fn the_next_message_waits_for_the_end_of_this_one() {
    let wire = wire();
    // Header of two bytes, 50, header of two bytes, some of 7.
    for arrived in 54..61 {
        for (name, read) in TOO_MUCH {
            let mut stream = stream(&wire);
            stream.feed(&wire.bytes[..arrived]).unwrap();
            for _ in 0..3 {
                starved(&mut stream, |r| {
                    let _ = read(r);
                    assert_eq!(r.position(), 0);
                    assert!(crate::needs_more(&r.next_message()), "{name}, {arrived} bytes");
                    assert_eq!(r.position(), 0);
                    Err::<(), _>(Stop::NeedMore)
                });
            }
            stream.feed(&wire.bytes[arrived..]).unwrap();
            let result = stream.read(|r| {
                // The step hid that it needed more, so it is not the same now.
                let told = refused(read(r));
                assert!(matches!(told, Error::EndOfMessage | Error::StepChanged), "{name}, {told}");
                r.next_message()?;
                assert_eq!(r.position(), 57);
                r.bytes::<3>()
            });
            let bytes = result.unwrap().done().unwrap();
            assert_eq!(bytes[..], wire.payload[57..], "{name}, {arrived} bytes");
        }
    }
}

/// A shorter read after the refused one.
#[test]
fn what_the_message_has_is_read_after_the_refusal() {
    let wire = wire();
    for (name, read) in TOO_MUCH {
        for first in 0..wire.bytes.len() {
            let mut stream = stream(&wire);
            stream.feed(&wire.bytes[..first]).unwrap();
            let step = |r: &mut Reader<'_>| {
                r.u8()?;
                match read(r) {
                    Err(Stop::Failed(Error::EndOfMessage)) => {}
                    Err(stop) => return Err(stop),
                    Ok(()) => panic!("60 of 56"),
                }
                let rest = r.read_vec(56)?;
                r.next_message()?;
                Ok((rest, r.bytes::<3>()?))
            };
            starved(&mut stream, step);
            stream.feed(&wire.bytes[first..]).unwrap();
            match stream.read(step) {
                Ok(Progress::Done((rest, next))) => {
                    assert_eq!(&rest[..], &wire.payload[1..57], "{name}, {first}");
                    assert_eq!(next[..], wire.payload[57..], "{name}, {first}");
                }
                // What a resumable read let go of before the end was known is gone.
                Err(Error::StepChanged) => {
                    assert!(["read_vec", "skip"].contains(&name), "{name}, {first}");
                }
                other => panic!("{name}, {first}: {other:?}"),
            }
        }
    }
}
