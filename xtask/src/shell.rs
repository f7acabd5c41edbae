//! What the tasks share: where the workspace is, cargo with an environment that hides the machine,
//! and commands whose output is read line by line while it is shown, with a limit that holds.

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The target that the sanitizers need by name.
pub(crate) const LINUX: &str = "x86_64-unknown-linux-gnu";

/// From now on, output that nobody reads any more (`| head`) ends the program without a message.
///
/// It still ends as a panic does, so that what it has started is ended and cleared away.
pub(crate) fn end_quietly_when_nobody_reads() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let said = info.payload().downcast_ref::<String>().map_or("", String::as_str);
        let unread = said.starts_with("failed printing to stdout") && said.contains("Broken pipe");
        if !unread {
            usual(info);
        }
    }));
}

/// The workspace as `cargo metadata` describes it.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The folder of the root manifest.
    pub(crate) root: PathBuf,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
    /// All members, by name.
    pub(crate) packages: Vec<Package>,
}

/// One member.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    /// Its features by name, `default` left out.
    pub(crate) features: Vec<String>,
    /// What `default` names.
    pub(crate) default: Vec<String>,
    /// False for `publish = false`.
    pub(crate) published: bool,
}

#[derive(Deserialize)]
struct Metadata {
    workspace_root: PathBuf,
    target_directory: PathBuf,
    packages: Vec<MetadataPackage>,
}

#[derive(Deserialize)]
struct MetadataPackage {
    name: String,
    manifest_path: PathBuf,
    features: std::collections::BTreeMap<String, Vec<String>>,
    publish: Option<Vec<String>>,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn load() -> Result<Self> {
        let output = Command::new("cargo")
            .args(["metadata", "--no-deps", "--format-version", "1"])
            // `cargo run` says where xtask's manifest is, whatever folder it was called from.
            .current_dir(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| ".".into()))
            .stderr(Stdio::inherit())
            .output()
            .context("cargo metadata")?;
        if !output.status.success() {
            bail!("cargo metadata failed");
        }
        let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
        let mut packages: Vec<_> = metadata.packages.into_iter().map(Package::from).collect();
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { root: metadata.workspace_root, target: metadata.target_directory, packages })
    }

    /// The crates that are published.
    pub(crate) fn published(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.published)
    }

    /// The member of that name.
    pub(crate) fn package(&self, name: &str) -> Result<&Package> {
        self.packages.iter().find(|package| package.name == name).with_context(|| {
            let names: Vec<_> = self.packages.iter().map(|p| p.name.as_str()).collect();
            format!("no package `{name}` in this workspace; there are {}", names.join(", "))
        })
    }

    /// `cargo <args>` in the root folder, without what this process was given by cargo itself, with
    /// no system library to be found and no snapshot to be rewritten.
    pub(crate) fn cargo<I, S>(&self, args: I) -> Result<Command>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<std::ffi::OsStr>,
    {
        let nowhere = self.target.join("no-pkg-config");
        std::fs::create_dir_all(&nowhere).context("the empty folder for pkg-config")?;
        let mut command = Command::new("cargo");
        command.args(args).current_dir(&self.root);
        for name in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME"] {
            command.env_remove(name);
        }
        command
            .env("PKG_CONFIG_LIBDIR", &nowhere)
            .env_remove("PKG_CONFIG_PATH")
            .env("INSTA_UPDATE", "no")
            // A nightly that is not there is a printed skip, not a download.
            .env("RUSTUP_AUTO_INSTALL", "0");
        Ok(command)
    }

    /// `cargo +nightly <args>` with a target folder of its own; `None` without a nightly.
    pub(crate) fn nightly<I, S>(&self, folder: &str, args: I) -> Result<Option<Command>>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<std::ffi::OsStr>,
    {
        if !has_nightly() {
            return Ok(None);
        }
        let mut command = self.cargo(["+nightly"])?;
        command.args(args).env("CARGO_TARGET_DIR", self.target.join(folder));
        command.env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTFLAGS");
        Ok(Some(command))
    }

    /// `path` as written in a document: from the root, with `/`.
    pub(crate) fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    /// The files that git knows or would add, or all outside target folders where there is no git;
    /// from the root, sorted.
    pub(crate) fn files(&self) -> Result<Vec<String>> {
        let output = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
            .current_dir(&self.root)
            .output();
        let mut files: Vec<String> = match output {
            Ok(output) if output.status.success() => {
                let text = String::from_utf8_lossy(&output.stdout);
                let names = text.split('\0').filter(|name| !name.is_empty());
                names.filter(|name| self.root.join(name).is_file()).map(String::from).collect()
            }
            _ => self.all_files()?,
        };
        files.sort();
        files.dedup();
        Ok(files)
    }

    /// All files, those that git ignores too, but for hidden and target folders.
    pub(crate) fn all_files(&self) -> Result<Vec<String>> {
        let mut files = Vec::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let entry = entry?;
                let name = entry.file_name();
                let left_out = name == "target" || name.to_string_lossy().starts_with('.');
                match entry.file_type()? {
                    kind if kind.is_dir() && !left_out => folders.push(entry.path()),
                    kind if kind.is_file() => files.push(self.relative(&entry.path())),
                    _ => {}
                }
            }
        }
        Ok(files)
    }
}

impl From<MetadataPackage> for Package {
    fn from(mut package: MetadataPackage) -> Self {
        Self {
            default: package.features.remove("default").unwrap_or_default(),
            name: package.name,
            folder: package.manifest_path.parent().map(Path::to_path_buf).unwrap_or_default(),
            features: package.features.into_keys().collect(),
            published: package.publish.is_none_or(|registries| !registries.is_empty()),
        }
    }
}

