//! Documents as the tests hold them.

use lucene_io::index::{self, Target};
use lucene_io::store::RamDirectory;
use lucene_io::stored::{
    Compression, Document, DocumentWriter, FieldRef, Reader, Value, Verify, Visit, Writer,
};
use lucene_io::{Error, IndexOutput};

pub(crate) const COMPRESSIONS: [Compression; 3] =
    [Compression::LuceneExact, Compression::Fast, Compression::Literals];

/// A value that can be compared, NaN too.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Owned {
    String(String),
    Bytes(Vec<u8>),
    I32(i32),
    I64(i64),
    F32(u32),
    F64(u64),
}

impl From<Value<'_>> for Owned {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::String(text) => Self::String(text.into()),
            Value::Bytes(bytes) => Self::Bytes(bytes.into()),
            Value::I32(value) => Self::I32(value),
            Value::I64(value) => Self::I64(value),
            Value::F32(value) => Self::F32(value.to_bits()),
            Value::F64(value) => Self::F64(value.to_bits()),
        }
    }
}

impl From<&str> for Owned {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

pub(crate) type Doc = Vec<(String, Owned)>;

/// A document of these fields.
pub(crate) fn doc<N: Into<String>, V: Into<Owned>>(
    fields: impl IntoIterator<Item = (N, V)>,
) -> Doc {
    fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}

pub(crate) fn add<O: IndexOutput>(doc: &mut DocumentWriter<O>, name: &str, value: &Owned) {
    match value {
        Owned::String(text) => doc.string(name, text),
        Owned::Bytes(bytes) => doc.bytes(name, bytes),
        Owned::I32(value) => doc.i32(name, *value),
        Owned::I64(value) => doc.i64(name, *value),
        Owned::F32(value) => doc.f32(name, f32::from_bits(*value)),
        Owned::F64(value) => doc.f64(name, f64::from_bits(*value)),
    };
}

/// An index of one segment, `_0`.
pub(crate) fn write(docs: &[Doc], compression: Compression) -> RamDirectory {
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", compression).unwrap();
    for fields in docs {
        let doc = writer.start_document().unwrap();
        for (name, value) in fields {
            add(doc, name, value);
        }
        doc.end().unwrap();
    }
    let segment = writer.finish().unwrap();
    assert_eq!(segment.doc_count() as usize, docs.len());
    index::write_commit(&dir, &[segment], Target::Lucene410).unwrap();
    dir
}

pub(crate) fn open(dir: &RamDirectory) -> Reader {
    Reader::open(dir, "_0", Verify::OnOpen).unwrap()
}

pub(crate) fn collect(field: FieldRef<'_>) -> (String, Owned) {
    (field.name.into(), field.value.into())
}

pub(crate) fn visit(reader: &mut Reader, doc: u32) -> Result<Doc, Error> {
    let mut fields = Doc::new();
    reader.visit(doc, |field| {
        fields.push(collect(field));
        Visit::Next
    })?;
    Ok(fields)
}

pub(crate) fn own(document: &Document) -> Doc {
    document.fields().map(collect).collect()
}

pub(crate) fn read_all(reader: &mut Reader) -> Result<Vec<Doc>, Error> {
    (0..reader.doc_count()).map(|doc| visit(reader, doc)).collect()
}

/// The same every time; xorshift.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn bytes(&mut self, len: usize, max: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(max) as u8).collect()
    }

    /// Scalar values of every width.
    pub(crate) fn text(&mut self, most: usize) -> String {
        let len = self.below(most + 1);
        let mut any = || match self.below(4) {
            0 => char::from_u32(self.below(0x11_0000) as u32).unwrap_or('\u{FFFD}'),
            1 => char::from_u32(0x80 + self.below(0x780) as u32).unwrap_or('é'),
            _ => char::from(b' ' + self.below(95) as u8),
        };
        (0..len).map(|_| any()).collect()
    }

    pub(crate) fn value(&mut self, most: usize) -> Owned {
        match self.below(8) {
            0 => Owned::I32(self.next() as i32),
            1 => Owned::I64(self.next() as i64),
            2 => Owned::F32(self.next() as u32),
            3 => Owned::F64(self.next()),
            4 => {
                let len = self.below(most + 1);
                Owned::Bytes(self.bytes(len, 256))
            }
            _ => Owned::String(self.text(most)),
        }
    }

    pub(crate) fn docs(&mut self, count: usize, fields: usize, most: usize) -> Vec<Doc> {
        let mut one = || {
            let count = self.below(fields + 1);
            (0..count).map(|_| (format!("f{}", self.below(fields)), self.value(most))).collect()
        };
        (0..count).map(|_| one()).collect()
    }
}
