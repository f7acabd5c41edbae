//! Lines of JSON into a new segment and a new commit.

use super::{Stop, Streams, json};
use lucene_io::index::{self, Segment, Target};
use lucene_io::store::{Directory as _, FsDirectory};
use lucene_io::stored::{Compression, Writer};
use lucene_io::{Error, IndexOutput};
use std::collections::BTreeSet;
use std::io::{BufRead, ErrorKind};

pub(crate) fn load(
    dir: &str,
    target: Target,
    fast: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Stop> {
    if let Err(error) = std::fs::create_dir_all(dir) {
        return Err(Stop::Fault(format!("{dir}: {error}")));
    }
    let dir = FsDirectory::open(dir)?;
    let mut segments = match index::read_commit(&dir) {
        Ok(commit) => commit.segments().to_vec(),
        Err(Error::Io(error)) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let name = new_name(&segments);
    let compression = if fast { Compression::Fast } else { Compression::LuceneExact };
    let writer = Writer::create(&dir, &name, compression)?;
    let segment = match write(writer, streams.input) {
        Ok(segment) => segment,
        Err(stop) => {
            // What was not finished would only be in the way of the next try.
            for file in [format!("{name}.fdt"), format!("{name}.fdx")] {
                let _ = dir.delete_file(&file);
            }
            return Err(stop);
        }
    };
    let count = segment.doc_count();
    segments.push(segment);
    index::write_commit(&dir, &segments, target)?;
    writeln!(streams.output, "{count} documents in segment {name}")?;
    Ok(())
}

fn write<O: IndexOutput>(mut writer: Writer<O>, input: &mut dyn BufRead) -> Result<Segment, Stop> {
    for (line, number) in input.lines().zip(1_u64..) {
        let fault = |what: String| Stop::Fault(format!("line {number}: {what}"));
        let line = line.map_err(|error| fault(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let document = json::document(&line).map_err(&fault)?;
        let to = writer.start_document()?;
        for (field, value) in &document {
            value.add(field, to);
        }
        to.end().map_err(|error| fault(error.to_string()))?;
    }
    Ok(writer.finish()?)
}

/// `_` and the least number in base 36 that no segment has.
fn new_name(segments: &[Segment]) -> String {
    let taken: BTreeSet<&str> = segments.iter().map(Segment::name).collect();
    let free = (0_u64..).map(|number| format!("_{}", base36(number)));
    free.into_iter().find(|name| !taken.contains(name.as_str())).unwrap_or_default()
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}
