//! Getting what is missing: Debian's packages, and Python's and Node's in folders of their own.

use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

/// A registry may be away for a moment.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_secs(5);

/// Installs, or only looks.
#[derive(Debug)]
pub(crate) struct Installer {
    allowed: bool,
    /// Where Python's and Node's packages go: `target/interop`.
    folder: PathBuf,
    updated: OnceLock<bool>,
}

impl Installer {
    /// `allowed` is false without `--install`.
    pub(crate) fn new(allowed: bool) -> Result<Self> {
        // The binary lies in `<target>/<profile>/` or, for tests, in `deps/` below it.
        let binary = std::env::current_exe()?;
        let profile = binary.ancestors().skip(1).find(|folder| !folder.ends_with("deps"));
        let target = profile.and_then(Path::parent).context("the target folder")?;
        Ok(Self { allowed, folder: target.join("interop"), updated: OnceLock::new() })
    }

    /// The path of `program`, which `package` of Debian's brings.
    pub(crate) fn program(&self, program: &str, package: &str) -> Result<PathBuf> {
        self.found(program, package, || find(program))
    }

    /// A new machine knows no package until it has asked.
    fn update(&self) -> Result<()> {
        if *self.updated.get_or_init(|| apt_get(&["update"]).is_ok()) {
            return Ok(());
        }
        apt_get(&["update"])
    }

    /// [`program`](Self::program), where `look` knows the places.
    pub(crate) fn found(
        &self,
        program: &str,
        package: &str,
        look: impl Fn() -> Option<PathBuf>,
    ) -> Result<PathBuf> {
        if let Some(path) = look() {
            return Ok(path);
        }
        if !self.allowed {
            bail!("{program} is not there (--install gets it from Debian's {package})");
        }
        println!("installing Debian's {package}");
        tries(|| {
            self.update()?;
            apt_get(&["install", "--yes", "--no-install-recommends", package])
        })
        .with_context(|| format!("Debian's {package}"))?;
        look().with_context(|| format!("{package} is installed and brings no {program}"))
    }

    /// The path of `file`, which `package` of Debian's has in it: where an install puts it, or in a
    /// folder of ours. It goes beside what is installed and excludes it, and needs no rights.
    pub(crate) fn unpacked(&self, package: &str, file: &str) -> Result<PathBuf> {
        let folder = self.folder.join(package);
        let look = || {
            let places = [Path::new("/").join(file), folder.join(file)];
            places.into_iter().find(|place| place.is_file())
        };
        if let Some(path) = look() {
            return Ok(path);
        }
        if !self.allowed {
            bail!("{file} is not there (--install gets it from Debian's {package})");
        }
        println!("unpacking Debian's {package}");
        tries(|| {
            self.update()?;
            // A folder of its own, so that the archive is all that is in it.
            let download = tempfile::tempdir()?;
            let mut get = Command::new("apt-get");
            get.current_dir(&download).args(["download", "--quiet=2", package]);
            quiet(get)?;
            let archive = fs::read_dir(&download)?.next().context("nothing came")??.path();
            fs::create_dir_all(&folder)?;
            let mut unpack = Command::new("dpkg-deb");
            unpack.arg("--extract").arg(archive).arg(&folder);
            quiet(unpack)
        })
        .with_context(|| format!("Debian's {package}"))?;
        look().with_context(|| format!("{package} has no {file}"))
    }

    /// The interpreter of an environment in `target/interop` that has these `packages`, each a
    /// name or `name==version`.
    pub(crate) fn python(&self, packages: &[&str]) -> Result<PathBuf> {
        let python = self.program("python3", "python3")?;
        if packages.is_empty() {
            return Ok(python);
        }
        let folder = self.folder.join("python");
        let inside = folder.join("bin/python3");
        let mut ask = Command::new(&inside);
        ask.args(["-I", "-c", PYTHON_HAS]).args(packages);
        if inside.is_file() && quiet(ask).is_ok() {
            return Ok(inside);
        }
        if !self.allowed {
            bail!("Python's {} are not there (--install gets them)", packages.join(", "));
        }
        println!("installing Python's {}", packages.join(", "));
        tries(|| {
            if !inside.is_file() {
                let mut create = Command::new(&python);
                create.args(["-m", "venv"]).arg(&folder);
                quiet(create)?;
            }
            let mut install = Command::new(&inside);
            install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
            install.args(packages);
            quiet(install)
        })?;
        Ok(inside)
    }

