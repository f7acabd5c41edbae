//! The inputs: what a snapshot takes, and streams of packets as a socket cuts them.

use pktpool::tds::Packetizer;

/// What one continuation of an async read sees: the packets that its snapshot takes, and how often.
pub(super) struct Continuations {
    pub(super) packets: Vec<Vec<u8>>,
    /// Bytes before the data: 8, or 24 under MARS.
    pub(super) header: usize,
    pub(super) times: usize,
}

/// A stream of TDS packets and how a socket cuts it.
pub(super) struct Wire {
    pub(super) bytes: Vec<u8>,
    pub(super) read: usize,
    /// Where the payloads lie.
    pub(super) payloads: Vec<std::ops::Range<usize>>,
    /// The reads, [`GAP`] bytes between each two; or none, then they lie side by side in `bytes`.
    apart: Vec<u8>,
}

/// Between two reads. Source and destination of a read advance alike, and where they lie to each other
/// within a page can make a copy four times slower: so it changes from read to read.
const GAP: usize = 64;

impl Wire {
    pub(super) fn new(bytes: Vec<u8>, read: usize) -> Self {
        Self { bytes, read, payloads: Vec::new(), apart: Vec::new() }
    }

    /// What the socket gives at a time.
    #[inline(always)]
    pub(super) fn reads(&self) -> impl Iterator<Item = &[u8]> {
        let (bytes, gap) =
            if self.apart.is_empty() { (&self.bytes, 0) } else { (&self.apart, GAP) };
        bytes.chunks(self.read + gap).map(|read| &read[..read.len().min(self.read)])
    }

    fn apart(mut self) -> Self {
        for read in self.bytes.chunks(self.read) {
            self.apart.extend_from_slice(read);
            if read.len() == self.read {
                self.apart.resize(self.apart.len() + GAP, 0);
            }
        }
        self
    }
}

pub(super) fn random(len: usize) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(0x7D5);
    std::iter::repeat_with(|| rng.u8(..)).take(len).collect()
}

/// The stream of one message, `len` bytes with its headers or a little more.
pub(super) fn wire(len: usize, packet: usize, read: usize) -> Wire {
    let packets = len.div_ceil(packet);
    let wire = wire_of(&random(packets * (packet - 8)), packet, read);
    if len > 1 << 20 { wire.apart() } else { wire }
}

/// The stream of `message`.
pub(super) fn wire_of(message: &[u8], packet: usize, read: usize) -> Wire {
    let mut wire = Wire::new(Vec::new(), read);
    let Wire { bytes, payloads, .. } = &mut wire;
    let packetizer = Packetizer::new(0x04, packet).expect("a packet size of TDS");
    for (header, data) in packetizer.packets(message) {
        bytes.extend_from_slice(&header.to_bytes());
        payloads.push(bytes.len()..bytes.len() + data.len());
        bytes.extend_from_slice(data);
    }
    wire
}

pub(super) fn continuations(packets: usize, header: usize, times: usize) -> Continuations {
    let mut rng = fastrand::Rng::with_seed(1);
    // Packets of 8000 bytes, the last of a response shorter.
    let packets = (1..=packets)
        .map(|i| random(header + if i == packets { rng.usize(100..7000) } else { 7992 }))
        .collect();
    Continuations { packets, header, times }
}
