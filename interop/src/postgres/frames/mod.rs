//! The server's packets through `pktpool`, beside tokio-postgres; and a relay between real clients
//! and the server that takes the packets of both directions apart.
//!
//! `connection` asks and reads, `message` and `steps` are the two ways to read a message, `oracle`
//! is tokio-postgres. What is compared: `rows`, `field`, `odd`; `clients` through the `relay`.

mod clients;
mod connection;
mod field;
mod message;
mod odd;
mod oracle;
mod relay;
mod rows;
mod steps;

use super::server::Server;
use crate::counterpart::Tally;
use anyhow::{Context as _, Result};
use oracle::Oracle;
use std::time::Instant;

/// Every comparison.
pub(super) fn check(server: &Server, tally: &mut Tally) -> Result<()> {
    let start = Instant::now();
    let oracle = Oracle::connect(&server.config())?;
    rows::check(server, &oracle, tally).context("rows")?;
    field::check(server, &oracle, tally).context("field")?;
    odd::check(server, &oracle, tally).context("odd answers")?;
    clients::check(server, &oracle, tally).context("clients")?;
    oracle.close()?;
    println!("frames: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
