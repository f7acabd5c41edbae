//! An account for servers that will not run as root, or should not.

use anyhow::{Context as _, Result};
use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// `nobody` when we are root; anyone else's servers run as themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Account(Option<(u32, u32)>);

impl Account {
    /// The account for a server of ours.
    pub(crate) fn of_a_server() -> Result<Self> {
        if fs::metadata("/proc/self")?.uid() != 0 {
            return Ok(Self(None));
        }
        let accounts = fs::read_to_string("/etc/passwd")?;
        Ok(Self(Some(ids(&accounts, "nobody").context("no account `nobody`")?)))
    }

    /// A command that runs as it, in no further group.
    pub(crate) fn command(self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        if let Self(Some((user, group))) = self {
            command.uid(user).gid(group);
        }
        command
    }

    /// Hands it a file or an (empty) folder.
    pub(crate) fn own(self, path: &Path) -> Result<()> {
        if let Self(Some((user, group))) = self {
            chown(path, Some(user), Some(group))
                .with_context(|| format!("handing over {}", path.display()))?;
        }
        Ok(())
    }
}

/// The user's and group's number in the form of `/etc/passwd`.
fn ids(accounts: &str, name: &str) -> Option<(u32, u32)> {
    let line = accounts.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::output;

    #[test]
    fn an_account_is_found_by_its_name() {
        let accounts = "root:x:0:0::/root:/bin/sh\nnobody2:x:7:8::/:\nnobody:x:65534:65533:n:/:\n";
        assert_eq!(ids(accounts, "nobody"), Some((65534, 65533)));
        assert_eq!(ids(accounts, "no"), None);
    }

    #[test]
    fn a_command_runs_as_the_account_and_never_as_root() {
        let account = Account::of_a_server().unwrap();
        let mut command = account.command("id");
        command.arg("-u");
        assert_ne!(output(command, b"").unwrap(), b"0\n");
        let folder = tempfile::tempdir().unwrap();
        account.own(folder.path()).unwrap();
        let mut command = account.command("touch");
        command.arg(folder.path().join("a"));
        output(command, b"").unwrap();
    }
}
