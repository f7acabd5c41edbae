//! One very large text, read piece by piece.

mod cell;
#[allow(unsafe_code, reason = "the handle of SQLite, and bytes that are known to be UTF-8")]
mod raw;
#[cfg(all(test, feature = "rusqlite"))]
mod tests;

use crate::encoding::Encoding;
use crate::error::{Error, Result};
use cell::{Cell, Names};
use core::fmt;
use raw::Window;
use std::io::{self, BufRead, Read};
use utf8_runes::utf16_bytes::{self, Endian};

/// As much of the text as is read at a time, in bytes.
const BUFFER: usize = 64 * 1024;

/// Reads one TEXT piece by piece, however long it is, in flat memory.
///
/// A row of a statement holds the whole of its texts; this reads a cell through SQLite's
/// [incremental I/O](https://sqlite.org/c3ref/blob_open.html), into a buffer of 64 KiB. In a UTF-16
/// database, and where a [lossy](Self::lossy) reader must replace, a second one of at most three
/// times as much holds the UTF-8. (For a text of 1 GB SQLite itself keeps a list of its pages, some
/// MB.)
///
#[cfg_attr(feature = "rusqlite", doc = "```")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// use sqlite_text::TextReader;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// db.execute_batch("CREATE TABLE book (title, body)")?;
/// db.execute("INSERT INTO book VALUES ('Faust', ?1)", [&"Habe nun, ach! ".repeat(10_000)])?;
///
/// let mut reader = TextReader::open(&db, "main", "book", "body", db.last_insert_rowid())?;
/// assert_eq!(reader.len_bytes(), 150_000);
/// let mut sighs = 0;
/// while let Some(piece) = reader.next_chunk()? {
///     sighs += piece.matches('!').count();
/// }
/// assert_eq!(sighs, 10_000);
/// # Ok::<(), rusqlite::Error>(())
/// ```
/// It is a [`BufRead`] of UTF-8 too, whatever the encoding of the database:
#[cfg_attr(feature = "rusqlite", doc = "```")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// use sqlite_text::TextReader;
/// use std::io::BufRead;
///
/// # let db = rusqlite::Connection::open_in_memory()?;
/// db.execute_batch("CREATE TABLE log (lines); INSERT INTO log VALUES ('ok' || x'0A' || 'late')")?;
/// let reader = TextReader::open(&db, "main", "log", "lines", 1)?;
/// let lines: Vec<String> = reader.lines().collect::<Result<_, _>>()?;
/// assert_eq!(lines, ["ok", "late"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Meanwhile
/// The connection stays usable. Any change of the row, also of its other columns, ends the reading
/// with [`Error::Sqlite`] of code 4 (`SQLITE_ABORT`). As long as the reader lives it keeps a read
/// transaction open, as the rows of a statement do.
///
/// The connection outlives the reader, and a piece not the next one:
#[cfg_attr(feature = "rusqlite", doc = "```compile_fail,E0505")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// # use sqlite_text::TextReader;
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut reader = TextReader::open(&db, "main", "t", "s", 1)?;
/// drop(db);
/// reader.next_chunk()?;
/// # Ok::<(), rusqlite::Error>(())
/// ```
#[cfg_attr(feature = "rusqlite", doc = "```compile_fail,E0597")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// # use sqlite_text::TextReader;
/// let _reader; // dropped after `db`
/// let db = rusqlite::Connection::open_in_memory()?;
/// _reader = TextReader::open(&db, "main", "t", "s", 1)?;
/// # Ok::<(), rusqlite::Error>(())
/// ```
#[cfg_attr(feature = "rusqlite", doc = "```compile_fail,E0499")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// # use sqlite_text::TextReader;
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut reader = TextReader::open(&db, "main", "t", "s", 1)?;
/// let first = reader.next_chunk()?;
/// reader.next_chunk()?; // reuses the buffer
/// println!("{first:?}");
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// # Errors of the text
/// * In a UTF-8 database [`Error::InvalidUtf8`]: `valid_up_to` counts the bytes from the start of
///   the text.
/// * In a UTF-16 one [`Error::InvalidUtf16`]: `index` counts the code units. Half a unit at the
///   end, which only a damaged file can have, is one too; a statement ignores it.
///
/// Both have column 0 and row 0. A sequence that the end of the text cuts off is an error where it
/// starts. What is before an error has been given out when the error comes, and after any error
/// the reader is at the end.
pub struct TextReader<'c> {
    cell: Cell<'c>,
    lossy: bool,
    /// How large the window may become.
    size: usize,
    /// How many bytes of the cell have been read.
    read: usize,
    window: Window,
    /// How many bytes at the end of the window belong to a scalar value that is not complete.
    carried: usize,
    /// In place of the window's text, the one made of its bytes.
    made: Option<String>,
    spare: String,
    /// How much of the piece is given out, in bytes.
    used: usize,
    /// Comes after the piece.
    error: Option<Error>,
    ended: bool,
}

