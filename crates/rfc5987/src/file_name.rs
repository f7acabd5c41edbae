//! Names that came from a peer, and what is left of them that can be used for a file.

use alloc::borrow::Cow;
use alloc::string::String;

/// A file name that a peer chose: anything at all, such as `../../.ssh/x`, `C:\x`, `nul`, or a name
/// that a bidirectional mark shows in another order than it has.
///
/// ```
/// use rfc5987::{Policy, UntrustedFileName};
///
/// let policy = Policy::default();
/// let name = UntrustedFileName::new("../../.ssh/id?.txt");
/// assert!(!name.is_safe());
/// assert_eq!(name.sanitized(&policy).as_deref(), Some("id_.txt"));
/// assert_eq!(UntrustedFileName::new("..").sanitized(&policy), None);
/// ```
#[derive(Debug, Clone)]
pub struct UntrustedFileName<'a> {
    raw: Cow<'a, str>,
}

/// What a name may be: one that all common file systems take, no longer than a number of bytes.
///
/// Of the name, the part behind the last `/` or `\` counts. In it, `_` stands for each of
/// `: * ? " < > |`, for each control character and for each mark that changes the direction of text
/// (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). Dots and blanks at the end go. A
/// name that Windows takes for a device, such as `con.txt`, gets a `_` in front. A name that is too
/// long is cut between characters, before its extension if that leaves room.
#[derive(Debug, Clone)]
pub struct Policy {
    max_bytes: usize,
}

impl Default for Policy {
    /// At most 255 bytes, the limit of most file systems.
    fn default() -> Self {
        Self { max_bytes: 255 }
    }
}

impl Policy {
    /// The same with another limit, in bytes of UTF-8.
    #[must_use]
    pub const fn max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes }
    }
}

impl<'a> UntrustedFileName<'a> {
    /// Takes a name in, decoded but otherwise as it came.
    #[must_use]
    pub fn new(raw: impl Into<Cow<'a, str>>) -> Self {
        Self { raw: raw.into() }
    }

    /// The name as it came. To show it or to compare it, not to open it.
    #[must_use]
    pub fn as_raw(&self) -> &str {
        &self.raw
    }

    /// Whether the default [`Policy`] would leave the name as it is.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        self.sanitized(&Policy::default()).is_some_and(|name| *name == *self.raw)
    }

    /// The name as `policy` allows it; `None` when nothing is left. What it gives, it gives again
    /// for its own result. Borrowed when it is a piece of the name.
    ///
    /// Two names can become one: where that matters, do not overwrite.
    #[must_use]
    pub fn sanitized(&self, policy: &Policy) -> Option<Cow<'_, str>> {
        sanitized(&self.raw, policy)
    }

    /// The same as [`sanitized`](Self::sanitized), for a result that outlives this value: borrowed
    /// from what the name itself was borrowed from, and a name that stays as it is keeps its room.
    ///
    /// ```
    /// use rfc5987::{ContentDisposition, Policy};
    ///
    /// fn local_name(header: &[u8]) -> Option<String> {
    ///     let name = ContentDisposition::parse(header).ok()?.untrusted_file_name()?;
    ///     Some(name.into_sanitized(&Policy::default().max_bytes(64))?.into_owned())
    /// }
    /// assert_eq!(local_name(b"attachment; filename=\"../a?.txt\"").as_deref(), Some("a_.txt"));
    /// ```
    #[must_use]
    pub fn into_sanitized(self, policy: &Policy) -> Option<Cow<'a, str>> {
        let raw = match self.raw {
            Cow::Borrowed(raw) => return sanitized(raw, policy),
            Cow::Owned(raw) => raw,
        };
        let name = sanitized(&raw, policy)?;
        let other =
            (name.len() != raw.len() || matches!(name, Cow::Owned(_))).then(|| name.into_owned());
        Some(Cow::Owned(other.unwrap_or(raw)))
    }
}

fn sanitized<'n>(raw: &'n str, policy: &Policy) -> Option<Cow<'n, str>> {
    let start = raw.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let name = trim_end(&raw[start..]);
    let name = match name.contains(is_forbidden) {
        true => Cow::Owned(replaced(name)),
        false => Cow::Borrowed(name),
    };
    let mut name = fit(name, policy.max_bytes);
    if is_device(&name) {
        name = fit(Cow::Owned(["_", &name].concat()), policy.max_bytes);
    }
    (!name.is_empty()).then_some(name)
}

fn trim_end(name: &str) -> &str {
    name.trim_end_matches(['.', ' '])
}

fn is_forbidden(char: char) -> bool {
    matches!(
        char,
        ':' | '*' | '?' | '"' | '<' | '>' | '|'
            | '\u{61C}' | '\u{200E}' | '\u{200F}'
            | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    ) || char.is_control()
}

fn replaced(name: &str) -> String {
    // A mark is never longer than what it stands for.
    let mut out = String::with_capacity(name.len());
    out.extend(name.chars().map(|char| if is_forbidden(char) { '_' } else { char }));
    out
}

/// Whether Windows takes the name for a device: by what is before the first dot.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_matches(' ');
    let numbered = || {
        let (kind, number) = stem.split_at_checked(3)?;
        let number = number.strip_prefix(|c| matches!(c, '1'..='9' | '¹' | '²' | '³'))?;
        let known = ["COM", "LPT"].iter().any(|device| kind.eq_ignore_ascii_case(device));
        Some(known && number.is_empty())
    };
    let plain = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    plain.iter().any(|device| stem.eq_ignore_ascii_case(device)) || numbered() == Some(true)
}

/// The name cut to the limit, again without a dot or a blank at its end.
fn fit(name: Cow<'_, str>, max_bytes: usize) -> Cow<'_, str> {
    if name.len() <= max_bytes {
        return name;
    }
    if let Some((stem, extension)) = split_extension(&name)
        && let Some(room) = max_bytes.checked_sub(extension.len())
    {
        let stem = utf8_runes::prefix_bytes(stem, room);
        if !stem.is_empty() {
            return Cow::Owned([stem, extension].concat());
        }
    }
    let len = trim_end(utf8_runes::prefix_bytes(&name, max_bytes)).len();
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(&name[..len]),
        Cow::Owned(mut name) => {
            name.truncate(len);
            Cow::Owned(name)
        }
    }
}

/// A name and its extension, which has the dot; a dot in front begins none.
fn split_extension(name: &str) -> Option<(&str, &str)> {
    let dot = name.rfind('.').filter(|dot| *dot > 0)?;
    Some(name.split_at(dot))
}
