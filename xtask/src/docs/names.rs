//! The table of file names in real clients, from the data that `cargo xtask interop names` compares
//! with.

use crate::shell::Workspace;
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// The facts.
pub(crate) const DATA: &str = "interop/data/names.toml";

/// A shown name that is longer than this many characters is cut.
const LONG: usize = 44;

#[derive(Debug, Deserialize)]
struct Data {
    client: Vec<Client>,
    name: Vec<Name>,
}

#[derive(Debug, Deserialize)]
struct Client {
    key: String,
    title: String,
    #[serde(default)]
    plain: bool,
}

#[derive(Debug, Deserialize)]
struct Name {
    name: String,
    fallback: Option<String>,
    why: Option<String>,
    #[serde(default)]
    read: BTreeMap<String, String>,
    #[serde(default)]
    upload: BTreeMap<String, String>,
}

/// What a client makes of a name.
#[derive(Debug, PartialEq, Eq)]
enum Cell<'a> {
    Exact,
    Fallback(&'a str),
    Rewrite(&'a str),
}

impl Name {
    fn read_by(&self, client: &Client) -> Cell<'_> {
        match (self.read.get(&client.key), &self.fallback) {
            (Some(text), _) => Cell::Rewrite(text),
            (None, Some(text)) if client.plain => Cell::Fallback(text),
            _ => Cell::Exact,
        }
    }
}

/// The part of docs/COMPARE.md.
pub(crate) fn table(workspace: &Workspace) -> Result<String> {
    let text = fs::read_to_string(workspace.root.join(DATA)).context(DATA)?;
    Ok(render(&toml::from_str(&text).context(DATA)?))
}

fn render(data: &Data) -> String {
    let mut out = format!("<!-- Made by `cargo xtask docs` from {DATA}; do not edit. -->\n\n");
    counts(data, &mut out);
    let is_exact = |name: &Name, client| name.read_by(client) == Cell::Exact;
    // A column only for who has something to say.
    let (quiet, shown): (Vec<&Client>, Vec<&Client>) =
        data.client.iter().partition(|client| data.name.iter().all(|name| is_exact(name, client)));
    let (same, differing): (Vec<&Name>, Vec<&Name>) =
        data.name.iter().partition(|name| shown.iter().all(|client| is_exact(name, client)));
    list(
        &mut out,
        "Names that every client takes as they are",
        same.iter().map(|name| code(&name.name)),
    );
    let quiet = quiet.iter().map(|client| client.title.clone());
    list(&mut out, "\nClients that take every name as it is", quiet);
    out += "\nThe others, where `=` is the name as it is:\n\n| name |";
    shown.iter().for_each(|client| out += &format!(" {} |", client.title));
    out += " why |\n|---|";
    shown.iter().for_each(|_| out += "---|");
    out += "---|\n";
    for name in differing {
        let _ = write!(out, "| {} |", code(&name.name));
        for client in &shown {
            let _ = match name.read_by(client) {
                Cell::Exact => write!(out, " = |"),
                Cell::Fallback(text) => write!(out, " fallback {} |", code(text)),
                Cell::Rewrite(text) => write!(out, " {} |", code(text)),
            };
        }
        let _ = writeln!(out, " {} |", name.why.as_deref().unwrap_or_default());
    }
    let lost = data.name.iter().filter_map(|name| Some((name, name.upload.get("any")?)));
    let lost = lost.map(|(name, read)| format!("{} as {}", code(&name.name), code(read)));
    list(&mut out, "\nUploads that cannot tell their name, by the form's own rules", lost);
    out
}

fn counts(data: &Data, out: &mut String) {
    out.push_str("| client | names | as they are | the fallback | rewritten |\n");
    out.push_str("|---|---|---|---|---|\n");
    for client in &data.client {
        let count = |is: fn(&Cell<'_>) -> bool| {
            data.name.iter().filter(|name| is(&name.read_by(client))).count()
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            client.title,
            data.name.len(),
            count(|cell| *cell == Cell::Exact),
            count(|cell| matches!(cell, Cell::Fallback(_))),
            count(|cell| matches!(cell, Cell::Rewrite(_))),
        );
    }
    out.push('\n');
}

fn list(out: &mut String, what: &str, items: impl Iterator<Item = String>) {
    let items: Vec<_> = items.collect();
    let shown = if items.is_empty() { "none".to_owned() } else { items.join(", ") };
    let _ = writeln!(out, "{what}: {shown}.");
}

/// A name as code in a table: what cannot be seen is escaped, what is too long is cut.
fn code(name: &str) -> String {
    let blanks = |text: &str| text.chars().all(|char| matches!(char, ' ' | '␠'));
    let end = name.trim_end_matches(' ').len();
    let mut shown = String::new();
    for (at, char) in name.char_indices() {
        match char {
            // Blanks at the ends of code are not shown.
            ' ' if at >= end || blanks(&shown) => shown.push('␠'),
            '|' => shown.push_str("\\|"),
            '"' | '\'' | '\\' => shown.push(char),
            // A composed and a decomposed letter look the same.
            '\u{300}'..='\u{36F}' => shown.extend(char.escape_unicode()),
            _ => shown.extend(char.escape_debug()),
        }
    }
    if shown.chars().count() <= LONG {
        return format!("`{shown}`");
    }
    let start: String = shown.chars().take(LONG / 3).collect();
    format!("`{start}…` ({} bytes)", name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(code(" a  b "), "`␠a  b␠`");
        assert_eq!(code("a|\"\\\t\u{202e}e\u{301}é漢"), "`a\\|\"\\\\t\\u{202e}e\\u{301}é漢`");
        assert_eq!(code(&"a".repeat(240)), format!("`{}…` (240 bytes)", "a".repeat(14)));
        assert_eq!(code(&"漢".repeat(70)), format!("`{}…` (210 bytes)", "漢".repeat(14)));
    }

    #[test]
    fn the_table_says_who_takes_what_for_what() {
        let data = toml::from_str(
            "client = [{ key = 'w', title = 'W' }, { key = 'c', title = 'C', plain = true },\n\
             { key = 'q', title = 'Q' }]\n\
             [[name]]\nname = 'a.txt'\n\
             [[name]]\nname = 'é'\nfallback = '_'\nread.w = 'e'\nwhy = 'reasons'\n\
             [[name]]\nname = 'a%22'\nfallback = 'a_22'\nupload.any = 'a\"'\nwhy = 'rules'\n",
        )
        .unwrap();
        insta::assert_snapshot!(render(&data));
    }
}
