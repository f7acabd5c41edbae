//! What is allocated, counted: this binary has an allocator of its own.
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "a path to a method is of one lifetime, a step of any"
)]

#[path = "../common/mod.rs"]
mod common;

mod values;

use common::{packet, read, tds};
use pktpool::tds::{Packetizer, Tds};
use pktpool::{
    Error, FrameError, FrameHead, Framing, Limits, PacketStream, Progress, Reader, Snapshot, Stop,
    Value,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<Count> = const { Cell::new(Count { calls: 0, live: 0, peak: 0 }) };
}

/// Of the calling thread: calls that allocate, bytes it holds, the most it held.
#[derive(Debug, Clone, Copy)]
struct Count {
    calls: usize,
    live: isize,
    peak: isize,
}

struct Counting;

fn note(calls: usize, bytes: isize) {
    // A thread that ends frees memory when its locals are gone.
    let _ = NOW.try_with(|now| {
        let Count { calls: before, live, peak } = now.get();
        let live = live + bytes;
        now.set(Count { calls: before + calls, live, peak: peak.max(live) });
    });
}

// SAFETY: every method hands its arguments unchanged to `System`, which upholds the contract of
// `GlobalAlloc`, and returns its result unchanged; `note` neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the caller's promises are those of `System`.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the caller's promises are those of `System`.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: the caller's promises are those of `System`.
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        note(0, -(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }

    // SAFETY: the caller's promises are those of `System`.
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // While it is copied, both may be there.
        note(1, new_size as isize);
        note(0, -(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls and peak above what was held before.
fn counted<T>(f: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = NOW.get();
    NOW.set(Count { peak: before.live, ..before });
    let result = f();
    let after = NOW.get();
    (result, after.calls - before.calls, (after.peak - before.live) as usize)
}

#[test]
fn the_count_counts() {
    let (vec, calls, peak) = counted(|| {
        drop(vec![0_u8; 5000]);
        vec![1_u8; 1000]
    });
    assert_eq!((vec.len(), calls, peak), (1000, 2, 5000));
}

/// Four bytes of length, exclusive: packets of up to 4 GiB.
#[derive(Debug, Clone, Copy)]
struct Long;

impl Framing for Long {
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        Ok(head.first_chunk().map(|&length| FrameHead {
            header_len: 4,
            total_len: 4 + u32::from_be_bytes(length) as usize,
            end_of_message: true,
            kind: 0,
        }))
    }
}

const BUFFER: usize = 64 << 10;

fn wire(message: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for (header, data) in Packetizer::new(4, size).unwrap().packets(message) {
        out.extend_from_slice(&header.to_bytes());
        out.extend_from_slice(data);
    }
    out
}

/// A step over all of the input, in reads of a size; the value, and how often it ran.
fn run<F: Framing>(
    stream: &mut PacketStream<F>,
    mut input: &[u8],
    piece: usize,
    step: impl Fn(&mut Reader<'_>) -> Result<Value, Stop>,
) -> (Value, usize) {
    let mut runs = 0;
    loop {
        runs += 1;
        if let Progress::Done(value) = stream.read(&step).unwrap() {
            assert!(input.is_empty());
            return (value, runs);
        }
        let n = piece.min(input.len());
        assert!(n > 0);
        read(stream, &input[..n]);
        input = &input[n..];
    }
}

/// A row in two reads: a step that needs more, and the one that is done.
fn row<F: Framing>(stream: &mut PacketStream<F>, packet: &[u8], cut: usize) {
    let step = |r: &mut Reader<'_>| {
        let kind = r.kind()?;
        let length = r.u16_le()?;
        r.peek()?;
        let mut sum = 0;
        for chunk in r.take(length.into())? {
            sum += chunk.len();
        }
        r.skip(3)?;
        if r.at_message_end() {
            r.next_message()?;
        }
        Ok((kind, sum))
    };
    read(stream, &packet[..cut]);
    assert!(matches!(stream.read(step), Ok(Progress::NeedMore)));
    read(stream, &packet[cut..]);
    assert!(matches!(stream.read(step), Ok(Progress::Done((4, 40)))));
}

#[test]
fn a_million_continuations() {
    let mut stream = PacketStream::new(tds(), Limits::default());
    let packet = packet(1, 1, &[&[40, 0][..], &[7; 43]].concat());
    for cut in 1..packet.len() {
        row(&mut stream, &packet, cut);
    }
    let warm = stream.stats();
    let ((), calls, peak) = counted(|| {
        for i in 0..1_000_000 {
            row(&mut stream, &packet, 1 + i % (packet.len() - 1));
        }
    });
    assert_eq!((calls, peak), (0, 0));
    let now = stream.stats();
    assert_eq!((now.bytes_allocated, now.buffers_live_high), (warm.bytes_allocated, 1));
}

#[test]
fn continuations_over_several_packets_and_buffers() {
    // Each step wants more packets than lie in one buffer, so that there is a chain to keep.
    let message = vec![7; 150_000];
    let input = wire(&message, 4096);
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    let cycle = |stream: &mut PacketStream<Tds>| {
        let mut waits = 0;
        for piece in input.chunks(1460) {
            read(stream, piece);
            let step = |r: &mut Reader<'_>| {
                let mut seen = 0;
                r.take(message.len())?.for_each(|chunk| seen += chunk.len());
                r.next_message()?;
                Ok(seen)
            };
            match stream.read(step).unwrap() {
                Progress::NeedMore => waits += 1,
                Progress::Done(seen) => assert_eq!(seen, message.len()),
            }
        }
        waits
    };
    for _ in 0..3 {
        cycle(&mut stream);
    }
    let (waits, calls, _) = counted(|| (0..20).map(|_| cycle(&mut stream)).sum::<usize>());
    assert!(waits > 2000);
    assert_eq!(calls, 0, "of {waits} continuations");
    // Not all of the spares would be given back, had each of these cycles been the last.
    assert!(stream.stats().bytes_allocated <= 8 * BUFFER);
}

/// rust-postgres 1081: what one large step needed is not kept for ever.
#[test]
fn capacity_comes_back_after_an_outlier() {
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    let message = vec![1; 8 << 20];
    run(&mut stream, &wire(&message, 8000), 64 << 10, |r| {
        // Nothing of it is let go of before it is all there.
        r.take(message.len())?;
        r.next_message()?;
        r.read_vec(0)
    });
    let high = stream.stats().bytes_allocated;
    assert!(stream.stats().bytes_retained_high > 8 << 20);
    let short = packet(1, 1, &[&[40, 0][..], &[7; 43]].concat());
    for _ in 0..500 {
        row(&mut stream, &short, 20);
    }
    let stats = stream.stats();
    assert!(stats.bytes_allocated <= BUFFER, "{high}, and then {stats:?}");
}

#[test]
fn an_idle_stream_and_its_errors_cost_nothing() {
    let ((), calls, _) = counted(|| {
        let mut stream = PacketStream::new(Tds::default(), Limits::default());
        assert!(matches!(stream.read(|r| r.u8()), Ok(Progress::NeedMore)));
        assert!(matches!(stream.read(|r| r.read_vec(0).map(drop)), Ok(Progress::Done(()))));
        assert!(stream.next_packet().unwrap().is_none());
        stream.end_of_input().unwrap();
        let result = stream.read(|_| Err::<(), _>(Stop::Failed(Error::EndOfMessage)));
        assert_eq!(result, Err(Error::EndOfMessage));
        assert!(matches!(stream.read(|r| r.u8()), Err(Error::Poisoned)));
    });
    assert_eq!(calls, 0);
}

/// A prefix that is kept, values that are let go of, again and again: the list of what is kept does not
/// grow with what went by.
#[test]
fn bookkeeping_does_not_grow() {
    // One byte kept, one let go of, so that there is a hole at every second byte.
    let count = 20_000;
    let message = vec![9; 2 * count];
    let input = wire(&message, 512);
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    let step = |r: &mut Reader<'_>| {
        for _ in 0..count {
            r.u8()?;
            r.skip(1)?;
        }
        r.read_vec(0)
    };
    let (_, _, peak) = counted(|| run(&mut stream, &input, 8000, step));
    assert!(peak < 4 * input.len() + 4 * BUFFER, "{peak} bytes for {}", input.len());

    // Values of a byte each: a handle of each of them, and no more than that.
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    let step = |r: &mut Reader<'_>| {
        for _ in 0..2000 {
            r.read_vec(1)?;
        }
        r.read_vec(0)
    };
    let input = wire(&[9; 2000], 512);
    let ((_, runs), calls, _) = counted(|| run(&mut stream, &input, 50, step));
    assert!(runs > 40 && calls < 2000 * 3, "{calls} allocations in {runs} runs");
}

#[test]
fn a_snapshot_of_any_length() {
    let mut snapshot = Snapshot::new();
    for packets in [1, 4, 20, 300] {
        let mut cycle = || {
            for i in 0..packets {
                snapshot.append(i, 8000);
            }
            while snapshot.move_next().is_some() {}
            snapshot.clear();
        };
        cycle();
        let ((), calls, _) = counted(|| (0..1000).for_each(|_| cycle()));
        assert_eq!(calls, 0, "{packets} packets");
    }
}
