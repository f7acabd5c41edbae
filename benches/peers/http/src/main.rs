//! Cases of `rfc5987` with `ExtendedValue` of actix-http.
//!
//! It is made and shown as actix-web does for the name of a file. It escapes `-` too, which RFC 8187
//! leaves as it is: a peer only where the name has none, for elsewhere it gives other bytes.

use actix_http::header::{Charset, ExtendedValue};
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use std::process::ExitCode;

mod build;
#[allow(dead_code, unreachable_pub, reason = "shared with the runner of the light cases")]
#[path = "../../../src/rfc5987/input.rs"]
mod input;

fn main() -> ExitCode {
    let mut registry = Registry::default();
    for (name, text) in [
        ("rfc5987/ext-value/seed-escape", input::SEED_ESCAPE),
        ("rfc5987/ext-value/file-8", input::FILE_8),
        ("rfc5987/ext-value/spaces-43", input::SPACES_43),
        ("rfc5987/ext-value/accents-45", input::ACCENTS_45),
        ("rfc5987/ext-value/cjk-124", input::CJK_124),
        ("rfc5987/ext-value/emoji-52", input::EMOJI_52),
    ] {
        registry.case(name, move || text.to_owned()).variant("actix-http", |name| ext_value(name));
    }
    build::register(&mut registry);
    runner::main(&registry)
}

fn ext_value(name: &str) -> String {
    let value = ExtendedValue {
        charset: Charset::Ext("UTF-8".to_owned()),
        language_tag: None,
        value: name.as_bytes().to_vec(),
    };
    value.to_string()
}
