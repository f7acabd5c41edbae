//! Runs a check on every tier that this processor has; without the feature `tiers`, on the best.

#[cfg(feature = "tiers")]
pub(crate) fn each_tier(check: impl Fn()) {
    use rfc5987::tier::{available, force};
    use std::sync::{Mutex, PoisonError};

    // A tier is the whole process's: one check at a time.
    static FORCED: Mutex<()> = Mutex::new(());
    let _one = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
    for tier in available() {
        assert!(force(Some(*tier)), "{tier:?}");
        check();
    }
    assert!(force(None));
}

#[cfg(not(feature = "tiers"))]
pub(crate) fn each_tier(check: impl Fn()) {
    check();
}
