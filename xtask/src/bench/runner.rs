//! Runner programs: building one, starting it, and reading its lines.

use super::Fault;
use onecopy_bench_model::wire::{Hello, Line, PROTOCOL};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A program that speaks `onecopy_bench_model::wire`, and the definitions it reads.
#[derive(Debug, Clone)]
pub(crate) struct Runner {
    pub(crate) program: PathBuf,
    pub(crate) cases: PathBuf,
    /// A runner of heavy peers: asked with `--heavy`.
    pub(crate) heavy: bool,
    /// Planted faults of the self-test, and nothing otherwise.
    pub(crate) extra: Vec<String>,
    /// Where it runs; here when there is none.
    pub(crate) folder: Option<PathBuf>,
    /// A variable for it.
    pub(crate) environment: Option<(&'static str, String)>,
}

/// What one process said.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) hello: Hello,
    pub(crate) lines: Vec<Line>,
    /// Panics, disagreements, or the death of the process, by case.
    pub(crate) faults: Vec<Fault>,
}

/// A process that says nothing for so long is stuck.
const LIMIT: Duration = Duration::from_secs(600);

impl Runner {
    /// Runs one mode over `cases` (all of them when empty) and reads what it says.
    ///
    /// # Errors
    /// When it cannot be started or is of another protocol.
    pub(crate) fn run(
        &self,
        wrap: &[String],
        mode: &[String],
        cases: &[&str],
    ) -> anyhow::Result<Said> {
        let mut words: Vec<String> = wrap.to_vec();
        words.push(self.program.display().to_string());
        words.extend(mode.iter().cloned());
        words.extend(["--cases".into(), self.cases.display().to_string()]);
        for case in cases {
            words.extend(["--case".into(), (*case).to_owned()]);
        }
        if self.heavy {
            words.push("--heavy".into());
        }
        words.extend(self.extra.iter().cloned());

        let here = std::env::current_dir()?;
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .current_dir(self.folder.as_ref().unwrap_or(&here))
            .envs(self.environment.clone())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| anyhow::anyhow!("{} cannot be started: {e}", words[0]))?;
        // Both pipes are drained on threads of their own, or a full one would stop the child.
        let drain = |pipe: Option<Box<dyn Read + Send>>| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                let _ = pipe.map(|mut p| p.read_to_end(&mut text));
                String::from_utf8_lossy(&text).into_owned()
            })
        };
        let out = drain(child.stdout.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
        let err = drain(child.stderr.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
        let deadline = Instant::now() + LIMIT;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if Instant::now() > deadline {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        let end = match status {
            Some(status) => status.to_string(),
            None => format!("stopped after {} s", LIMIT.as_secs()),
        };
        read(&out, &err, &end)
    }
}

/// Makes sense of a process's output; `end` says how it ended.
fn read(out: &str, err: &str, end: &str) -> anyhow::Result<Said> {
    let mut said = Said::default();
    let (mut greeted, mut done, mut open) = (false, false, None);
    for text in out.lines() {
        let line: Line = serde_json::from_str(text)
            .map_err(|e| anyhow::anyhow!("a runner said `{}`: {e}", shorten(text)))?;
        match line {
            Line::Hello(hello) => {
                anyhow::ensure!(
                    hello.protocol == PROTOCOL,
                    "the runner speaks protocol {}, this judge {PROTOCOL}: they are of different revisions",
                    hello.protocol
                );
                said.hello = hello;
                greeted = true;
            }
            Line::Start { case } => open = Some(case),
            Line::Panicked { case, variant, message } => {
                open = None;
                said.faults.push(Fault::wrong(&case, format!("`{variant}` panicked: {message}")));
            }
            Line::Definition { case, message } => {
                said.faults.push(Fault::definition(&case, message));
            }
            Line::Done => done = true,
            other => said.lines.push(other),
        }
    }
    if !done {
        let tail = err.trim().lines().next_back().map(shorten).unwrap_or_default();
        match open {
            Some(case) => {
                said.faults.push(Fault::wrong(&case, format!("the process died ({end}) {tail}")));
            }
            None if greeted => anyhow::bail!("the runner ended too soon ({end}): {}", err.trim()),
            None => anyhow::bail!("the runner did not start ({end}): {}", err.trim()),
        }
    }
    Ok(said)
}

fn shorten(text: &str) -> String {
    text.chars().take(200).collect()
}

/// Builds the package's runner at `root` and returns the program.
///
/// # Errors
/// When cargo cannot be run or the build fails; cargo has printed why.
pub(crate) fn build(
    root: &Path,
    manifest: &Path,
    bin: &str,
    target: &Path,
) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["build", "--profile", "bench", "--message-format", "json-render-diagnostics"])
        .args(["--bin", bin])
        .arg("--manifest-path")
        .arg(manifest)
        .arg("--target-dir")
        .arg(target)
        // The same code for every machine of the target: a baseline and valgrind depend on it.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .stderr(Stdio::inherit())
        .output()?;
    anyhow::ensure!(output.status.success(), "the runner `{bin}` does not build");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok())
        .filter(|m| m["reason"] == "compiler-artifact" && m["target"]["name"] == bin)
        .filter_map(|m| m["executable"].as_str().map(PathBuf::from))
        .next_back()
        .ok_or_else(|| anyhow::anyhow!("cargo did not say where the runner `{bin}` is"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELLO: &str =
        r#"{"line":"hello","protocol":1,"tier":"avx2","rustc":"1","target":"t","registered":{}}"#;

    #[test]
    fn a_panic_names_its_case_and_the_run_goes_on() {
        let text = format!(
            "{HELLO}\n{}\n{}\n{}\n{}\n",
            r#"{"line":"start","case":"a/b/c"}"#,
            r#"{"line":"panicked","case":"a/b/c","variant":"after","message":"boom"}"#,
            r#"{"line":"counted","case":"a/b/d","variant":"after"}"#,
            r#"{"line":"done"}"#
        );
        let said = read(&text, "", "exit status: 0").unwrap();
        assert_eq!(said.faults, [Fault::wrong("a/b/c", "`after` panicked: boom".into())]);
        assert_eq!(said.lines.len(), 1);
    }

    #[test]
    fn a_killed_process_names_the_case_that_was_open() {
        let text = format!("{HELLO}\n{}\n", r#"{"line":"start","case":"a/b/c"}"#);
        let said = read(&text, "free(): invalid pointer", "signal: 6 (SIGABRT)").unwrap();
        assert_eq!(
            said.faults,
            [Fault::wrong(
                "a/b/c",
                "the process died (signal: 6 (SIGABRT)) free(): invalid pointer".into()
            )]
        );
    }

    #[test]
    fn nonsense_another_protocol_and_silence_are_errors() {
        assert!(read("hm\n", "", "exit status: 0").unwrap_err().to_string().contains("hm"));
        let other = HELLO.replace("\"protocol\":1", "\"protocol\":0");
        assert!(read(&other, "", "").unwrap_err().to_string().contains("protocol 0"));
        assert!(
            read("", "no such file", "exit status: 2")
                .unwrap_err()
                .to_string()
                .contains("no such file")
        );
    }
}
