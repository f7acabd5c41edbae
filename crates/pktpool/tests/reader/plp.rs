//! Partially length-prefixed values: `[MS-TDS]` 2.2.5.2.3.

use crate::wire::{Wire, byte};
use crate::{common, done, failed, full, message, starved, stream, until_done};
use pktpool::tds::read_plp;
use pktpool::{Error, PacketStream, Progress, Reader, Stop, Value};

const NULL: u64 = u64::MAX;
const UNKNOWN: u64 = u64::MAX - 1;
const ALL: usize = usize::MAX;

/// A value as it is sent: what length is declared, and the chunks.
fn plp(declared: u64, chunks: &[&[u8]]) -> Vec<u8> {
    let mut out = declared.to_le_bytes().to_vec();
    for chunk in chunks {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend_from_slice(chunk);
    }
    if declared != NULL {
        out.extend([0; 4]);
    }
    out
}

fn content(n: usize) -> Vec<u8> {
    (0..n).map(byte).collect()
}

/// The value, and the column behind it.
fn and_next(r: &mut Reader<'_>) -> Result<(Option<Value>, u8), Stop> {
    Ok((read_plp(r, ALL)?, r.u8()?))
}

#[test]
fn null_is_not_empty() {
    // SqlClient 3871.
    for (bytes, expected) in [
        (plp(NULL, &[]), None),
        (plp(0, &[]), Some(&b""[..])),
        (plp(UNKNOWN, &[]), Some(&b""[..])),
        (plp(3, &[b"abc"]), Some(&b"abc"[..])),
        (plp(UNKNOWN, &[b"a", b"bc"]), Some(&b"abc"[..])),
    ] {
        let wire = Wire::tds(&[&bytes[..], &[0xEE]].concat(), 4096);
        for piece in 1..wire.bytes.len() {
            let ((value, next), ..) = until_done(&mut stream(&wire), &wire.bytes, piece, and_next);
            assert_eq!((value.as_deref(), next), (expected, 0xEE), "{bytes:?}, reads of {piece}");
        }
    }
}

#[test]
fn any_chunks_in_any_packets_at_any_reads() {
    let value = content(20_000);
    for chunk in [1, 7, 500, 8000, 20_000] {
        if chunk == 1 {
            continue;
        }
        for declared in [20_000, UNKNOWN] {
            let bytes = plp(declared, &value.chunks(chunk).collect::<Vec<_>>());
            let bytes = [&bytes[..], &[0xEE]].concat();
            for (packet, read) in [(512, 1), (512, 512), (520, 1460), (9, 4000), (8000, 3)] {
                if chunk == 7 && read < 100 {
                    continue;
                }
                let wire = Wire::tds(&bytes, packet);
                let mut stream = stream(&wire);
                let ((got, next), ..) = until_done(&mut stream, &wire.bytes, read, and_next);
                assert!(got.as_deref() == Some(&value[..]), "chunks of {chunk}, {packet}, {read}");
                assert_eq!(next, 0xEE);
            }
        }
    }
}

#[test]
fn chunks_of_one_byte_one_byte_a_read() {
    let value = content(300);
    let bytes = plp(UNKNOWN, &value.chunks(1).collect::<Vec<_>>());
    let wire = Wire::tds(&[&bytes[..], &[0xEE]].concat(), 13);
    let ((got, next), runs, _) = until_done(&mut stream(&wire), &wire.bytes, 1, and_next);
    assert_eq!((got.as_deref(), next, runs), (Some(&value[..]), 0xEE, wire.bytes.len() + 1));
}

#[test]
fn the_terminator_and_the_next_column_in_the_next_packet() {
    // SqlClient 3534, fix 2: 0 characters remained, so it returned before the terminator.
    let bytes = [plp(6, &[b"abcdef"]), vec![0xEE]].concat();
    for cut in 1..bytes.len() {
        let wire = message(&[&bytes[..cut], &bytes[cut..]]);
        let mut stream = stream(&wire);
        common::read(&mut stream, &wire.bytes[..8 + cut]);
        starved(&mut stream, and_next);
        starved(&mut stream, and_next);
        common::read(&mut stream, &wire.bytes[8 + cut..]);
        let (value, next) = done(&mut stream, and_next);
        assert_eq!((value.as_deref(), next), (Some(&b"abcdef"[..]), 0xEE), "cut at {cut}");
    }
}

