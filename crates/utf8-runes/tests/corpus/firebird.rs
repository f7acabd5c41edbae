//! What a Firebird server describes.

use crate::load;
use serde::Deserialize;
use utf8_runes::column::{FixedText, Unit, VarText};
use utf8_runes::firebird::{Charset, Layout, TextColumn, charset};

#[derive(Deserialize)]
struct Firebird {
    charset: Vec<(u8, String, u8)>,
    column: Vec<Column>,
    not_text: Vec<NotText>,
}

#[derive(Deserialize)]
struct Column {
    name: String,
    description: [i32; 3],
    fixed: bool,
    nullable: bool,
    length: usize,
    width: usize,
    unit: String,
}

#[derive(Deserialize)]
struct NotText {
    name: String,
    description: [i32; 3],
    says: String,
}

#[test]
fn charsets_are_the_servers() {
    let server: Firebird = load("firebird.toml");
    let ours: Vec<_> = (0..=u8::MAX).filter_map(charset).collect();
    let named: Vec<_> =
        ours.iter().map(|set| (set.id, set.name.to_owned(), set.bytes_per_char)).collect();
    assert_eq!(named, server.charset);
    for set in [Charset::NONE, Charset::OCTETS, Charset::UTF8] {
        assert_eq!(charset(set.id), Some(set));
    }
    let utf8: Vec<_> = ours.iter().filter(|set| set.is_utf8()).map(|set| set.name).collect();
    assert_eq!(utf8, ["ASCII", "UTF8"]);
}

#[test]
fn columns() {
    let server: Firebird = load("firebird.toml");
    for case in &server.column {
        let name = &case.name;
        let [sqltype, sqlsubtype, sqllen] = case.description;
        let column = TextColumn::new(sqltype, sqlsubtype, sqllen).unwrap();
        assert_eq!(column.is_nullable(), case.nullable, "{name}");
        assert_eq!(column.length(), case.length, "{name}");
        assert_eq!(column.byte_width(), case.width, "{name}");
        assert_eq!(charset(sqlsubtype as u8), Some(column.charset()), "{name}");
        let per_char = usize::from(column.charset().bytes_per_char);
        let unit = match case.unit.as_str() {
            "scalars" => Unit::Scalars,
            "bytes" => Unit::Bytes,
            other => panic!("{name}: {other}"),
        };
        let per_char = if unit == Unit::Bytes { 4 } else { per_char };
        let layout = if case.fixed {
            Layout::Fixed(FixedText::new(case.length).unit(unit).bytes_per_char(per_char))
        } else {
            Layout::Varying(VarText::new(case.length).unit(unit).bytes_per_char(per_char))
        };
        assert_eq!(column.layout(), layout, "{name}");
    }
    for NotText { name, description: [sqltype, sqlsubtype, sqllen], says } in &server.not_text {
        let error = TextColumn::new(*sqltype, *sqlsubtype, *sqllen).unwrap_err();
        assert_eq!(error.to_string(), *says, "{name}");
    }
}
