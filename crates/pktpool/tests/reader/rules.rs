//! What the reader promises, a rule a test.

use crate::wire::{Protocol, Wire};
use crate::{done, failed, full, message, needs_more, refused, starved, stream};
use pktpool::{Error, NeedMoreOr, ParseError, Progress, Stop};

#[test]
fn done_commits_what_was_read_and_no_more() {
    let mut stream = full(&message(&[b"abcdef"]));
    assert_eq!(done(&mut stream, |r| r.bytes()), *b"ab");
    assert_eq!(done(&mut stream, |r| r.peek()), b'c');
    assert_eq!(done(&mut stream, |r| Ok((r.position(), r.bytes()?))), (2, *b"cdef"));
}

#[test]
fn need_more_rewinds_to_where_the_step_began() {
    let mut stream = full(&message(&[b"abcdef"]));
    done(&mut stream, |r| r.u8());
    // A step may find by itself that it needs more.
    starved(&mut stream, |r| {
        assert_eq!((r.position(), r.bytes()?), (1, *b"bcd"));
        Err::<(), _>(Stop::NeedMore)
    });
    assert_eq!(done(&mut stream, |r| Ok((r.position(), r.bytes()?))), (1, *b"bcdef"));
}

#[test]
fn a_step_that_reads_nothing_is_done_at_any_place() {
    let wire = message(&[b"ab", b"c"]);
    let mut stream = stream(&wire);
    assert_eq!(done(&mut stream, |_| Ok(1)), 1);
    for &byte in &wire.bytes {
        stream.feed(&[byte]).unwrap();
        assert_eq!(done(&mut stream, |r| Ok(r.position())), 0);
    }
    assert_eq!(done(&mut stream, |r| r.bytes()), *b"abc");
    assert_eq!(done(&mut stream, |r| Ok((r.position(), r.at_message_end()))), (3, true));
}

#[test]
fn it_shows_the_arrived_part_of_a_packet_that_is_not_complete() {
    let wire = message(&[b"abcdef"]);
    let mut stream = stream(&wire);
    stream.feed(&wire.bytes[..8 + 3]).unwrap();
    assert_eq!(done(&mut stream, |r| r.bytes()), *b"abc");
    starved(&mut stream, |r| r.u8());
    assert!(stream.next_packet().unwrap().is_none());
    stream.feed(&wire.bytes[8 + 3..]).unwrap();
    assert_eq!(done(&mut stream, |r| r.bytes()), *b"def");
}

#[test]
fn a_refused_read_does_not_move_the_reader() {
    let packets = [(4, false, 2), (4, false, 2)];
    let wire = Wire::with_payload(Protocol::Tds, &packets, b"abcd".to_vec());
    let mut stream = stream(&wire);
    stream.feed(&wire.bytes[..10 + 8 + 1]).unwrap();
    done(&mut stream, |r| {
        assert!(needs_more(&r.u32_le()));
        assert!(needs_more(&r.u64_be()));
        assert!(needs_more(&r.bytes::<4>()));
        assert!(needs_more(&r.take(4)));
        let mut out = [7; 4];
        assert!(needs_more(&r.read_into(&mut out)));
        assert!(needs_more(&r.take(usize::MAX)));
        assert_eq!(r.position(), 0);
        assert_eq!(r.bytes()?, *b"abc");
        assert!(needs_more(&r.peek()) && needs_more(&r.u8()));
        assert_eq!(r.position(), 3);
        Ok(())
    });
}

#[test]
fn the_end_of_a_message_may_be_caught_inside_a_step() {
    let mut stream = full(&message(&[b"ab", b"cd"]));
    let read = done(&mut stream, |r| {
        assert_eq!(refused(r.bytes::<5>()), Error::EndOfMessage);
        assert_eq!(refused(r.take(5)), Error::EndOfMessage);
        assert_eq!(refused(r.read_into(&mut [0; 5])), Error::EndOfMessage);
        assert_eq!(refused(r.read_vec(5)), Error::EndOfMessage);
        assert_eq!(refused(r.read_vec(usize::MAX)), Error::EndOfMessage);
        assert_eq!(refused(r.skip(5)), Error::EndOfMessage);
        assert_eq!(refused(r.skip(u64::MAX)), Error::EndOfMessage);
        assert_eq!(r.position(), 0);
        let value = r.read_vec(4)?;
        assert_eq!(refused(r.u8()), Error::EndOfMessage);
        assert_eq!(refused(r.peek()), Error::EndOfMessage);
        assert!(r.at_message_end());
        Ok(value)
    });
    assert_eq!(&read[..], b"abcd");
    stream.end_of_input().unwrap();
}

