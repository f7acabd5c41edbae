//! File names in real clients: what browsers, command lines and libraries make of the headers that
//! `rfc5987` builds, and whether it reads back the names of what they upload.
//!
//! The names and what is expected of each client are data (`data/names.toml`); whatever differs is
//! a failure, also when a client has become better.

mod browser;
mod cases;
mod server;
mod tools;

use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use anyhow::{Context as _, Result};
use browser::Browser;
use cases::{FIELD, all};
use rfc5987::{ContentDisposition, Profile};
use server::{Server, Uploads, header_of};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tools::Names;

/// Whose versions are ours to choose.
const PYTHON: [&str; 3] = ["aiohttp==3.14.5", "requests==2.34.2", "werkzeug==3.1.9"];
const NODE: (&str, &str) = ("content-disposition", "2.0.1");

/// One client.
#[derive(Debug)]
pub(crate) struct Client {
    name: &'static str,
    about: &'static str,
    who: Who,
    /// What `prepare` has found: the program, or the folder of what it needs beside it.
    found: OnceLock<Vec<PathBuf>>,
}

#[derive(Debug, Clone, Copy)]
enum Who {
    Browser(Browser),
    Curl,
    Wget,
    Node,
    Werkzeug,
    Aiohttp,
    Requests,
    Go,
}

impl Client {
    const fn new(name: &'static str, about: &'static str, who: Who) -> Self {
        Self { name, about, who, found: OnceLock::new() }
    }
}

/// All clients.
pub(crate) static CHROMIUM: Client = Client::new(
    "names-chromium",
    "Chromium: downloads, and uploads by form and fetch",
    Who::Browser(Browser::Chromium),
);
pub(crate) static FIREFOX: Client = Client::new(
    "names-firefox",
    "Firefox ESR: downloads, and uploads by form and fetch",
    Who::Browser(Browser::Firefox),
);
pub(crate) static CURL: Client =
    Client::new("names-curl", "curl: downloads (-OJ) and uploads (-F)", Who::Curl);
pub(crate) static WGET: Client =
    Client::new("names-wget", "wget --content-disposition: downloads", Who::Wget);
pub(crate) static NODE_JS: Client =
    Client::new("names-node", "Node: content-disposition, and uploads by fetch", Who::Node);
pub(crate) static WERKZEUG: Client =
    Client::new("names-werkzeug", "Werkzeug: parse_options_header", Who::Werkzeug);
pub(crate) static AIOHTTP: Client =
    Client::new("names-aiohttp", "aiohttp: its client's content_disposition", Who::Aiohttp);
pub(crate) static REQUESTS: Client =
    Client::new("names-requests", "requests: uploads", Who::Requests);
pub(crate) static GO: Client = Client::new("names-go", "Go: mime.ParseMediaType", Who::Go);

/// What a client did: the names it found, and what the server got.
#[derive(Debug, Default)]
struct Done {
    names: Option<Names>,
    uploads: Uploads,
    version: String,
}

impl Counterpart for Client {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        let found = match self.who {
            Who::Browser(Browser::Chromium) => vec![installer.program("chromium", "chromium")?],
            Who::Browser(Browser::Firefox) => {
                vec![installer.program("firefox-esr", "firefox-esr")?]
            }
            Who::Curl => vec![installer.program("curl", "curl")?],
            Who::Wget => vec![installer.program("wget", "wget")?],
            Who::Node => {
                let (package, version) = NODE;
                let node = installer.program("node", "nodejs")?;
                vec![node, installer.node_modules(package, version)?]
            }
            Who::Werkzeug | Who::Aiohttp | Who::Requests => vec![installer.python(&PYTHON)?],
            Who::Go => vec![installer.program("go", "golang-go")?, installer.folder("go")?],
        };
        let _ = self.found.set(found);
        Ok(())
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let server = Server::start(all())?;
        let key = self.name.split_once('-').map_or(self.name, |(_, key)| key);
        let mut done = self.run(&server)?;
        done.uploads.extend(server.uploads());
        server.stop()?;
        if let Some(names) = &done.names {
            for (at, case) in all().iter().enumerate() {
                let (kind, expected) = case.read_by(key);
                let header = header_of(&case.name)?;
                let what = format!("{key}, case {at}, {kind} of {:?} in {header}", case.name);
                tally.compare(what, &Some(expected), &names.get(&at).map(String::as_str));
            }
        }
        self.compare_uploads(key, &done.uploads, tally);
        Ok(done.version)
    }
}

