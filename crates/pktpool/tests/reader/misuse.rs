//! Callers who do everything wrong: it stays defined, and no byte is ever another one.

use crate::wire::{Protocol, Wire, byte};
use crate::{common, done, full, message, starved, stream};
use pktpool::{
    Error, FrameError, FrameHead, Framing, Limits, PacketStream, Progress, Reader, Stop,
};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, set_hook, take_hook};
use std::sync::Once;

/// Where a step gives up by a panic.
struct GiveUp;

fn content(n: usize) -> Vec<u8> {
    (0..n).map(byte).collect()
}

/// A step that panics after so many of its reads, and gives all it read otherwise.
fn step(r: &mut Reader<'_>, reads: usize) -> Result<Vec<u8>, Stop> {
    let mut out = Vec::new();
    let mut left = reads;
    let mut may_go_on = || match left {
        0 => panic_any(GiveUp),
        _ => left -= 1,
    };
    may_go_on();
    out.extend(r.u32_le()?.to_le_bytes());
    may_go_on();
    out.extend_from_slice(&r.read_vec(700)?);
    may_go_on();
    r.take(100)?.for_each(|chunk| out.extend_from_slice(chunk));
    may_go_on();
    r.skip(50)?;
    may_go_on();
    out.extend_from_slice(&r.read_vec(800)?);
    may_go_on();
    out.push(r.u8()?);
    may_go_on();
    Ok(out)
}

/// Runs what panics with [`GiveUp`], which is not worth a message.
fn giving_up<T>(f: impl FnOnce() -> T) -> Option<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let hook = take_hook();
        set_hook(Box::new(move |info| {
            if !info.payload().is::<GiveUp>() {
                hook(info);
            }
        }));
    });
    catch_unwind(AssertUnwindSafe(f)).ok()
}

#[test]
fn a_panic_inside_a_step() {
    let bytes = content(2000);
    let wire = Wire::tds(&bytes, 300);
    let expected = [&bytes[..804], &bytes[854..1655]].concat();
    for reads in 0..8 {
        for cut in (0..=wire.bytes.len()).step_by(29) {
            for again in [false, true] {
                let mut stream = stream(&wire);
                common::read(&mut stream, &wire.bytes[..cut]);
                if again {
                    let _ = stream.read(|r| step(r, usize::MAX)).map(|progress| {
                        assert!(matches!(progress, Progress::NeedMore) || cut > 1655);
                    });
                }
                let before = stream.stats();
                let given_up = giving_up(|| stream.read(|r| step(r, reads)));
                let after = stream.stats();
                assert!(after.bytes_retained <= before.bytes_retained, "{before:?} {after:?}");
                if given_up.is_some() || again && cut > 1655 {
                    continue;
                }
                // Not a word of the panic was heard by the stream: the step runs again, or it is over.
                match common_rest(&mut stream, &wire.bytes[cut..]) {
                    Ok(value) => assert!(value == expected, "{reads} reads, cut at {cut}"),
                    Err(error) => assert!(
                        matches!(error, Error::Poisoned | Error::StepChanged),
                        "{reads} reads, cut at {cut}: {error:?}"
                    ),
                }
            }
        }
    }
}

/// After a panic packets are taken, and the step runs on what is left.
#[test]
fn packets_after_a_panic_inside_a_step() {
    let bytes = content(2000);
    let wire = Wire::tds(&bytes, 300);
    for packets in 1..4 {
        for (start, length) in [(0, 100), (10, 900), (292, 584), (300, 50), (600, 500)] {
            for more_before in [false, true] {
                let mut stream = stream(&wire);
                let cut = if more_before { 1200 } else { wire.bytes.len() };
                common::read(&mut stream, &wire.bytes[..cut]);
                let given_up = giving_up(|| {
                    stream.read(|r| -> Result<(), Stop> {
                        r.take(start)?;
                        r.read_vec(length)?;
                        panic_any(GiveUp)
                    })
                });
                assert!(given_up.is_none());
                common::read(&mut stream, &wire.bytes[cut..]);
                let mut at = 0;
                for _ in 0..packets {
                    match stream.next_packet() {
                        Ok(Some(packet)) => {
                            assert!(bytes[at..].starts_with(packet.payload()), "at {at}");
                            at += packet.payload().len();
                        }
                        Ok(None) => panic!("all of it is there"),
                        Err(error) => {
                            assert!(matches!(error, Error::StepChanged | Error::Poisoned));
                            return;
                        }
                    }
                }
                let context = format!("{packets} packets, value of {length} at {start}");
                let rest = stream.read(|r| {
                    let before = r.take(start.saturating_sub(at))?.flatten().count();
                    let value = r.read_vec(length)?;
                    Ok((before, value, r.position() as usize, r.u8()?))
                });
                match rest {
                    Ok(Progress::Done((before, value, position, next))) => {
                        let from = at + before;
                        assert!(*value == bytes[from..from + length], "{context}");
                        assert_eq!((position, next), (from + length, bytes[position]), "{context}");
                    }
                    result => assert!(
                        matches!(result, Err(Error::StepChanged | Error::Poisoned)),
                        "{context}: {result:?}"
                    ),
                }
                assert!(
                    matches!(stream.end_of_input(), Ok(()) | Err(Error::Poisoned)),
                    "{context}"
                );
            }
        }
    }
}

