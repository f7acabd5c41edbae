//! The slow shapes, the published fixes, our own and the peers, and the harness that measures them.
//!
//! As data: `cases/*.toml` → [`registry`] → [`slices`] (time), [`alloc`] (heap), [`count`]
//! (instructions, under callgrind) → lines on standard output → the judge in `xtask/`.
//! Without features this crate is the harness alone; the heavy peers under `peers/` use it so.

// Allowed in the files named raw, and nowhere else.
#![deny(unsafe_code)]

pub mod alloc;
pub mod count;
pub mod digest;
pub mod registry;
pub mod runner;
pub mod slices;
pub mod subject;
pub mod tier;

#[cfg(feature = "lucene-io")]
pub mod lucene_io;
#[cfg(all(
    feature = "lucene-io",
    feature = "sqlite-text",
    feature = "rfc5987",
    feature = "pktpool",
    feature = "utf8-runes"
))]
pub mod pipelines;
#[cfg(feature = "pktpool")]
pub mod pktpool;
#[cfg(feature = "rfc5987")]
pub mod rfc5987;
#[cfg(feature = "sqlite-text")]
pub mod sqlite_text;
#[cfg(feature = "utf8-runes")]
pub mod utf8_runes;

/// Every case of this package.
#[must_use]
pub fn registry() -> registry::Registry {
    #[allow(unused_mut, reason = "no feature, no case")]
    let mut all = registry::Registry::default();
    #[cfg(feature = "utf8-runes")]
    utf8_runes::register(&mut all);
    #[cfg(feature = "rfc5987")]
    rfc5987::register(&mut all);
    #[cfg(feature = "pktpool")]
    pktpool::register(&mut all);
    #[cfg(feature = "sqlite-text")]
    sqlite_text::register(&mut all);
    #[cfg(feature = "lucene-io")]
    lucene_io::register(&mut all);
    #[cfg(all(
        feature = "lucene-io",
        feature = "sqlite-text",
        feature = "rfc5987",
        feature = "pktpool",
        feature = "utf8-runes"
    ))]
    pipelines::register(&mut all);
    all
}
