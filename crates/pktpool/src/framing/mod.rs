//! How a protocol marks where a packet ends.

mod length_delimited;
pub mod mysql;
pub mod postgres;
pub mod smp;
pub mod tds;

pub use length_delimited::LengthDelimited;

use alloc::boxed::Box;
use core::fmt;

/// The header bytes that a framing is shown, at most: a header that does not end within them is
/// refused.
pub const MAX_HEADER: usize = 1024;

/// A protocol's packet header.
///
/// ```
/// use pktpool::{FrameError, FrameHead, Framing};
///
/// /// One byte of length, then so many bytes.
/// struct Netstring8;
///
/// impl Framing for Netstring8 {
///     fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
///         Ok(head.first().map(|&length| FrameHead {
///             header_len: 1,
///             total_len: 1 + usize::from(length),
///             end_of_message: true,
///             kind: 0,
///         }))
///     }
/// }
/// # assert_eq!(Netstring8.decode(&[2]).unwrap().unwrap().total_len, 3);
/// ```
pub trait Framing {
    /// Reads the header of the packet whose first bytes, up to [`MAX_HEADER`] of them and often more
    /// than the header, are in `head`. `None`: more header bytes are needed. More bytes must not
    /// change an answer other than `None`, nor may other ones behind `header_len`: those of now may
    /// be gone when the header is read again.
    ///
    /// # Errors
    /// When the bytes are no header, or declare a length that cannot be or is over a limit.
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError>;
}

/// A framing that is chosen while the program runs.
impl<F: Framing + ?Sized> Framing for &F {
    #[inline]
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        (**self).decode(head)
    }
}

/// A framing that is chosen while the program runs, and owned.
impl<F: Framing + ?Sized> Framing for Box<F> {
    #[inline]
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        (**self).decode(head)
    }
}

/// What a header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameHead {
    /// Bytes before the payload.
    pub header_len: usize,
    /// Bytes of the packet, header included.
    pub total_len: usize,
    /// Whether the packet is the last of its message.
    pub end_of_message: bool,
    /// What kind of packet it is, in the protocol's own numbers.
    pub kind: u8,
}

/// Why bytes are no header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameError {
    /// The declared length is impossible, such as one below the header's own.
    BadLength {
        /// The length as declared.
        length: u64,
    },
    /// The declared length is over the framing's limit.
    PacketTooLarge {
        /// The length as declared.
        length: u64,
    },
    /// Another fault.
    BadHeader,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::Error::from(*self).fmt(f)
    }
}

impl core::error::Error for FrameError {}

/// A length as this machine counts; one that it cannot count is too large for it.
#[inline]
fn fits(length: u64) -> Result<usize, FrameError> {
    usize::try_from(length).map_err(|_| FrameError::PacketTooLarge { length })
}
