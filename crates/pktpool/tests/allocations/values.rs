//! What a value takes while it comes, and when it is there.

use super::common::{packet, read};
use super::{BUFFER, Long, counted, run, wire};
use pktpool::postgres::Backend;
use pktpool::tds::{Tds, read_plp};
use pktpool::{Error, Framing, Limits, PacketStream, Progress, Reader, Stop};

/// What the buffers take is not the value's, so they are there before.
fn warm_up<F: Framing>(stream: &mut PacketStream<F>, input: &[u8], piece: usize) {
    for _ in 0..3 {
        run(stream, input, piece, |r| {
            r.next_message()?;
            r.read_vec(0)
        });
    }
}

/// ⌈log₂(len / 64 KiB)⌉ + 2.
fn allowed(length: usize) -> usize {
    let (mut doublings, mut reached) = (0, 64 << 10);
    while reached < length {
        reached *= 2;
        doublings += 1;
    }
    doublings + 2
}

#[test]
fn allocations_and_peak_of_a_value() {
    assert_eq!([1, 64 << 10, (64 << 10) + 1, 10 << 20].map(allowed), [2, 2, 3, 10]);
    for length in [1, 100, 60_000, 65_536, 65_537, 131_072, 1 << 20, 5_000_000, 10 << 20] {
        let message: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
        for (packet, piece) in [(512, 1460), (4096, 4096), (8000, 64 << 10), (32_767, 1 << 20)] {
            if length > 1 << 20 && packet < 4096 {
                continue;
            }
            let input = wire(&message, packet);
            let mut stream = PacketStream::new(Tds::default(), Limits::default());
            warm_up(&mut stream, &input, piece);
            let context = format!("{length} bytes in packets of {packet}, reads of {piece}");
            for at_once in [false, true] {
                if at_once {
                    stream.set_max_preallocation(length);
                }
                let ((value, runs), calls, peak) = counted(|| {
                    run(&mut stream, &input, piece, |r| {
                        let value = r.read_vec(length)?;
                        r.next_message()?;
                        Ok(value)
                    })
                });
                assert!(*value == message, "{context}");
                // The value and its handle.
                let allowed = if at_once { 2 } else { allowed(length) };
                assert!(calls <= allowed, "{context}: {calls} allocations in {runs} runs");
                let moved = if at_once { 0 } else { length.div_ceil(2) };
                assert!(peak < moved + length + 200, "{context}: peak {peak}");
                let data = value.as_ptr();
                let (vec, calls, _) = counted(|| value.into_vec());
                assert_eq!((calls, vec.as_ptr()), (0, data), "{context}: `into_vec` is free");
                assert_eq!((vec.len(), vec.capacity()), (length, length));
            }
        }
    }
}

/// The length that says there is none.
const UNKNOWN: u64 = u64::MAX - 1;

fn plp(declared: u64, content: &[u8], chunk: usize) -> Vec<u8> {
    let mut message = declared.to_le_bytes().to_vec();
    for chunk in content.chunks(chunk) {
        message.extend((chunk.len() as u32).to_le_bytes());
        message.extend_from_slice(chunk);
    }
    message.extend([0; 4]);
    message
}

#[test]
fn allocations_of_a_plp_value() {
    for length in [100, 65_537, 1 << 20, 5_000_000] {
        let content = vec![0x12; length];
        for (chunk, known) in [(8000, true), (8000, false), (length, true), (1000, false)] {
            let declared = if known { length as u64 } else { UNKNOWN };
            let input = wire(&plp(declared, &content, chunk), 4096);
            let mut stream = PacketStream::new(Tds::default(), Limits::default());
            warm_up(&mut stream, &input, 8000);
            let context = format!("{length} bytes in chunks of {chunk}, {declared} declared");
            for at_once in [false, true] {
                if at_once {
                    stream.set_max_preallocation(length);
                }
                let ((value, runs), calls, peak) = counted(|| {
                    run(&mut stream, &input, 8000, |r| {
                        let value = read_plp(r, usize::MAX)?.unwrap();
                        r.next_message()?;
                        Ok(value)
                    })
                });
                assert!(*value == content, "{context}");
                // Where no length is declared, growth has nothing to be capped at, and nothing is to be
                // allocated at once.
                let room = if known { 2 * length } else { 3 * length };
                let calls_allowed = match (known, at_once) {
                    (true, true) => 2,
                    (true, false) => allowed(length),
                    (false, _) => allowed(length) + 1,
                };
                assert!(calls <= calls_allowed, "{context}: {calls}, {runs} runs");
                assert!(peak < room + 200, "{context}: peak {peak}");
            }
        }
    }
}

