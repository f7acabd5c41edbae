//! An input as packets and as steps that read them.

use pktpool::tds::read_plp;
use pktpool::{Error, Reader, Stop};

/// What one read came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Out {
    Number(u64),
    Bytes(Vec<u8>),
    Null,
    /// The message ended before it; the reader did not move.
    End,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    U8,
    U32,
    Five,
    Peek,
    Kind,
    Position,
    Skip(u64),
    Take(usize),
    Into(usize),
    Vec(usize),
    Plp(usize),
    NextMessage,
    /// Not of a step: a packet, taken between two of them.
    Packet,
}

impl Op {
    /// Whether bytes that it read are let go when it has to wait.
    pub(super) fn is_resumable(self) -> bool {
        matches!(self, Self::Skip(_) | Self::Vec(_) | Self::Plp(_) | Self::NextMessage)
    }

    /// Runs on the reader that is tested.
    pub(super) fn run(self, reader: &mut Reader<'_>) -> Result<Out, Stop> {
        let number = |n: u64| Ok(Out::Number(n));
        let out = match self {
            Self::U8 => reader.u8().map(u64::from).and_then(number),
            Self::U32 => reader.u32_be().map(u64::from).and_then(number),
            Self::Five => reader.bytes::<5>().map(|bytes| Out::Bytes(bytes.to_vec())),
            Self::Peek => reader.peek().map(u64::from).and_then(number),
            Self::Kind => reader.kind().map(u64::from).and_then(number),
            Self::Position => number(reader.position()),
            Self::Skip(n) => reader.skip(n).and_then(|()| number(n)),
            Self::Take(n) => reader.take(n).map(|chunks| {
                let pieces: Vec<_> = chunks.collect();
                assert!(pieces.iter().all(|piece| !piece.is_empty()));
                Out::Bytes(pieces.concat())
            }),
            Self::Into(n) => {
                let mut bytes = vec![0; n];
                reader.read_into(&mut bytes).map(|()| Out::Bytes(bytes))
            }
            Self::Vec(n) => reader.read_vec(n).map(|value| Out::Bytes(value.to_vec())),
            Self::Plp(limit) => read_plp(reader, limit)
                .map(|value| value.map_or(Out::Null, |value| Out::Bytes(value.to_vec()))),
            Self::NextMessage => reader.next_message().and_then(|()| number(0)),
            Self::Packet => number(0),
        };
        match out {
            Err(Stop::Failed(Error::EndOfMessage)) => Ok(Out::End),
            out => out,
        }
    }
}

/// A packet: kind, end of message, payload.
pub(super) type Packet = (u8, bool, Vec<u8>);

/// What an input is decoded to.
pub(super) struct Program {
    /// The packets; the last one lacks `missing` bytes of its payload.
    pub(super) packets: Vec<Packet>,
    pub(super) missing: usize,
    /// What stands behind them: part of a header, or one that is none.
    pub(super) tail: Vec<u8>,
    pub(super) steps: Vec<Vec<Op>>,
}

/// Bytes of all values, about: some read buffers of 16 KiB, which a stream of small packets has.
const LARGEST: usize = 70 << 10;
/// Payload bytes of a packet, at most.
pub(super) const PAYLOAD: usize = 4000;
/// Things that are sent and read, at most.
const MOST: usize = 250;

