//! PostgreSQL, a server of our own: an oracle of what standard SQL does with text columns, and
//! real packets for the framings of both ends.

mod columns;
mod frames;
mod server;

use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use anyhow::{Context as _, Result};
use server::Server;

/// The server.
#[derive(Debug)]
pub(crate) struct Postgres;

impl Counterpart for Postgres {
    fn name(&self) -> &'static str {
        "postgres"
    }

    fn about(&self) -> &'static str {
        "PostgreSQL: char(n), varchar(n), left() and casts; packets of server, tokio-postgres, psql"
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        installer.found("postgres", server::PACKAGE, server::program).map(drop)
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let server = Server::start()?;
        let version = columns::check(&server, tally).context("columns")?;
        frames::check(&server, tally).context("frames")?;
        server.stop()?;
        Ok(version)
    }
}
