#![doc = include_str!("../README.md")]
//!
//! # Which type for what
//! * bytes of a socket into packets: [`PacketStream`], with a [`Framing`]: [`tds::Tds`], [`smp::Smp`],
//!   [`postgres::Backend`], [`postgres::Frontend`], [`mysql::MySql`], [`LengthDelimited`], or your own
//! * packets into what they mean: a step over a [`Reader`], run by [`PacketStream::parse`], or by
//!   [`parse_each`](PacketStream::parse_each) as often as what arrived is enough for
//! * a message into packets: [`tds::Packetizer`]
//! * keep packets of your own for a parse that was abandoned half-way, replay or continue it:
//!   [`Snapshot`]
//! * reuse values of another shape, with a bound: [`FreeList`]
//!
//! # Three ways to read
//! | what you have | what to call | what it costs |
//! |---|---|---|
//! | A packet is what you work on: a proxy, a router, a frame that is small or handled whole | [`next_packet`](PacketStream::next_packet) | nothing but the read; a packet longer than a read buffer is joined |
//! | What you work on goes across packets, and is small: a row, a token, a column's header | [`parse`](PacketStream::parse) with the scalar reads and [`take`](Reader::take) | a step that runs out of bytes runs again from its start, so keep steps small: one row, one token; of which many arrive at once, [`parse_each`](PacketStream::parse_each) saves what beginning each of them costs |
//! | A value of any size in it | a *resumable* read inside the step: [`read_vec`](Reader::read_vec), [`skip`](Reader::skip), [`next_message`](Reader::next_message), [`tds::read_plp`] | each byte once, however often the step runs again; what was read is let go at once |
//!
//! They may be mixed: after a step, `next_packet` gives what the step left. When in doubt, take `parse`
//! with a step that reads one row or token, and `read_vec` in it for every value that may be long.
//!
//! Who owns the socket decides what is around it: your event loop ([`feed`](PacketStream::feed), or a
//! read into [`spare_mut`](PacketStream::spare_mut) and [`commit`](PacketStream::commit)), or with the
//! feature `tokio` a [`tokio::Connection`], which has the same three ways and does the reads.
//!
//! # How to read what
//! | what | how |
//! |---|---|
//! | a number of 3 bytes | `let [a, b, c] = r.bytes()?;` and `u32::from_le_bytes([a, b, c, 0])` |
//! | a short text | `r.take(n)?.flatten().copied().collect::<Vec<u8>>()`: join first, decode then |
//! | a value of up to `n` bytes | check `n` against a limit of yours, then `r.read_vec(n)?` |
//! | what is left of a message of one packet | `r.take(r.remaining_in_packet())?`, once a byte or the [`kind`](Reader::kind) of it was read: before, nothing may be known of it |
//! | the same of several packets | `while !r.at_message_end() { text.push(r.u8()?) }` |
//! | a value to pass on as it comes, to a file | a step for each piece, `r.take(n.min(8192))`; what is left is yours to count |
//! | nothing more of this message | `r.next_message()?`, at the end of every step that reads one message |
//! | an error that the server reports | return it as a value: what a step *fails* with ends the stream |
//! | bytes that cannot be | `.map_err(NeedMoreOr::Other)?` |
//!
//! `examples/mysql_rows.rs` has most of these. A value that is passed on needs a number beside the
//! stream, as each piece is a step of its own:
//!
//! ```
//! use pktpool::{Limits, PacketStream, Progress, postgres::Backend};
//! # let socket = [&b"d\0\x01\x86\xA4"[..], &[7; 100_000]].concat();
//! # let (mut file, mut held) = (Vec::new(), 0);
//!
//! let mut stream = PacketStream::new(Backend, Limits::default());
//! let mut left = None; // of a CopyData message, once its header is there
//! for read in socket.chunks(1460) {
//!     stream.feed(read)?;
//!     if left.is_none() {
//!         left = stream.read(|r| r.kind().map(|_| r.remaining_in_packet()))?.done();
//!     }
//!     while let Some(n @ 1..) = left
//!         && let Progress::Done(piece) =
//!             stream.read(|r| Ok(r.take(n.min(8192))?.flatten().copied().collect::<Vec<u8>>()))?
//!     {
//!         left = Some(n - piece.len());
//!         file.extend(piece);
//!     }
//! #   held = held.max(stream.stats().bytes_retained);
//! }
//! assert_eq!((left, file.len()), (Some(0), 100_000));
//! # assert!(held < 8192 + 1460);
//! # stream.end_of_input()?;
//! # Ok::<(), pktpool::Error>(())
//! ```
//!
//! # A row parser
//! Rows of three columns, as SQL Server sends them: `int`, `nvarchar(40)` and `varbinary(max)`, each of
//! which may be NULL. The step reads one row and returns it. It may run out of bytes at any place, also
//! inside a packet's header, and is then run again from its start; only the `varbinary(max)`, which may
//! have any length, is not read again but gone on with.
//!
//! ```
//! use pktpool::{Limits, NeedMoreOr, PacketStream, ParseError, Progress, Reader, Value, tds};
//!
//! #[derive(Debug, PartialEq)]
//! enum Token {
//!     Row { id: Option<i32>, name: Option<String>, data: Option<Value> },
//!     Done { rows: u64 },
//! }
//!
//! #[derive(Debug, PartialEq)]
//! enum Bad {
//!     Token(u8),
//!     IntLength(u8),
//!     Text,
//! }
//!
//! /// One token of the response. It does nothing but read: what it made is the caller's once it is done.
//! fn token(r: &mut Reader<'_>) -> Result<Token, NeedMoreOr<Bad>> {
//!     match r.u8()? {
//!         0xD1 => {
//!             let id = match r.u8()? {
//!                 0 => None, // NULL
//!                 4 => Some(r.i32_le()?),
//!                 other => return Err(NeedMoreOr::Other(Bad::IntLength(other))),
//!             };
//!             let name = match r.u16_le()? {
//!                 0xFFFF => None, // NULL; 0 is an empty text
//!                 // Across packets, a character may be cut: join first, decode then.
//!                 bytes => Some(text(r.take(bytes.into())?.flatten().copied())?),
//!             };
//!             let data = tds::read_plp(r, 1 << 30)?;
//!             Ok(Token::Row { id, name, data })
//!         }
//!         0xFD => {
//!             r.skip(4)?; // status and command
//!             let rows = r.u64_le()?;
//!             r.next_message()?; // so that the next step begins with the next response
//!             Ok(Token::Done { rows })
//!         }
//!         other => Err(NeedMoreOr::Other(Bad::Token(other))),
//!     }
//! }
//!
//! fn text(mut bytes: impl Iterator<Item = u8>) -> Result<String, NeedMoreOr<Bad>> {
//!     let units = std::iter::from_fn(|| Some(u16::from_le_bytes([bytes.next()?, bytes.next()?])));
//!     let text: Result<String, _> = char::decode_utf16(units).collect();
//!     text.map_err(|_| NeedMoreOr::Other(Bad::Text))
//! }
//!
//! /// All tokens of a response, from a socket that gives `read` bytes at a time.
//! fn response(wire: &[u8], read: usize) -> Result<Vec<Token>, ParseError<Bad>> {
//!     let mut stream = PacketStream::new(tds::Tds::default(), Limits::default());
//!     let (mut tokens, mut socket) = (Vec::new(), wire.chunks(read));
//!     loop {
//!         match stream.parse(token)? {
//!             Progress::Done(done @ Token::Done { .. }) => {
//!                 tokens.push(done);
//!                 return Ok(tokens);
//!             }
//!             Progress::Done(row) => tokens.push(row),
//!             // Here a driver returns to its event loop, and comes back when the socket is readable.
//!             Progress::NeedMore => match socket.next() {
//!                 Some(bytes) => stream.feed(bytes)?,
//!                 None => stream.end_of_input()?, // an error, as the response is not complete
//!             },
//!         }
//!     }
//! }
//!
//! // Two rows, (7, "né", 5000 bytes in chunks of 2000) and (NULL, NULL, NULL), in packets of 512.
//! let data = vec![0x42; 5000];
//! let mut message = b"\xD1\x04\x07\0\0\0\x04\0n\0\xE9\0".to_vec();
//! message.extend(5000_u64.to_le_bytes());
//! for chunk in data.chunks(2000) {
//!     message.extend((chunk.len() as u32).to_le_bytes());
//!     message.extend(chunk);
//! }
//! message.extend([0; 4]);
//! message.extend(b"\xD1\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
//! message.extend(b"\xFD\x10\0\xC1\0\x02\0\0\0\0\0\0\0");
//! let mut wire = Vec::new();
//! for (header, payload) in tds::Packetizer::new(0x04, 512)?.packets(&message) {
//!     wire.extend(header.to_bytes());
//!     wire.extend(payload);
//! }
//!
//! for read in [1, 7, 1460, 65_536] {
//!     let tokens = response(&wire, read).unwrap();
//!     let [Token::Row { id, name, data: Some(value) }, null, done] = &tokens[..] else {
//!         panic!("{tokens:?}")
//!     };
//!     assert_eq!((*id, name.as_deref(), &value[..]), (Some(7), Some("né"), &data[..]));
//!     assert_eq!(*null, Token::Row { id: None, name: None, data: None });
//!     assert_eq!(*done, Token::Done { rows: 2 });
//! }
//! let cut = response(&wire[..wire.len() - 1], 1460);
//! assert!(matches!(cut, Err(ParseError::Stream(pktpool::Error::UnexpectedEof { .. }))));
//! # Ok::<(), pktpool::Error>(())
//! ```
//!
//! # Rules of a step
//! * It does nothing outside itself, as it may run again: no row pushed to a vector, no counter raised.
//! * It runs again as it ran before: the same reads at the same places, as long as they show the same
//!   bytes. Where it reads otherwise over bytes that a resumable read had let go, it fails with
//!   [`Error::StepChanged`]; it never sees other bytes. Dropping them with
//!   [`next_message`](Reader::next_message) is always possible.
//! * Reads stay inside one message. The first that would go past its end fails with
//!   [`Error::EndOfMessage`] and does not move the reader; a step may catch that and go on.
//! * A read that fails does not move the reader. An error that the step returns poisons the stream.
//!
//! # When not to use it
//! An `async fn` over a socket keeps its place in the generator: if your parser may simply await the
//! next byte, it needs neither snapshot nor step. If every packet is to outlive the stream on its own,
//! `BytesMut` and `Bytes` share buffers by counting references, which this crate does not do. It is no
//! pool between threads.
//!
//! # Performance
//! One copy, the read itself: packets are slices of the read buffer, and a step reads from there. Only
//! what a read leaves incomplete at the end of a buffer moves, to its front, and a packet that
//! `next_packet` finds in several buffers is joined (a step never joins). A buffer is replaced when it
//! is full of bytes that are still needed, and otherwise filled again.
//!
//! Nothing is allocated at steady state, neither for a packet nor for a continuation; [`Stats`] shows
//! it. A value that is read whole is allocated once and doubled as its bytes come, from 64 KiB on (or at
//! once: [`PacketStream::set_max_preallocation`]), and while it comes the stream holds no more than what
//! the step read before it and one or two read buffers, be it one packet or thousands. Packets longer
//! than all spare buffers together (1 MiB by default) are the exception for `next_packet`: each is
//! joined in a buffer of its own.
//!
//! # Memory of a connection
//! | | bytes |
//! |---|---|
//! | a stream before its first read | 648 on a 64-bit machine, all in the struct |
//! | at rest, once it read | one read buffer more: 64 KiB, or twice [`Limits::max_packet`] where that is less, and not below 16 KiB |
//! | while it works | what arrived and is still needed, rounded up to buffers, and up to [`Limits::spare_nodes`] spares |
//!
//! Spares that an outlier left behind are given back after 64 reads that did not need them (and the
//! slots of a [`Snapshot`] after 64 clears), so that memory does not swing.
//!
//! # Untrusted input
//! No input panics. No declared length allocates more than the first 64 KiB of a value, unless
//! [`PacketStream::set_max_preallocation`] was told more; buffers and values grow by the bytes received,
//! within [`Limits`] and the limit given to [`tds::read_plp`]. A length that you take from the wire and
//! hand to [`read_vec`](Reader::read_vec) is yours to check: the value grows only as bytes come, but up
//! to it. A bad header is reported at its place, after all packets before it, and then the stream is
//! poisoned. The crate has no unsafe code.
//!
//! # Features
//! | feature | default | what |
//! |---|---|---|
//! | `std` | yes | nothing by itself; without it the crate is `no_std` |
//! | `tokio` | no | [`tokio::Connection`], a stream that fetches its input from an `AsyncRead`, and [`tokio::MessageWriter`]; needs `std` |
//! | `bytes` | no | a [`Value`] into `Bytes` without a copy, a [`Packet`] by copy, [`Chunks`] as a `Buf` |
#![cfg_attr(not(feature = "tokio"), allow(rustdoc::broken_intra_doc_links))]
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "bytes")]
mod bytes;
mod error;
mod framing;
mod free_list;
mod limits;
mod packetizer;
mod plp;
mod snapshot;
mod stats;
mod step;
mod stream;
#[cfg(feature = "tokio")]
pub mod tokio;
mod value;

pub use error::Error;
pub use framing::{
    FrameError, FrameHead, Framing, LengthDelimited, MAX_HEADER, mysql, postgres, smp, tds,
};
pub use free_list::{FreeList, Reset};
pub use limits::Limits;
pub use snapshot::Snapshot;
pub use stats::Stats;
pub use step::{NeedMoreOr, ParseError, Progress, Stop};
pub use stream::{Chunks, Packet, PacketStream, Reader};
pub use value::Value;
