//! What the umbrella exports: a change of it shows in the snapshot.

/// Every item of `src/lib.rs` that is public, with the feature that it stands behind.
fn exports() -> String {
    let source = include_str!("../src/lib.rs");
    let mut list = String::new();
    let mut feature = "always";
    for line in source.lines() {
        if let Some(rest) = line.strip_prefix("#[cfg(feature = \"") {
            feature = rest.strip_suffix("\")]").unwrap_or(rest);
        } else if line.starts_with("pub ") {
            list += &format!("{feature}: {line}\n");
            feature = "always";
        }
    }
    list
}

#[test]
fn exports_are_as_reviewed() {
    insta::assert_snapshot!(exports(), @r"
    lucene-io: pub use lucene_io as lucene;
    pktpool: pub use pktpool;
    rfc5987: pub use rfc5987;
    sqlite-text: pub use sqlite_text as sqlite;
    utf8-runes: pub use utf8_runes as runes;
    ");
}

/// The manifest's features, so that none comes or goes unseen.
#[test]
fn features_are_as_reviewed() {
    let manifest = include_str!("../Cargo.toml");
    let features = manifest.split("[features]\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    insta::assert_snapshot!("features", features.unwrap_or_default());
}

#[cfg(feature = "utf8-runes")]
#[test]
fn runes_is_utf8_runes() {
    assert_eq!(onecopy::runes::count("京都"), 2);
}

#[cfg(feature = "rfc5987")]
#[test]
fn rfc5987_is_rfc5987() {
    use onecopy::rfc5987 as part;
    assert!(part::is_attr_char(b'a'));
}

#[cfg(feature = "pktpool")]
#[test]
fn pktpool_is_pktpool() {
    use onecopy::pktpool as part;
    let limits = part::Limits::default();
    assert_eq!(limits.spare_nodes, 16);
}

#[cfg(feature = "lucene-io")]
#[test]
fn lucene_is_lucene_io() {
    assert_eq!(onecopy::lucene::SliceInput::new(b"abc").remaining(), 3);
}

#[cfg(feature = "sqlite-text")]
#[test]
fn sqlite_is_sqlite_text() {
    assert_eq!(&*onecopy::sqlite::TextBuf::from("abc"), "abc");
}