    /// A folder of modules in `target/interop` that has this `version` of Node's `package`.
    pub(crate) fn node_modules(&self, package: &str, version: &str) -> Result<PathBuf> {
        let folder = self.folder.join("node");
        let modules = folder.join("node_modules");
        let manifest = modules.join(package).join("package.json");
        let there = || -> Result<bool> {
            let manifest: serde_json::Value = serde_json::from_slice(&fs::read(&manifest)?)?;
            Ok(manifest["version"] == version)
        };
        if there().unwrap_or(false) {
            return Ok(modules);
        }
        if !self.allowed {
            bail!("Node's {package} {version} is not there (--install gets it)");
        }
        let npm = self.program("npm", "npm")?;
        println!("installing Node's {package} {version}");
        tries(|| {
            // A manifest of its own, or npm looks for one in the folders above. It is kept, as npm
            // removes what does not stand in it: the packages of other counterparts.
            fs::create_dir_all(&folder)?;
            let own = folder.join("package.json");
            if !own.is_file() {
                fs::write(own, "{\"private\": true}\n")?;
            }
            let mut install = Command::new(&npm);
            install.current_dir(&folder).args(["install", "--no-audit", "--no-fund"]);
            install.arg("--save-exact");
            install.args(["--ignore-scripts", "--no-package-lock", "--loglevel=error"]);
            install.arg(format!("{package}@{version}"));
            quiet(install)
        })?;
        Ok(modules)
    }

    /// A folder for what is built, in `target/interop`.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

/// Whether the packages named on its command line are installed, in the version given.
const PYTHON_HAS: &str = "\
import sys
from importlib.metadata import version
for package in sys.argv[1:]:
    name, _, wanted = package.partition('==')
    assert version(name) == (wanted or version(name))
";

/// Tries three times, with a pause.
fn tries(mut attempt: impl FnMut() -> Result<()>) -> Result<()> {
    let mut last = Ok(());
    for n in 1..=TRIES {
        last = attempt();
        match &last {
            Ok(()) => break,
            Err(error) => println!("try {n} of {TRIES}: {error:#}"),
        }
        if n < TRIES && !cfg!(test) {
            thread::sleep(PAUSE);
        }
    }
    last
}

fn apt_get(args: &[&str]) -> Result<()> {
    let mut command = Command::new("apt-get");
    command.args(args).arg("--quiet=2").env("DEBIAN_FRONTEND", "noninteractive");
    quiet(command)
}

/// Runs without a word; an error carries the end of what was said.
fn quiet(mut command: Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {name}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let end: Vec<_> = said.lines().rev().take(3).collect();
    bail!("{name}: {}: {}", output.status, end.into_iter().rev().collect::<Vec<_>>().join(" | "))
}

/// The program on the search path, or among the servers, which a user's path may not have.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let servers = std::iter::once(PathBuf::from("/usr/sbin"));
    let folders = std::env::split_paths(&path).chain(servers);
    folders.map(|folder| folder.join(program)).find(|file| is_program(file))
}

pub(crate) fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_and_nothing_is_installed_unasked() {
        let installer = Installer::new(false).unwrap();
        assert!(installer.program("sh", "dash").unwrap().is_absolute());
        let error = installer.program("a-program-that-is-nowhere", "its-package").unwrap_err();
        let error = error.to_string();
        assert!(error.contains("--install") && error.contains("its-package"), "{error}");
        if find("python3").is_some() {
            assert!(installer.python(&[]).is_ok());
        }
    }

    #[test]
    fn three_tries_and_no_more() {
        let mut n = 0;
        let outcome = tries(|| {
            n += 1;
            if n < 3 { bail!("away") } else { Ok(()) }
        });
        assert!(outcome.is_ok());
        assert_eq!(n, 3);
        let mut n = 0;
        assert!(
            tries(|| {
                n += 1;
                bail!("away")
            })
            .is_err()
        );
        assert_eq!(n, 3);
    }

    #[test]
    fn an_error_carries_what_was_said_last() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo a b >&2; echo unable to locate >&2; exit 100"]);
        let error = quiet(command).unwrap_err().to_string();
        assert!(error.contains("a b | unable to locate"), "{error}");
    }
}
