//! Ours, through the public API.

use super::input::Strings;
use crate::subject::Sink;
use lucene_io::{DataInput, DataOutput, IndexOutput, SliceInput, WriteOutput};
use std::hint::black_box;

const WRITTEN: &str = "what was written";

pub(super) fn write_utf16(out: &mut Vec<u8>, units: &[u16]) {
    out.write_utf16(units).expect(WRITTEN);
}

pub(super) fn write_string(out: &mut Vec<u8>, text: &str) {
    out.write_string(text).expect(WRITTEN);
}

pub(super) fn read_strings(strings: &'static Strings, sink: &mut Sink) {
    let mut input = SliceInput::new(&strings.encoded);
    while input.remaining() > 0 {
        sink.see(&input.read_string().expect(WRITTEN));
    }
}

pub(super) fn read_strs(strings: &'static Strings, sink: &mut Sink) {
    let mut input = SliceInput::new(&strings.encoded);
    while input.remaining() > 0 {
        sink.see(input.read_str().expect(WRITTEN));
    }
}

pub(super) fn read_strings_into(text: &mut String, strings: &'static Strings, sink: &mut Sink) {
    let mut input = SliceInput::new(&strings.encoded);
    while input.remaining() > 0 {
        input.read_string_into(text).expect(WRITTEN);
        sink.see(text);
    }
}

pub(super) fn sum(bytes: &[u8]) -> u64 {
    let mut input = SliceInput::new(bytes);
    let mut sum = 0;
    while input.remaining() > 0 {
        sum += u64::from(input.read_vint().expect(WRITTEN) as u32);
    }
    sum
}

pub(super) fn write_vints(out: &mut Vec<u8>, values: &[u32]) {
    for &value in values {
        out.write_vint(value as i32).expect(WRITTEN);
    }
}

/// A file of 20 times the strings, hashed on the way.
pub(super) fn file(out: &mut Vec<u8>, texts: &[String]) {
    let mut out = WriteOutput::new(out);
    for text in std::iter::repeat_n(texts, 20).flatten() {
        out.write_string(text).expect(WRITTEN);
    }
    black_box(out.checksum());
    out.close().expect(WRITTEN);
}
