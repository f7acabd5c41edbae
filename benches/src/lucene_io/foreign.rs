//! Peers that write the same strings and integers in other bytes: bincode, whose lengths up to 250
//! are one byte, and tantivy-common, whose integers have the stop bit the other way round. What they
//! wrote is digested as Lucene would have written what is read back from it.

use crate::digest::{Digest, Digester};
use bincode::config::{Configuration, standard};
use lucene_io::DataOutput;
use std::borrow::Cow;
use tantivy_common::{BinarySerializable, read_u32_vint, write_u32_vint};

const TAKES_ALL: &str = "a vector takes everything";
const WRITTEN: &str = "what was written";
const CONFIG: Configuration = standard();

/// Strings in another format, and how they are read.
pub(super) struct Strings<'a>(pub(super) &'a [u8], pub(super) fn(&mut &[u8]) -> String);

impl Digest for Strings<'_> {
    fn digest(&self, into: &mut Digester) {
        let (mut rest, mut out) = (self.0, Vec::new());
        while !rest.is_empty() {
            out.write_string(&(self.1)(&mut rest)).expect(TAKES_ALL);
        }
        into.value(&out);
    }
}

/// Integers of tantivy-common.
pub(super) struct Integers<'a>(pub(super) &'a [u8]);

impl Digest for Integers<'_> {
    fn digest(&self, into: &mut Digester) {
        let (mut rest, mut out) = (self.0, Vec::new());
        while !rest.is_empty() {
            out.write_vint(read_u32_vint(&mut rest) as i32).expect(TAKES_ALL);
        }
        into.value(&out);
    }
}

pub(super) fn bincode_write(out: &mut Vec<u8>, text: &str) {
    bincode::encode_into_std_write(text, out, CONFIG).expect(TAKES_ALL);
}

pub(super) fn bincode_read(input: &mut &[u8]) -> String {
    let (text, len) = bincode::decode_from_slice(input, CONFIG).expect(WRITTEN);
    *input = &input[len..];
    text
}

pub(super) fn bincode_read_str<'a>(input: &mut &'a [u8]) -> &'a str {
    let (text, len) = bincode::borrow_decode_from_slice(input, CONFIG).expect(WRITTEN);
    *input = &input[len..];
    text
}

/// As `String` does it, which would need one.
pub(super) fn tantivy_write(out: &mut Vec<u8>, text: &str) {
    Cow::Borrowed(text).serialize(out).expect(TAKES_ALL);
}

/// The only way that it has.
pub(super) fn tantivy_read(input: &mut &[u8]) -> String {
    String::deserialize(input).expect(WRITTEN)
}

pub(super) fn tantivy_write_all(out: &mut Vec<u8>, values: &[u32]) {
    for &value in values {
        write_u32_vint(value, out).expect(TAKES_ALL);
    }
}

pub(super) fn tantivy_sum(mut input: &[u8]) -> u64 {
    let mut sum = 0;
    while !input.is_empty() {
        sum += u64::from(read_u32_vint(&mut input));
    }
    sum
}
