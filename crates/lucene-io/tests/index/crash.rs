//! A commit that is cut off at every step: the old one is there and whole, or the new one.

use crate::index_common::*;
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, FileInput, RamDirectory, RamOutput};
use lucene_io::{DataOutput, Error, IndexOutput};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::rc::Rc;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Failure {
    /// One call fails, and has done nothing.
    Once,
    /// One call fails, and has done its work nevertheless.
    OnceDone,
    /// As `OnceDone`, and the call after it fails too and has done nothing.
    Twice,
    /// One call and all after it fail: the disk is gone, or the process.
    ForGood,
}

#[derive(Debug)]
struct State {
    /// Calls that still succeed.
    left: u64,
    failure: Failure,
    failed: bool,
    /// What would survive a loss of power: names and bytes as of the last sync of each.
    durable: BTreeMap<String, Vec<u8>>,
    /// Renames whose new name was not synced.
    renamed: Vec<(String, String)>,
    /// A file that came when nobody looked: it has no length, and cannot be created.
    sudden: Option<String>,
}

/// A directory in memory whose nth call fails.
#[derive(Clone)]
struct Failing {
    inner: RamDirectory,
    state: Rc<RefCell<State>>,
}

struct Output {
    inner: RamOutput,
    state: Rc<RefCell<State>>,
}

impl State {
    /// Does something, unless it is its turn to fail.
    fn turn<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.failed && self.failure == Failure::Twice {
            self.failure = Failure::Once;
            return Err(Error::Io(ErrorKind::StorageFull.into()));
        }
        if self.failed && self.failure != Failure::ForGood {
            return work(self);
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                work(self)
            }
            None => {
                self.failed = true;
                if matches!(self.failure, Failure::OnceDone | Failure::Twice) {
                    drop(work(self));
                }
                Err(Error::Io(ErrorKind::StorageFull.into()))
            }
        }
    }
}

impl Failing {
    fn new(files: &BTreeMap<String, Vec<u8>>, left: u64, failure: Failure) -> Self {
        let durable = files.clone();
        let renamed = Vec::new();
        let state = State { left, failure, failed: false, durable, renamed, sudden: None };
        Self { inner: ram(files), state: Rc::new(RefCell::new(state)) }
    }

    fn turn<T>(
        &self,
        work: impl FnOnce(&RamDirectory, &mut State) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.state.borrow_mut().turn(|state| work(&self.inner, state))
    }
}

impl Directory for Failing {
    type Input = FileInput;
    type Output = Output;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        self.turn(|inner, _| inner.list_all())
    }
    fn file_length(&self, name: &str) -> Result<u64, Error> {
        self.turn(|inner, state| match &state.sudden {
            Some(sudden) if sudden == name => Err(Error::Io(ErrorKind::NotFound.into())),
            _ => inner.file_length(name),
        })
    }
    fn open_input(&self, name: &str) -> Result<FileInput, Error> {
        self.turn(|inner, _| inner.open_input(name))
    }
    fn create_output(&self, name: &str) -> Result<Output, Error> {
        let inner = self.turn(|inner, _| inner.create_output(name))?;
        Ok(Output { inner, state: Rc::clone(&self.state) })
    }
    fn delete_file(&self, name: &str) -> Result<(), Error> {
        self.turn(|inner, state| {
            inner.delete_file(name)?;
            state.durable.remove(name);
            Ok(())
        })
    }
    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        self.turn(|inner, state| {
            inner.rename(from, to)?;
            state.renamed.push((from.into(), to.into()));
            Ok(())
        })
    }
    fn sync(&self, names: &[&str]) -> Result<(), Error> {
        self.turn(|inner, state| {
            inner.sync(names)?;
            for &name in names {
                state.durable.insert(name.into(), read(inner, name));
                state.renamed.retain(|(from, to)| {
                    if to == name {
                        state.durable.remove(from);
                    }
                    to != name
                });
            }
            Ok(())
        })
    }
}

impl DataOutput for Output {
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.write_bytes(&[byte])
    }
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let inner = &mut self.inner;
        self.state.borrow_mut().turn(|_| inner.write_bytes(bytes))
    }
}

impl IndexOutput for Output {
    fn position(&self) -> u64 {
        self.inner.position()
    }
    fn checksum(&mut self) -> u32 {
        self.inner.checksum()
    }
    fn close(self) -> Result<(), Error> {
        self.state.borrow_mut().turn(|_| self.inner.close())
    }
}

/// A first commit, and the documents of a second segment beside it.
fn before() -> (BTreeMap<String, Vec<u8>>, Vec<index::Segment>) {
    let dir = RamDirectory::new();
    let first = segment(&dir, "_0", 3, &["a"]);
    index::write_commit(&dir, &[first], Target::Lucene410).unwrap();
    let mut segments = index::read_commit(&dir).unwrap().segments().to_vec();
    segments.push(segment(&dir, "_1", 2, &["b"]));
    segments.push(segment(&dir, "_2", 1, &["b"]));
    (all(&dir), segments)
}

