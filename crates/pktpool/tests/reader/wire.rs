//! A whole stream with everything that is true of it: the oracle has all bytes at once.

use pktpool::tds::{PacketHeader, Tds};
use pktpool::{Error, FrameError, FrameHead, Framing};
use std::fmt;
use std::ops::Range;

/// What a header of the test's streams looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Eight bytes.
    Tds,
    /// Kind and end of message in one byte, then the payload's length in one byte to five.
    Short,
}

impl Protocol {
    fn header(self, kind: u8, eom: bool, payload: usize) -> Vec<u8> {
        match self {
            Self::Tds => {
                let length = u16::try_from(8 + payload).unwrap();
                let header = PacketHeader {
                    packet_type: kind,
                    // Bits that mean nothing to us are set now and then.
                    status: u8::from(eom) | (kind << 1),
                    length,
                    spid: 0x1234,
                    packet_id: kind,
                    window: 0xFF,
                };
                header.to_bytes().to_vec()
            }
            Self::Short => {
                let mut out = vec![kind << 1 | u8::from(eom)];
                let mut left = payload;
                while left >= 0x80 {
                    out.push(left as u8 | 0x80);
                    left >>= 7;
                }
                out.push(left as u8);
                out
            }
        }
    }

    /// The kind that the header of `kind` gives back.
    fn kind(self, kind: u8) -> u8 {
        if self == Self::Tds { kind } else { kind & 0x7F }
    }

    /// A header that is none, and the error that it comes to.
    fn bad(self) -> (Vec<u8>, Error) {
        match self {
            Self::Tds => (vec![4, 1, 0, 5, 0, 0, 1, 0], Error::BadLength { length: 5 }),
            Self::Short => (vec![0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Error::BadHeader),
        }
    }
}

impl Framing for Protocol {
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        if *self == Self::Tds {
            return Tds { max_packet: 65_535 }.decode(head);
        }
        let mut payload = 0;
        for (i, &byte) in head.iter().enumerate().skip(1) {
            if i == 6 {
                break;
            }
            payload |= usize::from(byte & 0x7F) << (7 * (i - 1));
            if byte < 0x80 {
                return Ok(Some(FrameHead {
                    header_len: i + 1,
                    total_len: i + 1 + payload,
                    end_of_message: head[0] & 1 != 0,
                    kind: head[0] >> 1,
                }));
            }
        }
        if head.len() > 5 { Err(FrameError::BadHeader) } else { Ok(None) }
    }
}

/// A packet by its places: in the bytes, and in the payload of all packets.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) start: usize,
    pub(crate) head_end: usize,
    pub(crate) end: usize,
    pub(crate) payload: Range<usize>,
    pub(crate) eom: bool,
    pub(crate) kind: u8,
}

/// A message by the places of its payload; `last` is its last packet, if the stream has it.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) payload: Range<usize>,
    pub(crate) last: Option<usize>,
}

#[derive(Clone)]
pub(crate) struct Wire {
    pub(crate) protocol: Protocol,
    pub(crate) bytes: Vec<u8>,
    pub(crate) payload: Vec<u8>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) messages: Vec<Message>,
    /// The place behind a header that is none, with which the stream ends.
    pub(crate) bad: Option<(usize, Error)>,
}

/// What it was made of.
impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packets: Vec<_> =
            self.frames.iter().map(|frame| (frame.kind, frame.eom, frame.payload.len())).collect();
        write!(f, "{:?} {packets:?}, bad {:?}", self.protocol, self.bad)
    }
}

/// The byte at a place of the payload: no two neighbourhoods look alike.
pub(crate) fn byte(place: usize) -> u8 {
    ((place as u32).wrapping_mul(2_654_435_761) >> 23) as u8
}

impl Wire {
    /// Packets by kind, end of message and length; the content is made.
    pub(crate) fn new(protocol: Protocol, packets: &[(u8, bool, usize)]) -> Self {
        let length = packets.iter().map(|p| p.2).sum();
        let payload: Vec<u8> = (0..length).map(byte).collect();
        Self::with_payload(protocol, packets, payload)
    }

    pub(crate) fn with_payload(
        protocol: Protocol,
        packets: &[(u8, bool, usize)],
        payload: Vec<u8>,
    ) -> Self {
        let (mut bytes, mut frames, mut messages) = (Vec::new(), Vec::new(), Vec::new());
        let (mut at, mut begin) = (0, 0);
        for &(kind, eom, length) in packets {
            let start = bytes.len();
            bytes.extend(protocol.header(kind, eom, length));
            let head_end = bytes.len();
            bytes.extend(&payload[at..at + length]);
            frames.push(Frame {
                start,
                head_end,
                end: bytes.len(),
                payload: at..at + length,
                eom,
                kind: protocol.kind(kind),
            });
            at += length;
            if eom {
                messages.push(Message { payload: begin..at, last: Some(frames.len() - 1) });
                begin = at;
            }
        }
        assert_eq!(at, payload.len());
        messages.push(Message { payload: begin..at, last: None });
        Self { protocol, bytes, payload, frames, messages, bad: None }
    }

    /// One message in packets of a size, header included.
    pub(crate) fn tds(message: &[u8], packet_size: usize) -> Self {
        let full = packet_size - 8;
        let count = message.len().div_ceil(full).max(1);
        let packets: Vec<_> =
            (0..count).map(|i| (4, i + 1 == count, full.min(message.len() - i * full))).collect();
        Self::with_payload(Protocol::Tds, &packets, message.to_vec())
    }

    /// The same with a header behind it that is none.
    pub(crate) fn then_bad(mut self) -> Self {
        let (header, error) = self.protocol.bad();
        self.bytes.extend(header);
        self.bad = Some((self.bytes.len(), error));
        self
    }

    /// Payload bytes among the first `arrived` bytes.
    pub(crate) fn reach(&self, arrived: usize) -> usize {
        let begun = self.frames.partition_point(|f| f.head_end < arrived);
        let Some(frame) = self.frames[..begun].last() else { return 0 };
        frame.payload.start + (arrived.min(frame.end) - frame.head_end)
    }

    /// The packet that holds the payload byte at a place.
    pub(crate) fn frame_at(&self, place: usize) -> Option<&Frame> {
        self.frames.iter().find(|f| f.payload.contains(&place))
    }

    /// Whether the bytes may end there.
    pub(crate) fn end_of_input(&self, arrived: usize) -> Result<(), Error> {
        if let Some((end, error)) = self.bad
            && arrived >= end
        {
            return Err(error);
        }
        let complete = self.frames.iter().take_while(|f| f.end <= arrived).last();
        let partial = (arrived - complete.map_or(0, |f| f.end)) as u64;
        if partial > 0 || complete.is_some_and(|f| !f.eom) {
            return Err(Error::UnexpectedEof { partial });
        }
        Ok(())
    }
}
