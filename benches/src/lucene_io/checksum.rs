//! The checksum of a whole file, which is compared when a segment is opened.

use crate::registry::Registry;
use lucene_io::codec;

pub(super) fn register(registry: &mut Registry) {
    for (name, len) in
        [("lucene-io/checksum/file-16-kib", 16 << 10), ("lucene-io/checksum/file-7-mb", 7_506_215)]
    {
        registry
            .case(name, move || file(len))
            .variant("after", |file| codec::checksum_entire_file(file).expect("it is sound"))
            .variant("crc32fast", |file| crc32fast::hash(&file[..file.len() - 8]))
            .variant("crc", |file| CRC.checksum(&file[..file.len() - 8]));
    }
}

/// Sixteen bytes a step, from a table of 16 KiB: the quickest that it has.
static CRC: crc::Crc<u32, crc::Table<16>> =
    crc::Crc::<u32, crc::Table<16>>::new(&crc::CRC_32_ISO_HDLC);

/// A file of random bytes with its footer.
fn file(len: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(len as u64);
    let mut file: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(len - 16).collect();
    codec::write_footer(&mut file).expect("a vector takes everything");
    file
}
