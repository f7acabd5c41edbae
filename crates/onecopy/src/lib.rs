//! Five focused crates behind one name: at most one copy and one allocation on the hot path.
//!
// Its example needs two features.
#![cfg_attr(all(feature = "utf8-runes", feature = "rfc5987"), doc = include_str!("../README.md"))]
//! # The parts
//! Each part is a crate of its own, re-exported under the name in the table; taking it directly
//! gives exactly the same. This crate adds nothing but one version and one name to depend on, and
//! has no prelude: import from the part.
//!
//! # When not to use it
//! When one part is all you need: depend on that crate.
//!
//! # Performance and untrusted input
//! Those of the parts; nothing is wrapped.
#![no_std]
#![forbid(unsafe_code)]

/// Feature `lucene-io`.
///
/// ```
/// use onecopy::lucene::{DataOutput, SliceInput};
///
/// let mut out = Vec::new();
/// out.write_string("segments")?;
/// assert_eq!(SliceInput::new(&out).read_str()?, "segments");
/// # Ok::<(), onecopy::lucene::Error>(())
/// ```
///
/// With feature `bytes`:
///
/// ```
/// # #[cfg(feature = "bytes")] {
/// use onecopy::lucene::BytesInput;
///
/// let mut input = BytesInput::new(bytes::Bytes::from_static(b"\x08segments"));
/// assert_eq!(input.read_byte_slice()?, "segments"); // shared, not copied
/// # }
/// # Ok::<(), onecopy::lucene::Error>(())
/// ```
///
/// With feature `mmap`:
///
/// ```no_run
/// # #[cfg(feature = "mmap")] {
/// use onecopy::lucene::{MmapInput, codec};
///
/// // SAFETY: nothing writes to the file while it is mapped.
/// let input = unsafe { MmapInput::open("index/_0.fdt")? };
/// codec::checksum_entire_file(input.as_slice())?;
/// # }
/// # Ok::<(), onecopy::lucene::Error>(())
/// ```
#[cfg(feature = "lucene-io")]
#[doc(inline)]
pub use lucene_io as lucene;
/// Feature `pktpool`.
///
/// ```
/// use onecopy::pktpool::{Limits, PacketStream, tds::Tds};
///
/// let mut stream = PacketStream::new(Tds::default(), Limits::default());
/// stream.feed(&[4, 1, 0, 10, 0, 0, 1, 0, b'o'])?; // a packet of 10 bytes, the last one missing
/// assert!(stream.next_packet()?.is_none());
/// stream.feed(b"k")?;
/// assert_eq!(stream.next_packet()?.unwrap().payload(), b"ok");
/// # Ok::<(), onecopy::pktpool::Error>(())
/// ```
///
/// With feature `tokio`:
///
/// ```
/// # #[cfg(feature = "tokio")] {
/// use onecopy::pktpool::{Limits, postgres::Backend, tokio::Connection};
///
/// # async fn rows(socket: impl tokio::io::AsyncRead + Unpin) -> Result<usize, onecopy::pktpool::tokio::Error> {
/// let mut connection = Connection::new(socket, Backend, Limits::default());
/// let mut rows = 0;
/// while let Some(packet) = connection.next_packet().await? {
///     rows += usize::from(packet.kind == b'D');
/// }
/// # Ok(rows)
/// # }
/// # }
/// ```
///
/// With feature `bytes`:
///
/// ```
/// # #[cfg(feature = "bytes")] {
/// use onecopy::pktpool::Value;
///
/// let value = Value::default(); // as a reader's `read_vec` makes them
/// assert!(bytes::Bytes::from(value).is_empty());
/// # }
/// ```
#[cfg(feature = "pktpool")]
#[doc(inline)]
pub use pktpool;
/// Feature `rfc5987`.
///
/// ```
/// use onecopy::rfc5987;
///
/// assert_eq!(rfc5987::encode("naïve plan.txt"), "na%C3%AFve%20plan.txt");
/// ```
///
/// With feature `http`, which `headers` and `axum` imply:
///
/// ```
/// # #[cfg(feature = "http")] {
/// use onecopy::rfc5987::Builder;
///
/// let mut response = http::Response::new("…");
/// let value = Builder::attachment().filename("naïve plan.txt").to_header_value()?;
/// response.headers_mut().insert("content-disposition", value);
/// # }
/// # Ok::<(), onecopy::rfc5987::BuildError>(())
/// ```
#[cfg(feature = "rfc5987")]
#[doc(inline)]
pub use rfc5987;
/// Feature `sqlite-text`.
///
/// ```
/// use onecopy::sqlite::RowTextExt;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let length = db.query_row("SELECT 'grün'", [], |row| Ok(row.text(0)?.len()))?;
/// assert_eq!(length, 5);
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// With feature `arrow`:
///
/// ```
/// # #[cfg(feature = "arrow")] {
/// use onecopy::sqlite::{TextBatch, TextStatement};
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = TextStatement::prepare(&db, "VALUES ('grün'), (NULL)")?;
/// let mut columns = [TextBatch::new()];
/// statement.read_batch(&[])?.next_batch(&mut columns)?;
/// let [column] = columns;
/// assert_eq!(column.into_array().value(0), "grün"); // an array of Arrow, made without a copy
/// # }
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// With feature `compact_str`:
///
/// ```
/// # #[cfg(feature = "compact_str")] {
/// use onecopy::sqlite::{CompactString, CompactText};
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let name: CompactText = db.query_row("SELECT 'grün'", [], |row| row.get(0))?;
/// assert_eq!(CompactString::from(name), "grün");
/// # }
/// # Ok::<(), rusqlite::Error>(())
/// ```
#[cfg(feature = "sqlite-text")]
#[doc(inline)]
pub use sqlite_text as sqlite;
/// Feature `utf8-runes`.
///
/// ```
/// use onecopy::runes;
///
/// assert_eq!(runes::count("京都 2026"), 7);
/// assert_eq!(runes::prefix("Zürich", 2), "Zü");
/// ```
///
/// With feature `firebird`:
///
/// ```
/// # #[cfg(feature = "firebird")] {
/// use onecopy::runes::firebird::TextColumn;
///
/// let column = TextColumn::new(452, 4, 12).unwrap(); // CHAR(3) CHARACTER SET UTF8
/// assert_eq!(column.decode("京都          ".as_bytes()), Ok("京都 "));
/// # }
/// ```
#[cfg(feature = "utf8-runes")]
#[doc(inline)]
pub use utf8_runes as runes;
