use super::*;
use std::fs;

/// Exit code, output and errors.
fn call(arguments: &[&str], input: &str) -> (u8, String, String) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut streams =
        Streams { input: &mut input.as_bytes(), output: &mut output, errors: &mut errors };
    let code = run(arguments, &mut streams);
    (code, String::from_utf8(output).unwrap(), String::from_utf8(errors).unwrap())
}

/// Every type, and what JSON has no number for.
const TYPED: &str = concat!(
    r#"[{"field":"title","string":"Faust \u0000 \"😊\""},{"field":"raw","bytes":"00ff7f"},"#,
    r#"{"field":"year","i32":-1808},{"field":"id","i64":9223372036854775807},"#,
    r#"{"f32":0.10000000149011612,"field":"weight"},{"f64":0.1,"field":"price"},"#,
    r#"{"f64":"7ff8000000000001","field":"nan"},{"f32":"ff800000","field":"low"},"#,
    r#"{"f64":-0.0,"field":"zero"},{"field":"title","string":""}]"#,
    "\n[]\n"
);

#[test]
fn what_is_loaded_is_dumped_again() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("index");
    let dir = folder.to_str().unwrap();
    for (options, name) in [(&["--dotnet", "--fast"][..], "_0"), (&[][..], "_1")] {
        let arguments = [&["load"], options, &[dir]].concat();
        let (code, output, errors) = call(&arguments, TYPED);
        assert_eq!((code, errors.as_str()), (0, ""));
        assert_eq!(output, format!("2 documents in segment {name}\n"));
    }
    let values = |text: &str| -> Vec<serde_json::Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (code, output, errors) = call(&["docs", dir], "");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(values(&output), values(&TYPED.repeat(2)));
    let (code, output, _) = call(&["verify", dir], "");
    assert_eq!(code, 0);
    assert!(output.ends_with("9 files, 0 damaged\n"), "{output}");
    let (code, output, _) = call(&["segments", dir], "");
    assert_eq!(code, 0);
    assert!(output.contains("_0: 2 documents, 0 deleted, codec Lucene46\n"), "{output}");
    assert!(output.contains("_1: 2 documents, 0 deleted, codec Lucene410\n"), "{output}");
    assert!(output.contains("  field 0 = title\n"), "{output}");
}

#[test]
fn plain_objects_are_loaded() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().to_str().unwrap();
    let lines = "{\"a\": \"x\", \"n\": 1, \"f\": 0.5, \"many\": [\"y\", 2]}\n\n";
    assert_eq!(call(&["load", dir], lines).0, 0);
    let (code, output, _) = call(&["docs", dir], "");
    let expected = concat!(
        r#"[{"field":"a","string":"x"},{"f64":0.5,"field":"f"},{"field":"many","string":"y"},"#,
        r#"{"field":"many","i64":2},{"field":"n","i64":1}]"#,
        "\n"
    );
    assert_eq!((code, output.as_str()), (0, expected));
}

#[test]
fn damage_is_named_and_salvaged() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().to_str().unwrap();
    let line = "[{\"field\":\"title\",\"string\":\"Faust\"}]\n";
    assert_eq!(call(&["load", dir], &line.repeat(3)).0, 0);
    let file = temporary.path().join("_0.fdt");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.windows(5).position(|five| five == b"Faust").unwrap();
    bytes[at] = 0xFF;
    fs::write(&file, bytes).unwrap();

    let (code, output, _) = call(&["verify", dir], "");
    assert_eq!(code, 1);
    assert!(output.contains("DAMAGED  _0.fdt: checksum failed"), "{output}");
    assert!(output.contains("ok       _0.fnm"), "{output}");
    let (code, output, errors) = call(&["docs", dir], "");
    assert_eq!((code, output.as_str()), (1, ""));
    assert!(errors.starts_with("error: segment _0: checksum failed"), "{errors}");
    let (code, output, errors) = call(&["docs", "--salvage", dir], "");
    assert_eq!((code, output.lines().count()), (1, 3));
    assert!(output.contains("\u{FFFD}aust"), "{output}");
    assert!(errors.starts_with("segment _0 is damaged: checksum failed"), "{errors}");
}

