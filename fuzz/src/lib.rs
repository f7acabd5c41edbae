//! What must hold on any input: each check compares a crate with the standard library or with a
//! slow, obvious version, and panics where they differ.
//!
//! The same functions are the bodies of the fuzz targets (`fuzz_targets/`, one file each) and are
//! run over `regressions/<target>/` by an ordinary test on the stable toolchain.

pub mod column;
pub mod disposition;
pub mod ext_value;
pub mod lucene;
pub mod packets;
pub mod sqlite;
pub mod text;
mod tiers;
pub mod utf16;
pub mod utf16_bytes;

/// A check: it panics where something does not hold.
pub type Check = fn(&[u8]);

/// Every check by the name of its target.
pub const TARGETS: [(&str, Check); 20] = [
    ("utf8_runes_decode", text::decode),
    ("utf8_runes_utf16", utf16::utf16),
    ("utf8_runes_utf16_bytes", utf16_bytes::utf16_bytes),
    ("utf8_runes_column", column::column),
    ("rfc5987_encode_decode", ext_value::encode_decode),
    ("rfc5987_parse", disposition::parse),
    ("rfc5987_round_trip", disposition::round_trip),
    ("rfc5987_sanitise", disposition::sanitise),
    ("pktpool_framings", packets::framings::framings),
    ("pktpool_resume", packets::resume::resume),
    ("pktpool_stream", packets::stream),
    ("lucene_io_input", lucene::input::input),
    ("lucene_io_codec", lucene::codec::codec),
    ("lucene_io_lz4", lucene::lz4::lz4),
    ("lucene_io_stored", lucene::stored::stored),
    ("lucene_io_compound", lucene::compound::compound),
    ("lucene_io_index", lucene::index::index),
    ("sqlite_text_batch", sqlite::batch::batch),
    ("sqlite_text_pieces", sqlite::pieces::pieces),
    ("sqlite_text_row", sqlite::row::row),
];

/// Takes the first byte off as a small number.
fn number(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(&first, rest)| (usize::from(first), rest))
}
