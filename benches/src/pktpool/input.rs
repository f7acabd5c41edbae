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
}

impl Wire {
    pub(super) fn reads(&self) -> std::slice::Chunks<'_, u8> {
        self.bytes.chunks(self.read)
    }
}

pub(super) fn random(len: usize) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(0x7D5);
    std::iter::repeat_with(|| rng.u8(..)).take(len).collect()
}

/// The stream of one message, `len` bytes with its headers or a little more.
pub(super) fn wire(len: usize, packet: usize, read: usize) -> Wire {
    let packets = len.div_ceil(packet);
    wire_of(&random(packets * (packet - 8)), packet, read)
}

/// The stream of `message`.
pub(super) fn wire_of(message: &[u8], packet: usize, read: usize) -> Wire {
    let (mut bytes, mut payloads) = (Vec::new(), Vec::new());
    let packetizer = Packetizer::new(0x04, packet).expect("a packet size of TDS");
    for (header, data) in packetizer.packets(message) {
        bytes.extend_from_slice(&header.to_bytes());
        payloads.push(bytes.len()..bytes.len() + data.len());
        bytes.extend_from_slice(data);
    }
    Wire { bytes, read, payloads }
}

pub(super) fn continuations(packets: usize, header: usize, times: usize) -> Continuations {
    let mut rng = fastrand::Rng::with_seed(1);
    // Packets of 8000 bytes, the last of a response shorter.
    let packets = (1..=packets)
        .map(|i| random(header + if i == packets { rng.usize(100..7000) } else { 7992 }))
        .collect();
    Continuations { packets, header, times }
}
