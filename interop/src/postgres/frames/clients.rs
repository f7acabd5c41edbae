//! Real clients through the relay: psql and tokio-postgres.

use super::oracle::Oracle;
use super::relay::{Direction, Session, relay};
use super::rows;
use crate::counterpart::Tally;
use crate::install::find;
use crate::postgres::server::{self, Server};
use crate::process::output;
use anyhow::{Context as _, Result, bail};
use postgres::NoTls;
use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::pin::pin;
use std::process::Command;
use std::time::Duration;
use tokio_postgres::error::SqlState;

/// What psql is told, and the packets of each end for it; packets of one kind in a row are one.
const SCRIPT: [(&str, &str, &str); 13] = [
    (
        "SELECT i, repeat('é', i % 50), NULLIF(i % 3, 0) FROM generate_series(1, 300) i;",
        "Q",
        "TDCZ",
    ),
    ("SELECT 1/0;", "Q", "EZ"),
    ("SELECT 100/(3 - i) FROM generate_series(1, 9) i;", "Q", "TDEZ"),
    ("DO $$BEGIN RAISE NOTICE 'sean %', repeat('ä', 700); END$$;", "Q", "NCZ"),
    ("SELECT 1\\; SELECT\\; SELECT ''; ", "Q", "TDCTDCTDCZ"),
    ("COPY (SELECT i, md5(i::text) FROM generate_series(1, 500) i) TO STDOUT;", "Q", "HdcCZ"),
    ("CREATE TEMP TABLE c (x int, y text);", "Q", "CZ"),
    ("COPY c FROM STDIN;\n1\tone\n2\t\\N\n3\tdreißig\n\\.", "Qdc", "GCZ"),
    ("COPY c FROM STDIN;\nno number\n\\.", "Qdc", "GEZ"),
    ("SELECT * FROM c ORDER BY x;", "Q", "TDCZ"),
    // A large object is read by function calls, in a transaction, once it is known which functions.
    ("SELECT lo_from_bytea(4242, 'large');", "Q", "TDCZ"),
    ("\\lo_export 4242 /dev/null", "QQFFFFQ", "CZTDCZVZVZVZVZCZ"),
    ("SELECT lo_unlink(4242);", "Q", "TDCZ"),
];

/// All clients.
pub(super) fn check(server: &Server, oracle: &Oracle, tally: &mut Tally) -> Result<()> {
    psql(server, tally).context("psql")?;
    for most in [7, 1460, 64 << 10] {
        let what = format!("tokio-postgres, reads of {most}");
        tokio_postgres(server, oracle, most, tally).context(what)?;
    }
    copies(server, tally).context("copies")
}

/// Its output is the same with and without the relay, and the packets are those of the script.
fn psql(server: &Server, tally: &mut Tally) -> Result<()> {
    let script: String = SCRIPT.iter().map(|(told, ..)| format!("{told}\n")).collect();
    let theirs = run_psql(server.address(), &script)?;
    let frontend = format!("00{}X", SCRIPT.map(|(_, sent, _)| sent).concat());
    let backend = format!("RSKZ{}", SCRIPT.map(|(.., said)| said).concat());
    for most in [1, 7, 1460, 64 << 10] {
        let run = |address| run_psql(address, &script);
        let (ours, sessions) = relay(server.address(), most, run)?;
        tally.compare(format!("psql's output, reads of {most}"), &ours, &theirs);
        let [session] = &*sessions else { bail!("{} connections", sessions.len()) };
        whole(session, most, tally);
        tally.compare(format!("psql's packets, {most}"), &kinds(&session.frontend), &frontend);
        tally.compare(format!("packets to psql, {most}"), &kinds(&session.backend), &backend);
        told("psql", most, &sessions);
    }
    Ok(())
}

