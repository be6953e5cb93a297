//! The files that `eva cosim` writes: where they go, who may read them, and what is in them.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::thread;

use eva_rtl::vq::{Layer, LayerShape, Scales, write_safetensors};
use serde_json::Value;

use super::{files_below, refusal, run, stdout};

const TINY: &[&str] = &["cosim", "--preset", "tiny", "--random", "64,24", "--seed", "5"];

#[track_caller]
fn cosim(args: &[&str]) -> String {
    stdout(&[TINY, args].concat())
}

/// Lines of a dump without comments.
fn words(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let words = text.lines().map(|line| line.split("//").next().unwrap().trim().to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

#[test]
fn links_and_pipes_stay_what_they_are() {
    for (flag, start) in [("--report", "{"), ("--waves", "$"), ("--y", "\u{93}NUMPY")] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("far")).unwrap();
        fs::write(path("far/file"), "old").unwrap();
        symlink("far/file", path("link")).unwrap();
        symlink("far/new", path("dangling")).unwrap();
        // Latin-1, so that the first byte of a .npy file is a character.
        let read = |name: &str| fs::read(path(name)).unwrap().into_iter().map(char::from).collect::<String>();
        for (link, target) in [("link", "far/file"), ("dangling", "far/new")] {
            cosim(&[flag, path(link).to_str().unwrap()]);
            assert!(fs::symlink_metadata(path(link)).unwrap().is_symlink(), "{flag} {link}");
            assert!(read(target).starts_with(start), "{flag} {link}");
        }

        let pipe = path("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        cosim(&[flag, pipe.to_str().unwrap()]);
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{flag}");
        let piped: String = reader.join().unwrap().into_iter().map(char::from).collect();
        assert!(piped.starts_with(start), "{flag}");
        assert_eq!(files_below(folder.path()), ["dangling", "far/file", "far/new", "link", "pipe"]);
    }
}

/// What is written into a folder stays in it: a link in the place of a file is replaced, one in the place of a folder refused.
#[test]
fn links_in_output_folders_lead_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::create_dir(folder.path().join("far")).unwrap();
    fs::write(folder.path().join("list"), "old").unwrap();
    symlink("../list", out.join("eva_core.f")).unwrap();
    symlink("../far", out.join("rtl")).unwrap();
    let generate = ["generate", "--preset", "tiny", "--out", out.to_str().unwrap()];
    let message = refusal(&generate);
    assert!(message.contains("out/rtl: it is a link; remove it or name another folder"), "{message}");
    assert_eq!(files_below(&folder.path().join("far")), [""; 0]);
    fs::remove_file(out.join("rtl")).unwrap();
    stdout(&generate);
    assert!(fs::symlink_metadata(out.join("eva_core.f")).unwrap().is_file());
    assert_eq!(fs::read_to_string(folder.path().join("list")).unwrap(), "old");
}

#[test]
fn output_folders_have_names_and_places() {
    let folder = tempfile::tempdir().unwrap();
    let dangling = folder.path().join("dangling");
    symlink("nothing", &dangling).unwrap();
    for command in [&["generate", "--preset", "tiny"][..], &["pack", "--preset", "tiny", "--random", "64,8"]] {
        let message = refusal(&[command, &["--out", "-"]].concat());
        assert!(message.contains("cannot write to -: this is not for standard output; name a folder"), "{message}");
        assert!(!Path::new("-").exists());
        let message = refusal(&[command, &["--out", dangling.to_str().unwrap()]].concat());
        assert!(message.contains("/dangling: it is a link to something that does not exist"), "{message}");
    }
}

#[test]
fn all_results_have_the_permissions_of_any_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("plain"), "").unwrap();
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode();
    for (flag, name) in [("--report", "r.json"), ("--waves", "w.vcd"), ("--y", "y.npy")] {
        cosim(&[flag, path(name).to_str().unwrap()]);
        assert_eq!(mode(name), mode("plain"), "{name}");
    }
}

