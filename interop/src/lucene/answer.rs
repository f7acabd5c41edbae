//! Our side of the questions: what the crate writes and reads, in the form of the counterpart's
//! answers.

use super::question::{Expected, Value, op, outcome, put_text};
use super::texts;
use lucene_io::{
    ChecksumInput, DataInput, Error, IndexOutput, ReadInput, SliceInput, SliceOutput, WriteOutput,
    codec,
};

/// Which form maps and sets have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lucene 4 and before: a count of four bytes.
    Old,
    /// Lucene 5 and later: a vInt.
    New,
}

/// What an error comes to.
fn outcome_of(error: &Error) -> u8 {
    match error {
        Error::UnexpectedEof { .. } => outcome::EOF,
        Error::InvalidVInt { .. } | Error::InvalidVLong { .. } => outcome::BAD_INTEGER,
        Error::NegativeVLong | Error::InvalidName | Error::TooLong { .. } => outcome::REFUSED,
        Error::VersionTooOld { .. } => outcome::TOO_OLD,
        Error::VersionTooNew { .. } => outcome::TOO_NEW,
        Error::NegativeLength => outcome::NEGATIVE_LENGTH,
        Error::InvalidUtf8 { .. } => outcome::NOT_UTF8,
        Error::HeaderMismatch
        | Error::CodecMismatch
        | Error::FooterMismatch
        | Error::ChecksumMismatch { .. }
        | Error::Truncated
        | Error::Corrupt { .. } => outcome::CORRUPT,
        // No counterpart has such a number.
        _ => u8::MAX,
    }
}

/// One answer by each kind of output, with a name; texts without lone surrogates by both methods.
pub(super) fn written(value: &Value, form: Form) -> Vec<(&'static str, Vec<u8>)> {
    let mut answers = Vec::new();
    for (how, utf16) in [("write_utf16", true), ("write_string", false)] {
        if !utf16 && !matches!(value, Value::Text(units) if String::from_utf16(units).is_ok()) {
            continue;
        }
        let mut vec = Vec::new();
        let done = write(&mut vec, value, form, utf16);
        let expected = vec.len();
        answers.push((how, answer(done, vec)));

        let mut stream = WriteOutput::new(Vec::new());
        let done = write(&mut stream, value, form, utf16);
        answers.push(("WriteOutput", answer(done, stream.finish().expect("a Vec takes all"))));

        let mut room = vec![0; expected];
        let mut slice = SliceOutput::new(&mut room);
        let done = write(&mut slice, value, form, utf16);
        let bytes = slice.written().to_vec();
        answers.push(("SliceOutput", answer(done, bytes)));
    }
    answers
}

fn answer(done: Result<(), Error>, bytes: Vec<u8>) -> Vec<u8> {
    match done {
        Ok(()) => [vec![outcome::FINE], bytes].concat(),
        Err(error) => vec![outcome_of(&error)],
    }
}

fn write<O: IndexOutput>(out: &mut O, value: &Value, form: Form, utf16: bool) -> Result<(), Error> {
    match value {
        Value::I16(n) => out.write_i16(*n),
        Value::I32(n) => out.write_i32(*n),
        Value::I64(n) => out.write_i64(*n),
        Value::VInt(n) => out.write_vint(*n),
        Value::VLong(n) => out.write_vlong(*n),
        Value::ZInt(n) => out.write_zint(*n),
        Value::ZLong(n) => out.write_zlong(*n),
        Value::Text(units) if utf16 => out.write_utf16(units),
        Value::Text(units) => out.write_string(&texts::stored(units)),
        Value::Map(entries) => {
            let entries: Vec<_> = entries.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
            match form {
                Form::Old => out.write_string_string_map(entries),
                Form::New => out.write_map_of_strings(entries),
            }
        }
        Value::Set(entries) => {
            let entries: Vec<_> = entries.iter().map(String::as_str).collect();
            match form {
                Form::Old => out.write_string_set(entries),
                Form::New => out.write_set_of_strings(entries),
            }
        }
        Value::Header(codec, version) => codec::write_header(out, &texts::stored(codec), *version),
        Value::IndexHeader(codec, version, id, suffix) => codec::write_index_header(
            out,
            &texts::stored(codec),
            *version,
            id,
            &texts::stored(suffix),
        ),
        Value::Footer(content) => {
            out.write_bytes(content)?;
            codec::write_footer(out)
        }
    }
}

