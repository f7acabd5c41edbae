//! Browsers: one process, a profile of its own, and a page of ours that does everything in it.
//!
//! A file is known by what it holds, whatever the browser calls it; it is moved away before the page
//! asks for the next, so that no name depends on another.

use super::server::{Server, content};
use crate::process::Running;
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long all of it may take.
const LIMIT: Duration = Duration::from_secs(150);

/// What makes a profile quiet, and saves without a question.
const FIREFOX_PREFERENCES: &str = include_str!("scripts/firefox.js");

/// Which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Browser {
    Chromium,
    Firefox,
}

impl Browser {
    /// Has the page run; gives the name of each file that was saved.
    pub(super) fn run(
        self,
        program: &Path,
        server: &Server,
        count: usize,
    ) -> Result<BTreeMap<usize, String>> {
        let folder = tempfile::tempdir()?;
        let [profile, downloads] = ["profile", "downloads"].map(|name| folder.path().join(name));
        fs::create_dir(&profile)?;
        fs::create_dir(&downloads)?;
        let mut command = Command::new(program);
        // Nothing of the user's, and nothing of a desktop's.
        for variable in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env(variable, folder.path());
        }
        command.env_remove("DBUS_SESSION_BUS_ADDRESS").env_remove("DISPLAY");
        command.env("LC_ALL", "C.UTF-8").stderr(Stdio::null());
        match self {
            Self::Chromium => chromium(&mut command, &profile, &downloads)?,
            Self::Firefox => firefox(&mut command, &profile, &downloads)?,
        }
        command.arg(server.url(""));
        let mut running = Running::start(command)?;
        let known: BTreeMap<String, usize> = (0..count).map(|at| (content(at), at)).collect();
        let mut saved = BTreeMap::new();
        let start = Instant::now();
        let end = loop {
            for (at, name) in collect(&downloads, &known)? {
                saved.insert(at, name);
                server.saved(at);
            }
            if let Some(end) = server.end() {
                break end;
            }
            running.lives()?;
            if start.elapsed() > LIMIT {
                bail!("not done after {LIMIT:?}; {} files were saved", saved.len());
            }
            thread::sleep(Duration::from_millis(10));
        };
        running.stop()?;
        if end != "done" {
            bail!("its page: {end}");
        }
        Ok(saved)
    }
}

fn chromium(command: &mut Command, profile: &Path, downloads: &Path) -> Result<()> {
    let preferences = serde_json::json!({
        "download": { "default_directory": downloads, "prompt_for_download": false },
        "profile": { "default_content_setting_values": { "automatic_downloads": 1 } },
        "safebrowsing": { "enabled": false },
    });
    let folder = profile.join("Default");
    fs::create_dir(&folder)?;
    fs::write(folder.join("Preferences"), serde_json::to_vec(&preferences)?)?;
    let mut data = std::ffi::OsString::from("--user-data-dir=");
    data.push(profile);
    command.arg(data).args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--no-default-browser-check",
        "--no-proxy-server",
    ]);
    Ok(())
}

fn firefox(command: &mut Command, profile: &Path, downloads: &Path) -> Result<()> {
    let folder = serde_json::to_string(downloads)?;
    let preferences =
        format!("{FIREFOX_PREFERENCES}user_pref(\"browser.download.dir\", {folder});\n");
    fs::write(profile.join("user.js"), preferences)?;
    command.args(["--headless", "--no-remote", "--profile"]).arg(profile);
    Ok(())
}

/// The files that are complete, taken away.
fn collect(downloads: &Path, known: &BTreeMap<String, usize>) -> Result<Vec<(usize, String)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(downloads).context("the downloads")? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_under_way(&name) {
            continue;
        }
        // One that is gone again was renamed.
        let Ok(held) = fs::read(entry.path()) else { continue };
        if let Some(at) = std::str::from_utf8(&held).ok().and_then(|held| known.get(held)) {
            fs::remove_file(entry.path())?;
            found.push((*at, name));
        }
    }
    Ok(found)
}

/// Whether a browser calls a file like this until it is complete.
fn is_under_way(name: &str) -> bool {
    let before = [".org.chromium.", ".com.google."];
    let behind = [".crdownload", ".part"];
    before.iter().any(|start| name.starts_with(start))
        || behind.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_what_they_hold_and_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let known = BTreeMap::from([(content(7), 7), (content(8), 8)]);
        for (name, held) in [
            ("renamed (1).txt", content(7)),
            ("8.part", content(8)),
            ("placeholder", String::new()),
            (".org.chromium.Chromium.a1", content(8)),
        ] {
            fs::write(folder.path().join(name), held).unwrap();
        }
        assert_eq!(collect(folder.path(), &known).unwrap(), [(7, "renamed (1).txt".to_owned())]);
        assert_eq!(collect(folder.path(), &known).unwrap(), []);
    }
}
