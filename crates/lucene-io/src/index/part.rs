//! A small file of an index, found whole before anything of it is parsed.

use crate::store::{FileInput, FileSlice};
use crate::{ChecksumInput, DataInput, Error, SliceInput, codec};
use core::ops::RangeInclusive;

/// More than any header that is looked for here.
const HEADER_MOST: usize = 64;

/// A format that a file may have.
pub(super) struct Format {
    /// The name in the header.
    pub(super) codec: &'static str,
    pub(super) versions: RangeInclusive<i32>,
    /// What ends a file of a version.
    pub(super) ending: fn(i32) -> Ending,
}

/// How a file ends.
#[derive(Clone, Copy)]
pub(super) enum Ending {
    /// With its last entry: Lucene before 4.8.
    Nothing,
    /// With the CRC-32 of all before it, in 8 bytes: `segments_N` before 4.8.
    Checksum,
    /// With a codec footer: Lucene 4.8.
    Footer,
}

impl Ending {
    fn len(self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Checksum => 8,
            Self::Footer => codec::FOOTER_LENGTH as u64,
        }
    }
}

/// The bytes between the header and the ending.
pub(super) struct Part {
    pub(super) codec: &'static str,
    pub(super) version: i32,
    pub(super) input: FileInput,
    name: &'static str,
}

impl Part {
    /// Finds which of `formats` a file has, verifies its checksum, where it has one, and reads what
    /// lies between the header and the ending, all of it: every version ends exactly where its last
    /// entry does, so that a flipped version cannot switch a footer off. `name` is for the errors.
    pub(super) fn read<T>(
        file: &FileSlice,
        name: &'static str,
        formats: &'static [Format],
        parse: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        Self::read_at(file, 0, name, formats, parse)
    }

    /// As [`read`](Self::read), of a file whose header does not stand at its beginning.
    pub(super) fn read_at<T>(
        file: &FileSlice,
        start: u64,
        name: &'static str,
        formats: &'static [Format],
        parse: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut part = Self::open(file, start, name, formats).map_err(Error::of_file)?;
        let value = parse(&mut part).map_err(Error::of_file)?;
        match part.input.bytes_left() {
            Some(0) => Ok(value),
            _ => Err(part.corrupt("bytes follow the last entry")),
        }
    }

    fn open(
        file: &FileSlice,
        start: u64,
        name: &'static str,
        formats: &'static [Format],
    ) -> Result<Self, Error> {
        let mut buffer = [0; HEADER_MOST];
        let len = file.len().checked_sub(start).ok_or(Error::Truncated)?;
        let head = &mut buffer[..len.min(HEADER_MOST as u64) as usize];
        file.read_at(start, head)?;

        let mut found = Err(Error::CodecMismatch);
        for format in formats {
            let mut input = SliceInput::new(head);
            match codec::check_header(&mut input, format.codec, format.versions.clone()) {
                Err(Error::CodecMismatch) => {}
                other => {
                    found = other.map(|version| (format, version, start + input.position()));
                    break;
                }
            }
        }
        let (format, version, header) = found?;

        let ending = (format.ending)(version);
        let body = match file.len().checked_sub(ending.len()) {
            Some(body) if body >= header => body,
            _ => return Err(Error::Truncated),
        };
        verify(file, body, ending)?;
        let mut input = file.slice(0, body)?.input();
        input.skip_bytes(header)?;
        Ok(Self { codec: format.codec, version, input, name })
    }

    pub(super) fn corrupt(&self, what: &'static str) -> Error {
        Error::Corrupt { file: self.name, what }
    }
}

/// Damage is a checksum failure before it is anything else.
fn verify(file: &FileSlice, body: u64, ending: Ending) -> Result<(), Error> {
    match ending {
        Ending::Nothing => Ok(()),
        Ending::Footer => file.checksum_entire_file().map(drop),
        Ending::Checksum => {
            let mut input = ChecksumInput::new(file.input());
            input.skip_bytes(body)?;
            let actual = input.checksum();
            let expected = u32::try_from(input.read_i64()?)
                .map_err(|_| Error::Corrupt { file: "segments", what: "checksum above 32 bits" })?;
            let same = expected == actual;
            if same { Ok(()) } else { Err(Error::ChecksumMismatch { expected, actual }) }
        }
    }
}
