//! What the examples share: the folder of their files, warnings, and Verilog.

use anyhow::{Context, Result};
use eva_rtl::hdl::{Elaborated, verilog};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder given as argument, which is made; without one a temporary folder, which stays.
pub fn output_folder() -> Result<PathBuf> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Ok(tempfile::tempdir()?.keep());
    };
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Prints the warnings and writes one file per module.
pub fn write_verilog(elaborated: &Elaborated, folder: &Path) -> Result<()> {
    for warning in &elaborated.warnings {
        eprintln!("warning: {warning}");
    }
    for file in verilog::emit(&elaborated.design, &verilog::Options::default()) {
        let path = folder.join(&file.name);
        fs::write(&path, &file.text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}: {} lines of Verilog", path.display(), file.text.lines().count());
    }
    Ok(())
}