#[test]
fn a_missing_folder_is_found_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no");
    for flag in ["--report", "--waves", "--y"] {
        let file = missing.join("file");
        // A layer that would take hours.
        let args = ["cosim", "--random", "16384,65536", flag, file.to_str().unwrap()];
        let message = refusal(&args);
        let expected = format!("cannot write to {}: there is no folder {}\n", file.display(), missing.display());
        assert!(message.ends_with(&expected), "{flag}: {message}");
    }
    assert!(refusal(&[TINY, &["--waves", "-"]].concat()).contains("name a file or a named pipe"));
    assert!(refusal(&[TINY, &["--y", "-"]].concat()).contains("name a file or a named pipe"));
}

#[test]
fn a_report_on_standard_output_is_alone_there() {
    for more in [&[][..], &["--json"]] {
        let output = run(&[TINY, &["--report", "-"], more].concat(), 0);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["bit_exact"], true);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.contains("bit-exact"), more.is_empty(), "{text}");
    }
    assert!(!Path::new("-").exists());
}

#[test]
fn outputs_and_dump_are_those_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (y, dump, report) = (path("y.npy"), path("a/dump"), path("r.json"));
    let [y_arg, dump_arg, report_arg] = [&y, &dump, &report].map(|path| path.to_str().unwrap());
    // Two blocks of outputs, so that there are two commands with tlast.
    let args =
        ["cosim", "--preset", "tiny", "--random", "32,70", "--y", y_arg, "--dump", dump_arg, "--report", report_arg];
    stdout(&args);
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();

    let npy_bytes = fs::read(&y).unwrap();
    let npy = npyz::NpyFile::new(&npy_bytes[..]).unwrap();
    assert_eq!(npy.shape(), [70]);
    let sent: Vec<half::f16> = npy.into_vec().unwrap();
    assert_eq!(files_below(&dump), ["activations.hex", "commands.hex", "outputs.hex", "statuses.hex", "weights.hex"]);
    let expected: Vec<String> = sent.iter().map(|value| format!("{:08x}", value.to_bits())).collect();
    assert_eq!(words(&dump.join("outputs.hex")), expected);
    assert!(sent.iter().any(|value| value.to_f32() != 0.0));

    for (file, stream, digits) in
        [("commands.hex", 0, 32), ("weights.hex", 1, 8), ("activations.hex", 2, 32), ("statuses.hex", 4, 8)]
    {
        let words = words(&dump.join(file));
        assert_eq!(report["streams"][stream]["beats"], words.len(), "{file}");
        assert!(words.iter().all(|word| word.len() == digits), "{file}");
        let text = fs::read_to_string(dump.join(file)).unwrap();
        assert!(text.starts_with(&format!("// {}: ", report["streams"][stream]["name"].as_str().unwrap())), "{text}");
    }
    // LOAD_CODEBOOKS of 2 and its status: the most significant digit comes first.
    let of = |file: &str| words(&dump.join(file));
    let [command, status] = [&of("commands.hex")[0], &of("statuses.hex")[0]];
    assert!(command.ends_with("01") && &command[22..24] == "02", "{command}");
    assert_eq!(status[..4], command[24..28]);
    assert_eq!(&status[4..], "0001");
    let outputs = fs::read_to_string(dump.join("outputs.hex")).unwrap();
    let last = outputs.lines().filter(|line| !line.starts_with("//")).enumerate();
    let last: Vec<usize> = last.filter(|(_, line)| line.ends_with("// tlast")).map(|(index, _)| index).collect();
    assert_eq!((last.len(), last.last()), (2, Some(&69)));
}

#[test]
fn bounds_are_told_with_the_one_that_limits() {
    let text = cosim(&[]);
    let bounds = "lookups 192, array 256, activations 8, outputs 24 cycles; limited by array";
    assert!(text.contains(bounds), "{text}");
    let report: Value = serde_json::from_str(&cosim(&["--json"])).unwrap();
    assert_eq!(report["bounds"]["lookups"], 192);
    assert_eq!(report["bounds"]["array"], 256);
    assert_eq!(report["bounds"]["activations"], 8);
    assert_eq!(report["bounds"]["outputs"], 24);
    assert_eq!(report["bounds"]["stream"], report["bound_cycles"]);
}