/// Commits with the nth call failing, for every n until none fails.
fn every_call(failure: Failure, mut look: impl FnMut(&Failing, Result<(), Error>)) {
    let (files, segments) = before();
    for n in 0.. {
        let dir = Failing::new(&files, n, failure);
        let result = index::write_commit(&dir, &segments, Target::Lucene410);
        let failed = dir.state.borrow().failed;
        look(&dir, result);
        if !failed {
            assert!(n > 25, "{n} calls");
            return;
        }
    }
}

#[test]
fn a_call_that_fails_takes_everything_back() {
    let (files, _) = before();
    for failure in [Failure::Once, Failure::OnceDone] {
        let mut refused = 0;
        every_call(failure, |dir, result| {
            let now = all(&dir.inner);
            if result.is_ok() {
                assert_eq!(index::read_commit(&dir.inner).unwrap().segments().len(), 3);
            } else {
                refused += 1;
                assert_eq!(now, files, "{failure:?}");
            }
            assert_eq!(bad(&dir.inner), []);
        });
        assert!(refused > 25, "{refused}");
    }
}

/// The commit was made, its name cannot be taken away again: its files stay.
#[test]
fn what_cannot_be_taken_back_stays_whole() {
    let mut stayed = 0;
    every_call(Failure::Twice, |dir, result| {
        let commit = index::read_commit(&dir.inner).unwrap();
        stayed += u64::from(result.is_err() && commit.generation() == 2);
        assert_eq!(commit.segments().len(), [1, 3][commit.generation() as usize - 1]);
        assert_eq!(bad(&dir.inner), []);
    });
    // The rename, and the sync behind it.
    assert_eq!(stayed, 2);
}

#[test]
fn a_file_that_came_when_nobody_looked_is_not_taken_away() {
    let (mut files, segments) = before();
    files.insert("_1.si".into(), b"somebody else's".to_vec());
    let dir = Failing::new(&files, u64::MAX, Failure::Once);
    dir.state.borrow_mut().sudden = Some("_1.si".into());
    let result = index::write_commit(&dir, &segments, Target::Lucene410);
    assert_eq!(kind(result), Some(ErrorKind::AlreadyExists));
    assert_eq!(all(&dir.inner), files);
}

/// The program is gone in the middle: what it wrote is there.
#[test]
fn the_process_ends_anywhere() {
    let mut generations = BTreeSet::new();
    every_call(Failure::ForGood, |dir, result| {
        let commit = index::read_commit(&dir.inner).unwrap();
        assert_eq!(commit.segments().len(), [1, 3][commit.generation() as usize - 1]);
        assert!(result.is_err() || commit.generation() == 2);
        assert_eq!(bad(&dir.inner), []);
        generations.insert((commit.generation(), result.is_ok()));
    });
    // The last sync fails: nobody was told, and the commit is there.
    assert_eq!(generations, BTreeSet::from([(1, false), (2, false), (2, true)]));
}

/// The power fails: of files that were not synced there is nothing, a part, or all, and a rename
/// may or may not have happened.
#[test]
fn the_power_fails_anywhere() {
    let mut generations = BTreeSet::new();
    every_call(Failure::ForGood, |dir, result| {
        let state = dir.state.borrow();
        let live = all(&dir.inner);
        for keep_renames in [false, true] {
            let mut safe = state.durable.clone();
            if keep_renames {
                for (from, to) in &state.renamed {
                    let bytes = safe.remove(from).expect("what is renamed was synced");
                    safe.insert(to.clone(), bytes);
                }
            }
            for part in [None, Some(0), Some(1), Some(2)] {
                let mut files = safe.clone();
                for (name, bytes) in &live {
                    if let (Some(part), false) = (part, files.contains_key(name)) {
                        let renamed = state.renamed.iter().any(|(_, to)| to == name);
                        let part = if renamed { bytes.len() } else { bytes.len() * part / 2 };
                        files.insert(name.clone(), bytes[..part].to_vec());
                    }
                }
                let after = ram(&files);
                let commit = index::read_commit(&after).unwrap();
                assert_eq!(commit.segments().len(), [1, 3][commit.generation() as usize - 1]);
                assert!(result.is_err() || commit.generation() == 2, "told, and lost");
                assert_eq!(bad(&after), []);
                generations.insert(commit.generation());
            }
        }
    });
    assert_eq!(generations, BTreeSet::from([1, 2]));
}

/// Every reader of a directory that fails gives its error, and nothing else.
#[test]
fn reading_from_a_directory_that_fails() {
    let (files, _) = before();
    for n in 0.. {
        let dir = Failing::new(&files, n, Failure::Once);
        let result = index::read_commit(&dir);
        if !dir.state.borrow().failed {
            result.unwrap();
            assert!(n > 3);
            return;
        }
        assert_eq!(kind(result), Some(ErrorKind::StorageFull));
    }
}
