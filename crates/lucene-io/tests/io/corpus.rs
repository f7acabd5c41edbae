//! Every case of `data/*.toml`, read by every input and written by every output.

#![cfg(feature = "std")]

use crate::common::{Dribble, PlainInput, PlainOutput, unhex};
use lucene_io::{
    ChecksumInput, DataInput, DataOutput, Error, IndexOutput, ReadInput, SliceInput, SliceOutput,
    WriteOutput,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: Option<String>,
    op: String,
    only: Option<String>,
    value: Option<i64>,
    units: Option<Vec<u16>>,
    text: Option<String>,
    entries: Option<Vec<String>>,
    group: Option<Vec<u32>>,
    bytes: String,
    error: Option<String>,
    consumed: Option<u64>,
    lossy: Option<String>,
    java_lossy: Option<String>,
    #[serde(default)]
    guard: bool,
    printed_by: Option<Vec<String>>,
}

#[derive(Debug, PartialEq)]
enum Value {
    Nothing,
    Integer(i64),
    Text(String),
    Entries(Vec<String>),
    Group(Vec<u32>),
}

impl Case {
    fn label(&self) -> String {
        format!("{} {} {}", self.name.as_deref().unwrap_or(""), self.op, self.bytes)
    }

    fn utf16(&self) -> Vec<u16> {
        match (&self.units, &self.text) {
            (Some(units), _) => units.clone(),
            (None, Some(text)) => text.encode_utf16().collect(),
            (None, None) => panic!("{}: no text", self.label()),
        }
    }

    fn expected(&self) -> Value {
        match self.op.as_str() {
            "string" => Value::Text(String::from_utf16_lossy(&self.utf16())),
            "group_vints" => Value::Group(self.group.clone().expect("a group")),
            "skip_5" | "no_bytes" => Value::Nothing,
            _ => match (&self.entries, self.value) {
                // Written in the order given, read into a sorted map.
                (Some(entries), _) if self.op.contains("map") => {
                    let mut pairs: Vec<&[String]> = entries.chunks(2).collect();
                    pairs.sort();
                    Value::Entries(pairs.concat())
                }
                (Some(entries), _) => {
                    let mut sorted = entries.clone();
                    sorted.sort();
                    Value::Entries(sorted)
                }
                (None, Some(value)) => Value::Integer(value),
                (None, None) => panic!("{}: no value", self.label()),
            },
        }
    }

    fn read(&self, input: &mut dyn DataInput) -> Result<Value, Error> {
        fn flat(map: impl IntoIterator<Item = (String, String)>) -> Value {
            Value::Entries(map.into_iter().flat_map(|(key, value)| [key, value]).collect())
        }
        Ok(match self.op.as_str() {
            "vint" => Value::Integer(input.read_vint()?.into()),
            "vlong" => Value::Integer(input.read_vlong()?),
            "zint" => Value::Integer(input.read_zint()?.into()),
            "zlong" => Value::Integer(input.read_zlong()?),
            "i16" => Value::Integer(input.read_i16()?.into()),
            "i32" => Value::Integer(input.read_i32()?.into()),
            "i64" => Value::Integer(input.read_i64()?),
            "i16_le" => Value::Integer(input.read_i16_le()?.into()),
            "i32_le" => Value::Integer(input.read_i32_le()?.into()),
            "i64_le" => Value::Integer(input.read_i64_le()?),
            "string" => Value::Text(input.read_string()?),
            "string_string_map" => flat(input.read_string_string_map()?),
            "map_of_strings" => flat(input.read_map_of_strings()?),
            "string_set" => Value::Entries(input.read_string_set()?.into_iter().collect()),
            "set_of_strings" => Value::Entries(input.read_set_of_strings()?.into_iter().collect()),
            "skip_5" => input.skip_bytes(5).map(|()| Value::Nothing)?,
            "no_bytes" => input.read_bytes(&mut []).map(|()| Value::Nothing)?,
            "group_vints" => {
                let mut group = vec![0; self.group.as_ref().expect("a group").len()];
                input.read_group_vints(&mut group)?;
                Value::Group(group)
            }
            other => panic!("unknown op {other}"),
        })
    }

