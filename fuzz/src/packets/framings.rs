//! Every framing against one that is written down again, and has the whole input at once.

use pktpool::mysql::MySql;
use pktpool::postgres::{Backend, Frontend};
use pktpool::smp::Smp;
use pktpool::tds::Tds;
use pktpool::{Error, Framing, LengthDelimited, Limits, PacketStream};

/// The first byte chooses the framing, the second how the input is split into reads and what the
/// stream is limited to; eight more are the options of a length-delimited one.
pub fn framings(data: &[u8]) {
    let (choice, rest) = crate::number(data);
    let (split, rest) = crate::number(rest);
    let limit = if split < 128 { Limits::default().max_packet } else { 600 };
    let split = split % 128;
    match choice % 6 {
        0 => check(Tds::default(), tds, rest, split, limit),
        1 => check(Smp, smp, rest, split, limit),
        2 => check(Backend, backend, rest, split, limit),
        3 => check(Frontend, frontend, rest, split, limit),
        4 => check(MySql, mysql, rest, split, limit),
        _ => {
            let Some((options, rest)) = rest.split_first_chunk() else { return };
            let options = Options::new(*options);
            check(options.framing(), |head: &[u8]| options.head(head), rest, split, limit);
        }
    }
}

/// Header bytes, bytes of the packet, kind, whether the message ends.
type Head = (usize, u128, u8, bool);

/// A number of bytes, low ones first.
fn low_first(bytes: &[u8]) -> u128 {
    (0..bytes.len()).map(|i| u128::from(bytes[i]) << (8 * i)).sum()
}

fn high_first(bytes: &[u8]) -> u128 {
    low_first(&bytes.iter().rev().copied().collect::<Vec<_>>())
}

fn bad(length: u128) -> Error {
    Error::BadLength { length: length as u64 }
}

fn large(length: u128) -> Error {
    Error::PacketTooLarge { length: length as u64 }
}

fn tds(head: &[u8]) -> Result<Option<Head>, Error> {
    if head.len() < 8 {
        return Ok(None);
    }
    match high_first(&head[2..4]) {
        length @ ..8 => Err(bad(length)),
        length @ 32_768.. => Err(large(length)),
        length => Ok(Some((8, length, head[0], head[1] % 2 == 1))),
    }
}

fn smp(head: &[u8]) -> Result<Option<Head>, Error> {
    if !head.is_empty() && head[0] != b'S' {
        return Err(Error::BadHeader);
    }
    if head.len() < 16 {
        return Ok(None);
    }
    match low_first(&head[4..8]) {
        length @ ..16 => Err(bad(length)),
        length => Ok(Some((16, length, head[1], true))),
    }
}

fn backend(head: &[u8]) -> Result<Option<Head>, Error> {
    if head.len() < 5 {
        return Ok(None);
    }
    match high_first(&head[1..5]) {
        length @ (..4 | 0x8000_0000..) => Err(bad(length)),
        length => Ok(Some((5, length + 1, head[0], true))),
    }
}

fn frontend(head: &[u8]) -> Result<Option<Head>, Error> {
    if head.is_empty() || head[0] > 0 {
        return backend(head);
    }
    if head.len() < 4 {
        return Ok(None);
    }
    match high_first(&head[..4]) {
        length @ ..8 => Err(bad(length)),
        length @ 10_001.. => Err(large(length)),
        length => Ok(Some((4, length, 0, true))),
    }
}

fn mysql(head: &[u8]) -> Result<Option<Head>, Error> {
    if head.len() < 4 {
        return Ok(None);
    }
    let length = low_first(&head[..3]);
    Ok(Some((4, length + 4, head[3], length < 0xFF_FFFF)))
}

/// What a length-delimited framing is made with.
struct Options {
    offset: usize,
    width: u8,
    little: bool,
    inclusive: bool,
    adjust: i64,
    header: usize,
    kind: Option<usize>,
    max: Option<u8>,
}

impl Options {
    fn new([offset, width, flags, adjust, header, kind, max, scale]: [u8; 8]) -> Self {
        // Now and then as large as can be.
        let size = |byte: u8| if byte == 255 { usize::MAX } else { usize::from(byte % 24) };
        Self {
            offset: size(offset),
            width,
            little: flags & 1 == 1,
            inclusive: flags & 2 == 2,
            adjust: i64::from(adjust as i8) << (scale % 57),
            header: size(header),
            kind: (flags & 4 == 4).then_some(size(kind)),
            max: (flags & 8 == 8).then_some(max),
        }
    }

