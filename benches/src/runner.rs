//! runner
/// Runs.
pub fn main(_registry: &crate::registry::Registry) -> std::process::ExitCode { std::process::ExitCode::SUCCESS }
