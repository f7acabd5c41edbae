//! What machine this is, as far as it decides a figure.

use std::path::Path;
use std::process::Command;

/// The processor as it names itself.
pub(crate) fn cpu() -> String {
    std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            text.lines()
                .find(|l| l.starts_with("model name"))
                .and_then(|l| l.split_once(':'))
                .map(|(_, name)| name.trim().to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// "glibc2.36", or the operating system's name elsewhere.
pub(crate) fn libc() -> String {
    first_line(Command::new("getconf").arg("GNU_LIBC_VERSION"))
        .map_or_else(|| std::env::consts::OS.to_owned(), |l| l.replace(' ', ""))
}

/// The revision checked out at `root`, with a "+" when files differ from it.
pub(crate) fn revision(root: &Path) -> Option<String> {
    let short = first_line(git(root).args(["rev-parse", "--short=12", "HEAD"]))?;
    Some(if is_dirty(root) { format!("{short}+") } else { short })
}

/// Whether tracked files differ from the revision, or untracked ones lie about.
pub(crate) fn is_dirty(root: &Path) -> bool {
    first_line(git(root).args(["status", "--porcelain"])).is_some()
}

/// `git`, to be run at `root`.
pub(crate) fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root);
    command
}

/// The first line of a command's output, when it succeeds and says something.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|o| o.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(|l| l.trim_end().to_owned()).filter(|l| !l.is_empty())
}
