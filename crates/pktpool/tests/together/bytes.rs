//! Values, packets and pieces as `bytes` has them.
#![cfg(feature = "bytes")]

use crate::common::{packet, tds};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use pktpool::{Error, Limits, PacketStream, Progress, Value};
use proptest::prelude::*;
use std::cell::RefCell;

fn content(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 7 + i / 251) as u8).collect()
}

fn stream(message: &[u8], size: usize) -> PacketStream<pktpool::tds::Tds> {
    let mut stream = PacketStream::new(tds(), Limits::default());
    let mut rest = message;
    for id in 0.. {
        let (payload, behind) = rest.split_at(size.min(rest.len()));
        rest = behind;
        stream.feed(&packet(u8::from(rest.is_empty()), id as u8, payload)).unwrap();
        if rest.is_empty() {
            break;
        }
    }
    stream
}

#[test]
fn a_value_is_not_copied() {
    let message = content(100_000);
    let mut stream = stream(&message, 4000);
    let value = stream.read(|r| r.read_vec(100_000)).unwrap().done().unwrap();
    let at = value.as_ptr();
    let bytes = Bytes::from(value);
    assert!(bytes == message && bytes.as_ptr() == at);
    assert_eq!(bytes.try_into_mut().map(|all| all.len()), Ok(100_000), "it is the only handle");
    assert!(Bytes::from(Value::default()).is_empty());
}

/// Within its step the stream has a handle too: the bytes are shared, and the step may run again.
#[test]
fn a_value_is_not_copied_within_its_step() {
    let message = content(50_000);
    let mut wire = packet(1, 1, &message);
    let last = wire.split_off(wire.len() - 1);
    let mut stream = PacketStream::new(tds(), Limits::default());
    stream.feed(&wire).unwrap();
    let seen = RefCell::new(Vec::new());
    let step = |r: &mut pktpool::Reader<'_>| {
        let value = r.read_vec(49_999)?;
        let at = value.as_ptr();
        let bytes = Bytes::from(value);
        assert_eq!(bytes.as_ptr(), at);
        seen.borrow_mut().push(bytes.clone());
        Ok((bytes, r.u8()?))
    };
    assert_eq!(stream.read(step), Ok(Progress::NeedMore));
    stream.feed(&last).unwrap();
    let (bytes, end) = stream.read(step).unwrap().done().unwrap();
    assert!(bytes == message[..49_999] && end == message[49_999]);
    let seen = seen.into_inner();
    assert_eq!(seen.len(), 2);
    assert!(seen.iter().all(|run| run.as_ptr() == bytes.as_ptr()));
    drop(stream);
    assert!(bytes == message[..49_999], "they outlive the stream");
}

#[test]
fn a_packet_is_copied_out() {
    let mut stream = stream(b"payload", 100);
    let bytes = Bytes::from(stream.next_packet().unwrap().unwrap());
    stream.feed(&packet(1, 2, b"another")).unwrap();
    assert_eq!(
        (&bytes[..], stream.next_packet().unwrap().unwrap().payload()),
        (&b"payload"[..], &b"another"[..])
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    /// Pieces read as a `Buf` are the bytes, whatever is looked at and gone over.
    #[test]
    fn pieces_are_a_buf(
        n in prop_oneof![0_usize..200, 50_000_usize..200_000],
        size in prop_oneof![1_usize..20, 1000_usize..30_000],
        steps in prop::collection::vec((any::<bool>(), prop_oneof![0_usize..9, 0_usize..40_000]), 1..40),
    ) {
        let size = if n > 1000 { size.max(1000) } else { size };
        let message = content(n);
        let mut stream = stream(&message, size);
        let done = stream.read(|r| {
            let mut buf = r.take(n)?;
            let mut at = 0;
            for &(copy, step) in &steps {
                assert_eq!((buf.remaining(), buf.has_remaining()), (n - at, at < n));
                assert_eq!(buf.chunk().is_empty(), at == n);
                assert!(message[at..].starts_with(buf.chunk()));
                let step = step.min(n - at);
                if copy {
                    assert!(buf.copy_to_bytes(step) == message[at..at + step]);
                } else {
                    buf.advance(step);
                }
                at += step;
            }
            // What is left is the same by each of its two faces.
            let pieces: Vec<u8> = buf.clone().flatten().copied().collect();
            assert!(pieces == message[at..]);
            let mut all = BytesMut::new();
            all.put(buf);
            assert!(all == message[at..]);
            Ok(())
        });
        prop_assert_eq!(done, Ok(Progress::Done(())));
    }

    #[test]
    fn a_buffer_is_fed(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..6)) {
        let payload = pieces.concat();
        let wire = packet(1, 1, &payload);
        let (head, tail) = wire.split_at(wire.len() / 3);
        let mut stream = PacketStream::new(tds(), Limits::default());
        let mut buf = head.chain(tail);
        stream.feed_buf(&mut buf).unwrap();
        prop_assert!(!buf.has_remaining());
        prop_assert_eq!(stream.next_packet().unwrap().unwrap().payload(), payload);
        // A poisoned stream takes nothing.
        stream.feed(&[0; 8]).unwrap();
        prop_assert!(stream.next_packet().is_err());
        let mut buf = &wire[..];
        prop_assert_eq!(stream.feed_buf(&mut buf), Err(Error::Poisoned));
        prop_assert_eq!(buf.len(), wire.len());
    }
}

#[test]
#[should_panic(expected = "advanced 2 bytes over the end")]
fn over_the_end() {
    let mut stream = stream(b"12345", 2);
    let _ = stream.read(|r| {
        r.take(4)?.advance(6);
        Ok(())
    });
}
