//! ASP.NET Core's `filename*` before its fix and after it, in Rust.

/// What both begin with, in a builder that grows from 16.
const PREFIX: &str = "UTF-8''";

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// The characters of an HTTP token, looked up as upstream does.
static TOKEN: [bool; 128] = {
    let mut table = [false; 128];
    let mut byte = 0x21;
    while byte < 0x7F {
        table[byte] = !matches!(
            byte as u8,
            b'(' | b')'
                | b'<'
                | b'>'
                | b'@'
                | b','
                | b';'
                | b':'
                | b'\\'
                | b'"'
                | b'/'
                | b'['
                | b']'
                | b'?'
                | b'='
                | b'{'
                | b'}'
        );
        byte += 1;
    }
    table
};

fn builder() -> String {
    let mut builder = String::with_capacity(16);
    builder.push_str(PREFIX);
    builder
}

fn push_escape(byte: u8, builder: &mut String) {
    builder.push('%');
    builder.push(char::from(HEX[usize::from(byte >> 4)]));
    builder.push(char::from(HEX[usize::from(byte & 15)]));
}

/// The slow shape: the whole name to an array of bytes, each of which is tested and pushed.
pub(crate) fn ext_value(name: &str) -> String {
    let bytes = name.as_bytes().to_vec();
    let mut builder = builder();
    for byte in bytes {
        if byte > 0x7F || !TOKEN[usize::from(byte)] || matches!(byte, b'*' | b'\'' | b'%') {
            push_escape(byte, &mut builder);
        } else {
            builder.push(char::from(byte));
        }
    }
    builder
}

/// The bytes that need no escape: the search values of the fix.
static SAFE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = TOKEN[byte] && !matches!(byte as u8, b'*' | b'\'' | b'%');
        byte += 1;
    }
    table
};

fn is_safe(byte: u8) -> bool {
    SAFE[usize::from(byte)]
}

/// The length of the safe run at the front. Upstream's search is vectorised; over a name's length
/// one lookup a byte is as quick, measured against blocks of 16 in vector registers.
fn safe_run(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !is_safe(*byte)).unwrap_or(bytes.len())
}

/// The published fix: a vectorised search for the run that needs no escape, which is copied whole,
/// and for the run that does, which is written rune by rune; into the same growing builder.
pub(super) fn ext_value_fixed(name: &str) -> String {
    let mut builder = builder();
    let mut rest = name;
    while !rest.is_empty() {
        let run = safe_run(rest.as_bytes());
        builder.push_str(&rest[..run]);
        rest = &rest[run..];
        let escaped = rest.bytes().position(is_safe).unwrap_or(rest.len());
        for rune in rest[..escaped].chars() {
            for byte in rune.encode_utf8(&mut [0; 4]).bytes() {
                push_escape(byte, &mut builder);
            }
        }
        rest = &rest[escaped..];
    }
    builder
}
