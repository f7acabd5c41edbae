//! `next_packet` beside steps: whole packets, the rest of a begun one, no byte twice and none lost.

use crate::wire::{Protocol, Wire};
use crate::{common, done, full, message, starved, stream};
use pktpool::{Error, PacketStream};

#[test]
fn a_packet_that_no_step_began_is_whole() {
    let wire = Wire::new(Protocol::Tds, &[(1, true, 3), (2, false, 2), (2, true, 4)]);
    let mut stream = full(&wire);
    // Read and given back.
    starved(&mut stream, |r| r.bytes::<3>().and(Err::<(), _>(pktpool::Stop::NeedMore)));
    for (frame, header) in wire.frames.iter().zip(common::cut(&wire.bytes)) {
        let packet = stream.next_packet().unwrap().unwrap();
        assert_eq!((packet.kind, packet.end_of_message), (frame.kind, frame.eom));
        assert_eq!(packet.payload(), &wire.payload[frame.payload.clone()]);
        assert_eq!(packet.header(), header.2);
    }
    assert!(stream.next_packet().unwrap().is_none());
    stream.end_of_input().unwrap();
}

#[test]
fn the_rest_of_a_begun_packet() {
    let wire = message(&[b"abcdef", b"gh"]);
    for cut in 1..6 {
        let mut stream = full(&wire);
        done(&mut stream, |r| r.skip(cut as u64));
        let packet = stream.next_packet().unwrap().unwrap();
        assert_eq!((packet.payload(), packet.end_of_message), (&b"abcdef"[cut..], false));
        let packet = stream.next_packet().unwrap().unwrap();
        assert_eq!((packet.payload(), packet.end_of_message), (&b"gh"[..], true));
        assert_eq!(packet.header().len(), 8);
    }
}

#[test]
fn the_rest_of_a_begun_packet_only_when_it_is_complete() {
    let wire = message(&[b"abcdef"]);
    let mut stream = stream(&wire);
    for (i, &byte) in wire.bytes.iter().enumerate() {
        assert!(stream.next_packet().unwrap().is_none(), "after {i} bytes");
        stream.feed(&[byte]).unwrap();
        if i == 9 {
            assert_eq!(done(&mut stream, |r| r.u8()), b'a');
        }
    }
    let packet = stream.next_packet().unwrap().unwrap();
    assert_eq!((packet.payload(), packet.end_of_message), (&b"bcdef"[..], true));
}

#[test]
fn no_byte_twice_and_none_lost() {
    let wire =
        Wire::new(Protocol::Tds, &[(1, false, 50), (1, false, 0), (1, true, 60), (2, true, 9)]);
    // Steps of each length, and a packet after each of them.
    for n in 1..50 {
        let mut stream = full(&wire);
        let mut got = Vec::new();
        for _ in 0..20 {
            let took = stream.read(|r| Ok(r.take(n)?.flatten().copied().collect::<Vec<_>>()));
            match took {
                Ok(pktpool::Progress::Done(bytes)) => got.extend(bytes),
                Ok(pktpool::Progress::NeedMore) => {}
                // The end of a message: that is another test's matter.
                Err(error) => {
                    assert_eq!(error, Error::EndOfMessage);
                    break;
                }
            }
            if let Some(packet) = stream.next_packet().unwrap() {
                got.extend_from_slice(packet.payload());
            }
        }
        assert!(wire.payload.starts_with(&got), "steps of {n}: {got:?}");
        assert!(got.len() >= 50);
    }
}

#[test]
fn after_bytes_were_let_go_of() {
    let wire = message(&[&[1; 500], &[2; 500]]);
    let mut stream = stream(&wire);
    common::read(&mut stream, &wire.bytes[..400]);
    starved(&mut stream, |r| r.read_vec(1000));
    common::read(&mut stream, &wire.bytes[400..]);
    match stream.next_packet() {
        Ok(Some(packet)) => assert_eq!(packet.payload(), [1; 500]),
        Ok(None) => panic!("the packet is complete"),
        Err(error) => {
            assert_eq!(error, Error::StepChanged);
            assert!(matches!(stream.next_packet(), Err(Error::Poisoned)));
            assert_eq!(stream.stats().bytes_retained, 0);
        }
    }
}

#[test]
fn packets_and_steps_by_turns() {
    // A driver that looks at a first packet, parses the second, skips to the next message.
    let wire = Wire::new(
        Protocol::Tds,
        &[(1, true, 10), (2, false, 20), (2, true, 5), (3, false, 7), (3, true, 8)],
    );
    for piece in [1, 11, 1000] {
        let mut stream = stream(&wire);
        let mut pieces = wire.bytes.chunks(piece);
        let mut more = |stream: &mut PacketStream<_>| stream.feed(pieces.next().unwrap()).unwrap();
        while stream.next_packet().unwrap().is_none() {
            more(&mut stream);
        }
        let value = loop {
            match stream.read(|r| r.read_vec(15)).unwrap() {
                pktpool::Progress::Done(value) => break value,
                pktpool::Progress::NeedMore => more(&mut stream),
            }
        };
        assert_eq!(&value[..], &wire.payload[10..25]);
        while let pktpool::Progress::NeedMore = stream.read(|r| r.next_message()).unwrap() {
            more(&mut stream);
        }
        let mut rest = Vec::new();
        while rest.len() < 2 {
            match stream.next_packet().unwrap() {
                Some(packet) => rest.push(packet.payload().to_vec()),
                None => more(&mut stream),
            }
        }
        assert_eq!(rest, [&wire.payload[35..42], &wire.payload[42..50]]);
        stream.end_of_input().unwrap();
    }
}

#[test]
fn a_step_reads_what_a_packet_left() {
    // Taking the last packet of a message whole is the end of that message: the next step is in the
    // next one.
    let wire = Wire::new(Protocol::Tds, &[(1, false, 3), (1, true, 2), (2, true, 4)]);
    let mut stream = full(&wire);
    assert_eq!(stream.next_packet().unwrap().unwrap().payload(), &wire.payload[..3]);
    assert_eq!(done(&mut stream, |r| Ok((r.position(), r.peek()?))), (3, wire.payload[3]));
    assert_eq!(stream.next_packet().unwrap().unwrap().payload(), &wire.payload[3..5]);
    assert_eq!(
        done(&mut stream, |r| Ok((r.kind()?, r.bytes()?))),
        (2, [wire.payload[5], wire.payload[6], wire.payload[7], wire.payload[8]])
    );
}
