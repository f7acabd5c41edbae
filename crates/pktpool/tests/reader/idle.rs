//! Header-only packets inside a message: any number of them changes nothing and costs its bytes once,
//! however often steps come to them.

use crate::{done, starved};
use pktpool::tds::{PacketHeader, Tds};
use pktpool::{FrameError, FrameHead, Framing, Limits, PacketStream, Reader, Stop};
use std::cell::Cell;

type Step = fn(&mut Reader<'_>) -> Result<(), Stop>;

fn header(status: u8, payload: u16) -> [u8; 8] {
    let length = 8 + payload;
    PacketHeader { packet_type: 4, status, length, spid: 0, packet_id: 1, window: 0 }.to_bytes()
}

/// `n` of them, and a packet of one byte.
fn wire(n: usize) -> Vec<u8> {
    [header(0, 0).repeat(n), header(1, 1).to_vec(), vec![7]].concat()
}

/// Counts how often a header is looked at, which is what time is spent on.
#[derive(Default)]
struct Counting(Cell<usize>);

impl Framing for &Counting {
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        self.0.set(self.0.get() + 1);
        Tds::default().decode(head)
    }
}

/// Headers looked at when there are `n` of them.
fn looks(n: usize, run: impl FnOnce(&mut PacketStream<&Counting>, &[u8])) -> usize {
    let counting = Counting::default();
    run(&mut PacketStream::new(&counting, Limits::default()), &wire(n));
    counting.0.get()
}

/// Steps that wait behind them, whatever it is that shows them that they have to.
#[test]
fn a_step_that_waits_behind_them() {
    let waits: [(&str, Step); 6] = [
        ("u8", |r| r.u8().map(drop)),
        ("kind", |r| r.kind().map(drop)),
        ("next_message", |r| r.next_message()),
        ("read_vec", |r| r.read_vec(1).map(drop)),
        ("at_message_end", |r| if r.at_message_end() { Ok(()) } else { r.peek().map(drop) }),
        ("remaining_in_packet", |r| match r.remaining_in_packet() {
            0 => Err(Stop::NeedMore),
            _ => Ok(()),
        }),
    ];
    for (name, step) in waits {
        let looks = looks(1000, |stream, wire| {
            let (last, rest) = wire.split_last().unwrap();
            for bytes in rest[..rest.len() - 8].chunks(16) {
                stream.feed(bytes).unwrap();
                starved(stream, step);
            }
            stream.feed(&rest[rest.len() - 8..]).unwrap();
            stream.feed(&[*last]).unwrap();
            done(stream, step);
        });
        // Each once, and where a run begins and ends a few times.
        assert!(looks <= 5 * 1000, "{name}: {looks}");
    }
}

/// Steps that only look, and are done: nothing is consumed, and the next one is past them as quickly.
#[test]
fn steps_that_look_past_them() {
    let looks = looks(1000, |stream, wire| {
        stream.feed(wire).unwrap();
        for _ in 0..1000 {
            done(stream, |r| r.kind());
            assert_eq!(done(stream, |r| r.peek()), 7);
            assert_eq!(done(stream, |r| Ok(r.remaining_in_packet())), 1);
        }
        assert_eq!(done(stream, |r| r.u8()), 7);
    });
    // Once over them, and then three steps a round, each of which looks at the first twice (as what
    // usually comes next) and once behind them.
    assert!(looks <= 1000 + 3 * 3 * 1000 + 10, "{looks}");
}

/// Packets that a step looked past are still there, each with its header, and steps go on between.
#[test]
fn they_are_packets_after_a_step_looked_past_them() {
    for taken in 0..=5 {
        let mut stream = PacketStream::new(Tds::default(), Limits::default());
        stream.feed(&wire(5)).unwrap();
        stream.feed(&wire(1)).unwrap();
        for _ in 0..taken {
            assert_eq!(done(&mut stream, |r| r.peek()), 7);
            let packet = stream.next_packet().unwrap().unwrap();
            assert_eq!((packet.header(), packet.payload()), (&header(0, 0)[..], &[][..]));
        }
        assert_eq!(done(&mut stream, |r| Ok((r.remaining_in_packet(), r.position()))), (1, 0));
        let read = done(&mut stream, |r| {
            let first = r.u8()?;
            assert!(r.at_message_end());
            r.next_message()?;
            Ok((first, r.peek()?))
        });
        assert_eq!(read, (7, 7));
        for payload in [&[][..], &[7]] {
            assert_eq!(stream.next_packet().unwrap().unwrap().payload(), payload, "{taken}");
        }
        assert!(stream.next_packet().unwrap().is_none());
        stream.end_of_input().unwrap();
    }
}
