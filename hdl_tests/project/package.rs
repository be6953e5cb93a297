//! What `cargo package` packs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{cargo, files_below, output_of, read};

/// Bytes of all files before compression; not much more than they are, so that data of tests would be noticed.
const MOST_BYTES: u64 = 6 << 20;
/// What cargo makes itself.
const MADE: [&str; 3] = ["Cargo.toml.orig", "Cargo.lock", ".cargo_vcs_info.json"];

/// All folders of the project whose files are packed.
const FOLDERS: [&str; 8] = ["src", "constraints", "docs", "examples", "hdl_tests", "benches", "scripts", "generated"];

fn packed() -> BTreeSet<String> {
    let list = output_of(cargo(&["package", "--list", "--allow-dirty", "--offline", "--quiet"]));
    list.lines().map(str::to_owned).collect()
}

/// `path` as seen from the source file `from`, without `..`.
fn resolved(from: &str, path: &str) -> String {
    let mut whole = PathBuf::new();
    for part in Path::new(from).parent().unwrap().join(path).components() {
        match part {
            Component::ParentDir => assert!(whole.pop(), "{from}: {path}"),
            part => whole.push(part),
        }
    }
    whole.to_str().unwrap().to_owned()
}

#[test]
fn the_package_has_what_the_build_needs() {
    let packed = packed();
    for file in ["Cargo.toml", "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "src/main.rs"] {
        assert!(packed.contains(file), "{file}");
    }
    let mut included = 0;
    for source in files_below("src") {
        assert!(packed.contains(&source), "{source}");
        if source.ends_with(".rs") {
            for rest in read(&source).split("include_str!(\"").skip(1) {
                let file = resolved(&source, rest.split('"').next().unwrap());
                assert!(packed.contains(&file), "{source} includes {file}");
                included += 1;
            }
        }
    }
    assert!(included >= 20, "{included} files are included");
}

#[test]
fn the_package_has_nothing_else() {
    let mut bytes = 0;
    for file in packed().iter().filter(|file| !MADE.contains(&file.as_str())) {
        let folder = file.split_once('/').map_or("", |(folder, _)| folder);
        assert!(["", ".cargo"].contains(&folder) || FOLDERS.contains(&folder), "{file} is packed");
        bytes += fs::metadata(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap().len();
    }
    assert!((1 << 20..MOST_BYTES).contains(&bytes), "{bytes} bytes are packed");
}
