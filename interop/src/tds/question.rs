//! What a client asks, as text in place of SQL, and the answer to it.

use super::values::{self, Column, Row, Value};
use std::fmt;

/// Lengths of a test of SqlClient's, kept with the crate's own tests.
const AWKWARD: &str = include_str!("../../../crates/pktpool/tests/data/awkward.toml");

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// A varbinary(max) of `len` bytes between two numbers, in chunks of `chunk` bytes.
    Binary { len: usize, chunk: usize },
    /// An nvarchar(max) of `units` UTF-16 units likewise; a chunk may end inside a unit.
    Text { units: usize, chunk: usize },
    /// So many rows of all four types, with NULLs and empty values among them.
    Rows(usize),
    /// Rows whose lengths made a client lose its place.
    Awkward,
    /// Rows without end, until an attention comes.
    Endless,
    /// The text itself, as an nvarchar(max): a batch as long as one likes.
    Back(String),
    /// The parameters of the call.
    Parameters,
}

/// Rows, and how values of unlimited length are cut into chunks.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
    pub(super) chunk: usize,
}

/// What a chunk may hold at most: the whole of the value.
pub(super) const WHOLE: usize = 0x7FFF_FFFF;

impl Question {
    /// The question in the text of a batch or a call; `None` for the settings that clients make.
    pub(super) fn read(sql: &str) -> Option<Self> {
        let sql = sql.trim();
        if let Some(text) = sql.strip_prefix("select back '") {
            return Some(Self::Back(text.strip_suffix('\'')?.to_owned()));
        }
        if sql.starts_with("select @") {
            return Some(Self::Parameters);
        }
        let mut words = sql.strip_prefix("select ")?.split(' ');
        let name = words.next()?;
        let mut number = || words.next()?.parse().ok();
        Some(match name {
            "binary" => Self::Binary { len: number()?, chunk: number()? },
            "text" => Self::Text { units: number()?, chunk: number()? },
            "rows" => Self::Rows(number()?),
            "awkward" => Self::Awkward,
            "endless" => Self::Endless,
            _ => return None,
        })
    }

    /// The answer, but for the two that depend on what else there is: no rows.
    pub(super) fn answer(&self) -> Answer {
        use Column::{Int, NVarChar, NVarCharMax, VarBinaryMax};
        let between = |value| vec![vec![Value::Int(1), value, Value::Int(-2)]];
        let (columns, rows, chunk) = match self {
            Self::Binary { len, chunk } => {
                (vec![Int, VarBinaryMax, Int], between(Value::Bytes(values::bytes(*len))), *chunk)
            }
            Self::Text { units, chunk } => {
                (vec![Int, NVarCharMax, Int], between(Value::Text(values::text(*units))), *chunk)
            }
            Self::Rows(count) => {
                let rows = (0..*count).map(row).collect();
                (vec![Int, NVarChar(40), NVarCharMax, VarBinaryMax], rows, 700)
            }
            Self::Awkward => (vec![Int, NVarChar(40), NVarCharMax], awkward(), WHOLE),
            Self::Endless => (vec![Int, NVarChar(40)], Vec::new(), WHOLE),
            Self::Back(text) => (vec![NVarCharMax], vec![vec![Value::Text(text.clone())]], WHOLE),
            Self::Parameters => (Vec::new(), Vec::new(), WHOLE),
        };
        Answer { columns, rows, chunk }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary { len, chunk } => write!(f, "select binary {len} {chunk}"),
            Self::Text { units, chunk } => write!(f, "select text {units} {chunk}"),
            Self::Rows(count) => write!(f, "select rows {count}"),
            Self::Awkward => f.write_str("select awkward"),
            Self::Endless => f.write_str("select endless"),
            Self::Back(text) => write!(f, "select back '{text}'"),
            Self::Parameters => f.write_str("select @P1"),
        }
    }
}

/// A row of lengths that differ from row to row, and a NULL of each type now and then.
fn row(at: usize) -> Row {
    let or_null = |one_in: usize, value: Value| {
        if at % one_in == one_in - 1 { Value::Null } else { value }
    };
    let number = i32::try_from(at).unwrap_or(i32::MAX);
    vec![
        or_null(11, Value::Int(number.wrapping_mul(0x0101_0101))),
        or_null(7, Value::Text(values::text(at % 41))),
        or_null(5, Value::Text(values::text(at * 37 % 1_300))),
        or_null(3, Value::Bytes(values::bytes(at * 53 % 2_100))),
    ]
}

/// One row of the endless answer.
pub(super) fn endless_row(at: i32) -> Row {
    vec![Value::Int(at), Value::Text(values::text(at.unsigned_abs() as usize % 41))]
}

fn awkward() -> Vec<Row> {
    #[derive(serde::Deserialize)]
    struct Lengths {
        long: Vec<Vec<[usize; 2]>>,
        short: Vec<[usize; 2]>,
    }
    let Lengths { long, short } = toml::from_str(AWKWARD).expect("a test reads it");
    let lengths = long.iter().flat_map(|block| block.iter().chain(&short));
    (1..)
        .zip(lengths)
        .map(|(at, &[name, value])| {
            vec![Value::Int(at), Value::Text(values::text(name)), Value::Text(values::text(value))]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_read_as_it_was_written() {
        let questions = [
            Question::Binary { len: 65_536, chunk: WHOLE },
            Question::Text { units: 0, chunk: 997 },
            Question::Rows(5_000),
            Question::Awkward,
            Question::Endless,
            Question::Back("é'漢".to_owned()),
            Question::Parameters,
        ];
        for question in questions {
            assert_eq!(Question::read(&question.to_string()), Some(question));
        }
        for other in ["set textsize 1", "select rows", "select rows many", "select other 1", ""] {
            assert_eq!(Question::read(other), None, "{other}");
        }
    }

    #[test]
    fn answers_fit_their_columns() {
        assert_eq!(Question::Awkward.answer().rows.len(), 76);
        for question in [Question::Rows(100), Question::Awkward, Question::Back("x".into())] {
            let answer = question.answer();
            for row in &answer.rows {
                assert_eq!(row.len(), answer.columns.len());
                for (column, value) in answer.columns.iter().zip(row) {
                    let fits = match (column, value) {
                        (_, Value::Null) => true,
                        (Column::Int, Value::Int(_)) | (Column::NVarCharMax, Value::Text(_)) => {
                            true
                        }
                        (Column::NVarChar(n), Value::Text(text)) => {
                            text.encode_utf16().count() <= usize::from(*n)
                        }
                        (Column::VarBinaryMax, Value::Bytes(_)) => true,
                        _ => false,
                    };
                    assert!(fits, "{column:?} {value:?}");
                }
            }
        }
    }
}
