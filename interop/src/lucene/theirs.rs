//! Indexes that Java makes: every reader of ours gives what was put in, and a writer of ours makes
//! of the same documents the same bytes.

use super::document::{self, Difference, Document, ID, Value, difference, encode};
use super::java::Programs;
use super::sets::{Set, ascii_text};
use crate::counterpart::Tally;
use anyhow::{Context as _, Result, ensure};
use fastrand::Rng;
use lucene_io::index::{self, Commit};
use lucene_io::store::{CompoundDirectory, Directory, FileSlice, FsDirectory, RamDirectory};
use lucene_io::stored::{Compression, Reader, Verify, Visit};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// An index to be made.
#[derive(Debug, Clone, Copy)]
struct Plan {
    compound: bool,
    /// How many documents a segment has at most.
    segment: usize,
    /// Every how manyth is deleted; 0 for none.
    delete: usize,
    merge: bool,
}

const ONE: Plan = Plan { compound: false, segment: usize::MAX, delete: 0, merge: false };

/// What is made of every set, and compared byte by byte.
const SINGLE: [Plan; 2] = [ONE, Plan { compound: true, ..ONE }];

/// What is made of documents that can be deleted.
const SEVERAL: [Plan; 6] = [
    Plan { segment: 97, ..ONE },
    Plan { segment: 97, compound: true, ..ONE },
    Plan { segment: 97, delete: 3, ..ONE },
    Plan { segment: 97, delete: 3, compound: true, ..ONE },
    Plan { segment: 97, delete: 3, merge: true, ..ONE },
    Plan { segment: 97, merge: true, compound: true, ..ONE },
];

/// An index that was made.
struct Made<'a> {
    name: String,
    plan: Plan,
    folder: PathBuf,
    documents: &'a [Document],
}

/// Makes all indexes in one run of Java's, then reads them.
pub(super) fn check(
    programs: &Programs<'_>,
    sets: &[Set],
    folder: &Path,
    tally: &mut Tally,
) -> Result<()> {
    let several = Set { name: "several segments".into(), documents: deletable() };
    let singles = sets.iter().flat_map(|set| SINGLE.map(|plan| (set, plan)));
    let plans = singles.chain(SEVERAL.map(|plan| (&several, plan)));
    let mut lines = String::new();
    let mut made: Vec<Made<'_>> = Vec::new();
    for (n, (set, plan)) in plans.enumerate() {
        let (from, to) = (folder.join(format!("{n}.docs")), folder.join(format!("theirs-{n}")));
        fs::write(&from, encode(&set.documents))?;
        let kind = if plan.compound { "compound" } else { "plain" };
        let merge = if plan.merge { "merge" } else { "keep" };
        let segment = plan.segment.min(i32::MAX as usize);
        lines += &format!(
            "{}\t{}\t{kind}\t{segment}\t{}\t{merge}\n",
            from.display(),
            to.display(),
            plan.delete
        );
        let name = format!("{}, {plan:?}", set.name);
        made.push(Made { name, plan, folder: to, documents: &set.documents });
    }
    programs.ask("Idx", lines.as_bytes()).context("making indexes")?;
    let (mut documents, mut bytes) = (0, 0);
    for one in &made {
        one.check(tally).with_context(|| one.name.clone())?;
        documents += one.documents.len();
        if one.plan.segment == usize::MAX {
            bytes += one.same_bytes(tally).with_context(|| one.name.clone())?;
        }
    }
    println!("{} indexes of Java's with {documents} documents; {bytes} bytes the same", made.len());
    Ok(())
}

/// Documents with a name of their own, of every type.
pub(super) fn deletable() -> Vec<Document> {
    let mut rng = Rng::with_seed(super::texts::SEED);
    (0..1000)
        .map(|n| {
            let length = rng.usize(..200);
            let text = Value::Text(super::texts::units(&mut rng, length));
            // The first segments know another order of the fields than the later ones.
            let number = (format!("n{}", n / 250), Value::I64(n));
            vec![number, (ID.to_owned(), ascii_text(&format!("doc-{n}"))), ("text".into(), text)]
        })
        .collect()
}

