//! The server's character sets, and what it says of their columns.

use super::client::Connection;
use crate::counterpart::Tally;
use anyhow::{Context as _, Result, bail};
use utf8_runes::column::VarText;
use utf8_runes::firebird::{Charset, NotText, TextColumn, charset};

/// Compares the table of character sets, and CHAR(3) of each of them as it is described and sent
/// over a connection in UTF8 and over one in NONE.
pub(super) fn check(utf8: &Connection, none: &Connection, tally: &mut Tally) -> Result<()> {
    let all = of_the_server(utf8)?;
    if all.is_empty() {
        bail!("the server has no character set");
    }
    for (id, name, bytes) in &all {
        let ours = charset(*id).map(|one| (one.name, one.bytes_per_char));
        tally.compare(format!("character set {id}"), &ours, &Some((name.as_str(), *bytes)));
        let theirs = charset(*id).context("a character set")?;
        // A server converts to UTF8 whatever has a character set.
        let converted =
            if [Charset::NONE, Charset::OCTETS].contains(&theirs) { theirs } else { Charset::UTF8 };
        described(utf8, name, converted, tally)?;
        described(none, name, theirs, tally)?;
    }
    let known = (0..=u8::MAX).filter_map(charset).count();
    tally.compare("how many character sets", &known, &all.len());
    Ok(())
}

/// Id, name and bytes a character of each.
fn of_the_server(database: &Connection) -> Result<Vec<(u8, String, u8)>> {
    // As text: all three.
    let mut select = database.prepare(
        "SELECT CAST(RDB$CHARACTER_SET_ID AS VARCHAR(9)), \
         CAST(TRIM(RDB$CHARACTER_SET_NAME) AS VARCHAR(31)), \
         CAST(RDB$BYTES_PER_CHARACTER AS VARCHAR(9)) FROM RDB$CHARACTER_SETS",
    )?;
    select.execute()?;
    let mut all = Vec::new();
    while select.fetch()? {
        let text = |column| -> Result<&str> {
            let field = select.output.field(column).context("a value, not NULL")?;
            Ok(VarText::new(31).decode(field)?)
        };
        all.push((text(0)?.parse()?, text(1)?.to_owned(), text(2)?.parse()?));
    }
    Ok(all)
}

/// CHAR(3) of a character set, which comes in the set of the connection's choice.
fn described(
    database: &Connection,
    name: &str,
    comes_in: Charset,
    tally: &mut Tally,
) -> Result<()> {
    let what = format!("CHAR(3) of {name}, sent in {}", comes_in.name);
    let row = database
        .row(&format!("SELECT CAST('A' AS CHAR(3) CHARACTER SET {name}) FROM RDB$DATABASE"))
        .with_context(|| what.clone())?;
    let (kind, subtype, len) = row.described(0);
    let column = TextColumn::new(kind.into(), subtype.into(), i32::try_from(len)?);
    if comes_in == Charset::OCTETS {
        tally.compare(what, &Err(NotText::Octets), &column);
        return Ok(());
    }
    let field = row.field(0).context("a value")?;
    let ours = column.map(|one| (one.charset(), one.length(), one.byte_width()));
    tally.compare(format!("{what}, described"), &ours, &Ok((comes_in, 3, field.len())));
    if let Ok(column) = column {
        tally.compare(format!("{what}, read"), &Ok("A  "), &column.decode(field));
    }
    Ok(())
}
