//! What every type promises, and what can be used where only constants can.

use rfc5987::{
    BufferTooSmall, BuildError, Builder, ContentDisposition, DecodeError, DecodeErrorKind,
    ExtValue, ExtValueError, Fallback, ParseError, ParseErrorKind, Policy, Profile,
    UntrustedFileName,
};
use std::borrow::Cow;
use std::error::Error;
use std::fmt::Debug;

fn is_public<T: Debug + Clone + Send + Sync>() {}

fn is_error<T: Error + Eq + Copy + Send + Sync + 'static>() {
    is_public::<T>();
}

#[test]
fn every_type_can_be_shown_cloned_and_sent() {
    is_public::<Builder<'_>>();
    is_public::<ContentDisposition<'_>>();
    is_public::<DecodeErrorKind>();
    is_public::<ExtValue<'_>>();
    is_public::<Fallback<'_>>();
    is_public::<ParseErrorKind>();
    is_public::<Policy>();
    is_public::<Profile>();
    is_public::<UntrustedFileName<'_>>();
    #[cfg(feature = "headers")]
    is_public::<rfc5987::ContentDispositionBuf>();
    #[cfg(feature = "tiers")]
    is_public::<rfc5987::tier::Tier>();
    is_error::<BufferTooSmall>();
    is_error::<BuildError>();
    is_error::<DecodeError>();
    is_error::<ExtValueError>();
    is_error::<ParseError>();
}

const fn shorter(policy: Policy) -> Policy {
    policy.max_bytes(3)
}

#[test]
fn constants() {
    const PLUS: bool = rfc5987::is_attr_char(b'+') && !rfc5987::is_attr_char(b'%');
    const TITLE: ExtValue<'static> = ExtValue::new("é");
    const { assert!(PLUS) };
    assert_eq!(TITLE.to_string(), "UTF-8''%C3%A9");
    let name = UntrustedFileName::new("abcd");
    assert_eq!(name.sanitized(&shorter(Policy::default())).as_deref(), Some("abc"));
}

/// What is read outlives what it was read by, and a name can be handed over in any form.
#[test]
fn what_is_read_is_of_the_header() {
    let header = b"form-data; name=a; filename=b".to_vec();
    let (kind, params, name, file) = {
        let read = ContentDisposition::parse_as(&header, Profile::FormData).unwrap();
        let params: Vec<_> = read.params().collect();
        (read.disposition(), params, read.name(), read.filename())
    };
    assert_eq!((kind, params.len()), ("form-data", 2));
    assert_eq!((name.as_deref(), file.as_deref()), (Some("a"), Some("b")));
    let names = [
        UntrustedFileName::new("a/b"),
        UntrustedFileName::new(String::from("a/b")),
        UntrustedFileName::new(Cow::Borrowed("a/b")),
    ];
    for name in names {
        assert_eq!(name.sanitized(&Policy::default()).as_deref(), Some("b"));
    }
}
