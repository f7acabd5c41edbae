//! What is allocated: nothing for what is a piece of the input, once for what is not, and no more
//! than that for all that the documents say so of.

mod counted;

use counted::allocations;
use rfc5987::{
    Builder, ContentDisposition, ExtValue, Policy, Profile, UntrustedFileName, compat, form_data,
};
use std::borrow::Cow;

/// Asks for the name in a header, and says whether it is borrowed.
fn filename(header: &[u8], profile: Profile) -> (usize, bool) {
    let read = ContentDisposition::parse_as(header, profile).unwrap();
    let (allocations, name) = allocations(|| read.filename());
    (allocations, matches!(name, Some(Cow::Borrowed(_))))
}

#[test]
fn six_parameters_are_read_without_the_heap() {
    let six = b"x; a=1; b=\"2\"; c=3; d=4; filename=f; filename*=UTF-8''%C3%A9";
    for profile in [Profile::Http, Profile::FormData, Profile::Mail] {
        let (none, read) = allocations(|| ContentDisposition::parse_as(six, profile));
        assert_eq!((none, read.unwrap().params().count()), (0, 6), "{profile:?}");
    }
}

#[test]
fn what_needs_no_decoding_is_borrowed() {
    for header in [
        "x; filename=a.txt",
        "x; filename=\"a é;.txt\"",
        "x; filename=\"a=?b=?utf-8?Q?c?=.txt\"",
        "x; filename*=UTF-8''a.txt",
        "x; filename*=iso-8859-1'en'a.txt",
    ] {
        for profile in [Profile::Http, Profile::FormData, Profile::Mail] {
            let got = filename(header.as_bytes(), profile);
            assert_eq!(got, (0, true), "{header}, {profile:?}");
        }
    }
    for header in ["x; filename*0=a.txt", "x; filename*0*=''a", "x; filename*=\"us-ascii''a\""] {
        assert_eq!(filename(header.as_bytes(), Profile::Mail), (0, true), "{header}");
    }
}

#[test]
fn what_is_decoded_is_one_allocation() {
    let (http, form, mail) = (Profile::Http, Profile::FormData, Profile::Mail);
    for (header, profile) in [
        ("x; filename*=UTF-8''%C3%A9", http),
        ("x; filename*=UTF-8''%C3%A9", mail),
        ("x; filename*=ISO-8859-1''%E9%20", http),
        ("x; filename=\"a\\\"b\"", http),
        ("x; filename=\"a\\\"b\"", form),
        ("x; filename=\"a%22b\"", form),
        ("x; filename*0=a; filename*1=b", mail),
    ] {
        assert_eq!(filename(header.as_bytes(), profile), (1, false), "{header}, {profile:?}");
    }
    for text in ["UTF-8''%C3%A9", "iso-8859-1''%E9%A0abc"] {
        let (strict, read) = allocations(|| ExtValue::parse(text));
        let value = read.unwrap().into_value().into_owned();
        assert_eq!((strict, value.capacity()), (1, value.len()), "{text}");
    }
    let text = "iso-8859-1''%E9 %80%";
    let (lossy, read) = allocations(|| ExtValue::parse_lenient(text));
    let value = read.unwrap().into_value().into_owned();
    assert_eq!((lossy, &*value, value.capacity()), (1, "é \u{FFFD}%", value.len()));
}

#[test]
fn what_is_written_is_one_allocation() {
    let long = "é".repeat(400);
    for name in ["a.txt", "é.txt", "a%41", "=?", "a\"b", &long] {
        let header = Builder::attachment().filename(name).language("en").param("size", "1");
        assert_eq!(allocations(|| header.build()).0, 1, "{name}");
        assert_eq!(allocations(|| header.append_to(&mut String::new())).0, 1, "{name}");
        let part = Builder::form_data(name).filename(name);
        assert_eq!(allocations(|| part.build()).0, 1, "{name}");
        let (count, ext) = allocations(|| String::from(ExtValue::new(name)));
        assert_eq!((count, ext.capacity()), (1, ext.len()), "{name}");
        for write in [compat::set_http_file_name, compat::set_mime_file_name] {
            let (count, parameters) = allocations(|| write(name));
            assert_eq!((count, parameters.capacity()), (1, parameters.len()), "{name}");
        }
        let append =
            |mut out: String| allocations(move || rfc5987::encode_append(name, &mut out)).0;
        assert_eq!(append(String::with_capacity(4000)), 0, "{name}");
        assert_eq!(append(String::new()), 1, "{name}");
        for escape in [form_data::escape_name, form_data::escape_filename, rfc5987::encode] {
            let (count, escaped) = allocations(|| escape(name));
            assert_eq!(count, usize::from(matches!(escaped, Cow::Owned(_))), "{name}");
        }
    }
    // More than sixteen parameters are sorted to be compared.
    let names: Vec<String> = (0..17).map(|i| format!("p{i}")).collect();
    let builder = |names: &[String]| {
        let builder = names.iter().fold(Builder::inline(), |builder, name| builder.param(name, ""));
        allocations(|| builder.build()).0
    };
    assert_eq!((builder(&names[..16]), builder(&names)), (1, 2));
}

#[test]
fn what_is_a_piece_of_a_name_is_borrowed() {
    let policy = Policy::default();
    let long = "é".repeat(400);
    for (raw, count) in
        [("a.txt", 0), ("../a. ", 0), ("", 0), (&*long, 0), ("a:b", 1), ("con", 1), ("a/nul.x", 1)]
    {
        let name = UntrustedFileName::new(raw);
        assert_eq!(allocations(|| name.sanitized(&policy)).0, count, "{raw}");
    }
}

/// No error allocates, and a buffer is filled without the heap.
#[test]
fn errors_and_buffers_take_no_heap() {
    let mut buffer = [0; 12];
    let (count, written) = allocations(|| rfc5987::encode_into(b"\xFFa", &mut buffer).is_ok());
    assert_eq!((count, written), (0, true));
    assert_eq!(allocations(|| rfc5987::encode_into(b"\xFF\xFF", &mut buffer).is_err()), (0, true));
    assert_eq!(allocations(|| ContentDisposition::parse(b"a=b").is_err()), (0, true));
    for text in ["", "UTF-8''a b", "x''", "UTF-8'_'", "iso-8859-1''%80", "iso-8859-1''%E9%"] {
        assert_eq!(allocations(|| ExtValue::parse(text).is_err()), (0, true), "{text}");
    }
    let wrong = Builder::attachment().filename("é").param("a", "\n");
    assert_eq!(allocations(|| wrong.build().is_err()), (0, true));
}
