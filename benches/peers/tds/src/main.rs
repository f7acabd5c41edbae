//! Cases of `pktpool` with tiberius, which gets a server's answers in memory and reads them as its
//! documentation advises.
//!
//! mssql-tds has no peer here. Its client opens its own connection: `TdsConnectionProvider::create_client`
//! takes the name of a data source (`tcp:`, and on Windows pipes), the trait of its transport is private to
//! the crate, and `create_client_with_transport` is there only under `--cfg fuzzing`. So it can be fed
//! through a socket only, whose system calls would be what is measured.

mod canned;
#[allow(unreachable_pub, reason = "shared with the runner of the light cases")]
#[path = "../../../src/pktpool/responses.rs"]
mod responses;

use canned::Canned;
use futures_executor::block_on;
use futures_util::TryStreamExt;
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use onecopy_benches::subject::Sink;
use std::process::ExitCode;
use tiberius::{AuthMethod, Client, Config, EncryptionLevel};

fn main() -> ExitCode {
    let mut registry = Registry::default();
    registry.case("pktpool/end-to-end/value-10-mb", responses::large_value).stateful(
        "tiberius",
        |answer| connect(answer),
        large_value,
    );
    registry.case("pktpool/end-to-end/rows-20-000", responses::small_rows).stateful(
        "tiberius",
        |answer| connect(answer),
        small_rows,
    );
    runner::main(&registry)
}

/// A client that has logged in, and whose queries get `answer`.
fn connect(answer: &'static [u8]) -> Client<Canned> {
    let mut config = Config::new();
    config.authentication(AuthMethod::sql_server("user", "password"));
    config.encryption(EncryptionLevel::NotSupported);
    let server = Canned::new(responses::prelogin(), responses::login(), answer);
    block_on(Client::connect(config, server)).expect("the login is accepted")
}

fn large_value(client: &mut Client<Canned>, _: &'static Vec<u8>, sink: &mut Sink) {
    block_on(async {
        let mut rows = client.simple_query("select a, value, z").await?.into_row_stream();
        while let Some(row) = rows.try_next().await? {
            sink.see(&row.get::<i32, _>(0));
            sink.see(&row.get::<&[u8], _>(1));
            sink.see(&row.get::<i32, _>(2));
        }
        tiberius::Result::Ok(())
    })
    .expect("the answer is well-formed");
}

fn small_rows(client: &mut Client<Canned>, _: &'static Vec<u8>, sink: &mut Sink) {
    block_on(async {
        let mut rows = client.simple_query("select id, name").await?.into_row_stream();
        while let Some(row) = rows.try_next().await? {
            sink.see(&row.get::<i32, _>(0));
            sink.see(&row.get::<&[u8], _>(1));
        }
        tiberius::Result::Ok(())
    })
    .expect("the answer is well-formed");
}
