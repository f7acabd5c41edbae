//! Snapshot and free list as state machines against plain vectors.

use pktpool::{FreeList, Snapshot};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Op {
    Append(u16),
    Next,
    Rewind,
    Capture,
    Continue,
    Clear,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => any::<u16>().prop_map(Op::Append),
        4 => Just(Op::Next),
        1 => Just(Op::Rewind),
        2 => Just(Op::Capture),
        2 => Just(Op::Continue),
        1 => Just(Op::Clear),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn snapshot_is_a_vector_with_two_cursors(ops in prop::collection::vec(op(), 1..300)) {
        let mut snapshot = Snapshot::new();
        let mut model: Vec<(u32, usize)> = Vec::new();
        let (mut current, mut captured) = (None::<usize>, None::<usize>);
        for (stamp, op) in (0_u32..).zip(ops) {
            match op {
                Op::Append(size) => {
                    prop_assert_eq!(snapshot.append(stamp, size.into()), model.len());
                    model.push((stamp, size.into()));
                }
                Op::Next => {
                    let next = current.map_or(0, |i| i + 1);
                    let expected = (next < model.len()).then_some(next);
                    current = expected.or(current);
                    prop_assert_eq!(snapshot.move_next(), expected);
                }
                Op::Rewind => {
                    current = None;
                    snapshot.rewind();
                }
                Op::Capture => {
                    captured = current;
                    snapshot.capture_continue();
                }
                Op::Continue => {
                    let expected = captured.map(|i| i + 1).filter(|&i| i < model.len());
                    current = expected.or(current);
                    prop_assert_eq!(snapshot.move_to_continue(), expected);
                }
                Op::Clear => {
                    model.clear();
                    (current, captured) = (None, None);
                    snapshot.clear();
                }
            }
            prop_assert_eq!(snapshot.current(), current);
            prop_assert_eq!((snapshot.len(), snapshot.is_empty()), (model.len(), model.is_empty()));
            for i in 0..=model.len() {
                let before: usize = model.iter().take(i).map(|p| p.1).sum();
                prop_assert_eq!(snapshot.get(i), model.get(i).map(|p| &p.0));
                prop_assert_eq!(snapshot.data_size(i), model.get(i).map(|p| p.1));
                prop_assert_eq!(snapshot.data_offset(i), model.get(i).map(|_| before as u64));
            }
        }
    }

    #[test]
    fn free_list_is_a_bounded_stack(limit in 0_usize..5, ops in prop::collection::vec(any::<bool>(), 1..100)) {
        let mut list: FreeList<Vec<u8>> = FreeList::with_limit(limit);
        // Values are told apart by their capacity, which a reset keeps.
        let mut model: Vec<usize> = Vec::new();
        let mut fresh = 0;
        for rent in ops {
            if rent {
                let value = list.rent();
                prop_assert!(value.is_empty());
                prop_assert_eq!(value.capacity(), model.pop().unwrap_or(0));
            } else {
                fresh += 1;
                let mut value = Vec::with_capacity(100 + fresh);
                value.push(1);
                if model.len() < limit {
                    model.push(value.capacity());
                }
                list.give_back(value);
            }
            prop_assert_eq!((list.len(), list.is_empty()), (model.len(), model.is_empty()));
        }
    }
}

#[test]
fn sizes_of_any_magnitude() {
    let mut snapshot = Snapshot::new();
    for _ in 0..3 {
        snapshot.append((), usize::MAX);
    }
    assert_eq!(snapshot.data_size(2), Some(usize::MAX));
    assert_eq!(snapshot.data_offset(1), Some(usize::MAX as u64));
    assert_eq!(snapshot.data_offset(2), Some(u64::MAX), "saturates");
}