#[test]
fn useless_outputs_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let x = folder.path().join("x.npy");
    let warning = |output: std::process::Output| String::from_utf8(output.stderr).unwrap();
    // 2^-24, which leaves products without a bit.
    super::cosim::write_npy(&x, &[1; 64]);
    let underflow = run(&[TINY, &["--x", x.to_str().unwrap()]].concat(), 0);
    let text = warning(underflow);
    assert!(text.contains("far from double precision") && text.contains("underflow in FP16?"), "{text}");

    // Codebooks of the largest value, of which no two can be added, for two of three outputs.
    let path = folder.path().join("large.safetensors");
    let shape = LayerShape { inputs: 64, outputs: 3, dim: 4, index_bits: 4, codebooks: 1 };
    let centroids = [[0x7bff; 4], [0; 4]].concat().into_iter().chain([0; 56]).collect();
    let codes = (0..48).map(|code| u16::from(code / 16 == 1)).collect();
    let layer = Layer::new("large", shape, centroids, codes, Scales::F16(vec![0x3c00; 3])).unwrap();
    write_safetensors(&[layer], &path).unwrap();
    super::cosim::write_npy(&x, &[0x3c00; 64]);
    let [weights, x] = [&path, &x].map(|path| path.to_str().unwrap());
    let args = ["cosim", "--preset", "tiny", "--weights", weights, "--prefix", "large", "--x", x, "--json"];
    let overflow = run(&args, 0);
    let report: Value = serde_json::from_slice(&overflow.stdout).unwrap();
    assert_eq!(report["non_finite"], 2);
    let text = warning(overflow);
    assert!(text.contains("2 of 3 outputs are infinite or NaN in FP16 where double precision is finite"), "{text}");

    assert!(!warning(run(TINY, 0)).contains("warning"));
}

#[test]
fn two_results_in_one_place_are_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    symlink("real", folder.path().join("link")).unwrap();
    let [same, real, link] = ["a", "real", "link"].map(place);
    let (dotted, inside, in_folder) = (place("./a"), place("d/weights.hex"), place("d"));
    for [flag, path, other, other_path] in [
        ["--waves", &same, "--y", &dotted],
        ["--y", &real, "--report", &link],
        ["--waves", &same, "--report", &same],
        ["--y", &in_folder, "--dump", &in_folder],
        ["--report", &inside, "--dump", &in_folder],
        ["--y", "/dev/stdout", "--report", "-"],
    ] {
        // A layer that would take hours.
        let message = refusal(&["cosim", "--random", "16384,65536", other, other_path, flag, path]);
        assert!(message.contains(&format!("{flag} and {other} both write to ")), "{message}");
    }
    assert!(refusal(&[TINY, &["--dump", "-"]].concat()).contains("name a folder"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the link");
    run(&[TINY, &["--y", "/dev/null", "--waves", "/dev/null"]].concat(), 0);
}

#[test]
fn signals_leave_nothing_behind() {
    for (signal, code, said) in
        [("INT", 130, "interrupted\n"), ("TERM", 143, "terminated\n"), ("HUP", 129, "hung up\n")]
    {
        assert_eq!(ended_by(signal, ""), (Some(code), said.to_owned()), "{signal}");
    }
}

/// As `nohup` does it.
#[test]
fn ignored_signals_stay_ignored() {
    assert_eq!(ended_by("HUP", "trap '' HUP; ").0, Some(143));
}

/// Exit code and standard error of long work that gets `signal`, and should that not end it, SIGTERM; `before` is done by the shell that starts it.
fn ended_by(signal: &str, before: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [waves, y, dump] = ["w.vcd", "y.npy", "a/dump"].map(place);
    let args = ["cosim", "--random", "16384,65536", "--waves", &waves, "--y", &y, "--dump", &dump];
    let mut program = std::process::Command::new("sh");
    program.args(["-c", &format!("{before}exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_eva")]).args(args);
    let mut program = crate::tools::with_signals(&program).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while fs::read_dir(folder.path()).unwrap().count() < 3 {
        assert!(program.try_wait().unwrap().is_none(), "it should take minutes");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kill = |signal: &str| {
        let status = std::process::Command::new("kill").args(["-s", signal, &program.id().to_string()]).status();
        assert!(status.unwrap().success());
    };
    kill(signal);
    if !before.is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(300));
        kill("TERM");
    }
    let output = program.wait_with_output().unwrap();
    assert_eq!(files_below(folder.path()), [""; 0]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}
