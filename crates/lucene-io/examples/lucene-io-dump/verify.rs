//! The segments of a commit and the state of its files.

use super::{Stop, Streams, plain};
use lucene_io::index;
use lucene_io::store::FsDirectory;

pub(crate) fn segments(dir: &str, streams: &mut Streams<'_>) -> Result<(), Stop> {
    let commit = index::read_commit(&FsDirectory::open(dir)?)?;
    writeln!(streams.output, "commit {}", commit.generation())?;
    for (key, value) in commit.user_data() {
        writeln!(streams.output, "  {} = {}", plain(key), plain(value))?;
    }
    for segment in commit.segments() {
        let form = if segment.is_compound() { ", compound" } else { "" };
        writeln!(
            streams.output,
            "{}: {} documents, {} deleted, codec {}{form}",
            plain(segment.name()),
            segment.doc_count(),
            segment.deleted_count(),
            plain(segment.codec()),
        )?;
        for (number, name) in segment.fields() {
            writeln!(streams.output, "  field {number} = {}", plain(name))?;
        }
    }
    Ok(())
}

/// Whether all files are whole.
pub(crate) fn files(dir: &str, streams: &mut Streams<'_>) -> Result<bool, Stop> {
    let files = index::check(&FsDirectory::open(dir)?)?;
    let mut damaged = 0;
    for (name, state) in &files {
        let name = plain(name);
        match state {
            Ok(()) => writeln!(streams.output, "ok       {name}")?,
            Err(error) => {
                damaged += 1;
                writeln!(streams.output, "DAMAGED  {name}: {error}")?;
            }
        }
    }
    writeln!(streams.output, "{} files, {damaged} damaged", files.len())?;
    Ok(damaged == 0)
}