impl<'c> TextReader<'c> {
    fn of(cell: Cell<'c>) -> Self {
        Self::with_buffer(cell, BUFFER)
    }

    /// `size` is even and at least 4: room for a scalar value in any encoding.
    fn with_buffer(cell: Cell<'c>, size: usize) -> Self {
        let window = Window::new(size.min(cell.len));
        Self {
            cell,
            lossy: false,
            size,
            read: 0,
            window,
            carried: 0,
            made: None,
            spare: String::new(),
            used: 0,
            error: None,
            ended: false,
        }
    }
}

impl TextReader<'_> {
    /// Whether what is no text becomes U+FFFD in place of an error: all pieces together are then
    /// what [`String::from_utf8_lossy`] makes of the whole, and in a UTF-16 database there is one
    /// U+FFFD for each lone surrogate.
    #[must_use]
    pub fn lossy(mut self, lossy: bool) -> Self {
        self.lossy = lossy;
        self
    }

    /// The length of the text in bytes *as stored*: in a UTF-16 database that is not the length of
    /// the UTF-8 which is read.
    #[must_use]
    pub fn len_bytes(&self) -> usize {
        self.cell.len
    }

    /// The next piece, `None` at the end. A piece is never empty, and holds whole scalar values;
    /// where it ends is otherwise not defined.
    ///
    /// # Errors
    /// See [the type](TextReader); and [`Error::Sqlite`] with code 21 as long as
    /// [`BufRead::consume`] or [`Read::read`] has stopped within a scalar value. Those can read on.
    pub fn next_chunk(&mut self) -> Result<Option<&str>> {
        if !self.has_more()? {
            return Ok(None);
        }
        if !self.piece().is_char_boundary(self.used) {
            return Err(crate::statement::misuse("a scalar value has been read in part"));
        }
        let start = self.used;
        self.used = self.piece().len();
        Ok(self.piece().get(start..))
    }

    /// Starts again with the same column of another row, which is faster than a new reader. On an
    /// error the reader is at the end, and may be reopened.
    ///
    #[cfg_attr(feature = "rusqlite", doc = "```")]
    #[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
    /// use sqlite_text::TextReader;
    ///
    /// let db = rusqlite::Connection::open_in_memory()?;
    /// db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('one'), (2), ('three')")?;
    /// let mut reader = TextReader::open(&db, "main", "t", "s", 1)?;
    /// assert!(reader.reopen(2).is_err());
    /// reader.reopen(3)?;
    /// assert_eq!(reader.next_chunk()?, Some("three"));
    /// # Ok::<(), rusqlite::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of opening.
    pub fn reopen(&mut self, rowid: i64) -> Result<()> {
        self.forget_piece();
        self.carried = 0;
        self.read = 0;
        self.error = None;
        // At the end until it is open.
        self.ended = true;
        self.cell.reopen(rowid)?;
        let size = self.size.min(self.cell.len);
        if self.window.capacity() < size {
            self.window = Window::new(size);
        }
        self.ended = false;
        Ok(())
    }

    fn piece(&self) -> &str {
        self.made.as_deref().unwrap_or_else(|| self.window.text())
    }

    fn forget_piece(&mut self) {
        self.used = 0;
        self.window.forget_text();
        if let Some(made) = self.made.take() {
            self.spare = made;
        }
    }

    /// Whether a part of a piece is left, or there is another one.
    fn has_more(&mut self) -> Result<bool> {
        if self.used < self.piece().len() {
            return Ok(true);
        }
        if self.ended {
            return Ok(false);
        }
        let more = match self.error.take() {
            Some(error) => Err(error),
            None => self.advance(),
        };
        self.ended = !matches!(more, Ok(true));
        more
    }

    fn advance(&mut self) -> Result<bool> {
        self.forget_piece();
        let left = self.cell.len.saturating_sub(self.read);
        if left == 0 {
            // Nothing is carried then: at the end a piece takes all there is.
            return Ok(false);
        }
        let Self { cell, read, .. } = self;
        let mut got = 0;
        self.window.refill(self.carried, left, |free| {
            got = free.len();
            cell.read(free, *read)
        })?;
        self.read += got;
        let last = got == left;
        match self.cell.encoding {
            Encoding::Utf8 => self.take_utf8(last),
            Encoding::Utf16(endian) => self.take_utf16(last, endian),
        }
        if self.piece().is_empty() { self.error.take().map_or(Ok(false), Err) } else { Ok(true) }
    }

    /// Where in the cell the window starts.
    fn start(&self) -> usize {
        self.read.saturating_sub(self.window.filled().len())
    }

    fn take_utf8(&mut self, last: bool) {
        self.carried = 0;
        let Err(error) = self.window.check() else { return };
        let valid_up_to = error.valid_up_to();
        if error.error_len().is_none() && !last {
            self.carried = self.window.filled().len() - valid_up_to;
        } else if self.lossy {
            self.replace_utf8(last);
        } else {
            let valid_up_to = self.start() + valid_up_to;
            self.error = Some(Error::InvalidUtf8 { column: 0, row: 0, valid_up_to });
        }
    }

    #[cold]
    fn replace_utf8(&mut self, last: bool) {
        let mut text = core::mem::take(&mut self.spare);
        text.clear();
        // A byte becomes at most three.
        text.reserve_exact(self.window.capacity().saturating_mul(3));
        let mut parts = self.window.filled().utf8_chunks().peekable();
        while let Some(part) = parts.next() {
            text.push_str(part.valid());
            let bad = part.invalid();
            let incomplete = || core::str::from_utf8(bad).is_err_and(|e| e.error_len().is_none());
            // More bytes may complete what is at the end.
            if !last && parts.peek().is_none() && incomplete() {
                self.carried = bad.len();
            } else if !bad.is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.made = Some(text);
    }

    fn take_utf16(&mut self, last: bool, endian: Endian) {
        let bytes = self.window.filled();
        let high = match (bytes, endian) {
            ([.., _, high], Endian::Little) | ([.., high, _], Endian::Big) => *high,
            _ => 0,
        };
        // The first half of a pair waits for the second one.
        self.carried = if !last && high & 0xFC == 0xD8 { 2 } else { 0 };
        let bytes = bytes.get(..bytes.len() - self.carried).unwrap_or_default();
        let mut text = core::mem::take(&mut self.spare);
        text.clear();
        let malformed = utf16_bytes::append_lossy(bytes, endian, &mut text);
        if malformed > 0
            && !self.lossy
            && let Err(at) = utf16_bytes::validate(bytes, endian)
        {
            text.clear();
            utf16_bytes::append_lossy(
                bytes.get(..at.offset).unwrap_or_default(),
                endian,
                &mut text,
            );
            let index = (self.start() + at.offset) / 2;
            self.error = Some(Error::InvalidUtf16 { column: 0, row: 0, index });
        }
        self.made = Some(text);
    }
}

