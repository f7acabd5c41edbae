//! The reader: one message across packets, steps that run again, reads that resume.
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "a path to a method is of one lifetime, a step of any"
)]

#[path = "../common/mod.rs"]
mod common;

mod caught;
mod changed;
mod each;
mod every_cut;
mod idle;
mod kept;
mod limits;
mod machine;
mod misuse;
mod model;
mod packets;
mod plp;
mod resume;
mod rows;
mod rules;
mod scalars;
mod wire;

use pktpool::{Error, Framing, Limits, PacketStream, Progress, Reader, Stop};
use wire::{Protocol, Wire};

fn stream(wire: &Wire) -> PacketStream<Protocol> {
    PacketStream::new(wire.protocol, Limits::default())
}

/// A stream that got all of it.
fn full(wire: &Wire) -> PacketStream<Protocol> {
    let mut stream = stream(wire);
    stream.feed(&wire.bytes).unwrap();
    stream
}

/// Packets of kind 4 that are one message, by their payloads.
fn message(payloads: &[&[u8]]) -> Wire {
    let last = payloads.len() - 1;
    let packets: Vec<_> =
        payloads.iter().enumerate().map(|(i, p)| (4, i == last, p.len())).collect();
    Wire::with_payload(Protocol::Tds, &packets, payloads.concat())
}

/// The result of a step that has all it needs.
#[track_caller]
fn done<F: Framing, T>(
    stream: &mut PacketStream<F>,
    step: impl FnOnce(&mut Reader<'_>) -> Result<T, Stop>,
) -> T {
    match stream.read(step).unwrap() {
        Progress::Done(value) => value,
        Progress::NeedMore => panic!("needs more"),
    }
}

/// A step that must not have all it needs yet.
#[track_caller]
fn starved<F: Framing, T>(
    stream: &mut PacketStream<F>,
    step: impl FnOnce(&mut Reader<'_>) -> Result<T, Stop>,
) {
    assert!(matches!(stream.read(step), Ok(Progress::NeedMore)), "it must need more");
}

/// The error of a step.
#[track_caller]
fn failed<F: Framing, T>(
    stream: &mut PacketStream<F>,
    step: impl FnOnce(&mut Reader<'_>) -> Result<T, Stop>,
) -> Error {
    match stream.read(step) {
        Err(error) => error,
        Ok(Progress::NeedMore) => panic!("needs more"),
        Ok(Progress::Done(_)) => panic!("is done"),
    }
}

/// A refusal inside a step, as the error it is.
#[track_caller]
fn refused<T>(result: Result<T, Stop>) -> Error {
    match result {
        Err(Stop::Failed(error)) => error,
        Err(Stop::NeedMore) => panic!("needs more"),
        Ok(_) => panic!("is done"),
    }
}

fn needs_more<T>(result: &Result<T, Stop>) -> bool {
    matches!(result, Err(Stop::NeedMore))
}

/// Feeds in pieces and runs a step until it is done; how often it ran.
#[track_caller]
fn until_done<F: Framing, T>(
    stream: &mut PacketStream<F>,
    mut bytes: &[u8],
    piece: usize,
    mut step: impl FnMut(&mut Reader<'_>) -> Result<T, Stop>,
) -> (T, usize, usize) {
    let (mut runs, mut taken) = (0, 0);
    loop {
        runs += 1;
        if let Progress::Done(value) = stream.read(&mut step).unwrap() {
            return (value, runs, taken);
        }
        assert!(!bytes.is_empty(), "needs more than there is");
        let n = piece.min(bytes.len());
        common::read(stream, &bytes[..n]);
        bytes = &bytes[n..];
        taken += n;
    }
}