impl Program {
    /// `scale` stretches values and packets, so that they reach over several read buffers. The rest
    /// of the input is four bytes for each thing that is sent and read.
    pub(super) fn new(scale: usize, data: &[u8]) -> Self {
        let (mut packets, mut message, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut steps, mut step) = (Vec::new(), Vec::new());
        let (mut tail, mut sent) = (Vec::new(), 0);
        for quad in data.chunks_exact(4).take(MOST) {
            let [what, a, b, c] = [quad[0], quad[1], quad[2], quad[3]];
            let n = usize::from(a) * scale;
            sizes.push(1 + usize::from(c) * scale);
            let start = message.len();
            let op = match what % 8 {
                0 | 1 => {
                    message.extend(pattern(start, n));
                    if what % 8 == 0 { Op::Vec(n) } else { Op::Take(n) }
                }
                2 => {
                    plp(&mut message, n, usize::from(b) + 1, what & 8 == 8);
                    Op::Plp(n)
                }
                3 => {
                    message.extend(u64::MAX.to_le_bytes());
                    Op::Plp(n)
                }
                4 => {
                    message.extend(pattern(start, 4));
                    Op::U32
                }
                5 => {
                    cut(&mut packets, &mut message, &mut sizes);
                    Op::NextMessage
                }
                6 => {
                    // A packet of a header alone, in the middle of a message or as its end.
                    packets.push((what, b & 1 == 1, Vec::new()));
                    Op::Kind
                }
                _ => {
                    message.push(b);
                    Op::U8
                }
            };
            sent += n;
            step.push(match what >> 4 {
                0..6 => op,
                6 => Op::Peek,
                7 => Op::Kind,
                8 => Op::Position,
                9 => Op::Five,
                10 => Op::Into(n),
                11 => Op::Skip(n as u64 + u64::from(b)),
                12 => Op::Vec(n + usize::from(b)),
                13 => Op::NextMessage,
                14 => Op::Plp(n.saturating_sub(usize::from(b))),
                _ => Op::Packet,
            });
            if b & 0x80 == 0x80 || what >> 4 == 15 {
                steps.push(std::mem::take(&mut step));
            }
            if sent > LARGEST {
                break;
            }
        }
        steps.push(step);
        cut(&mut packets, &mut message, &mut sizes);
        // It ends where a message does, inside one, inside a packet, or with something else.
        let mut missing = 0;
        match data.len() % 4 {
            0 => {}
            1 => missing = 91,
            2 => tail = vec![4, 0, 0, 7, 0, 0, 0, 0],
            _ => tail = vec![4, 1, 0],
        }
        if missing > 0 {
            packets.push((4, data.len() % 8 == 1, vec![1, 2]));
        }
        Self { packets, missing, tail, steps }
    }

    pub(super) fn wire(&self) -> Vec<u8> {
        let mut wire = Vec::new();
        for (i, (kind, end, payload)) in self.packets.iter().enumerate() {
            let missing = if i + 1 < self.packets.len() { 0 } else { self.missing };
            let length = (payload.len() + missing + 8) as u16;
            wire.extend([*kind, u8::from(*end)]);
            wire.extend(length.to_be_bytes());
            wire.extend([0; 4]);
            wire.extend(payload);
        }
        wire.extend(&self.tail);
        wire
    }
}

/// Bytes that say where they are.
fn pattern(start: usize, n: usize) -> impl Iterator<Item = u8> {
    (start..start + n).map(|i| (i * 7 + i / 251) as u8)
}

/// A partially length-prefixed value of `n` bytes, in chunks.
fn plp(message: &mut Vec<u8>, n: usize, chunk: usize, known: bool) {
    let value: Vec<u8> = pattern(message.len(), n).collect();
    message.extend(if known { n as u64 } else { u64::MAX - 1 }.to_le_bytes());
    for chunk in value.chunks(chunk.max(n / 50)) {
        message.extend((chunk.len() as u32).to_le_bytes());
        message.extend(chunk);
    }
    message.extend([0; 4]);
}

/// The message in packets of the sizes that were asked for, in turn.
fn cut(packets: &mut Vec<Packet>, message: &mut Vec<u8>, sizes: &mut Vec<usize>) {
    let message = std::mem::take(message);
    let sizes = std::mem::take(sizes);
    let (mut rest, mut i) = (&message[..], 0);
    while !rest.is_empty() {
        let n = sizes.get(i % sizes.len().max(1)).map_or(1, |&n| n).min(rest.len()).min(PAYLOAD);
        let (payload, behind) = rest.split_at(n);
        packets.push((i as u8, behind.is_empty(), payload.to_vec()));
        rest = behind;
        i += 1;
    }
}