#[test]
fn one_bad_file_does_not_keep_the_other_segments_from_being_salvaged() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().to_str().unwrap();
    for title in ["lost", "kept"] {
        let line = format!("[{{\"field\":\"title\",\"string\":\"{title}\"}}]\n");
        assert_eq!(call(&["load", dir], &line).0, 0);
    }
    let file = temporary.path().join("_0.fnm");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    assert_eq!(call(&["docs", dir], "").0, 1);
    let (code, output, errors) = call(&["docs", "--salvage", dir], "");
    assert_eq!((code, output.as_str()), (1, "[{\"field\":\"title\",\"string\":\"kept\"}]\n"));
    assert!(errors.contains("segment _0 cannot be opened: checksum failed"), "{errors}");
}

#[test]
fn bad_use_and_bad_input_are_answered() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().to_str().unwrap();
    let none = temporary.path().join("none");
    let none = none.to_str().unwrap();
    for arguments in [&["nonesuch"][..], &["docs"], &["docs", "--what", dir], &["load", dir, dir]] {
        let (code, output, errors) = call(arguments, "");
        assert_eq!((code, output.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.ends_with("; see --help\n"), "{errors}");
    }
    for arguments in [&["docs", none][..], &["verify", dir], &["segments", dir]] {
        let (code, output, errors) = call(arguments, "");
        assert_eq!((code, output.as_str()), (1, ""), "{arguments:?}");
        assert!(errors.starts_with(&format!("error: {}: ", arguments[1])), "{errors}");
    }
    for line in [
        "no json",
        "7",
        r#"{"a": null}"#,
        r#"{"a": {"b": 1}}"#,
        r#"{"a": 9223372036854775808}"#,
        r#"[{"field":"a"}]"#,
        r#"[{"field":"a","i32":2147483648}]"#,
        r#"[{"field":"a","bytes":"f"}]"#,
        r#"[{"field":"a","bytes":"+f"}]"#,
        r#"[{"field":"a","f32":"00"}]"#,
        r#"[{"field":"a","f32":1e39}]"#,
        r#"[{"field":"a","i32":1,"i64":1}]"#,
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (code, output, errors) = call(&["load", folder.path().to_str().unwrap()], line);
        assert_eq!((code, output.as_str()), (1, ""), "{line}");
        assert!(errors.starts_with("error: line 1: "), "{errors}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{line}");
    }
    let foreign = temporary.path().join("_0.fdt");
    fs::write(&foreign, "somebody's").unwrap();
    assert_eq!(call(&["load", dir], "{}").0, 1);
    assert_eq!(fs::read(&foreign).unwrap(), b"somebody's");
    assert_eq!(call(&["--help"], "").1, HELP);
}

/// An index is not trusted with the terminal, nor with lines of its own.
#[test]
fn names_break_no_line() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().to_str().unwrap();
    let line = r#"{"evil\n_9: 7 documents\u001b[31m größe": 1}"#;
    assert_eq!(call(&["load", dir], line).0, 0);
    let (code, output, _) = call(&["segments", dir], "");
    assert_eq!(code, 0);
    assert!(output.ends_with("  field 0 = evil\\n_9: 7 documents\\u{1b}[31m größe\n"), "{output}");
}

/// A disk that is full is found also where all of the output lies in a buffer until the end.
#[test]
fn output_that_cannot_be_written() {
    struct Broken(io::ErrorKind);
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for (kind, expected) in [(io::ErrorKind::StorageFull, 1), (io::ErrorKind::BrokenPipe, 0)] {
        let mut errors = Vec::new();
        let mut output = io::BufWriter::new(Broken(kind));
        let mut streams =
            Streams { input: &mut io::empty(), output: &mut output, errors: &mut errors };
        assert_eq!(run(&["--help"], &mut streams), expected, "{kind}");
        assert_eq!(errors.is_empty(), expected == 0);
    }
}
