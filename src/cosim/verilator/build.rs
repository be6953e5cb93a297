//! From Verilog to a loaded shared library.

use std::fs;
use std::path::{Component, Path};
use std::process::Command;
use std::sync::Arc;
use std::thread;

use super::cache::Cache;
use super::model::{Api, VerilatorSim};
use super::shim;
use super::tool::{self, Verilator};
use crate::cosim::{CosimError, Direction, PortSpec};

/// Verilog to simulate.
#[derive(Clone, Debug)]
pub struct VerilogModel {
    /// Name of the top module.
    pub top: String,
    /// Name of its clock input; all state changes on its rising edge.
    pub clock: String,
    /// Relative path (its folders are created) and text of each source file.
    pub files: Vec<(String, String)>,
    /// Every port of the top module that the testbench uses, and the clock.
    pub ports: Vec<PortSpec>,
}

/// A model that is built and loaded; any number of simulators can be made from it.
#[derive(Clone, Debug)]
pub struct CompiledModel {
    api: Arc<Api>,
    model: Arc<VerilogModel>,
    waves: bool,
}

impl CompiledModel {
    /// A new instance of the model. Registers and memories without initial value start with random bits drawn from
    /// `seed`, so that a result which depends on them differs between seeds.
    pub fn simulator(&self, seed: u64) -> VerilatorSim {
        VerilatorSim::new(&self.api, &self.model, self.waves, seed)
    }
}

/// The C++ optimisation level of the model; the code that runs only once stays unoptimised.
const OPT_FAST: &str = "-O3";
/// That of Verilator's own library.
const OPT_GLOBAL: &str = "-O2";
/// `-w`: nobody reads C++ warnings about generated code, and they would hide the errors.
const CFLAGS: &str = "-fPIC -fvisibility=hidden -DVL_TIME_CONTEXT -w";
const LIBRARY: &str = "model.so";

impl Verilator {
    /// Compiles and loads `model`, or loads the library that an earlier call with the same content left in the cache.
    /// With `waves` the simulators can record waves, and are slower even if they do not.
    pub fn compile(&self, model: &VerilogModel, waves: bool) -> Result<CompiledModel, CosimError> {
        check(model)?;
        let shim = shim::source(model, waves)?;
        let cache = Cache::open(self.cache_folder.as_deref())?;
        let name = format!("{}.so", self.key(model, &shim, waves));
        let library = cache.entry(&name);
        if !library.is_file() {
            let _lock = cache.lock(&name)?;
            // Whoever held the lock before may have built it.
            if !library.is_file() {
                let folder = cache.scratch()?;
                self.build(model, &shim, waves, &cache, folder.path())?;
                cache.store(&name, &folder.path().join("obj").join(LIBRARY))?;
            }
        }
        Ok(CompiledModel { api: Arc::new(Api::load(&library, waves)?), model: Arc::new(model.clone()), waves })
    }

    /// Whether [`compile`](Self::compile) would find `model` in the cache, and so return at once.
    pub fn is_cached(&self, model: &VerilogModel, waves: bool) -> Result<bool, CosimError> {
        let shim = shim::source(model, waves)?;
        let name = format!("{}.so", self.key(model, &shim, waves));
        Ok(Cache::open(self.cache_folder.as_deref())?.entry(&name).is_file())
    }

