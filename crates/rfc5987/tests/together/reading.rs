//! What must hold of every header: no panic, in the time of its length, and what is built is read.

use proptest::prelude::*;
use rfc5987::{Builder, ContentDisposition, Fallback, Policy, Profile};

const PROFILES: [Profile; 3] = [Profile::Http, Profile::FormData, Profile::Mail];

/// Bytes of which headers are made, so that many are nearly valid.
fn header() -> impl Strategy<Value = Vec<u8>> {
    let words: [&[u8]; 38] = [
        b"attachment",
        b"form-data",
        b";",
        b"; ",
        b"=",
        b"\"",
        b"\\",
        b"\\\"",
        b" ",
        b"\t",
        b"\r\n",
        b"\r\n ",
        b"\n",
        b"\0",
        b"filename",
        b"FileName",
        b"filename=",
        b"filename*=",
        b"filename*0",
        b"filename*0*=",
        b"filename*1=",
        b"*",
        b"name=",
        b"UTF-8''",
        b"iso-8859-1'en'",
        b"'",
        b"%",
        b"%C3",
        b"%A9",
        b"%22",
        b"\xC3\xA9",
        b"\xE9",
        b"=?utf-8?B?",
        b"w6Q=",
        b"?=",
        b"a",
        b"{",
        b",",
    ];
    let word = prop_oneof![
        9 => prop::sample::select(words.to_vec()).prop_map(<[u8]>::to_vec),
        1 => any::<[u8; 1]>().prop_map(Vec::from),
    ];
    prop::collection::vec(word, 0..24).prop_map(|words| words.concat())
}

/// The type and the valid parameters of what was read, written down.
fn written(read: &ContentDisposition<'_>) -> Vec<u8> {
    let mut header = read.disposition().as_bytes().to_vec();
    for (name, value) in read.params() {
        header.extend([b"; ", name.as_bytes(), b"=", value].concat());
    }
    header
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn reading_what_was_read_changes_nothing(header in header()) {
        for header in [header.clone(), [b"attachment; ", &header[..]].concat()] {
            for profile in PROFILES {
                let read = match ContentDisposition::parse_as(&header, profile) {
                    Ok(read) => read,
                    Err(error) => {
                        prop_assert!(error.offset() <= header.len());
                        continue;
                    }
                };
                let once = written(&read);
                let again = ContentDisposition::parse_as(&once, profile).unwrap();
                prop_assert_eq!(&written(&again), &once, "{:?}", profile);
                prop_assert_eq!(again.name(), read.name());
                prop_assert_eq!(again.filename(), read.filename());
                let ext = |read: &ContentDisposition<'_>| {
                    read.filename_ext().map(|ext| ext.map(|ext| ext.value().to_owned()))
                };
                prop_assert_eq!(ext(&again), ext(&read));
                if let Some(Ok(ext)) = ext(&read) {
                    prop_assert_eq!(read.filename().unwrap(), ext);
                }
                if let Some(name) = read.untrusted_file_name() {
                    let local = name.sanitized(&Policy::default());
                    prop_assert!(!local.is_some_and(|local| local.contains(['/', '\\', '\0'])));
                }
            }
        }
    }

    /// Whoever reads it.
    #[test]
    fn what_is_built_is_read(
        name in prop_oneof!["\\PC*", "[a-z\"\\\\%0-9;=?'* \r\n\t\0é四-]{0,12}"],
        note in "[ -~]{0,8}",
        language in prop::option::of("[a-z]{2}"),
        fallback in prop::sample::select(vec![
            Fallback::Auto, Fallback::None, Fallback::Custom("a;b.txt"),
        ]),
    ) {
        let mut builder = Builder::inline().filename(&name).param("Note", &note);
        if let Some(language) = &language {
            builder = builder.language(language);
        }
        let header = builder.fallback(fallback).build().unwrap();
        for profile in PROFILES {
            let read = ContentDisposition::parse_as(header.as_bytes(), profile).unwrap();
            prop_assert_eq!(read.disposition(), "inline");
            prop_assert_eq!(read.filename(), Some((&*name).into()), "{:?}: {}", profile, header);
            prop_assert!(read.params().any(|(name, _)| name == "note"));
            if let Some(ext) = read.filename_ext() {
                let ext = ext.unwrap();
                prop_assert_eq!((ext.value(), ext.language()), (&*name, language.as_deref()));
            }
        }
    }

    /// Browsers' escapes do not escape themselves, so a name without a `%` comes back.
    #[test]
    fn the_names_of_a_part_are_read(
        field in "[^%\r\n]{0,8}|[a\\\\\"; é]{0,6}",
        file in "[^%]{0,8}|[a\\\\\"; \r\n\té]{0,6}",
    ) {
        let part = Builder::form_data(&field).filename(&file).build().unwrap();
        let read = ContentDisposition::parse_as(part.as_bytes(), Profile::FormData).unwrap();
        prop_assert_eq!(read.name(), Some(field.into()), "{}", &part);
        prop_assert_eq!(read.filename(), Some(file.into()), "{}", &part);
        prop_assert_eq!(read.params().count(), 2);
    }
}

