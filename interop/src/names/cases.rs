//! The names and what each client makes of them: `data/names.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

/// The field under which files are uploaded: it needs escapes too.
pub(super) const FIELD: &str = "fi\"l%e é";

/// A name, and what becomes of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) name: String,
    /// What the plain parameter holds when there is a `filename*`.
    pub(super) fallback: Option<String>,
    /// Why clients rewrite it.
    #[cfg_attr(not(test), expect(dead_code, reason = "for people, and for the table"))]
    why: Option<String>,
    /// What a client takes it for that does not take it as it is.
    #[serde(default)]
    read: BTreeMap<String, String>,
    /// What is read from an upload that cannot tell its name; `any` is for all.
    #[serde(default)]
    upload: BTreeMap<String, String>,
    /// Who cannot send it.
    #[serde(default)]
    unsent: Vec<String>,
}

/// A client that reads downloads.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Client {
    key: String,
    /// Over its column.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the table"))]
    title: String,
    /// It reads `filename` alone.
    #[serde(default)]
    plain: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    client: Vec<Client>,
    name: Vec<Case>,
}

fn data() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| {
        toml::from_str(include_str!("../../data/names.toml")).expect("a test reads it")
    })
}

/// All of them.
pub(super) fn all() -> &'static [Case] {
    &data().name
}

/// The clients that read, by key.
#[cfg(test)]
pub(super) fn keys() -> Vec<&'static str> {
    data().client.iter().map(|client| client.key.as_str()).collect()
}

/// How a client is expected to take a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Exact,
    Fallback,
    Rewrite,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Fallback => "fallback",
            Self::Rewrite => "rewrite",
        })
    }
}

impl Case {
    /// What this client makes of it.
    pub(super) fn read_by(&self, client: &str) -> (Kind, &str) {
        if let Some(rewritten) = self.read.get(client) {
            return (Kind::Rewrite, rewritten);
        }
        let plain = data().client.iter().any(|one| one.key == client && one.plain);
        match &self.fallback {
            Some(fallback) if plain => (Kind::Fallback, fallback),
            _ => (Kind::Exact, &self.name),
        }
    }

    /// What is read from this client's upload; `None` when it cannot send it.
    pub(super) fn sent_by(&self, client: &str) -> Option<&str> {
        if self.unsent.iter().any(|one| one == client) {
            return None;
        }
        let other = self.upload.get(client).or_else(|| self.upload.get("any"));
        Some(other.unwrap_or(&self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::server::header_of;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_sent_as_the_data_say() {
        assert!(all().len() > 41);
        for case in all() {
            let header = header_of(&case.name).unwrap();
            let expected = match &case.fallback {
                None => format!("attachment; filename=\"{}\"", case.name),
                Some(fallback) => {
                    let ext = rfc5987::encode(&case.name);
                    format!("attachment; filename=\"{fallback}\"; filename*=UTF-8''{ext}")
                }
            };
            assert_eq!(header, expected);
        }
    }

    #[test]
    fn every_rewrite_is_of_a_known_client_differs_and_has_a_reason() {
        let known: BTreeSet<_> = data().client.iter().map(|one| one.key.as_str()).collect();
        assert_eq!(known.len(), data().client.len());
        assert!(data().client.iter().all(|one| !one.title.is_empty()));
        let uploaders = ["any", "chromium", "firefox", "curl", "requests", "node"];
        let mut names = BTreeSet::new();
        for case in all() {
            assert!(names.insert(&case.name), "{:?} twice", case.name);
            let special = !(case.read.is_empty() && case.upload.is_empty());
            assert_eq!(case.why.is_some(), special || !case.unsent.is_empty(), "{:?}", case.name);
            for (client, text) in &case.read {
                assert!(known.contains(client.as_str()), "{client}");
                let plain = data().client.iter().any(|one| one.key == *client && one.plain);
                let usual = case.fallback.as_ref().filter(|_| plain).unwrap_or(&case.name);
                assert_ne!(text, usual, "{client}");
            }
            for (client, text) in &case.upload {
                assert!(uploaders.contains(&client.as_str()), "{client}");
                assert_ne!(*text, case.name, "{client}");
            }
            assert!(case.unsent.iter().all(|client| uploaders.contains(&client.as_str())));
        }
    }

    #[test]
    fn a_client_takes_the_name_the_fallback_or_something_else() {
        let case: Case = toml::from_str(
            "name = 'ä'\nfallback = '_'\nread.wget = 'a'\nupload.any = 'b'\nunsent = ['curl']",
        )
        .unwrap();
        assert_eq!(case.read_by("chromium"), (Kind::Exact, "ä"));
        assert_eq!(case.read_by("curl"), (Kind::Fallback, "_"));
        assert_eq!(case.read_by("wget"), (Kind::Rewrite, "a"));
        assert_eq!(case.sent_by("node"), Some("b"));
        assert_eq!(case.sent_by("curl"), None);
    }
}
