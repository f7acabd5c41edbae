//! The numbers of the fields that are written.

use crate::index::field_infos::FieldNames;
use std::boxed::Box;
use std::collections::HashMap;
use std::vec::Vec;

/// The keys are random, for names may come from outside; but a fuzzer must go the same way twice.
#[cfg(not(fuzzing))]
type Hashing = std::hash::RandomState;
#[cfg(fuzzing)]
type Hashing = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;

/// No field has this number: there would be more than memory holds names.
const NONE: u32 = u32::MAX;

/// Names and numbers, and which field came after which.
///
/// Documents mostly repeat one sequence of fields, so the one that followed the last time is tried
/// first, then the last one itself (a field of many values), and only then is a map asked.
#[derive(Debug)]
pub(super) struct Names {
    names: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32, Hashing>,
    /// By the number of the last field + 1; 0 is the beginning of a document.
    follower: Vec<u32>,
    last: usize,
}

impl Names {
    pub(super) fn new() -> Self {
        Self { names: Vec::new(), numbers: HashMap::default(), follower: std::vec![NONE], last: 0 }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// A document begins.
    pub(super) fn begin(&mut self) {
        self.last = 0;
    }

    /// The number of a field, a new one for a new name.
    #[inline]
    pub(super) fn number(&mut self, name: &str) -> u32 {
        let guess = self.follower.get(self.last).copied().unwrap_or(NONE);
        if self.is(guess as usize, name) {
            self.last = guess as usize + 1;
            return guess;
        }
        self.find(name)
    }

    #[inline]
    fn is(&self, number: usize, name: &str) -> bool {
        self.names.get(number).is_some_and(|known| **known == *name)
    }

    #[inline(never)]
    fn find(&mut self, name: &str) -> u32 {
        if let Some(last) = self.last.checked_sub(1)
            && self.is(last, name)
        {
            return last as u32;
        }
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => self.add(name),
        };
        if let Some(follower) = self.follower.get_mut(self.last) {
            *follower = number;
        }
        self.last = number as usize + 1;
        number
    }

    #[cold]
    fn add(&mut self, name: &str) -> u32 {
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        self.follower.push(NONE);
        number
    }

    /// Forgets all names but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        for name in self.names.drain(len.min(self.names.len())..) {
            self.numbers.remove(&name);
        }
        self.follower.truncate(len + 1);
        self.last = 0;
    }

    /// For the segment.
    pub(super) fn into_fields(self) -> FieldNames {
        let mut fields = FieldNames::default();
        for name in &self.names {
            fields.push(name);
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_the_order_of_first_use_whatever_is_guessed() {
        let mut names = Names::new();
        for document in ["abc", "abc", "abbbc", "abbc", "cba", "", "da", "abbbbd", "d"] {
            names.begin();
            for name in document.chars() {
                let expected = u32::from(name) - u32::from('a');
                assert_eq!(names.number(&std::string::String::from(name)), expected, "{document}");
            }
        }
        names.truncate(1);
        names.begin();
        assert_eq!((names.number("d"), names.number("a"), names.number("b")), (1, 0, 2));
        let fields: Vec<_> = names.into_fields().iter().map(|(_, name)| name.len()).collect();
        assert_eq!(fields, [1, 1, 1]);
    }
}
