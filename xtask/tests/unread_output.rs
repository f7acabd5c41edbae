//! Output whose reader has gone, as behind `| head`.

use std::process::{Command, Stdio};

#[test]
fn output_that_nobody_reads_ends_the_program_without_a_word() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut list = Command::new(env!("CARGO_BIN_EXE_xtask"));
    list.args(["ci", "--list"]).stdout(Stdio::from(writer)).stderr(Stdio::piped());
    let output = list.output().unwrap();
    assert!(!output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
