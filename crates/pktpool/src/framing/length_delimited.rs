//! Any protocol whose packets begin with a length at a fixed place.

use super::{FrameError, FrameHead, Framing};

/// A framing by a length field at a fixed place; every packet ends its message.
///
/// [`default`](Self::default) is a length of 4 bytes, big-endian, which counts the bytes behind it,
/// and nothing else. The builder's functions are `const`, and every combination is a framing:
///
/// ```
/// use pktpool::{FrameHead, Framing, LengthDelimited};
///
/// /// A kind, 2 bytes of length, little-endian, of the packet as a whole, and 5 more of header.
/// const OURS: LengthDelimited =
///     LengthDelimited::new().kind_at(0).offset(1).width(2).little_endian().inclusive().header(8);
///
/// let head = OURS.decode(&[7, 10, 0, 0, 0, 0, 0, 0, b'h', b'i'])?.unwrap();
/// assert_eq!(head, FrameHead { header_len: 8, total_len: 10, end_of_message: true, kind: 7 });
///
/// // PostgreSQL's: the length counts itself, but not the byte before it.
/// let postgres = LengthDelimited::new().kind_at(0).offset(1).adjust(-4);
/// assert_eq!(postgres.decode(b"Z\0\0\0\x05I")?.unwrap().total_len, 6);
/// # Ok::<(), pktpool::FrameError>(())
/// ```
///
/// With `declared` the number in the field, a packet has `declared + adjustment` bytes when
/// [`inclusive`](Self::inclusive), and `header + declared + adjustment` when
/// [`exclusive`](Self::exclusive), where `header` ends behind the length field unless
/// [`header`](Self::header) says more. Fewer bytes than the header's are [`FrameError::BadLength`],
/// more than [`max_packet`](Self::max_packet) [`FrameError::PacketTooLarge`], both with `declared`.
/// A header of more than [`MAX_HEADER`](crate::MAX_HEADER) bytes is never complete, and a stream
/// refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthDelimited {
    offset: usize,
    width: u8,
    little_endian: bool,
    inclusive: bool,
    adjustment: i64,
    header: usize,
    kind_at: Option<usize>,
    max_packet: usize,
}

/// 4 bytes, big-endian, exclusive, without a limit of its own.
impl Default for LengthDelimited {
    fn default() -> Self {
        Self::new()
    }
}

impl LengthDelimited {
    /// The same as [`default`](Self::default), for constants.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            offset: 0,
            width: 4,
            little_endian: false,
            inclusive: false,
            adjustment: 0,
            header: 0,
            kind_at: None,
            max_packet: usize::MAX,
        }
    }

    /// Bytes of the length field, from 1 to 8; a number outside is taken as the nearest.
    #[must_use]
    pub const fn width(mut self, bytes: u8) -> Self {
        self.width = match bytes {
            0 => 1,
            9.. => 8,
            bytes => bytes,
        };
        self
    }

    /// The length's first byte is its lowest.
    #[must_use]
    pub const fn little_endian(mut self) -> Self {
        self.little_endian = true;
        self
    }

    /// The length's first byte is its highest, as by default.
    #[must_use]
    pub const fn big_endian(mut self) -> Self {
        self.little_endian = false;
        self
    }

    /// Bytes before the length field; 0 by default.
    #[must_use]
    pub const fn offset(mut self, bytes: usize) -> Self {
        self.offset = bytes;
        self
    }

    /// The length counts the whole packet, header included.
    #[must_use]
    pub const fn inclusive(mut self) -> Self {
        self.inclusive = true;
        self
    }

    /// The length counts the bytes behind the header, as by default.
    #[must_use]
    pub const fn exclusive(mut self) -> Self {
        self.inclusive = false;
        self
    }

    /// Added to every length, for those that count some of the header; 0 by default.
    #[must_use]
    pub const fn adjust(mut self, bytes: i64) -> Self {
        self.adjustment = bytes;
        self
    }

    /// Bytes of the header, when it goes on behind the length field; it always ends behind it.
    #[must_use]
    pub const fn header(mut self, bytes: usize) -> Self {
        self.header = bytes;
        self
    }

    /// Which byte of a packet's header is its `kind`; without it, `kind` is 0. The header reaches to
    /// that byte at least.
    #[must_use]
    pub const fn kind_at(mut self, offset: usize) -> Self {
        self.kind_at = Some(offset);
        self
    }

    /// The largest packet allowed, header included; none by default, so that
    /// [`Limits::max_packet`](crate::Limits::max_packet) decides.
    #[must_use]
    pub const fn max_packet(mut self, bytes: usize) -> Self {
        self.max_packet = bytes;
        self
    }

    /// The number in the length field; `None` when it is not there yet.
    #[inline]
    fn declared(&self, head: &[u8]) -> Option<u64> {
        let field = head.get(self.offset..)?.get(..self.width.into())?;
        let add = |length: u64, &byte: &u8| length << 8 | u64::from(byte);
        Some(if self.little_endian {
            field.iter().rev().fold(0, add)
        } else {
            field.iter().fold(0, add)
        })
    }

    #[inline]
    fn header_len(&self) -> usize {
        let kind = self.kind_at.map_or(0, |offset| offset.saturating_add(1));
        self.offset.saturating_add(self.width.into()).max(self.header).max(kind)
    }
}

impl Framing for LengthDelimited {
    #[inline]
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        let header_len = self.header_len();
        if head.len() < header_len {
            return Ok(None);
        }
        let Some(length) = self.declared(head) else { return Ok(None) };
        // Wide enough for any sum of a u64, an i64 and a usize.
        let base = if self.inclusive { 0 } else { header_len as i128 };
        let total = i128::from(length) + i128::from(self.adjustment) + base;
        if total < header_len as i128 {
            return Err(FrameError::BadLength { length });
        }
        match usize::try_from(total) {
            Ok(total_len) if total_len <= self.max_packet => {
                let kind = self.kind_at.and_then(|at| head.get(at).copied()).unwrap_or_default();
                Ok(Some(FrameHead { header_len, total_len, end_of_message: true, kind }))
            }
            _ => Err(FrameError::PacketTooLarge { length }),
        }
    }
}
