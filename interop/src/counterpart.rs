//! What a counterpart is, and how comparisons are counted.

use crate::install::Installer;
use anyhow::Result;
use std::fmt;

/// Software that reads what the crates write, or writes what they read.
pub(crate) trait Counterpart: Sync {
    /// As given on the command line; the first word before `-` names the group.
    fn name(&self) -> &'static str;

    /// What is compared, in a few words.
    fn about(&self) -> &'static str;

    /// Makes sure that it is there, or says why it cannot be had: that is a skip.
    fn prepare(&self, installer: &Installer) -> Result<()>;

    /// Compares; gives the counterpart's version. An error is a failure.
    fn check(&self, tally: &mut Tally) -> Result<String>;
}

/// How many comparisons there were and how they ended; shown as the closing line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    /// Counts one comparison, and shows both sides of one that failed.
    pub(crate) fn compare<T: PartialEq + fmt::Debug + ?Sized>(
        &mut self,
        what: impl fmt::Display,
        ours: &T,
        theirs: &T,
    ) {
        if ours == theirs {
            self.passed += 1;
            return;
        }
        self.failed += 1;
        println!("FAILED {what}\n  ours:   {}\n  theirs: {}", short(ours), short(theirs));
    }

    /// Counts one comparison with a bound.
    pub(crate) fn at_most(&mut self, what: impl fmt::Display, ours: u64, bound: u64) {
        self.compare(format_args!("{what}: {ours}, at most {bound}"), &(ours <= bound), &true);
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

fn short<T: fmt::Debug + ?Sized>(value: &T) -> String {
    let shown = format!("{value:?}");
    match shown.char_indices().nth(200) {
        Some((end, _)) => format!("{}… ({} characters)", &shown[..end], shown.chars().count()),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_counted() {
        let mut tally = Tally::default();
        tally.compare("same", "a", "a");
        tally.compare("different", &vec![1; 500], &vec![2; 500]);
        tally.at_most("within", 3, 3);
        tally.at_most("over", 4, 3);
        assert_eq!(tally.to_string(), "2 passed, 2 failed, 0 skipped");
    }
}