    fn write(&self, mut out: &mut dyn DataOutput) -> Result<(), Error> {
        let value = self.value.unwrap_or_default();
        let entries = self.entries.as_deref().unwrap_or_default();
        let pairs = || {
            let pairs = entries.chunks(2).map(|p| (p[0].as_str(), p[1].as_str()));
            pairs.collect::<Vec<_>>()
        };
        let out = &mut out;
        match self.op.as_str() {
            "vint" => out.write_vint(value as i32),
            "vlong" => out.write_vlong(value),
            "zint" => out.write_zint(value as i32),
            "zlong" => out.write_zlong(value),
            "i16" => out.write_i16(value as i16),
            "i32" => out.write_i32(value as i32),
            "i64" => out.write_i64(value),
            "i16_le" => out.write_i16_le(value as i16),
            "i32_le" => out.write_i32_le(value as i32),
            "i64_le" => out.write_i64_le(value),
            "string" => out.write_utf16(&self.utf16()),
            "string_string_map" => out.write_string_string_map(pairs()),
            "map_of_strings" => out.write_map_of_strings(pairs()),
            "string_set" => out.write_string_set(entries.iter().map(String::as_str)),
            "set_of_strings" => out.write_set_of_strings(entries.iter().map(String::as_str)),
            "group_vints" => out.write_group_vints(self.group.as_ref().expect("a group")),
            other => panic!("unknown op {other}"),
        }
    }

    fn check_input(&self, kind: &str, input: &mut dyn DataInput, moves_on_eof: bool) {
        let label = format!("{} by {kind}", self.label());
        match (self.read(input), &self.error) {
            (Ok(value), None) => assert_eq!(value, self.expected(), "{label}"),
            (Err(error), Some(expected)) => {
                assert_eq!(format!("{error:?}"), *expected, "{label}");
                if moves_on_eof && matches!(error, Error::UnexpectedEof { .. }) {
                    return;
                }
            }
            (result, expected) => panic!("{label}: {result:?}, not {expected:?}"),
        }
        let all = unhex(&self.bytes).len() as u64;
        assert_eq!(input.position(), self.consumed.unwrap_or(all), "{label}: consumed");
        if self.guard {
            assert_eq!(input.read_vint().unwrap(), 1, "{label}: the guard behind it");
        }
    }

    fn check_reads(&self) {
        let bytes = unhex(&self.bytes);
        self.check_input("slice", &mut SliceInput::new(&bytes), false);
        // The word-wise decoder runs with eight bytes in sight, and must not mind what they are.
        if !matches!(&self.error, Some(e) if e.starts_with("UnexpectedEof")) {
            let longer = [bytes.as_slice(), &[1; 16]].concat();
            self.check_input("slice with more behind", &mut SliceInput::new(&longer), false);
        }
        self.check_input("plain", &mut PlainInput { bytes: &bytes, at: 0 }, false);
        self.check_input("reference", &mut &mut SliceInput::new(&bytes), false);
        self.check_input("reader", &mut ReadInput::new(bytes.as_slice()), true);
        let dribble = Dribble::new(bytes.as_slice(), 1);
        self.check_input("dribbling reader", &mut ReadInput::new(dribble), true);
        let mut hashing = ChecksumInput::new(SliceInput::new(&bytes));
        self.check_input("checksum", &mut hashing, false);
        let consumed = bytes.len().min(hashing.position() as usize);
        assert_eq!(hashing.checksum(), crc32(&bytes[..consumed]), "{}", self.label());
        if self.op == "string" {
            self.check_strings(&bytes);
        }
    }

    /// The other ways to read a string.
    fn check_strings(&self, bytes: &[u8]) {
        let label = self.label();
        let shown = |e: Error| format!("{e:?}");
        let owned = SliceInput::new(bytes).read_string().map_err(shown);
        let borrowed = SliceInput::new(bytes).read_str().map(String::from).map_err(shown);
        assert_eq!(owned, borrowed, "{label}");
        let mut input = SliceInput::new(bytes);
        let inputs: [&mut dyn DataInput; 3] =
            [&mut input, &mut PlainInput { bytes, at: 0 }, &mut ReadInput::new(bytes)];
        for input in inputs {
            let mut reused = String::from("what was there before");
            let result = input.read_string_into(&mut reused).map_err(shown);
            assert_eq!(result.as_ref().err(), owned.as_ref().err(), "{label}");
            assert_eq!(reused, owned.clone().unwrap_or_default(), "{label}");
            assert!(reused.capacity() > 0, "{label}: its memory is kept");
        }
        let inputs: [&mut dyn DataInput; 3] = [
            &mut SliceInput::new(bytes),
            &mut PlainInput { bytes, at: 0 },
            &mut ReadInput::new(bytes),
        ];
        for input in inputs {
            let lossy = input.read_string_lossy().map_err(shown);
            assert_eq!(lossy.as_ref().ok(), self.lossy.as_ref().or(owned.as_ref().ok()), "{label}");
        }
        if let Some(java) = &self.java_lossy {
            assert_ne!(Some(java), self.lossy.as_ref(), "{label}: a difference that is none");
        }
    }

