//! The texts of the errors, and the way to `io::Error` and back.

use lucene_io::Error;

fn all() -> Vec<Error> {
    vec![
        Error::UnexpectedEof { at: 5, need: 2_147_483_647 },
        Error::OutputFull { at: 4, need: 3 },
        Error::InvalidVInt { at: 7 },
        Error::InvalidVLong { at: 7 },
        Error::NegativeVLong,
        Error::NegativeLength,
        Error::InvalidUtf8 { at: 12 },
        Error::TooLong { length: 2_147_483_648 },
        Error::InvalidName,
        Error::HeaderMismatch,
        Error::CodecMismatch,
        Error::VersionTooOld { actual: 0, min: 1, max: 2 },
        Error::VersionTooNew { actual: 3, min: 1, max: 2 },
        Error::FooterMismatch,
        Error::ChecksumMismatch { expected: 0xCBF4_3926, actual: 1 },
        Error::Truncated,
        Error::OpenDocument,
        Error::Corrupt { file: "codec footer", what: "bytes follow it" },
    ]
}

#[test]
fn texts() {
    let texts: Vec<String> = all().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[cfg(feature = "std")]
#[test]
fn to_io_and_back() {
    use std::error::Error as _;
    use std::io;

    let mut kinds = String::new();
    for error in all() {
        let shown = format!("{error:?}");
        let io = io::Error::from(error);
        kinds.push_str(&format!("{:?} of {shown}\n", io.kind()));
        assert_eq!(format!("{:?}", Error::from(io)), shown);
    }
    insta::assert_snapshot!(kinds);

    let disk = || io::Error::from(io::ErrorKind::StorageFull);
    let error = Error::from(disk());
    assert!(matches!(&error, Error::Io(e) if e.kind() == io::ErrorKind::StorageFull));
    assert_eq!(error.to_string(), disk().to_string());
    assert!(error.source().is_none(), "its text is shown already");
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::StorageFull);
}
