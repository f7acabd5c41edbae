//! What a counterpart is asked about the primitives, and how that is written down for it.
//!
//! A record is the operation as one byte (below 32 write, from 32 on read) and what it is done with.
//! Numbers are big-endian, a text is its count of UTF-16 units and these, bytes are their count and
//! these. An answer is its length and an outcome as one byte, then what was written; or, of what was
//! read, the position (also when an integer was bad) and the value.

use super::texts;
use fastrand::Rng;

/// Outcomes, as the counterparts' programs number them.
pub(super) mod outcome {
    pub(crate) const FINE: u8 = 0;
    pub(crate) const EOF: u8 = 1;
    pub(crate) const BAD_INTEGER: u8 = 2;
    pub(crate) const REFUSED: u8 = 3;
    pub(crate) const CORRUPT: u8 = 4;
    pub(crate) const TOO_OLD: u8 = 5;
    pub(crate) const TOO_NEW: u8 = 6;
    pub(crate) const NEGATIVE_LENGTH: u8 = 7;
    /// Only ours: Java replaces.
    pub(crate) const NOT_UTF8: u8 = 8;
}

/// A value of a primitive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    I16(i16),
    I32(i32),
    I64(i64),
    VInt(i32),
    VLong(i64),
    ZInt(i32),
    ZLong(i64),
    Text(Vec<u16>),
    Map(Vec<(String, String)>),
    Set(Vec<String>),
    Header(Vec<u16>, i32),
    IndexHeader(Vec<u16>, i32, [u8; 16], Vec<u16>),
    Footer(Vec<u8>),
}

/// What is expected where a header is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) codec: String,
    pub(super) min: i32,
    pub(super) max: i32,
    pub(super) id: [u8; 16],
    pub(super) suffix: String,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    Write(Value),
    Read { op: u8, bytes: Vec<u8>, expected: Expected },
}

/// The operations by their numbers.
pub(super) mod op {
    pub(crate) const I16: u8 = 0;
    pub(crate) const I32: u8 = 1;
    pub(crate) const I64: u8 = 2;
    pub(crate) const VINT: u8 = 3;
    pub(crate) const VLONG: u8 = 4;
    pub(crate) const ZINT: u8 = 5;
    pub(crate) const ZLONG: u8 = 6;
    pub(crate) const TEXT: u8 = 7;
    pub(crate) const MAP: u8 = 8;
    pub(crate) const SET: u8 = 9;
    pub(crate) const HEADER: u8 = 10;
    pub(crate) const INDEX_HEADER: u8 = 11;
    pub(crate) const FOOTER: u8 = 12;
    /// Added to what is read.
    pub(crate) const READ: u8 = 32;
}

impl Value {
    pub(super) fn op(&self) -> u8 {
        match self {
            Self::I16(_) => op::I16,
            Self::I32(_) => op::I32,
            Self::I64(_) => op::I64,
            Self::VInt(_) => op::VINT,
            Self::VLong(_) => op::VLONG,
            Self::ZInt(_) => op::ZINT,
            Self::ZLong(_) => op::ZLONG,
            Self::Text(_) => op::TEXT,
            Self::Map(_) => op::MAP,
            Self::Set(_) => op::SET,
            Self::Header(..) => op::HEADER,
            Self::IndexHeader(..) => op::INDEX_HEADER,
            Self::Footer(_) => op::FOOTER,
        }
    }

    fn record(&self, into: &mut Vec<u8>) {
        match self {
            Self::I16(n) => into.extend(n.to_be_bytes()),
            Self::I32(n) | Self::VInt(n) | Self::ZInt(n) => into.extend(n.to_be_bytes()),
            Self::I64(n) | Self::VLong(n) | Self::ZLong(n) => into.extend(n.to_be_bytes()),
            Self::Text(units) => put_units(units, into),
            Self::Map(entries) => {
                put_count(entries.len(), into);
                for (key, value) in entries {
                    put_text(key, into);
                    put_text(value, into);
                }
            }
            Self::Set(entries) => {
                put_count(entries.len(), into);
                entries.iter().for_each(|entry| put_text(entry, into));
            }
            Self::Header(codec, version) => {
                put_units(codec, into);
                into.extend(version.to_be_bytes());
            }
            Self::IndexHeader(codec, version, id, suffix) => {
                put_units(codec, into);
                into.extend(version.to_be_bytes());
                into.extend(id);
                put_units(suffix, into);
            }
            Self::Footer(content) => put_bytes(content, into),
        }
    }
}