#[test]
fn a_character_split_across_chunks() {
    // r2dbc-mssql 171, 172: decoding chunk by chunk breaks it, so bytes are joined first.
    let text = "日本語 £€𐍈".repeat(50);
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for chunk in [1, 3, 5, 101] {
        let bytes = plp(utf16.len() as u64, &utf16.chunks(chunk).collect::<Vec<_>>());
        let wire = Wire::tds(&bytes, 64);
        let (value, ..) = until_done(&mut stream(&wire), &wire.bytes, 11, |r| read_plp(r, ALL));
        let units: Vec<u16> =
            value.unwrap().chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
        assert_eq!(String::from_utf16(&units).unwrap(), text, "chunks of {chunk}");
    }
}

#[test]
fn the_limit_is_of_bytes_and_exact() {
    for declared in [10, UNKNOWN] {
        for chunks in [&[&b"0123456789"[..]][..], &[b"01234", b"56789"], &[&b"0"[..]; 10]] {
            let wire = Wire::tds(&plp(declared, chunks), 512);
            let value = done(&mut full(&wire), |r| read_plp(r, 10));
            assert_eq!(value.unwrap().len(), 10);
            for limit in [9, 5, 1, 0] {
                let error = failed(&mut full(&wire), |r| read_plp(r, limit));
                assert!(matches!(error, Error::MessageTooLarge { .. }), "{error:?}");
                // One byte a read, too: it must not have to see all of the value.
                let mut stream = stream(&wire);
                let mut fed = 0;
                let error = loop {
                    match stream.read(|r| read_plp(r, limit)) {
                        Ok(Progress::NeedMore) => {
                            stream.feed(&wire.bytes[fed..=fed]).unwrap();
                            fed += 1;
                        }
                        Ok(Progress::Done(value)) => panic!("{value:?}"),
                        Err(error) => break error,
                    }
                };
                assert!(matches!(error, Error::MessageTooLarge { .. }), "{error:?}");
            }
        }
    }
    for value in [plp(NULL, &[]), plp(0, &[]), plp(UNKNOWN, &[])] {
        done(&mut full(&Wire::tds(&value, 512)), |r| read_plp(r, 0));
    }
}

#[test]
fn declared_lengths_that_lie() {
    // Told before a byte of the value came…
    for declared in [11, 1 << 32, u64::MAX - 2] {
        let mut stream = full(&message(&[&declared.to_le_bytes()[..], b"x"]));
        let error = failed(&mut stream, |r| read_plp(r, 10));
        assert!(matches!(error, Error::MessageTooLarge { .. }), "{error:?}");
        assert!(matches!(stream.next_packet(), Err(Error::Poisoned)));
    }
    let bytes = [&UNKNOWN.to_le_bytes()[..], &u32::MAX.to_le_bytes(), b"abc"].concat();
    let error = failed(&mut full(&message(&[&bytes[..]])), |r| read_plp(r, 10));
    assert!(matches!(error, Error::MessageTooLarge { .. }), "{error:?}");
    // …and without a limit it waits for bytes, as it should, or is refused.
    let wire = Wire::new(crate::wire::Protocol::Tds, &[(4, false, 0)]);
    for declared in [u64::MAX - 2, 1 << 40] {
        let mut stream = stream(&wire);
        let bytes = [&declared.to_le_bytes()[..], &u32::MAX.to_le_bytes(), b"abc"].concat();
        stream.feed(&common::packet(0, 1, &bytes)).unwrap();
        match stream.read(|r| read_plp(r, ALL)) {
            Ok(Progress::NeedMore) | Err(_) => {}
            Ok(Progress::Done(value)) => panic!("{value:?}"),
        }
        assert!(stream.stats().bytes_allocated < 1 << 20);
    }
}

#[test]
fn a_declared_length_that_the_chunks_do_not_add_up_to() {
    // The bytes of the chunks, or an error; and the same whatever the reads are.
    for declared in [1, 5, 7, 100] {
        let wire = Wire::tds(&[plp(declared, &[b"abc", b"def"]), vec![0xEE]].concat(), 32);
        let at_once = outcome(&mut full(&wire));
        if let Ok((value, next)) = &at_once {
            assert_eq!((value.as_deref(), *next), (Some(&b"abcdef"[..]), 0xEE));
        }
        let mut stream = stream(&wire);
        for &byte in &wire.bytes {
            stream.feed(&[byte]).unwrap();
            match stream.read(and_next) {
                Ok(Progress::NeedMore) => {}
                Ok(Progress::Done((value, next))) => {
                    let value = value.map(Value::into_vec);
                    assert_eq!(Ok((value, next)), at_once);
                    break;
                }
                Err(error) => {
                    assert_eq!(Err(error), at_once);
                    break;
                }
            }
        }
    }
}

