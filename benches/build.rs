//! Tells the runner what built it, for its first line.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .unwrap_or_default();
    let short = version.split_whitespace().nth(1).unwrap_or("unknown");
    println!("cargo::rustc-env=ONECOPY_RUSTC={short}");
    println!("cargo::rustc-env=ONECOPY_TARGET={}", std::env::var("TARGET").unwrap_or_default());
}
