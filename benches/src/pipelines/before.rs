//! The slow shapes of the stories, one after the other.

use super::{CHARS, FIELD, FIELDS, NAME};
use crate::lucene_io::stored::nowhere::Nowhere;
use crate::subject::Sink;
use crate::{lucene_io, rfc5987, sqlite_text, utf8_runes};
use ::lucene_io::stored::Compression::Literals;
use rusqlite::Statement;
use std::hint::black_box;

/// Two copies into the text, then a worst-case temporary into the file.
pub(super) fn rows_to_index(statement: &mut Statement<'_>, out: &mut Vec<u8>, sink: &mut Sink) {
    out.clear();
    let mut rows = statement.query([]).expect("no parameters");
    while let Some(row) = rows.next().expect("a row") {
        let bytes = row.get_ref(0).expect("a column").as_bytes().expect("text");
        let text = sqlite_text::before::twice(bytes);
        let mut temporary = Vec::with_capacity(4 * text.len());
        temporary.extend_from_slice(text.as_bytes());
        lucene_io::before::write_vint(out, temporary.len());
        out.extend_from_slice(black_box(&temporary));
    }
    sink.see(out.as_slice());
}

/// A list of arrays a column, then a worst-case temporary into the file.
pub(super) fn columns_to_index(
    out: &mut Vec<u8>,
    columns: &'static Vec<Vec<u16>>,
    sink: &mut Sink,
) {
    out.clear();
    for column in columns {
        lucene_io::before::write_utf16(out, &utf8_runes::before::prefix(column, CHARS));
    }
    sink.see(out.as_slice());
}

/// The same into documents.
pub(super) fn columns_to_documents(
    dir: &mut Nowhere,
    columns: &'static [Vec<u16>],
    sink: &mut Sink,
) {
    let write_string = lucene_io::before::write_utf16;
    let mut writer = lucene_io::before::stored::Writer::new(dir, Literals, write_string);
    for columns in columns.chunks(FIELDS.len()) {
        writer.document(columns.iter().map(|column| utf8_runes::before::prefix(column, CHARS)));
    }
    writer.finish();
    sink.see(&dir.seen());
}

/// A fresh buffer a read, the packet put together in another, a node for it, a list of arrays a
/// column, and the name escaped byte by byte.
pub(super) fn packets_to_headers(wire: &'static [u8], sink: &mut Sink) {
    let mut partial: Vec<u8> = Vec::new();
    for (i, read) in wire.chunks(1460).enumerate() {
        let mut buffer = vec![0; 8192];
        buffer[..read.len()].copy_from_slice(read);
        let mut rest = &buffer[..read.len()];
        loop {
            // The header first, for the length; then the rest of the packet.
            let want = match partial.get(2..4) {
                Some(length) if partial.len() >= 8 => {
                    usize::from(length[0]) << 8 | usize::from(length[1])
                }
                _ => 8,
            };
            let take = (want - partial.len()).min(rest.len());
            partial.extend_from_slice(&rest[..take]);
            rest = &rest[take..];
            if partial.len() < want {
                break;
            }
            if want > 8 {
                let packet = std::mem::take(&mut partial);
                let node = black_box(Box::new((i, packet.len() - 8)));
                for field in packet[8..8 + node.1].chunks(FIELD) {
                    let name = utf8_runes::before::decode(field, NAME);
                    let escaped = rfc5987::before::ext_value(name.trim_end_matches(' '));
                    sink.see(escaped.trim_start_matches("UTF-8''"));
                }
            }
        }
    }
}