/// A framing that panics at one of its calls.
struct Fragile {
    calls: Cell<usize>,
}

impl Framing for Fragile {
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        match self.calls.get() {
            0 => {}
            1 => {
                self.calls.set(0);
                panic_any(GiveUp)
            }
            calls => self.calls.set(calls - 1),
        }
        Protocol::Tds.decode(head)
    }
}

#[test]
fn a_framing_that_panics() {
    let bytes = content(2000);
    let wire = Wire::tds(&bytes, 300);
    let expected = [&bytes[..804], &bytes[854..1655]].concat();
    let mut panics = 0;
    for calls in 1..30 {
        for piece in [100, 299, 300, 700, 5000] {
            let framing = Fragile { calls: Cell::new(calls) };
            let mut stream = PacketStream::new(framing, Limits::default());
            let mut pieces = wire.bytes.chunks(piece);
            let outcome = loop {
                match giving_up(|| stream.read(|r| step(r, usize::MAX))) {
                    // Straight on, as if nothing were.
                    None => panics += 1,
                    Some(Ok(Progress::NeedMore)) => match pieces.next() {
                        Some(piece) => stream.feed(piece).unwrap(),
                        None => panic!("{calls} calls, reads of {piece}: needs more than all"),
                    },
                    Some(Ok(Progress::Done(value))) => break Ok(value),
                    Some(Err(error)) => break Err(error),
                }
            };
            match outcome {
                Ok(value) => assert!(value == expected, "{calls} calls, reads of {piece}"),
                Err(error) => assert!(
                    matches!(error, Error::StepChanged | Error::Poisoned),
                    "{calls} calls, reads of {piece}: {error:?}"
                ),
            }
        }
    }
    assert!(panics > 40, "{panics}");
}

/// A framing that says at some of its calls that the header is not there, though it is.
struct Silent<'a>(&'a Cell<u32>);

impl Framing for Silent<'_> {
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        let calls = self.0.get();
        self.0.set(calls >> 1);
        if calls & 1 == 1 { Ok(None) } else { Protocol::Tds.decode(head) }
    }
}

#[test]
fn a_framing_that_has_no_answer_now_and_then() {
    let packet = |payload: [u8; 2]| [&[4, 0, 0, 10, 0, 0, 1, 0][..], &payload[..]].concat();
    let mut looked = 0;
    for silent in 0..64 {
        let calls = Cell::new(silent);
        let mut stream = PacketStream::new(Silent(&calls), Limits::default());
        stream.feed(&packet(*b"ab")[..9]).unwrap();
        let progress = stream.read(|r| {
            let first = r.peek();
            looked += usize::from(first == Ok(b'a'));
            first.and(r.u16_le())
        });
        assert_eq!(progress, Ok(Progress::NeedMore), "{silent:b}");
        // From here on it has them all.
        calls.set(0);
        stream.feed(b"b").unwrap();
        stream.feed(&packet(*b"cd")).unwrap();
        let mut taken = Vec::new();
        while let Some(packet) = stream.next_packet().unwrap() {
            taken.push([packet.header(), packet.payload()].concat());
        }
        assert_eq!(taken, [packet(*b"ab"), packet(*b"cd")], "{silent:b}");
        assert_eq!(stream.read(|r| Ok(r.remaining_in_packet())), Ok(Progress::Done(0)));
        stream.feed(&packet(*b"ef")).unwrap();
        assert_eq!(stream.read(|r| r.bytes::<2>()), Ok(Progress::Done(*b"ef")), "{silent:b}");
    }
    assert!(looked > 40, "{looked}");
}