#[test]
fn the_end_of_a_message_that_is_not_caught_poisons() {
    let mut stream = full(&message(&[b"ab"]));
    assert_eq!(failed(&mut stream, |r| r.u64_le()), Error::EndOfMessage);
    assert_eq!(failed(&mut stream, |r| r.u8()), Error::Poisoned);
    assert_eq!(stream.feed(b"more"), Err(Error::Poisoned));
    assert_eq!(stream.commit(0), Err(Error::Poisoned));
    assert!(matches!(stream.next_packet(), Err(Error::Poisoned)));
    assert_eq!(stream.end_of_input(), Err(Error::Poisoned));
    assert!(!stream.spare_mut().is_empty());
    assert_eq!(stream.stats().bytes_retained, 0);
}

#[test]
fn an_error_of_the_step_comes_back_and_poisons() {
    let mut stream = full(&message(&[b"ab"]));
    let result = stream.parse(|r| {
        r.u8()?;
        Err::<(), _>(NeedMoreOr::Other("no such token"))
    });
    assert!(matches!(result, Err(ParseError::Other("no such token"))));
    let again = stream.parse(|_| -> Result<(), NeedMoreOr<()>> { panic!("must not run") });
    assert!(matches!(again, Err(ParseError::Stream(Error::Poisoned))));
    assert!(matches!(stream.read(|_| -> Result<(), Stop> { panic!() }), Err(Error::Poisoned)));
}

#[test]
fn need_more_of_a_step_with_an_error_of_its_own() {
    let mut stream = full(&message(&[b"ab"]));
    let result = stream.parse(|r| {
        r.u8()?;
        Err::<(), NeedMoreOr<()>>(NeedMoreOr::NeedMore)
    });
    assert!(matches!(result, Ok(Progress::NeedMore)));
    let result = stream.parse(|r| Ok::<_, NeedMoreOr<()>>(r.bytes()?));
    assert!(matches!(result, Ok(Progress::Done([b'a', b'b']))));
    let result = stream.parse(|_| Err::<(), NeedMoreOr<()>>(NeedMoreOr::Failed(Error::BadHeader)));
    assert!(matches!(result, Err(ParseError::Stream(Error::BadHeader))));
}

#[test]
fn reads_never_cross_a_message_by_themselves() {
    let wire = Wire::with_payload(
        Protocol::Tds,
        &[(1, true, 2), (2, true, 0), (3, true, 2)],
        b"abcd".to_vec(),
    );
    let mut stream = full(&wire);
    done(&mut stream, |r| {
        assert_eq!((r.kind()?, r.bytes()?), (1, *b"ab"));
        assert_eq!(refused(r.u8()), Error::EndOfMessage);
        r.next_message()?;
        assert!(r.at_message_end(), "a message without payload");
        assert_eq!(refused(r.u8()), Error::EndOfMessage);
        r.next_message()?;
        assert_eq!((r.kind()?, r.position(), r.bytes()?), (3, 2, *b"cd"));
        Ok(())
    });
    // A step that ended at the end of a message left it there.
    assert!(done(&mut stream, |r| Ok(r.at_message_end())));
    done(&mut stream, |r| r.next_message());
    assert!(!done(&mut stream, |r| Ok(r.at_message_end())));
    starved(&mut stream, |r| r.u8());
    starved(&mut stream, |r| r.next_message());
}

#[test]
fn next_message_drops_the_rest() {
    let packets = [(1, false, 100), (1, false, 70_000 - 8), (1, true, 3), (2, true, 1)];
    let packets = packets.map(|(kind, eom, n)| (kind, eom, n.min(65_000)));
    let wire = Wire::new(Protocol::Tds, &packets);
    let mut stream = full(&wire);
    done(&mut stream, |r| r.bytes::<10>());
    let kind = done(&mut stream, |r| {
        r.next_message()?;
        r.kind()
    });
    assert_eq!(kind, 2);
    let last = done(&mut stream, |r| Ok((r.position(), r.u8()?)));
    assert_eq!(last, (wire.payload.len() as u64 - 1, wire.payload[wire.payload.len() - 1]));
    stream.end_of_input().unwrap();
}

