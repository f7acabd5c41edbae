//! Indexes of ours in Java: `CheckIndex` finds them clean with assertions on, and every value is
//! read as it was put in.

use super::document::{self, Difference, Document, decode, difference};
use super::java::Programs;
use super::sets::Set;
use crate::counterpart::Tally;
use anyhow::{Context as _, Result};
use lucene_io::index::{self, Target};
use lucene_io::store::FsDirectory;
use lucene_io::stored::Compression;
use std::fs;
use std::path::Path;

pub(super) const DIALECTS: [(&str, Target); 2] =
    [("Lucene410", Target::Lucene410), ("Lucene46", Target::Lucene46)];
pub(super) const COMPRESSIONS: [Compression; 3] =
    [Compression::LuceneExact, Compression::Fast, Compression::Literals];

/// Writes every set in one way after the other, and has Java read them in one run.
pub(super) fn check(
    programs: &Programs<'_>,
    sets: &[Set],
    folder: &Path,
    tally: &mut Tally,
) -> Result<()> {
    let ways: Vec<_> = DIALECTS
        .iter()
        .flat_map(|dialect| COMPRESSIONS.map(|compression| (dialect, compression)))
        .collect();
    let mut made = Vec::new();
    let mut lines = String::new();
    for (n, set) in sets.iter().enumerate() {
        // The kinds of sets follow each other in tens, the ways in sixes: every kind meets three of
        // them, and the sets that are not random all.
        let ways = if n < super::sets::RANDOM { &ways[n % 6..=n % 6] } else { &ways[..] };
        for ((dialect, target), compression) in ways {
            let name = format!("{}, {dialect}, {compression:?}", set.name);
            let (index, dump) = (format!("ours-{}", made.len()), format!("{}.dump", made.len()));
            let (index, dump) = (folder.join(index), folder.join(dump));
            write(&index, *target, *compression, &set.documents).with_context(|| name.clone())?;
            lines += &format!("{}\t{}\n", index.display(), dump.display());
            made.push((name, dump, &set.documents));
        }
    }
    let said = String::from_utf8(programs.ask("Rd", lines.as_bytes()).context("reading")?)?;
    let mut said = said.lines();
    for (name, dump, documents) in &made {
        let verdict = said.next().with_context(|| format!("nothing said of {name}"))?;
        tally.compare(format!("{name}, CheckIndex"), verdict, "clean");
        let theirs = decode(&fs::read(dump)?).with_context(|| format!("the dump of {name}"))?;
        let expected = document::stored(documents);
        tally.compare(name, &difference(&expected, &theirs), &Difference::None);
    }
    println!("{} indexes of ours in Java", made.len());
    Ok(())
}

/// Up to three segments, committed one after the other.
pub(super) fn write(
    folder: &Path,
    target: Target,
    compression: Compression,
    documents: &[Document],
) -> Result<()> {
    fs::create_dir_all(folder)?;
    let directory = FsDirectory::open(folder)?;
    let size = documents.len().div_ceil(3).max(1);
    let mut segments = Vec::new();
    for (n, documents) in documents.chunks(size).enumerate() {
        segments.push(document::write(&directory, &format!("_{n}"), compression, documents)?);
        index::write_commit(&directory, &segments, target)?;
        // As one does who comes later: with what the commit says of them.
        segments = index::read_commit(&directory)?.segments().to_vec();
    }
    Ok(())
}
