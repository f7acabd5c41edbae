//! Messages out of a stream's reader: steps that may run out of bytes anywhere and run again.

use super::message::{Malformed, Message, Row};
use pktpool::{NeedMoreOr, Reader, Value};

/// What a step of this module fails with.
pub(super) type Failure = NeedMoreOr<Malformed>;

/// A message whose values are still the stream's own, so that a step that runs again copies none
/// of them twice.
#[derive(Debug)]
pub(super) enum Read {
    /// DataRow.
    Row(Vec<Option<Value>>),
    /// Any other kind and its payload.
    Other(u8, Value),
}

impl Read {
    /// The message.
    pub(super) fn into_message(self) -> Result<Message, Malformed> {
        let own = |value: Option<Value>| value.map(Value::into_vec);
        match self {
            Self::Row(values) => Ok(Message::Row(values.into_iter().map(own).collect::<Row>())),
            Self::Other(b'd', payload) => Ok(Message::Copied(payload.into_vec())),
            Self::Other(kind, payload) => Message::of(kind, &payload),
        }
    }
}

/// Reads one message.
pub(super) fn message(reader: &mut Reader<'_>) -> Result<Read, Failure> {
    let read = match reader.kind()? {
        b'D' => {
            let values = reader.u16_be()?;
            let mut row = Vec::with_capacity(values.into());
            for _ in 0..values {
                row.push(length(reader)?.map(|length| reader.read_vec(length)).transpose()?);
            }
            Read::Row(row)
        }
        kind => Read::Other(kind, reader.read_vec(reader.remaining_in_packet())?),
    };
    end(reader)?;
    Ok(read)
}

/// Reads a DataRow and keeps only its [`Digest`], so that nothing of the step's own is on the heap.
/// Of another message its kind.
pub(super) fn digest(reader: &mut Reader<'_>) -> Result<Result<u64, u8>, Failure> {
    let kind = reader.kind()?;
    let digest = if kind == b'D' {
        let mut digest = Digest::new();
        for _ in 0..reader.u16_be()? {
            let length = length(reader)?;
            digest.value(length);
            reader.take(length.unwrap_or(0))?.for_each(|chunk| digest.bytes(chunk));
        }
        Ok(digest.0)
    } else {
        reader.skip(reader.remaining_in_packet() as u64)?;
        Err(kind)
    };
    end(reader)?;
    Ok(digest)
}

/// The length of the value that follows; `None` is NULL.
pub(super) fn length(reader: &mut Reader<'_>) -> Result<Option<usize>, Failure> {
    match reader.i32_be()? {
        -1 => Ok(None),
        length => {
            usize::try_from(length).map(Some).map_err(|_| NeedMoreOr::Other(Malformed("length")))
        }
    }
}

/// Goes on to the next message; this one must be over.
pub(super) fn end(reader: &mut Reader<'_>) -> Result<(), Failure> {
    if reader.remaining_in_packet() > 0 {
        return Err(NeedMoreOr::Other(Malformed("bytes after its end")));
    }
    Ok(reader.next_message()?)
}

/// FNV-1a over the lengths and bytes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digest(pub(super) u64);

impl Digest {
    pub(super) fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(super) fn of(row: &Row) -> Self {
        let mut digest = Self::new();
        for value in row {
            digest.value(value.as_ref().map(Vec::len));
            digest.bytes(value.as_deref().unwrap_or_default());
        }
        digest
    }

    fn value(&mut self, length: Option<usize>) {
        self.bytes(&length.map_or(u64::MAX, |length| length as u64).to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}