fn run_psql(address: SocketAddr, script: &str) -> Result<String> {
    let beside = server::program().map(|postgres| postgres.with_file_name("psql"));
    let psql = beside.filter(|psql| psql.is_file()).or_else(|| find("psql")).context("no psql")?;
    // Complaints and notices too.
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" \"$@\" 2>&1"]).arg(psql);
    command.args(["-X", "-d", server::USER, "-U", server::USER, "-f", "-"]);
    command.args(["-h", &address.ip().to_string(), "-p", &address.port().to_string()]);
    // It asks for encryption, and the server has none.
    command.env("PGSSLMODE", "prefer").env("PGGSSENCMODE", "disable");
    command.env("PGCLIENTENCODING", "UTF8").env("LC_ALL", "C");
    Ok(String::from_utf8(output(command, script.as_bytes())?)?)
}

/// Rows, questions that do not wait for each other, a parameter and a result of 1 MB, and a
/// question that is cancelled over a second connection.
fn tokio_postgres(server: &Server, oracle: &Oracle, most: usize, tally: &mut Tally) -> Result<()> {
    let query = rows::query(if most == 7 { 300 } else { 5000 });
    let theirs = oracle.binary(&query)?;
    let size = if most == 7 { 10_000 } else { 1 << 20 };
    let bytes: Vec<u8> =
        (0..size).map(|i: u32| i.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    let ask = |address| {
        let relayed = Oracle::connect(&server::config(address))?;
        let client = &relayed.client;
        let rows = relayed.binary(&query)?;
        let text = relayed.text(&query)?;
        let ask =
            async |n: i32| client.query_one("SELECT $1::int4 * 2, $2::text", &[&n, &"ü"]).await;
        let (echo, doubled, cancelled) = relayed.runtime.block_on(async {
            let echo = client.query_one("SELECT $1::bytea", &[&bytes]).await?;
            let doubled = tokio::join!(ask(1), ask(2), ask(3), ask(4), ask(5));
            // Asked again until it helps: one that comes before the question is not heeded.
            let token = client.cancel_token();
            let mut asleep = pin!(client.simple_query("SELECT pg_sleep(20)"));
            let cancelled = loop {
                tokio::select! {
                    answer = &mut asleep => break answer,
                    () = tokio::time::sleep(Duration::from_millis(50)) => {
                        token.cancel_query(NoTls).await?;
                    }
                }
            };
            let doubled: Result<Vec<_>, _> = <[_; 5]>::from(doubled).into_iter().collect();
            anyhow::Ok((echo, doubled?, cancelled))
        })?;
        let cancelled = cancelled.err().and_then(|error| error.code().cloned());
        relayed.close()?;
        let doubled: Vec<i32> = doubled.iter().map(|row| row.get(0)).collect();
        Ok((rows, text, echo.get::<_, Vec<u8>>(0), doubled, cancelled))
    };
    let ((ours, text, echo, doubled, cancelled), sessions) = relay(server.address(), most, ask)?;
    let what = format!("tokio-postgres through the relay, reads of {most}");
    tally.compare(format!("{what}: columns and rows"), &ours, &theirs);
    tally.compare(format!("{what}: rows as text"), &text, &oracle.text(&query)?);
    tally.compare(format!("{what}: a parameter comes back"), &echo, &bytes);
    tally.compare(format!("{what}: pipelined"), &doubled, &vec![2, 4, 6, 8, 10]);
    tally.compare(format!("{what}: cancelled"), &cancelled, &Some(SqlState::QUERY_CANCELED));
    let [session, cancels @ ..] = &*sessions else { bail!("no connection") };
    whole(session, most, tally);
    tally.compare("its start and end", &ends(&session.frontend), &"0PX".to_owned());
    tally.compare("requests to cancel", &cancels.is_empty(), &false);
    for cancel in cancels {
        tally.compare("a request to cancel", &kinds(&cancel.frontend), &"0".to_owned());
        let code = cancel.frontend.frames.first().and_then(|frame| frame.code);
        tally.compare("its code", &code, &Some(80_877_102));
        tally.compare("its answer", &kinds(&cancel.backend), &String::new());
    }
    told("tokio-postgres", most, &sessions);
    Ok(())
}

/// The blocking form of tokio-postgres copies in and out again.
fn copies(server: &Server, tally: &mut Tally) -> Result<()> {
    let lines: String = (0..60_000).map(|i| format!("{i}\tß{i:x}{i:o}\n")).collect();
    let copy = |address| {
        let mut client = postgres::Config::from(server::config(address)).connect(NoTls)?;
        client.batch_execute("CREATE TEMP TABLE copied (i int, t text)")?;
        let mut writer = client.copy_in("COPY copied FROM STDIN")?;
        writer.write_all(lines.as_bytes())?;
        let n = writer.finish()?;
        let mut back = String::new();
        client
            .copy_out("COPY (SELECT * FROM copied ORDER BY i) TO STDOUT")?
            .read_to_string(&mut back)?;
        client.close()?;
        Ok((n, back))
    };
    for most in [1460, 64 << 10] {
        let ((n, back), sessions) = relay(server.address(), most, copy)?;
        tally.compare("lines copied in", &n, &60_000);
        tally.compare("lines copied out", &back, &lines);
        sessions.iter().for_each(|session| whole(session, most, tally));
        told("postgres, COPY", most, &sessions);
    }
    Ok(())
}

/// What holds of every session: the bytes that went on are those that came, and the server was
/// ready once after the startup and once after every question.
fn whole(session: &Session, most: usize, tally: &mut Tally) {
    for (what, one) in [("frontend", &session.frontend), ("backend", &session.backend)] {
        tally.compare(format!("{what}, reads of {most}: bytes handed on"), &one.went, &one.came);
        let framed: usize = one.frames.iter().map(|frame| frame.length).sum();
        tally.compare(
            format!("{what}, reads of {most}: bytes framed"),
            &((framed + one.bare) as u64),
            &one.bytes,
        );
    }
    let kinds = |direction: &Direction| -> Vec<u8> {
        direction.frames.iter().map(|frame| frame.kind).collect()
    };
    // A Sync is not heard while data is copied in: the one before the data has no answer.
    let heard = |kinds: &[u8]| match *kinds {
        [b'Q' | b'F', _] => true,
        [b'S', next] => !b"dcf".contains(&next),
        _ => false,
    };
    let asked = kinds(&session.frontend).windows(2).filter(|two| heard(two)).count();
    let ready = kinds(&session.backend).into_iter().filter(|&kind| kind == b'Z').count();
    tally.compare(format!("reads of {most}: questions and the startup"), &(asked + 1), &ready);
}

/// The kinds of packets in their order, those that come in rows once.
fn kinds(direction: &Direction) -> String {
    let mut kinds: Vec<u8> = direction.frames.iter().map(|frame| frame.kind).collect();
    kinds.dedup_by(|one, before| one == before && b"DdS".contains(one));
    kinds.iter().map(|&kind| if kind == 0 { '0' } else { char::from(kind) }).collect()
}

/// The first two kinds and the last one.
fn ends(direction: &Direction) -> String {
    let kinds = kinds(direction);
    let end = kinds.len().saturating_sub(1);
    kinds.char_indices().filter(|&(at, _)| at < 2 || at == end).map(|(_, kind)| kind).collect()
}

fn told(client: &str, most: usize, sessions: &[Session]) {
    let sum = |of: fn(&Session) -> u64| sessions.iter().map(of).sum::<u64>();
    println!(
        "relay: {client}, reads up to {most}: {} packets ({} B) of the client, {} ({} B) of the server",
        sum(|session| session.frontend.frames.len() as u64),
        sum(|session| session.frontend.bytes),
        sum(|session| session.backend.frames.len() as u64),
        sum(|session| session.backend.bytes),
    );
}
