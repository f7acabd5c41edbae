//! Content-Disposition, written.

use super::fallback::{self, Scratch};
use super::{form_data, grammar};
use crate::arch::Counted;
use crate::error::BuildError;
use crate::ext_value;
use alloc::string::String;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// What a client saves the file as when it does not read `filename*`.
///
/// It is sent only beside a `filename*`: a name that can be sent as it is needs none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fallback<'a> {
    /// The name with one `_` for each scalar value that is not printable ASCII and for `"`, `\`,
    /// `/`, `%` and the `?` of `=?`: `四半期.pdf` gives `___.pdf`.
    #[default]
    Auto,
    /// This text. It must be able to stand alone: not empty, printable ASCII, without `"`, `\`,
    /// `/`, without `%` before two hexadecimal digits and without `=?`.
    Custom(&'a str),
    /// Nothing: `filename*` alone. curl, for one, then takes the name from the URL.
    None,
}

/// Builds the value of a Content-Disposition header (RFC 6266).
///
/// Every file name can be sent, whatever is in it, and nothing in it can end the parameter, add
/// another or break the line. What is wrong in what the *program* passes is said by
/// [`build`](Self::build); the setters never fail.
///
/// ```
/// use rfc5987::Builder;
///
/// let header = |name| Builder::attachment().filename(name).build();
/// assert_eq!(header("report 1.pdf")?, r#"attachment; filename="report 1.pdf""#);
/// assert_eq!(
///     header("Résumé.pdf")?,
///     r#"attachment; filename="R_sum_.pdf"; filename*=UTF-8''R%C3%A9sum%C3%A9.pdf"#,
/// );
/// # Ok::<(), rfc5987::BuildError>(())
/// ```
///
/// `filename` comes first and is always quoted, extra parameters follow, `filename*` is last: some
/// clients take the last of the two and some the first plain one, and this order is right for both.
#[derive(Debug, Clone)]
pub struct Builder<'a> {
    kind: Kind<'a>,
    /// The field of a form; with it, the names are written as browsers do.
    field: Option<&'a str>,
    filename: Option<&'a str>,
    language: Option<&'a str>,
    fallback: Fallback<'a>,
    params: SmallVec<[(&'a str, &'a str); 2]>,
}

/// What a header begins with. The common types are told apart, so that each is stored as a constant.
#[derive(Debug, Clone, Copy)]
enum Kind<'a> {
    Attachment,
    Inline,
    FormData,
    Other(&'a str),
}

impl<'a> Kind<'a> {
    #[inline]
    fn len(self) -> usize {
        match self {
            Self::Attachment => ATTACHMENT.len(),
            Self::Inline => INLINE.len(),
            Self::FormData => FORM_DATA.len(),
            Self::Other(kind) => kind.len(),
        }
    }

    #[inline]
    fn push(self, out: &mut String) {
        match self {
            Self::Attachment => out.push_str(ATTACHMENT),
            Self::Inline => out.push_str(INLINE),
            Self::FormData => out.push_str(FORM_DATA),
            Self::Other(kind) => out.push_str(kind),
        }
    }
}

/// What was found out while measuring.
struct Plan<'p> {
    filename: Filename<'p>,
    /// The name, when `filename*` is needed.
    ext: Option<Counted<'p>>,
    len: usize,
}

