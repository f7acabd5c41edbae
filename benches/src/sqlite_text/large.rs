//! Cases of `TextReader`: one very large text, piece by piece, by someone who counts its words.

use super::filled;
use super::input::{self, Script};
use super::peers;
use crate::registry::{CaseBuilder, Registry};
use rusqlite::{Connection, MAIN_DB};
use sqlite_text::TextReader;
use std::io::Read;

pub(super) fn register(registry: &mut Registry) {
    for (name, bytes) in
        [("sqlite-text/large/words-256-kib", 256 << 10), ("sqlite-text/large/words-8-mib", 8 << 20)]
    {
        words(registry.case(name, move || {
            let texts = input::some_texts(1, Script::Ascii, bytes);
            filled(input::CREATE, input::INSERT, texts.iter().map(|text| [text]))
        }));
    }
}

fn words(case: CaseBuilder<'_, Connection>) {
    let case = case.showing("rusqlite", |db, sink| {
        let mut blob = db.blob_open(MAIN_DB, "t", "s", 1, true).expect("the text is there");
        let mut bytes = Vec::with_capacity(blob.len());
        blob.read_to_end(&mut bytes).expect("nothing changes it");
        let text = String::from_utf8(bytes).expect("the input is text");
        sink.see(&blanks(&text));
        sink.see(&text.len());
    });
    let case = case.stateful(
        "rusqlite-get_ref",
        |db| db.prepare(input::SELECT).expect("the query is sound"),
        |select, _, sink| {
            let mut rows = select.query([]).expect("no parameters");
            let row = rows.next().expect("a row").expect("the row is there");
            let text = peers::rusqlite_borrowed(row, 0);
            sink.see(&blanks(text));
            sink.see(&text.len());
        },
    );
    case.showing("after", |db, sink| {
        let mut reader = TextReader::open(db, "main", "t", "s", 1).expect("the text is there");
        let (mut count, mut length) = (0, 0);
        while let Some(piece) = reader.next_chunk().expect("text") {
            count += blanks(piece);
            length += piece.len();
        }
        sink.see(&count);
        sink.see(&length);
    });
}

/// A part of it is counted in bytes, which takes little beside the reading.
fn blanks(text: &str) -> usize {
    let of = |part: &[u8]| part.iter().map(|byte| u8::from(*byte == b' ')).sum::<u8>();
    text.as_bytes().chunks(usize::from(u8::MAX)).map(|part| usize::from(of(part))).sum()
}
