//! SqlClient's `CanReadAwkwardDataLengths` by a parser of rows: its lengths, its packet sizes.

use crate::common;
use crate::wire::Wire;
use pktpool::tds::{Tds, read_plp};
use pktpool::{Limits, PacketStream, Progress, Reader, Stop, Value};
use serde::Deserialize;

#[derive(Deserialize)]
struct Awkward {
    first: usize,
    last: usize,
    step: usize,
    long: Vec<Vec<(usize, usize)>>,
    short: Vec<(usize, usize)>,
}

/// A row (int, guid, nvarchar(40), nvarchar(max)), as it was sent and as it is read.
struct Row<T> {
    id: i32,
    guid: [u8; 16],
    name: T,
    value: Option<T>,
}

const ROW: u8 = 0xD1;
const DONE: u8 = 0xFD;

fn text(seed: usize, characters: usize) -> Vec<u8> {
    // Some of them are surrogates: halves of a character in UTF-16.
    (0..characters).flat_map(|i| ((i * 37 + seed) as u16 | 0xC000).to_le_bytes()).collect()
}

fn rows(data: &Awkward) -> Vec<Row<Vec<u8>>> {
    let lengths = data.long.iter().flat_map(|long| long.iter().chain(&data.short));
    let row = |(id, &(name, value)): (usize, &(usize, usize))| Row {
        id: id as i32 - 3,
        guid: std::array::from_fn(|i| (i * 17 + id) as u8),
        name: text(id, name),
        // A NULL now and then, and a value of no length.
        value: (id % 11 != 10).then(|| text(id + 1000, if id % 11 == 9 { 0 } else { value })),
    };
    lengths.enumerate().map(row).collect()
}

/// As a server sends it: long values with or without their length, in one chunk or many.
fn encode(rows: &[Row<Vec<u8>>], chunk: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        out.push(ROW);
        out.push(4);
        out.extend(row.id.to_le_bytes());
        out.push(16);
        out.extend(row.guid);
        out.extend((row.name.len() as u16).to_le_bytes());
        out.extend(&row.name);
        let Some(value) = &row.value else {
            out.extend(u64::MAX.to_le_bytes());
            continue;
        };
        out.extend(if i % 3 == 0 { u64::MAX - 1 } else { value.len() as u64 }.to_le_bytes());
        for chunk in value.chunks(chunk) {
            out.extend((chunk.len() as u32).to_le_bytes());
            out.extend(chunk);
        }
        out.extend([0; 4]);
    }
    out.push(DONE);
    out.extend([0x10, 0, 0xC1, 0, 76, 0, 0, 0, 0, 0, 0, 0]);
    out
}

fn read_row(r: &mut Reader<'_>) -> Result<Option<Row<Value>>, Stop> {
    match r.u8()? {
        ROW => {}
        DONE => {
            let rest: [u8; 12] = r.bytes()?;
            assert_eq!((rest[4], r.at_message_end()), (76, true));
            return Ok(None);
        }
        token => panic!("token {token:#x}"),
    }
    let id = match r.u8()? {
        4 => r.i32_le()?,
        length => panic!("an int of {length} bytes"),
    };
    assert_eq!(r.u8()?, 16);
    let guid = r.bytes()?;
    let length = r.u16_le()?;
    let name = r.read_vec(length.into())?;
    Ok(Some(Row { id, guid, name, value: read_plp(r, 80_000)? }))
}

/// How many steps needed more.
fn check(rows: &[Row<Vec<u8>>], wire: &[u8], read: usize, context: &str) -> usize {
    let mut stream = PacketStream::new(Tds { max_packet: 65_535 }, Limits::default());
    let (mut rest, mut waits, mut expected) = (wire, 0, rows.iter());
    loop {
        match stream.read(read_row).unwrap() {
            Progress::NeedMore => {
                let n = rest.len().min(read);
                assert!(n > 0, "{context}: needs more than there is");
                common::read(&mut stream, &rest[..n]);
                rest = &rest[n..];
                waits += 1;
            }
            Progress::Done(Some(row)) => {
                let same = expected.next().unwrap();
                assert_eq!((row.id, row.guid), (same.id, same.guid), "{context}");
                assert!(*row.name == *same.name, "{context}: name of {}", row.id);
                assert!(
                    row.value.as_deref() == same.value.as_deref(),
                    "{context}: value of {}",
                    row.id
                );
            }
            Progress::Done(None) => break,
        }
    }
    assert!(expected.next().is_none() && rest.is_empty(), "{context}");
    stream.end_of_input().unwrap();
    assert_eq!(stream.stats().bytes_retained, 0);
    waits
}

#[test]
fn can_read_awkward_data_lengths() {
    let data: Awkward = common::load("awkward.toml");
    let rows = rows(&data);
    assert_eq!(rows.len(), 76);
    let messages = [80_000, 8000, 333].map(|chunk| encode(&rows, chunk));
    let mut tried = 0;
    for (i, size) in (data.first..data.last).step_by(data.step).enumerate() {
        let wire = Wire::tds(&messages[i % 3], size);
        // In step with the packets, out of step, many at once.
        let read = [size, 1460, 8000, size + 1, 64 << 10, size - 1, 100_000][i % 7];
        check(&rows, &wire.bytes, read, &format!("packets of {size}, reads of {read}"));
        tried += 1;
    }
    assert_eq!(tried, 512);
}

#[test]
fn awkward_data_a_few_bytes_a_read() {
    let data: Awkward = common::load("awkward.toml");
    let rows = &rows(&data)[3..19];
    for (chunk, size) in [(80_000, 512), (7, 515), (50, 2045)] {
        let wire = Wire::tds(&encode(rows, chunk), size);
        for read in [1, 2, 3, 7] {
            let waits =
                check(rows, &wire.bytes, read, &format!("packets of {size}, reads of {read}"));
            assert_eq!(waits, wire.bytes.len().div_ceil(read));
        }
    }
}
