//! The cases of `tests/data`, each through every function that it concerns.

mod each_tier;

use each_tier::each_tier;
use rfc5987::{Builder, ExtValue, Fallback, Policy, UntrustedFileName, compat};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus<T> {
    case: Vec<T>,
}

fn load<T: DeserializeOwned>(text: &str) -> Vec<T> {
    toml::from_str::<Corpus<T>>(text).expect("the corpus is TOML of this shape").case
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Encode {
    name: String,
    text: Option<String>,
    octets: Option<String>,
    chars: String,
}

#[test]
fn encode() {
    each_tier(encode_cases);
}

fn encode_cases() {
    for case in load::<Encode>(include_str!("data/encode.toml")) {
        let name = &case.name;
        let octets: Vec<u8> = match (&case.text, &case.octets) {
            (Some(text), None) => text.clone().into_bytes(),
            (None, Some(hex)) => {
                hex.split(' ').map(|octet| u8::from_str_radix(octet, 16).unwrap()).collect()
            }
            _ => panic!("{name}: text or octets"),
        };
        let len = case.chars.len();
        assert_eq!(rfc5987::encoded_len(&octets), len, "{name}");
        let mut buffer = vec![0xAA; len + 5];
        assert_eq!(rfc5987::encode_into(&octets, &mut buffer), Ok(&*case.chars), "{name}");
        assert_eq!(buffer[len..], [0xAA; 5], "{name}");
        if len > 0 {
            let mut short = vec![0xAA; len - 1];
            let error = rfc5987::encode_into(&octets, &mut short).unwrap_err();
            assert_eq!(error.needed, len, "{name}");
            assert!(short.iter().all(|byte| *byte == 0xAA), "{name}");
        }
        let Some(text) = &case.text else { continue };
        let encoded = rfc5987::encode(text);
        assert_eq!(encoded, case.chars, "{name}");
        assert_eq!(matches!(encoded, Cow::Borrowed(_)), *text == case.chars, "{name}");
        let mut out = String::from("é");
        rfc5987::encode_append(text, &mut out);
        assert_eq!(out, format!("é{}", case.chars), "{name}");
        assert_eq!(rfc5987::decode(&case.chars).as_deref(), Ok(&**text), "{name}");
        let ext = format!("UTF-8''{}", case.chars);
        assert_eq!(ExtValue::new(text).to_string(), ext, "{name}");
        assert_eq!(String::from(ExtValue::new(text)), ext, "{name}");
        assert_eq!(ExtValue::parse(&ext).unwrap().value(), text, "{name}");
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decode {
    name: String,
    chars: String,
    text: Option<String>,
    error: Option<String>,
    offset: Option<usize>,
    lossy: Option<String>,
}

#[test]
fn decode() {
    each_tier(decode_cases);
}

fn decode_cases() {
    for case in load::<Decode>(include_str!("data/decode.toml")) {
        let name = &case.name;
        match (rfc5987::decode(&case.chars), &case.text) {
            (Ok(decoded), Some(text)) => {
                assert_eq!(decoded, **text, "{name}");
                let same = *text == case.chars;
                assert_eq!(matches!(decoded, Cow::Borrowed(_)), same, "{name}");
            }
            (Err(error), None) => {
                assert_eq!(Some(format!("{:?}", error.kind())), case.error, "{name}");
                assert_eq!(Some(error.offset()), case.offset, "{name}");
            }
            (got, _) => panic!("{name}: {got:?}"),
        }
        let lossy = case.lossy.or(case.text).expect("text or lossy");
        let decoded = rfc5987::decode_lossy(&case.chars);
        assert_eq!(decoded, lossy, "{name}");
        assert_eq!(matches!(decoded, Cow::Borrowed(_)), lossy == case.chars, "{name}");
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ext {
    name: String,
    input: String,
    charset: Option<String>,
    language: Option<String>,
    value: Option<String>,
    error: Option<String>,
    lenient: Option<String>,
    lenient_error: Option<String>,
    /// What the feature makes of it, where that is something else.
    encoding_rs: Option<String>,
    encoding_rs_error: Option<String>,
    encoding_rs_lenient: Option<String>,
}

impl Ext {
    /// As this build reads it.
    fn of_this_build(mut self) -> Self {
        if cfg!(feature = "encoding_rs") {
            if self.encoding_rs.is_some() {
                (self.value, self.error) = (self.encoding_rs.take(), None);
            }
            if self.encoding_rs_error.is_some() {
                self.error = self.encoding_rs_error.take();
                self.lenient = self.encoding_rs_lenient.take();
            }
        }
        self
    }
}

#[test]
fn ext_value() {
    each_tier(ext_value_cases);
}

fn ext_value_cases() {
    for case in load::<Ext>(include_str!("data/ext_value.toml")) {
        let case = case.of_this_build();
        let name = &case.name;
        let charset = case.charset.as_deref().unwrap_or("UTF-8");
        let strict = ExtValue::parse(&case.input);
        match (&strict, &case.value) {
            (Ok(ext), Some(value)) => {
                assert_eq!(ext.value(), value, "{name}");
                assert_eq!(ext.charset(), charset, "{name}");
                assert_eq!(ext.language(), case.language.as_deref(), "{name}");
                let again = ext.to_string();
                let again = ExtValue::parse(&again).unwrap();
                assert_eq!((again.value(), again.language()), (ext.value(), ext.language()));
                assert_eq!(again.into_value(), **value, "{name}");
            }
            (Err(error), None) => {
                assert_eq!(Some(format!("{error:?}")), case.error, "{name}");
            }
            _ => panic!("{name}: {strict:?}"),
        }
        match (ExtValue::parse_lenient(&case.input), case.lenient.as_ref().or(case.value.as_ref()))
        {
            (Ok(ext), Some(value)) => {
                assert_eq!(ext.value(), value, "{name}");
                assert_eq!(ext.charset(), charset, "{name}");
            }
            (Err(error), None) => {
                let expected = case.lenient_error.or(case.error);
                assert_eq!(Some(format!("{error:?}")), expected, "{name}");
            }
            (got, _) => panic!("{name}: {got:?}"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Build {
    name: String,
    r#type: Option<String>,
    form: Option<String>,
    filename: Option<String>,
    language: Option<String>,
    fallback: Option<String>,
    #[serde(default)]
    params: Vec<(String, String)>,
    header: Option<String>,
    error: Option<String>,
}

impl Build {
    fn run(&self) -> Result<String, rfc5987::BuildError> {
        let mut builder = match (&self.form, self.r#type.as_deref()) {
            (Some(field), _) => Builder::form_data(field),
            (None, None) => Builder::attachment(),
            (None, Some("inline")) => Builder::inline(),
            (None, Some(other)) => Builder::new(other)?,
        };
        if let Some(name) = &self.filename {
            builder = builder.filename(name);
        }
        if let Some(language) = &self.language {
            builder = builder.language(language);
        }
        if let Some(fallback) = self.fallback.as_deref() {
            builder = builder.fallback(match fallback {
                "none" => Fallback::None,
                text => Fallback::Custom(text),
            });
        }
        for (name, value) in &self.params {
            builder = builder.param(name, value);
        }
        let mut appended = String::from("x: ");
        let header = builder.build();
        let append = builder.append_to(&mut appended);
        assert_eq!(append.err(), header.clone().err());
        assert_eq!(appended, format!("x: {}", header.as_deref().unwrap_or_default()));
        header
    }
}

#[test]
fn build() {
    for case in load::<Build>(include_str!("data/build.toml")) {
        let got = case.run();
        match (&got, &case.header) {
            (Ok(header), Some(expected)) => {
                assert_eq!(header, expected, "{}", case.name);
                assert_eq!(header.capacity(), header.len(), "{}", case.name);
            }
            (Err(error), None) => {
                assert_eq!(Some(format!("{error:?}")), case.error, "{}", case.name);
            }
            _ => panic!("{}: {got:?}", case.name),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Compat {
    name: String,
    file: String,
    http: String,
    mime: String,
}

#[test]
fn compat() {
    for case in load::<Compat>(include_str!("data/compat.toml")) {
        let http = compat::set_http_file_name(&case.file);
        let mime = compat::set_mime_file_name(&case.file);
        assert_eq!((&http, &mime), (&case.http, &case.mime), "{}", case.name);
        assert_eq!((http.capacity(), mime.capacity()), (http.len(), mime.len()), "{}", case.name);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileName {
    name: String,
    raw: String,
    max: Option<usize>,
    kept: Option<String>,
}

#[test]
fn file_name() {
    for case in load::<FileName>(include_str!("data/file_name.toml")) {
        let name = UntrustedFileName::new(&*case.raw);
        assert_eq!(name.as_raw(), case.raw, "{}", case.name);
        let policy = case.max.map_or(Policy::default(), |max| Policy::default().max_bytes(max));
        assert_eq!(name.sanitized(&policy).as_deref(), case.kept.as_deref(), "{}", case.name);
        if case.max.is_none() {
            assert_eq!(name.is_safe(), case.kept.as_ref() == Some(&case.raw), "{}", case.name);
        }
    }
}
