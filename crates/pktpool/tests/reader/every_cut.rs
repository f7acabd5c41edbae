//! A stream cut at each byte: the step that is cut needs more, leaves everything as it was, and gives
//! the same once the rest is there.

use crate::wire::{Protocol, Wire};
use crate::{common, stream};
use pktpool::{Error, PacketStream, Progress, Reader, Stop};

fn wire(protocol: Protocol) -> Wire {
    let packets = [
        (1, false, 9),
        (1, false, 0),
        (1, false, 30),
        (1, false, 1),
        (1, true, 6),
        (2, true, 0),
        (3, false, 1),
        (3, false, 140),
        (3, true, 0),
        (4, true, 20),
    ];
    Wire::new(protocol, &packets)
}

type Step = fn(&mut Reader<'_>, &mut Vec<u8>) -> Result<(), Stop>;

/// Together they read all of it by every method.
const STEPS: [Step; 8] = [
    |r, out| {
        out.push(r.kind()?);
        out.extend(r.u32_le()?.to_le_bytes());
        out.push(r.peek()?);
        out.extend_from_slice(&r.read_vec(12)?);
        Ok(())
    },
    |r, out| {
        r.skip(4)?;
        r.take(8)?.for_each(|chunk| out.extend_from_slice(chunk));
        r.read_vec(0)?;
        out.push(r.peek()?);
        let (first, second) = (r.read_vec(7)?, r.read_vec(3)?);
        out.extend(first.iter().chain(&*second));
        Ok(())
    },
    |r, out| {
        // Too long for what is left, 8 bytes: one of the two is right, and the reader stays.
        let mut eight = [0; 8];
        match r.bytes::<9>() {
            Err(Stop::Failed(Error::EndOfMessage)) => r.read_into(&mut eight)?,
            other => return other.map(|_| panic!("9 of 8")),
        }
        out.extend(eight);
        out.push(u8::from(r.at_message_end()));
        r.next_message()
    },
    |r, out| {
        r.next_message()?;
        out.extend([r.kind()?, r.u8()?, r.kind()?]);
        Ok(())
    },
    |r, out| {
        out.extend(r.bytes::<3>()?);
        out.extend(r.u16_be()?.to_be_bytes());
        r.skip(100)?;
        out.extend(r.f64_be()?.to_bits().to_be_bytes());
        Ok(())
    },
    |r, _| r.next_message(),
    |r, out| {
        let value = r.read_vec(19)?;
        out.push(r.u8()?);
        out.extend(value.into_vec());
        Ok(())
    },
    |r, out| {
        assert!(r.at_message_end());
        out.push(0xFF);
        Ok(())
    },
];

/// What a step can see before it reads.
#[derive(Debug, Clone, PartialEq)]
struct View {
    position: u64,
    remaining: usize,
    kind: Option<u8>,
    peek: Option<u8>,
    at_end: bool,
}

impl View {
    fn of(r: &mut Reader<'_>) -> Self {
        Self {
            position: r.position(),
            remaining: r.remaining_in_packet(),
            kind: r.kind().ok(),
            peek: r.peek().ok(),
            at_end: r.at_message_end(),
        }
    }

    /// What was seen is seen again; what was not known may be.
    fn holds_in(&self, later: &Self) -> bool {
        self.position == later.position
            && (self.remaining == 0 || self.remaining == later.remaining)
            && (self.kind.is_none() || self.kind == later.kind)
            && (self.peek.is_none() || self.peek == later.peek)
            && (!self.at_end || later.at_end)
    }
}

/// Runs as many steps as can be; where it stopped, and with which view at the last one's start.
fn advance(
    stream: &mut PacketStream<Protocol>,
    mut next: usize,
    outs: &mut Vec<Vec<u8>>,
) -> (usize, Option<View>) {
    while let Some(step) = STEPS.get(next) {
        let (mut out, mut view) = (Vec::new(), None);
        let progress = stream.read(|r| {
            view = Some(View::of(r));
            step(r, &mut out)
        });
        match progress.unwrap() {
            Progress::NeedMore => return (next, view),
            Progress::Done(()) => outs.push(out),
        }
        next += 1;
    }
    (next, None)
}

fn expected(wire: &Wire) -> Vec<Vec<u8>> {
    let p = &wire.payload;
    let (second, third) = (46, 46 + 141);
    vec![
        [&[1], &p[..4], &[p[4]], &p[4..16]].concat(),
        [&p[20..28], &[p[28]], &p[28..38]].concat(),
        [&p[38..46], &[1]].concat(),
        vec![3, p[second], 3],
        [&p[second + 1..second + 6], &p[second + 106..second + 114]].concat(),
        vec![],
        [&[p[third + 19]], &p[third..third + 19]].concat(),
        vec![0xFF],
    ]
}

#[test]
fn one_cut() {
    for protocol in [Protocol::Tds, Protocol::Short] {
        let wire = wire(protocol);
        let expected = expected(&wire);
        for cut in 0..=wire.bytes.len() {
            let (mut stream, mut outs) = (stream(&wire), Vec::new());
            common::read(&mut stream, &wire.bytes[..cut]);
            let (at, before) = advance(&mut stream, 0, &mut outs);
            assert_eq!(outs, expected[..at], "cut at {cut}");
            if let Some(before) = &before {
                // Nothing arrived in between, and then something did.
                for _ in 0..3 {
                    let (again, view) = advance(&mut stream, at, &mut outs);
                    assert_eq!((again, view.as_ref()), (at, Some(before)), "cut at {cut}");
                }
                stream.feed(&[]).unwrap();
            } else {
                assert_eq!(at, STEPS.len());
            }
            common::read(&mut stream, &wire.bytes[cut..]);
            if let Some(before) = before {
                let mut view = None;
                let progress = stream.read(|r| {
                    view = Some(View::of(r));
                    Err::<(), _>(Stop::NeedMore)
                });
                assert!(matches!(progress, Ok(Progress::NeedMore)));
                assert!(before.holds_in(view.as_ref().unwrap()), "{before:?}, then {view:?}");
            }
            let (end, _) = advance(&mut stream, at, &mut outs);
            assert_eq!((end, &outs), (STEPS.len(), &expected), "cut at {cut}");
            stream.end_of_input().unwrap();
            assert_eq!(stream.stats().bytes_retained, 0);
        }
    }
}

#[test]
fn two_cuts() {
    let wire = wire(Protocol::Short);
    let expected = expected(&wire);
    for first in 0..wire.bytes.len() {
        for second in (first..=wire.bytes.len()).step_by(3) {
            let (mut stream, mut outs, mut at) = (stream(&wire), Vec::new(), 0);
            for piece in [&wire.bytes[..first], &wire.bytes[first..second], &wire.bytes[second..]] {
                common::read(&mut stream, piece);
                at = advance(&mut stream, at, &mut outs).0;
            }
            assert_eq!((at, &outs), (STEPS.len(), &expected), "cut at {first} and {second}");
        }
    }
}

#[test]
fn every_size_of_read() {
    for protocol in [Protocol::Tds, Protocol::Short] {
        let wire = wire(protocol);
        let expected = expected(&wire);
        for size in 1..60 {
            let (mut stream, mut outs, mut at) = (stream(&wire), Vec::new(), 0);
            let mut before: Option<View> = None;
            for piece in wire.bytes.chunks(size) {
                common::read(&mut stream, piece);
                let (now, view) = advance(&mut stream, at, &mut outs);
                if let (Some(before), Some(view)) = (before, &view)
                    && now == at
                {
                    assert!(before.holds_in(view), "{before:?}, then {view:?}");
                }
                (at, before) = (now, view);
            }
            assert_eq!((at, &outs), (STEPS.len(), &expected), "reads of {size}");
        }
    }
}
