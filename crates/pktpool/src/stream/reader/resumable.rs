//! Reads whose progress survives `NeedMore`.

use super::Reader;
use crate::stream::resume::{Body, Read, Record, Status};
use crate::{Error, Stop, Value};
use alloc::{sync::Arc, vec::Vec};
use core::mem;

/// The first allocation of a value: more only when so many bytes were received.
const FIRST: usize = 64 << 10;

impl<'a> Reader<'a> {
    /// The next `len` bytes as a value of their own.
    ///
    /// Resumable. The value grows by the bytes received and never beyond `len`, in
    /// ⌈log₂(`len` / 64 KiB)⌉ + 2 allocations at most: while it is not complete it takes at most twice
    /// what was received of it, 64 KiB, or what
    /// [`set_max_preallocation`](crate::PacketStream::set_max_preallocation) allows.
    ///
    /// # Errors
    /// As every read: see [`Reader`]. [`Error::StepChanged`] when a step that is run again reads
    /// otherwise over bytes that were released.
    pub fn read_vec(&mut self, len: usize) -> Result<Value, Stop> {
        if len == 0 {
            return Ok(Value::default());
        }
        self.resumable(Read::Vec { len }, |reader, body| {
            let left = len - body.value.len();
            reader.append(body, left, len, len)
        })
    }