/// What stands in the quotes of `filename`.
enum Filename<'p> {
    /// There is no such parameter.
    Absent,
    /// The name, or its fallback.
    Text(&'p str),
    /// The fallback of a name that is too long for the scratch, of so many characters.
    Fallback { name: &'p str, len: usize, encoded_word: bool },
    /// The name in a form.
    Form(&'p str),
}

/// So many parameters are compared one by one, which takes no allocation.
const FEW: usize = 16;

const ATTACHMENT: &str = "attachment";
const INLINE: &str = "inline";
const FORM_DATA: &str = "form-data";
const NAME: &str = "; name=\"";
const FILENAME: &str = "; filename=\"";
const FILENAME_EXT: &str = "; filename*=";

impl<'a> Builder<'a> {
    /// `attachment`: to be saved.
    #[must_use]
    #[inline]
    pub fn attachment() -> Self {
        Self::of(Kind::Attachment)
    }

    /// `inline`: to be shown, and saved under this name if the user asks for it.
    #[must_use]
    #[inline]
    pub fn inline() -> Self {
        Self::of(Kind::Inline)
    }

    /// `form-data`: the header of one part of a `multipart/form-data` body, for the field `name`.
    ///
    /// Names are escaped as in [`form_data`](crate::form_data), with no `filename*`, which RFC 7578
    /// forbids; language and fallback have no effect.
    ///
    /// ```
    /// let part = rfc5987::Builder::form_data("file").filename("say \"é\".txt").build()?;
    /// assert_eq!(part, r#"form-data; name="file"; filename="say %22é%22.txt""#);
    /// # Ok::<(), rfc5987::BuildError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn form_data(name: &'a str) -> Self {
        Self { field: Some(name), ..Self::of(Kind::FormData) }
    }

    /// Another disposition type, written as it is given. For the parts of a form use
    /// [`form_data`](Self::form_data).
    ///
    /// # Errors
    /// [`BuildError::InvalidType`] when it is not a token (RFC 9110, section 5.6.2).
    pub fn new(r#type: &'a str) -> Result<Self, BuildError> {
        if grammar::is_token(r#type) {
            Ok(Self::of(Kind::Other(r#type)))
        } else {
            Err(BuildError::InvalidType)
        }
    }

    #[inline]
    fn of(kind: Kind<'a>) -> Self {
        Self {
            kind,
            field: None,
            filename: None,
            language: None,
            fallback: Fallback::Auto,
            params: SmallVec::new(),
        }
    }

    /// The name of the file: any text. It is sent as it is; a client that does not trust the sender
    /// takes the base name only.
    #[must_use]
    #[inline]
    pub fn filename(mut self, name: &'a str) -> Self {
        self.filename = Some(name);
        self
    }

    /// The language of the file name, written in `filename*` (where there is one).
    #[must_use]
    #[inline]
    pub fn language(mut self, language: &'a str) -> Self {
        self.language = Some(language);
        self
    }

    /// What clients get that do not read `filename*`; [`Fallback::Auto`] unless said.
    #[must_use]
    #[inline]
    pub fn fallback(mut self, fallback: Fallback<'a>) -> Self {
        self.fallback = fallback;
        self
    }

    /// An extra parameter such as `size`, in the order of the calls. The name is made of attr-chars
    /// and written in lower case; the value is printable ASCII and written as a quoted string, in a
    /// form escaped as a file name is.
    ///
    /// ```
    /// use rfc5987::Builder;
    ///
    /// let header = Builder::attachment().param("size", "4096").param("Note", "a \"b\"").build()?;
    /// assert_eq!(header, r#"attachment; size="4096"; note="a \"b\"""#);
    /// # Ok::<(), rfc5987::BuildError>(())
    /// ```
    #[must_use]
    pub fn param(mut self, name: &'a str, value: &'a str) -> Self {
        self.params.push((name, value));
        self
    }

    /// The value of the header, in one allocation of exactly the length (and one that is gone again,
    /// to compare more than 16 extra parameters).
    ///
    /// # Errors
    /// When an extra parameter, the language or a custom fallback is not as its setter says. No
    /// file name is an error.
    pub fn build(&self) -> Result<String, BuildError> {
        let mut scratch = Scratch::default();
        let plan = self.plan(&mut scratch)?;
        let mut out = String::with_capacity(plan.len);
        self.write(&plan, &mut out);
        Ok(out)
    }

    /// Appends the value of the header to `out`, which grows at most once.
    ///
    /// # Errors
    /// As [`build`](Self::build); `out` is unchanged then.
    pub fn append_to(&self, out: &mut String) -> Result<(), BuildError> {
        let mut scratch = Scratch::default();
        let plan = self.plan(&mut scratch)?;
        out.reserve(plan.len);
        self.write(&plan, out);
        Ok(())
    }

    /// Checks everything and measures.
    #[inline(always)]
    fn plan<'p>(&'p self, scratch: &'p mut Scratch) -> Result<Plan<'p>, BuildError> {
        self.check()?;
        let mut plan = Plan { filename: Filename::Absent, ext: None, len: self.kind.len() };
        if let Some(field) = self.field {
            plan.len += NAME.len() + form_data::escaped_len(field, true) + 1;
        }
        if !self.params.is_empty() {
            plan.len += self.params_len();
        }
        let Some(name) = self.filename else { return Ok(plan) };
        if self.field.is_some() {
            plan.filename = Filename::Form(name);
            plan.len += FILENAME.len() + form_data::escaped_len(name, false) + 1;
        } else if fallback::is_plain(name) {
            plan.filename = Filename::Text(name);
            plan.len += FILENAME.len() + name.len() + 1;
        } else {
            self.plan_extended(name, scratch, &mut plan);
        }
        Ok(plan)
    }

    /// Measures `filename*` and the fallback.
    #[inline(never)]
    fn plan_extended<'p>(&'p self, name: &'p str, scratch: &'p mut Scratch, plan: &mut Plan<'p>) {
        let (filename, len) = match self.fallback {
            Fallback::None => (Filename::Absent, None),
            Fallback::Custom(text) => (Filename::Text(text), Some(text.len())),
            Fallback::Auto => match fallback::short(name, scratch) {
                Some(text) => (Filename::Text(text), Some(text.len())),
                None => {
                    let len = fallback::fallback_len(name);
                    let encoded_word = name.contains("=?");
                    (Filename::Fallback { name, len, encoded_word }, Some(len))
                }
            },
        };
        plan.filename = filename;
        let ext = Counted::of(name.as_bytes());
        // What does not fit an address space cannot be allocated either.
        plan.len = plan
            .len
            .saturating_add(len.map_or(0, |len| FILENAME.len() + len + 1))
            .saturating_add(FILENAME_EXT.len())
            .saturating_add(ext_value::prefix_len(self.language.unwrap_or_default()))
            .saturating_add(ext.encoded_len());
        plan.ext = Some(ext);
    }

    #[inline(always)]
    fn check(&self) -> Result<(), BuildError> {
        if let Some(language) = self.language
            && !grammar::is_language(language)
        {
            return Err(BuildError::InvalidLanguage);
        }
        if let Fallback::Custom(text) = self.fallback
            && (text.is_empty() || !fallback::is_plain(text))
        {
            return Err(BuildError::InvalidFallback);
        }
        if self.params.is_empty() { Ok(()) } else { self.check_params() }
    }

    #[inline(never)]
    fn check_params(&self) -> Result<(), BuildError> {
        let repeat = self.first_repeat();
        for (index, (name, value)) in self.params.iter().enumerate() {
            if !grammar::is_parameter_name(name) {
                return Err(BuildError::InvalidParameterName { index });
            }
            if ["name", "filename"].iter().any(|own| name.eq_ignore_ascii_case(own)) {
                return Err(BuildError::ReservedParameterName { index });
            }
            if repeat == Some(index) {
                return Err(BuildError::RepeatedParameter { index });
            }
            if !grammar::is_printable(value) {
                return Err(BuildError::InvalidParameterValue { index });
            }
        }
        Ok(())
    }

    /// The first extra parameter that has the name of an earlier one.
    fn first_repeat(&self) -> Option<usize> {
        let name = |index: usize| self.params[index].0;
        let count = self.params.len();
        if count <= FEW {
            let known = |index| (0..index).any(|i| name(i).eq_ignore_ascii_case(name(index)));
            return (1..count).find(|index| known(*index));
        }
        // In order, equal names stand together, so that the time is not the square of their number.
        let lower = |index| name(index).bytes().map(|byte| byte.to_ascii_lowercase());
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_unstable_by(|a, b| lower(*a).cmp(lower(*b)).then(a.cmp(b)));
        let repeats = order.windows(2).filter(|pair| lower(pair[0]).eq(lower(pair[1])));
        repeats.map(|pair| pair[1]).min()
    }

    fn params_len(&self) -> usize {
        let value_len = |value: &str| match self.field {
            Some(_) => 2 + form_data::escaped_len(value, false),
            None => grammar::quoted_len(value),
        };
        let one = |(name, value): &(&str, &str)| "; =".len() + name.len() + value_len(value);
        self.params.iter().map(one).sum()
    }

    /// Writes what [`plan`](Self::plan) has measured.
    #[inline(always)]
    fn write(&self, plan: &Plan<'_>, out: &mut String) {
        self.kind.push(out);
        if let Some(field) = self.field {
            out.push_str(NAME);
            form_data::push(field, true, out);
            out.push('"');
        }
        if !matches!(plan.filename, Filename::Absent) {
            out.push_str(FILENAME);
            match plan.filename {
                Filename::Absent => {}
                Filename::Text(text) => out.push_str(text),
                Filename::Fallback { name, len, encoded_word } => {
                    fallback::append_fallback(name, len, encoded_word, out);
                }
                Filename::Form(name) => form_data::push(name, false, out),
            }
            out.push('"');
        }
        if !self.params.is_empty() {
            self.write_params(out);
        }
        if let Some(ext) = plan.ext {
            out.push_str(FILENAME_EXT);
            ext_value::push_prefix(self.language.unwrap_or_default(), out);
            ext.append_to(out);
        }
    }

    fn write_params(&self, out: &mut String) {
        for (name, value) in &self.params {
            out.push_str("; ");
            out.extend(name.chars().map(|char| char.to_ascii_lowercase()));
            out.push('=');
            if self.field.is_some() {
                // Readers of forms end a value at a `\"` that a `;` follows.
                out.push('"');
                form_data::push(value, false, out);
                out.push('"');
            } else {
                grammar::push_quoted(value, out);
            }
        }
    }
}
