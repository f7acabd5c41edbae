//! What errors say, and what they become in rusqlite.

use sqlite_text::{Error, StorageClass};

fn all() -> Vec<Error> {
    vec![
        Error::Sqlite { code: 19, extended: 2067, message: "UNIQUE constraint failed: t.s".into() },
        Error::InvalidType { column: 1, row: 20, actual: StorageClass::Null },
        Error::InvalidType { column: 1, row: 20, actual: StorageClass::Integer },
        Error::InvalidType { column: 1, row: 20, actual: StorageClass::Real },
        Error::InvalidType { column: 1, row: 20, actual: StorageClass::Blob },
        Error::InvalidUtf8 { column: 0, row: 3, valid_up_to: 17 },
        Error::InvalidUtf16 { column: 0, row: 3, index: 4 },
        Error::NoMem,
        Error::TooBig,
        Error::ColumnOutOfRange { column: 9 },
    ]
}

#[test]
fn texts() {
    let texts: Vec<String> = all().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[cfg(feature = "rusqlite")]
#[test]
fn as_rusqlite_errors() {
    let texts: Vec<String> =
        all().into_iter().map(|e| format!("{:?}", rusqlite::Error::from(e))).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[cfg(feature = "rusqlite")]
#[test]
fn the_cause_is_kept() {
    let error = Error::InvalidUtf8 { column: 2, row: 3, valid_up_to: 17 };
    let rusqlite::Error::FromSqlConversionFailure(2, rusqlite::types::Type::Text, cause) =
        error.clone().into()
    else {
        panic!();
    };
    assert_eq!(cause.downcast_ref::<Error>(), Some(&error));
    let code = |e: Error| rusqlite::Error::from(e).sqlite_error_code();
    assert_eq!(code(Error::NoMem), Some(rusqlite::ErrorCode::OutOfMemory));
    assert_eq!(code(Error::TooBig), Some(rusqlite::ErrorCode::TooBig));
}
