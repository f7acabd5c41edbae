//! Values on their way to and from the client library: an `XSQLDA`, and the buffers that it points
//! to. Nothing here is unsafe; that the library may follow the pointers is what [`Row::area`] says.

/// A value without a length before it, as CHAR is described.
pub(super) const SQL_TEXT: i16 = 452;
/// A value behind its length in two bytes, as VARCHAR is described.
pub(super) const SQL_VARYING: i16 = 448;

/// The most columns or parameters of a statement here.
const COLUMNS: usize = 4;
/// The most bytes of a field: what `sqllen` can say, and the length before it.
const FIELD: usize = i16::MAX as usize + 2;

/// `XSQLVAR`, with the names, which are not looked at, as one block.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Var {
    kind: i16,
    scale: i16,
    subtype: i16,
    len: i16,
    data: *mut u8,
    indicator: *mut i16,
    /// Four times a length and 32 bytes.
    names: [[i16; 17]; 4],
}

/// `XSQLDA` with room for [`COLUMNS`].
#[repr(C)]
#[derive(Debug)]
pub(super) struct Area {
    version: i16,
    id: [u8; 8],
    size: i32,
    /// How many `vars` there are, and how many of them are used.
    room: i16,
    used: i16,
    vars: [Var; COLUMNS],
}

/// The values of a row or of parameters: what the library is told of them, and their bytes.
#[derive(Debug)]
pub(super) struct Row {
    area: Box<Area>,
    /// Eight bytes each, so that a number would be aligned too.
    data: [Box<[u64]>; COLUMNS],
    indicators: [i16; COLUMNS],
}

impl Row {
    /// Of no columns.
    pub(super) fn new() -> Self {
        let none = std::ptr::null_mut();
        let var = Var {
            kind: SQL_TEXT,
            scale: 0,
            subtype: 0,
            len: 0,
            data: none,
            indicator: std::ptr::null_mut(),
            names: [[0; 17]; 4],
        };
        let area = Area {
            version: 1,
            id: [0; 8],
            size: 0,
            room: COLUMNS as i16,
            used: 0,
            vars: [var; COLUMNS],
        };
        let data = std::array::from_fn(|_| vec![0; FIELD.div_ceil(8)].into());
        Self { area: Box::new(area), data, indicators: [0; COLUMNS] }
    }

    /// Type without the bit for NULL, subtype and length of a column, as described.
    pub(super) fn described(&self, column: usize) -> (i16, i16, usize) {
        let var = &self.area.vars[column];
        (var.kind & !1, var.subtype, usize::try_from(var.len).unwrap_or(0))
    }

    /// Has a column sent as another type; the library converts.
    pub(super) fn coerce(&mut self, column: usize, kind: i16, len: i16) {
        let var = &mut self.area.vars[column];
        (var.kind, var.len) = (kind | 1, len.max(0));
    }

    /// A parameter: the bytes of its field, with the length before it for a [`SQL_VARYING`]. False
    /// when it is too long or says that it is longer than it is.
    pub(super) fn set(&mut self, column: usize, kind: i16, charset: i16, field: &[u8]) -> bool {
        let text = match (kind, field.split_first_chunk()) {
            (SQL_VARYING, Some((len, text)))
                if usize::from(u16::from_ne_bytes(*len)) <= text.len() =>
            {
                text
            }
            (SQL_VARYING, _) => return false,
            _ => field,
        };
        let Ok(len) = i16::try_from(text.len()) else { return false };
        self.coerce(column, kind, len);
        self.area.vars[column].subtype = charset;
        self.indicators[column] = 0;
        let data: &mut [u8] = bytemuck::cast_slice_mut(&mut self.data[column]);
        data[..field.len()].copy_from_slice(field);
        true
    }

    /// A value's bytes as they came, the length of a [`SQL_VARYING`] included; none for NULL.
    pub(super) fn field(&self, column: usize) -> Option<&[u8]> {
        let (kind, _, len) = self.described(column);
        let whole = if kind == SQL_VARYING { len + 2 } else { len };
        let field: &[u8] = bytemuck::cast_slice(&self.data[column]);
        (self.indicators[column] >= 0).then(|| &field[..whole])
    }

    /// Whether no more columns are described than there is room for.
    pub(super) fn has_room(&self) -> bool {
        self.area.used <= self.area.room
    }

    /// The area, whose pointers lead to buffers for any type that it can name: none takes more
    /// than [`FIELD`] bytes. Made anew for every call, so that nothing has been borrowed since.
    pub(super) fn area(&mut self) -> *mut Area {
        let fields = self.data.iter_mut().zip(&mut self.indicators);
        for (var, (data, indicator)) in self.area.vars.iter_mut().zip(fields) {
            var.data = data.as_mut_ptr().cast();
            var.indicator = indicator;
        }
        &raw mut *self.area
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    // As a C compiler lays ibase.h out on a 64-bit target.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn layouts_are_those_of_the_c_header() {
        assert_eq!(size_of::<Var>(), 160);
        assert_eq!((offset_of!(Var, data), offset_of!(Var, names)), (8, 24));
        assert_eq!((offset_of!(Area, size), offset_of!(Area, room)), (12, 16));
        assert_eq!((offset_of!(Area, used), offset_of!(Area, vars)), (18, 24));
    }

    #[test]
    fn a_parameter_must_be_as_long_as_it_says() {
        let mut row = Row::new();
        assert!(row.set(0, SQL_VARYING, 4, &[2, 0, 0xC3, 0xA9]));
        assert_eq!(row.field(0), Some(&[2, 0, 0xC3, 0xA9][..]));
        assert!(row.set(0, SQL_TEXT, 4, b"abc"));
        assert_eq!(row.field(0), Some(&b"abc"[..]));
        assert!(row.set(1, SQL_VARYING, 4, &[0; 32_769]));
        assert_eq!(row.field(1).map(<[u8]>::len), Some(32_769));
        assert!(!row.set(1, SQL_VARYING, 4, &[0; 32_770]));
        assert!(!row.set(1, SQL_TEXT, 4, &[b'x'; 32_768]));
        assert!(!row.set(1, SQL_VARYING, 4, &[3, 0, b'a', b'b']));
        assert!(!row.set(1, SQL_VARYING, 4, b"a"));
    }
}
