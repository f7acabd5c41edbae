//! Futures that are dropped whenever they wait.

use crate::common::{self, Taken, packet};
use crate::script::{Does, Script};
use crate::{block, connection, once, read_values, stream_error, values, wire};
use pktpool::{Error as StreamError, NeedMoreOr, Reader};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::task::{Context, Poll, Waker};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    /// Each future is dropped whenever it waits, and nothing is lost: packets.
    #[test]
    fn packets_by_dropped_futures(
        packets in prop::collection::vec((any::<u8>(), prop_oneof![0_usize..60, 400_usize..5000, 20_000_usize..65_527]), 1..12),
        reads in prop::collection::vec(prop_oneof![1_usize..12, 500_usize..9000, 30_000_usize..200_000], 1..20),
        by_poll: bool,
    ) {
        let wires: Vec<_> = packets.iter().enumerate().map(|(i, &(status, n))| packet(status, i as u8, &vec![i as u8; n])).collect();
        let expected = common::cut(&wires.concat());
        let mut connection = connection(Script::pieces(&wires.concat(), &reads));
        let mut taken: Vec<Taken> = Vec::new();
        let end = loop {
            let polled = if by_poll {
                match connection.poll_next_packet(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(packet) => Some(packet),
                    Poll::Pending => None,
                }
            } else {
                once(connection.next_packet())
            };
            match polled {
                None => {}
                Some(Ok(Some(p))) => taken.push((p.kind, p.end_of_message, p.header().to_vec(), p.payload().to_vec())),
                Some(Ok(None)) => break None,
                Some(Err(error)) => break stream_error::<()>(Err(error)),
            }
        };
        let open = expected.last().is_some_and(|p| !p.1);
        prop_assert_eq!(end, open.then_some(StreamError::UnexpectedEof { partial: 0 }));
        prop_assert_eq!(taken, expected);
        prop_assert_eq!(connection.stream().stats().bytes_retained, 0);
    }

    /// The same for values that are half read, by every function that runs steps.
    #[test]
    fn values_by_dropped_futures(
        messages in prop::collection::vec(prop::collection::vec(prop_oneof![0_usize..30, 300_usize..9000, 70_000_usize..200_000], 0..5), 1..4),
        reads in prop::collection::vec(prop_oneof![1_usize..2000, 30_000_usize..200_000], 1..20),
        size in prop_oneof![9_usize..40, 500_usize..5000, Just(32_767)],
        how in 0..6,
    ) {
        let messages: Vec<_> = messages.iter().map(|lengths| values(lengths)).collect();
        // Small packets of large values would only take long.
        let size = if messages.concat().len() > 20_000 { size.max(512) } else { size };
        let bytes: Vec<u8> = messages.iter().flat_map(|message| wire(message, size)).collect();
        let mut connection = connection(Script::pieces(&bytes, &reads));
        let mut context = Context::from_waker(Waker::noop());
        let parse = |reader: &mut Reader<'_>| Ok::<_, NeedMoreOr<u8>>(read_values(reader)?);
        let mut got = Vec::new();
        loop {
            let polled = match how {
                0 => once(connection.read(read_values)).map(|r| r.unwrap()),
                1 => once(connection.parse(parse)).map(|r| r.unwrap()),
                2 => once(connection.parse_each(parse, |message| {
                    got.push(message);
                    ControlFlow::<()>::Continue(())
                })).map(|r| r.unwrap().map(|()| unreachable!("nothing breaks it off"))),
                3 => once(connection.read_each(read_values, |message| {
                    got.push(message);
                    ControlFlow::<()>::Continue(())
                })).map(|r| r.unwrap().map(|()| unreachable!("nothing breaks it off"))),
                4 => match connection.poll_read_step(&mut context, read_values) {
                    Poll::Ready(r) => Some(r.unwrap()),
                    Poll::Pending => None,
                },
                _ => match connection.poll_parse(&mut context, parse) {
                    Poll::Ready(r) => Some(r.unwrap()),
                    Poll::Pending => None,
                },
            };
            match polled {
                None => {}
                Some(Some(message)) => got.push(message),
                Some(None) => break,
            }
        }
        prop_assert!(got == messages);
    }
}

#[test]
fn another_function_goes_on_where_one_was_dropped() {
    let bytes = [packet(0, 1, b"\x05hello"), packet(1, 2, b"rest"), packet(1, 3, b"x")].concat();
    let text = |reader: &mut Reader<'_>| {
        let length = reader.u8()?;
        reader.read_vec(length.into())
    };
    for cut in 0..=bytes.len() {
        let pieces =
            [Does::Gives(bytes[..cut].to_vec()), Does::Waits, Does::Gives(bytes[cut..].to_vec())];
        let mut connection = connection(Script::new(
            pieces.into_iter().filter(|p| !matches!(p, Does::Gives(b) if b.is_empty())),
        ));
        // Dropped or not, and then the packet's rest.
        let value = once(connection.read(text)).or_else(|| once(connection.read(text)));
        assert_eq!(&*value.unwrap().unwrap().unwrap(), b"hello", "{cut}");
        assert_eq!(block(connection.next_packet()).unwrap().unwrap().payload(), b"rest");
        assert_eq!(block(connection.read(|r| r.u8())).unwrap(), Some(b'x'));
        assert_eq!(block(connection.read(|r| r.u8())).ok(), None, "the message is at its end");
    }
}