/// Headers that are slow where something is looked at again and again, `n` bytes or parts long.
fn hostile(n: usize) -> Vec<(&'static str, Vec<u8>)> {
    let repeat = |part: &str| part.repeat(n).into_bytes();
    let behind = |start: &str, part: &str| [start.as_bytes(), &repeat(part)].concat();
    let numbered = |of: &dyn Fn(usize) -> String| {
        let parts: String = (0..n).map(of).collect();
        format!("x{parts}").into_bytes()
    };
    vec![
        ("quotes", behind("x; filename=", "\"")),
        ("an open quote and backslashes", behind("x; filename=\"", "\\")),
        ("escaped quotes", behind("x; filename=\"", "\\\"")),
        ("escaped quotes and blanks", behind("x; filename=\"", "\\\"  ")),
        ("open quotes", behind("x", "; filename=\"\\\"")),
        ("semicolons", behind("x", ";")),
        ("no values", behind("x", "; a=")),
        ("bad tokens", behind("x", "; filename=a,b")),
        ("the same parameter", behind("x", "; filename=a")),
        ("extended parameters", behind("x", "; filename*=UTF-8''%")),
        ("blanks", behind("x; filename=a", " ")),
        ("folds", behind("x; filename=\"", "\r\n ")),
        ("escapes", behind("x; filename*=UTF-8''", "%C3%A9")),
        ("words", behind("x; filename=\"", "=?utf-8?B?w6Q=?= ")),
        ("open words", behind("x; filename=\"", "=?utf-8?B?")),
        ("many parameters", numbered(&|i| format!("; p{i}=v"))),
        ("sections", numbered(&|i| format!("; filename*{i}*=a"))),
        ("sections the wrong way round", numbered(&|i| format!("; filename*{}=a", n - 1 - i))),
        ("repeated sections", behind("x", "; filename*0=a; filename*1=b")),
    ]
}

/// Reads it as everything and asks for everything.
fn read_all(header: &[u8]) -> usize {
    let mut seen = 0;
    for profile in PROFILES {
        let read = ContentDisposition::parse_as(header, profile).unwrap();
        seen += read.params().count();
        seen += read.filename().map_or(0, |name| name.len());
        seen += read.name().map_or(0, |name| name.len());
        let name = read.untrusted_file_name();
        seen += name.and_then(|n| n.sanitized(&Policy::default()).map(|n| n.len())).unwrap_or(0);
    }
    seen
}

/// What this thread has computed, in nanoseconds: on a machine with other work, whatever takes longer
/// than a slice of time is interrupted, and by the clock on the wall every run of it is.
#[cfg(unix)]
fn computed() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec` where there is one.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

#[cfg(not(unix))]
fn computed() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as f64
}

/// 16 times as much takes 16 times as long, where a square would take 256 times: between them lies a
/// factor that no other program on the machine makes. What is compared is the shortest of several
/// runs.
#[test]
fn the_time_is_that_of_the_length() {
    for (name, _) in hostile(1) {
        let shortest = |n: usize| {
            let (_, header) = hostile(n).into_iter().find(|of| of.0 == name).unwrap();
            let runs = (0..8).map(|_| {
                let start = computed();
                std::hint::black_box(read_all(&header));
                computed() - start
            });
            runs.fold(f64::MAX, f64::min)
        };
        let factor = |_| shortest(8_000) / shortest(500);
        let best = (0..5).map(factor).find(|factor| *factor < 96.0);
        assert!(best.is_some(), "{name}: {:.0} times the time for 16 times the header", factor(0));
    }
}

#[test]
fn a_hundred_kilobytes_and_ten_thousand_parameters() {
    for (name, header) in hostile(100 * 1024) {
        if header.len() <= 300 * 1024 {
            assert!(read_all(&header) <= 64 * header.len(), "{name}");
        }
    }
    let params: String = (0..10_000).map(|i| format!("; p{i}=\"v;{i}\"")).collect();
    let header = format!("x{params}; filename=a");
    for profile in PROFILES {
        let read = ContentDisposition::parse_as(header.as_bytes(), profile).unwrap();
        assert_eq!(read.params().count(), 10_001);
        assert_eq!(read.params().nth(9_999), Some(("p9999", &b"\"v;9999\""[..])));
        assert_eq!(read.filename().as_deref(), Some("a"));
    }
}

/// Everything that needs no decoding is a piece of the header.
#[test]
fn names_are_borrowed() {
    use std::borrow::Cow;
    let cases = [
        "x; filename=a.txt",
        "x; filename=\"a b;é.txt\"",
        "x; filename*=UTF-8''a.txt",
        "x; filename=\"a%20b\"",
    ];
    let part = br#"form-data; name="C:\a%"; filename="\""#;
    let part = ContentDisposition::parse_as(part, Profile::FormData).unwrap();
    for name in [part.name(), part.filename()] {
        assert!(matches!(name, Some(Cow::Borrowed(_))), "{part:?}");
    }
    for header in cases {
        for profile in [Profile::Http, Profile::FormData] {
            let read = ContentDisposition::parse_as(header.as_bytes(), profile).unwrap();
            assert!(matches!(read.filename(), Some(Cow::Borrowed(_))), "{header}, {profile:?}");
        }
    }
}