fn common_rest(stream: &mut PacketStream<Protocol>, rest: &[u8]) -> Result<Vec<u8>, Error> {
    stream.feed(rest)?;
    match stream.read(|r| step(r, usize::MAX))? {
        Progress::Done(value) => Ok(value),
        Progress::NeedMore => panic!("all of it is there"),
    }
}

#[test]
fn a_step_that_goes_on_where_it_needs_more() {
    let bytes = content(1000);
    let wire = Wire::tds(&bytes, 200);
    for cut in (0..wire.bytes.len()).step_by(7) {
        let mut stream = stream(&wire);
        common::read(&mut stream, &wire.bytes[..cut]);
        let progress = stream.read(|r| {
            let mut got = Vec::new();
            // Each of them is tried, whatever became of those before.
            type Attempt = fn(&mut Reader<'_>) -> Result<Vec<u8>, Stop>;
            let tries: [Attempt; 6] = [
                |r| Ok(r.bytes::<10>()?.to_vec()),
                |r| Ok(r.read_vec(900)?.into_vec()),
                |r| Ok(r.u8()?.to_le_bytes().to_vec()),
                |r| Ok(r.take(300)?.flatten().copied().collect()),
                |r| Ok(r.read_vec(20)?.into_vec()),
                |r| Ok(vec![r.u8()?]),
            ];
            for attempt in tries {
                let at = r.position() as usize;
                match attempt(r) {
                    Ok(read) => {
                        assert!(bytes[at..].starts_with(&read), "at {at}");
                        got.extend(read);
                    }
                    Err(Stop::NeedMore | Stop::Failed(Error::StepChanged)) => {
                        assert_eq!(r.position() as usize, at);
                    }
                    Err(Stop::Failed(Error::EndOfMessage)) => {}
                    Err(stop) => panic!("{stop:?}"),
                }
            }
            Ok(got)
        });
        let Ok(Progress::Done(got)) = progress else { panic!("{progress:?}") };
        assert!(bytes.starts_with(&got));
        common::read(&mut stream, &wire.bytes[cut..]);
        let mut at = got.len();
        while at < 1000 {
            match stream.read(|r| Ok((r.position() as usize, r.u8()?))) {
                Ok(Progress::Done(seen)) => assert_eq!(seen, (at, bytes[at])),
                result => {
                    assert_eq!(result.unwrap_err(), Error::StepChanged, "cut at {cut}");
                    break;
                }
            }
            at += 1;
        }
    }
}

#[test]
fn a_step_that_is_done_although_a_skip_needed_more() {
    let bytes = content(1000);
    let wire = Wire::tds(&bytes, 200);
    let mut stream = stream(&wire);
    common::read(&mut stream, &wire.bytes[..500]);
    done(&mut stream, |r| {
        assert!(crate::needs_more(&r.skip(900)));
        assert!(crate::needs_more(&r.next_message()));
        assert_eq!(r.position(), 0, "a refused read does not move the reader");
        Ok(())
    });
    common::read(&mut stream, &wire.bytes[500..]);
    match stream.read(|r| Ok((r.position(), r.u8()?))) {
        Ok(Progress::Done(seen)) => assert_eq!(seen, (0, bytes[0])),
        result => assert_eq!(result.unwrap_err(), Error::StepChanged),
    }
}

/// The hole that an earlier run left is not forgotten by a step that goes over it and is done before.
#[test]
fn a_next_message_that_is_hidden_over_released_bytes() {
    let bytes = content(1000);
    let wire = Wire::tds(&bytes, 600);
    for (start, length) in [(0, 500), (1, 500), (1, 1), (8, 700), (592, 100)] {
        for cut in [20, 300, 900] {
            let mut stream = stream(&wire);
            common::read(&mut stream, &wire.bytes[..cut]);
            starved(&mut stream, |r| {
                r.take(start)?;
                r.skip(length)?;
                Err::<(), _>(Stop::NeedMore)
            });
            done(&mut stream, |r| {
                assert!(crate::needs_more(&r.next_message()));
                Ok(())
            });
            common::read(&mut stream, &wire.bytes[cut..]);
            let mut at = 0;
            loop {
                match stream.read(|r| Ok((r.position() as usize, r.u8()?))) {
                    Ok(Progress::Done(seen)) => {
                        assert_eq!(seen, (at, bytes[at]), "{length} at {start}, cut at {cut}");
                        at += 1;
                    }
                    Err(Error::EndOfMessage) => break assert_eq!(at, 1000),
                    result => break assert_eq!(result.unwrap_err(), Error::StepChanged),
                }
            }
        }
    }
}

#[test]
fn a_step_that_hides_an_error_of_the_framing() {
    let wire = Wire::new(Protocol::Tds, &[(4, false, 5)]).then_bad();
    let error = Error::BadLength { length: 5 };
    let mut stream = full(&wire);
    done(&mut stream, |r| {
        for _ in 0..3 {
            assert_eq!(crate::refused(r.bytes::<6>()), error);
            assert_eq!(crate::refused(r.read_vec(6)), error);
            assert_eq!(crate::refused(r.next_message()), error);
        }
        Ok(())
    });
    // It is told again, or the stream is over; it does not get past.
    for _ in 0..2 {
        let told = stream.read(|r| r.bytes::<6>()).unwrap_err();
        assert!(told == error || told == Error::Poisoned, "{told:?}");
    }
    assert!(matches!(stream.next_packet(), Err(Error::Poisoned)));
}

#[test]
fn a_step_that_invents_an_error() {
    for error in [Error::Poisoned, Error::StepChanged, Error::UnexpectedEof { partial: 9 }] {
        let mut stream = full(&message(&[b"abc"]));
        assert_eq!(stream.read(|_| Err::<(), _>(Stop::Failed(error))), Err(error));
        assert!(matches!(stream.read(|r| r.u8()), Err(Error::Poisoned)));
    }
}

#[test]
fn a_step_that_never_has_enough_does_not_grow() {
    let mut stream = full(&message(&[b"abc"]));
    starved(&mut stream, |_| Err::<(), _>(Stop::NeedMore));
    let before = stream.stats();
    for _ in 0..10_000 {
        starved(&mut stream, |r| {
            r.u8()?;
            r.read_vec(1)?;
            Err::<(), _>(Stop::NeedMore)
        });
    }
    let after = stream.stats();
    assert_eq!(after.bytes_allocated, before.bytes_allocated);
    assert_eq!(
        done(&mut stream, |r| Ok((r.u8()?, r.read_vec(1)?[0], r.u8()?))),
        (b'a', b'b', b'c')
    );
}

#[test]
fn steps_inside_steps_of_another_stream() {
    let (mut outer, mut inner) = (full(&message(&[b"abcd"])), full(&message(&[b"12", b"34"])));
    let read = done(&mut outer, |a| {
        let first = a.bytes::<2>()?;
        let between = done(&mut inner, |b| b.bytes::<3>());
        starved(&mut inner, |b| b.u8().and(Err::<(), _>(Stop::NeedMore)));
        Ok((first, between, a.bytes::<2>()?))
    });
    assert_eq!(read, (*b"ab", *b"123", *b"cd"));
    assert_eq!(done(&mut inner, |b| b.u8()), b'4');
}

#[test]
fn input_behind_its_end() {
    let wire = message(&[b"abc", b"def"]);
    let mut stream = stream(&wire);
    stream.feed(&wire.bytes[..wire.bytes.len() - 1]).unwrap();
    starved(&mut stream, |r| r.bytes::<6>());
    assert!(matches!(stream.end_of_input(), Err(Error::UnexpectedEof { partial: 10 })));
    assert_eq!(stream.feed(b"f"), Err(Error::Poisoned));
    // More will never come, and it does not say that it might.
    let result = stream.read(|r| r.bytes::<6>());
    assert!(matches!(result, Err(Error::Poisoned)), "{result:?}");
}

#[test]
fn the_end_of_input_and_steps_behind_it() {
    let wire = Wire::new(Protocol::Tds, &[(1, true, 3), (2, false, 4), (2, false, 5)]);
    let mut stream = full(&wire);
    assert_eq!(stream.end_of_input(), Err(Error::UnexpectedEof { partial: 0 }));
    // Complete packets may still be had, by a step as by `next_packet`.
    assert_eq!(done(&mut stream, |r| r.bytes::<3>())[..], wire.payload[..3]);
    done(&mut stream, |r| r.next_message());
    assert_eq!(stream.next_packet().unwrap().unwrap().payload(), &wire.payload[3..7]);
    assert_eq!(done(&mut stream, |r| r.bytes::<5>())[..], wire.payload[7..]);
    assert!(matches!(stream.read(|r| r.u8()), Err(Error::Poisoned)));
}

#[test]
fn a_step_that_the_end_of_input_refuses_takes_nothing() {
    type Step = fn(&mut Reader<'_>) -> Result<(), Stop>;
    let wire = Wire::new(Protocol::Tds, &[(1, false, 3), (2, false, 4), (3, false, 5)]);
    let steps: [Step; 4] = [
        |r| r.read_vec(20).map(drop),
        |r| r.skip(20),
        |r| r.next_message(),
        |r| r.read_vec(5).and_then(|_| r.bytes::<20>()).map(drop),
    ];
    for step in steps {
        let mut stream = stream(&wire);
        let cut = wire.bytes.len() - 1;
        stream.feed(&wire.bytes[..cut]).unwrap();
        assert!(matches!(stream.end_of_input(), Err(Error::UnexpectedEof { partial: 12 })));
        for _ in 0..2 {
            assert!(matches!(stream.read(step), Err(Error::Poisoned)));
            assert_eq!(stream.stats().bytes_retained, cut);
        }
        // Neither from another step nor from who takes packets.
        assert_eq!(done(&mut stream, |r| r.bytes::<3>())[..], wire.payload[..3]);
        assert_eq!(stream.next_packet().unwrap().unwrap().payload(), &wire.payload[3..7]);
        assert_eq!(stream.next_packet(), Err(Error::Poisoned));
    }

    // What was released before stays so.
    let mut stream = stream(&wire);
    stream.feed(&wire.bytes[..21]).unwrap();
    starved(&mut stream, |r| r.bytes::<3>().and_then(|_| r.read_vec(20)));
    stream.feed(&wire.bytes[21..27]).unwrap();
    assert!(matches!(stream.end_of_input(), Err(Error::UnexpectedEof { .. })));
    assert!(matches!(
        stream.read(|r| r.bytes::<3>().and_then(|_| r.read_vec(20))),
        Err(Error::Poisoned)
    ));
    assert_eq!(stream.next_packet().unwrap().unwrap().payload(), &wire.payload[..3]);
    assert_eq!(stream.next_packet(), Err(Error::StepChanged));
}

#[test]
fn a_commit_of_what_was_never_there() {
    let wire = message(&[b"abcdef"]);
    let mut stream = stream(&wire);
    stream.feed(&wire.bytes[..10]).unwrap();
    starved(&mut stream, |r| r.read_vec(6));
    let n = stream.spare_mut().len() + 1;
    assert_eq!(stream.commit(n), Err(Error::BadLength { length: n as u64 }));
    assert!(matches!(stream.read(|r| r.read_vec(6)), Err(Error::Poisoned)));
}

#[test]
fn steps_between_spare_and_commit() {
    // Reading must not move where the socket's bytes go.
    let bytes = content(300_000);
    let wire = Wire::tds(&bytes, 1000);
    let mut stream = stream(&wire);
    let mut rest = &wire.bytes[..];
    let mut got = Vec::new();
    while rest.len() > 1500 {
        let spare = stream.spare_mut();
        let n = spare.len().min(rest.len()).min(1500);
        spare[..n].copy_from_slice(&rest[..n]);
        loop {
            match stream.read(|r| {
                let first = r.u8()?;
                Ok((first, r.read_vec(332)?))
            }) {
                Ok(Progress::NeedMore) => break,
                Ok(Progress::Done((first, value))) => {
                    got.push(first);
                    got.extend_from_slice(&value);
                }
                Err(error) => panic!("{error:?}"),
            }
        }
        stream.commit(n).unwrap();
        rest = &rest[n..];
    }
    assert!(bytes.starts_with(&got) && got.len() > 290_000);
}
