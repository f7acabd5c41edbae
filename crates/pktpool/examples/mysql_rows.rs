//! A driver's half without input and output: rows of a MySQL server, as text, out of bytes that
//! somebody else reads.
//!
//! ```text
//! cargo run -p pktpool --example mysql_rows                # an answer that is built in
//! cargo run -p pktpool --example mysql_rows -- FILE [N]    # one that was captured
//! ```
//! It is fed `N` bytes at a time, 7 if not given. The formats are those of "Text Resultset" in MySQL's protocol documentation, of a connection with
//! `CLIENT_DEPRECATE_EOF`.

use pktpool::mysql::MySql;
use pktpool::{Error, Limits, NeedMoreOr, PacketStream, ParseError, Progress, Reader, Value};
use std::{env, fmt, fs};

/// What MariaDB 10.11 answers to `SELECT id, name FROM db.t`, which has (1, 'one') and (2, NULL).
const ANSWER: &[u8] = b"\x01\0\0\x01\x02\
    \x1e\0\0\x02\x03def\x02db\x01t\x01t\x02id\x02id\x0c\x3f\0\x0b\0\0\0\x03\0\0\0\0\0\
    \x22\0\0\x03\x03def\x02db\x01t\x01t\x04name\x04name\x0c\x2d\0\x28\0\0\0\xfd\0\0\0\0\0\
    \x06\0\0\x04\x011\x03one\
    \x03\0\0\x05\x012\xfb\
    \x07\0\0\x06\xfe\0\0\x22\0\0\0";

/// The first byte of a number or a packet that is something else.
const NULL: u8 = 0xFB;
const ERROR: u8 = 0xFF;
const END: u8 = 0xFE;
/// The largest value that is taken: a length from the wire is checked before anything is read by it.
const MAX_VALUE: u64 = 64 << 20;

/// Bytes that are no answer.
#[derive(Debug)]
struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a packet is not as it should be")
    }
}

impl std::error::Error for Malformed {}

type Step<T> = Result<T, NeedMoreOr<Malformed>>;

/// What [`Rows::next`] comes to. An error that the server reports is one of them: it would poison the
/// stream if a step failed with it, and the connection is as good as before.
#[derive(Debug)]
enum Event {
    Row(Vec<Option<Value>>),
    End,
    Refused { code: u16, text: String },
}

/// The answer to one query, told in pieces. What is known is kept here, never in a step, which may
/// run again.
struct Rows {
    stream: PacketStream<MySql>,
    /// How many columns there will be.
    count: Option<u64>,
    columns: Vec<String>,
}

impl Rows {
    fn new() -> Self {
        let limits = Limits { max_message: 256 << 20, ..Limits::default() };
        Self { stream: PacketStream::new(MySql, limits), count: None, columns: Vec::new() }
    }

    /// Bytes from the server. A driver that does its own reads has them go to
    /// [`PacketStream::spare_mut`] and saves the copy.
    fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.stream.feed(bytes)
    }

    /// The next event; [`Progress::NeedMore`] when more bytes are to be fed first.
    fn next(&mut self) -> Result<Progress<Event>, ParseError<Malformed>> {
        let count = match self.count {
            Some(count) => count,
            None => match self.stream.parse(head)? {
                Progress::Done(Ok(count)) => *self.count.insert(count),
                Progress::Done(Err(refused)) => return Ok(Progress::Done(refused)),
                Progress::NeedMore => return Ok(Progress::NeedMore),
            },
        };
        while (self.columns.len() as u64) < count {
            match self.stream.parse(column)? {
                Progress::Done(name) => self.columns.push(name),
                Progress::NeedMore => return Ok(Progress::NeedMore),
            }
        }
        let columns = self.columns.len();
        self.stream.parse(|reader| row(reader, columns))
    }
}

/// The first packet: the number of columns, or an error.
fn head(reader: &mut Reader<'_>) -> Step<Result<u64, Event>> {
    if reader.peek()? == ERROR {
        return refused(reader).map(Err);
    }
    let count = number(reader)?.ok_or(NeedMoreOr::Other(Malformed))?;
    reader.next_message()?;
    Ok(Ok(count))
}

/// The name of a column; the rest of its packet is of no use here.
fn column(reader: &mut Reader<'_>) -> Step<String> {
    for _ in 0..4 {
        let length = number(reader)?.ok_or(NeedMoreOr::Other(Malformed))?;
        reader.skip(length)?; // catalog, schema, table, table before it was renamed
    }
    let name = value(reader)?.ok_or(NeedMoreOr::Other(Malformed))?;
    reader.next_message()?;
    String::from_utf8(name.into_vec()).map_err(|_| NeedMoreOr::Other(Malformed))
}

fn row(reader: &mut Reader<'_>, columns: usize) -> Step<Event> {
    match reader.peek()? {
        ERROR => return refused(reader),
        // A row may begin with the same byte, but is then a packet of 16 MiB.
        END if reader.remaining_in_packet() < 0xFF_FFFF => {
            reader.next_message()?;
            return Ok(Event::End);
        }
        _ => {}
    }
    let values = (0..columns).map(|_| value(reader)).collect::<Step<_>>()?;
    reader.next_message()?;
    Ok(Event::Row(values))
}

fn refused(reader: &mut Reader<'_>) -> Step<Event> {
    reader.skip(1)?;
    let code = reader.u16_le()?;
    // What is left of a message of one packet, whose header was seen.
    let rest = reader.take(reader.remaining_in_packet())?;
    let text = String::from_utf8_lossy(&rest.flatten().copied().collect::<Vec<_>>()).into_owned();
    reader.next_message()?;
    Ok(Event::Refused { code, text })
}

/// A length-encoded text; `None` is NULL. Resumable, so that one of 60 MB costs its bytes once.
fn value(reader: &mut Reader<'_>) -> Step<Option<Value>> {
    match number(reader)? {
        None => Ok(None),
        Some(length @ ..=MAX_VALUE) => Ok(Some(reader.read_vec(length as usize)?)),
        Some(_) => Err(NeedMoreOr::Other(Malformed)),
    }
}

/// A length-encoded number.
fn number(reader: &mut Reader<'_>) -> Step<Option<u64>> {
    Ok(Some(match reader.u8()? {
        NULL => return Ok(None),
        0xFC => reader.u16_le()?.into(),
        0xFD => {
            let [a, b, c] = reader.bytes()?;
            u32::from_le_bytes([a, b, c, 0]).into()
        }
        0xFE => reader.u64_le()?,
        0xFF => return Err(NeedMoreOr::Other(Malformed)),
        small => small.into(),
    }))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = env::args().skip(1);
    let answer = args.next().map_or_else(|| Ok(ANSWER.to_vec()), fs::read)?;
    let most = args.next().map_or(Ok(7), |n| n.parse::<usize>())?.max(1);

    let mut rows = Rows::new();
    let mut reads = answer.chunks(most);
    loop {
        match rows.next()? {
            Progress::Done(Event::Row(values)) => {
                let text = |value: Option<Value>| match value {
                    Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    None => "NULL".to_owned(),
                };
                let values = rows.columns.iter().zip(values.into_iter().map(text));
                println!("{:?}", values.collect::<Vec<_>>());
            }
            Progress::Done(Event::End) => return Ok(()),
            Progress::Done(Event::Refused { code, text }) => {
                println!("error {code}: {text}");
                return Ok(());
            }
            Progress::NeedMore => match reads.next() {
                Some(bytes) => rows.feed(bytes)?,
                None => return Err("the answer is not complete".into()),
            },
        }
    }
}
