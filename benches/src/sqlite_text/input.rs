//! The texts, and the SQL that stores and reads them. Needs nothing of this package but `fastrand`,
//! so that a runner with another driver reads the same rows in the same order.

/// Rows of every table.
pub const ROWS: usize = 1000;

/// Makes the table of one column.
pub const CREATE: &str = "CREATE TABLE t (s TEXT NOT NULL)";
/// Fills it; `?1` is the text.
pub const INSERT: &str = "INSERT INTO t (s) VALUES (?1)";
/// Reads it.
pub const SELECT: &str = "SELECT s FROM t ORDER BY rowid";

/// Makes the table of five columns.
pub const CREATE_FIVE: &str = "CREATE TABLE t (given TEXT NOT NULL, \
    family TEXT NOT NULL, city TEXT NOT NULL, street TEXT NOT NULL, remark TEXT NOT NULL)";
/// Fills it; `?1` to `?5` are the texts.
pub const INSERT_FIVE: &str =
    "INSERT INTO t (given, family, city, street, remark) VALUES (?1, ?2, ?3, ?4, ?5)";
/// Reads it.
pub const SELECT_FIVE: &str = "SELECT given, family, city, street, remark FROM t ORDER BY rowid";

/// What a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// English-like words: 1 byte a scalar value.
    Ascii,
    /// Words with a letter of 2 bytes in about every sixth place, as in French or German.
    Latin,
    /// Han, 3 bytes each.
    Cjk,
    /// Scalar values of 1, 2, 3 and 4 bytes, as often each, in no order: no branch can be foreseen.
    Mixed,
}

/// `ROWS` texts of exactly `bytes` bytes of UTF-8.
#[must_use]
pub fn texts(script: Script, bytes: usize) -> Vec<String> {
    some_texts(ROWS, script, bytes)
}

/// The first `rows` of them.
#[must_use]
pub fn some_texts(rows: usize, script: Script, bytes: usize) -> Vec<String> {
    let mut rng = fastrand::Rng::with_seed(3);
    (0..rows).map(|_| text(&mut rng, script, bytes)).collect()
}

/// `ROWS` rows of five ASCII texts of 5 to 20 bytes.
#[must_use]
pub fn rows_of_five() -> Vec<[String; 5]> {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut one = || {
        let bytes = rng.usize(5..=20);
        text(&mut rng, Script::Ascii, bytes)
    };
    (0..ROWS).map(|_| [one(), one(), one(), one(), one()]).collect()
}

fn text(rng: &mut fastrand::Rng, script: Script, bytes: usize) -> String {
    const ACCENTED: [char; 8] = ['é', 'è', 'à', 'ç', 'ü', 'ö', 'ä', 'ß'];
    let mut out = String::with_capacity(bytes);
    while out.len() < bytes {
        let next = match script {
            Script::Ascii | Script::Latin if rng.u8(..6) == 0 => ' ',
            Script::Latin if rng.u8(..5) == 0 => ACCENTED[rng.usize(..ACCENTED.len())],
            Script::Ascii | Script::Latin => rng.lowercase(),
            Script::Cjk => rng.char('\u{4E00}'..='\u{9FA5}'),
            Script::Mixed => match rng.u8(..4) {
                0 => rng.lowercase(),
                1 => rng.char('\u{0430}'..='\u{044F}'),
                2 => rng.char('\u{4E00}'..='\u{9FA5}'),
                _ => rng.char('\u{1F600}'..='\u{1F64F}'),
            },
        };
        // The last place takes what fits.
        out.push(if out.len() + next.len_utf8() <= bytes { next } else { '.' });
    }
    out
}
