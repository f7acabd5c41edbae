//! Where unsafe code is, and what is said to prove it.

use crate::shell::Workspace;
use anyhow::Result;
use regex_lite::Regex;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// One use of the keyword that opens unsafe code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Counted from 1.
    pub(crate) line: usize,
    /// What follows the keyword: a block, `fn`, `impl`, `extern` or `trait`.
    pub(crate) kind: &'static str,
    /// The first line of its SAFETY comment, or of its `# Safety` section.
    pub(crate) proof: Option<String>,
}

/// What stands in the index where a comment should have said more.
pub(crate) const NO_PROOF: &str = "**no proof given**";

/// The uses in one file. Comments and the text of strings are not code.
pub(crate) fn places(text: &str) -> Result<Vec<Place>> {
    let keyword = Regex::new(r"\bunsafe\b *(\{|fn\b|impl\b|extern\b|trait\b)")?;
    let string = Regex::new(r#""(\\.|[^"\\])*""#)?;
    let lines: Vec<&str> = text.lines().collect();
    let mut places = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let line = string.replace_all(line, "\"\"");
        let code = line.split("//").next().unwrap_or_default();
        for found in keyword.captures_iter(code) {
            // The type of a function's pointer: nothing is done there.
            if found.get(0).is_some_and(|all| code[all.end()..].starts_with(" \"\" fn(")) {
                continue;
            }
            let kind = match found.get(1).map_or("", |word| word.as_str()) {
                "{" => "block",
                "fn" => "fn",
                "impl" => "impl",
                "extern" => "extern",
                _ => "trait",
            };
            places.push(Place { line: at + 1, kind, proof: proof(&lines[..at]) });
        }
    }
    Ok(places)
}

/// The proof in the comment above, past attributes and the beginning of the statement.
fn proof(above: &[&str]) -> Option<String> {
    let mut statement = 3;
    let comment = |line: &str| line.trim_start().starts_with("//");
    let mut end = above.len();
    while end > 0 && !comment(above[end - 1]) {
        let line = above[end - 1].trim();
        let over = line.is_empty() || line.ends_with(';') || line.ends_with('}');
        let attribute = line.starts_with("#[") || line.starts_with(')') || line.ends_with(']');
        if over || (!attribute && statement == 0) {
            return None;
        }
        statement -= usize::from(!attribute);
        end -= 1;
    }
    let start = above[..end].iter().rposition(|line| !comment(line)).map_or(0, |at| at + 1);
    let lines: Vec<&str> = above[start..end]
        .iter()
        .map(|line| line.trim_start().trim_start_matches('/').trim())
        .collect();
    let at = lines.iter().rposition(|line| line.starts_with("SAFETY:") || *line == "# Safety")?;
    let first = match lines[at].strip_prefix("SAFETY:") {
        Some(rest) => rest.trim(),
        None => {
            lines[at + 1..].iter().copied().find(|line| !line.is_empty())?.trim_start_matches("* ")
        }
    };
    let whole = first.ends_with('.') || lines.last() == Some(&lines[at]);
    Some(if whole { first.to_owned() } else { format!("{first} …") })
}

/// The index as Markdown: by package and file, every use in order.
pub(crate) fn index(workspace: &Workspace) -> Result<String> {
    let mut packages: BTreeMap<&str, Vec<(String, Vec<Place>)>> = BTreeMap::new();
    let files = workspace.files()?;
    for package in &workspace.packages {
        let folder = format!("{}/src/", workspace.relative(&package.folder));
        let found = packages.entry(&package.name).or_default();
        for name in files.iter().filter(|name| name.starts_with(&folder) && name.ends_with(".rs")) {
            let places = places(&fs::read_to_string(workspace.root.join(name))?)?;
            if !places.is_empty() {
                found.push((name.clone(), places));
            }
        }
    }
    Ok(render(&packages))
}

fn render(packages: &BTreeMap<&str, Vec<(String, Vec<Place>)>>) -> String {
    let without: Vec<_> = packages
        .iter()
        .filter(|(_, files)| files.is_empty())
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let mut out = String::new();
    if !without.is_empty() {
        let _ = writeln!(out, "None in {}.\n", without.join(", "));
    }
    for (name, files) in packages.iter().filter(|(_, files)| !files.is_empty()) {
        let total: usize = files.iter().map(|(_, places)| places.len()).sum();
        let _ = writeln!(out, "### {name}: {total}\n");
        for (file, places) in files {
            let _ = writeln!(out, "`{file}`\n");
            for Place { kind, proof, .. } in places {
                let proof = proof.as_deref().unwrap_or(NO_PROOF);
                let _ = writeln!(out, "* {kind}: {proof}");
            }
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Place {
        let mut places = places(text).unwrap();
        assert_eq!(places.len(), 1, "{places:?}");
        places.remove(0)
    }

    #[test]
    fn a_block_is_found_with_its_proof() {
        let place = one("fn f() {\n    // SAFETY: i < len.\n    let x = unsafe { g(i) };\n}\n");
        assert_eq!(place, Place { line: 3, kind: "block", proof: Some("i < len.".into()) });
        let place = one(
            "// SAFETY: the pointer is the slice's,\n// which lives on.\nlet x =\n    unsafe { g(i) };\n",
        );
        assert_eq!(place.proof.as_deref(), Some("the pointer is the slice's, …"));
    }

    #[test]
    fn a_function_is_found_with_its_section() {
        let text = "/// Does it.\n///\n/// # Safety\n/// The processor has AVX2.\n#[target_feature(enable = \"avx2\")]\nunsafe fn f() {}\n";
        let place = one(text);
        assert_eq!((place.kind, place.proof.as_deref()), ("fn", Some("The processor has AVX2.")));
    }

    #[test]
    fn the_type_of_a_pointer_is_no_use() {
        assert_eq!(places("type Call = unsafe extern \"C\" fn(u8);\n").unwrap(), []);
        assert_eq!(
            one("/// # Safety\n/// Once.\nunsafe extern \"C\" fn f(x: u8) {}\n").kind,
            "extern"
        );
    }

    #[test]
    fn a_proof_of_something_else_is_none() {
        assert_eq!(one("// SAFETY: this one.\nlet a = b;\nlet x = unsafe { g(i) };\n").proof, None);
        assert_eq!(one("// faster\nlet x = unsafe { g(i) };\n").proof, None);
        assert_eq!(one("let x = unsafe { g(i) };\n").proof, None);
    }

    #[test]
    fn words_in_comments_and_strings_are_no_code() {
        let text =
            "// unsafe { in words }\nlet s = \"unsafe { quoted }\";\n#![forbid(unsafe_code)]\n";
        assert_eq!(places(text).unwrap(), []);
    }

    #[test]
    fn the_index_tells_what_lacks_a_proof() {
        let place =
            |kind, proof: Option<&str>| Place { line: 1, kind, proof: proof.map(String::from) };
        let files = vec![(
            "a/src/raw.rs".to_owned(),
            vec![place("block", Some("It fits.")), place("fn", None)],
        )];
        let packages = BTreeMap::from([("a", files), ("b", Vec::new())]);
        insta::assert_snapshot!(render(&packages), @r"
        None in `b`.

        ### a: 2

        `a/src/raw.rs`

        * block: It fits.
        * fn: **no proof given**
        ");
    }
}
