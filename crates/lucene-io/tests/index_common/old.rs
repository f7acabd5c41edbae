//! The files of a commit as each Lucene of the 4 series wrote them.

use lucene_io::{DataOutput, IndexOutput, codec};
use std::collections::BTreeMap;

/// What each Lucene of the 4 series wrote of a segment with three fields, two documents, one of
/// them deleted; typed from their formats. Versions of `segments_N`, `.si`, `.fnm` are given.
pub struct Old {
    pub segments: i32,
    pub info: (&'static str, i32),
    pub fields: (&'static str, i32),
    pub codec: &'static str,
}

pub const OLD: [Old; 5] = [
    // 4.0, 4.1
    Old {
        segments: 0,
        info: ("Lucene40SegmentInfo", 0),
        fields: ("Lucene40FieldInfos", 0),
        codec: "Lucene40",
    },
    // 4.2 to 4.5
    Old {
        segments: 0,
        info: ("Lucene40SegmentInfo", 0),
        fields: ("Lucene42FieldInfos", 0),
        codec: "Lucene42",
    },
    // 4.6, 4.7
    Old {
        segments: 1,
        info: ("Lucene46SegmentInfo", 0),
        fields: ("Lucene46FieldInfos", 0),
        codec: "Lucene46",
    },
    // 4.8
    Old {
        segments: 2,
        info: ("Lucene46SegmentInfo", 1),
        fields: ("Lucene46FieldInfos", 1),
        codec: "Lucene46",
    },
    // 4.9, 4.10
    Old {
        segments: 3,
        info: ("Lucene46SegmentInfo", 1),
        fields: ("Lucene46FieldInfos", 2),
        codec: "Lucene410",
    },
];

impl Old {
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        BTreeMap::from([
            ("_0.fnm".into(), self.fields(&[(0, "id"), (2, "größe"), (1, "")], 0x13, -1)),
            ("_0.si".into(), self.info(2, &["_0.fdt", "_0.fdx", "_0.fnm", "_0.si"])),
            ("segments_1".into(), self.segments("_0", (1, 1), &[])),
        ])
    }

    pub fn fields(&self, fields: &[(i32, &str)], types: u8, generation: i64) -> Vec<u8> {
        let mut out = Vec::new();
        codec::write_header(&mut out, self.fields.0, self.fields.1).unwrap();
        out.write_vint(fields.len() as i32).unwrap();
        for &(number, name) in fields {
            out.write_string(name).unwrap();
            out.write_vint(number).unwrap();
            out.write_bytes(&[0x51, types]).unwrap();
            if self.fields.0 == "Lucene46FieldInfos" {
                out.write_i64(generation).unwrap();
            }
            out.write_string_string_map([("key", "value")]).unwrap();
        }
        if self.fields.1 >= 1 {
            codec::write_footer(&mut out).unwrap();
        }
        out
    }

    pub fn info(&self, docs: i32, files: &[&str]) -> Vec<u8> {
        let mut out = Vec::new();
        codec::write_header(&mut out, self.info.0, self.info.1).unwrap();
        out.write_string("4.0").unwrap();
        out.write_i32(docs).unwrap();
        out.write_byte(0xFF).unwrap();
        out.write_string_string_map([("os", "any"), ("source", "flush")]).unwrap();
        if self.info.0 == "Lucene40SegmentInfo" {
            out.write_string_string_map([("attribute", "of old")]).unwrap();
        }
        out.write_string_set(files.iter().copied()).unwrap();
        if self.info.1 >= 1 {
            codec::write_footer(&mut out).unwrap();
        }
        out
    }

    pub fn segments(&self, name: &str, deletes: (i64, i32), updates: &[&str]) -> Vec<u8> {
        self.commit(3, name, deletes, updates, 1)
    }

    /// `deletes`: generation and count; `updates`: files of generation 5 of field infos, so many
    /// times.
    pub fn commit(
        &self,
        counter: i32,
        name: &str,
        deletes: (i64, i32),
        updates: &[&str],
        times: i32,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        codec::write_header(&mut out, "segments", self.segments).unwrap();
        out.write_i64(7).unwrap();
        out.write_i32(counter).unwrap();
        out.write_i32(1).unwrap();
        out.write_string(name).unwrap();
        out.write_string(self.codec).unwrap();
        out.write_i64(deletes.0).unwrap();
        out.write_i32(deletes.1).unwrap();
        let generation = if updates.is_empty() { -1 } else { 5 };
        if self.segments >= 1 {
            out.write_i64(generation).unwrap();
        }
        if self.segments == 3 {
            out.write_i64(generation).unwrap();
            out.write_string_set([]).unwrap();
        }
        if self.segments >= 1 {
            let times = if updates.is_empty() { 0 } else { times };
            out.write_i32(times).unwrap();
            for _ in 0..times {
                match self.segments {
                    3 => out.write_i32(0).unwrap(),
                    _ => out.write_i64(5).unwrap(),
                }
                out.write_string_set(updates.iter().copied()).unwrap();
            }
        }
        out.write_string_string_map([("by", "hand")]).unwrap();
        if self.segments >= 2 {
            codec::write_footer(&mut out).unwrap();
        } else {
            let checksum = out.checksum();
            out.write_i64(checksum.into()).unwrap();
        }
        out
    }
}
