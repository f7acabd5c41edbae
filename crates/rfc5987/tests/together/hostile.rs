//! Whatever is passed, wherever: a header has the parameters that were given and nothing else, or
//! there is none.

use proptest::prelude::*;
use rfc5987::{
    BuildError, Builder, ContentDisposition, ExtValue, Fallback, Policy, Profile,
    UntrustedFileName, compat,
};
use std::time::{Duration, Instant};

/// The type and the parameters of a header, read byte by byte as RFC 6266, section 4.1, and
/// RFC 9110, section 5.6, say; `None` for everything else.
fn parameters(header: &str) -> Option<(&str, Vec<(&str, String)>)> {
    let token = |text: &str| {
        let end = text
            .bytes()
            .position(|byte| !(byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)));
        end.unwrap_or(text.len())
    };
    let (kind, mut rest) = header.split_at(token(header));
    let mut found = Vec::new();
    while !rest.is_empty() {
        rest = rest.strip_prefix(';')?.trim_start_matches([' ', '\t']);
        let (name, behind) = rest.split_at(token(rest));
        rest = behind.strip_prefix('=')?;
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut chars = quoted.chars();
            loop {
                match chars.next()? {
                    '"' => break,
                    '\\' => value.push(chars.next().filter(|c| matches!(c, ' '..='~'))?),
                    char => value.push(Some(char).filter(|c| matches!(c, ' '..='~'))?),
                }
            }
            rest = chars.as_str();
        } else {
            let (plain, behind) = rest.split_at(token(rest));
            value.push_str(plain);
            rest = behind;
        }
        if name.is_empty() || found.iter().any(|(known, _)| *known == name) {
            return None;
        }
        found.push((name, value));
    }
    (!kind.is_empty()).then_some((kind, found))
}

/// Texts made to break out of where they are put.
fn hostile() -> impl Strategy<Value = String> {
    let words = [
        "\r\nSet-Cookie: a=b",
        "\n",
        "\r",
        "\0",
        "\u{7F}",
        "\u{85}",
        "\u{2028}",
        "\u{202E}",
        "\"",
        ";",
        "\\",
        "/",
        "%41",
        "%",
        "=?",
        "=?utf-8?B?YQ==?=",
        "\"; filename=\"x",
        "\"; filename*=UTF-8''x",
        "'",
        "*",
        "=",
        " ",
        ",",
        "é",
        "四",
        "🤩",
        "\u{FEFF}",
        "\u{10FFFF}",
        "filename",
        "name",
        "filename*",
        "en",
        "a",
        "b.txt",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..5)
        .prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn a_header_has_what_was_given(
        kind in prop_oneof![Just("attachment".to_owned()), hostile()],
        name in prop::option::of(hostile()),
        language in prop::option::weighted(0.2, hostile()),
        fallback in prop::option::weighted(0.3, prop::option::of(hostile())),
        given in prop::collection::vec((prop_oneof!["[a-zA-Z]{1,3}", hostile()], hostile()), 0..3),
    ) {
        let Ok(mut builder) = Builder::new(&kind) else { return Ok(()) };
        if let Some(name) = &name {
            builder = builder.filename(name);
        }
        if let Some(language) = &language {
            builder = builder.language(language);
        }
        if let Some(fallback) = &fallback {
            builder = builder.fallback(fallback.as_deref().map_or(Fallback::None, Fallback::Custom));
        }
        for (name, value) in &given {
            builder = builder.param(name, value);
        }
        let mut appended = String::from("é");
        let Ok(header) = builder.build() else {
            prop_assert!(builder.append_to(&mut appended).is_err());
            prop_assert_eq!(appended, "é");
            return Ok(());
        };
        prop_assert!(builder.append_to(&mut appended).is_ok());
        prop_assert_eq!(&appended["é".len()..], &header);

        let (read_kind, mut params) = parameters(&header).expect(&header);
        prop_assert_eq!(read_kind, &kind);
        if params.last().is_some_and(|last| last.0 == "filename*") {
            let ext = params.pop().unwrap().1;
            let ext = ExtValue::parse(&ext).unwrap();
            prop_assert_eq!((Some(ext.value()), ext.language()), (name.as_deref(), language.as_deref()));
            match &fallback {
                Some(None) => {}
                Some(Some(custom)) => prop_assert_eq!(params.remove(0), ("filename", custom.clone())),
                None => prop_assert_eq!(params.remove(0).0, "filename"),
            }
        } else if let Some(name) = &name {
            prop_assert_eq!(params.remove(0), ("filename", name.clone()));
        }
        prop_assert_eq!(params.len(), given.len());
        for (read, (name, value)) in params.iter().zip(&given) {
            prop_assert_eq!((read.0, &read.1), (&*name.to_lowercase(), value));
        }
    }

    /// Names in forms are UTF-8 and hold `\`, so that this is all there is to say of them.
    #[test]
    fn a_part_has_two_names(field in hostile(), file in hostile()) {
        let header = Builder::form_data(&field).filename(&file).build().unwrap();
        prop_assert!(!header.contains(['\r', '\n']));
        let quotes: Vec<&str> = header.split('"').collect();
        prop_assert!(
            matches!(quotes[..], ["form-data; name=", _, "; filename=", _, ""]), "{}", header
        );
    }

    /// What this crate reads, however a reader takes `\"`.
    #[test]
    fn a_part_reads_back_with_nothing_added(
        field in hostile(),
        file in prop::option::of(hostile()),
        given in prop::collection::vec(("[a-z]{2}", hostile()), 0..3),
    ) {
        let mut builder = Builder::form_data(&field);
        if let Some(file) = &file {
            builder = builder.filename(file);
        }
        for (name, value) in &given {
            builder = builder.param(name, value);
        }
        let Ok(header) = builder.build() else { return Ok(()) };
        prop_assert_eq!(header.len(), header.capacity());
        let read = ContentDisposition::parse_as(header.as_bytes(), Profile::FormData).unwrap();
        let names: Vec<&str> = read.params().map(|param| param.0).collect();
        let mut expected = vec!["name"];
        expected.extend(file.as_ref().map(|_| "filename"));
        expected.extend(given.iter().map(|(name, _)| &**name));
        prop_assert_eq!(names, expected, "{}", header);
        if file.as_ref().is_some_and(|file| !file.contains('%')) {
            prop_assert!(read.filename().as_deref() == file.as_deref(), "{}", header);
        }
    }

    #[test]
    fn compat_has_its_parameters(name in hostile().prop_filter("empty", |name| !name.is_empty())) {
        let http = format!("x; {}", compat::set_http_file_name(&name));
        let (_, params) = parameters(&http).expect(&http);
        prop_assert!(matches!(&params[..], [("filename", _), ("filename*", _)]), "{}", http);
        let ext = ExtValue::parse(&params[1].1).unwrap();
        prop_assert_eq!(ext.value(), name.as_str());
        let mime = format!("x; {}", compat::set_mime_file_name(&name));
        let (_, params) = parameters(&mime).expect(&mime);
        prop_assert!(matches!(&params[..], [("filename", _)]), "{}", mime);
    }

    #[test]
    fn the_first_repeated_parameter_is_the_error(
        // Few of them and many, with a repetition anywhere.
        before in prop::collection::vec("[c-z]{4}", 0..20),
        names in prop::collection::vec("[aAbB][0-9]", 0..40),
    ) {
        let names: Vec<String> = before.into_iter().chain(names).filter(|n| n != "name").collect();
        let builder = names.iter().fold(Builder::inline(), |builder, name| builder.param(name, "v"));
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let repeat = (0..lower.len()).find(|&index| lower[..index].contains(&lower[index]));
        let expected = repeat.map(|index| BuildError::RepeatedParameter { index });
        prop_assert_eq!(builder.build().err(), expected);
    }
}

