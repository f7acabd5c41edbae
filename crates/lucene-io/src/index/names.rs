//! How files are named after segments and generations; after `org.apache.lucene.index.IndexFileNames`.

use std::format;
use std::string::String;
use std::vec::Vec;

const RADIX: u32 = 36;

/// A file of a segment, as in `_0.fdt`.
pub(crate) fn file_name(segment: &str, extension: &str) -> String {
    format!("{segment}.{extension}")
}

/// A file of a segment that is written anew in generations, as in `_0_1.del`; `None` below 0,
/// where there is none.
pub(super) fn generation_name(segment: &str, generation: i64, extension: &str) -> Option<String> {
    match u64::try_from(generation).ok()? {
        0 => Some(file_name(segment, extension)),
        generation => Some(format!("{segment}_{}.{extension}", base36(generation))),
    }
}

/// The file of a commit: `segments_N`, and `segments` for generation 0.
pub(super) fn commit_name(generation: u64) -> String {
    match generation {
        0 => "segments".into(),
        generation => format!("segments_{}", base36(generation)),
    }
}

/// The generation of a commit by the name of its file; `None` for every other file.
pub(super) fn commit_generation(name: &str) -> Option<u64> {
    let rest = name.strip_prefix("segments")?;
    let generation = match rest.strip_prefix('_') {
        Some(digits) => i64::from_str_radix(digits, RADIX).ok()?,
        None => 0,
    };
    let generation = u64::try_from(generation).ok()?;
    // Names that Java would not give back are nobody's: `segments_01`, `segments_A`, `segments.gen`.
    (commit_name(generation) == name).then_some(generation)
}

/// The number of a segment: Java finds the next free name from it.
pub(crate) fn segment_number(name: &str) -> Option<i32> {
    let digits = name.strip_prefix('_')?;
    if digits.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()) {
        // A sign is no digit.
        return i32::from_str_radix(digits, RADIX).ok();
    }
    None
}

fn base36(mut value: u64) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = char::from_digit((value % u64::from(RADIX)) as u32, RADIX);
        digits.push(digit.unwrap_or('0'));
        value /= u64::from(RADIX);
        if value == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// Whether a file is named as one of a segment's: `_1.fdt` and `_1_3.del` are of `_1`, and `_10.fdt`
/// is not.
pub(super) fn is_of(segment: &str, file: &str) -> bool {
    file.strip_prefix(segment).is_some_and(|rest| rest.starts_with(['.', '_']))
}

/// What is wrong where a segment names another file. Lucene 4 writes no such thing; it would be
/// verified, carried over and missed in the place of the other segment's.
pub(super) const FOREIGN: &str = "a file of another segment";
