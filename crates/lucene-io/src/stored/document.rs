//! A document of its own.

use super::{FieldRef, Value};
use crate::index::field_infos::FieldNames;
use core::fmt;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

/// The stored fields of a document, read and checked: all text in one `String`, all bytes in one
/// `Vec`, the fields in another. Three allocations at most, however many fields there are.
///
/// ```
/// # use lucene_io::{index, store::RamDirectory, stored::{Options, Reader, Value, Verify, Writer}};
/// # let dir = RamDirectory::new();
/// # let mut writer = Writer::create(&dir, "_0", Options::default())?;
/// # writer.start_document()?.string("title", "Faust").i32("year", 1808).end()?;
/// # index::write_commit(&dir, &[writer.finish()?], index::Target::Lucene410)?;
/// let document = Reader::open(&dir, "_0", Verify::OnOpen)?.document(0)?;
/// assert_eq!(document.get("year"), Some(Value::I32(1808)));
/// for field in document.fields() {
///     println!("{} = {:?}", field.name, field.value);
/// }
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone)]
pub struct Document {
    names: Arc<FieldNames>,
    text: String,
    bytes: Vec<u8>,
    fields: Vec<(u32, Slot)>,
    /// How many bytes it has in the file.
    len: usize,
}

/// A value, or where it lies.
#[derive(Clone, Copy)]
enum Slot {
    /// From there to the next text.
    String(u32, u32),
    Bytes(u32, u32),
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.fields().map(|field| (field.name, field.value))).finish()
    }
}

impl Document {
    /// Room for so many fields, which together have so many bytes in the file.
    pub(super) fn new(names: Arc<FieldNames>, fields: usize, len: usize) -> Self {
        // A field has two bytes at least, whatever count is declared.
        let fields = Vec::with_capacity(fields.min(len / 2));
        Self { names, text: String::new(), bytes: Vec::new(), fields, len }
    }

    /// Adds a field; false when it does not fit, as only replaced text may be too long.
    pub(super) fn push(&mut self, field: FieldRef<'_>) -> bool {
        let slot = match field.value {
            Value::String(text) => {
                let Some((start, end)) = range(self.text.len(), text.len()) else { return false };
                if start == 0 {
                    // All the document is an upper bound, but for text that is replaced.
                    self.text.reserve_exact(self.len);
                }
                self.text.push_str(text);
                Slot::String(start, end)
            }
            Value::Bytes(bytes) => {
                let Some((start, end)) = range(self.bytes.len(), bytes.len()) else { return false };
                if start == 0 {
                    self.bytes.reserve_exact(self.len - self.text.len().min(self.len));
                }
                self.bytes.extend_from_slice(bytes);
                Slot::Bytes(start, end)
            }
            Value::I32(value) => Slot::I32(value),
            Value::I64(value) => Slot::I64(value),
            Value::F32(value) => Slot::F32(value),
            Value::F64(value) => Slot::F64(value),
        };
        self.fields.push((field.number, slot));
        true
    }

    /// The fields in the order in which they were written.
    pub fn fields(&self) -> impl Iterator<Item = FieldRef<'_>> {
        self.fields.iter().map(|&(number, slot)| FieldRef {
            number,
            name: self.names.name(number).unwrap_or_default(),
            value: self.value(slot),
        })
    }

    /// The first value of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value<'_>> {
        self.fields().find(|field| field.name == name).map(|field| field.value)
    }

    fn value(&self, slot: Slot) -> Value<'_> {
        // Each place is one of `push`.
        match slot {
            Slot::String(start, end) => {
                Value::String(self.text.get(start as usize..end as usize).unwrap_or_default())
            }
            Slot::Bytes(start, end) => {
                Value::Bytes(self.bytes.get(start as usize..end as usize).unwrap_or_default())
            }
            Slot::I32(value) => Value::I32(value),
            Slot::I64(value) => Value::I64(value),
            Slot::F32(value) => Value::F32(value),
            Slot::F64(value) => Value::F64(value),
        }
    }
}

/// The next `len` bytes behind `start`.
fn range(start: usize, len: usize) -> Option<(u32, u32)> {
    Some((u32::try_from(start).ok()?, u32::try_from(start + len).ok()?))
}
