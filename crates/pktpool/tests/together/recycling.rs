//! SqlClient's tests of packet recycling, by name: once on a list of nodes, as there, and once on the
//! snapshot, where most of what they guard against cannot be written.

use pktpool::{FreeList, Reset, Snapshot};

const BOUND: usize = 16;
const PACKETS: usize = 20;

/// The node of the original: buffer, length, running total, and links (as indices here).
#[derive(Debug, Default, PartialEq)]
struct Node {
    buffer: Option<Vec<u8>>,
    read: usize,
    running: usize,
    prev: Option<usize>,
    id: u32,
}

impl Reset for Node {
    fn reset(&mut self) {
        // The id says which node it is, and is no state of a packet.
        *self = Self { id: self.id, ..Self::default() };
    }
}

#[derive(Default)]
struct Chain {
    live: Vec<Node>,
    spare: FreeList<Node>,
    made: u32,
}

impl Chain {
    fn append(&mut self, sizes: &[usize]) {
        for (i, &size) in sizes.iter().enumerate() {
            let mut node = self.spare.rent();
            if node.id == 0 {
                self.made += 1;
                node.id = self.made;
            }
            assert_eq!(node, Node { id: node.id, ..Node::default() }, "fresh or not, it is as new");
            node.buffer = Some(vec![i as u8; size]);
            node.read = 8 + size;
            node.prev = self.live.len().checked_sub(1);
            self.live.push(node);
        }
    }

    fn assign_running(&mut self) {
        let mut running = 0;
        for node in &mut self.live {
            running += node.read - 8;
            node.running = running;
        }
    }

    fn clear(&mut self) {
        for node in self.live.drain(..) {
            self.spare.give_back(node);
        }
    }

    fn parked(&mut self) -> Vec<Node> {
        let parked: Vec<_> =
            std::iter::from_fn(|| (!self.spare.is_empty()).then(|| self.spare.rent())).collect();
        assert!(self.spare.is_empty());
        parked
    }
}

#[test]
fn recycled_nodes_do_not_carry_running_data_size_from_previous_snapshot() {
    let sizes = [40, 55, 70, 25];
    let mut chain = Chain::default();
    chain.append(&sizes);
    chain.assign_running();
    assert_eq!(chain.live[3].running, sizes.iter().sum::<usize>());
    let first: Vec<u32> = chain.live.iter().map(|n| n.id).collect();
    chain.clear();
    chain.append(&sizes); // asserts that every node is as new
    assert!(chain.live.iter().any(|n| first.contains(&n.id)), "they are recycled");

    let mut snapshot = Snapshot::new();
    for _ in 0..3 {
        for size in sizes {
            snapshot.append((), size);
        }
        assert_eq!(
            (0..4).map(|i| snapshot.data_offset(i)).collect::<Vec<_>>(),
            [Some(0), Some(40), Some(95), Some(165)]
        );
        snapshot.clear();
    }
}

#[test]
fn parked_nodes_release_all_packet_state() {
    let mut chain = Chain::default();
    chain.append(&[64; PACKETS]);
    chain.assign_running();
    chain.clear();
    // Showing the list, parked nodes and all, is safe.
    assert_eq!(format!("{:?}", chain.spare), "FreeList { len: 16, limit: 16 }");
    for node in chain.parked() {
        assert_eq!(node, Node { id: node.id, ..Node::default() });
    }

    // A cleared snapshot holds no packet: the last reference is the caller's.
    let packet = std::rc::Rc::new([0_u8; 64]);
    let mut snapshot = Snapshot::new();
    for _ in 0..PACKETS {
        snapshot.append(packet.clone(), 64);
    }
    snapshot.clear();
    assert_eq!(std::rc::Rc::strong_count(&packet), 1);
}

#[test]
fn a_value_is_reset_on_return_not_only_on_rent() {
    #[derive(Default)]
    struct Shared(Option<std::rc::Rc<()>>);
    impl Reset for Shared {
        fn reset(&mut self) {
            self.0 = None;
        }
    }
    let buffer = std::rc::Rc::new(());
    let mut list: FreeList<Shared> = FreeList::default();
    let mut node = list.rent();
    node.0 = Some(buffer.clone());
    list.give_back(node);
    assert_eq!((list.len(), std::rc::Rc::strong_count(&buffer)), (1, 1));
}

#[test]
fn free_list_respects_bound_and_tracks_its_own_count() {
    let mut chain = Chain::default();
    for _ in 0..5 {
        chain.append(&[32; PACKETS]);
        assert_eq!(chain.spare.len(), 0);
        chain.clear();
        assert_eq!(chain.spare.len(), BOUND);
        let mut ids: Vec<u32> = chain.parked().iter().map(|n| n.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), BOUND, "each is parked once");
    }
    let mut none: FreeList<Node> = FreeList::with_limit(0);
    none.give_back(Node::default());
    assert!(none.is_empty());
}

#[test]
fn live_chain_and_free_list_never_share_a_node() {
    let mut chain = Chain::default();
    for round in 0..5 {
        let count = if round % 2 == 0 { PACKETS } else { BOUND / 2 };
        chain.append(&vec![48; count]);
        let mut live: Vec<u32> = chain.live.iter().map(|n| n.id).collect();
        live.sort_unstable();
        live.dedup();
        assert_eq!(live.len(), count);
        let parked = chain.parked();
        assert!(parked.iter().all(|n| !live.contains(&n.id)));
        for node in parked {
            chain.spare.give_back(node);
        }
        chain.clear();
    }
}

#[test]
fn rebuilt_chain_has_intact_links_after_recycling() {
    let mut chain = Chain::default();
    for _ in 0..2 {
        chain.append(&[16; PACKETS]);
        for (i, node) in chain.live.iter().enumerate() {
            assert_eq!(node.prev, i.checked_sub(1));
        }
        chain.clear();
    }

    let mut snapshot = Snapshot::new();
    for round in 0..2 {
        for i in 0..PACKETS {
            assert_eq!(snapshot.append((round, i), 16), i);
        }
        // Forwards by the cursor, backwards by index.
        let walked: Vec<_> = std::iter::from_fn(|| snapshot.move_next()).collect();
        assert_eq!(walked, (0..PACKETS).collect::<Vec<_>>());
        assert_eq!(snapshot.current(), Some(PACKETS - 1));
        for i in (0..PACKETS).rev() {
            assert_eq!(snapshot.get(i), Some(&(round, i)));
        }
        snapshot.clear();
    }
}
