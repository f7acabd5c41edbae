//! The slow shape of the story, and the published fix. Both check the bytes with the standard
//! library, which Go's strings do not need and Rust's do.

/// SQLite's bytes copied into a buffer, the buffer copied again into the string. The story's
/// compiler keeps a buffer of up to 32 bytes on the stack.
#[inline]
pub(crate) fn twice(bytes: &[u8]) -> String {
    const ON_STACK: usize = 32;
    if bytes.len() <= ON_STACK {
        let mut buffer = [0; ON_STACK];
        let buffer = &mut buffer[..bytes.len()];
        buffer.copy_from_slice(bytes);
        std::str::from_utf8(buffer).expect("the input is text").to_owned()
    } else {
        let buffer = bytes.to_vec();
        std::str::from_utf8(&buffer).expect("the input is text").to_owned()
    }
}

/// The string is laid over the first copy.
#[inline]
pub(crate) fn once(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the input is text")
}
