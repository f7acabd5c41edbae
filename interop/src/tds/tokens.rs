//! What the server says, as the token stream of \[MS-TDS\] 2.2.7.

use super::question::Answer;
use super::values::{Column, Value, to_utf16};

/// `Latin1_General_CI_AS`, as SQL Server names it in five bytes.
const COLLATION: [u8; 5] = [0x09, 0x04, 0xD0, 0x00, 0x34];

const COLMETADATA: u8 = 0x81;
const LOGINACK: u8 = 0xAD;
const ROW: u8 = 0xD1;
const ENVCHANGE: u8 = 0xE3;
const DONE: u8 = 0xFD;
const DONEPROC: u8 = 0xFE;
const DONEINPROC: u8 = 0xFF;
const RETURNSTATUS: u8 = 0x79;

const INTN: u8 = 0x26;
const NVARCHAR: u8 = 0xE7;
const BIGVARBINARY: u8 = 0xA5;

const PLP_NULL: u64 = u64::MAX;

/// Status bits of DONE.
const MORE: u16 = 0x01;
const COUNT: u16 = 0x10;
const ATTENTION: u16 = 0x20;

/// The answer to PRELOGIN: offsets and lengths of its options, then the options.
pub(super) fn prelogin() -> Vec<u8> {
    // VERSION 16.0.2000, ENCRYPTION not supported, INSTOPT, THREADID, MARS off.
    let options: [(u8, &[u8]); 5] =
        [(0, &[16, 0, 0x07, 0xD0, 0, 0]), (1, &[2]), (2, &[0]), (3, &[]), (4, &[0])];
    let mut offset = 5 * options.len() + 1;
    let (mut head, mut data) = (Vec::new(), Vec::new());
    for (option, value) in options {
        head.push(option);
        head.extend((offset as u16).to_be_bytes());
        head.extend((value.len() as u16).to_be_bytes());
        offset += value.len();
        data.extend_from_slice(value);
    }
    head.push(0xFF);
    head.extend(data);
    head
}

/// The answer to LOGIN7: which database, collation, version and packet size hold from here on.
pub(super) fn login(database: &str, version: u32, packet_size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    env_change(&mut out, 1, &b_varchar(database), &b_varchar("master"));
    env_change(&mut out, 7, &[&[5], &COLLATION[..]].concat(), &[0]);
    let mut ack = vec![1];
    ack.extend(version.to_be_bytes());
    ack.extend(b_varchar("Microsoft SQL Server"));
    ack.extend([16, 0, 0x07, 0xD0]);
    out.push(LOGINACK);
    out.extend((ack.len() as u16).to_le_bytes());
    out.extend(ack);
    env_change(&mut out, 4, &b_varchar(&packet_size.to_string()), &b_varchar("4096"));
    out.extend(done(DONE, 0, 0));
    out
}

/// What is answered to a batch that asks for no rows.
pub(super) fn nothing() -> Vec<u8> {
    done(DONE, 0, 0)
}

/// What is answered to an attention.
pub(super) fn attention() -> Vec<u8> {
    done(DONE, ATTENTION, 0)
}

/// The end of rows without end, when nobody stopped them.
pub(super) fn end(rows: u64) -> Vec<u8> {
    done(DONE, COUNT, rows)
}

/// How a call ends.
pub(super) fn end_of_call() -> Vec<u8> {
    let mut out = vec![RETURNSTATUS, 0, 0, 0, 0];
    out.extend(done(DONEPROC, 0, 0));
    out
}

/// A whole answer, to a batch or to a call.
pub(super) fn answer(answer: &Answer, call: bool) -> Vec<u8> {
    let mut out = Vec::new();
    metadata(&mut out, &answer.columns);
    for values in &answer.rows {
        row(&mut out, &answer.columns, values, answer.chunk);
    }
    let count = answer.rows.len() as u64;
    if call {
        out.extend(done(DONEINPROC, COUNT | MORE, count));
        out.extend(end_of_call());
    } else {
        out.extend(end(count));
    }
    out
}

