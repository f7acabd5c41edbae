use super::*;

fn fill(buffers: &mut Buffers, mut n: usize) {
    while n > 0 {
        let spare = buffers.spare_mut(0);
        let part = n.min(spare.len());
        spare[..part].fill(7);
        assert!(buffers.commit(part));
        n -= part;
    }
}

#[test]
fn a_buffer_is_replaced_only_when_it_is_retained() {
    let mut buffers = Buffers::new(usize::MAX, 16);
    for _ in 0..10 {
        fill(&mut buffers, BUFFER);
        buffers.take(BUFFER);
    }
    assert_eq!((buffers.live_high, buffers.spare.len()), (1, 0), "filled again in place");

    fill(&mut buffers, BUFFER);
    let first = buffers.front.bytes.as_ptr();
    fill(&mut buffers, 100);
    assert_eq!(buffers.front.bytes.as_ptr(), first, "the retained one stays where it is");
    assert_eq!(buffers.stats().buffers_retained, 1);

    buffers.take(BUFFER);
    fill(&mut buffers, 100);
    assert_eq!(buffers.spare.first().map(|b| b.as_ptr()), Some(first), "and is kept for reuse");
    assert_eq!(buffers.stats().buffers_retained, 0);
}

#[test]
fn what_is_incomplete_moves_to_the_front() {
    let mut buffers = Buffers::new(usize::MAX, 16);
    // A packet that would fit, at the end of a buffer: moved, not joined.
    for packet in [30_000, BUFFER] {
        let free = BUFFER - buffers.len();
        fill(&mut buffers, free);
        buffers.take(BUFFER - 20_000);
        buffers.spare_mut(packet);
        assert_eq!((buffers.front.start, buffers.front.end), (0, 20_000));
    }
    assert_eq!(buffers.live_high, 1);
}

#[test]
fn joined_packets_settle_on_one_large_buffer() {
    let mut buffers = Buffers::new(usize::MAX, 16);
    for round in 0..20 {
        for _ in 0..3 {
            fill(&mut buffers, 40_000);
        }
        buffers.take(120_000);
        assert_eq!(buffers.taken(120_000), [7; 120_000]);
        assert_eq!(buffers.len(), 0);
        let stats = buffers.stats();
        assert!(round == 0 || stats.bytes_allocated <= (128 << 10) + 3 * BUFFER, "{stats:?}");
    }
}

#[test]
fn no_spares_when_none_are_allowed() {
    let mut buffers = Buffers::new(usize::MAX, 0);
    for _ in 0..5 {
        for _ in 0..3 {
            fill(&mut buffers, BUFFER);
        }
        buffers.take(3 * BUFFER);
        fill(&mut buffers, 1);
        buffers.take(1);
    }
    assert_eq!(buffers.stats().buffers_spare, 0);
}