impl Client {
    fn run(&self, server: &Server) -> Result<Done> {
        let count = all().len();
        let found = self.found.get().context("nothing was prepared")?;
        let program = found.first().context("no program")?;
        let beside = found.last().context("no folder")?;
        let said = |argument: &str| {
            let mut command = Command::new(program);
            command.arg(argument);
            tools::version(command)
        };
        let mut done = Done::default();
        let version = match self.who {
            Who::Browser(browser) => {
                done.names = Some(browser.run(program, server, count)?);
                said("--version")?
            }
            Who::Curl => {
                let curl = |folder: &Path, url: &str| tools::curl(program, folder, url);
                done.names = Some(tools::saved(server, count, curl)?);
                for (at, case) in all().iter().enumerate() {
                    if case.sent_by("curl").is_some() {
                        let form = tools::curl_form(FIELD, &case.name);
                        tools::curl_sends(program, server, at, &form)?;
                    }
                }
                said("--version")?
            }
            Who::Wget => {
                let wget = |folder: &Path, url: &str| tools::wget(program, folder, url);
                done.names = Some(tools::saved(server, count, wget)?);
                said("--version")?
            }
            Who::Node => {
                let mut reads = tools::node(program, include_str!("scripts/node_reads.js"));
                reads.env("NODE_PATH", beside);
                done.names = Some(tools::found(reads, server, count)?);
                let sends = tools::node(program, include_str!("scripts/node_sends.js"));
                tools::sends(sends, server)?;
                format!("{} {}, Node {}", NODE.0, NODE.1, tools::node_version(program)?)
            }
            Who::Werkzeug => {
                let reads = tools::python(program, include_str!("scripts/werkzeug_reads.py"));
                done.names = Some(tools::found(reads, server, count)?);
                pinned("werkzeug")
            }
            Who::Aiohttp => {
                let reads = tools::python(program, include_str!("scripts/aiohttp_reads.py"));
                done.names = Some(tools::found(reads, server, count)?);
                pinned("aiohttp")
            }
            Who::Requests => {
                let sends = tools::python(program, include_str!("scripts/requests_sends.py"));
                tools::sends(sends, server)?;
                pinned("requests")
            }
            Who::Go => {
                tools::go_build(program, beside)?;
                let reads = Command::new(beside.join("reads"));
                done.names = Some(tools::found(reads, server, count)?);
                said("version")?
            }
        };
        done.version = version;
        Ok(done)
    }

    fn ways(&self) -> &'static [&'static str] {
        match self.who {
            Who::Browser(_) => &["form", "fetch"],
            Who::Curl => &["form"],
            Who::Node | Who::Requests => &["fetch"],
            Who::Wget | Who::Werkzeug | Who::Aiohttp | Who::Go => &[],
        }
    }

    /// What we read from what it sent.
    fn compare_uploads(&self, key: &str, uploads: &Uploads, tally: &mut Tally) {
        for way in self.ways() {
            for (at, case) in all().iter().enumerate() {
                let Some(expected) = case.sent_by(key) else { continue };
                let raw = uploads.get(&((*way).to_owned(), at));
                let shown = raw.map_or_else(|| "nothing".to_owned(), |raw| shown(raw));
                let what = format!("{key}, upload by {way} {at}, {:?} as {shown}", case.name);
                let expected = ["form-data", FIELD, expected].map(|text| Some(text.to_owned()));
                tally.compare(what, &expected, &raw.map_or_else(Default::default, |raw| read(raw)));
            }
        }
    }
}

/// Type, field and file name of a part.
fn read(raw: &[u8]) -> [Option<String>; 3] {
    let Ok(part) = ContentDisposition::parse_as(raw, Profile::FormData) else {
        return Default::default();
    };
    let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
    [Some(part.disposition().to_owned()), owned(part.name()), owned(part.filename())]
}

fn shown(raw: &[u8]) -> String {
    raw.escape_ascii().to_string()
}

/// The version that stands in [`PYTHON`].
fn pinned(package: &str) -> String {
    let mut pairs = PYTHON.iter().filter_map(|one| one.split_once("=="));
    pairs.find(|(name, _)| *name == package).map_or_else(String::new, |(_, is)| is.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_is_read_back_and_what_differs_or_is_missing_fails() {
        let way = "fetch".to_owned();
        let sent = |name: &str| {
            let part = rfc5987::Builder::form_data(FIELD).filename(name).build().unwrap();
            part.into_bytes()
        };
        let mut uploads: Uploads =
            (0..).zip(all()).map(|(at, case)| ((way.clone(), at), sent(&case.name))).collect();
        let count = u64::try_from(all().len()).unwrap();
        let tally = |uploads: &Uploads| {
            let mut tally = Tally::default();
            REQUESTS.compare_uploads("requests", uploads, &mut tally);
            (tally.passed, tally.failed)
        };
        assert_eq!(tally(&uploads), (count, 0));
        uploads.insert((way.clone(), 0), sent("another"));
        uploads.insert((way.clone(), 1), b"no type here, \"".to_vec());
        uploads.remove(&(way, 2));
        assert_eq!(tally(&uploads), (count - 3, 3));
    }

    #[test]
    fn every_client_has_a_name_of_its_own_and_stands_in_the_data() {
        let clients = [&CHROMIUM, &FIREFOX, &CURL, &WGET, &NODE_JS, &WERKZEUG, &AIOHTTP, &GO];
        let keys = clients.map(|client| client.name.strip_prefix("names-").unwrap());
        assert_eq!(keys.to_vec(), cases::keys());
    }
}
