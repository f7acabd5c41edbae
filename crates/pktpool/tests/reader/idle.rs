//! Header-only packets inside a message: any number of them changes nothing and costs its bytes once,
//! however often steps come to them.

use crate::limits::assert_linear;
use crate::{done, starved};
use pktpool::tds::{PacketHeader, Tds};
use pktpool::{Limits, PacketStream, Reader, Stop};
use std::time::{Duration, Instant};

type Step = fn(&mut Reader<'_>) -> Result<(), Stop>;

fn header(status: u8, payload: u16) -> [u8; 8] {
    let length = 8 + payload;
    PacketHeader { packet_type: 4, status, length, spid: 0, packet_id: 1, window: 0 }.to_bytes()
}

/// `n` of them, and a packet of one byte.
fn wire(n: usize) -> Vec<u8> {
    [header(0, 0).repeat(n), header(1, 1).to_vec(), vec![7]].concat()
}

fn time_of(n: usize, run: impl FnOnce(&mut PacketStream<Tds>, &[u8])) -> Duration {
    let (wire, mut stream) = (wire(n), PacketStream::new(Tds::default(), Limits::default()));
    let start = Instant::now();
    run(&mut stream, &wire);
    start.elapsed()
}

/// Steps that wait behind them, whatever it is that shows them that they have to.
#[test]
fn the_time_of_a_step_that_waits_behind_them() {
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
        assert_linear(name, 1000, |n| {
            time_of(n, |stream, wire| {
                let (last, rest) = wire.split_last().unwrap();
                for bytes in rest[..rest.len() - 8].chunks(16) {
                    stream.feed(bytes).unwrap();
                    starved(stream, step);
                }
                stream.feed(&rest[rest.len() - 8..]).unwrap();
                stream.feed(&[*last]).unwrap();
                done(stream, step);
            })
        });
    }
}

/// Steps that only look, and are done: nothing is consumed, and the next one is past them as quickly.
#[test]
fn the_time_of_steps_that_look_past_them() {
    assert_linear("looks", 500, |n| {
        time_of(n, |stream, wire| {
            stream.feed(wire).unwrap();
            for _ in 0..n {
                done(stream, |r| r.kind());
                assert_eq!(done(stream, |r| r.peek()), 7);
                assert_eq!(done(stream, |r| Ok(r.remaining_in_packet())), 1);
            }
            assert_eq!(done(stream, |r| r.u8()), 7);
        })
    });
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