    fn check_writes(&self) {
        let label = self.label();
        let bytes = unhex(&self.bytes);
        if let Some(expected) = &self.error {
            let mut out = Vec::new();
            assert_eq!(format!("{:?}", self.write(&mut out).unwrap_err()), *expected, "{label}");
            assert!(out.is_empty(), "{label}: nothing is written");
            return;
        }
        let mut vec = b"before".to_vec();
        self.write(&mut vec).unwrap();
        assert_eq!(vec, [b"before", bytes.as_slice()].concat(), "{label}");
        let mut plain = PlainOutput::default();
        self.write(&mut plain).unwrap();
        assert_eq!(plain.0, bytes, "{label}");
        let mut writer = WriteOutput::new(Dribble::new(Vec::new(), 1));
        self.write(&mut writer).unwrap();
        assert_eq!(writer.position(), bytes.len() as u64, "{label}");
        assert_eq!(writer.checksum(), crc32(&bytes), "{label}");
        assert_eq!(writer.finish().unwrap().inner, bytes, "{label}");
        let mut memory = vec![0xAA; bytes.len()];
        let mut exact = SliceOutput::new(&mut memory);
        self.write(&mut exact).unwrap();
        assert_eq!(exact.written(), bytes, "{label}: an exact fit");
        self.check_short(&bytes);
        if self.op == "string"
            && let Ok(text) = String::from_utf16(&self.utf16())
        {
            let mut vec = Vec::new();
            vec.write_string(&text).unwrap();
            assert_eq!(vec, bytes, "{label}");
        }
    }

    /// One byte short.
    fn check_short(&self, bytes: &[u8]) {
        let Some(room) = bytes.len().checked_sub(1) else { return };
        let mut memory = vec![0xAA; room];
        let mut short = SliceOutput::new(&mut memory);
        match self.write(&mut short) {
            Err(Error::OutputFull { at, need }) => {
                assert_eq!(at + need, bytes.len() as u64, "{}", self.label());
                let whole = !["map", "set", "group"].iter().any(|many| self.op.contains(many));
                assert!(!whole || at == 0, "{}: all or nothing", self.label());
                assert_eq!(short.written(), &bytes[..at as usize], "{}", self.label());
            }
            other => panic!("{}: {other:?} one byte short", self.label()),
        }
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    // Bit by bit, from the polynomial.
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 }
        })
    })
}

fn run(toml: &str, at_least: usize) {
    let file: File = toml::from_str(toml).expect("a corpus file");
    assert!(file.case.len() >= at_least, "{} cases were lost", file.case.len());
    for case in &file.case {
        if case.only.as_deref() != Some("write") {
            case.check_reads();
        }
        if case.only.as_deref() != Some("read") {
            case.check_writes();
        }
        for version in case.printed_by.iter().flatten() {
            assert!(["4.10", "8.7"].contains(&version.as_str()), "{}", case.label());
        }
    }
}

#[test]
fn java() {
    run(include_str!("../data/java.toml"), 84);
}

#[test]
fn test_index_input() {
    let toml = include_str!("../data/test_index_input.toml");
    run(toml, 20);
    // And all of them as one table, as it stands there.
    let file: File = toml::from_str(toml).unwrap();
    let table: Vec<u8> = file.case.iter().flat_map(|case| unhex(&case.bytes)).collect();
    let mut slice = SliceInput::new(&table);
    let mut reader = ReadInput::new(Dribble::new(table.as_slice(), 3));
    let inputs: [&mut dyn DataInput; 2] = [&mut slice, &mut reader];
    for input in inputs {
        for case in &file.case {
            match &case.error {
                None => assert_eq!(case.read(input).unwrap(), case.expected()),
                Some(_) => {
                    case.read(input).unwrap_err();
                    assert_eq!(input.read_vint().unwrap(), 1);
                }
            }
        }
        assert!(matches!(input.read_byte(), Err(Error::UnexpectedEof { .. })));
    }
}

#[test]
fn reports() {
    run(include_str!("../data/reports.toml"), 33);
}

#[test]
fn suites() {
    run(include_str!("../data/suites.toml"), 77);
}
