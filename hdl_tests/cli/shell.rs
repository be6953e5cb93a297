//! `eva completions` and `eva man`.

use std::fs;
use std::process::Command;

use eva_rtl::config::PARAMETERS;

use super::{files_below, refusal, stdout};

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_is_told_every_command_and_flag() {
    for shell in SHELLS {
        let script = stdout(&["completions", shell]);
        for command in ["completions", "cosim", "estimate", "generate", "inspect", "man", "pack", "presets", "synth"] {
            assert!(script.contains(command), "{shell}: {command}");
        }
        for parameter in &PARAMETERS {
            assert!(script.contains(parameter.flag), "{shell}: {}", parameter.flag);
        }
        // Values that have names, for the shells whose completions know of them.
        let has_values = script.contains("verilator") && script.contains("ecp5");
        assert_eq!(has_values, ["bash", "fish", "zsh"].contains(&shell), "{shell}");
    }
    assert!(refusal(&["completions", "bsh"]).contains("'bash'"));
}

#[test]
fn bash_completes() {
    let script = stdout(&["completions", "bash"]);
    let ask = |words: &str, last: usize| {
        let script = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD={last}; _eva eva \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last}-1]}}\"\n\
             echo \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").args(["-c", &script]).output().expect("there is a bash");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(ask("eva syn", 1), "synth");
    assert_eq!(ask("eva cosim --pres", 2), "--preset");
    assert_eq!(ask("eva cosim --sim v", 3), "verilator");
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("share/man/man1");
    let text = stdout(&["man", "--out", out.to_str().unwrap()]);
    assert!(text.starts_with("10 pages in "), "{text}");
    let files = files_below(folder.path());
    assert_eq!(files.len(), 10);
    for file in &files {
        let page = fs::read_to_string(folder.path().join(file)).unwrap();
        let name = file.trim_start_matches("share/man/man1/").trim_end_matches(".1");
        assert!(page.contains(&format!(".TH {name} 1 ")), "{file}");
        assert!(page.contains("\n.SH EXAMPLES\n.nf\n  eva ") && page.contains("\n.fi\n"), "{file}");
        assert!(page.contains(concat!("\"eva ", env!("CARGO_PKG_VERSION"))), "{file}");
    }
    let page = fs::read_to_string(out.join("eva-generate.1")).unwrap();
    for parameter in &PARAMETERS {
        assert!(page.contains(&format!("\\-\\-{}", parameter.flag.replace('-', "\\-"))), "{}", parameter.flag);
    }
    assert_eq!(stdout(&["man", "generate"]), page);
    assert_eq!(stdout(&["man"]), fs::read_to_string(out.join("eva.1")).unwrap());
}

#[test]
fn manual_pages_are_refused_where_they_cannot_be() {
    assert!(refusal(&["man", "cosm"]).contains("there is no command `cosm`; did you mean `cosim`?"));
    assert!(refusal(&["man", "xyz"]).contains("the commands are completions, cosim,"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(refusal(&["man", "--out", file.to_str().unwrap()]).contains("it is not a folder"));
}
