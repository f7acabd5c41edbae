//! Cases of `rfc5987` with `ExtendedValue` of actix-http, of whole headers written and read with
//! actix-web, and of reading with what mail libraries use.
//!
//! The ext-value is made and shown as actix-web does for the name of a file. It escapes `-` too, which RFC 8187
//! leaves as it is: a peer only where the name has none, for elsewhere it gives other bytes.

use actix_http::header::{Charset, ExtendedValue, HeaderValue};
use actix_web::http::header::{ContentDisposition, DispositionType};
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use onecopy_benches::subject::Sink;
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
    for (name, make) in [
        ("rfc5987/parse/file-8", (|| input::header(input::FILE_8)) as fn() -> String),
        ("rfc5987/parse/ascii-25", || input::header(input::ASCII_25)),
        ("rfc5987/parse/form-25", || input::part(input::ASCII_25)),
        ("rfc5987/parse/accents-45", || input::header(input::ACCENTS_45)),
        ("rfc5987/parse/cjk-124", || input::header(input::CJK_124)),
    ] {
        registry
            .case(name, move || header_value(&make()))
            .showing("actix-web", parse_actix)
            .showing("content_disposition", |header, sink| {
                let read = content_disposition::parse_content_disposition(text(header));
                sink.see(match read.disposition {
                    content_disposition::DispositionType::FormData => "form-data",
                    _ => "attachment",
                });
                read.params.get("filename").inspect(|name| sink.see(*name));
            })
            .showing("mailparse", |header, sink| {
                let read = mailparse::parse_content_disposition(text(header));
                sink.see(match read.disposition {
                    mailparse::DispositionType::FormData => "form-data",
                    _ => "attachment",
                });
                read.params.get("filename").inspect(|name| sink.see(*name));
            });
    }
    for (name, make) in [
        ("rfc5987/filename/ascii-25", (|| input::header(input::ASCII_25)) as fn() -> String),
        ("rfc5987/filename/accents-45", || input::header(input::ACCENTS_45)),
        ("rfc5987/filename/cjk-124", || input::header(input::CJK_124)),
    ] {
        registry.case(name, move || header_value(&make())).variant("actix-web", file_name);
    }
    build::register(&mut registry);
    runner::main(&registry)
}

fn header_value(header: &str) -> HeaderValue {
    HeaderValue::from_str(header).expect("the headers are ASCII")
}

/// The header as text, which these two ask for; whoever has a header has its bytes.
fn text(header: &HeaderValue) -> &str {
    header.to_str().unwrap_or_default()
}

fn parse_actix(header: &'static HeaderValue, sink: &mut Sink) {
    let Ok(read) = ContentDisposition::from_raw(header) else { return };
    sink.see(match read.disposition {
        DispositionType::FormData => "form-data",
        _ => "attachment",
    });
    read.get_filename().inspect(|name| sink.see(*name));
}

fn file_name(header: &HeaderValue) -> Option<String> {
    let read = ContentDisposition::from_raw(header).ok()?;
    match read.get_filename_ext() {
        Some(ext) => String::from_utf8(ext.value.clone()).ok(),
        None => read.get_filename().map(str::to_owned),
    }
}

fn ext_value(name: &str) -> String {
    let value = ExtendedValue {
        charset: Charset::Ext("UTF-8".to_owned()),
        language_tag: None,
        value: name.as_bytes().to_vec(),
    };
    value.to_string()
}
