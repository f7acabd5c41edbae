//! A client of our own: the protocol's packets written by hand, the server's read through a
//! [`PacketStream`].

use super::message::{Column, Fields, Malformed, Message, Row};
use super::steps::{self, Failure};
use crate::counterpart::Tally;
use crate::postgres::server::USER;
use anyhow::{Context as _, Result, bail};
use onecopy_benches::alloc;
use pktpool::postgres::Backend;
use pktpool::{Limits, PacketStream, Progress, Reader};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A server of ours that says nothing for so long will not say it.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// How messages are taken out of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Whole packets, borrowed: `next_packet`.
    Packets,
    /// Steps that run again when more came: `parse`.
    Steps,
    /// A step for the beginning of a message, and the rest of it as a packet.
    Halves,
}

impl By {
    pub(super) const ALL: [Self; 3] = [Self::Packets, Self::Steps, Self::Halves];
}

/// What a stream may hold for a step: two read buffers.
const RETAINED: usize = 2 * (64 << 10);

/// In which format values come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// A simple query.
    Text,
    /// The extended protocol.
    Binary,
}

/// What reading took, since it was last set to its default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) bytes: u64,
    pub(super) reads: u64,
    /// Steps that ran out of bytes.
    pub(super) continuations: u64,
    /// Allocations of all steps, and of the reads between them.
    pub(super) of_steps: u64,
    pub(super) of_reads: u64,
    /// The most bytes that the stream held.
    pub(super) retained: usize,
}

impl Spent {
    /// Reads may allocate a buffer (3 with the places of the chain) that was not needed before, or
    /// was given back after 64 reads without use; they do not allocate as they come.
    pub(super) fn buffers_only(&self, what: &str, tally: &mut Tally) {
        let bound = 3 * (1 + self.reads / 64);
        tally.at_most(format!("{what}: allocations of reads"), self.of_reads, bound);
    }
}

/// All that the server said to one question.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
    pub(super) tags: Vec<String>,
    pub(super) errors: Vec<Fields>,
    pub(super) notices: Vec<Fields>,
    pub(super) copied: Vec<u8>,
}

/// A connection, past its startup.
#[derive(Debug)]
pub(super) struct Connection {
    socket: TcpStream,
    stream: PacketStream<Backend>,
    by: By,
    most: usize,
    pub(super) spent: Spent,
}

impl Connection {
    /// Connects, and reads at most `most` bytes at once.
    pub(super) fn open(address: SocketAddr, by: By, most: usize) -> Result<Self> {
        let socket = TcpStream::connect(address)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_nodelay(true)?;
        let limits = Limits { max_retained: RETAINED, ..Limits::default() };
        let stream = PacketStream::new(Backend, limits);
        let mut connection = Self { socket, stream, by, most, spent: Spent::default() };
        let version = 196_608_i32.to_be_bytes(); // 3.0
        let body =
            [&version, &b"user\0"[..], USER.as_bytes(), b"\0database\0", USER.as_bytes(), b"\0\0"];
        connection.socket.write_all(&packet(None, &body))?;
        let answer = connection.answer()?;
        if let Some(error) = answer.errors.first() {
            bail!("not let in: {error:?}");
        }
        Ok(connection)
    }

    /// Asks; the answer is to be read.
    pub(super) fn ask(&mut self, query: &str, format: Format) -> Result<()> {
        let query = query.as_bytes();
        let packets = match format {
            Format::Text => packet(Some(b'Q'), &[query, b"\0"]),
            Format::Binary => [
                packet(Some(b'P'), &[b"\0", query, b"\0", b"\0\0"]), // no parameter's type
                packet(Some(b'B'), &[b"\0\0", b"\0\0", b"\0\0", b"\0\x01\0\x01"]), // all binary
                packet(Some(b'D'), &[b"P\0"]),
                packet(Some(b'E'), &[b"\0", &[0; 4]]), // all rows
                packet(Some(b'S'), &[]),
            ]
            .concat(),
        };
        Ok(self.socket.write_all(&packets)?)
    }

