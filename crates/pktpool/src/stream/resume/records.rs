//! The list of records: one lies in the stream itself, as most steps make one or none.

use super::Record;
use alloc::vec::Vec;

/// Records behind the first that stay allocated whatever happens.
const KEPT: usize = 16;
/// Steps done after which unused capacity is given back.
const WINDOW: u32 = 64;

#[derive(Debug, Default)]
pub(in crate::stream) struct Records {
    first: Option<Record>,
    more: Vec<Record>,
    /// The most that a step used of `more` within the window, and the steps in it.
    peak: u32,
    steps: u32,
}

impl Records {
    #[inline]
    pub(in crate::stream) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    #[inline]
    pub(in crate::stream) fn get(&self, index: usize) -> Option<&Record> {
        match index.checked_sub(1) {
            None => self.first.as_ref(),
            Some(index) => self.more.get(index),
        }
    }

    #[inline]
    pub(in crate::stream) fn get_mut(&mut self, index: usize) -> Option<&mut Record> {
        match index.checked_sub(1) {
            None => self.first.as_mut(),
            Some(index) => self.more.get_mut(index),
        }
    }

    pub(in crate::stream) fn iter(&self) -> impl Iterator<Item = &Record> {
        self.first.iter().chain(&self.more)
    }

    pub(in crate::stream) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Record> {
        self.first.iter_mut().chain(&mut self.more)
    }

    /// Puts a record at `index`, which is not more than there are, before the one that was there.
    pub(in crate::stream) fn insert(&mut self, index: usize, record: Record) {
        match index.checked_sub(1) {
            Some(index) => self.more.insert(index.min(self.more.len()), record),
            None => {
                if let Some(second) = self.first.replace(record) {
                    self.more.insert(0, second);
                }
            }
        }
    }

    pub(in crate::stream) fn remove(&mut self, index: usize) -> Option<Record> {
        match index.checked_sub(1) {
            Some(index) if index < self.more.len() => Some(self.more.remove(index)),
            Some(_) => None,
            None if self.more.is_empty() => self.first.take(),
            None => self.first.replace(self.more.remove(0)),
        }
    }

    /// Keeps those that `keep` says yes to, told their index.
    pub(in crate::stream) fn retain(&mut self, mut keep: impl FnMut(usize, &Record) -> bool) {
        let mut index = 0;
        self.more.retain(|record| {
            index += 1;
            keep(index, record)
        });
        if self.first.as_ref().is_some_and(|record| !keep(0, record)) {
            self.remove(0);
        }
    }

    /// A step is done, with so many records as there are. Capacity is given back when a window of
    /// steps made do with less than a quarter of it.
    pub(in crate::stream) fn calm(&mut self) {
        self.peak = self.peak.max(u32::try_from(self.more.len()).unwrap_or(u32::MAX));
        self.steps += 1;
        if self.steps >= WINDOW {
            let kept = KEPT.max(self.peak as usize);
            if kept < self.more.capacity() / 4 {
                self.more.shrink_to(kept.max(self.more.len()));
            }
            (self.peak, self.steps) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Read, Status};
    use super::*;
    use crate::stream::packet::Place;

    fn record(start: u64) -> Record {
        let (body, end) = (super::super::Body::default(), Place::default());
        let (read, status) = (Read::NextMessage, Status::Running);
        Record { start, first: 0, read, status, body, whole: None, at: 0, gap: 0, end, fresh: true }
    }

    fn starts(records: &Records) -> Vec<u64> {
        let by_index: Vec<u64> = (0..).map_while(|i| records.get(i)).map(|r| r.start).collect();
        assert_eq!(by_index, records.iter().map(|r| r.start).collect::<Vec<_>>());
        assert_eq!(records.is_empty(), by_index.is_empty());
        by_index
    }

    #[test]
    fn it_is_a_list() {
        let mut records = Records::default();
        for (index, start) in [(0, 5), (0, 3), (2, 9), (1, 4), (0, 1)] {
            records.insert(index, record(start));
        }
        assert_eq!(starts(&records), [1, 3, 4, 5, 9]);
        assert_eq!(records.remove(5).map(|r| r.start), None);
        assert_eq!(records.remove(0).map(|r| r.start), Some(1));
        assert_eq!(records.remove(2).map(|r| r.start), Some(5));
        assert_eq!(starts(&records), [3, 4, 9]);
        records.retain(|index, record| {
            assert_eq!(record.start, [3, 4, 9][index]);
            index == 1
        });
        assert_eq!(starts(&records), [4]);
        records.retain(|_, _| false);
        assert!(starts(&records).is_empty());
    }

    #[test]
    fn capacity_decays_after_an_outlier() {
        let mut records = Records::default();
        for round in 0..200 {
            let n = if round == 0 { 10_000 } else { 10 };
            (0..n).for_each(|i| records.insert(i, record(i as u64)));
            records.calm();
            records.retain(|_, _| false);
        }
        assert!(records.more.capacity() <= 64, "{}", records.more.capacity());
    }
}
