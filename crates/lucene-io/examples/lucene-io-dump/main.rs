//! Looks into a Lucene index (4.0 to 4.10, Lucene.NET 4.8) and makes one.
//!
//! ```text
//! cargo run --example lucene-io-dump -- verify DIR
//! ```
//!
//! What each command does is said by `--help`; [`json`] says what a line of JSON holds.

mod dump;
mod json;
mod load;
mod verify;

use lucene_io::index::Target;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

const HELP: &str = "\
lucene-io-dump: what is in a Lucene index (4.0 to 4.10, Lucene.NET 4.8)

  lucene-io-dump segments DIR           the segments of the newest commit
  lucene-io-dump verify DIR             every file of the newest commit, and whether it is whole
  lucene-io-dump docs [--salvage] DIR   the stored documents, one line of JSON each
  lucene-io-dump load [--dotnet] [--fast] DIR
                                        documents from standard input into a new segment and commit

docs stops at the first fault; with --salvage it opens files whose checksum is wrong, goes on
behind what cannot be read, and puts U+FFFD for text that is no UTF-8. It does not know which
documents were deleted. --dotnet writes the dialect of Lucene.NET 4.8; --fast compresses faster than
Lucene and a little less.

A document is an array of fields, each {\"field\": NAME, TYPE: VALUE} with TYPE one of string, i32,
i64, f32, f64 and bytes (hexadecimal). load also takes an object of names and values, which are
strings, integers (i64), fractions (f64) or arrays of these.

Exit code: 0 all is well, 1 something is damaged or could not be written, 2 bad usage.
";

fn main() -> ExitCode {
    let arguments: Result<Vec<String>, _> =
        std::env::args_os().skip(1).map(OsString::into_string).collect();
    let Ok(arguments) = arguments else {
        eprintln!("error: an argument is not UTF-8; see --help");
        return ExitCode::from(2);
    };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut streams = Streams {
        input: &mut io::stdin().lock(),
        output: &mut io::BufWriter::new(io::stdout().lock()),
        errors: &mut io::stderr().lock(),
    };
    ExitCode::from(run(&arguments, &mut streams))
}

/// A name from a file, in which nothing breaks the line or speaks to the terminal.
fn plain(name: &str) -> String {
    let escaped = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    name.chars().map(escaped).collect()
}

/// What a command reads and writes.
struct Streams<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    errors: &'a mut dyn Write,
}

/// Why a command ended early.
enum Stop {
    /// It was called wrongly.
    Usage(String),
    /// The index is damaged, or cannot be read or written.
    Index(lucene_io::Error),
    /// The same of a part of it, or of the input or the output, which it names.
    Fault(String),
    /// Nobody reads the output any more.
    Unread,
}

impl From<lucene_io::Error> for Stop {
    fn from(error: lucene_io::Error) -> Self {
        Self::Index(error)
    }
}

/// Of the output, as only that is written with `?`.
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Unread
        } else {
            Self::Fault(format!("the output: {error}"))
        }
    }
}

fn run(arguments: &[&str], streams: &mut Streams<'_>) -> u8 {
    let done = match arguments {
        [] | ["-h" | "--help" | "help", ..] => {
            streams.output.write_all(HELP.as_bytes()).map(|()| true).map_err(Stop::from)
        }
        ["segments", dir] => verify::segments(dir, streams).map(|()| true),
        ["verify", dir] => verify::files(dir, streams),
        ["docs", rest @ ..] => flags(rest, ["--salvage"])
            .and_then(|(dir, [salvage])| dump::docs(dir, salvage, streams)),
        ["load", rest @ ..] => {
            flags(rest, ["--dotnet", "--fast"]).and_then(|(dir, [dotnet, fast])| {
                let target = if dotnet { Target::Lucene46 } else { Target::Lucene410 };
                load::load(dir, target, fast, streams).map(|()| true)
            })
        }
        [command, ..] => Err(Stop::Usage(format!("no command `{command}`, or too much behind it"))),
    };
    // What was not written is no less a fault; a reader that has seen enough (`| head`) is none.
    let flushed = streams.output.flush().map_err(Stop::from);
    match done.and_then(|whole| flushed.map(|()| whole)) {
        Ok(true) | Err(Stop::Unread) => 0,
        Ok(false) => 1,
        Err(Stop::Usage(what)) => {
            let _ = writeln!(streams.errors, "error: {what}; see --help");
            2
        }
        Err(Stop::Index(error)) => {
            let dir = arguments.iter().skip(1).find(|word| !word.starts_with("--"));
            let _ = writeln!(streams.errors, "error: {}: {error}", plain(dir.unwrap_or(&"")));
            1
        }
        Err(Stop::Fault(what)) => {
            let _ = writeln!(streams.errors, "error: {what}");
            1
        }
    }
}

/// The folder, and which of the flags are there.
fn flags<'a, const N: usize>(
    rest: &[&'a str],
    known: [&str; N],
) -> Result<(&'a str, [bool; N]), Stop> {
    let mut given = [false; N];
    let mut dirs = Vec::new();
    for word in rest {
        match known.iter().position(|flag| flag == word) {
            Some(at) => given[at] = true,
            None if word.starts_with("--") => {
                return Err(Stop::Usage(format!("no option `{word}`")));
            }
            None => dirs.push(*word),
        }
    }
    match dirs[..] {
        [dir] => Ok((dir, given)),
        _ => Err(Stop::Usage("one folder is needed".to_owned())),
    }
}

#[cfg(test)]
mod tests;