impl Made<'_> {
    /// What is in it: where segments were merged, the deleted ones are gone.
    fn expected(&self) -> Vec<Document> {
        let Plan { delete, merge, .. } = self.plan;
        let gone = |n: usize| merge && delete > 0 && n.is_multiple_of(delete);
        let left = self.documents.iter().enumerate().filter(|(n, _)| !gone(*n));
        document::stored(&left.map(|(_, document)| document.clone()).collect::<Vec<_>>())
    }

    fn check(&self, tally: &mut Tally) -> Result<()> {
        let directory = FsDirectory::open(&self.folder)?;
        let commit = index::read_commit(&directory)?;
        let expected = self.expected();
        self.check_commit(&commit, &expected, tally);
        self.check_files(&directory, tally)?;
        for (name, verify) in [("OnOpen", Verify::OnOpen), ("Lazy", Verify::Lazy)] {
            let [visited, owned, batched] = read_all(&directory, &commit, verify)?;
            for (how, got) in [("visit", visited), ("document", owned), ("documents", batched)] {
                let what = format!("{}, {name}, {how}", self.name);
                tally.compare(what, &difference(&got, &expected), &Difference::None);
            }
        }
        Ok(())
    }

    fn check_commit(&self, commit: &Commit, expected: &[Document], tally: &mut Tally) {
        let Self { name, plan, .. } = self;
        let segments = commit.segments();
        let count = if plan.merge { 1 } else { expected.len().div_ceil(plan.segment) };
        tally.compare(format!("{name}, segments"), &segments.len(), &count);
        let total = segments.iter().map(|segment| segment.doc_count() as usize).sum::<usize>();
        tally.compare(format!("{name}, documents"), &total, &expected.len());
        let deleted = segments.iter().map(|segment| segment.deleted_count() as usize).sum();
        let gone = match plan.delete {
            0 => 0,
            _ if plan.merge => 0,
            every => self.documents.len().div_ceil(every),
        };
        tally.compare(format!("{name}, deleted"), &gone, &deleted);
        for segment in segments {
            let what = format!("{name}, {}", segment.name());
            let facts = (segment.is_compound(), segment.codec());
            tally.compare(what, &facts, &(plan.compound, "Lucene410"));
        }
        let names =
            |document: &Document| document.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let expected: BTreeSet<String> = expected.iter().flat_map(names).collect();
        let fields = segments.iter().flat_map(index::Segment::fields);
        let fields: BTreeSet<String> = fields.map(|(_, name)| name.to_owned()).collect();
        tally.compare(format!("{name}, fields"), &fields, &expected);
    }

    /// Our check finds every file, and nothing wrong with it.
    fn check_files(&self, directory: &FsDirectory, tally: &mut Tally) -> Result<()> {
        let mut checked = BTreeSet::new();
        for (file, result) in index::check(directory)? {
            let result = result.map_err(|error| error.to_string());
            tally.compare(format!("{}, check of {file}", self.name), &result, &Ok(()));
            checked.insert(file);
        }
        let files = directory.list_all()?;
        let files = files.into_iter().filter(|file| file != "segments.gen" && file != "write.lock");
        let missed: Vec<_> = files.filter(|file| !checked.contains(file)).collect();
        tally.compare(format!("{}, not checked", self.name), &missed, &Vec::new());
        Ok(())
    }

    /// The bytes of both files, written by us: how many are the same.
    fn same_bytes(&self, tally: &mut Tally) -> Result<usize> {
        let ours = RamDirectory::new();
        document::write(&ours, "_0", Compression::LuceneExact, self.documents)?;
        let directory = FsDirectory::open(&self.folder)?;
        let mut same = 0;
        for file in ["_0.fdt", "_0.fdx"] {
            let theirs = if self.plan.compound {
                CompoundDirectory::open(&directory, "_0", Verify::OnOpen)?.open_file(file)?
            } else {
                directory.open_file(file)?
            };
            let (ours, theirs) = (bytes(&ours.open_file(file)?)?, bytes(&theirs)?);
            let what = format!("{}, bytes of {file}", self.name);
            tally.compare(what, &unlike(&ours, &theirs), &None);
            same += ours.len();
        }
        Ok(same)
    }
}

/// The first place where two files differ, and their lengths.
fn unlike(ours: &[u8], theirs: &[u8]) -> Option<(usize, usize, usize)> {
    let at = ours.iter().zip(theirs).position(|(one, other)| one != other);
    let at = at.or((ours.len() != theirs.len()).then_some(ours.len().min(theirs.len())));
    at.map(|at| (at, ours.len(), theirs.len()))
}

pub(super) fn bytes(file: &FileSlice) -> Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(file.len())?];
    file.read_at(0, &mut bytes)?;
    Ok(bytes)
}

/// All documents of a commit: visited in order, some of them owned one by one in a shuffled order,
/// and owned in batches.
pub(super) fn read_all(
    directory: &FsDirectory,
    commit: &Commit,
    verify: Verify,
) -> Result<[Vec<Document>; 3]> {
    let (mut visited, mut owned, mut batched) = (Vec::new(), Vec::new(), Vec::new());
    let mut rng = Rng::with_seed(super::texts::SEED);
    let own = |document: &lucene_io::stored::Document| -> Document {
        document.fields().map(document::field).collect()
    };
    for segment in commit.segments() {
        let mut reader = Reader::open(directory, segment.name(), verify)?;
        ensure!(reader.doc_count() == segment.doc_count(), "two counts of documents");
        let start = visited.len();
        for doc in 0..reader.doc_count() {
            let mut fields = Vec::new();
            reader.visit(doc, |field| {
                fields.push(document::field(field));
                Visit::Next
            })?;
            visited.push(fields);
        }
        let mut order: Vec<u32> = (0..reader.doc_count()).collect();
        rng.shuffle(&mut order);
        // A part of them, for each opens its chunk anew.
        owned.extend_from_slice(&visited[start..]);
        for doc in order.iter().take(500) {
            owned[start + *doc as usize] = own(&reader.document(*doc)?);
        }
        batched.resize(visited.len(), Vec::new());
        for batch in order.chunks(1000) {
            for (doc, document) in batch.iter().zip(reader.documents(batch)?) {
                batched[start + *doc as usize] = own(&document);
            }
        }
    }
    Ok([visited, owned, batched])
}
