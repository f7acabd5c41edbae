//! Lucene itself: Java's 4.10, whose files are the crate's, with its stored fields; Java's 8.7 and
//! Lucene++ for the primitives. Programs of ours run on them, from `interop/lucene`.

mod answer;
mod both;
mod cpu;
mod document;
mod java;
mod ours;
mod plus_plus;
mod primitives;
mod question;
mod sets;
mod texts;
mod theirs;

use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use answer::Form;
use anyhow::{Context as _, Result};
use java::{Found, Release};
use primitives::Skills;
use question::op;
use std::sync::OnceLock;

pub(crate) use plus_plus::PlusPlus;

/// Java's Lucene 4.10, the last with the formats of the crate, and the same as Lucene.NET's.
#[derive(Debug)]
pub(crate) struct Lucene4 {
    found: OnceLock<Found>,
}

/// Java's Lucene 8.7.
#[derive(Debug)]
pub(crate) struct Lucene8 {
    found: OnceLock<Found>,
}

pub(crate) static LUCENE_4: Lucene4 = Lucene4 { found: OnceLock::new() };
pub(crate) static LUCENE_8: Lucene8 = Lucene8 { found: OnceLock::new() };
pub(crate) static LUCENE_PLUS_PLUS: PlusPlus = PlusPlus::new();

const RELEASE_4: Release = Release {
    package: "liblucene4.10-java",
    jar: "lucene-core-4.10.4.jar",
    sources: &["Vec.java", "Docs.java", "Idx.java", "Rd.java", "Cpu.java", "v4/Forms.java"],
};
const RELEASE_8: Release = Release {
    package: "liblucene8-java",
    jar: "lucene-core-8.7.0.jar",
    sources: &["Vec.java", "v8/Forms.java"],
};

const SKILLS_4: Skills = Skills {
    form: Form::Old,
    ops: &[
        op::I16,
        op::I32,
        op::I64,
        op::VINT,
        op::VLONG,
        op::ZINT,
        op::ZLONG,
        op::TEXT,
        op::MAP,
        op::SET,
        op::HEADER,
        op::FOOTER,
    ],
    faults: true,
};
const SKILLS_8: Skills = Skills {
    form: Form::New,
    ops: &[
        op::I16,
        op::I32,
        op::I64,
        op::VINT,
        op::VLONG,
        op::ZINT,
        op::ZLONG,
        op::TEXT,
        op::MAP,
        op::SET,
        op::HEADER,
        op::INDEX_HEADER,
        op::FOOTER,
    ],
    faults: true,
};

impl Counterpart for Lucene4 {
    fn name(&self) -> &'static str {
        "lucene-4.10"
    }

    fn about(&self) -> &'static str {
        "Java Lucene 4.10: primitives, stored fields both ways, bytes, processor time"
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        let _ = self.found.set(RELEASE_4.find(installer)?);
        Ok(())
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let programs = RELEASE_4.compile(self.found.get().context("not prepared")?)?;
        primitives::check(&SKILLS_4, |asked| programs.ask("Vec", asked), tally)
            .context("primitives")?;
        let sets = sets::all();
        let folder = tempfile::tempdir()?;
        theirs::check(&programs, &sets, folder.path(), tally).context("Java's indexes")?;
        ours::check(&programs, &sets, folder.path(), tally).context("our indexes")?;
        both::check(&programs, folder.path(), tally).context("indexes of both")?;
        drop(folder);
        cpu::check(&programs, tally).context("processor time")?;
        Ok("4.10.4".into())
    }
}

impl Counterpart for Lucene8 {
    fn name(&self) -> &'static str {
        "lucene-8.7"
    }

    fn about(&self) -> &'static str {
        "Java Lucene 8.7: primitives, index headers"
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        let _ = self.found.set(RELEASE_8.find(installer)?);
        Ok(())
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let programs = RELEASE_8.compile(self.found.get().context("not prepared")?)?;
        primitives::check(&SKILLS_8, |asked| programs.ask("Vec", asked), tally)
            .context("primitives")?;
        Ok("8.7.0".into())
    }
}
