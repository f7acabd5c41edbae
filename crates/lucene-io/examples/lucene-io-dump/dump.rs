//! Stored documents as lines of JSON.

use super::{Stop, Streams, json, plain};
use lucene_io::index::Segment;
use lucene_io::store::{Directory as _, FsDirectory};
use lucene_io::stored::{Reader, Verify, Visit};
use lucene_io::{Error, index};
use std::fmt::Display;

/// Whether all documents were read.
pub(crate) fn docs(dir: &str, salvage: bool, streams: &mut Streams<'_>) -> Result<bool, Stop> {
    let dir = FsDirectory::open(dir)?;
    let mut whole = true;
    let segments = match index::read_commit(&dir) {
        Err(error) if salvage => {
            whole = false;
            let _ = writeln!(streams.errors, "the commit cannot be read, its folder is: {error}");
            in_folder(&dir)?
        }
        commit => commit?.segments().iter().map(named).collect(),
    };
    for (name, deleted) in &segments {
        let mut reader = match open(&dir, name, salvage, streams) {
            Ok((reader, as_written)) => {
                whole &= as_written;
                reader
            }
            Err(error) if salvage => {
                whole = false;
                complain(streams, name, "cannot be opened", error);
                continue;
            }
            Err(error) => return Err(Stop::Fault(format!("segment {}: {error}", plain(name)))),
        };
        if *deleted > 0 {
            complain(streams, name, "has deleted documents, which are shown too", deleted);
        }
        for doc in 0..reader.doc_count() {
            let mut fields = Vec::new();
            let read = reader.visit(doc, |field| {
                fields.push(json::field(&field));
                Visit::Next
            });
            match read {
                Ok(()) => writeln!(streams.output, "{}", serde_json::Value::Array(fields))?,
                Err(error) if salvage => {
                    whole = false;
                    complain(streams, name, &format!("document {doc}"), error);
                }
                Err(error) => {
                    return Err(Stop::Fault(format!(
                        "segment {}, document {doc}: {error}",
                        plain(name)
                    )));
                }
            }
        }
    }
    Ok(whole)
}

/// Its name and how many of its documents were deleted.
fn named(segment: &Segment) -> (String, u32) {
    (segment.name().to_owned(), segment.deleted_count())
}

/// What has a `.si`, where one bad file keeps the commit from being read.
fn in_folder(dir: &FsDirectory) -> Result<Vec<(String, u32)>, Error> {
    let names = dir.list_all()?;
    Ok(names
        .iter()
        .filter_map(|name| name.strip_suffix(".si"))
        .map(|s| (s.to_owned(), 0))
        .collect())
}

/// The reader, and whether the files are those that were written.
fn open(
    dir: &FsDirectory,
    segment: &str,
    salvage: bool,
    streams: &mut Streams<'_>,
) -> Result<(Reader, bool), Error> {
    match Reader::open(dir, segment, Verify::OnOpen) {
        Err(error) if salvage => {
            complain(streams, segment, "is damaged", error);
            let mut reader = Reader::open(dir, segment, Verify::Lazy)?;
            reader.set_lossy(true);
            Ok((reader, false))
        }
        opened => opened.map(|reader| (reader, true)),
    }
}

fn complain(streams: &mut Streams<'_>, segment: &str, what: &str, why: impl Display) {
    let _ = writeln!(streams.errors, "segment {} {what}: {why}", plain(segment));
}