    /// Digest of everything that determines the library.
    fn key(&self, model: &VerilogModel, shim: &str, waves: bool) -> String {
        let mut digest = self.toolchain_digest();
        let mut add = |text: &str| {
            digest.update(&(text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        };
        add(shim);
        for argument in verilate_arguments(model, waves) {
            add(&argument);
        }
        for (name, text) in &model.files {
            add(name);
            add(text);
        }
        digest.finalize().to_hex().as_str()[..32].to_owned()
    }

    fn toolchain_digest(&self) -> blake3::Hasher {
        let mut digest = blake3::Hasher::new();
        for text in [self.identity(), &tool::cxx(), CFLAGS, OPT_FAST, OPT_GLOBAL] {
            digest.update(&(text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        }
        digest
    }

    /// Leaves the library in `folder/obj`.
    fn build(
        &self,
        model: &VerilogModel,
        shim: &str,
        waves: bool,
        cache: &Cache,
        folder: &Path,
    ) -> Result<(), CosimError> {
        let clang = tool::check_cxx()?;
        write_files(folder, &model.files)?;
        let shim_file = folder.join("shim.cpp");
        fs::write(&shim_file, shim).map_err(CosimError::io("write", &shim_file))?;
        tool::run(
            "verilator --cc",
            Command::new(self.executable()).current_dir(folder).args(verilate_arguments(model, waves)).arg(&shim_file),
        )?;

        let objects = folder.join("obj");
        let mut runtime = self.toolchain_digest();
        runtime.update(&[u8::from(waves)]);
        let runtime = cache.entry(&format!("runtime-{}", &runtime.finalize().to_hex().as_str()[..32]));
        // Copied after Verilator wrote its makefile, the objects are newer and make takes them as they are.
        copy_objects(&runtime, &objects)?;

        let (pch_option, pch_suffix) = if clang { ("-include-pch", ".gch") } else { ("-include", "") };
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let cxx = tool::cxx();
        tool::run(
            "compiling the Verilated model",
            Command::new(tool::make())
                .current_dir(&objects)
                .args(["--silent", &format!("--jobs={jobs}"), "--file", &format!("{}.mk", shim::CLASS)])
                .arg(format!("CXX={cxx}"))
                .arg(format!("LINK={cxx}"))
                // The configured values are those of the machine that built Verilator.
                .args(["AR=ar", "PYTHON3=python3"])
                .arg(format!("CFG_CXXFLAGS_PCH_I={pch_option}"))
                .arg(format!("CFG_GCH_IF_CLANG={pch_suffix}"))
                .arg(format!("OPT_FAST={OPT_FAST}"))
                .arg(format!("OPT_GLOBAL={OPT_GLOBAL}"))
                // One object per file, for small models too: it uses all cores and needs no Python.
                .arg("VM_PARALLEL_BUILDS=1")
                // Set when this runs below another make; its job server is not ours.
                .env_remove("MAKEFLAGS")
                .env_remove("MAKELEVEL"),
        )?;
        keep_runtime(cache, &objects, &runtime)
    }
}

fn verilate_arguments(model: &VerilogModel, waves: bool) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "--cc",
        "--exe",
        "--prefix",
        shim::CLASS,
        "--Mdir",
        "obj",
        "-o",
        LIBRARY,
        "-O3",
        "--x-assign",
        "fast",
        "--x-initial",
        "unique",
        // Warnings are the business of lint.
        "-Wno-fatal",
        "-Wno-lint",
        "-Wno-style",
        "-CFLAGS",
        CFLAGS,
        "-LDFLAGS",
        "-shared",
        "--top-module",
        &model.top,
    ]
    .map(str::to_owned)
    .into();
    if waves {
        arguments.push("--trace".into());
    }
    arguments.extend(model.files.iter().map(|(name, _)| name.clone()));
    arguments
}

fn check(model: &VerilogModel) -> Result<(), CosimError> {
    check_names(&model.files)?;
    let clock = model.ports.iter().find(|port| port.name == model.clock);
    match clock {
        Some(PortSpec { direction: Direction::Input, width: 1, .. }) => Ok(()),
        _ => Err(CosimError::Model(format!(
            "clock `{}` of module `{}` must be among its ports, as a 1-bit input",
            model.clock, model.top
        ))),
    }
}

/// Refuses paths that would leave the folder of a build, or that Verilator would take for options.
fn check_names(files: &[(String, String)]) -> Result<(), CosimError> {
    let inside = |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    match files.iter().find(|(name, _)| !inside(name) || name.is_empty() || name.starts_with(['-', '+'])) {
        Some((name, _)) => Err(CosimError::Model(format!(
            "`{name}` cannot be the name of a Verilog file: it must be a relative path without `..`"
        ))),
        None => Ok(()),
    }
}

/// Writes source files below `folder`.
pub(super) fn write_files(folder: &Path, files: &[(String, String)]) -> Result<(), CosimError> {
    check_names(files)?;
    for (name, text) in files {
        let path = folder.join(name);
        let parent = path.parent().expect("below a folder");
        fs::create_dir_all(parent).map_err(CosimError::io("create", parent))?;
        fs::write(&path, text).map_err(CosimError::io("write", &path))?;
    }
    Ok(())
}

/// Copies the objects of Verilator's own library, if the folder `from` exists. They are the same for every model, and
/// take longer to compile than a small model itself.
fn copy_objects(from: &Path, to: &Path) -> Result<(), CosimError> {
    let Ok(entries) = fs::read_dir(from) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry.map_err(CosimError::io("read", from))?;
        let target = to.join(entry.file_name());
        fs::copy(entry.path(), &target).map_err(CosimError::io("write", &target))?;
    }
    Ok(())
}

/// Makes the objects of Verilator's own library in `objects` the cache entry `runtime`, unless it exists.
fn keep_runtime(cache: &Cache, objects: &Path, runtime: &Path) -> Result<(), CosimError> {
    if runtime.exists() {
        return Ok(());
    }
    let folder = cache.scratch()?;
    for entry in fs::read_dir(objects).map_err(CosimError::io("read", objects))? {
        let entry = entry.map_err(CosimError::io("read", objects))?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text.starts_with("verilated") && text.ends_with(".o") {
            let target = folder.path().join(&name);
            fs::copy(entry.path(), &target).map_err(CosimError::io("write", &target))?;
        }
    }
    // Another process may have been first (then this one's copy goes with `folder`), or the scratch folder may be on
    // another file system: either way the next build only takes longer.
    if fs::rename(folder.path(), runtime).is_ok() {
        let _moved = folder.keep();
    }
    Ok(())
}
