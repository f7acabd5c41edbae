//! What resumable reads of a running step got to.
//!
//! A record is keyed by the position where its read began. The bytes that it read are released when
//! the step ends in `NeedMore`; when the step runs again and comes to the same read at the same
//! position, the read goes on from where the record says.

mod records;

use super::buffers::Buffers;
use super::packet::Place;
use crate::{Error, Stop, Value};
use alloc::{sync::Arc, vec::Vec};
use core::mem;
use records::Records;

/// Which read: one that goes on is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    Vec {
        len: usize,
    },
    Plp {
        limit: usize,
    },
    Skip {
        n: u64,
    },
    NextMessage,
    /// Not resumable; only ever refused.
    Plain {
        n: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Running,
    Complete,
    /// The message ended before it.
    Refused,
}

/// What a read made so far.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// Payload bytes read.
    pub(crate) done: u64,
    pub(crate) value: Vec<u8>,
    /// PLP: the declared length, once it was read, and bytes of the chunk still to come.
    pub(crate) total: Option<u64>,
    pub(crate) chunk: u32,
    /// PLP: NULL.
    pub(crate) null: bool,
}

#[derive(Debug)]
pub(super) struct Record {
    pub(super) start: u64,
    /// Its first byte, to be peeked at.
    pub(super) first: u8,
    pub(super) read: Read,
    pub(super) status: Status,
    pub(super) body: Body,
    /// The value, once complete.
    pub(super) whole: Option<Arc<Vec<u8>>>,
    /// Bytes of the buffers before what it released, and released ones that are still in them.
    pub(super) at: usize,
    pub(super) gap: usize,
    /// The place behind what it read.
    pub(super) end: Place,
    /// Made by the run that goes on: nothing of it was released.
    pub(super) fresh: bool,
}

impl Record {
    pub(super) fn value(&self) -> Value {
        self.whole.as_ref().map_or_else(Value::default, Value::shared)
    }
}

/// In the order of the stream.
#[derive(Debug, Default)]
pub(super) struct Resume {
    pub(super) records: Records,
    /// The first record that the running step did not go over, and the one that its last refused read
    /// waits for.
    pub(super) next: usize,
    pub(super) waits: Option<usize>,
    /// Reads, with their position, that the message was too short for. The step may have caught that
    /// and gone on, so it is told again when it runs again. In the order of the stream, as there may
    /// be one a message.
    refused: Vec<(u64, Read)>,
    /// Bytes of a value's declared length that may be allocated before they come; 0 is the default.
    pub(super) preallocation: usize,
}

impl Resume {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.records.is_empty() && self.refused.is_empty()
    }

    /// Where released bytes begin, from a record on.
    #[inline]
    pub(super) fn wall(&self, index: usize) -> u64 {
        self.records.get(index).map_or(u64::MAX, |record| record.start)
    }

    /// Released bytes that are still in the buffers.
    pub(super) fn gaps(&self) -> usize {
        self.records.iter().map(|record| record.gap).sum()
    }

    /// A read that is refused for the message's end is refused so again, whatever the step released
    /// when it went on.
    pub(super) fn told_before(&mut self, position: u64, read: Read, stop: Stop) -> Stop {
        match stop {
            Stop::Failed(Error::EndOfMessage) => self.refuse(position, read),
            Stop::Failed(Error::StepChanged) if self.was_refused(position, read) => {
                return Error::EndOfMessage.into();
            }
            _ => {}
        }
        stop
    }

    pub(super) fn was_refused(&self, position: u64, read: Read) -> bool {
        self.find_refused(position, read).is_none()
    }

    pub(super) fn refuse(&mut self, position: u64, read: Read) {
        if let Some(index) = self.find_refused(position, read) {
            self.refused.insert(index, (position, read));
        }
    }

    /// Where a refusal belongs, if it is not there.
    fn find_refused(&self, position: u64, read: Read) -> Option<usize> {
        let first = self.refused.partition_point(|&(other, _)| other < position);
        let here = self.refused[first..].iter().take_while(|&&(other, _)| other == position);
        let mut count = 0;
        for &(_, other) in here {
            if other == read {
                return None;
            }
            count += 1;
        }
        Some(first + count)
    }

    /// `n` bytes of the buffers were consumed, and the records that were gone over with them.
    pub(super) fn consumed(&mut self, n: usize) {
        let passed = self.next;
        self.refused.clear();
        self.records.calm();
        self.records.retain(|index, record| index >= passed && !record.fresh);
        for record in self.records.iter_mut() {
            record.at = record.at.saturating_sub(n);
        }
    }

    /// The run ended without coming to its end, and nothing it read is released.
    pub(super) fn forget(&mut self) {
        self.records.retain(|_, record| !record.fresh);
    }

    /// The run ended without coming to its end: what it read is released. Returns how many bytes left
    /// the buffers.
    pub(super) fn release(&mut self, buffers: &mut Buffers) -> usize {
        let (passed, waits) = (self.next, self.waits);
        self.records
            .retain(|index, record| index < passed || !record.fresh || waits == Some(index));
        let mut punched = 0;
        for record in self.records.iter_mut() {
            record.fresh = false;
            record.at = record.at.saturating_sub(punched);
            if record.gap > 0 && buffers.punch(record.at, record.gap) {
                punched += mem::take(&mut record.gap);
            }
        }
        punched
    }
}