impl Question {
    pub(super) fn is_of_a_header(&self) -> bool {
        matches!(self, Self::Read { op: op::HEADER | op::INDEX_HEADER, .. })
    }

    /// The record that the counterpart is handed.
    pub(super) fn record(&self, into: &mut Vec<u8>) {
        match self {
            Self::Write(value) => {
                into.push(value.op());
                value.record(into);
            }
            Self::Read { op, bytes, expected } => {
                into.push(op::READ + op);
                put_bytes(bytes, into);
                if matches!(*op, op::HEADER | op::INDEX_HEADER) {
                    put_text(&expected.codec, into);
                    into.extend(expected.min.to_be_bytes());
                    into.extend(expected.max.to_be_bytes());
                }
                if *op == op::INDEX_HEADER {
                    into.extend(expected.id);
                    put_text(&expected.suffix, into);
                }
            }
        }
    }
}

fn put_count(count: usize, into: &mut Vec<u8>) {
    into.extend(i32::try_from(count).expect("a small count").to_be_bytes());
}

pub(super) fn put_units(units: &[u16], into: &mut Vec<u8>) {
    put_count(units.len(), into);
    into.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
}

pub(super) fn put_text(text: &str, into: &mut Vec<u8>) {
    put_units(&text.encode_utf16().collect::<Vec<_>>(), into);
}

pub(super) fn put_bytes(bytes: &[u8], into: &mut Vec<u8>) {
    put_count(bytes.len(), into);
    into.extend(bytes);
}

/// Numbers of every length, and those beside the powers of two.
fn number(rng: &mut Rng) -> i64 {
    let width = rng.u32(0..64);
    let near = match rng.u8(..4) {
        0 => (1_i64 << width).wrapping_add(rng.i64(-1..=1)),
        _ => rng.i64(..) >> width,
    };
    if rng.u8(..4) == 0 { near.wrapping_neg() } else { near }
}

fn small(rng: &mut Rng) -> i32 {
    (number(rng) >> [0, 32][rng.usize(..2)]) as i32
}

fn name(rng: &mut Rng) -> Vec<u16> {
    let length = [0, 1, 10, 24, 35, 126, 127, 128][rng.usize(..8)];
    let last = if rng.u8(..12) == 0 { 0xFF } else { 0x7E };
    (0..length).map(|_| rng.u16(0x20..=last)).collect()
}

fn suffix(rng: &mut Rng) -> Vec<u16> {
    let length = [0, 1, 3, 10, 40, 200, 255, 256][rng.usize(..8)];
    (0..length).map(|_| rng.u16(0x20..=0x7E)).collect()
}

/// Different texts, as keys are.
fn keys(rng: &mut Rng) -> Vec<String> {
    let count = [0, 1, 2, 12, 130][rng.usize(..5)];
    let mut keys: Vec<String> = Vec::new();
    while keys.len() < count {
        let length = if count < 100 { texts::length(rng).min(300) } else { rng.usize(1..9) };
        let key = texts::scalars(rng, length);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// A value for this operation.
pub(super) fn value(rng: &mut Rng, op: u8) -> Value {
    match op {
        op::I16 => Value::I16(small(rng) as i16),
        op::I32 => Value::I32(small(rng)),
        op::I64 => Value::I64(number(rng)),
        op::VINT => Value::VInt(small(rng)),
        op::VLONG => Value::VLong(number(rng)),
        op::ZINT => Value::ZInt(small(rng)),
        op::ZLONG => Value::ZLong(number(rng)),
        op::TEXT => {
            let length = texts::length(rng);
            Value::Text(texts::units(rng, length))
        }
        op::MAP => Value::Map(
            keys(rng)
                .into_iter()
                .map(|key| {
                    let length = rng.usize(..50);
                    (key, texts::scalars(rng, length))
                })
                .collect(),
        ),
        op::SET => Value::Set(keys(rng)),
        op::HEADER => Value::Header(name(rng), small(rng)),
        op::INDEX_HEADER => {
            Value::IndexHeader(name(rng), small(rng), rng.u128(..).to_be_bytes(), suffix(rng))
        }
        _ => {
            let length = texts::length(rng) * 7;
            Value::Footer((0..length).map(|_| rng.u8(..)).collect())
        }
    }
}
