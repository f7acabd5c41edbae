//! The kernels of `utf8-runes` and of `rfc5987`, one tier after the other.

use utf8_runes::tier;

/// Calls `check` on every tier of this machine.
pub(crate) fn on_every_tier(check: impl Fn()) {
    for &tier in tier::available() {
        assert!(tier::force(Some(tier)), "{tier:?}");
        check();
    }
    assert!(tier::force(None));
}

/// Calls `check` on every tier of this machine that `rfc5987` has.
pub(crate) fn on_every_codec_tier(check: impl Fn()) {
    use rfc5987::tier::{available, force};

    for &tier in available() {
        assert!(force(Some(tier)), "{tier:?}");
        check();
    }
    assert!(force(None));
}
