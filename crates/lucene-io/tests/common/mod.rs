//! What the integration tests share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use lucene_io::{DataInput, DataOutput, Error};
use std::io::{self, Read, Write};

/// Bytes of hex digits; blanks are for the eye.
pub fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).expect("hex digits"))
        .collect();
    assert!(digits.len().is_multiple_of(2), "whole bytes: {hex}");
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// Sixteen bytes a line, with their offset and what is printable of them.
pub fn hexdump(bytes: &[u8]) -> String {
    let mut dump = String::new();
    for (i, line) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = line.iter().map(|b| format!("{b:02x}")).collect();
        let text: String =
            line.iter().map(|&b| if b.is_ascii_graphic() { char::from(b) } else { '.' }).collect();
        dump.push_str(&format!("{:04x}  {:47}  {text}\n", i * 16, hex.join(" ")));
    }
    dump
}

/// An input with the required methods only: tests the provided ones. Nothing is known of its end.
pub struct PlainInput<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl DataInput for PlainInput<'_> {
    fn read_byte(&mut self) -> Result<u8, Error> {
        let mut byte = [0];
        self.read_bytes(&mut byte)?;
        Ok(byte[0])
    }
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        match self.bytes[self.at..].get(..into.len()) {
            Some(bytes) => {
                into.copy_from_slice(bytes);
                self.at += into.len();
                Ok(())
            }
            None => Err(Error::UnexpectedEof { at: self.at as u64, need: into.len() as u64 }),
        }
    }
    fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
        if n > (self.bytes.len() - self.at) as u64 {
            return Err(Error::UnexpectedEof { at: self.at as u64, need: n });
        }
        self.at += n as usize;
        Ok(())
    }
    fn position(&self) -> u64 {
        self.at as u64
    }
}

/// An output with the required methods only.
#[derive(Default)]
pub struct PlainOutput(pub Vec<u8>);

impl DataOutput for PlainOutput {
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.0.push(byte);
        Ok(())
    }
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// A reader and writer that moves at most so many bytes at a time and is interrupted in between.
pub struct Dribble<T> {
    pub inner: T,
    pub most: usize,
    pub interrupt: bool,
}

impl<T> Dribble<T> {
    pub fn new(inner: T, most: usize) -> Self {
        Self { inner, most, interrupt: false }
    }

    fn turn(&mut self) -> io::Result<()> {
        self.interrupt = !self.interrupt;
        if self.interrupt { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

impl<T: Read> Read for Dribble<T> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.turn()?;
        let most = self.most.min(into.len());
        self.inner.read(&mut into[..most])
    }
}

impl<T: Write> Write for Dribble<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.turn()?;
        let most = self.most.min(bytes.len());
        self.inner.write(&bytes[..most])
    }
    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
