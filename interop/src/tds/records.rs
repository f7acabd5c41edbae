//! What a script prints of the values it has read: a letter a value, lengths in four bytes,
//! little-endian. The contents themselves, so that they are compared and not a hash of them.

use super::values::{Row, Value};
use anyhow::{Context as _, Result, bail, ensure};

/// The answers, in order.
pub(super) fn read(mut said: &[u8]) -> Result<Vec<Vec<Row>>> {
    let (mut answers, mut rows, mut row) = (Vec::new(), Vec::new(), Row::new());
    while let Some((&letter, rest)) = said.split_first() {
        said = rest;
        match letter {
            b'N' => row.push(Value::Null),
            b'I' => row.push(Value::Int(i32::from_le_bytes(four(&mut said)?))),
            b'T' => {
                let text = String::from_utf8(counted(&mut said)?).context("text that is none")?;
                row.push(Value::Text(text));
            }
            b'B' => row.push(Value::Bytes(counted(&mut said)?)),
            b'R' => rows.push(std::mem::take(&mut row)),
            b'E' => answers.push(std::mem::take(&mut rows)),
            other => bail!("the script printed {other:#04x} in place of a letter"),
        }
    }
    ensure!(row.is_empty() && rows.is_empty(), "the script ended inside an answer");
    Ok(answers)
}

fn four(said: &mut &[u8]) -> Result<[u8; 4]> {
    let (bytes, rest) = said.split_first_chunk().context("the script ended inside a number")?;
    *said = rest;
    Ok(*bytes)
}

fn counted(said: &mut &[u8]) -> Result<Vec<u8>> {
    let n = u32::from_le_bytes(four(said)?) as usize;
    let (bytes, rest) = said.split_at_checked(n).context("the script ended inside a value")?;
    *said = rest;
    Ok(bytes.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_rows_and_answers_are_told_apart() {
        let said = b"I\xFE\xFF\xFF\xFFT\x02\0\0\0\xC3\xA9NRB\x01\0\0\0\0RE E".map(|b| b);
        let said: Vec<u8> = said.into_iter().filter(|b| *b != b' ').collect();
        let first = vec![Value::Int(-2), Value::Text("é".into()), Value::Null];
        let rows = vec![first, vec![Value::Bytes(vec![0])]];
        assert_eq!(read(&said).unwrap(), [rows, vec![]]);
        for cut in [&b"T\x02\0\0\0a"[..], b"I\0", b"N", b"NR", b"x"] {
            assert!(read(cut).is_err(), "{cut:?}");
        }
    }
}
