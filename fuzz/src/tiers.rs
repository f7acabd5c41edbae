//! The kernels of `utf8-runes`, one tier after the other.

use utf8_runes::tier;

/// Calls `check` on every tier of this machine.
pub(crate) fn on_every_tier(check: impl Fn()) {
    for &tier in tier::available() {
        assert!(tier::force(Some(tier)), "{tier:?}");
        check();
    }
    assert!(tier::force(None));
}
