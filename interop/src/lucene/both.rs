//! Indexes that both write to: Java opens one of ours, adds to it and merges it; we read that, and
//! add to it in turn, beside what Java has deleted; Java finds the whole clean.

use super::document::{self, Difference, Document, decode, difference, encode};
use super::java::Programs;
use super::ours::{COMPRESSIONS, DIALECTS, write};
use super::theirs::{deletable, read_all};
use crate::counterpart::Tally;
use anyhow::{Context as _, Result};
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory as _, FsDirectory};
use lucene_io::stored::{Compression, Verify};
use std::fs;
use std::path::{Path, PathBuf};

/// What Java does behind its documents: deletes every third of them, or merges all segments.
const DEEDS: [(&str, &str); 4] = [
    ("plain", "0\tkeep"),
    ("compound", "3\tkeep"),
    ("plain", "0\tmerge"),
    ("compound", "0\tmerge"),
];

pub(super) fn check(programs: &Programs<'_>, folder: &Path, tally: &mut Tally) -> Result<()> {
    let documents = deletable();
    let (first, rest) = documents.split_at(300);
    let (second, third) = rest.split_at(400);
    let handed = folder.join("both.docs");
    fs::write(&handed, encode(second))?;
    let mut made: Vec<(String, PathBuf)> = Vec::new();
    let mut lines = String::new();
    for (dialect, target) in DIALECTS {
        for compression in COMPRESSIONS {
            for (kind, deed) in DEEDS {
                let index = folder.join(format!("both-{}", made.len()));
                write(&index, target, compression, first)?;
                lines +=
                    &format!("{}\t{}\t{kind}\t150\t{deed}\n", handed.display(), index.display());
                made.push((format!("{dialect}, {compression:?}, {kind}, {deed:?}"), index));
            }
        }
    }
    programs.ask("Idx", lines.as_bytes()).context("adding to ours")?;
    let mut lines = String::new();
    for (name, index) in &made {
        let expected = document::stored(&[first, second].concat());
        add(name, index, &expected, third, tally).with_context(|| name.clone())?;
        lines += &format!("{}\t{}\n", index.display(), dump(index).display());
    }
    let said = String::from_utf8(programs.ask("Rd", lines.as_bytes()).context("reading")?)?;
    let verdicts: Vec<_> = said.lines().collect();
    tally.compare("verdicts", &made.len(), &verdicts.len());
    let expected = document::stored(&documents);
    for ((name, index), verdict) in made.iter().zip(verdicts) {
        tally.compare(format!("both, {name}, CheckIndex"), verdict, "clean");
        let theirs = decode(&fs::read(dump(index))?).context("the dump")?;
        let what = format!("both, {name}, in Java");
        tally.compare(what, &difference(&expected, &theirs), &Difference::None);
    }
    println!("{} indexes that both wrote to", made.len());
    Ok(())
}

fn dump(index: &Path) -> PathBuf {
    index.with_extension("dump")
}

/// Reads what Java made of ours, and adds a segment to it.
fn add(
    name: &str,
    folder: &Path,
    expected: &[Document],
    more: &[Document],
    tally: &mut Tally,
) -> Result<()> {
    let directory = FsDirectory::open(folder)?;
    let commit = index::read_commit(&directory)?;
    for got in read_all(&directory, &commit, Verify::OnOpen)? {
        let what = format!("both, {name}, in ours");
        tally.compare(what, &difference(&got, expected), &Difference::None);
    }
    let mut segments = commit.segments().to_vec();
    // A name that no file has.
    let number = |file: &String| {
        let name = file.strip_prefix('_')?.split(['.', '_']).next()?;
        u64::from_str_radix(name, 36).ok()
    };
    let next = directory.list_all()?.iter().filter_map(number).max().map_or(0, |last| last + 1);
    let compression = Compression::LuceneExact;
    segments.push(document::write(&directory, &segment_name(next), compression, more)?);
    index::write_commit(&directory, &segments, Target::Lucene410)?;
    for (file, result) in index::check(&directory)? {
        let result = result.map_err(|error| error.to_string());
        tally.compare(format!("both, {name}, check of {file}"), &result, &Ok(()));
    }
    Ok(())
}

/// `_` and the number in base 36.
fn segment_name(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits.push('_');
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_named_in_base_36() {
        let names = [0, 9, 10, 35, 36, 1295, 1296].map(segment_name);
        assert_eq!(names, ["_0", "_9", "_a", "_z", "_10", "_zz", "_100"]);
    }
}
