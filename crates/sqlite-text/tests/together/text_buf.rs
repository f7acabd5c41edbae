//! `TextBuf` as a value: its boundaries, and that it is a `str` in every comparison.

use proptest::prelude::*;
use sqlite_text::TextBuf;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};

/// Whether the bytes lie in the value itself.
fn inline(text: &TextBuf) -> bool {
    let start = std::ptr::from_ref(text).addr();
    (start..start + size_of::<TextBuf>()).contains(&text.as_ptr().addr())
}

#[test]
fn inline_to_24_bytes_and_no_further() {
    assert_eq!(size_of::<TextBuf>(), 32);
    for n in 0..=64 {
        let model: String = ('a'..='z').cycle().take(n).collect();
        let mut roomy = String::with_capacity(100);
        roomy.push_str(&model);
        for text in
            [TextBuf::from(model.as_str()), TextBuf::from(model.clone()), TextBuf::from(roomy)]
        {
            assert_eq!(text, model);
            assert_eq!(inline(&text), n <= 24, "{n}");
            let copy = text.clone();
            assert_eq!(inline(&copy), n <= 24, "{n}");
            assert_eq!(String::from(text), model);
            assert_eq!(copy.as_str(), model);
        }
    }
}

/// A scalar value of 4 bytes over the boundary is not cut.
#[test]
fn the_boundary_inside_a_scalar_value() {
    for before in 18..=26 {
        let model = format!("{}😀{}", "x".repeat(before), "y".repeat(before));
        assert_eq!(TextBuf::from(model.as_str()), model);
        let model = format!("{}😀", "x".repeat(before));
        assert_eq!(TextBuf::from(model.as_str()), model);
    }
}

/// The allocation of a long `String` goes in and comes out again.
#[test]
fn a_long_string_moves() {
    let long = "0123456789".repeat(5);
    let at = long.as_ptr().addr();
    let text = TextBuf::from(long);
    assert_eq!(text.as_ptr().addr(), at);
    let long = String::from(text);
    assert_eq!(long.as_ptr().addr(), at);
}

#[test]
fn in_maps() {
    let mut hash: HashMap<TextBuf, i32> = HashMap::new();
    let mut tree: BTreeMap<TextBuf, i32> = BTreeMap::new();
    let long = "a key of more than twenty-four bytes";
    for (n, key) in ["", "str", long].into_iter().enumerate() {
        hash.insert(key.into(), n as i32);
        tree.insert(key.into(), n as i32);
    }
    assert_eq!(hash.get("str"), Some(&1));
    assert_eq!(hash.get(long), Some(&2));
    assert_eq!(hash.get("other"), None);
    assert_eq!(tree.get(""), Some(&0));
    assert_eq!(tree.keys().map(TextBuf::as_str).collect::<Vec<_>>(), ["", long, "str"]);
}

#[test]
fn shows_as_str() {
    let text = TextBuf::from("a \"b\"\n");
    assert_eq!(format!("{text:?} {text} {text:>8}"), format!("{0:?} {0} {0:>8}", "a \"b\"\n"));
    assert_eq!(TextBuf::default(), "");
    assert_eq!(text.as_ref().len() + text.chars().count(), 12);
    let string = String::from(text.clone());
    let borrowed = string.as_str();
    assert!(borrowed == text && *borrowed == text && string == text);
    assert!(text == borrowed && text == *borrowed && text == string);
}

#[test]
fn crosses_threads() {
    fn send_and_sync<T: Send + Sync + 'static>() {}
    send_and_sync::<TextBuf>();
    send_and_sync::<sqlite_text::Error>();
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #[test]
    fn is_a_str(a in "\\PC{0,40}", b in "\\PC{0,40}") {
        let (x, y) = (TextBuf::from(a.as_str()), TextBuf::from(b.clone()));
        prop_assert_eq!(&*x, a.as_str());
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(hash(&x), hash(a.as_str()));
        prop_assert_eq!(String::from(y), b);
    }
}
