//! Headers that others have written, read as what each profile says: the cases of `tests/data`.

use rfc5987::{ContentDisposition, Policy, Profile};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    header: Option<String>,
    octets: Option<String>,
    #[serde(default = "attachment")]
    r#type: String,
    error: Option<String>,
    file: Option<String>,
    http: Option<String>,
    form: Option<String>,
    mail: Option<String>,
    #[serde(default)]
    none: Vec<String>,
    safe: Option<String>,
    field: Option<String>,
    ext_error: Option<String>,
    mail_ext_error: Option<String>,
    params: Option<Vec<(String, String)>>,
    /// The file, whoever sent it, with the feature of this name: its charset is then one that is known.
    encoding_rs: Option<String>,
}

fn attachment() -> String {
    "attachment".to_owned()
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        match (&self.header, &self.octets) {
            (Some(header), None) => header.clone().into_bytes(),
            (None, Some(octets)) => {
                octets.chars().map(|octet| u8::try_from(octet).expect("an octet")).collect()
            }
            _ => panic!("{}: header or octets", self.name),
        }
    }

    fn file(&self, key: &str, own: Option<&String>) -> Option<String> {
        let none = self.none.iter().any(|none| none == key);
        assert!(!none || own.is_none(), "{}: {key}", self.name);
        own.or(self.file.as_ref()).filter(|_| !none).cloned()
    }

    fn run(mut self) {
        if cfg!(feature = "encoding_rs") && self.encoding_rs.is_some() {
            self.file = self.encoding_rs.take();
            (self.ext_error, self.mail_ext_error) = (None, None);
        }
        let bytes = self.bytes();
        let profiles = [
            (Profile::Http, self.file("http", self.http.as_ref())),
            (Profile::FormData, self.file("form", self.form.as_ref())),
            (Profile::Mail, self.file("mail", self.mail.as_ref())),
        ];
        for (profile, file) in profiles {
            let name = format!("{}, {profile:?}", self.name);
            let read = match (ContentDisposition::parse_as(&bytes, profile), &self.error) {
                (Ok(read), None) => read,
                (Err(error), Some(expected)) => {
                    let error = format!("{:?} {}", error.kind(), error.offset());
                    assert_eq!(error, *expected, "{name}");
                    continue;
                }
                (got, _) => panic!("{name}: {got:?}"),
            };
            assert_eq!(read.disposition(), self.r#type, "{name}");
            let inline = self.r#type.eq_ignore_ascii_case("inline");
            assert_eq!(read.is_attachment(), !inline, "{name}");
            assert_eq!(read.filename(), file.map(Into::into), "{name}");
            let field = self.field.as_deref().map(Into::into);
            assert_eq!(read.name(), field, "{name}");
            if let Some(safe) = &self.safe {
                let untrusted = read.untrusted_file_name().expect(&name);
                let local = untrusted.sanitized(&Policy::default());
                assert_eq!(local.as_deref(), Some(&**safe), "{name}");
            }
            if profile == Profile::FormData {
                continue;
            }
            let error = match profile {
                Profile::Mail => &self.mail_ext_error,
                _ => &self.ext_error,
            };
            let got = read.filename_ext().and_then(Result::err).map(|error| format!("{error:?}"));
            if profile == Profile::Http || error.is_some() {
                assert_eq!(got, *error, "{name}");
            }
            if let Some(params) = self.params.as_ref().filter(|_| profile == Profile::Http) {
                let got: Vec<_> = read
                    .params()
                    .map(|(name, value)| {
                        (name.to_owned(), String::from_utf8_lossy(value).into_owned())
                    })
                    .collect();
                assert_eq!(got, *params, "{name}");
            }
        }
    }
}

fn run(text: &str, at_least: usize) {
    let cases = toml::from_str::<Corpus>(text).expect("the corpus is TOML of this shape").case;
    assert!(cases.len() >= at_least, "only {} cases", cases.len());
    cases.into_iter().for_each(Case::run);
}

#[test]
fn tc2231() {
    run(include_str!("../data/tc2231.toml"), 89);
}

#[test]
fn firefox() {
    run(include_str!("../data/firefox.toml"), 70);
}

#[test]
fn others() {
    run(include_str!("../data/parse.toml"), 120);
}
