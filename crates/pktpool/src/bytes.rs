//! Feature `bytes`.