#[test]
fn position_counts_payload_since_the_start_of_the_stream() {
    let wire = Wire::new(Protocol::Tds, &[(1, false, 3), (1, true, 4), (2, true, 5), (3, true, 6)]);
    let mut stream = full(&wire);
    done(&mut stream, |r| r.bytes::<5>());
    done(&mut stream, |r| r.next_message());
    assert_eq!(done(&mut stream, |r| Ok(r.position())), 7);
    assert_eq!(stream.next_packet().unwrap().unwrap().payload().len(), 5);
    // Packets taken whole count too, or places would repeat.
    assert_eq!(done(&mut stream, |r| Ok((r.position(), r.u8()?))), (12, wire.payload[12]));
}

#[test]
fn remaining_in_packet_counts_what_the_header_declares() {
    let wire = message(&[b"abcdef", b"gh"]);
    let mut stream = stream(&wire);
    let remaining =
        |stream: &mut pktpool::PacketStream<_>| done(stream, |r| Ok(r.remaining_in_packet()));
    for &byte in &wire.bytes[..7] {
        assert_eq!(remaining(&mut stream), 0);
        stream.feed(&[byte]).unwrap();
    }
    assert_eq!(remaining(&mut stream), 0);
    stream.feed(&wire.bytes[7..8]).unwrap();
    assert_eq!(remaining(&mut stream), 6);
    stream.feed(&wire.bytes[8..11]).unwrap();
    done(&mut stream, |r| r.bytes::<2>());
    assert_eq!(remaining(&mut stream), 4);
    stream.feed(&wire.bytes[11..]).unwrap();
    done(&mut stream, |r| r.bytes::<5>());
    assert_eq!(remaining(&mut stream), 1);
}

#[test]
fn the_end_of_a_message_is_false_while_unknown() {
    let wire = message(&[b"ab", b""]);
    let mut stream = stream(&wire);
    stream.feed(&wire.bytes[..10]).unwrap();
    done(&mut stream, |r| {
        assert!(!r.at_message_end());
        r.bytes::<2>()?;
        assert!(!r.at_message_end());
        Ok(())
    });
    starved(&mut stream, |r| r.u8());
    stream.feed(&wire.bytes[10..17]).unwrap();
    assert!(!done(&mut stream, |r| Ok(r.at_message_end())));
    stream.feed(&wire.bytes[17..]).unwrap();
    assert!(done(&mut stream, |r| Ok(r.at_message_end())), "a header alone ends it");
    assert_eq!(refused_step(&mut stream), Error::EndOfMessage);
}

fn refused_step(stream: &mut pktpool::PacketStream<Protocol>) -> Error {
    failed(stream, |r| r.u8())
}

#[test]
fn a_header_alone_inside_a_message_changes_nothing() {
    for empty in [vec![], vec![(4, false, 0)], vec![(4, false, 0); 3]] {
        let packets = [&empty[..], &[(4, false, 3)], &empty, &[(4, true, 2)]].concat();
        let wire = Wire::new(Protocol::Tds, &packets);
        let mut stream = full(&wire);
        done(&mut stream, |r| {
            assert!(!r.at_message_end());
            assert_eq!((r.kind()?, r.peek()?), (4, wire.payload[0]));
            assert_eq!(r.bytes::<5>()?[..], wire.payload);
            assert!(r.at_message_end());
            Ok(())
        });
        stream.end_of_input().unwrap();
    }
}

#[test]
fn kind_is_of_the_packet_that_is_read() {
    let wire = Wire::new(Protocol::Tds, &[(1, false, 1), (2, false, 0), (3, true, 2)]);
    let mut stream = full(&wire);
    let kinds = done(&mut stream, |r| {
        let first = r.kind()?;
        r.u8()?;
        // Between two packets, the one that the next byte is in.
        let second = r.kind()?;
        r.u8()?;
        Ok((first, second, r.kind()?))
    });
    assert_eq!(kinds, (1, 3, 3));
}

