//! Content-Disposition, written.

use super::fallback::{self, Form};
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
    kind: &'a str,
    /// The field of a form; with it, the names are written as browsers do.
    field: Option<&'a str>,
    filename: Option<&'a str>,
    language: Option<&'a str>,
    fallback: Fallback<'a>,
    params: SmallVec<[(&'a str, &'a str); 2]>,
}

/// What was found out about the name while measuring.
struct Plan<'a> {
    form: Form,
    fallback_len: usize,
    /// The name, when `filename*` is needed.
    ext: Option<Counted<'a>>,
    len: usize,
}

/// So many parameters are compared one by one, which takes no allocation.
const FEW: usize = 16;

const FILENAME: &str = "; filename=\"";
const FILENAME_EXT: &str = "; filename*=";

impl<'a> Builder<'a> {
    /// `attachment`: to be saved.
    #[must_use]
    #[inline]
    pub fn attachment() -> Self {
        Self::of("attachment")
    }

    /// `inline`: to be shown, and saved under this name if the user asks for it.
    #[must_use]
    #[inline]
    pub fn inline() -> Self {
        Self::of("inline")
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
        Self { field: Some(name), ..Self::of("form-data") }
    }

    /// Another disposition type, written as it is given. For the parts of a form use
    /// [`form_data`](Self::form_data).
    ///
    /// # Errors
    /// [`BuildError::InvalidType`] when it is not a token (RFC 9110, section 5.6.2).
    pub fn new(r#type: &'a str) -> Result<Self, BuildError> {
        if grammar::is_token(r#type) { Ok(Self::of(r#type)) } else { Err(BuildError::InvalidType) }
    }

    #[inline]
    fn of(kind: &'a str) -> Self {
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
    /// and written in lower case; the value is printable ASCII and written as a quoted string.
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
        let plan = self.plan()?;
        let mut out = String::with_capacity(plan.len);
        self.write(&plan, &mut out);
        Ok(out)
    }

    /// Appends the value of the header to `out`, which grows at most once.
    ///
    /// # Errors
    /// As [`build`](Self::build); `out` is unchanged then.
    pub fn append_to(&self, out: &mut String) -> Result<(), BuildError> {
        let plan = self.plan()?;
        out.reserve(plan.len);
        self.write(&plan, out);
        Ok(())
    }

    /// Checks everything and measures.
    fn plan(&self) -> Result<Plan<'a>, BuildError> {
        self.check()?;
        let mut plan = Plan { form: Form::Plain, fallback_len: 0, ext: None, len: self.kind.len() };
        if let Some(field) = self.field {
            plan.len += "; name=\"\"".len() + form_data::escaped_len(field, true);
        }
        if !self.params.is_empty() {
            plan.len += self.params_len();
        }
        let Some(name) = self.filename else { return Ok(plan) };
        if self.field.is_some() {
            plan.len += FILENAME.len() + form_data::escaped_len(name, false) + 1;
            return Ok(plan);
        }
        plan.form = fallback::form_of(name);
        if plan.form == Form::Plain {
            plan.len += FILENAME.len() + name.len() + 1;
            return Ok(plan);
        }
        plan.fallback_len = match self.fallback {
            Fallback::Auto => fallback::fallback_len(name),
            Fallback::Custom(text) => text.len(),
            Fallback::None => 0,
        };
        if !matches!(self.fallback, Fallback::None) {
            plan.len += FILENAME.len() + plan.fallback_len + 1;
        }
        plan.len += FILENAME_EXT.len() + ext_value::prefix_len(self.language.unwrap_or_default());
        let ext = Counted::of(name.as_bytes());
        plan.len += ext.encoded_len();
        plan.ext = Some(ext);
        Ok(plan)
    }

    fn check(&self) -> Result<(), BuildError> {
        if let Some(language) = self.language
            && !grammar::is_language(language)
        {
            return Err(BuildError::InvalidLanguage);
        }
        if let Fallback::Custom(text) = self.fallback
            && (text.is_empty() || fallback::form_of(text) != Form::Plain)
        {
            return Err(BuildError::InvalidFallback);
        }
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
        let one =
            |(name, value): &(&str, &str)| "; =".len() + name.len() + grammar::quoted_len(value);
        self.params.iter().map(one).sum()
    }

    /// Writes what [`plan`](Self::plan) has measured.
    fn write(&self, plan: &Plan<'_>, out: &mut String) {
        out.push_str(self.kind);
        if let Some(field) = self.field {
            out.push_str("; name=\"");
            form_data::push(field, true, out);
            out.push('"');
        }
        if let Some(name) = self.filename {
            self.write_filename(name, plan, out);
        }
        for (name, value) in &self.params {
            out.push_str("; ");
            out.extend(name.chars().map(|char| char.to_ascii_lowercase()));
            out.push('=');
            grammar::push_quoted(value, out);
        }
        if let Some(ext) = plan.ext {
            out.push_str(FILENAME_EXT);
            ext_value::push_prefix(self.language.unwrap_or_default(), out);
            ext.append_to(out);
        }
    }

    fn write_filename(&self, name: &str, plan: &Plan<'_>, out: &mut String) {
        if plan.form != Form::Plain && matches!(self.fallback, Fallback::None) {
            return;
        }
        out.push_str(FILENAME);
        match (plan.form, self.fallback) {
            (Form::Extended { encoded_word }, Fallback::Auto) => {
                fallback::append_fallback(name, plan.fallback_len, encoded_word, out);
            }
            (Form::Extended { .. }, Fallback::Custom(text)) => out.push_str(text),
            _ if self.field.is_some() => form_data::push(name, false, out),
            _ => out.push_str(name),
        }
        out.push('"');
    }
}
