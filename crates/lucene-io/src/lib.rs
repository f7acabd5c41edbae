//! Lucene's files in Rust: `DataInput`, `DataOutput` and `CodecUtil` of Java Lucene 4 to 9 and
//! Lucene.NET 4.8, and the directories, commits and stored fields of Lucene 4.1 to 4.10 and
//! Lucene.NET 4.8, read and written byte for byte.
//!
//! For authors of tools that read, write, repair or migrate Lucene data, and of formats built on
//! the same primitives. A string costs no allocation on the way out, none borrowed or into a reused
//! `String` on the way in, and exactly one as a `String` of its own; a stored document none, once
//! a few were written or visited.
//!
//! # A task each
//!
//! Make an index that Lucene opens, and read its documents:
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use lucene_io::index::{self, Target};
//! use lucene_io::store::RamDirectory; // or FsDirectory::open("index")?
//! use lucene_io::stored::{Compression, Reader, Value, Verify, Visit, Writer};
//!
//! let dir = RamDirectory::new();
//! let mut writer = Writer::create(&dir, "_0", Compression::LuceneExact)?;
//! writer.start_document()?.string("title", "Faust").i32("year", 1808).end()?;
//! writer.start_document()?.string("title", "Emilia Galotti").i32("year", 1772).end()?;
//! index::write_commit(&dir, &[writer.finish()?], Target::Lucene410)?;
//!
//! for segment in index::read_commit(&dir)?.segments() {
//!     let mut reader = Reader::open(&dir, segment.name(), Verify::OnOpen)?;
//!     for doc in 0..reader.doc_count() {
//!         reader.visit(doc, |field| {
//!             if let Value::String(text) = field.value {
//!                 println!("{}: {text}", field.name); // borrowed from the chunk
//!             }
//!             Visit::Next
//!         })?;
//!     }
//! }
//! # }
//! # Ok::<(), lucene_io::Error>(())
//! ```
//!
//! Say what is wrong with an index, file by file:
//!
//! ```no_run
//! # #[cfg(feature = "std")] {
//! use lucene_io::{index, store::FsDirectory};
//!
//! for (file, state) in index::check(&FsDirectory::open("index")?)? {
//!     match state {
//!         Ok(()) => println!("{file} is whole"),
//!         Err(error) => println!("{file}: {error}"),
//!     }
//! }
//! # }
//! # Ok::<(), lucene_io::Error>(())
//! ```
//!
//! Write a file of your own that Lucene accepts, and read it back:
//!
//! ```
//! use lucene_io::{ChecksumInput, DataInput, DataOutput, SliceInput, codec};
//!
//! let mut file = Vec::new();
//! codec::write_header(&mut file, "Terms", 1)?;
//! file.write_vint(2)?;
//! file.write_string("apple")?;
//! file.write_utf16(&[0x70, 0xE9, 0x61, 0x72])?; // as Java and .NET hold text
//! codec::write_footer(&mut file)?;
//!
//! codec::checksum_entire_file(&file)?;
//! let mut input = ChecksumInput::new(SliceInput::new(&file));
//! codec::check_header(&mut input, "Terms", 0..=1)?;
//! for _ in 0..input.read_vint()? {
//!     println!("{}", input.read_string()?);
//! }
//! codec::check_footer(&mut input)?;
//! # Ok::<(), lucene_io::Error>(())
//! ```
//!
//! Read strings where they lie, or into one `String`:
//!
//! ```
//! use lucene_io::{DataInput, SliceInput};
//!
//! let mut input = SliceInput::new(b"\x05apple\x04pear");
//! let apple: &str = input.read_str()?;
//! let mut text = String::new();
//! input.read_string_into(&mut text)?;
//! assert_eq!((apple, text.as_str()), ("apple", "pear"));
//! # Ok::<(), lucene_io::Error>(())
//! ```
//!
//! Write to a file and read from one:
//!
//! ```no_run
//! # #[cfg(feature = "std")] {
//! use lucene_io::{DataInput, DataOutput, IndexOutput, ReadInput, WriteOutput};
//! use std::fs::File;
//!
//! let mut out = WriteOutput::new(File::create("terms")?);
//! out.write_map_of_strings([("os", "Linux"), ("source", "flush")])?;
//! out.close()?;
//! let map = ReadInput::new(File::open("terms")?).read_map_of_strings()?;
//! assert_eq!(map["os"], "Linux");
//! # }
//! # Ok::<(), lucene_io::Error>(())
//! ```
//!
//! # When not to use it
//!
//! * To search: this is not an index. Use tantivy, or Lucene itself.
//! * For data that only your own programs read: serde and any of its formats are less work.
//! * For protobuf: its varints look the same, but a negative `int32` has ten bytes there.
//! * For tantivy's files: its variable-length integers have the stop bit the other way round.
//! * For what else is in an index: postings, doc values, norms, vectors and deletions are neither
//!   read nor written, segments not merged. A deleted document is read like any other.
//! * For stored fields of Lucene 4.0, or of Lucene 5 and later: their formats are others.
//!
//! # Versions
//!
//! | since | what differs |
//! |---|---|
//! | Lucene 4, Lucene.NET 4.8 | big-endian integers; maps and sets begin with a count of 4 bytes ([`write_string_string_map`](DataOutput::write_string_string_map), [`write_string_set`](DataOutput::write_string_set)) |
//! | Lucene 5 | maps and sets begin with a vInt ([`write_map_of_strings`](DataOutput::write_map_of_strings), [`write_set_of_strings`](DataOutput::write_set_of_strings)); zInt and zLong; index headers with an id |
//! | Lucene 9 | little-endian integers (`_le`); headers and footers stay big-endian |
//! | Lucene 9.9 | group vInts |
//!
//! # Performance
//!
//! UTF-16 is encoded straight into the sink behind a length whose width is guessed from the number
//! of units, and moved only when the guess was short. A borrowed string is a length, a bounds check
//! and a check of its UTF-8 by [`utf8_runes`]. Variable-length integers are decoded a
//! word at a time. A stream hashes what leaves its buffer of 16 KiB, for a checksum by the string
//! costs many times as much. Use the types themselves in hot loops: behind `dyn` each call is a
//! virtual one. Stored fields are compressed a chunk at a time in memory that is reused, and a document
//! is parsed where it lies in its chunk.
//!
//! # Untrusted input
//!
//! Nothing panics on any bytes, and there is no `unsafe` in this crate but to map files (feature
//! `mmap`). A declared length is checked against what is left before anything is allocated; a
//! stream, which does not know what is left, believes 64 KiB at a time. A count of a map or set
//! reserves nothing. Bad UTF-8 is an error unless
//! [`read_string_lossy`](DataInput::read_string_lossy) is asked for. A CRC-32 finds accidents, not
//! forgery.
//!
//! # Features
//!
//! | feature | default | what it brings |
//! |---|---|---|
//! | `std` | yes | [`ReadInput`] and [`WriteOutput`] on `std::io`, directories ([`store`]), [`Error::Io`] and the conversions with `io::Error` |
//! | `mmap` | no | `MmapInput` and `store::MmapDirectory`: files mapped into memory; brings `memmap2` and `std` |
//! | `bytes` | no | [`BytesInput`] over `bytes::Bytes`, which is also a [`store::RandomAccessInput`]; [`DataOutput`] for `bytes::BytesMut` |
//!
//! Without `std` the crate is `no_std` with `alloc`, and has the primitives, [`codec`] and [`lz4`].

#![cfg_attr(
    not(all(feature = "std", feature = "mmap", feature = "bytes")),
    allow(rustdoc::broken_intra_doc_links)
)]
#![no_std]
#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]
#![cfg_attr(feature = "mmap", deny(unsafe_code))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod codec;
mod data;
mod error;
#[cfg(feature = "std")]
pub mod index;
pub mod lz4;
#[cfg(any(feature = "std", test))]
mod packed;
#[cfg(feature = "std")]
pub mod store;
#[cfg(feature = "std")]
pub mod stored;

#[cfg(feature = "bytes")]
pub use data::BytesInput;
pub use data::{ChecksumInput, DataInput, DataOutput, IndexOutput, SliceInput, SliceOutput};
#[cfg(feature = "std")]
pub use data::{ReadInput, WriteOutput};
pub use error::Error;
#[cfg(feature = "mmap")]
#[doc(inline)]
pub use store::MmapInput;

/// The example of the README is a test.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