/// One answer by each kind of input, with a name.
pub(super) fn read(
    op: u8,
    bytes: &[u8],
    expected: &Expected,
    form: Form,
) -> Vec<(&'static str, Vec<u8>)> {
    let mut slice = SliceInput::new(bytes);
    let mut stream = ReadInput::new(bytes);
    vec![
        ("SliceInput", read_from(&mut slice, op, bytes, expected, form)),
        ("ReadInput", read_from(&mut stream, op, bytes, expected, form)),
    ]
}

fn read_from<I: DataInput>(
    input: &mut I,
    op: u8,
    bytes: &[u8],
    expected: &Expected,
    form: Form,
) -> Vec<u8> {
    let mut value = Vec::new();
    let code = match read_value(input, op, bytes, expected, form, &mut value) {
        Ok(()) => outcome::FINE,
        Err(error) => outcome_of(&error),
    };
    let mut answer = vec![code];
    if matches!(code, outcome::FINE | outcome::BAD_INTEGER) {
        // A footer is checked in a file of its own.
        let position = if op == op::FOOTER { 0 } else { input.position() };
        answer.extend((position as i32).to_be_bytes());
    }
    if code == outcome::FINE {
        answer.extend(value);
    }
    answer
}

fn read_value<I: DataInput>(
    input: &mut I,
    op: u8,
    bytes: &[u8],
    expected: &Expected,
    form: Form,
    into: &mut Vec<u8>,
) -> Result<(), Error> {
    let Expected { codec, min, max, id, suffix } = expected;
    match op {
        op::I16 => into.extend(input.read_i16()?.to_be_bytes()),
        op::I32 => into.extend(input.read_i32()?.to_be_bytes()),
        op::I64 => into.extend(input.read_i64()?.to_be_bytes()),
        op::VINT => into.extend(input.read_vint()?.to_be_bytes()),
        op::VLONG => into.extend(input.read_vlong()?.to_be_bytes()),
        op::ZINT => into.extend(input.read_zint()?.to_be_bytes()),
        op::ZLONG => into.extend(input.read_zlong()?.to_be_bytes()),
        op::TEXT => put_text(&input.read_string_lossy()?, into),
        op::MAP => {
            let map = match form {
                Form::Old => input.read_string_string_map()?,
                Form::New => input.read_map_of_strings()?,
            };
            for (key, value) in in_javas_order(map.iter(), |(key, _)| key.as_str()) {
                put_text(key, into);
                put_text(value, into);
            }
        }
        op::SET => {
            let set = match form {
                Form::Old => input.read_string_set()?,
                Form::New => input.read_set_of_strings()?,
            };
            in_javas_order(set.iter(), |text| text).iter().for_each(|text| put_text(text, into));
        }
        op::HEADER => {
            into.extend(codec::check_header(input, codec, *min..=*max)?.to_be_bytes());
        }
        op::INDEX_HEADER => {
            let version = codec::check_index_header(input, codec, *min..=*max, id, suffix)?;
            into.extend(version.to_be_bytes());
        }
        _ => {
            let checksum = codec::checksum_entire_file(bytes)?;
            let mut file = ChecksumInput::new(SliceInput::new(bytes));
            file.skip_bytes(bytes.len() as u64 - 16)?;
            assert_eq!(codec::check_footer(&mut file)?, checksum);
            assert_eq!(codec::retrieve_checksum(bytes)?, checksum);
            into.extend(checksum.to_be_bytes());
        }
    }
    Ok(())
}

/// Java sorts by UTF-16 units, Rust by bytes.
fn in_javas_order<T>(entries: impl Iterator<Item = T>, key: impl Fn(&T) -> &str) -> Vec<T> {
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_cached_key(|entry| key(entry).encode_utf16().collect::<Vec<_>>());
    entries
}
