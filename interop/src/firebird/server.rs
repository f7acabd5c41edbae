//! A Firebird server of our own: its root, its security database, its port, and nothing of the
//! system's service.

use crate::account::Account;
use crate::process::{self, output};
use crate::{install, ports};
use anyhow::{Context as _, Result};
use std::fs::{self, File};
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Debian's package; it brings the client's library and `isql-fb` along.
pub(super) const PACKAGE: &str = "firebird3.0-server";
pub(super) const PROGRAM: &str = "firebird";

/// A running server. The order matters: it ends before its folder goes.
#[derive(Debug)]
pub(super) struct Server {
    server: process::Server,
    databases: PathBuf,
    log: PathBuf,
    _folder: TempDir,
}

impl Server {
    /// Lays out a root, makes the user, starts.
    pub(super) fn start() -> Result<Self> {
        let account = Account::of_a_server()?;
        let folder = tempfile::tempdir()?;
        let (root, locks, databases) =
            (folder.path().join("root"), folder.path().join("locks"), folder.path().join("db"));
        for path in [&root, &locks, &databases] {
            fs::create_dir(path)?;
            account.own(path)?;
        }
        account.own(folder.path())?;
        let address = ports::any()?;
        lay_out(&root, &databases, address)?;

        let command = |program: &Path| {
            let mut command = account.command(program);
            command.env("FIREBIRD", &root).env("FIREBIRD_LOCK", &locks).env("FIREBIRD_TMP", &locks);
            command
        };
        // Without a server the client opens the file itself and asks for no password.
        let mut isql = command(&install::find("isql-fb").context("isql-fb")?);
        isql.args(["-q", "-b", "-user", super::client::USER]);
        let sql = format!(
            "CREATE DATABASE '{}';\nCREATE USER {} PASSWORD '{}';\nCOMMIT;\n",
            security(&databases).display(),
            super::client::USER,
            super::client::PASSWORD
        );
        output(isql, sql.as_bytes()).context("the security database")?;

        let log = folder.path().join("log");
        let mut server = command(&install::find(PROGRAM).context(PROGRAM)?);
        server.arg("-p").arg(address.port().to_string());
        server.arg("-e").arg(&root).arg("-el").arg(&locks).stderr(File::create(&log)?);
        let server = process::Server::start(server, address, Duration::from_secs(20))
            .with_context(|| fs::read_to_string(&log).unwrap_or_default())?;
        Ok(Self { server, databases, log, _folder: folder })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Where it can create databases.
    pub(super) fn databases(&self) -> &Path {
        &self.databases
    }

    /// Ends it; an error, with what it said, when it had ended by itself.
    pub(super) fn stop(self) -> Result<()> {
        let said = || fs::read_to_string(&self.log).unwrap_or_default();
        self.server.stop().with_context(said).map(drop)
    }
}

fn security(databases: &Path) -> PathBuf {
    databases.join("security3.fdb")
}

/// The packaged root by links, with settings of its own.
fn lay_out(root: &Path, databases: &Path, address: SocketAddr) -> Result<()> {
    let packaged = packaged().context("no Firebird 3.0 under /usr/lib")?;
    for name in ["lib", "plugins", "plugins.conf", "firebird.msg"] {
        symlink(packaged.join(name), root.join(name))?;
    }
    // Copied: character sets are not found through a link to this folder.
    fs::create_dir(root.join("intl"))?;
    for entry in fs::read_dir(packaged.join("intl"))? {
        let entry = entry?;
        fs::copy(entry.path(), root.join("intl").join(entry.file_name()))?;
    }
    let settings = format!(
        "RemoteBindAddress = {}\nRemoteServicePort = {}\nSecurityDatabase = {}\n\
         DatabaseAccess = Full\nAuthServer = Srp\nUserManager = Srp\nWireCrypt = Enabled\nIpcName = onecopy{}\n",
        address.ip(),
        address.port(),
        security(databases).display(),
        address.port()
    );
    fs::write(root.join("firebird.conf"), settings)?;
    fs::write(root.join("databases.conf"), "")?;
    Ok(())
}

/// `/usr/lib/<multiarch>/firebird/3.0`.
fn packaged() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?;
    folders
        .filter_map(|entry| Some(entry.ok()?.path().join("firebird/3.0")))
        .find(|path| path.join("plugins").is_dir())
}

/// What `firebird -z` says.
pub(super) fn version() -> Result<String> {
    let mut command = Command::new(install::find(PROGRAM).context(PROGRAM)?);
    command.arg("-z");
    let said = String::from_utf8_lossy(&output(command, b"")?).into_owned();
    let line = said.lines().next().unwrap_or_default();
    Ok(line.rsplit_once("version ").map_or(line, |(_, version)| version).trim().to_owned())
}
