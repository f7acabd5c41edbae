//! Feature `tokio`: packets and parsed values out of anything that is [`AsyncRead`], and messages
//! into anything that is [`AsyncWrite`].
//!
//! [`Connection`] owns the input and a [`PacketStream`](crate::PacketStream), and reads straight into
//! the stream's own buffers. [`MessageWriter`] writes a message in TDS packets, with vectored writes.
//! Only tokio's traits are used: no runtime, no socket.
//!
//! Whether to parse with a `step` at all: an `async fn` over `next_packet` keeps its place by itself.
//! A step is for a parser that cannot: one that is shared with a driver over FFI or hand-written
//! polling, or that must not await in the middle of a row.
//!
//! ```
//! use pktpool::tokio::Connection;
//! use pktpool::{Limits, postgres::Backend};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! # let server: &[u8] = b"D\0\0\0\x0B\0\x01\0\0\0\x011Z\0\0\0\x05I";
//! let mut connection = Connection::new(server, Backend, Limits::default());
//! let mut rows = 0;
//! while let Some(packet) = connection.next_packet().await? {
//!     rows += usize::from(packet.kind == b'D');
//! }
//! assert_eq!(rows, 1);
//! # Ok::<(), pktpool::tokio::Error>(())
//! # }).unwrap();
//! ```
//!
//! [`AsyncRead`]: ::tokio::io::AsyncRead
//! [`AsyncWrite`]: ::tokio::io::AsyncWrite

mod connection;
mod error;
mod message_writer;

pub use connection::Connection;
pub use error::{Error, ParseError};
pub use message_writer::MessageWriter;