    fn framing(&self) -> LengthDelimited {
        let mut framing = LengthDelimited::default()
            .offset(self.offset)
            .width(self.width)
            .adjust(self.adjust)
            .header(self.header);
        if self.little {
            framing = framing.little_endian();
        }
        if self.inclusive {
            framing = framing.inclusive();
        }
        if let Some(at) = self.kind {
            framing = framing.kind_at(at);
        }
        self.max.map_or(framing, |max| framing.max_packet(max.into()))
    }

    fn head(&self, head: &[u8]) -> Result<Option<Head>, Error> {
        let width = usize::from(self.width.clamp(1, 8));
        let parts = [self.offset as u128 + width as u128, self.header as u128];
        let kind = self.kind.map_or(0, |at| at as u128 + 1);
        let header = parts[0].max(parts[1]).max(kind);
        if (head.len() as u128) < header {
            return Ok(None);
        }
        let field = &head[self.offset..self.offset + width];
        let declared = if self.little { low_first(field) } else { high_first(field) };
        let whole = if self.inclusive { declared } else { declared + header };
        let total = whole as i128 + i128::from(self.adjust);
        if total < header as i128 {
            return Err(bad(declared));
        }
        if total as u128 > self.max.map_or(usize::MAX as u128, u128::from) {
            return Err(large(declared));
        }
        let kind = self.kind.map_or(0, |at| head[at]);
        Ok(Some((header as usize, total as u128, kind, true)))
    }
}

/// A packet: kind, end of message, header, payload.
type Owned = (u8, bool, Vec<u8>, Vec<u8>);

/// Bytes of a header, at most.
const MAX_HEADER: usize = 1024;

fn check<F: Framing>(
    framing: F,
    head: impl Fn(&[u8]) -> Result<Option<Head>, Error>,
    input: &[u8],
    split: usize,
    limit: usize,
) {
    // What is in the input, and what it comes to.
    let (mut expected, mut at, mut open) = (Vec::new(), 0, false);
    let longest = MAX_HEADER.min(limit);
    let end = loop {
        let rest = &input[at..];
        let left = rest.len();
        let (header, total, kind, end) = match head(&rest[..left.min(longest)]) {
            Err(error) => break Some(error),
            Ok(None) if left >= longest => break Some(Error::BadHeader),
            Ok(None) if left == 0 && !open => break None,
            Ok(None) => break Some(Error::UnexpectedEof { partial: left as u64 }),
            Ok(Some(head)) => head,
        };
        if total > limit as u128 {
            break Some(large(total));
        }
        let Some(packet) = rest.get(..total as usize) else {
            break Some(Error::UnexpectedEof { partial: left as u64 });
        };
        let (header, payload) = packet.split_at(header);
        expected.push((kind, end, header.to_vec(), payload.to_vec()));
        at += packet.len();
        open = !end;
    };

    let limits = Limits { max_packet: limit, ..Limits::default() };
    let mut stream = PacketStream::new(framing, limits);
    let mut taken: Vec<Owned> = Vec::new();
    let failed = run(&mut stream, input, split, &mut taken).err();
    assert_eq!(taken, expected);
    match end {
        None => assert_eq!((failed, stream.end_of_input()), (None, Ok(()))),
        Some(error @ Error::UnexpectedEof { .. }) => {
            assert_eq!((failed, stream.end_of_input()), (None, Err(error)));
            assert!(stream.next_packet().is_err() && stream.feed(&[0]).is_err());
        }
        Some(error) => {
            assert_eq!((failed, stream.end_of_input()), (Some(error), Err(Error::Poisoned)));
            assert!(stream.next_packet().is_err() && stream.feed(&[0]).is_err());
        }
    }
}

fn run<F: Framing>(
    stream: &mut PacketStream<F>,
    input: &[u8],
    split: usize,
    taken: &mut Vec<Owned>,
) -> Result<(), Error> {
    for (i, read) in input.chunks(split + 1).enumerate() {
        // Once into the stream's own room and once by copy, in turn; no read has more than fits.
        if i % 2 == 0 {
            stream.feed(read)?;
        } else {
            stream.spare_mut()[..read.len()].copy_from_slice(read);
            stream.commit(read.len())?;
        }
        while let Some(packet) = stream.next_packet()? {
            let (kind, end) = (packet.kind, packet.end_of_message);
            taken.push((kind, end, packet.header().to_vec(), packet.payload().to_vec()));
        }
        // No more is held than what was given, and a declared length makes nothing.
        assert!(stream.stats().bytes_retained <= input.len());
        assert!(stream.stats().bytes_allocated <= 64 << 10);
    }
    Ok(())
}
