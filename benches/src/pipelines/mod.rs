//! Cases that run several crates in one pipeline: what a program made of them pays.
//!
//! `before` chains the slow shapes of the stories, `after` the crates.

mod before;

use crate::lucene_io::stored::nowhere::Nowhere;
use crate::registry::Registry;
use crate::subject::Sink;
use lucene_io::DataOutput;
use lucene_io::stored::{Compression, Writer};
use pktpool::{Limits, PacketStream, Snapshot, tds};
use rusqlite::{Connection, Statement};
use sqlite_text::RowTextExt;
use utf8_runes::column::{FixedText, Pad};
use utf8_runes::utf16;

const ROWS: usize = 200;

/// Adds the cases.
pub fn register(registry: &mut Registry) {
    registry
        .case("pipelines/rows-to-index/latin-120", rows)
        .stateful("before", prepared, |(statement, out), _, sink| {
            before::rows_to_index(statement, out, sink);
        })
        .stateful("after", prepared, |(statement, out), _, sink| {
            rows_to_index(statement, out, sink);
        });
    registry
        .case("pipelines/columns-to-index/utf16-36-of-144", columns)
        .stateful("before", |_| Vec::new(), before::columns_to_index)
        .stateful("after", |_| Vec::new(), columns_to_index);
    registry
        .case("pipelines/columns-to-documents/utf16-36-of-144", columns)
        .stateful(
            "before",
            |_| Nowhere::default(),
            |dir, columns, sink| before::columns_to_documents(dir, columns, sink),
        )
        .stateful(
            "after",
            |_| Nowhere::default(),
            |dir, columns, sink| columns_to_documents(dir, columns, sink),
        );
    registry
        .case("pipelines/packets-to-headers/char-40", packets)
        .stateful("before", |_| (), |(), input, sink| before::packets_to_headers(input, sink))
        .stateful(
            "after",
            |_| Connected::default(),
            |state, wire, sink| {
                packets_to_headers(state, wire, sink);
            },
        );
}

/// A table of one TEXT column in memory.
fn rows() -> Connection {
    let db = Connection::open_in_memory().expect("memory");
    db.execute_batch("CREATE TABLE t (s TEXT NOT NULL)").expect("the table is sound");
    let mut rng = fastrand::Rng::with_seed(120);
    for _ in 0..ROWS {
        let text: String = (0..110)
            .map(|_| match rng.u8(..12) {
                0 => 'é',
                1 => ' ',
                _ => rng.lowercase(),
            })
            .collect();
        db.execute("INSERT INTO t VALUES (?1)", [&text]).expect("the row fits");
    }
    db
}

fn prepared(db: &'static Connection) -> (Statement<'static>, Vec<u8>) {
    (db.prepare("SELECT s FROM t").expect("the table is there"), Vec::new())
}

/// Each text goes from the row into the index file: one copy.
fn rows_to_index(statement: &mut Statement<'_>, out: &mut Vec<u8>, sink: &mut Sink) {
    out.clear();
    let mut rows = statement.query([]).expect("no parameters");
    while let Some(row) = rows.next().expect("a row") {
        out.write_string(row.text(0).expect("text")).expect("a vector takes all");
    }
    sink.see(out.as_slice());
}

/// Characters of a column, and what it is padded to (4 bytes a character, as UTF-16).
const CHARS: usize = 36;
const PADDED: usize = 144;

/// GUIDs in blank-padded UTF-16 columns.
fn columns() -> Vec<Vec<u16>> {
    let mut rng = fastrand::Rng::with_seed(36);
    (0..ROWS)
        .map(|_| {
            let guid: String = (0..CHARS)
                .map(|i| if [8, 13, 18, 23].contains(&i) { '-' } else { rng.digit(16) })
                .collect();
            let mut units: Vec<u16> = guid.encode_utf16().collect();
            units.resize(PADDED, u16::from(b' '));
            units
        })
        .collect()
}

/// Each column is cut in place and encoded into the index file: one copy.
fn columns_to_index(out: &mut Vec<u8>, columns: &'static Vec<Vec<u16>>, sink: &mut Sink) {
    out.clear();
    for column in columns {
        out.write_utf16(utf16::prefix(column, CHARS)).expect("a vector takes all");
    }
    sink.see(out.as_slice());
}

/// Fields of a document.
const FIELDS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

/// Each column is cut in place and encoded into the chunk of documents: one copy.
fn columns_to_documents(dir: &mut Nowhere, columns: &'static [Vec<u16>], sink: &mut Sink) {
    let mut writer = Writer::create(dir, "_0", Compression::Literals).expect("nothing fails here");
    for columns in columns.chunks(FIELDS.len()) {
        let mut document = writer.start_document().expect("the last one was ended");
        for (field, column) in FIELDS.into_iter().zip(columns) {
            document = document.utf16(field, utf16::prefix(column, CHARS));
        }
        document.end().expect("the strings are short");
    }
    writer.finish().expect("nothing fails here");
    sink.see(&dir.seen());
}

/// File names in CHAR(40) columns of 160 bytes, 25 a packet.
const NAME: usize = 40;
const FIELD: usize = 4 * NAME;

/// The packets of a server's answer, one after the other.
fn packets() -> Vec<u8> {
    const NAMES: [&str; 5] = [
        "report.pdf",
        "Minutes of the spring meeting.pdf",
        "Prévisions financières été.xlsx",
        "四半期連結決算短信.pdf",
        "backup-2024-04-09T08.00.00Z.tar.zst",
    ];
    let mut rows = Vec::new();
    for i in 0..ROWS {
        let name = NAMES[i % NAMES.len()];
        rows.extend_from_slice(name.as_bytes());
        rows.resize((i + 1) * FIELD, b' ');
    }
    let packetizer = tds::Packetizer::new(4, 8 + 25 * FIELD).expect("a legal size");
    let mut wire = Vec::new();
    for (header, payload) in packetizer.packets(&rows) {
        wire.extend_from_slice(&header.to_bytes());
        wire.extend_from_slice(payload);
    }
    wire
}

/// What a connection keeps between answers.
struct Connected {
    stream: PacketStream<tds::Tds>,
    snapshot: Snapshot<usize>,
    header: String,
}

impl Default for Connected {
    fn default() -> Self {
        Self {
            stream: PacketStream::new(tds::Tds::default(), Limits::default()),
            snapshot: Snapshot::new(),
            header: String::new(),
        }
    }
}

/// Packets in place, names in place, and one header string that is used again: one copy of the
/// bytes (the read) and one of the names (the escape).
fn packets_to_headers(state: &mut Connected, wire: &'static [u8], sink: &mut Sink) {
    let column = FixedText::new(NAME).pad(Pad::Trim);
    let Connected { stream, snapshot, header } = state;
    for (i, read) in wire.chunks(1460).enumerate() {
        stream.feed(read).expect("the packets are sound");
        while let Some(packet) = stream.next_packet().expect("the packets are sound") {
            snapshot.append(i, packet.payload().len());
            for name in column.decode_rows(packet.payload(), FIELD) {
                header.clear();
                rfc5987::encode_append(name.expect("text"), header);
                sink.see(header.as_str());
            }
            snapshot.clear();
        }
    }
}
