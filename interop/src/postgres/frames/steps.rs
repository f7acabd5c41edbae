//! Messages out of a stream's reader: steps that may run out of bytes anywhere and run again.

use super::message::{Malformed, Message, Row};
use pktpool::{NeedMoreOr, Reader, Value};

/// What a step of this module fails with.
pub(super) type Failure = NeedMoreOr<Malformed>;

/// A message whose values are still the stream's own, so that a step that runs again copies none
/// of them twice.
#[derive(Debug)]
pub(super) enum Read {
    /// `DataRow`.
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

/// Reads the kind and the first two bytes of a message that has more of them, and is done in the
/// middle of it; of another, all.
#[expect(clippy::type_complexity, reason = "either of two")]
pub(super) fn beginning(
    reader: &mut Reader<'_>,
) -> Result<Result<(u8, Value), (u8, [u8; 2])>, Failure> {
    let kind = reader.kind()?;
    let length = reader.remaining_in_packet();
    if length > 2 {
        return Ok(Err((kind, reader.bytes()?)));
    }
    let payload = reader.read_vec(length)?;
    end(reader)?;
    Ok(Ok((kind, payload)))
}

/// Reads a `DataRow` and keeps only its [`Digest`], so that nothing of the step's own is on the heap.
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

#[cfg(test)]
mod tests {
    use super::*;
    use pktpool::postgres::Backend;
    use pktpool::{Limits, PacketStream, Progress};

    #[test]
    fn a_message_read_in_two_pieces_is_the_message() {
        let row = b"\0\x03\0\0\0\x01a\0\0\0\0\xFF\xFF\xFF\xFF";
        let wire = [b"D\0\0\0\x13", &row[..], b"C\0\0\0\x0DSELECT 2\0"].concat();
        for cut in 0..=wire.len() {
            let mut stream = PacketStream::new(Backend, Limits::default());
            let (mut rows, mut tags, mut digests) = (vec![], vec![], vec![]);
            for part in [&wire[..cut], &wire[cut..]] {
                stream.feed(part).unwrap();
                while let Progress::Done(read) = stream.parse(message).unwrap() {
                    match read.into_message().unwrap() {
                        Message::Row(row) => rows.push(row),
                        Message::Complete(tag) => tags.push(tag),
                        other => panic!("{other:?}"),
                    }
                }
            }
            stream.end_of_input().unwrap();
            let mut stream = PacketStream::new(Backend, Limits::default());
            for part in [&wire[..cut], &wire[cut..]] {
                stream.feed(part).unwrap();
                while let Progress::Done(digest) = stream.parse(digest).unwrap() {
                    digests.push(digest);
                }
            }
            let Message::Row(whole) = Message::of(b'D', row).unwrap() else { panic!("no row") };
            assert_eq!(whole, [Some(b"a".to_vec()), Some(vec![]), None]);
            assert_eq!(
                (&rows[..], &tags[..]),
                (&[whole][..], &["SELECT 2".to_owned()][..]),
                "{cut}"
            );
            assert_eq!(digests, [Ok(Digest::of(&rows[0]).0), Err(b'C')], "cut at {cut}");
        }
    }

    #[test]
    fn a_row_that_is_too_short_or_too_long_for_its_values_is_refused() {
        for wire in [&b"D\0\0\0\x09\0\x01\0\0\0"[..], b"D\0\0\0\x07\0\0!"] {
            let mut stream = PacketStream::new(Backend, Limits::default());
            stream.feed(wire).unwrap();
            assert!(stream.parse(message).is_err(), "{wire:?}");
        }
    }
}