fn outcome<F: pktpool::Framing>(
    stream: &mut PacketStream<F>,
) -> Result<(Option<Vec<u8>>, u8), Error> {
    match stream.read(and_next)? {
        Progress::Done((value, next)) => Ok((value.map(Value::into_vec), next)),
        Progress::NeedMore => panic!("all of it is there"),
    }
}

#[test]
fn a_message_that_ends_inside_a_value() {
    let bytes = plp(6, &[b"abc", b"def"]);
    for cut in 0..bytes.len() {
        let mut stream = full(&message(&[&bytes[..cut]]));
        assert_eq!(failed(&mut stream, |r| read_plp(r, ALL)), Error::EndOfMessage, "{cut}");
    }
}

#[test]
fn several_of_them_in_one_step() {
    let value = content(9000);
    let column = |n: usize, chunk: usize| {
        plp(
            if n.is_multiple_of(2) { n as u64 } else { UNKNOWN },
            &value[..n].chunks(chunk).collect::<Vec<_>>(),
        )
    };
    let lengths = [(9000, 4000), (0, 1), (3001, 5), (1, 1), (8000, 8000)];
    let mut bytes = Vec::new();
    for (i, &(n, chunk)) in lengths.iter().enumerate() {
        bytes.push(i as u8);
        bytes.extend(column(n, chunk));
        bytes.extend(plp(NULL, &[]));
    }
    for (packet, read) in [(512, 512), (600, 7), (4096, 1460), (100, 99)] {
        let wire = Wire::tds(&bytes, packet);
        let (row, ..) = until_done(&mut stream(&wire), &wire.bytes, read, |r| {
            let mut row = Vec::new();
            for i in 0..lengths.len() {
                assert_eq!(r.u8()?, i as u8);
                row.push(read_plp(r, ALL)?.unwrap());
                assert!(read_plp(r, ALL)?.is_none());
            }
            Ok(row)
        });
        for (got, (n, _)) in row.iter().zip(lengths) {
            assert!(**got == value[..n], "{n} in packets of {packet}");
        }
    }
}

#[test]
fn it_lets_go_of_the_chunks_that_arrived() {
    let value = content(4 << 20);
    let wire = Wire::tds(&plp(UNKNOWN, &value.chunks(8000).collect::<Vec<_>>()), 4096);
    let mut stream = stream(&wire);
    let (got, ..) = until_done(&mut stream, &wire.bytes, 16_000, |r| read_plp(r, ALL));
    assert!(*got.unwrap() == value[..]);
    assert!(stream.stats().bytes_retained_high <= 2 * 64 * 1024, "{:?}", stream.stats());
}

/// Another method over a value that was begun: the raw bytes, or the news that they are gone.
#[test]
fn a_plp_value_that_is_read_otherwise() {
    let value = content(3000);
    let bytes = plp(3000, &value.chunks(1000).collect::<Vec<_>>());
    let wire = Wire::tds(&bytes, 512);
    for cut in (0..wire.bytes.len()).step_by(13) {
        let mut stream = stream(&wire);
        common::read(&mut stream, &wire.bytes[..cut]);
        starved(&mut stream, |r| read_plp(r, ALL));
        common::read(&mut stream, &wire.bytes[cut..]);
        match stream.read(|r| r.read_vec(bytes.len())) {
            Ok(Progress::Done(raw)) => assert!(*raw == bytes, "cut at {cut}"),
            result => assert_eq!(result.unwrap_err(), Error::StepChanged, "cut at {cut}"),
        }
    }
}

/// A plain value that was begun, and then is read as one with chunks.
#[test]
fn a_value_that_is_read_as_plp() {
    let bytes = plp(3000, &content(3000).chunks(1000).collect::<Vec<_>>());
    let wire = Wire::tds(&bytes, 512);
    for cut in (0..wire.bytes.len()).step_by(13) {
        let mut stream = stream(&wire);
        common::read(&mut stream, &wire.bytes[..cut]);
        starved(&mut stream, |r| r.read_vec(bytes.len()));
        common::read(&mut stream, &wire.bytes[cut..]);
        match stream.read(|r| read_plp(r, ALL)) {
            Ok(Progress::Done(value)) => assert!(*value.unwrap() == content(3000), "cut at {cut}"),
            result => assert_eq!(result.unwrap_err(), Error::StepChanged, "cut at {cut}"),
        }
    }
}
