//! Ctrl-C.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{eva, shell_script};

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// A zombie has ended.
fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    status.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[test]
fn an_interrupt_ends_the_tools_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [temporary, cache, pids] = ["temporary", "cache", "pids"].map(|name| folder.path().join(name));
    fs::create_dir(&temporary).unwrap();
    // It starts a program of its own, as Yosys starts ABC.
    let text =
        format!("[ \"$1\" = -V ] && echo 'Yosys 0.70' && exit\nsleep 600 &\necho $$ $! >>'{}'\nwait", pids.display());
    let yosys = shell_script(folder.path().join("yosys"), &text);
    let report = folder.path().join("report.json");
    let args = ["--preset", "tiny", "--target", "generic", "--report", report.to_str().unwrap()];
    let mut command = eva(&args, &cache, &temporary);
    command.env("EVA_YOSYS", yosys);
    let mut command = crate::tools_of_tests::with_signals(&command);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = || fs::read_to_string(&pids).unwrap_or_default();
    wait_for("Yosys is started", || started().ends_with('\n'));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for pid in started().split_whitespace() {
        wait_for("what it started has ended", || !is_running(pid));
    }
    let names =
        |folder: &Path| -> Vec<_> { fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect() };
    assert_eq!(names(&temporary), [] as [std::path::PathBuf; 0]);
    assert_eq!(names(&cache.join("synth")), [] as [std::path::PathBuf; 0]);
    assert!(
        names(folder.path())
            .iter()
            .all(|path| !path.ends_with("report.json") && !path.to_string_lossy().contains("incomplete"))
    );
}