/// UTF-8, whatever the encoding of the database. An error wraps that of
/// [`next_chunk`](TextReader::next_chunk) and is of the kind `InvalidData` for bytes that are no
/// text, `OutOfMemory` for the lack of memory and `Other` for the rest.
impl Read for TextReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let piece = self.fill_buf()?;
        let length = piece.len().min(out.len());
        out[..length].copy_from_slice(&piece[..length]);
        self.consume(length);
        Ok(length)
    }

    /// Appends the rest, or nothing when that is no text; faster than what checks the UTF-8 again.
    fn read_to_string(&mut self, out: &mut String) -> io::Result<usize> {
        let before = out.len();
        loop {
            let piece = match self.next_chunk().map_err(io_error) {
                Ok(Some(piece)) => piece,
                Ok(None) => return Ok(out.len() - before),
                Err(error) => {
                    // As the trait promises.
                    if error.kind() == io::ErrorKind::InvalidData {
                        out.truncate(before);
                    }
                    return Err(error);
                }
            };
            out.try_reserve(piece.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
            out.push_str(piece);
        }
    }
}

impl BufRead for TextReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.has_more().map_err(io_error)? {
            return Ok(&[]);
        }
        Ok(self.piece().as_bytes().get(self.used..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.used = self.used.saturating_add(amount).min(self.piece().len());
    }
}

impl fmt::Debug for TextReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (length, read) = (self.cell.len, self.read);
        f.debug_struct("TextReader")
            .field("length", &length)
            .field("read", &read)
            .finish_non_exhaustive()
    }
}

#[cold]
fn io_error(error: Error) -> io::Error {
    let kind = match error {
        Error::InvalidUtf8 { .. } | Error::InvalidUtf16 { .. } => io::ErrorKind::InvalidData,
        Error::NoMem => io::ErrorKind::OutOfMemory,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
