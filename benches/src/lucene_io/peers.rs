//! The crates one would reach for instead, and have the same bytes on the wire for what is not
//! negative. Those with other bytes are in `foreign`. varint-simd is no peer: it is not compiled
//! unless the whole program is built for a processor with SSSE3.

use super::before;
use encoding_rs::mem::convert_utf16_to_utf8;
use integer_encoding::VarInt;
use prost::bytes::BufMut;
use prost::encoding::{DecodeContext, WireType, decode_varint, encode_varint};
use std::io::{BufWriter, Write};

pub(super) fn std_write_utf16(out: &mut Vec<u8>, units: &[u16]) {
    let text = String::from_utf16_lossy(units);
    before::write_vint(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Its fast path asks for three bytes a unit; the scratch is kept.
pub(super) fn encoding_rs_write_utf16(scratch: &mut Vec<u8>, out: &mut Vec<u8>, units: &[u16]) {
    let most = units.len() * 3;
    if scratch.len() < most {
        scratch.resize(most, 0);
    }
    let len = convert_utf16_to_utf8(units, scratch);
    before::write_vint(out, len);
    out.extend_from_slice(&scratch[..len]);
}

pub(super) fn prost_write(out: &mut Vec<u8>, text: &str) {
    encode_varint(text.len() as u64, out);
    out.put_slice(text.as_bytes());
}

pub(super) fn leb128_write(out: &mut Vec<u8>, text: &str) {
    leb128::write::unsigned(out, text.len() as u64).expect("a vector takes everything");
    out.extend_from_slice(text.as_bytes());
}

pub(super) fn integer_encoding_write(out: &mut Vec<u8>, text: &str) {
    let mut length = [0; 10];
    let width = text.len().encode_var(&mut length);
    out.extend_from_slice(&length[..width]);
    out.extend_from_slice(text.as_bytes());
}

/// The limit, not a format: a length of one byte, written without a look at it.
pub(super) fn std_write_short(out: &mut Vec<u8>, text: &str) {
    out.push(text.len() as u8);
    out.extend_from_slice(text.as_bytes());
}

/// The limit for what takes two bytes of length.
pub(super) fn std_write_long(out: &mut Vec<u8>, text: &str) {
    let len = text.len();
    out.extend_from_slice(&[len as u8 | 0x80, (len >> 7) as u8]);
    out.extend_from_slice(text.as_bytes());
}

/// As generated code reads a field of type `string`.
pub(super) fn prost_read_into(input: &mut &[u8], text: &mut String) {
    let context = DecodeContext::default();
    prost::encoding::string::merge(WireType::LengthDelimited, text, input, context)
        .expect("what was written");
}

pub(super) fn leb128_read<'a>(input: &mut &'a [u8]) -> &'a str {
    let len = leb128::read::unsigned(input).expect("what was written") as usize;
    text(input, len)
}

pub(super) fn integer_encoding_read<'a>(input: &mut &'a [u8]) -> &'a str {
    let (len, width) = usize::decode_var(input).expect("what was written");
    *input = &input[width..];
    text(input, len)
}

fn text<'a>(input: &mut &'a [u8], len: usize) -> &'a str {
    let (text, rest) = input.split_at(len);
    *input = rest;
    std::str::from_utf8(text).expect("what was written")
}

/// The limit: a length of one byte, and the bytes unchecked.
pub(super) fn std_read_short<'a>(input: &mut &'a [u8]) -> &'a [u8] {
    let (bytes, rest) = input[1..].split_at(usize::from(input[0]));
    *input = rest;
    bytes
}

/// The limit for a length of two bytes.
pub(super) fn std_read_long<'a>(input: &mut &'a [u8]) -> &'a [u8] {
    let len = usize::from(input[0] & 0x7F) | usize::from(input[1]) << 7;
    let (bytes, rest) = input[2..].split_at(len);
    *input = rest;
    bytes
}

pub(super) fn prost_sum(mut input: &[u8]) -> u64 {
    let mut sum = 0;
    while !input.is_empty() {
        sum += decode_varint(&mut input).expect("what was written");
    }
    sum
}

pub(super) fn leb128_sum(mut input: &[u8]) -> u64 {
    let mut sum = 0;
    while !input.is_empty() {
        sum += leb128::read::unsigned(&mut input).expect("what was written");
    }
    sum
}

pub(super) fn integer_encoding_sum(mut input: &[u8]) -> u64 {
    let mut sum = 0;
    while !input.is_empty() {
        let (value, width) = u64::decode_var(input).expect("what was written");
        sum += value;
        input = &input[width..];
    }
    sum
}

pub(super) fn prost_write_all(out: &mut Vec<u8>, values: &[u32]) {
    for &value in values {
        encode_varint(u64::from(value), out);
    }
}

pub(super) fn leb128_write_all(out: &mut Vec<u8>, values: &[u32]) {
    for &value in values {
        leb128::write::unsigned(out, u64::from(value)).expect("a vector takes everything");
    }
}

pub(super) fn integer_encoding_write_all(out: &mut Vec<u8>, values: &[u32]) {
    let mut bytes = [0; 10];
    for &value in values {
        let width = value.encode_var(&mut bytes);
        out.extend_from_slice(&bytes[..width]);
    }
}

/// The limit of a buffered file: nothing is hashed, and a length is one byte.
pub(super) fn std_file(out: &mut Vec<u8>, texts: &[String]) {
    let mut out = BufWriter::with_capacity(16 * 1024, out);
    for text in std::iter::repeat_n(texts, 20).flatten() {
        out.write_all(&[text.len() as u8]).expect("a vector takes everything");
        out.write_all(text.as_bytes()).expect("a vector takes everything");
    }
    out.flush().expect("a vector takes everything");
}