/// The columns, which are named c0, c1…
pub(super) fn metadata(out: &mut Vec<u8>, columns: &[Column]) {
    out.push(COLMETADATA);
    out.extend((columns.len() as u16).to_le_bytes());
    for (at, column) in columns.iter().enumerate() {
        // No user type; may be NULL, may be changed.
        out.extend([0, 0, 0, 0, 9, 0]);
        match column {
            Column::Int => out.extend([INTN, 4]),
            Column::NVarChar(units) => {
                out.push(NVARCHAR);
                out.extend((2 * units).to_le_bytes());
                out.extend(COLLATION);
            }
            Column::NVarCharMax => {
                out.extend([NVARCHAR, 0xFF, 0xFF]);
                out.extend(COLLATION);
            }
            Column::VarBinaryMax => out.extend([BIGVARBINARY, 0xFF, 0xFF]),
        }
        out.extend(b_varchar(&format!("c{at}")));
    }
}

/// One row.
pub(super) fn row(out: &mut Vec<u8>, columns: &[Column], values: &[Value], chunk: usize) {
    out.push(ROW);
    for (column, value) in columns.iter().zip(values) {
        match (column, value) {
            (Column::Int, Value::Int(number)) => {
                out.push(4);
                out.extend(number.to_le_bytes());
            }
            (Column::Int, _) => out.push(0),
            (Column::NVarChar(_), Value::Text(text)) => {
                let units = to_utf16(text);
                out.extend((units.len() as u16).to_le_bytes());
                out.extend(units);
            }
            (Column::NVarChar(_), _) => out.extend([0xFF, 0xFF]),
            (_, Value::Text(text)) => plp(out, &to_utf16(text), chunk),
            (_, Value::Bytes(bytes)) => plp(out, bytes, chunk),
            (_, Value::Int(_) | Value::Null) => out.extend(PLP_NULL.to_le_bytes()),
        }
    }
}

/// A value in chunks: its length, each chunk behind its own, and a chunk of none.
fn plp(out: &mut Vec<u8>, value: &[u8], chunk: usize) {
    out.extend((value.len() as u64).to_le_bytes());
    for chunk in value.chunks(chunk) {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(chunk);
    }
    out.extend([0; 4]);
}

fn done(token: u8, status: u16, count: u64) -> Vec<u8> {
    let mut out = vec![token];
    out.extend(status.to_le_bytes());
    // The command was a SELECT.
    out.extend(0xC1_u16.to_le_bytes());
    out.extend(count.to_le_bytes());
    out
}

fn env_change(out: &mut Vec<u8>, what: u8, new: &[u8], old: &[u8]) {
    out.push(ENVCHANGE);
    out.extend((1 + new.len() as u16 + old.len() as u16).to_le_bytes());
    out.push(what);
    out.extend(new);
    out.extend(old);
}

/// Text behind one byte that counts its UTF-16 units.
fn b_varchar(text: &str) -> Vec<u8> {
    let units = to_utf16(text);
    let mut out = vec![(units.len() / 2) as u8];
    out.extend(units);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layouts of \[MS-TDS\] 2.2.5.2.3 (PLP), 2.2.6.4 (PRELOGIN), 2.2.7.6 (DONE), 2.2.7.9.
    #[test]
    fn tokens_are_laid_out_as_specified() {
        let mut out = Vec::new();
        plp(&mut out, b"abcde", 3);
        assert_eq!(out, b"\x05\0\0\0\0\0\0\0\x03\0\0\0abc\x02\0\0\0de\0\0\0\0");
        out.clear();
        plp(&mut out, b"", 3);
        assert_eq!(out, [0; 12]);
        assert_eq!(attention(), b"\xFD\x20\0\xC1\0\0\0\0\0\0\0\0\0");
        out.clear();
        env_change(&mut out, 4, &b_varchar("512"), &b_varchar("4096"));
        assert_eq!(out[..3], [0xE3, 17, 0]);
        assert_eq!(out.len(), 3 + 17);
        let prelogin = prelogin();
        assert_eq!(prelogin[..5], [0, 0, 26, 0, 6]);
        assert_eq!(prelogin[5..10], [1, 0, 32, 0, 1]);
        assert_eq!(prelogin[32], 2);
    }
}
