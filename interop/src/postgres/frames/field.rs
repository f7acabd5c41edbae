//! One value of 10 MB: how little is held while it comes.

use super::connection::{By, Connection, Format, Spent};
use super::message::{Malformed, Message};
use super::oracle::Oracle;
use super::steps::{self, Failure};
use crate::counterpart::Tally;
use crate::postgres::server::Server;
use anyhow::{Context as _, Result, bail};
use pktpool::{NeedMoreOr, Reader, Value};

/// Bytes of the value: so many hashes of 32 digits.
const BYTES: usize = 10 << 20;
/// A read buffer.
const BUFFER: usize = 64 << 10;
/// What is before the value in its packet: header, number of values, the first one and the length.
const PREFIX: usize = 5 + 2 + 4 + 4 + 4;

const QUERY: &str = "SELECT 7::int4 AS before, value, 'after'::text AS after FROM field";

/// Reads it by packets and by steps, in reads of every size; the same as tokio-postgres, and never
/// more than two read buffers of it held.
pub(super) fn check(server: &Server, oracle: &Oracle, tally: &mut Tally) -> Result<()> {
    oracle.runtime.block_on(oracle.client.batch_execute(&format!(
        "CREATE TABLE field (value text); \
         ALTER TABLE field ALTER value SET STORAGE EXTERNAL; \
         INSERT INTO field SELECT string_agg(md5(i::text), '') FROM generate_series(1, {}) AS i",
        BYTES / 32
    )))?;
    let theirs = oracle.binary(QUERY)?.1;
    let [row] = &*theirs else { bail!("{} rows", theirs.len()) };
    let value = row.get(1).cloned().flatten().context("NULL")?;
    tally.compare("bytes of the value", &value.len(), &BYTES);
    for most in [1460, 8000, 64 << 10] {
        for by in [By::Packets, By::Halves] {
            let mut packets = Connection::open(server.address(), by, most)?;
            packets.ask(QUERY, Format::Binary)?;
            tally.compare(format!("by {by:?}, reads of {most}"), &packets.answer()?.rows, &theirs);
            packets.close()?;
        }
        by_steps(server, most, &value, tally).with_context(|| format!("reads of {most}"))?;
    }
    Ok(())
}

fn by_steps(server: &Server, most: usize, value: &[u8], tally: &mut Tally) -> Result<()> {
    let mut connection = Connection::open(server.address(), By::Steps, most)?;
    // A question before it, so that the stream has its buffers.
    connection.ask("SELECT 1", Format::Text)?;
    connection.answer()?;
    connection.ask(QUERY, Format::Binary)?;
    while !matches!(connection.message()?, Message::Columns(_)) {}
    connection.spent = Spent::default();
    let (before, ours, after) = connection.until_done(row)?;
    let (spent, high) = (connection.spent, connection.held_at_most());
    let answer = connection.answer()?;
    connection.close()?;

    let what = format!("by steps, reads of {most}");
    tally.compare(format!("{what}: before and after"), &(before, after), &(7, *b"after"));
    let ours = ours.into_vec();
    tally.compare(format!("{what}: value"), &*ours, value);
    tally.compare(format!("{what}: tag"), &answer.tags, &vec!["SELECT 1".to_owned()]);
    // The value grows by what came: 64 KiB doubled up to its length, and a handle on it.
    let growths = u64::from((BYTES / BUFFER).next_power_of_two().ilog2()) + 2;
    tally.at_most(format!("{what}: allocations of the value"), spent.of_steps, growths);
    spent.buffers_only(&what, tally);
    let held = (PREFIX + 2 * BUFFER) as u64;
    tally.at_most(format!("{what}: bytes held"), high.max(spent.retained) as u64, held);
    println!(
        "field: {what}: {} B in {} reads, {} continuations, {} allocations and {} of the reads, at most {high} B held",
        ours.len(),
        spent.reads,
        spent.continuations,
        spent.of_steps,
        spent.of_reads
    );
    Ok(())
}

/// The row, by a step that has nothing on the heap but the value.
fn row(reader: &mut Reader<'_>) -> Result<(i32, Value, [u8; 5]), Failure> {
    let wrong = NeedMoreOr::Other(Malformed("another row"));
    if (reader.kind()?, reader.u16_be()?) != (b'D', 3) || steps::length(reader)? != Some(4) {
        return Err(wrong);
    }
    let before = reader.i32_be()?;
    let Some(length) = steps::length(reader)? else { return Err(wrong) };
    let value = reader.read_vec(length)?;
    if steps::length(reader)? != Some(5) {
        return Err(wrong);
    }
    let after = reader.bytes()?;
    steps::end(reader)?;
    Ok((before, value, after))
}
