//! The command that `scripts/setup` makes of the Python package of Yosys.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::tools_of_tests::command;

fn yosys(args: &[&str], folder: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/yosys_cli.py");
    command("python").arg(script).args(args).current_dir(folder).output().expect("Python starts")
}

#[test]
fn it_behaves_like_yosys() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    file("a b.v", "module a (input x, output y); assign y = !x; endmodule\n");
    file("good.ys", "log from the script\n");
    file("bad.ys", "log before\nno_such_command\nlog after\n");
    let run = |args: &[&str]| {
        let output = yosys(args, folder.path());
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), text)
    };

    let (code, [stdout, _]) = run(&["-V"]);
    assert!(code == Some(0) && stdout.starts_with("Yosys 0."), "{stdout}");
    let (code, [stdout, _]) = run(&["-p", "log one; log two\nstat", "-s", "good.ys", "a b.v"]);
    assert_eq!(code, Some(0));
    let order = ["from the script", "\none\n", "\ntwo\n", "1 cells"].map(|text| stdout.find(text));
    assert!(order.is_sorted() && order[0].is_some(), "{order:?} {stdout}");
    assert_eq!(run(&["-q", "-s", "good.ys"]), (Some(0), [String::new(), String::new()]));
    assert_eq!(run(&["-q", "-l", "log", "-s", "good.ys"]).0, Some(0));
    assert!(fs::read_to_string(folder.path().join("log")).unwrap().contains("from the script"));
    for args in [&["-s", "bad.ys"][..], &["-q", "-s", "bad.ys"], &["-q", "-p", "no_such_command"], &["-q", "none.v"]] {
        let (code, [stdout, stderr]) = run(args);
        assert!(code == Some(1) && stderr.starts_with("ERROR: "), "{args:?}: {code:?} {stderr}");
        assert!(!stdout.contains("after"));
    }
}
