//! Firebird 3.0, a server of our own, through its client library: the story's cases, the server as
//! an oracle, and what a driver's client spends on a hundred thousand CHAR(255) values.

mod charsets;
mod client;
mod fetch;
mod oracle;
#[allow(unsafe_code, reason = "a C interface")]
mod raw;
mod row;
mod server;
mod story;
mod verdict;

use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use anyhow::{Context as _, Result};
use client::Connection;
use raw::Library;
use server::Server;
use std::rc::Rc;

/// The server and its client library.
#[derive(Debug)]
pub(crate) struct Firebird;

impl Counterpart for Firebird {
    fn name(&self) -> &'static str {
        "firebird"
    }

    fn about(&self) -> &'static str {
        "Firebird 3.0: CHAR(n) and VARCHAR(n) through its client library"
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        installer.program(server::PROGRAM, server::PACKAGE)?;
        installer.program("isql-fb", "firebird3.0-utils")?;
        Library::load().context("its client library").map(drop)
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let library = Rc::new(Library::load()?);
        let server = Server::start()?;
        let file = server.databases().join("onecopy.fdb");
        Connection::create(&library, server.address(), &file).context("creating a database")?;
        let open = |charset, encrypted| {
            Connection::open(&library, server.address(), &file, charset, encrypted)
                .context("connecting")
        };
        let database = open("UTF8", false)?;
        charsets::check(&database, &open("NONE", false)?, tally).context("character sets")?;
        story::check(&database, tally).context("the story's cases")?;
        fetch::check(&database, &open("UTF8", true)?, tally).context("fetching")?;
        println!("{}", oracle::check(&database, tally).context("the oracle")?);
        drop(database);
        server.stop()?;
        server::version()
    }
}
