//! Lucene.NET's `DataOutput.WriteString` and `DataInput.ReadString`: as they were, and as published
//! in lucenenet#1207. The transcoder is the one that both share, a unit at a time.

pub(crate) mod stored;

use std::cell::RefCell;

/// Length, 7 bits a byte: as in both, on a vector.
pub(crate) fn write_vint(out: &mut Vec<u8>, value: usize) {
    let mut rest = value as u32;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// And back, from the front of a slice.
pub(super) fn read_vint(input: &mut &[u8]) -> usize {
    let mut value = 0_u32;
    let mut shift = 0;
    while let [byte, rest @ ..] = *input {
        *input = rest;
        value |= u32::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            break;
        }
        shift += 7;
    }
    value as usize
}

/// UnicodeUtil.UTF16toUTF8 into room for the worst case.
fn transcode(units: &[u16], out: &mut [u8]) -> usize {
    let mut upto = 0;
    let mut i = 0;
    while i < units.len() {
        let code = u32::from(units[i]);
        i += 1;
        if code < 0x80 {
            out[upto] = code as u8;
            upto += 1;
        } else if code < 0x800 {
            out[upto] = (0xC0 | code >> 6) as u8;
            out[upto + 1] = (0x80 | code & 0x3F) as u8;
            upto += 2;
        } else if !(0xD800..=0xDFFF).contains(&code) {
            out[upto] = (0xE0 | code >> 12) as u8;
            out[upto + 1] = (0x80 | code >> 6 & 0x3F) as u8;
            out[upto + 2] = (0x80 | code & 0x3F) as u8;
            upto += 3;
        } else if code < 0xDC00 && i < units.len() && (0xDC00..=0xDFFF).contains(&units[i]) {
            let code = 0x1_0000 + ((code & 0x3FF) << 10) + u32::from(units[i] & 0x3FF);
            i += 1;
            out[upto] = (0xF0 | code >> 18) as u8;
            out[upto + 1] = (0x80 | code >> 12 & 0x3F) as u8;
            out[upto + 2] = (0x80 | code >> 6 & 0x3F) as u8;
            out[upto + 3] = (0x80 | code & 0x3F) as u8;
            upto += 4;
        } else {
            out[upto..upto + 3].copy_from_slice(&[0xEF, 0xBF, 0xBD]);
            upto += 3;
        }
    }
    upto
}

/// A byte array that is grown to the worst case when it is too short: it always is.
#[inline(never)]
fn transcode_into(units: &[u16], result: &mut Vec<u8>) {
    let most = units.len() * 4;
    if result.len() < most {
        *result = vec![0; most];
    }
    let len = transcode(units, result);
    result.truncate(len);
}

/// `WriteString` before: a `BytesRef(10)`, replaced by a fresh array of 4 bytes a unit.
pub(crate) fn write_utf16(out: &mut Vec<u8>, units: &[u16]) {
    let mut bytes = vec![0; 10];
    transcode_into(units, &mut bytes);
    write_vint(out, bytes.len());
    out.extend_from_slice(&bytes);
}

/// What is kept on the stack at most.
const MAX_STACK: usize = 2048;

thread_local! {
    /// ArrayPool: an array that is handed out again as it is.
    static POOL: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn rent<T>(len: usize, run: impl FnOnce(&mut [u8]) -> T) -> T {
    POOL.with_borrow_mut(|pool| {
        if pool.len() < len {
            *pool = vec![0; len.next_power_of_two()];
        }
        run(&mut pool[..len])
    })
}

/// A zeroed array on the stack of about the length asked for (C#'s `stackalloc` has exactly it,
/// zeroed too), or one from the pool.
#[inline(always)]
fn scratch<T>(len: usize, run: impl FnOnce(&mut [u8]) -> T) -> T {
    match len {
        0..=64 => run(&mut [0; 64]),
        65..=256 => run(&mut [0; 256]),
        257..=MAX_STACK => run(&mut [0; MAX_STACK]),
        _ => rent(len, run),
    }
}

/// `WriteString` as published: the temporary on the stack, or from a pool.
pub(super) fn write_utf16_fixed(out: &mut Vec<u8>, units: &[u16]) {
    scratch(units.len() * 4, |bytes| {
        let len = transcode(units, bytes);
        write_vint(out, len);
        out.extend_from_slice(&bytes[..len]);
    });
}

/// `ReadString` before: a fresh array for the bytes, and a string made of them.
pub(crate) fn read_string(input: &mut &[u8]) -> String {
    let len = read_vint(input);
    let mut bytes = vec![0; len];
    read_bytes(input, &mut bytes);
    decode(&bytes)
}

/// `ReadString` as published: the bytes on the stack, or in a pooled array.
pub(super) fn read_string_fixed(input: &mut &[u8]) -> String {
    let len = read_vint(input);
    scratch(len, |bytes| {
        read_bytes(input, &mut bytes[..len]);
        decode(&bytes[..len])
    })
}

/// Encoding.UTF8.GetString, which replaces what is malformed and is quick when nothing is.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// A call, as it is a virtual one there: the copy is not to be optimised out.
#[inline(never)]
fn read_bytes(input: &mut &[u8], into: &mut [u8]) {
    let (bytes, rest) = input.split_at(into.len());
    into.copy_from_slice(bytes);
    *input = rest;
}
