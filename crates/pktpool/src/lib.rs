#![doc = include_str!("../README.md")]
//!
//! # Which type for what
//! * bytes of a socket into packets: [`PacketStream`], with a [`Framing`]: [`tds::Tds`], [`smp::Smp`],
//!   [`postgres::Backend`], [`postgres::Frontend`], [`mysql::MySql`], [`LengthDelimited`], or your own
//! * a message into packets: [`tds::Packetizer`]
//! * keep packets for a parse that was abandoned half-way, replay or continue it: [`Snapshot`]
//! * reuse values of another shape, with a bound: [`FreeList`]
//!
//! ```
//! use pktpool::{Limits, PacketStream, Snapshot, tds};
//!
//! // A server's answer of 1000 bytes, in packets of 512.
//! let mut wire = Vec::new();
//! for (header, data) in tds::Packetizer::new(0x04, 512)?.packets(&[7; 1000]) {
//!     wire.extend_from_slice(&header.to_bytes());
//!     wire.extend_from_slice(data);
//! }
//!
//! // It arrives in pieces. What an async read has seen is kept until the read is done.
//! let mut stream = PacketStream::new(tds::Tds::default(), Limits::default());
//! let mut snapshot = Snapshot::new();
//! for piece in wire.chunks(300) {
//!     stream.feed(piece)?;
//!     while let Some(packet) = stream.next_packet()? {
//!         snapshot.append(packet.payload().to_vec(), packet.payload().len());
//!     }
//! }
//! stream.end_of_input()?;
//! assert_eq!(snapshot.data_offset(1), Some(504));
//! snapshot.clear(); // at every continuation; the next snapshot does not allocate its slots again
//! # Ok::<(), pktpool::Error>(())
//! ```
//!
//! # When not to use it
//! An `async fn` over a socket keeps its place in the generator: if your parser may simply await the
//! next byte, it needs no snapshot. If every packet is to outlive the stream on its own, `BytesMut`
//! and `Bytes` share buffers by counting references, which this crate does not do. It is no pool
//! between threads.
//!
//! # Performance
//! One copy, the read itself: packets are slices of the read buffer. Only what a read leaves
//! incomplete at the end of a buffer moves, to its front, and a packet that lies in several buffers
//! is joined. A buffer is replaced when it is full of bytes that are still needed, and otherwise
//! filled again. Nothing is allocated at steady state, neither a packet nor a continuation;
//! [`Stats`] shows it. Packets longer than all spare buffers together (1 MiB by default) are the
//! exception: each is joined in a buffer of its own. Capacity that an outlier left behind is given
//! back after 64 reads (or [`Snapshot::clear`]s) without use, so that it does not swing.
//!
//! # Untrusted input
//! No input panics. No declared length allocates; buffers grow by the bytes received, within
//! [`Limits`]. A bad header is reported at its place, after all packets before it, and then the
//! stream is poisoned. The crate has no unsafe code.
//!
//! # Features
//! | feature | default | what |
//! |---|---|---|
//! | `std` | yes | nothing yet beyond `core` and `alloc`; the crate is `no_std` without it |
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

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
