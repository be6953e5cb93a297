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
    // Whatever has a name, and no files in its place.
    assert_eq!(ask("eva cosim --preset ''", 3), "paper small fpga tiny");
    assert_eq!(ask("eva presets --show s", 3), "small");
    assert_eq!(ask("eva estimate --model llama-2", 3), "llama-2-7b llama-2-13b");
    assert_eq!(ask("eva pack --random-block q", 3), "qwen3-30b-a3b");
    assert_eq!(ask("eva synth --design b", 3), "board baseline");
    assert_eq!(ask("eva generate --memory-style ''", 3), "inferred macro");
    assert_eq!(ask("eva man es", 2), "estimate");
    assert_eq!(ask("eva completions z", 2), "zsh");
    for number in ["cosim --seed", "cosim --random", "estimate --clock", "synth --rows", "cosim --prefix"] {
        assert_eq!(ask(&format!("eva {number} ''"), 3), "", "{number}");
    }
    for file in ["cosim --config", "cosim --weights", "inspect --config", "synth --liberty"] {
        assert_eq!(ask(&format!("eva {file} Cargo.to"), 3), "Cargo.toml", "{file}");
    }
}

/// Every value has names, is a file or a folder, or is said to be neither.
#[test]
fn shells_know_what_every_value_is() {
    let script = stdout(&["completions", "zsh"]);
    let undescribed: Vec<_> = script.lines().filter(|line| line.contains(":_default'")).collect();
    assert!(undescribed.is_empty(), "{undescribed:#?}");
    for folder in ["out", "netlist", "dump", "program"] {
        let line = script.lines().find(|line| line.contains(&format!("--{folder}=["))).unwrap();
        assert!(line.contains(":DIR:_files -/"), "{line}");
    }
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
    // Every page that is referred to is there, and flags have their values.
    let whole = fs::read_to_string(out.join("eva.1")).unwrap();
    let references: Vec<_> = whole.lines().filter_map(|line| line.strip_suffix("(1)")).collect();
    assert_eq!(references.len(), 9, "{references:?}");
    for reference in references {
        assert!(out.join(format!("{}.1", reference.replace('\\', ""))).is_file(), "{reference}");
    }
    let estimate = fs::read_to_string(out.join("eva-estimate.1")).unwrap();
    assert!(
        estimate.contains("\n.SH SYNOPSIS\neva estimate [OPTIONS] \\-\\-model <NAME|FILE>\n.SH DESCRIPTION\n"),
        "{estimate}"
    );
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
