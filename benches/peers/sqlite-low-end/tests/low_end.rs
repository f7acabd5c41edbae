//! That this is the low end: the version in the lock file and the SQLite that is linked.

use sqlite_text::ffi;
use std::ffi::CStr;

/// What the manifest of the root workspace says first.
const RANGE: &str = "libsqlite3-sys = \">=0.37, <0.41\"";

#[test]
fn the_lock_file_holds_the_lowest_version_of_the_range() {
    assert!(include_str!("../../../../Cargo.toml").contains(RANGE));
    let lock = include_str!("../Cargo.lock");
    let versions: Vec<_> = lock.split("name = \"libsqlite3-sys\"\nversion = ").skip(1).collect();
    assert_eq!(versions.len(), 1);
    assert!(versions[0].starts_with("\"0.37.0\"\n"));
    assert!(!lock.contains("\"rusqlite\""));
}

#[test]
fn the_sqlite_that_it_bundles_is_what_runs() {
    // SAFETY: takes nothing, at any time.
    let linked = unsafe { ffi::sqlite3_libversion() };
    // SAFETY: a string that ends with a NUL and is never freed.
    let linked = unsafe { CStr::from_ptr(linked) };
    assert_eq!(linked, ffi::SQLITE_VERSION);
}
