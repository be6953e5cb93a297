//! Finding Yosys and OpenSTA.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use super::SynthError;
use crate::programs::{self, absolute, ask, candidates};

const INSTALL: &str = "a package of Yosys 0.58 or later, with EVA_YOSYS naming its program if it is not on the PATH";

/// A Yosys release, `major.minor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The number before the dot.
    pub major: u32,
    /// The number behind the dot.
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// An installed Yosys of a supported version.
#[derive(Clone, Debug)]
pub struct Yosys {
    executable: PathBuf,
    version: Version,
    /// Everything it says about its version; tells builds of the same release apart.
    identity: String,
}

impl Yosys {
    /// The oldest supported release, the oldest that was tried. Debian 12's 0.23 has neither the `booth` pass nor a way
    /// to keep cells of the library from being used; the releases between are untested.
    pub const MIN_VERSION: Version = Version { major: 0, minor: 58 };

    /// The Yosys to use: `$EVA_YOSYS` if set, otherwise the first usable one of those in `PATH` and in `.tools/bin` of
    /// the current folder and its parents.
    pub fn find() -> Result<Self, SynthError> {
        programs::find("EVA_YOSYS", "yosys", Self::probe).map_err(missing)
    }

    /// The Yosys at `path`.
    pub fn at(path: &Path) -> Result<Self, SynthError> {
        Self::probe(path).map_err(missing)
    }

    /// Checks the program at `path`; the error says what is wrong with it.
    fn probe(path: &Path) -> Result<Self, String> {
        let path = absolute(path);
        let say = |what: &str| format!("{} {what}", path.display());
        let identity = ask(&path, &["-V"])?;
        let version = parse_version(&identity);
        let version =
            version.ok_or_else(|| say(&format!("does not tell the version of a Yosys, only `{identity}`")))?;
        if version < Self::MIN_VERSION {
            return Err(say(&format!("is version {version}, too old (at least {})", Self::MIN_VERSION)));
        }
        Ok(Self { executable: path, version, identity })
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
}

/// An installed OpenSTA.
#[derive(Clone, Debug)]
pub struct OpenSta {
    executable: PathBuf,
    version: String,
}

impl OpenSta {
    /// The OpenSTA to use: `$EVA_STA` if set, otherwise the first one in `PATH` or `.tools/bin` of the current folder
    /// and its parents; `None` if there is none. An `$EVA_STA` that does not work is an error; set but empty it means
    /// that none is to be used.
    pub fn find() -> Result<Option<Self>, SynthError> {
        match env::var_os("EVA_STA") {
            Some(path) if path.is_empty() => Ok(None),
            Some(path) => match Self::probe(Path::new(&path)) {
                Ok(found) => Ok(Some(found)),
                Err(problem) => Err(SynthError::ToolMissing {
                    tool: "OpenSTA",
                    problem: format!("EVA_STA: {problem}"),
                    install: programs::how_to_install("unset EVA_STA to do without it"),
                }),
            },
            None => Ok(candidates("sta").into_iter().find_map(|path| Self::probe(&path).ok())),
        }
    }

    fn probe(path: &Path) -> Result<Self, String> {
        let path = absolute(path);
        let say = |what: &str| format!("{} {what}", path.display());
        let version = ask(&path, &["-version"])?;
        // There are other programs of that name.
        let is_version = version.starts_with(|c: char| c.is_ascii_digit()) && version.contains('.');
        if !is_version || version.contains(char::is_whitespace) {
            return Err(say("does not tell the version of an OpenSTA"));
        }
        Ok(Self { executable: path, version })
    }

    /// What the program says that it is.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The program.
    pub fn executable(&self) -> &Path {
        &self.executable
    }
}

fn missing(problem: String) -> SynthError {
    SynthError::ToolMissing { tool: "Yosys", problem, install: programs::how_to_install(INSTALL) }
}

/// From `Yosys 0.70 (git sha1 ...)` or `Yosys 0.33+4 (...)`.
fn parse_version(text: &str) -> Option<Version> {
    let (major, rest) = text.strip_prefix("Yosys ")?.split_once('.')?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    Some(Version { major: major.parse().ok()?, minor: digits.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_every_form_in_use() {
        let read = |text| parse_version(text).map(|v| (v.major, v.minor));
        assert_eq!(read("Yosys 0.23 (git sha1 7ce5011c24b)"), Some((0, 23)));
        assert_eq!(read("Yosys 0.33+4 (git sha1 0, clang)"), Some((0, 33)));
        assert_eq!(read("Yosys 0.70 (git sha1 28ba3cb92, Release, GNU c++ 14.2.1)"), Some((0, 70)));
        assert_eq!(read("yosys"), None);
        assert_eq!(read("Verilator 5.048"), None);
    }
}
