//! Compound files, made by hand and damaged: every file in them lies where the table says.

use super::files::{Opaque, Source, damage, footed, get, put, seal};
use lucene_io::store::{CompoundDirectory, Directory, RamDirectory, check_name};
use lucene_io::stored::{Reader, Verify, Visit};
use lucene_io::{DataInput, DataOutput, Error, codec};

/// A `.cfs` of a few files, and its table; or any bytes behind their headers.
pub fn compound(data: &[u8]) {
    let mut source = Source(data);
    let how = source.byte();
    let version = i32::from(how & 1);
    let dir = RamDirectory::new();
    let (mut data, mut table) = (Vec::new(), Vec::new());
    codec::write_header(&mut data, "CompoundFileWriterData", version).expect("a codec's name");
    codec::write_header(&mut table, "CompoundFileWriterEntries", version).expect("a codec's name");
    let end = |file: Vec<u8>| if version == 1 { footed(file) } else { file };
    let mut files = Vec::new();
    if how & 2 == 0 {
        for i in 0..how >> 4 {
            let n = usize::from(source.byte() % 64);
            files.push((format!("_0.{}{i}", ["fd", "f_", ""][usize::from(i) % 3]), source.take(n)));
        }
        table.write_vint(files.len() as i32).expect("a vector");
        for (name, bytes) in &files {
            table.write_string(&name[2..]).expect("a vector");
            table.write_i64(data.len() as i64).expect("a vector");
            table.write_i64(bytes.len() as i64).expect("a vector");
            data.extend_from_slice(bytes);
        }
        (data, table) = (end(data), end(table));
        put(&dir, "_0.cfs", &data);
        put(&dir, "_0.cfe", &table);
        let opened = CompoundDirectory::open(&dir, "_0", Verify::OnOpen).expect("as written");
        assert_eq!(opened.list_all().expect("in memory").len(), files.len());
        for (name, bytes) in &files {
            assert_eq!(opened.file_length(name).expect("in the table"), bytes.len() as u64);
            assert_eq!(read(&opened, name), *bytes);
        }
        while !source.is_empty() {
            let name = ["_0.cfs", "_0.cfe"][usize::from(source.byte() % 2)];
            let mut bytes = get(&dir, name);
            let before = bytes.clone();
            let changed = damage(&mut bytes, &mut source);
            let bit = bytes.len() == before.len()
                && bytes.iter().zip(&before).filter(|(a, b)| a != b).count() == 1;
            put(&dir, name, &bytes);
            if changed && bit && version == 1 && how & 12 == 0 {
                let opened = CompoundDirectory::open(&dir, "_0", Verify::OnOpen);
                return assert!(opened.is_err(), "one byte is always found");
            }
            if version == 1 && how & 4 == 0 {
                seal(&mut bytes, true);
                put(&dir, name, &bytes);
            }
        }
    } else {
        let n = source.two();
        table.extend_from_slice(source.take(n));
        data.extend_from_slice(source.0);
        put(&dir, "_0.cfs", &end(data));
        put(&dir, "_0.cfe", &end(table));
    }
    all(&dir);
}

fn all(dir: &RamDirectory) {
    let text = |result: &Result<_, Error>| match result {
        Ok(opened) => format!("{opened:?}"),
        Err(error) => error.to_string(),
    };
    let [verified, opened] = [Verify::OnOpen, Verify::Lazy].map(|verify| {
        let opened = CompoundDirectory::open(dir, "_0", verify);
        assert_eq!(text(&opened), text(&CompoundDirectory::open(&Opaque(dir), "_0", verify)));
        opened
    });
    let Ok(opened) = opened else { return assert!(verified.is_err()) };
    let whole = get(dir, "_0.cfs");
    let names = opened.list_all().expect("in memory");
    assert!(names.is_sorted());
    let mut all = 0;
    for name in &names {
        check_name(name).expect("a name that leads nowhere else");
        let bytes = read(&opened, name);
        assert_eq!(opened.file_length(name).expect("in the table"), bytes.len() as u64);
        assert!(bytes.is_empty() || whole.windows(bytes.len()).any(|part| part == bytes));
        all += bytes.len();
    }
    assert!(all <= whole.len(), "no byte is in two files");
    assert!(opened.open_file("_0.none").is_err() && opened.open_file("../x").is_err());
    assert!(opened.delete_file("_0.fdt").is_err() && opened.create_output("_0.new").is_err());
    // Whatever lies in it may be a segment.
    if let Ok(mut reader) = Reader::open(dir, "_0", Verify::OnOpen) {
        let _ = reader.visit(0, |_| Visit::Next);
    }
}

/// All of a file, twice.
fn read(dir: &CompoundDirectory, name: &str) -> Vec<u8> {
    let file = dir.open_file(name).expect("in the table");
    let mut bytes = vec![0; file.len() as usize];
    file.read_at(0, &mut bytes).expect("in the file");
    let mut input = dir.open_input(name).expect("in the table");
    let mut again = vec![0; bytes.len()];
    input.read_bytes(&mut again).expect("in the file");
    assert_eq!(bytes, again);
    assert!(input.read_byte().is_err(), "it ends there");
    bytes
}
