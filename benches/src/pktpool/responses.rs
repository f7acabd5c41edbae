//! What a server of TDS answers, as bytes: for this runner and for that of the drivers under benches/peers,
//! which has no `pktpool`.

/// Bytes of a packet of an answer.
const PACKET: usize = 8000;
/// Bytes of the large value.
pub(super) const LARGE: usize = 10_000_000;
/// Rows of the other answer.
pub(super) const ROWS: usize = 20_000;

/// `message` in packets.
fn packets(message: &[u8]) -> Vec<u8> {
    let mut wire = Vec::with_capacity(message.len() + message.len() / 500 + 8);
    let count = message.chunks(PACKET - 8).len();
    for (at, data) in message.chunks(PACKET - 8).enumerate() {
        wire.extend([0x04, u8::from(at + 1 == count)]);
        wire.extend((8 + data.len() as u16).to_be_bytes());
        wire.extend([0, 0, at as u8 + u8::from(at < 255), 0]);
        wire.extend(data);
    }
    wire
}

/// Text with its length in UTF-16 units, as a byte.
fn b_varchar(text: &str) -> Vec<u8> {
    let mut bytes = vec![text.encode_utf16().count() as u8];
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}

/// A token with its length.
fn token(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut token = vec![kind];
    token.extend((body.len() as u16).to_le_bytes());
    token.extend(body);
    token
}

fn done(status: u16, rows: u64) -> Vec<u8> {
    let mut token = vec![0xFD];
    token.extend(status.to_le_bytes());
    token.extend(0xC1_u16.to_le_bytes());
    token.extend(rows.to_le_bytes());
    token
}

fn columns(columns: &[(&str, &[u8])]) -> Vec<u8> {
    let mut token = vec![0x81];
    token.extend((columns.len() as u16).to_le_bytes());
    for (name, kind) in columns {
        token.extend([0, 0, 0, 0, 9, 0]);
        token.extend(*kind);
        token.extend(b_varchar(name));
    }
    token
}

const INT: &[u8] = &[0x26, 4];
const VARBINARY_MAX: &[u8] = &[0xA5, 0xFF, 0xFF];
const VARBINARY_80: &[u8] = &[0xA5, 80, 0];

/// The answer to a query of one row: 1, [`LARGE`] bytes, 2.
pub(super) fn large_value() -> Vec<u8> {
    let mut message = columns(&[("a", INT), ("value", VARBINARY_MAX), ("z", INT)]);
    message.extend([0xD1, 4, 1, 0, 0, 0]);
    message.extend((LARGE as u64).to_le_bytes());
    // One chunk, and the one of no bytes that ends it.
    message.extend((LARGE as u32).to_le_bytes());
    message.extend((0..LARGE).map(|i| (i * 7 + (i >> 8) * 13) as u8));
    message.extend([0, 0, 0, 0]);
    message.extend([4, 2, 0, 0, 0]);
    message.extend(done(0x10, 1));
    packets(&message)
}

/// The answer to a query of [`ROWS`] rows of an integer and up to 80 bytes.
pub(super) fn small_rows() -> Vec<u8> {
    let mut message = columns(&[("id", INT), ("name", VARBINARY_80)]);
    for id in 0..ROWS as u32 {
        let name = &[b'a' + (id % 26) as u8; 80][..id as usize * 7 % 81];
        message.extend([0xD1, 4]);
        message.extend(id.to_le_bytes());
        message.extend((name.len() as u16).to_le_bytes());
        message.extend(name);
    }
    message.extend(done(0x10, ROWS as u64));
    packets(&message)
}

/// The answer to PRELOGIN: a version, and no encryption.
#[allow(dead_code, reason = "for the drivers, which log in")]
pub(super) fn prelogin() -> Vec<u8> {
    let options: [(u8, &[u8]); 5] =
        [(0, &[16, 0, 0x07, 0xD0, 0, 0]), (1, &[2]), (2, &[0]), (3, &[]), (4, &[0])];
    let (mut table, mut data) = (Vec::new(), Vec::<u8>::new());
    for (option, value) in options {
        table.push(option);
        table.extend((5 * options.len() as u16 + 1 + data.len() as u16).to_be_bytes());
        table.extend((value.len() as u16).to_be_bytes());
        data.extend(value);
    }
    table.push(0xFF);
    table.extend(data);
    packets(&table)
}

/// The answer to LOGIN7.
#[allow(dead_code, reason = "for the drivers, which log in")]
pub(super) fn login() -> Vec<u8> {
    let size = PACKET.to_string();
    let mut message = token(0xE3, &[&[4][..], &b_varchar(&size), &b_varchar("4096")].concat());
    let version = [1, 0x74, 0, 0, 4];
    let program = b_varchar("Microsoft SQL Server");
    message.extend(token(0xAD, &[&version[..], &program, &[16, 0, 0x07, 0xD0]].concat()));
    message.extend(done(0, 0));
    packets(&message)
}
