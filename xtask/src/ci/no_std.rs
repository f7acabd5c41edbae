//! That the crates which say `no_std` mean it, with all that they depend on.
//!
//! No bare-metal target is at hand, and on a hosted one a crate that pulls std in compiles all the
//! same. So a library that defines the panic handler is checked against them: std defines it too,
//! and the compiler refuses the second.

use crate::shell::Workspace;
use anyhow::Result;
use std::fs;
use std::process::Command;

/// The crates, as the umbrella's features and as names in code.
const CRATES: [(&str, &str); 4] = [
    ("utf8-runes", "utf8_runes"),
    ("rfc5987", "rfc5987"),
    ("pktpool", "pktpool"),
    ("lucene-io", "lucene_io"),
];

/// Writes the library into the target folder and checks it: without any feature, then with `alloc`
/// through the umbrella.
pub(super) fn commands(workspace: &Workspace) -> Result<Vec<Command>> {
    let folder = workspace.target.join("xtask-ci/no-std");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("Cargo.toml"), manifest(workspace))?;
    fs::write(folder.join("lib.rs"), library())?;
    fs::copy(workspace.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut commands = Vec::new();
    for features in ["parts", "umbrella"] {
        let mut command = workspace.cargo(["check", "--quiet", "--features", features])?;
        command.current_dir(&folder).env("CARGO_TARGET_DIR", &workspace.target);
        commands.push(command);
    }
    Ok(commands)
}

fn manifest(workspace: &Workspace) -> String {
    let path = |name: &str| {
        let path = workspace.root.join("crates").join(name);
        serde_json::to_string(&path).unwrap_or_default()
    };
    let mut text = String::from(
        "[package]\nname = \"no-std-check\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n[lib]\npath = \"lib.rs\"\n\n[dependencies]\n",
    );
    for (name, _) in CRATES {
        text += &format!(
            "{name} = {{ path = {}, default-features = false, optional = true }}\n",
            path(name)
        );
    }
    let names: Vec<_> = CRATES.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    text += &format!(
        "onecopy = {{ path = {}, default-features = false, features = [\"alloc\", {}], optional = true }}\n\n\
         [features]\nparts = [{}]\numbrella = [\"dep:onecopy\"]\n",
        path("onecopy"),
        names.join(", "),
        names.iter().map(|name| name.replacen('"', "\"dep:", 1)).collect::<Vec<_>>().join(", "),
    );
    text
}

fn library() -> String {
    let mut text = String::from("#![no_std]\n");
    for (_, name) in CRATES {
        text += &format!("#[cfg(feature = \"parts\")]\nextern crate {name} as _;\n");
    }
    text += "#[cfg(feature = \"umbrella\")]\nextern crate onecopy as _;\n\
             #[panic_handler]\nfn panic(_: &core::panic::PanicInfo<'_>) -> ! {\n    loop {}\n}\n";
    text
}
