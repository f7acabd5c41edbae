//! A PostgreSQL server of our own: a cluster in a folder that goes with it.

use crate::account::Account;
use crate::install::{find, is_program};
use crate::ports;
use crate::process::{self, output};
use anyhow::{Context as _, Result};
use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Debian's package: whatever version it has.
pub(super) const PACKAGE: &str = "postgresql";

/// Its only user, whose database has the same name.
pub(super) const USER: &str = "postgres";

/// The newest server that is there. Debian keeps them out of the search path.
pub(super) fn program() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let number = |version: &PathBuf| -> u32 {
        version.file_name().and_then(|name| name.to_str()?.parse().ok()).unwrap_or(0)
    };
    let newest = versions.map(|entry| entry.path()).max_by_key(number);
    let packaged = newest.map(|version| version.join("bin/postgres"));
    packaged.filter(|file| is_program(file)).or_else(|| find("postgres"))
}

/// A running server. The order matters: it ends before its folder goes.
#[derive(Debug)]
pub(super) struct Server {
    server: process::Server,
    log: PathBuf,
    _folder: TempDir,
}

impl Server {
    /// Makes a cluster and starts it.
    pub(super) fn start() -> Result<Self> {
        let program = program().context("no postgres")?;
        let account = Account::of_a_server()?;
        let folder = tempfile::tempdir()?;
        account.own(folder.path())?;
        let data = folder.path().join("data");
        let mut initdb = account.command(program.with_file_name("initdb"));
        initdb.current_dir(folder.path()).arg("-D").arg(&data);
        initdb.args(["-E", "UTF8", "--locale=C", "-A", "trust", "-U", USER, "--no-sync"]);
        output(initdb, b"").context("a new cluster")?;

        let address = ports::any()?;
        let log = folder.path().join("log");
        let mut postgres = account.command(&program);
        postgres.current_dir(folder.path()).arg("-D").arg(&data);
        postgres.arg("-p").arg(address.port().to_string());
        // Nothing of it is to last.
        for setting in ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"] {
            postgres.arg("-c").arg(setting);
        }
        postgres.stderr(File::create(&log)?);
        let server = process::Server::start(postgres, address, Duration::from_secs(30))
            .with_context(|| said(&log))?;
        Ok(Self { server, log, _folder: folder })
    }

    /// Where it listens.
    pub(super) fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// What a client needs to know.
    pub(super) fn config(&self) -> tokio_postgres::Config {
        config(self.address())
    }

    /// A connection. It listens a moment before it lets anyone in.
    pub(super) fn connect(&self) -> Result<postgres::Client> {
        let config = postgres::Config::from(self.config());
        let start = Instant::now();
        loop {
            match config.connect(postgres::NoTls) {
                Ok(client) => return Ok(client),
                Err(error) if start.elapsed() > Duration::from_secs(20) => {
                    return Err(error).with_context(|| said(&self.log));
                }
                Err(_) => thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// Ends it; an error, with what it said, when it had ended by itself.
    pub(super) fn stop(self) -> Result<()> {
        self.server.stop().with_context(|| said(&self.log)).map(drop)
    }
}

/// What a client of the server, or of what stands before it, needs to know.
pub(super) fn config(address: SocketAddr) -> tokio_postgres::Config {
    let mut config = tokio_postgres::Config::new();
    config.host(address.ip().to_string()).port(address.port());
    config.user(USER).dbname(USER);
    config
}

/// The end of what it said.
fn said(log: &Path) -> String {
    let log = fs::read_to_string(log).unwrap_or_default();
    let end: Vec<_> = log.lines().rev().take(5).collect();
    end.into_iter().rev().collect::<Vec<_>>().join(" | ")
}