/// Whether rustup has a nightly toolchain.
pub(crate) fn has_nightly() -> bool {
    Command::new("rustup").args(["toolchain", "list"]).stderr(Stdio::null()).output().is_ok_and(
        |out| String::from_utf8_lossy(&out.stdout).lines().any(|line| line.starts_with("nightly")),
    )
}

/// Whether output is for a log rather than for a person.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// How a command ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// By itself.
    Exit(ExitStatus),
    /// Killed, with all its descendants, at its limit.
    TimedOut,
}

impl Outcome {
    pub(crate) fn success(&self) -> bool {
        matches!(self, Self::Exit(status) if status.success())
    }
}

/// Runs `command`, gives every line of its output, both streams in one, to `on_line` as it comes, and
/// kills it and its descendants at `deadline`. The command gets a process group of its own for that, and no stdin.
pub(crate) fn run_lines(
    mut command: Command,
    deadline: Option<Instant>,
    mut on_line: impl FnMut(&str),
) -> Result<Outcome> {
    let shown = show(&command);
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    if deadline.is_some() {
        command.process_group(0);
    }
    let mut child = command.spawn().with_context(|| format!("cannot start `{shown}`"))?;
    // Ours are the last writing ends but the child's: the lines end when that does.
    drop(command);
    let group = child.id();
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n') {
            let Ok(line) = line else { break };
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    let mut timed_out = false;
    let mut exited = None;
    loop {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(line) => on_line(line.trim_end_matches('\r')),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                // A descendant that outlives the command may hold the pipe open for ever.
                if child.try_wait()?.is_some() {
                    let since = *exited.get_or_insert_with(Instant::now);
                    if since.elapsed() > Duration::from_secs(2) {
                        break;
                    }
                }
            }
        }
        if !timed_out && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            timed_out = true;
            kill_group(group);
        }
    }
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if timed_out { Outcome::TimedOut } else { Outcome::Exit(status) });
        }
        if !timed_out && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            timed_out = true;
            kill_group(group);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Runs `command` on this process's own streams.
pub(crate) fn run_shown(mut command: Command) -> Result<ExitStatus> {
    let shown = show(&command);
    command.status().with_context(|| format!("cannot start `{shown}`"))
}

/// The shell's own `kill` takes a group; no dependency and no unsafe for one signal.
fn kill_group(group: u32) {
    let _ = Command::new("sh").arg("-c").arg(format!("kill -KILL -{group}")).status();
}

/// The command as one would type it, without its environment.
pub(crate) fn show(command: &Command) -> String {
    let mut shown = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        shown.push(' ');
        let arg = arg.to_string_lossy();
        if arg.is_empty() || arg.contains(' ') {
            shown.push_str(&format!("'{arg}'"));
        } else {
            shown.push_str(&arg);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        command
    }

    #[test]
    fn lines_of_both_streams_arrive_in_order_and_the_status_is_the_commands() {
        let mut seen = Vec::new();
        let script = "echo one; echo two >&2; echo three; exit 3";
        let outcome = run_lines(sh(script), None, |line| seen.push(line.to_owned())).unwrap();
        assert_eq!(seen, ["one", "two", "three"]);
        assert!(matches!(outcome, Outcome::Exit(status) if status.code() == Some(3)));
    }

    #[test]
    fn the_limit_ends_the_command_and_what_it_started() {
        let start = Instant::now();
        let mut pid = String::new();
        let deadline = Some(start + Duration::from_millis(300));
        let outcome = run_lines(sh("sleep 60 & echo $!; wait"), deadline, |line| {
            pid = line.to_owned();
        })
        .unwrap();
        assert!(matches!(outcome, Outcome::TimedOut));
        assert!(!outcome.success());
        assert!(start.elapsed() < Duration::from_secs(20));
        // The grandchild is gone too, or a zombie that nobody has collected yet.
        let gone = (0..100).any(|_| {
            thread::sleep(Duration::from_millis(20));
            !sh(&format!("kill -0 {pid} 2>/dev/null")).status().unwrap().success()
                || std::fs::read_to_string(format!("/proc/{pid}/stat"))
                    .is_ok_and(|stat| stat.contains(") Z "))
        });
        assert!(gone, "process {pid} still runs");
    }

    #[test]
    fn a_descendant_that_keeps_the_pipe_does_not_hold_us_up() {
        let start = Instant::now();
        let outcome = run_lines(sh("sleep 20 & echo done"), None, |_| ()).unwrap();
        assert!(outcome.success());
        assert!(start.elapsed() < Duration::from_secs(15));
    }

    #[test]
    fn this_workspace_is_found() {
        let workspace = Workspace::load().unwrap();
        assert!(workspace.root.join("Cargo.toml").is_file());
        assert_eq!(workspace.published().count(), 6);
        assert!(workspace.package("onecopy").unwrap().features.contains(&"full".to_owned()));
        let error = workspace.package("nonesuch").unwrap_err().to_string();
        assert!(error.contains("no package `nonesuch`"), "{error}");
    }

    #[test]
    fn files_are_named_from_the_root() {
        let workspace = Workspace::load().unwrap();
        let files = workspace.files().unwrap();
        assert!(files.iter().any(|name| name == "Cargo.toml"));
        assert!(files.iter().all(|name| !name.starts_with("target/")));
        let all = workspace.all_files().unwrap();
        assert!(files.iter().all(|name| name.starts_with('.') || all.contains(name)));
    }

    #[test]
    fn a_command_is_shown_as_typed() {
        let mut command = Command::new("cargo");
        command.args(["test", "two words"]);
        assert_eq!(show(&command), "cargo test 'two words'");
    }
}
