//! What several tests need: wires, and streams run to their end.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use pktpool::tds::{PacketHeader, Tds};
use pktpool::{Error, Framing, PacketStream};
use serde::de::DeserializeOwned;
use std::time::Duration;

/// What this thread has computed: on a machine with other work, whatever takes longer than a slice of
/// time is interrupted, and by the clock on the wall every run of it is.
#[cfg(unix)]
pub(crate) fn computed() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).unwrap()
}

#[cfg(not(unix))]
pub(crate) fn computed() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

pub(crate) fn load<T: DeserializeOwned>(file: &str) -> T {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    toml::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A packet taken: kind, end of message, header and payload.
pub(crate) type Taken = (u8, bool, Vec<u8>, Vec<u8>);

/// Takes every packet that is complete.
pub(crate) fn drain<F: Framing>(
    stream: &mut PacketStream<F>,
    out: &mut Vec<Taken>,
) -> Result<(), Error> {
    while let Some(p) = stream.next_packet()? {
        out.push((p.kind, p.end_of_message, p.header().to_vec(), p.payload().to_vec()));
    }
    Ok(())
}

/// Reads through the spare, as a socket would.
pub(crate) fn read<F: Framing>(stream: &mut PacketStream<F>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let spare = stream.spare_mut();
        assert!(!spare.is_empty());
        let n = spare.len().min(bytes.len());
        spare[..n].copy_from_slice(&bytes[..n]);
        stream.commit(n).unwrap();
        bytes = &bytes[n..];
    }
}

pub(crate) fn packet(status: u8, packet_id: u8, payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(8 + payload.len()).unwrap();
    let header =
        PacketHeader { packet_type: 4, status, length, spid: 0x7FFF, packet_id, window: 0 };
    [&header.to_bytes()[..], payload].concat()
}

/// The oracle: the whole wire at once, cut by the length fields.
pub(crate) fn cut(mut wire: &[u8]) -> Vec<Taken> {
    let mut out = Vec::new();
    while wire.len() >= 8 {
        let total = usize::from(wire[2]) * 256 + usize::from(wire[3]);
        if total < 8 || total > wire.len() {
            break;
        }
        let (packet, rest) = wire.split_at(total);
        out.push((packet[0], packet[1] % 2 == 1, packet[..8].to_vec(), packet[8..].to_vec()));
        wire = rest;
    }
    out
}

pub(crate) fn tds() -> Tds {
    Tds { max_packet: 65_535 }
}

/// So many cases, or as many as the environment says.
pub(crate) fn config(cases: u32) -> proptest::test_runner::Config {
    let given = proptest::test_runner::Config::default();
    let set = std::env::var_os("PROPTEST_CASES").is_some();
    proptest::test_runner::Config {
        cases: if set { given.cases } else { cases },
        failure_persistence: None,
        ..given
    }
}
