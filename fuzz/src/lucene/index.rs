//! Commits: `segments_N`, `.si` and `.fnm`, made by the crate or of any bytes, damaged and sealed.

use super::files::{Opaque, Source, damage, get, put, seal};
use lucene_io::index::{self, Commit, Target};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Compression, Reader, Verify, Writer};
use lucene_io::{DataOutput, Error, codec};

/// The codecs whose stored fields are read, all but that of Lucene 4.0.
const KNOWN: [&str; 6] = ["Lucene41", "Lucene42", "Lucene45", "Lucene46", "Lucene49", "Lucene410"];

/// An index of a few segments, damaged; or files of any bytes behind their headers.
pub fn index(data: &[u8]) {
    let mut source = Source(data);
    let how = source.byte();
    let dir = RamDirectory::new();
    let target = if how & 1 == 0 { Target::Lucene410 } else { Target::Lucene46 };
    let segments: Vec<_> = ["_0", "_z"].into_iter().take(1 + usize::from(how >> 1 & 1)).collect();
    let mut made = Vec::new();
    for name in &segments {
        let mut writer = Writer::create(&dir, name, Compression::Fast).expect("a new segment");
        for i in 0..source.byte() % 4 {
            let field = ["a", "b", "Größe"][usize::from(i) % 3];
            let doc = writer.start_document().expect("none is open");
            doc.i32(field, i32::from(i)).string("text", "some").end().expect("fields that fit");
        }
        made.push(writer.finish().expect("none is open"));
    }
    index::write_commit(&dir, &made, target).expect("the first commit");
    let before = index::read_commit(&dir).expect("as written");
    assert_eq!(before.segments().len(), segments.len());
    all(&dir, target);

    let names = ["segments_2", "_0.si", "_0.fnm", "_0.fdx"];
    if how & 4 == 0 {
        while !source.is_empty() {
            let which = source.byte();
            let name = names[usize::from(which % 4)].replace("_2", "_1");
            let mut bytes = get(&dir, &name);
            let whole = bytes.clone();
            let changed = damage(&mut bytes, &mut source);
            let bit = bytes.len() == whole.len()
                && bytes.iter().zip(&whole).filter(|(a, b)| a != b).count() == 1;
            put(&dir, &name, &bytes);
            if changed && bit && how & 8 == 0 {
                let found = index::check(&dir).expect("there is a commit");
                return assert!(found.iter().any(|(_, result)| result.is_err()), "{name}");
            }
            if how & 0x10 == 0 {
                seal(&mut bytes, which & 0x80 == 0);
                put(&dir, &name, &bytes);
            }
        }
    } else {
        invented(&dir, &mut source);
    }
    all(&dir, target);
}

/// Each file: a header that is right, any bytes, a checksum as the version has it.
fn invented(dir: &RamDirectory, source: &mut Source<'_>) {
    let codecs = [
        ("segments_1", "segments", 4),
        ("_0.si", "Lucene46SegmentInfo", 2),
        ("_0.si", "Lucene40SegmentInfo", 1),
        ("_0.fnm", "Lucene46FieldInfos", 3),
        ("_0.fnm", "Lucene42FieldInfos", 1),
        ("_0.fnm", "Lucene40FieldInfos", 1),
    ];
    while !source.is_empty() {
        let which = source.byte();
        let (name, codec, versions) = codecs[usize::from(which & 15) % codecs.len()];
        let version = i32::from(which >> 4 & 3) % versions;
        let mut bytes = Vec::new();
        codec::write_header(&mut bytes, codec, version).expect("a codec's name");
        let n = usize::from(source.byte());
        bytes.extend_from_slice(source.take(n));
        let (footer, checksum) = match codec {
            "segments" => (version >= 2, true),
            "Lucene46SegmentInfo" => (version >= 1, version >= 1),
            "Lucene46FieldInfos" => (version >= 1, version >= 1),
            _ => (false, false),
        };
        if checksum {
            bytes.write_bytes(&[0; 16][..if footer { 16 } else { 8 }]).expect("a vector");
            seal(&mut bytes, footer);
        }
        put(dir, name, &bytes);
    }
}

/// What is read can be committed again and is then the same; files in memory and others read alike.
fn all(dir: &RamDirectory, target: Target) {
    let read = index::read_commit(dir);
    assert_eq!(shown(&read), shown(&index::read_commit(&Opaque(dir))));
    let report = index::check(dir).expect("there is a commit");
    let opaque = index::check(&Opaque(dir)).expect("there is a commit");
    assert_eq!(format!("{report:?}"), format!("{opaque:?}"));
    let (first, result) = report.first().expect("the commit itself");
    assert!(first.starts_with("segments_"));
    let Ok(commit) = read else { return };
    assert!(result.is_ok(), "it was read");
    // A segment all of whose files are good can be read.
    if report.iter().all(|(_, result)| result.is_ok()) {
        for segment in commit.segments() {
            let known = KNOWN.contains(&segment.codec());
            let opened = Reader::open(dir, segment.name(), Verify::OnOpen);
            assert!(opened.is_ok() || !known, "{opened:?}");
        }
    }
    for segment in commit.segments() {
        // Every name of a field is there once, by number.
        let fields: Vec<_> = segment.fields().collect();
        assert!(fields.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(segment.deleted_count() <= segment.doc_count());
    }
    for target in [target, Target::Lucene410, Target::Lucene46] {
        let files = dir.list_all().expect("memory");
        match index::write_commit(dir, commit.segments(), target) {
            Ok(()) => {
                let again = index::read_commit(dir).expect("just written");
                assert_eq!(again.generation(), commit.generation() + 1);
                assert_eq!(segments(&again), segments(&commit));
                assert_eq!(again.user_data(), commit.user_data());
                // As it was.
                let new = dir.list_all().expect("memory");
                let new: Vec<_> = new.iter().filter(|name| !files.contains(name)).collect();
                assert_eq!(new.len(), 1, "{new:?}");
                dir.delete_file(new[0]).expect("just written");
            }
            Err(_) => assert_eq!(dir.list_all().expect("memory"), files, "nothing is left behind"),
        }
    }
}

fn shown(commit: &Result<Commit, Error>) -> String {
    match commit {
        Ok(commit) => format!("{commit:?}"),
        Err(error) => error.to_string(),
    }
}

/// All that can be asked of segments.
fn segments(commit: &Commit) -> Vec<String> {
    let shown = commit.segments().iter().map(|segment| {
        format!(
            "{} {} {} {} {} {:?}",
            segment.name(),
            segment.doc_count(),
            segment.deleted_count(),
            segment.is_compound(),
            segment.codec(),
            segment.fields().collect::<Vec<_>>()
        )
    });
    shown.collect()
}
