//! Replays `regressions/<target>/`: inputs that once broke a check, and a few that reach far.

use onecopy_fuzz::TARGETS;
use std::fs;
use std::path::Path;

#[test]
fn every_kept_input_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    for entry in fs::read_dir(&root).expect("fuzz/regressions") {
        let folder = entry.expect("a folder").path();
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let (_, check) = TARGETS
            .iter()
            .find(|(target, _)| *target == name)
            .unwrap_or_else(|| panic!("regressions/{name}: no such target"));
        let mut seen = 0;
        for file in fs::read_dir(&folder).expect("a folder") {
            let path = file.expect("a file").path();
            println!("{}", path.display());
            check(&fs::read(&path).expect("a file"));
            seen += 1;
        }
        assert!(seen > 0, "regressions/{name} is empty");
    }
}

/// The checks hold on the empty input and on a walk over short ones, before any fuzzing.
#[test]
fn short_inputs_pass() {
    let bytes = [0, 1, 8, b'%', b'4', b'a', b' ', 0x7F, 0x80, 0xC3, 0xE4, 0xED, 0xF0, 0xFF];
    for (name, check) in TARGETS {
        println!("{name}");
        check(&[]);
        for a in bytes {
            check(&[a]);
            for b in bytes {
                check(&[a, b]);
                for c in bytes {
                    check(&[a, b, c]);
                    check(&[3, a, b, c, a, b, c, a, b]);
                }
            }
        }
    }
}

#[test]
fn every_target_is_a_file_and_every_file_a_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("fuzz_targets")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    let mut names: Vec<_> = TARGETS.iter().map(|(name, _)| format!("{name}.rs")).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
}