/// Not a square of their number: that took 100 times as long.
#[test]
fn many_parameters() {
    let names: Vec<String> = (0..30_000).map(|i| format!("p{i:05}")).collect();
    let all = names.iter().fold(Builder::inline(), |builder, name| builder.param(name, "v"));
    let start = Instant::now();
    let header = all.build().unwrap();
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(header.matches("; p").count(), names.len());
    let error = BuildError::RepeatedParameter { index: 30_000 };
    assert_eq!(all.param("P00007", "v").param("P00006", "v").build(), Err(error));
}

/// 100 KiB of what is worst, as every argument.
#[test]
fn long_names() {
    let start = Instant::now();
    for unit in [
        "\"", "\\", "%", "%41", "=?", "=", "\r\n", "\0", "é", "四", "🤩", "\u{202E}", "/", ".",
        " ", "a",
    ] {
        let long = unit.repeat(100 * 1024 / unit.len());
        let header = Builder::attachment().filename(&long).build().unwrap();
        assert_eq!(header.capacity(), header.len(), "{unit:?}");
        let read = ContentDisposition::parse(header.as_bytes()).unwrap();
        assert_eq!(read.filename().as_deref(), Some(&*long), "{unit:?}");
        let part = Builder::form_data(&long).filename(&long).build().unwrap();
        assert_eq!(part.capacity(), part.len(), "{unit:?}");
        assert!(!part.contains(['\r', '\n']), "{unit:?}");

        let printable = long.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        let noted = Builder::attachment().param("note", &long).build();
        assert_eq!(noted.is_ok(), printable, "{unit:?}");
        assert_eq!(
            Builder::attachment().param(&long, "v").build().is_ok(),
            matches!(unit, "." | "a")
        );
        assert!(Builder::attachment().language(&long).build().is_err(), "{unit:?}");
        let stands_alone = printable && !matches!(unit, "\"" | "\\" | "/" | "%41" | "=?");
        let custom = Builder::attachment().filename("é").fallback(Fallback::Custom(&long)).build();
        assert_eq!(custom.is_ok(), stands_alone, "{unit:?}");

        if let Some(kept) = UntrustedFileName::new(&*long).sanitized(&Policy::default()) {
            assert!((1..=255).contains(&kept.len()), "{unit:?}");
        }
        assert!(!UntrustedFileName::new(&*long).is_safe(), "{unit:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
