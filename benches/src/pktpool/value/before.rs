//! Parsed again from the first packet with every packet, the output kept: what the original does by default.

use super::Row;
use crate::subject::Sink;

/// The packets of the row so far, a buffer each, and the output, which a replay fills anew.
#[derive(Default)]
pub(super) struct Replay {
    packets: Vec<Vec<u8>>,
    output: Vec<u8>,
}

pub(super) fn replayed(state: &mut Replay, row: &'static Row, sink: &mut Sink) {
    for read in row.wire.reads() {
        let mut buffer = vec![0; 8192];
        buffer[..read.len()].copy_from_slice(read);
        buffer.truncate(read.len());
        state.packets.push(buffer);
        if let Some((id, tail)) = state.parse(row.len) {
            sink.see(&id);
            sink.see(&state.output);
            sink.see(&tail);
            // The value is its reader's now.
            *state = Replay::default();
        }
    }
}

impl Replay {
    fn parse(&mut self, len: usize) -> Option<(i32, i32)> {
        let mut at = Cursor { packets: &self.packets, payload: &[] };
        let (mut id, mut tail) = ([0; 4], [0; 4]);
        at.read(&mut id)?;
        self.output.resize(len, 0);
        at.read(&mut self.output)?;
        at.read(&mut tail)?;
        Some((i32::from_le_bytes(id), i32::from_le_bytes(tail)))
    }
}

/// Where a replay is.
struct Cursor<'p> {
    packets: &'p [Vec<u8>],
    payload: &'p [u8],
}

impl Cursor<'_> {
    /// Fills `out`, packet by packet; what there is of it when the packets end before.
    fn read(&mut self, mut out: &mut [u8]) -> Option<()> {
        while !out.is_empty() {
            if self.payload.is_empty() {
                let (first, rest) = self.packets.split_first()?;
                (self.payload, self.packets) = (&first[8..], rest);
            }
            let n = out.len().min(self.payload.len());
            let (now, later) = std::mem::take(&mut out).split_at_mut(n);
            now.copy_from_slice(&self.payload[..n]);
            (out, self.payload) = (later, &self.payload[n..]);
        }
        Some(())
    }
}