    /// Goes over `n` bytes.
    ///
    /// Resumable.
    ///
    /// # Errors
    /// As [`read_vec`](Self::read_vec).
    #[inline]
    pub fn skip(&mut self, n: u64) -> Result<(), Stop> {
        if let Ok(len) = usize::try_from(n)
            && let Some(rest) = self.cursor.chunk.get(len..)
        {
            self.cursor.chunk = rest;
            return Ok(());
        }
        self.resumable(Read::Skip { n }, |reader, body| {
            while body.done < n {
                let left = n - body.done;
                let step = reader.piece(usize::try_from(left).unwrap_or(usize::MAX))?.len();
                body.done += step as u64;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Drops the rest of the message and goes over its end; at the end of a message, only the
    /// latter. Right after another `next_message` it drops a whole message.
    ///
    /// Resumable. It does not wait for the next message's header.
    ///
    /// # Errors
    /// [`Stop::NeedMore`] until the end of the message arrived, and any error of a header.
    #[inline]
    pub fn next_message(&mut self) -> Result<(), Stop> {
        if self.cursor.remaining() == 0 && self.track.in_last() {
            self.track.leave();
            return Ok(());
        }
        self.drop_message()
    }

    #[inline(never)]
    fn drop_message(&mut self) -> Result<(), Stop> {
        let (start, next) = (self.cursor.save(self.track), self.resume.next);
        let dropped = self.drop_rest();
        if dropped.is_err() {
            self.cursor.restore(self.track, &start);
            self.resume.next = next;
        }
        dropped
    }

    /// Drops what is left of the message. Dropping shows no bytes, so it may go over any that were
    /// released, whatever read them; what it drops itself is recorded behind those.
    fn drop_rest(&mut self) -> Result<(), Stop> {
        while let Some(record) = self.resume.records.get(self.resume.next) {
            let (read, status) = (record.read, record.status);
            while !self.cursor.at_wall(self.track) {
                let refilled = self.cursor.refill(self.input, self.track);
                self.cursor.chunk = &[];
                if refilled == Err(Error::EndOfMessage.into()) {
                    self.track.leave();
                    return Ok(());
                }
                if refilled.is_err() && !self.cursor.at_wall(self.track) {
                    return refilled;
                }
            }
            if status == Status::Running {
                if read != Read::NextMessage
                    && let Some(record) = self.resume.records.get_mut(self.resume.next)
                {
                    record.read = Read::NextMessage;
                    record.body = Body { done: record.body.done, ..Body::default() };
                }
                break;
            }
            self.jump(self.resume.next);
            if (read, status) == (Read::NextMessage, Status::Complete) {
                return Ok(());
            }
        }
        self.settle()?;
        if self.cursor.remaining() == 0 {
            self.track.leave();
            return Ok(());
        }
        self.resumable(Read::NextMessage, |reader, body| {
            loop {
                let refilled = reader.cursor.refill(reader.input, reader.track);
                body.done += reader.cursor.chunk.len() as u64;
                reader.cursor.chunk = &[];
                if refilled == Err(Error::EndOfMessage.into()) {
                    reader.track.leave();
                    return Ok(());
                }
                refilled?;
            }
        })?;
        Ok(())
    }

    /// Runs a read with what it made before, and keeps what it makes.
    ///
    /// `advance` goes as far as it can; when it is stopped, the reader is behind what it recorded.
    pub(crate) fn resumable(
        &mut self,
        read: Read,
        advance: impl FnOnce(&mut Self, &mut Body) -> Result<(), Stop>,
    ) -> Result<Value, Stop> {
        self.settle()?;
        self.track.moved = true;
        let (index, start) = (self.resume.next, self.cursor.save(self.track));
        let position = self.position();
        // Only one message has a byte at a position: what was recorded is of that one.
        if self.cursor.remaining() == 0 || self.resume.was_refused(position, read) {
            self.resume.waits = None;
            return Err(Error::EndOfMessage.into());
        }
        let mut body = Body::default();
        if let Some(value) = self.take_up(read, index, position, &mut body)? {
            return Ok(value);
        }
        let result = advance(self, &mut body);
        let (value, kept) = self.put_down(index, body, &result)?;
        if let Err(stop) = result {
            if stop == Stop::Failed(Error::EndOfMessage) {
                self.resume.refuse(position, read);
            }
            self.cursor.restore(self.track, &start);
            self.resume.next = index;
            self.resume.waits = (kept && stop == Stop::NeedMore).then_some(index);
            return Err(stop);
        }
        Ok(value)
    }

    /// Goes to where a read got to, or makes a new record of it; its value if it is complete.
    #[inline(always)]
    fn take_up(
        &mut self,
        read: Read,
        index: usize,
        position: u64,
        body: &mut Body,
    ) -> Result<Option<Value>, Stop> {
        let found = self.resume.records.get_mut(index).filter(|record| record.start == position);
        match found {
            Some(record) if record.read == read => {
                let complete = record.status == Status::Complete;
                let value = complete.then(|| record.value());
                if !complete {
                    *body = mem::take(&mut record.body);
                }
                self.jump(index);
                Ok(value)
            }
            Some(record) if !record.fresh => {
                self.resume.waits = None;
                Err(Error::StepChanged.into())
            }
            other => {
                // Of this very run, so nothing of it was released.
                let replaces = other.is_some();
                let first = self.peek()?;
                if replaces {
                    self.resume.records.remove(index);
                }
                let record = Record {
                    start: position,
                    first,
                    read,
                    status: Status::Running,
                    body: Body::default(),
                    whole: None,
                    at: self.cursor.at(),
                    gap: 0,
                    end: self.cursor.here(self.track),
                    fresh: true,
                };
                self.resume.records.insert(index, record);
                self.resume.next = index + 1;
                self.track.wall = self.resume.wall(index + 1);
                Ok(None)
            }
        }
    }

    /// Records how far a read got: its value, if it is complete, and whether the record was kept.
    #[inline(always)]
    fn put_down(
        &mut self,
        index: usize,
        mut body: Body,
        result: &Result<(), Stop>,
    ) -> Result<(Value, bool), Stop> {
        let (at, end) = (self.cursor.at(), self.cursor.here(self.track));
        // It is there: only those behind it may be gone.
        let Some(record) = self.resume.records.get_mut(index) else {
            return Err(Error::StepChanged.into());
        };
        if result.is_ok() {
            let bytes = mem::take(&mut body.value);
            record.whole = (!bytes.is_empty()).then(|| Arc::new(bytes));
            record.status = Status::Complete;
        } else if *result == Err(Error::EndOfMessage.into()) {
            record.status = Status::Refused;
        }
        let value = record.value();
        let goes_on = result.is_ok() || *result == Err(Stop::NeedMore) || !record.fresh;
        let kept = body.done > 0 && goes_on;
        if kept {
            record.body = body;
            record.end = end;
            record.gap = at.saturating_sub(record.at);
        } else {
            self.resume.records.remove(index);
            self.resume.next = index;
        }
        Ok((value, kept))
    }

    /// Goes over a record, to where it ends.
    fn jump(&mut self, index: usize) {
        self.resume.next = index + 1;
        let wall = self.resume.wall(index + 1);
        if let Some(record) = self.resume.records.get(index) {
            self.cursor.jump(self.input, self.track, record.at + record.gap, &record.end, wall);
        }
    }

    /// Bytes that lie in one piece: not empty, and not more than `n`, which the message must have.
    #[inline]
    fn piece(&mut self, n: usize) -> Result<&'a [u8], Stop> {
        if self.track.in_last() && self.cursor.remaining() < n {
            return Err(Error::EndOfMessage.into());
        }
        if self.cursor.chunk.is_empty() {
            self.cursor.refill(self.input, self.track)?;
            if self.track.in_last() && self.cursor.remaining() < n {
                return Err(Error::EndOfMessage.into());
            }
        }
        let (piece, rest) = self.cursor.chunk.split_at(n.min(self.cursor.chunk.len()));
        self.cursor.chunk = rest;
        Ok(piece)
    }

    /// Appends `n` bytes to a value that is expected to have `expected`, and at most `len` bytes.
    pub(crate) fn append(
        &mut self,
        body: &mut Body,
        mut n: usize,
        expected: usize,
        len: usize,
    ) -> Result<(), Stop> {
        let preallocation = self.resume.preallocation;
        while n > 0 {
            let mut piece = self.piece(n)?;
            n -= piece.len();
            body.done += piece.len() as u64;
            while !piece.is_empty() {
                grow(&mut body.value, expected, len, preallocation);
                let room = body.value.capacity() - body.value.len();
                let (now, rest) = piece.split_at(room.min(piece.len()));
                body.value.extend_from_slice(now);
                piece = rest;
            }
        }
        Ok(())
    }
}

/// Makes room in a full value: at most twice what was received, or what may be preallocated, in steps
/// that are halves of its length where that is known. The last step is then from one half to the whole,
/// never from nearly all of it: where the allocator must move the bytes, as it must in a heap with holes
/// at almost every step, they are moved once altogether, not twice.
#[inline]
fn grow(value: &mut Vec<u8>, expected: usize, len: usize, preallocation: usize) {
    let filled = value.len();
    if filled == value.capacity() {
        let double = (2 * filled).max(FIRST);
        let most = double.max(preallocation);
        let mut size = expected.max(filled + 1).min(len);
        if expected < len {
            // Of unknown length: as much again.
            size = if filled == 0 { size.min(most) } else { double.min(len) };
        }
        while size > most {
            size = size.div_ceil(2);
        }
        value.reserve_exact(size.saturating_sub(filled).max(1));
    }
}