#[test]
fn kind_needs_the_header_and_no_more() {
    let wire = message(&[b"ab"]);
    let mut stream = stream(&wire);
    for &byte in &wire.bytes[..8] {
        starved(&mut stream, |r| r.kind());
        stream.feed(&[byte]).unwrap();
    }
    assert_eq!(done(&mut stream, |r| r.kind()), 4);
    starved(&mut stream, |r| r.peek());
}

#[test]
fn zero_length_reads_need_nothing() {
    let wire = message(&[b"a"]);
    let mut stream = stream(&wire);
    let nothing = |r: &mut pktpool::Reader<'_>| {
        assert_eq!(r.take(0)?.count(), 0);
        r.read_into(&mut [])?;
        r.skip(0)?;
        assert_eq!(r.bytes::<0>()?, []);
        assert!(r.read_vec(0)?.is_empty());
        Ok(r.position())
    };
    assert_eq!(done(&mut stream, nothing), 0, "before anything arrived");
    stream.feed(&wire.bytes).unwrap();
    assert_eq!(done(&mut stream, nothing), 0);
    done(&mut stream, |r| r.u8());
    assert_eq!(done(&mut stream, nothing), 1, "at the end of a message");
}

#[test]
fn take_gives_slices_of_the_packets() {
    let mut stream = full(&message(&[b"ab", b"", b"cdefg", b"hi"]));
    done(&mut stream, |r| {
        r.u8()?;
        let chunks: Vec<&[u8]> = r.take(7)?.collect();
        assert_eq!(chunks, [&b"b"[..], b"cdefg", b"h"]);
        assert_eq!(r.position(), 8);
        // Dropped before its end, it was read all the same.
        let _ = r.take(1)?;
        assert!(r.at_message_end());
        Ok(())
    });
}

#[test]
fn a_value_is_bytes_and_becomes_a_vector() {
    let mut stream = full(&message(&[b"ab", b"cdef"]));
    let (value, behind) = done(&mut stream, |r| {
        let value = r.read_vec(5)?;
        assert_eq!(*value, *b"abcde");
        Ok((value, r.u8()?))
    });
    assert_eq!((value.len(), behind), (5, b'f'));
    assert_eq!(value.into_vec(), b"abcde");
}

#[test]
fn the_end_of_input_inside_a_packet_whose_bytes_were_read() {
    let wire = message(&[b"abcdef"]);
    let mut stream = stream(&wire);
    stream.feed(&wire.bytes[..12]).unwrap();
    done(&mut stream, |r| r.bytes::<4>());
    assert!(matches!(stream.end_of_input(), Err(Error::UnexpectedEof { .. })));
}

#[test]
fn the_end_of_input_inside_a_message_whose_bytes_were_read() {
    let mut stream = full(&Wire::new(Protocol::Tds, &[(4, false, 5)]));
    done(&mut stream, |r| r.bytes::<5>());
    assert_eq!(stream.end_of_input(), Err(Error::UnexpectedEof { partial: 0 }));
}

#[test]
fn the_end_of_input_with_bytes_that_nobody_read() {
    let mut stream = full(&message(&[b"abc", b"def"]));
    done(&mut stream, |r| r.u8());
    stream.end_of_input().unwrap();
    assert_eq!(done(&mut stream, |r| r.bytes()), *b"bcdef");
}

#[test]
fn a_framing_error_stands_behind_all_earlier_packets() {
    let wire = Wire::new(Protocol::Tds, &[(4, false, 3), (4, false, 2)]).then_bad();
    let error = Error::BadLength { length: 5 };
    let mut stream = full(&wire);
    done(&mut stream, |r| r.bytes::<4>());
    // What was read before it in the same step is right, and it does not move the reader.
    let caught = failed(&mut stream, |r| {
        assert_eq!(r.u8()?, wire.payload[4]);
        assert_eq!(refused(r.u8()), error);
        assert_eq!(r.position(), 5);
        assert!(!r.at_message_end());
        r.u8()
    });
    assert_eq!(caught, error);
    assert_eq!(failed(&mut stream, |r| r.u8()), Error::Poisoned);
}
