//! The character sets of a server.

/// A character set of a Firebird server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    /// `RDB$CHARACTER_SET_ID`: the low byte of a column's subtype.
    pub id: u8,
    /// `RDB$CHARACTER_SET_NAME`.
    pub name: &'static str,
    /// `RDB$BYTES_PER_CHARACTER`: the most that a character takes.
    pub bytes_per_char: u8,
}

impl Charset {
    /// No character set: bytes of which nobody knows what they mean. The length of a column is one
    /// of bytes.
    pub const NONE: Self = Self::new(0, "NONE", 1);
    /// Not text: bytes, filled up with zeros and not with blanks. Also named `BINARY`.
    pub const OCTETS: Self = Self::new(1, "OCTETS", 1);
    /// UTF-8 as everybody understands it.
    pub const UTF8: Self = Self::new(4, "UTF8", 4);

    const fn new(id: u8, name: &'static str, bytes_per_char: u8) -> Self {
        Self { id, name, bytes_per_char }
    }

    /// Whether text in this set is UTF-8 as it is: `ASCII` and `UTF8`.
    ///
    /// `UNICODE_FSS` is UTF-8 up to U+FFFF only. What lies above the server sends as two surrogates
    /// of three bytes each, and counts them as two characters; here that is malformed. Connect in
    /// UTF8 instead. The bytes of `NONE` may be anything: they are UTF-8 if those who wrote them
    /// wrote that.
    ///
    /// ```
    /// use utf8_runes::firebird::{Charset, charset};
    ///
    /// assert!(Charset::UTF8.is_utf8());
    /// assert!(!charset(53).unwrap().is_utf8()); // WIN1252
    /// ```
    #[must_use]
    pub const fn is_utf8(&self) -> bool {
        matches!(self.id, 2 | 4)
    }
}

/// The character set of an id, as `RDB$CHARACTER_SETS` of a Firebird 3.0 server has it. `None` for
/// an id that no set has; sets that somebody added to a server are not known either.
///
/// Bytes a character are the server's. The Firebird .NET provider has 2 for `KOI8R` and `KOI8U`,
/// which would halve the length of their columns.
///
/// ```
/// use utf8_runes::firebird::charset;
///
/// let koi8 = charset(63).unwrap();
/// assert_eq!((koi8.name, koi8.bytes_per_char), ("KOI8R", 1));
/// assert_eq!(charset(7), None);
/// ```
#[must_use]
pub fn charset(id: u8) -> Option<Charset> {
    let at = CHARSETS.binary_search_by_key(&id, |charset| charset.id).ok()?;
    CHARSETS.get(at).copied()
}

/// By id.
const CHARSETS: [Charset; 52] = [
    Charset::NONE,
    Charset::OCTETS,
    Charset::new(2, "ASCII", 1),
    Charset::new(3, "UNICODE_FSS", 3),
    Charset::UTF8,
    Charset::new(5, "SJIS_0208", 2),
    Charset::new(6, "EUCJ_0208", 2),
    Charset::new(9, "DOS737", 1),
    Charset::new(10, "DOS437", 1),
    Charset::new(11, "DOS850", 1),
    Charset::new(12, "DOS865", 1),
    Charset::new(13, "DOS860", 1),
    Charset::new(14, "DOS863", 1),
    Charset::new(15, "DOS775", 1),
    Charset::new(16, "DOS858", 1),
    Charset::new(17, "DOS862", 1),
    Charset::new(18, "DOS864", 1),
    Charset::new(19, "NEXT", 1),
    Charset::new(21, "ISO8859_1", 1),
    Charset::new(22, "ISO8859_2", 1),
    Charset::new(23, "ISO8859_3", 1),
    Charset::new(34, "ISO8859_4", 1),
    Charset::new(35, "ISO8859_5", 1),
    Charset::new(36, "ISO8859_6", 1),
    Charset::new(37, "ISO8859_7", 1),
    Charset::new(38, "ISO8859_8", 1),
    Charset::new(39, "ISO8859_9", 1),
    Charset::new(40, "ISO8859_13", 1),
    Charset::new(44, "KSC_5601", 2),
    Charset::new(45, "DOS852", 1),
    Charset::new(46, "DOS857", 1),
    Charset::new(47, "DOS861", 1),
    Charset::new(48, "DOS866", 1),
    Charset::new(49, "DOS869", 1),
    Charset::new(50, "CYRL", 1),
    Charset::new(51, "WIN1250", 1),
    Charset::new(52, "WIN1251", 1),
    Charset::new(53, "WIN1252", 1),
    Charset::new(54, "WIN1253", 1),
    Charset::new(55, "WIN1254", 1),
    Charset::new(56, "BIG_5", 2),
    Charset::new(57, "GB_2312", 2),
    Charset::new(58, "WIN1255", 1),
    Charset::new(59, "WIN1256", 1),
    Charset::new(60, "WIN1257", 1),
    Charset::new(63, "KOI8R", 1),
    Charset::new(64, "KOI8U", 1),
    Charset::new(65, "WIN1258", 1),
    Charset::new(66, "TIS620", 1),
    Charset::new(67, "GBK", 2),
    Charset::new(68, "CP943C", 2),
    Charset::new(69, "GB18030", 4),
];
