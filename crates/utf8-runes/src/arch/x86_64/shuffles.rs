//! How shuffles bring together the bytes that UTF-8 has of units: the places to take them from, with
//! zeros (0x80) behind.

/// Of eight units of two bytes each: a bit for each that keeps the second.
pub(super) static SHORT: [[u8; 16]; 256] = rows(false);

/// Of four units of four bytes each, of which the second is nothing: two bits for each, that it
/// keeps the first, and the last.
pub(super) static LONG: [[u8; 16]; 256] = rows(true);

/// Of eight units: a bit for each that is kept.
pub(super) static UNITS: [[u8; 16]; 256] = unit_rows();

const fn unit_rows() -> [[u8; 16]; 256] {
    let mut rows = [[0x80; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut len = 0;
        let mut unit = 0;
        while unit < 8 {
            if mask >> unit & 1 != 0 {
                rows[mask][len] = 2 * unit;
                rows[mask][len + 1] = 2 * unit + 1;
                len += 2;
            }
            unit += 1;
        }
        mask += 1;
    }
    rows
}

const fn rows(long: bool) -> [[u8; 16]; 256] {
    let mut rows = [[0x80; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut len = 0;
        let mut place = 0;
        while place < 16 {
            let kept = match (long, place % 4) {
                (true, 0) => mask >> (place / 2) & 1 != 0,
                (true, 1) => false,
                (true, 3) => mask >> (place / 2) & 1 != 0,
                (false, 1 | 3) => mask >> (place / 2) & 1 != 0,
                _ => true,
            };
            if kept {
                rows[mask][len] = place as u8;
                len += 1;
            }
            place += 1;
        }
        mask += 1;
    }
    rows
}
