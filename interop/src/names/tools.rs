//! Command lines and libraries: programs that run to their end.

use super::server::{Server, content};
use crate::process::output;
use anyhow::{Context as _, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Names by the number of the case, as far as there is one.
pub(super) type Names = BTreeMap<usize, String>;

/// How each file is saved by a command line that fetches one, each into a folder of its own.
pub(super) fn saved(
    server: &Server,
    count: usize,
    command: impl Fn(&Path, &str) -> Command,
) -> Result<Names> {
    let folder = tempfile::tempdir()?;
    let mut names = Names::new();
    for at in 0..count {
        let folder = folder.path().join(at.to_string());
        fs::create_dir(&folder)?;
        let mut command = command(&folder, &server.url(&format!("names/{at}/url-name")));
        // A locale that can hold every name, and no proxy of the user's.
        command.env("LC_ALL", "C.UTF-8").env("HOME", &folder);
        output(command, b"").with_context(|| format!("case {at}"))?;
        let files: Vec<_> = fs::read_dir(&folder)?.collect::<Result<_, _>>()?;
        let [file] = files.as_slice() else { bail!("case {at}: {} files were saved", files.len()) };
        let held = fs::read_to_string(file.path())?;
        ensure!(held == content(at), "case {at}: what was saved is {held:?}");
        names.insert(at, file.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

/// curl, taking the name from the header.
pub(super) fn curl(program: &Path, folder: &Path, url: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["--disable", "-sSOJ", "--max-time", "20", "--noproxy", "*", "--output-dir"]);
    command.arg(folder).arg(url);
    command
}

/// wget, likewise.
pub(super) fn wget(program: &Path, folder: &Path, url: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["--no-config", "-q", "--no-proxy", "--tries=1", "--timeout=20", "--no-hsts"]);
    command.arg("--content-disposition").arg("-P").arg(folder).arg(url);
    command
}

/// Uploads with curl.
pub(super) fn curl_sends(program: &Path, server: &Server, at: usize, form: &str) -> Result<()> {
    let mut command = Command::new(program);
    command.args(["--disable", "-sS", "--fail", "--max-time", "20", "--noproxy", "*", "-F", form]);
    command.arg(server.url(&format!("uploads/form/{at}")));
    output(command, content(at).as_bytes()).map(drop)
}

/// A field of curl's `-F`, whose file comes from stdin: its quoting is of its own kind.
pub(super) fn curl_form(field: &str, name: &str) -> String {
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{field}=@-;filename=\"{quoted}\"")
}

/// What a script found, which prints it as JSON.
pub(super) fn found(mut command: Command, server: &Server, count: usize) -> Result<Names> {
    command.arg(server.address().to_string()).arg(count.to_string());
    let said = output(command, b"")?;
    let names: Vec<Option<String>> =
        serde_json::from_slice(&said).context("what the script printed")?;
    Ok(names.into_iter().enumerate().filter_map(|(at, name)| Some((at, name?))).collect())
}

/// Has a script upload everything.
pub(super) fn sends(mut command: Command, server: &Server) -> Result<()> {
    command.arg(server.address().to_string());
    output(command, b"").map(drop)
}

/// Node's version, which starts with a `v`.
pub(super) fn node_version(program: &Path) -> Result<String> {
    let mut command = Command::new(program);
    command.args(["-p", "process.versions.node"]);
    version(command)
}

/// Node with a script.
pub(super) fn node(program: &Path, script: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["-e", script, "--"]);
    command
}

/// Python with a script.
pub(super) fn python(program: &Path, script: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["-I", "-c", script]);
    command
}

/// Builds the Go program in `folder`.
pub(super) fn go_build(program: &Path, folder: &Path) -> Result<()> {
    fs::write(folder.join("reads.go"), include_str!("scripts/reads.go"))?;
    let mut command = Command::new(program);
    command.current_dir(folder).args(["build", "-o", "reads", "reads.go"]);
    // No module, so nothing is fetched, and nothing is left outside of the folder.
    command.env("GO111MODULE", "off").env("GOFLAGS", "").env("GOTOOLCHAIN", "local");
    command.env("GOCACHE", folder.join("cache")).env("GOPATH", folder.join("path"));
    output(command, b"").map(drop)
}

/// The first number with a point in what a program says of itself.
pub(super) fn version(mut command: Command) -> Result<String> {
    command.env("LC_ALL", "C.UTF-8");
    let said = String::from_utf8_lossy(&output(command, b"")?).into_owned();
    let is_version = |word: &&str| {
        let digits = word.trim_start_matches("go");
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains('.')
    };
    let version = said.split_whitespace().find(is_version).context("no version")?;
    Ok(version.trim_start_matches("go").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curls_own_quoting() {
        assert_eq!(curl_form("f", r#"a\"b"#), r#"f=@-;filename="a\\\"b""#);
    }

    #[test]
    fn versions_are_found() {
        let of = |said: &str| {
            let mut echo = Command::new("echo");
            echo.arg(said);
            version(echo)
        };
        assert_eq!(of("Chromium 156.0.1 built on Debian").unwrap(), "156.0.1");
        assert_eq!(of("go version go1.19.8 linux/amd64").unwrap(), "1.19.8");
        assert!(of("none").is_err());
    }
}