#[test]
fn a_declared_length_allocates_nothing() {
    let limits = Limits { max_packet: usize::MAX, ..Limits::default() };
    type Step = fn(&mut Reader<'_>) -> Result<(), Stop>;
    let steps: [Step; 5] = [
        |r| r.take(u32::MAX as usize).map(drop),
        |r| r.skip(u32::MAX.into()),
        |r| r.read_into(&mut [0; 64]),
        |r| r.bytes::<64>().map(drop),
        |r| r.next_message(),
    ];
    // A packet of 4 GiB, of which nothing comes, and then five bytes.
    for bytes in [&b""[..], b"abcde"] {
        for step in steps {
            let mut stream = PacketStream::new(Long, limits);
            read(&mut stream, &[b"\xFF\xFF\xFF\xFF", bytes].concat());
            let (result, _, peak) = counted(|| stream.read(step));
            assert!(matches!(result, Ok(Progress::NeedMore)));
            assert!(peak < 1024, "a note that it was begun, at most: {peak}");
        }
    }
    let mut stream = PacketStream::new(Long, limits);
    read(&mut stream, b"\xFF\xFF\xFF\xFF");
    let (result, calls, _) = counted(|| stream.read(|r| r.read_vec(u32::MAX as usize)));
    assert_eq!((result, calls), (Ok(Progress::NeedMore), 0));
    stream.spare_mut()[..5].copy_from_slice(b"abcde");
    stream.commit(5).unwrap();
    for length in [u32::MAX as usize, u32::MAX as usize - 1] {
        let mut stream = PacketStream::new(Long, limits);
        read(&mut stream, b"\xFF\xFF\xFF\xFFabcde");
        let (result, _, peak) = counted(|| stream.read(|r| r.read_vec(length)));
        assert!(matches!(result, Ok(Progress::NeedMore)));
        assert!(peak <= BUFFER + 1024, "{peak} bytes for five");
    }
    let (end, ..) = counted(|| stream.end_of_input());
    assert_eq!(end, Err(Error::UnexpectedEof { partial: 9 }));

    // Lengths inside the payload: of a value, and of its chunk.
    let lies: [&[u64]; 3] = [&[u64::MAX - 1], &[1 << 32], &[u64::MAX - 2]];
    for lie in lies {
        let bytes = [&lie[0].to_le_bytes()[..], &u32::MAX.to_le_bytes(), b"abc"].concat();
        let mut stream = PacketStream::new(Tds::default(), Limits::default());
        read(&mut stream, &packet(0, 1, &bytes));
        let (result, _, peak) = counted(|| stream.read(|r| read_plp(r, usize::MAX)));
        assert!(!matches!(result, Ok(Progress::Done(_))));
        assert!(peak <= BUFFER + 1024, "{peak} bytes for three, {lie:?}");
    }
}

#[test]
fn held_while_a_large_value_comes() {
    // As TDS packets, and as one frame of 10 MB, as PostgreSQL sends it.
    for length in [128 << 10, 1 << 20, 10 << 20] {
        let message = vec![0x5A; length + 100];
        let step = |r: &mut Reader<'_>| {
            let prefix = r.bytes::<90>()?;
            let value = r.read_vec(length)?;
            assert_eq!((prefix[0], r.bytes::<10>()?), (0x5A, [0x5A; 10]));
            Ok(value)
        };
        for piece in [8000, 64 << 10] {
            let mut stream = PacketStream::new(Tds::default(), Limits::default());
            run(&mut stream, &wire(&message, 8000), piece, step);
            let stats = stream.stats();
            assert!(stats.bytes_retained_high <= 90 + 2 * BUFFER, "{length}: {stats:?}");
            assert!(stats.bytes_allocated <= 3 * BUFFER, "{length}: {stats:?}");

            let mut stream = PacketStream::new(Backend, Limits::default());
            let frame = [b"d", &(message.len() as u32 + 4).to_be_bytes()[..], &message].concat();
            run(&mut stream, &frame, piece, step);
            let stats = stream.stats();
            assert!(stats.bytes_retained_high <= 90 + 2 * BUFFER, "{length}: {stats:?}");
            assert!(stats.bytes_allocated <= 3 * BUFFER, "{length}: {stats:?}");
        }
    }
}

/// The whole of a value, as a packet of its own.
fn whole(stream: &mut PacketStream<Long>, length: usize) {
    let frame = [&(length as u32).to_be_bytes()[..], &vec![3; length]].concat();
    run(stream, &frame, 8000, |r| {
        let value = r.read_vec(length)?;
        r.next_message()?;
        Ok(value)
    });
}

/// What a lie costs.
#[test]
fn a_declared_length_is_believed_as_far_as_was_said() {
    let limits = Limits { max_packet: usize::MAX, ..Limits::default() };
    let said = 3 << 20;
    for declared in [100, 100_000, said - 1, said, said + 1, u32::MAX as usize] {
        let mut stream = PacketStream::new(Long, limits);
        whole(&mut stream, 70_000);
        stream.set_max_preallocation(said);
        read(&mut stream, &[&(declared as u32).to_be_bytes()[..], b"abcde"].concat());
        let (result, calls, peak) = counted(|| stream.read(|r| r.read_vec(declared)));
        assert!(matches!(result, Ok(Progress::NeedMore)));
        assert_eq!(calls, 1);
        assert!(peak <= declared.min(said), "{peak} bytes for five of {declared}");
        assert!(declared > said || peak == declared, "{peak} bytes for {declared}");
    }
}

/// The limit is not learnt: what a peer has sent once makes its next lie no more costly.
#[test]
fn a_value_that_came_makes_no_later_length_believed() {
    let limits = Limits { max_packet: usize::MAX, ..Limits::default() };
    let mut stream = PacketStream::new(Long, limits);
    whole(&mut stream, 3 << 20);
    read(&mut stream, &[&(3_u32 << 20).to_be_bytes()[..], b"abcde"].concat());
    let (result, _, peak) = counted(|| stream.read(|r| r.read_vec(3 << 20)));
    assert!(matches!(result, Ok(Progress::NeedMore)));
    assert!(peak <= BUFFER, "{peak} bytes for five");
}

#[test]
fn a_value_of_unknown_length_is_no_larger_for_what_may_be_allocated() {
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    stream.set_max_preallocation(1 << 30);
    for length in [1 << 20, 70_000] {
        let input = wire(&plp(UNKNOWN, &vec![7; length], 1000), 4096);
        let (value, _) = run(&mut stream, &input, 8000, |r| {
            let value = read_plp(r, usize::MAX)?.unwrap();
            r.next_message()?;
            Ok(value)
        });
        let vec = value.into_vec();
        assert_eq!(vec.len(), length);
        assert!(vec.capacity() <= 2 * length, "{} bytes for {length}", vec.capacity());
    }
}
