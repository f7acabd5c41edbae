//! Primitives: a slice, a stream and a file read alike, and what was read is written back alike.

use lucene_io::store::FileSlice;
use lucene_io::{ChecksumInput, DataInput, DataOutput, Error, ReadInput, SliceInput};

/// The first bytes say what is read, one after the other, from the rest.
pub fn input(data: &[u8]) {
    let (n, rest) = crate::number(data);
    let (program, bytes) = rest.split_at(rest.len().min(n % 16));
    let mut slice = SliceInput::new(bytes);
    let mut stream = ChecksumInput::new(ReadInput::new(bytes));
    let mut file = FileSlice::from(bytes.to_vec()).input();
    for &op in program {
        let start = slice.position();
        let of_slice = read(&mut slice, op);
        let of_stream = read(&mut stream, op);
        assert_eq!(of_slice, of_stream, "op {op} at {start}");
        assert_eq!(of_slice, read(&mut file, op), "op {op} at {start} of a file");
        let Ok(value) = of_slice else { return };
        assert_eq!(slice.position(), stream.position());
        assert_eq!(slice.position(), file.position());
        value.written_again(&bytes[start as usize..slice.position() as usize]);
    }
}

#[derive(Debug, PartialEq)]
enum Value {
    Byte(u8),
    Int(i32),
    Long(i64),
    VInt(i32),
    VLong(i64),
    ZInt(i32),
    ZLong(i64),
    Text(String),
    /// No unique written form.
    Other(String),
}

/// Reads one value; an error is told by its text.
fn read(input: &mut impl DataInput, op: u8) -> Result<Value, String> {
    let text = |e: Error| e.to_string();
    if let Some(rarer) = op.checked_sub(240) {
        return rare(input, rarer).map(Value::Other).map_err(text);
    }
    Ok(match op % 14 {
        0 => Value::Byte(input.read_byte().map_err(text)?),
        1 => Value::Int(input.read_i32().map_err(text)?),
        2 => Value::Long(input.read_i64().map_err(text)?),
        3 => Value::VInt(input.read_vint().map_err(text)?),
        4 => Value::VLong(input.read_vlong().map_err(text)?),
        5 => Value::ZInt(input.read_zint().map_err(text)?),
        6 => Value::ZLong(input.read_zlong().map_err(text)?),
        7 => Value::Text(input.read_string().map_err(text)?),
        8 => Value::Other(input.read_string_lossy().map_err(text)?),
        9 => Value::Other(format!("{:?}", input.read_string_string_map().map_err(text)?)),
        10 => Value::Other(format!("{:?}", input.read_map_of_strings().map_err(text)?)),
        11 => Value::Other(format!("{:?}", input.read_set_of_strings().map_err(text)?)),
        12 => {
            let mut values = [0; 5];
            input.read_group_vints(&mut values).map_err(text)?;
            Value::Other(format!("{values:?}"))
        }
        _ => {
            input.skip_bytes(u64::from(op >> 4)).map_err(text)?;
            Value::Other(String::new())
        }
    })
}

fn rare(input: &mut impl DataInput, op: u8) -> Result<String, Error> {
    Ok(match op % 8 {
        0 => input.read_i16()?.to_string(),
        1 => input.read_i16_le()?.to_string(),
        2 => input.read_i32_le()?.to_string(),
        3 => input.read_i64_le()?.to_string(),
        4 => format!("{:?}", input.read_string_set()?),
        5 => {
            let mut text = "before".to_owned();
            input.read_string_into(&mut text)?;
            text
        }
        n => {
            let mut bytes = vec![0; usize::from(n - 5) * 30];
            input.read_bytes(&mut bytes)?;
            format!("{bytes:?}")
        }
    })
}

impl Value {
    /// The written form is the one read, but for numbers with needless high bytes.
    fn written_again(&self, read: &[u8]) {
        let mut out = Vec::new();
        let written = match self {
            Self::Byte(value) => out.write_byte(*value),
            Self::Int(value) => out.write_i32(*value),
            Self::Long(value) => out.write_i64(*value),
            Self::VInt(value) => out.write_vint(*value),
            Self::VLong(value) if *value < 0 => return assert!(out.write_vlong(*value).is_err()),
            Self::VLong(value) => out.write_vlong(*value),
            Self::ZInt(value) => out.write_zint(*value),
            Self::ZLong(value) => out.write_zlong(*value),
            Self::Text(value) => out.write_string(value),
            Self::Other(_) => return,
        };
        written.expect("a vector takes anything");
        if out.len() == read.len() {
            return assert_eq!(out, read, "{self:?}");
        }
        // Only a variable-length number may be shorter than it was, and it must mean the same.
        assert!(out.len() < read.len(), "{self:?}");
        let mut back = SliceInput::new(&out);
        let same = match self {
            Self::VInt(value) => back.read_vint().ok() == Some(*value),
            Self::VLong(value) => back.read_vlong().ok() == Some(*value),
            Self::ZInt(value) => back.read_zint().ok() == Some(*value),
            Self::ZLong(value) => back.read_zlong().ok() == Some(*value),
            Self::Text(value) => back.read_str().ok() == Some(value),
            _ => false,
        };
        assert!(same, "{self:?} from {read:?} is written as {out:?}");
    }
}
