//! What people and programs get to read: headers and error texts.

use rfc5987::{
    BuildError, Builder, ContentDisposition, ExtValue, ExtValueError, Fallback, Profile,
};

/// Names that were given to real clients, and what each of them is awkward for.
const NAMES: [&str; 41] = [
    "file.txt",
    "my report.pdf",
    "John's (1).pdf",
    "100%.txt",
    "a%20b.txt",
    "100%41.txt",
    "say \"hi\".txt",
    "back\\slash.txt",
    "../../etc/passwd",
    "C:\\dir\\x.txt",
    "Résumé.pdf",
    "四半期報告書.pdf",
    "🎉👍🏽.png",
    "e\u{301}.txt",
    "semi;colon=eq.txt",
    "star*.txt",
    "colon:q?.txt",
    "<a>|b.txt",
    "nul\0x.txt",
    "tab\tx.txt",
    "crlf\r\nX: y.txt",
    "evil\u{202E}gpj.exe",
    "con.txt",
    "trail.",
    "  lead.txt",
    "trail.txt ",
    ".hidden",
    "name.html.",
    "£ rates",
    "file\u{2028}sep.txt",
    "\u{FEFF}bom.txt",
    "漢漢漢漢漢漢漢漢.txt",
    "x.lnk",
    "~tilde.txt",
    "a\u{7F}b.txt",
    "\u{85}nel.txt",
    "%2e%2e%2fup.txt",
    "a+b c.txt",
    "=?utf-8?B?w6QudHh0?=",
    "setup.bat\";x=.txt",
    "",
];

#[test]
fn headers() {
    let lines: Vec<String> = NAMES
        .iter()
        .map(|name| {
            format!("{name:?}\n    {}", Builder::attachment().filename(name).build().unwrap())
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn error_texts() {
    let decode = |chars| rfc5987::decode(chars).unwrap_err().to_string();
    let parse = |text| ExtValue::parse(text).unwrap_err().to_string();
    let build = |builder: Builder<'_>| builder.build().unwrap_err().to_string();
    let texts = [
        rfc5987::encode_into(b"a b", &mut []).unwrap_err().to_string(),
        decode("a b"),
        decode("a%"),
        decode("%FF"),
        parse("abc"),
        parse("''abc"),
        parse("none''abc"),
        parse("UTF-8'e_n'abc"),
        parse("UTF-8''a b"),
        parse("UTF-8''a%"),
        parse("UTF-8''%FF"),
        parse("ISO-8859-1''%80"),
        ExtValue::new("").with_language("").unwrap_err().to_string(),
        ContentDisposition::parse(b" ; filename=a").unwrap_err().to_string(),
        ContentDisposition::parse(b"filename=a").unwrap_err().to_string(),
        Builder::new("a b").unwrap_err().to_string(),
        build(Builder::inline().param("a b", "")),
        build(Builder::inline().param("a", "").param("filename", "")),
        build(Builder::inline().param("a", "").param("A", "")),
        build(Builder::inline().param("a", "\n")),
        build(Builder::inline().language("e_n")),
        build(Builder::inline().fallback(Fallback::Custom("a/b"))),
        BuildError::InvalidHeaderValue.to_string(),
        ExtValueError::InvalidOctets.to_string(),
    ];
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn debug_forms() {
    let ext = ExtValue::parse("utf-8'en'%C2%A3").unwrap();
    let builder = Builder::form_data("f").filename("é").language("en").param("size", "1");
    let read = b"form-data; name=f; filename*=UTF-8''a";
    let read = ContentDisposition::parse_as(read, Profile::FormData).unwrap();
    let error = ContentDisposition::parse(b"").unwrap_err();
    insta::assert_snapshot!(format!("{ext:?}\n{builder:?}\n{read:?}\n{error:?}"));
}