    /// Reads up to where the server is ready for the next question.
    pub(super) fn answer(&mut self) -> Result<Answer> {
        let mut answer = Answer::default();
        loop {
            match self.message()? {
                Message::Columns(columns) => answer.columns = columns,
                Message::Row(row) => answer.rows.push(row),
                Message::Complete(tag) => answer.tags.push(tag),
                Message::Error(fields) => answer.errors.push(fields),
                Message::Notice(fields) => answer.notices.push(fields),
                Message::Copied(bytes) => answer.copied.extend(bytes),
                Message::Ready => break,
                // A copy is not asked for with a FROM.
                Message::Other(b'G') => bail!("it waits for data"),
                Message::Other(_) => {}
            }
        }
        if self.stream.stats().bytes_retained > 0 {
            bail!("bytes after ReadyForQuery: {:?}", self.stream.stats());
        }
        Ok(answer)
    }

    /// The next message.
    pub(super) fn message(&mut self) -> Result<Message> {
        match self.by {
            By::Packets => self.packet(Message::of),
            By::Steps => Ok(self.until_done(steps::message)?.into_message()?),
            By::Halves => match self.until_done(steps::beginning)? {
                Ok((kind, payload)) => Ok(Message::of(kind, &payload)?),
                Err((kind, begun)) => self.packet(|same, rest| {
                    if same != kind {
                        return Err(Malformed("of another kind than it began as"));
                    }
                    Message::of(kind, &[&begun, rest].concat())
                }),
            },
        }
    }

    /// The next packet, or the rest of one, as `read` takes its kind and payload.
    fn packet(
        &mut self,
        read: impl Fn(u8, &[u8]) -> Result<Message, Malformed>,
    ) -> Result<Message> {
        loop {
            if let Some(packet) = self.stream.next_packet()? {
                return Ok(read(packet.kind, packet.payload())?);
            }
            self.fill()?;
        }
    }

    /// Runs a step until it is done.
    pub(super) fn until_done<T>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<T, Failure>,
    ) -> Result<T> {
        loop {
            let (progress, allocations) = counted(|| self.stream.parse(&mut step));
            self.spent.of_steps += allocations;
            if let Progress::Done(read) = progress? {
                return Ok(read);
            }
            self.spent.continuations += 1;
            self.spent.retained = self.spent.retained.max(self.stream.stats().bytes_retained);
            self.fill()?;
        }
    }

    /// The most bytes that the stream ever held.
    pub(super) fn held_at_most(&self) -> usize {
        self.stream.stats().bytes_retained_high
    }

    /// One read.
    fn fill(&mut self) -> Result<()> {
        let Self { socket, stream, most, .. } = self;
        let (read, allocations) = counted(|| -> Result<usize> {
            let spare = stream.spare_mut();
            let end = spare.len().min(*most);
            let n = socket.read(&mut spare[..end]).context("waiting for the server")?;
            stream.commit(n)?;
            Ok(n)
        });
        let n = read?;
        if n == 0 {
            self.stream.end_of_input()?;
            bail!("the server hung up");
        }
        self.spent.bytes += n as u64;
        self.spent.reads += 1;
        self.spent.of_reads += allocations;
        self.spent.retained = self.spent.retained.max(self.stream.stats().bytes_retained);
        Ok(())
    }

    /// Says goodbye and waits until the server hangs up.
    pub(super) fn close(mut self) -> Result<()> {
        self.socket.write_all(&packet(Some(b'X'), &[]))?;
        while self.socket.read(&mut [0; 64])? > 0 {}
        Ok(self.stream.end_of_input()?)
    }
}

/// A packet of the frontend: its kind, but for the first one, its length and these parts.
fn packet(kind: Option<u8>, parts: &[&[u8]]) -> Vec<u8> {
    let length = 4 + parts.iter().map(|part| part.len()).sum::<usize>();
    let length = u32::try_from(length).expect("no such long question").to_be_bytes();
    kind.into_iter().chain(length).chain(parts.concat()).collect()
}

/// Does it and counts what it took from the heap.
fn counted<T>(region: impl FnOnce() -> T) -> (T, u64) {
    let mut result = None;
    let (counts, _) = alloc::measure(|| result = Some(region()));
    (result.expect("it ran"), counts.allocs + counts.reallocs)
}
