//! A whole header with actix-web: its own parameters, given the fallback that every variant makes, for it
//! makes none.

use crate::input;
use actix_web::http::header::{
    Charset, ContentDisposition, DispositionParam, DispositionType, ExtendedValue, HeaderValue,
    TryIntoHeaderValue,
};
use onecopy_benches::registry::Registry;

/// Adds the cases. In the names there is no `-`, which actix-web escapes and RFC 8187 does not.
pub(crate) fn register(registry: &mut Registry) {
    for (name, text) in [
        ("rfc5987/header/accents-45", input::ACCENTS_45),
        ("rfc5987/header/emoji-52", input::EMOJI_52),
        ("rfc5987/header/cjk-124", input::CJK_124),
    ] {
        registry
            .case(name, move || text.to_owned())
            .variant("actix-web", |name| disposition(name).to_string());
    }
    for (name, text) in [
        ("rfc5987/header-value/accents-45", input::ACCENTS_45),
        ("rfc5987/header-value/cjk-124", input::CJK_124),
    ] {
        registry.case(name, move || text.to_owned()).showing("actix-web", |name, sink| {
            let value: Option<HeaderValue> = disposition(name).try_into_value().ok();
            value.iter().for_each(|value| sink.see(value.as_bytes()));
        });
    }
}

fn disposition(name: &str) -> ContentDisposition {
    let fallback = name.chars().map(|char| if char.is_ascii() { char } else { '_' }).collect();
    ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![
            DispositionParam::Filename(fallback),
            DispositionParam::FilenameExt(ExtendedValue {
                charset: Charset::Ext("UTF-8".to_owned()),
                language_tag: None,
                value: name.as_bytes().to_vec(),
            }),
        ],
    }
}
