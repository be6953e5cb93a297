//! Runs Yosys on one module.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SynthError;
use super::cache::{Cache, digest};
use super::process::Batch;
use super::recipe::files;
use super::tool::Yosys;

/// Everything that determines how a module is mapped.
pub struct Job {
    /// The module.
    pub top: String,
    /// What is done, for messages.
    pub what: String,
    pub script: String,
    /// Name and text of the files that the script reads, [`files::LIBERTY`] excepted.
    pub files: Vec<(&'static str, String)>,
}

/// A mapped module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mapped {
    /// How many there are of each kind of cell, instances of modules included.
    pub cells: BTreeMap<String, u64>,
    /// Verilog.
    pub netlist: String,
    /// The longest path through logic, in ns, as ABC sees it; `None` if it does not say.
    pub logic_ns: Option<f64>,
    /// Taken from the cache.
    #[serde(skip)]
    pub is_cached: bool,
}

/// Runs jobs in a folder.
pub struct Mapper<'a> {
    pub yosys: &'a Yosys,
    pub cache: &'a Cache,
    pub batch: &'a Batch,
    /// Where [`files::LIBERTY`] is, seen from the folders below.
    pub work: &'a Path,
    /// Digest of the library.
    pub library: String,
    next: AtomicU64,
}

impl<'a> Mapper<'a> {
    pub fn new(yosys: &'a Yosys, cache: &'a Cache, batch: &'a Batch, work: &'a Path, library: String) -> Self {
        Self { yosys, cache, batch, work, library, next: AtomicU64::new(0) }
    }

    pub fn map(&self, job: &Job) -> Result<Mapped, SynthError> {
        let mut texts = vec!["map", self.yosys.identity(), &self.library, &job.top, &job.script];
        for (name, text) in &job.files {
            texts.extend([name, text.as_str()]);
        }
        let name = digest(&texts);
        if let Some(found) = self.cache.get::<Mapped>(&name) {
            return Ok(Mapped { is_cached: true, ..found });
        }
        let folder = self.work.join(format!("map{}", self.next.fetch_add(1, Ordering::Relaxed)));
        let mapped = self.run(job, &folder)?;
        self.cache.put(&name, &mapped)?;
        // A netlist takes megabytes, and there are hundreds of jobs.
        fs::remove_dir_all(&folder).map_err(SynthError::io("remove", &folder))?;
        Ok(mapped)
    }

    fn run(&self, job: &Job, folder: &PathBuf) -> Result<Mapped, SynthError> {
        fs::create_dir(folder).map_err(SynthError::io("create", folder))?;
        let script = (files::SCRIPT, job.script.clone());
        for (name, text) in job.files.iter().chain([&script]) {
            let path = folder.join(name);
            fs::write(&path, text).map_err(SynthError::io("write", &path))?;
        }
        let log = folder.join("log");
        // Relative paths, since neither Yosys nor ABC has a way to write a name with spaces. Temporary files go to the
        // folder of work, with which they go away; the library as ABC keeps it there serves all runs.
        let mut command = Command::new(self.yosys.executable());
        command.current_dir(folder).args(["-s", files::SCRIPT]).env("TMPDIR", "..");
        let step = format!("mapping {} ({})", job.top, job.what);
        self.batch.run(&step, &mut command, &log)?;

        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(SynthError::io("read", &path))
        };
        let failed = |output: String| SynthError::Failed { step: step.clone(), output };
        let cells = cells(&read(files::STATISTICS)?, &job.top).map_err(failed)?;
        let netlist = String::from_utf8(read(files::NETLIST)?);
        let netlist = netlist.map_err(|_| failed("the netlist is not text".to_owned()))?;
        let logic_ns = abc_delay(&String::from_utf8_lossy(&read("log")?));
        Ok(Mapped { cells, netlist, logic_ns, is_cached: false })
    }
}

/// How many there are of each kind of cell in the module `top`, from the JSON of Yosys's `stat`.
fn cells(statistics: &[u8], top: &str) -> Result<BTreeMap<String, u64>, String> {
    let value: Value =
        serde_json::from_slice(statistics).map_err(|error| format!("Yosys's statistics cannot be read: {error}"))?;
    let cells = &value["modules"][format!("\\{top}")]["num_cells_by_type"];
    serde_json::from_value(cells.clone()).map_err(|_| format!("Yosys's statistics say nothing about {top}"))
}

/// From ABC's last line of statistics, in ns.
fn abc_delay(log: &str) -> Option<f64> {
    let line = log.lines().rfind(|line| line.contains("Delay ="))?;
    let picoseconds: f64 = line.split("Delay =").nth(1)?.split_whitespace().next()?.parse().ok()?;
    Some(picoseconds / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_read_and_broken_ones_refused() {
        let text = br#"{"modules": {"\\a": {"num_cells": 3, "num_cells_by_type": {"INV": 1, "DFF": 2}}}}"#;
        assert_eq!(cells(text, "a").unwrap(), BTreeMap::from([("DFF".to_owned(), 2), ("INV".to_owned(), 1)]));
        assert!(cells(text, "b").unwrap_err().contains("nothing about b"));
        assert!(cells(&text[..40], "a").unwrap_err().contains("cannot be read"));
        assert!(cells(br#"{"modules": {"\\a": {"num_cells_by_type": {"INV": -1}}}}"#, "a").is_err());
    }

    #[test]
    fn the_last_delay_of_a_log_counts() {
        let log = "ABC: Area = 8.00 Delay =  900.50 ps\nABC: Area = 9.00 ( 9 %) Delay =   812.25 ps ( 1 %)\nend";
        assert_eq!(abc_delay(log), Some(0.81225));
        assert_eq!(abc_delay("Delay ="), None);
        assert_eq!(abc_delay("no paths"), None);
    }
}
