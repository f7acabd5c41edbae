//! `CompactText` and `TextRow::compact_string`: as a `String`, with fewer allocations.
#![cfg(feature = "compact_str")]

use sqlite_text::{CompactString, CompactText, TextBuf};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::HashMap;

/// Counts the allocations of each thread; SQLite's own are not among them.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all is the system's; the counter does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = COUNT.get();
    let result = work();
    (result, COUNT.get() - before)
}

/// The longest text that a `CompactString` holds in itself.
const INLINE: usize = size_of::<CompactString>();

fn texts() -> impl Iterator<Item = String> {
    let boundary = INLINE - 4;
    let plain = (0..=40).map(|n| "x".repeat(n));
    let cut = (boundary..=INLINE).map(|n| format!("{}😀", "y".repeat(n)));
    let others = ["grün", "nul\0", "\u{10FFFF}"].map(str::to_owned);
    plain.chain(cut).chain(others).chain([("京".repeat(30_000))])
}

#[test]
fn conversions_keep_the_text_and_hand_over_what_is_allocated() {
    for text in texts() {
        let n = text.len();
        let compact = CompactText::from(&*text);
        assert_eq!(compact, *text);
        assert_eq!(compact, &*text);
        assert_eq!(CompactText::from(text.clone()), compact);
        assert_eq!(CompactText::from(CompactString::new(&text)), compact);
        assert_eq!(CompactString::from(compact.clone()), text);
        assert_eq!(
            (&*compact, compact.as_ref(), compact.to_string()),
            (&*text, &*text, text.clone())
        );
        assert_eq!(String::from(compact.clone()), text);

        let (buf, copies) = (TextBuf::from(&*text), compact.clone());
        let (there, count) = allocations(|| CompactText::from(buf));
        assert!(there == *text && count == 0, "{n}: {count}");
        let (back, count) = allocations(|| TextBuf::from(there));
        assert!(back == *text && count == 0, "{n}: {count}");
        let (there, count) = allocations(|| CompactString::from(back));
        assert!(there == text && count == 0, "{n}: {count}");
        let (back, count) = allocations(|| TextBuf::from(there));
        assert!(back == *text && count == 0, "{n}: {count}");
        assert_eq!(copies, compact);
    }
    assert_eq!(CompactText::default(), "");
}

#[test]
fn a_map_with_such_keys_is_asked_with_a_str() {
    let map: HashMap<CompactText, usize> = texts().map(|t| (t.as_str().into(), t.len())).collect();
    for text in texts() {
        assert_eq!(map.get(text.as_str()), Some(&text.len()));
    }
    let mut sorted: Vec<CompactText> = texts().map(CompactText::from).collect();
    let mut model: Vec<String> = texts().collect();
    sorted.sort();
    model.sort();
    assert!(sorted.iter().map(|t| &**t).eq(model.iter().map(|t| &**t)));
}

#[cfg(feature = "rusqlite")]
mod through_sqlite {
    use super::*;
    use rusqlite::{Connection, Error};
    use sqlite_text::{TextStatement, TypePolicy};

    #[test]
    fn texts_come_and_go_as_they_are() {
        let db = Connection::open_in_memory().unwrap();
        let mut query = db.prepare("SELECT ?1, typeof(?1), ?2").unwrap();
        let mut statement = TextStatement::prepare(&db, "SELECT ?1").unwrap();
        for text in texts() {
            let bound = CompactText::from(text.as_str());
            let mut rows = query.query((&bound, None::<CompactText>)).unwrap();
            let row = rows.next().unwrap().unwrap();
            assert_eq!(row.get::<_, String>(1).unwrap(), "text");
            assert_eq!(row.get::<_, Option<CompactText>>(2).unwrap(), None);
            let (read, count) = allocations(|| row.get::<_, CompactText>(0).unwrap());
            assert_eq!(read, *text);
            assert_eq!(count, usize::from(text.len() > INLINE), "{}", text.len());

            let mut rows = statement.query(&[&bound]).unwrap();
            let row = rows.next().unwrap().unwrap();
            let (read, count) = allocations(|| row.compact_string(0).unwrap());
            assert_eq!(read, text);
            assert_eq!(count, usize::from(text.len() > INLINE), "{}", text.len());
        }
    }

    const OTHERS: &str = "SELECT NULL, 1, 0.5, x'61', x'', cast(x'61FF' AS TEXT), '', 'a'";

    #[test]
    fn a_value_reads_or_fails_as_a_string_does() {
        let db = Connection::open_in_memory().unwrap();
        let mut statement = db.prepare(OTHERS).unwrap();
        let mut rows = statement.query([]).unwrap();
        let row = rows.next().unwrap().unwrap();
        for i in 0..9 {
            let (ours, theirs) = (row.get::<_, CompactText>(i), row.get::<_, String>(i));
            assert_eq!(ours.map(String::from), theirs, "{i}");
        }
        assert!(matches!(row.get::<_, CompactText>(0), Err(Error::InvalidColumnType(0, ..))));
    }

    #[test]
    fn a_row_of_our_own_gives_what_text_gives() {
        let db = Connection::open_in_memory().unwrap();
        for policy in [TypePolicy::TextOnly, TypePolicy::TextOrNull, TypePolicy::Coerce] {
            let mut statement = TextStatement::prepare(&db, OTHERS).unwrap().policy(policy);
            let mut rows = statement.query_bound().unwrap();
            let row = rows.next().unwrap().unwrap();
            for i in 0..9 {
                assert_eq!(row.compact_string(i).map(String::from), row.text(i).map(str::to_owned));
            }
        }
    }
}
