//! Lucene++, the port to C++ of Lucene 3.0, whose primitives are Lucene 4's.

use super::answer::Form;
use super::primitives::{self, Skills};
use super::question::op;
use crate::counterpart::{Counterpart, Tally};
use crate::install::{Installer, find};
use crate::process::output;
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/lucene/primitives.cpp");
const HEADERS: &str = "/usr/include/lucene++";
/// The headers' own headers, which the package does not ask for.
const BOOST: [(&str, &str); 3] = [
    ("boost/thread/thread.hpp", "libboost-thread-dev"),
    ("boost/filesystem.hpp", "libboost-filesystem-dev"),
    ("boost/date_time.hpp", "libboost-date-time-dev"),
];

const SKILLS: Skills = Skills {
    form: Form::Old,
    ops: &[op::I32, op::I64, op::VINT, op::VLONG, op::TEXT, op::MAP],
    faults: false,
};

/// The library.
#[derive(Debug)]
pub(crate) struct PlusPlus {
    found: OnceLock<Found>,
}

#[derive(Debug)]
struct Found {
    compiler: PathBuf,
    folder: PathBuf,
}

impl PlusPlus {
    pub(super) const fn new() -> Self {
        Self { found: OnceLock::new() }
    }
}

/// A file that a package brings, when it is there.
fn file(path: impl AsRef<Path>) -> Option<PathBuf> {
    path.as_ref().is_file().then(|| path.as_ref().to_owned())
}

impl Counterpart for PlusPlus {
    fn name(&self) -> &'static str {
        "lucene-plusplus"
    }

    fn about(&self) -> &'static str {
        "Lucene++ 3.0: primitives"
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        let compiler = installer.found("g++", "g++", || find("g++"))?;
        let header = format!("{HEADERS}/LuceneHeaders.h");
        installer.found("Lucene++", "liblucene++-dev", || file(&header))?;
        for (header, package) in BOOST {
            installer.found(header, package, || file(format!("/usr/include/{header}")))?;
        }
        let folder = installer.folder("lucene-plusplus")?;
        let _ = self.found.set(Found { compiler, folder });
        Ok(())
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let Found { compiler, folder } = self.found.get().context("not prepared")?;
        let program = folder.join("primitives");
        let mut compile = Command::new(compiler);
        compile.args(["-std=c++14", "-O1", "-w", "-I", HEADERS, SOURCE, "-o"]).arg(&program);
        compile.args(["-llucene++", "-lboost_system", "-lboost_thread"]);
        output(compile, b"").context("compiling")?;
        primitives::check(&SKILLS, |asked| output(Command::new(&program), asked), tally)?;
        let version = output(
            {
                let mut ask = Command::new("dpkg-query");
                ask.args(["--showformat=${Version}", "--show", "liblucene++-dev"]);
                ask
            },
            b"",
        )?;
        Ok(String::from_utf8(version)?)
    }
}
