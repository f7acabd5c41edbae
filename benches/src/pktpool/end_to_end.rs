//! A server's answer, read token by token through a stream, as a driver does. The drivers themselves are
//! heavy peers: benches/peers/tds.

use super::responses::{LARGE, large_value, small_rows};
use super::{after, value};
use crate::registry::Registry;
use crate::subject::Sink;
use pktpool::tds::{Tds, read_plp};
use pktpool::{PacketStream, Progress, Reader, Stop, Value};

/// What is offered to a read at most, as tiberius offers it.
const READ: usize = 8192;

pub(super) fn register(registry: &mut Registry) {
    registry.case("pktpool/end-to-end/value-10-mb", large_value).stateful(
        "after",
        |_| Driver::default(),
        Driver::large_value,
    );
    registry.case("pktpool/end-to-end/rows-20-000", small_rows).stateful(
        "after",
        |_| Driver::default(),
        Driver::small_rows,
    );
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Varbinary,
    VarbinaryMax,
}

enum Token {
    Columns,
    Row,
    Done { more: bool },
}

struct Driver {
    stream: PacketStream<Tds>,
    columns: Vec<Kind>,
    /// The columns of the last row, in order.
    ints: Vec<i32>,
    short: Vec<u8>,
    large: Option<Value>,
}

impl Default for Driver {
    fn default() -> Self {
        Self {
            stream: value::stream(Tds::default()),
            columns: Vec::new(),
            ints: Vec::new(),
            short: Vec::new(),
            large: None,
        }
    }
}

impl Driver {
    fn large_value(&mut self, answer: &'static Vec<u8>, sink: &mut Sink) {
        self.rows(answer, |driver| {
            sink.see(&driver.ints[0]);
            sink.see(&driver.large.take().unwrap_or_default()[..]);
            sink.see(&driver.ints[1]);
        });
    }

    fn small_rows(&mut self, answer: &'static Vec<u8>, sink: &mut Sink) {
        self.rows(answer, |driver| {
            sink.see(&driver.ints[0]);
            sink.see(&driver.short);
        });
    }

    /// Reads an answer, and shows each row.
    #[inline(always)]
    fn rows(&mut self, answer: &[u8], mut show: impl FnMut(&mut Self)) {
        for mut read in answer.chunks(READ) {
            while !read.is_empty() {
                read = after::receive_some(&mut self.stream, read);
                while let Progress::Done(token) = self.token() {
                    match token {
                        Token::Columns => {}
                        Token::Row => show(self),
                        Token::Done { more } => assert!(!more, "there is one answer"),
                    }
                }
            }
        }
    }

    fn token(&mut self) -> Progress<Token> {
        let Self { stream, columns, ints, short, large } = self;
        let step = stream.read(|reader| match reader.u8()? {
            0x81 => {
                columns.clear();
                for _ in 0..reader.u16_le()? {
                    columns.push(column(reader)?);
                }
                Ok(Token::Columns)
            }
            0xD1 => {
                ints.clear();
                for kind in &*columns {
                    match kind {
                        Kind::Int => match reader.u8()? {
                            4 => ints.push(reader.i32_le()?),
                            _ => return Err(Stop::Failed(pktpool::Error::BadHeader)),
                        },
                        Kind::Varbinary => {
                            let len = usize::from(reader.u16_le()?);
                            short.resize(len, 0);
                            reader.read_into(short)?;
                        }
                        Kind::VarbinaryMax => *large = read_plp(reader, LARGE)?,
                    }
                }
                Ok(Token::Row)
            }
            0xFD => {
                let more = reader.u16_le()? & 1 == 1;
                reader.skip(10)?;
                if !more {
                    reader.next_message()?;
                }
                Ok(Token::Done { more })
            }
            _ => Err(Stop::Failed(pktpool::Error::BadHeader)),
        });
        step.expect("the answer is well-formed")
    }
}

fn column(reader: &mut Reader<'_>) -> Result<Kind, Stop> {
    reader.skip(6)?;
    let kind = match reader.u8()? {
        0x26 => {
            reader.u8()?;
            Kind::Int
        }
        0xA5 if reader.u16_le()? == 0xFFFF => Kind::VarbinaryMax,
        _ => Kind::Varbinary,
    };
    let name = reader.u8()?;
    reader.skip(2 * u64::from(name))?;
    Ok(kind)
}
