//! The house rules that a look at the files can tell.

use crate::bench;
use crate::docs::unsafety;
use crate::shell::Workspace;
use crate::test::pending_snapshot;
use anyhow::Result;
use regex_lite::Regex;
use std::fs;

/// A file that passes this many lines is asked why.
const LONG: usize = 400;

/// What breaks a rule, one line each, with its place.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<String>> {
    let rules = Rules::new()?;
    let files = workspace.files()?;
    let mut wrong = Vec::new();
    for name in &files {
        if pending_snapshot(name) {
            wrong.push(format!("{name}: a snapshot that nobody has reviewed"));
        }
        // What is not text has no rule to break.
        let Ok(text) = fs::read_to_string(workspace.root.join(name)) else { continue };
        wrong.extend(rules.of_file(name, &text)?);
        if name.ends_with(".rs") && !name.contains("/tests/") && text.lines().count() > LONG {
            println!("note: {name} has {} lines; why?", text.lines().count());
        }
    }
    wrong.extend(bench::stale_patches(&workspace.root)?);
    let listed = |name: &str| files.iter().any(|file| file == name);
    for name in files.iter().filter(|name| listed(&main_beside(name))) {
        let main = fs::read_to_string(workspace.root.join(main_beside(name)))?;
        if !is_module(&main, name) {
            wrong.push(format!("{name}: a test that main.rs beside it does not name never runs"));
        }
    }
    for package in &workspace.packages {
        let manifest = fs::read_to_string(package.folder.join("Cargo.toml"))?;
        if !manifest.contains("[lints]\nworkspace = true") {
            wrong.push(format!(
                "{}: the manifest does not take the workspace's lints",
                package.name
            ));
        }
        let folder = format!("{}/src/", workspace.relative(&package.folder));
        let sources = files.iter().filter(|name| name.starts_with(&folder));
        let mut has_unsafe = false;
        for source in sources {
            let text = fs::read_to_string(workspace.root.join(source))?;
            has_unsafe |= source.ends_with(".rs") && !unsafety::places(&text)?.is_empty();
        }
        if package.published && !has_unsafe && crate::asan::may_hold_unsafe(package) {
            wrong.push(format!(
                "{}: no unsafe code, and src/lib.rs does not forbid it",
                package.name
            ));
        }
    }
    Ok(wrong)
}

/// The `main.rs` of the folder of tests that the file lies in; of another file, what is nowhere.
fn main_beside(name: &str) -> String {
    match name.rsplit_once('/') {
        Some((folder, file)) if name.contains("/tests/") && file.ends_with(".rs") => {
            format!("{folder}/main.rs")
        }
        _ => String::new(),
    }
}

/// Whether `main` is the file itself or names it as a module.
fn is_module(main: &str, name: &str) -> bool {
    let module = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
    module == "main" || main.lines().any(|line| line == format!("mod {module};"))
}

struct Rules {
    unfinished: Regex,
    ignored: Regex,
    machine_path: Regex,
    registry_host: Regex,
}

impl Rules {
    fn new() -> Result<Self> {
        Ok(Self {
            unfinished: Regex::new(r"\b(todo|unimplemented)!\(")?,
            ignored: Regex::new(r"#\[ignore")?,
            machine_path: Regex::new(r"(^|[^a-z.~])/(home|root|Users|work|tmp)/[a-z]")?,
            registry_host: Regex::new(
                r#"https?://[^ /"]*(crates|npm|pypi|debian|pythonhosted)[^ /"]*/"#,
            )?,
        })
    }

    fn of_file(&self, name: &str, text: &str) -> Result<Vec<String>> {
        let rust = name.ends_with(".rs");
        let of_a_crate = rust && name.starts_with("crates/");
        let confined =
            name.contains("/src/arch/") || name.ends_with("/raw.rs") || name.contains("/tests/");
        let lock = name.ends_with("Cargo.lock") || name.ends_with("package-lock.json");
        let mut wrong = Vec::new();
        if of_a_crate && !confined {
            let places = unsafety::places(text)?;
            let say = |line| format!("{name}:{line}: unsafe outside src/arch/ and raw.rs");
            wrong.extend(places.iter().map(|place| say(place.line)));
        }
        for (at, line) in text.lines().enumerate() {
            let mut say = |what: &str| wrong.push(format!("{name}:{}: {what}", at + 1));
            if rust && self.unfinished.is_match(line) {
                say("unfinished code");
            }
            if rust && self.ignored.is_match(line) {
                say("an ignored test");
            }
            if self.machine_path.is_match(line) && name != ".gitignore" {
                say("a machine's path");
            }
            if !lock && self.registry_host.is_match(line) {
                say("a registry's host");
            }
        }
        Ok(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_nobody_names_is_found() {
        let main = "//! Tests.\n\nmod a;\n#[path = \"../common/mod.rs\"]\nmod common;\n";
        assert_eq!(main_beside("crates/x/tests/together/b.rs"), "crates/x/tests/together/main.rs");
        assert_eq!(main_beside("crates/x/src/b.rs"), "");
        assert_eq!(main_beside("crates/x/tests/data/b.toml"), "");
        assert!(is_module(main, "crates/x/tests/together/a.rs"));
        assert!(is_module(main, "crates/x/tests/together/main.rs"));
        assert!(!is_module(main, "crates/x/tests/together/b.rs"));
    }

    fn of(name: &str, text: &str) -> Vec<String> {
        Rules::new().unwrap().of_file(name, text).unwrap()
    }

    #[test]
    fn unsafe_is_confined() {
        let text = "fn f() {\n    unsafe { g() }\n}\n";
        assert_eq!(
            of("crates/a/src/lib.rs", text),
            ["crates/a/src/lib.rs:2: unsafe outside src/arch/ and raw.rs"]
        );
        for name in ["crates/a/src/arch/x.rs", "crates/a/src/raw.rs", "benches/src/alloc.rs"] {
            assert!(of(name, text).is_empty(), "{name}");
        }
        assert!(
            of("crates/a/src/lib.rs", "// unsafe { is a word }\n#![forbid(unsafe_code)]")
                .is_empty()
        );
    }

    // The forbidden words are put together here, so that this file holds none of them.
    #[test]
    fn unfinished_code_and_ignored_tests_are_found() {
        for text in
            [concat!("to", "do!()"), concat!("unimplem", "ented!(\"x\")"), concat!("#[ig", "nore]")]
        {
            assert_eq!(of("crates/a/src/lib.rs", text).len(), 1, "{text}");
            assert!(of("README.md", text).is_empty());
        }
    }

    #[test]
    fn machines_and_hosts_are_found_everywhere() {
        for text in [concat!("cd /wo", "rk/x"), concat!("see https://static.cra", "tes.io/x")] {
            assert_eq!(of("README.md", text).len(), 1, "{text}");
        }
        assert!(
            of("a.md", "src/network/mod.rs and https://www.rfc-editor.org/rfc/rfc8187").is_empty()
        );
        assert!(
            of("fuzz/Cargo.lock", concat!("https://github.com/rust-lang/cra", "tes.io-index/"))
                .is_empty()
        );
    }
}
