//! What differs between databases.

/// What a column's length counts. U+0020, the blank, is 1 in each unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Unicode scalar values: Firebird, PostgreSQL, MySQL, Oracle `CHAR(n CHAR)`, Trino, ORC.
    Scalars,
    /// Bytes: SQL Server `char`, Oracle `CHAR(n BYTE)`, Doris.
    Bytes,
    /// UTF-16 units, two for a scalar value above U+FFFF: SQL Server `nchar`.
    Utf16,
}

/// What becomes of the blanks that fill a value up to the column's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pad {
    /// They are part of the value: CHAR(3) holding `A` reads as `A` and two blanks.
    Keep,
    /// They are taken off, together with any that the value itself ended in. Only U+0020.
    Trim,
}

/// What becomes of a text that is longer than the column, when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overflow {
    /// It is refused, also when only blanks are too many: what the Firebird .NET provider does.
    Error,
    /// Blanks that are too many are dropped, anything else is refused: storing as in standard SQL.
    SqlStore,
    /// It is cut: an explicit CAST as in standard SQL.
    Truncate,
}

/// What is asked of the bytes behind the column's last character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Nothing; they are not read.
    Ignore,
    /// To be blanks. Finds a wrong length or a field read at a wrong offset.
    RequireBlank,
}
