//! The loop of a driver: rows of a PostgreSQL server out of reads of any size.
//!
//! ```text
//! cargo run -p pktpool --example postgres_rows                # an answer that is built in
//! cargo run -p pktpool --example postgres_rows -- FILE [N]    # one that was captured, `-` is stdin
//! ```
//! Reads are of `N` bytes at most, 7 if not given. The formats are those of the chapter "Message
//! Formats" of PostgreSQL's documentation.

use pktpool::postgres::Backend;
use pktpool::{Limits, NeedMoreOr, PacketStream, Progress, Reader, Value};
use std::error::Error;
use std::io::{self, Read, Write};
use std::{env, fmt, fs::File};

/// What PostgreSQL 15 answers to `SELECT * FROM (VALUES (1, 'one', NULL), (2, '', 'zwei'),
/// (3, NULL, '三')) AS t (id, english, other)`.
const ANSWER: &[u8] = b"T\0\0\0M\0\x03\
    id\0\0\0\0\0\0\0\0\0\0\x17\0\x04\xff\xff\xff\xff\0\0\
    english\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0\
    other\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0\
    D\0\0\0\x16\0\x03\0\0\0\x011\0\0\0\x03one\xff\xff\xff\xff\
    D\0\0\0\x17\0\x03\0\0\0\x012\0\0\0\0\0\0\0\x04zwei\
    D\0\0\0\x16\0\x03\0\0\0\x013\xff\xff\xff\xff\0\0\0\x03\xe4\xb8\x89\
    C\0\0\0\x0dSELECT 3\0\
    Z\0\0\0\x05I";

/// A message of the server.
enum Message {
    Columns(Vec<String>),
    /// `None` is NULL.
    Row(Vec<Option<Value>>),
    Complete(String),
    /// The fields of an error: a letter and a text each.
    Error(Vec<String>),
    Other,
}

/// One step of the parser: a message. It runs again from its start when more bytes came, so it does
/// nothing but return what it read. A value that is read with `read_vec` is not read a second time,
/// and its bytes are let go as they come, however large it is.
fn message(reader: &mut Reader<'_>) -> Result<Message, NeedMoreOr<Malformed>> {
    let message = match reader.kind()? {
        b'T' => {
            let columns = (0..reader.u16_be()?).map(|_| {
                let name = text(reader)?;
                reader.skip(18)?; // table, column, type, size, modifier, format
                Ok(name)
            });
            Message::Columns(columns.collect::<Result<_, NeedMoreOr<Malformed>>>()?)
        }
        b'D' => {
            let mut row = Vec::new();
            for _ in 0..reader.u16_be()? {
                row.push(match reader.i32_be()? {
                    -1 => None,
                    length => {
                        let length = length.try_into().map_err(|_| NeedMoreOr::Other(Malformed))?;
                        Some(reader.read_vec(length)?)
                    }
                });
            }
            Message::Row(row)
        }
        b'C' => Message::Complete(text(reader)?),
        b'E' => {
            let mut fields = Vec::new();
            while reader.peek()? != 0 {
                fields.push(text(reader)?);
            }
            Message::Error(fields)
        }
        _ => Message::Other,
    };
    reader.next_message()?; // and over what is left of this one
    Ok(message)
}

/// A text that ends with a zero byte.
fn text(reader: &mut Reader<'_>) -> Result<String, NeedMoreOr<Malformed>> {
    let mut text = Vec::new();
    loop {
        match reader.u8()? {
            0 => return String::from_utf8(text).map_err(|_| NeedMoreOr::Other(Malformed)),
            byte => text.push(byte),
        }
    }
}

#[derive(Debug)]
struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message is not as its kind should be")
    }
}

impl Error for Malformed {}

fn show(message: &Message, out: &mut impl Write) -> io::Result<()> {
    match message {
        Message::Columns(names) => writeln!(out, "{}", names.join(" | ")),
        Message::Row(row) => {
            let value = |value: &Option<Value>| match value {
                Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                None => "NULL".to_owned(),
            };
            writeln!(out, "{}", row.iter().map(value).collect::<Vec<_>>().join(" | "))
        }
        Message::Complete(tag) => writeln!(out, "({tag})"),
        Message::Error(fields) => writeln!(out, "error: {}", fields.join(", ")),
        Message::Other => Ok(()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let mut input: Box<dyn Read> = match args.next().as_deref() {
        None => Box::new(ANSWER),
        Some("-") => Box::new(io::stdin()),
        Some(path) => Box::new(File::open(path)?),
    };
    let most = args.next().map_or(Ok(7), |n| n.parse::<usize>())?.max(1);
    let mut out = io::stdout().lock();

    let mut stream = PacketStream::new(Backend, Limits::default());
    let mut reads = 0;
    loop {
        while let Progress::Done(message) = stream.parse(message)? {
            show(&message, &mut out)?;
        }
        let spare = stream.spare_mut();
        let end = spare.len().min(most);
        let n = input.read(&mut spare[..end])?;
        if n == 0 {
            stream.end_of_input()?; // an error in the middle of a message
            break;
        }
        stream.commit(n)?;
        reads += 1;
    }
    let held = stream.stats().bytes_retained_high;
    writeln!(out, "in {reads} reads, with at most {held} bytes held")?;
    Ok(())
}
