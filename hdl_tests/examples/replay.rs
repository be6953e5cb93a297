//! What the native simulator recorded, once more in Icarus Verilog.

use crate::common::tools::{command, expect_success, run};
use crate::waves::Waves;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Applies the recorded inputs to module `top` of the Verilog `files` and compares its outputs with the recorded ones in
/// each cycle. Returns the cycles that differ, and those in which Icarus knew all bits: what is unknown there, the native
/// simulator makes random.
pub fn replay(top: &str, inputs: &[&str], outputs: &[&str], waves: &Waves, files: &[PathBuf]) -> (usize, usize) {
    let folder = files[0].parent().expect("files are in a folder");
    let data: String = (0..waves.cycles).map(|cycle| line(inputs, outputs, waves, cycle)).collect();
    fs::write(folder.join("cycles.txt"), data).expect("a writable folder");
    let bench = folder.join("bench.v");
    fs::write(&bench, text(top, inputs, outputs, waves)).expect("a writable folder");
    let program = folder.join("bench.vvp");
    let mut icarus = command("iverilog");
    icarus.args(["-g2005", "-Wall", "-s", "bench", "-o"]).arg(&program).arg(&bench).args(files);
    expect_success("iverilog", &mut icarus, true);
    let output = run(Command::new("vvp").arg("-n").arg(&program).current_dir(folder));
    let text = String::from_utf8_lossy(&output.stdout);
    let counts: Vec<usize> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(output.status.success() && counts.len() == 2, "{}: {text}", program.display());
    (counts[0], counts[1])
}

/// All recorded bits of a cycle but the clock, the first port highest.
fn line(inputs: &[&str], outputs: &[&str], waves: &Waves, cycle: usize) -> String {
    let bits = inputs[1..].iter().chain(outputs).map(|port| {
        let signal = waves.signal(port);
        format!("{:0width$b}", signal.values[cycle], width = signal.width as usize)
    });
    bits.collect::<String>() + "\n"
}

/// A testbench that reads these lines.
fn text(top: &str, inputs: &[&str], outputs: &[&str], waves: &Waves) -> String {
    let mut text = "module bench;\n".to_owned();
    let mut connections = Vec::new();
    for port in inputs {
        writeln!(text, "    reg [{}:0] {port};", waves.signal(port).width - 1).unwrap();
        connections.push(format!(".{port}({port})"));
    }
    for port in outputs {
        let high = waves.signal(port).width - 1;
        writeln!(text, "    wire [{high}:0] {port};\n    reg [{high}:0] {port}_recorded;").unwrap();
        connections.push(format!(".{port}({port})"));
    }
    let recorded: Vec<String> = outputs.iter().map(|port| format!("{port}_recorded")).collect();
    let bits: u32 = inputs[1..].iter().chain(outputs).map(|port| waves.signal(port).width).sum();
    let clock = inputs[0];
    write!(
        text,
        "    {top} dut ({connections});
    reg [{high}:0] cycles [0:{last}];
    integer i;
    integer wrong;
    integer known;
    initial begin
        $readmemb(\"cycles.txt\", cycles);
        {clock} = 1'b0;
        wrong = 0;
        known = 0;
        for (i = 0; i <= {last}; i = i + 1) begin
            {{{driven}, {recorded}}} = cycles[i];
            #5;
            // Unknown bits equal any.
            if ({{{actual}}} != {{{recorded}}}) wrong = wrong + 1;
            if (^{{{actual}}} !== 1'bx) known = known + 1;
            {clock} = 1'b1;
            #5 {clock} = 1'b0;
        end
        $display(\"%0d %0d\", wrong, known);
        $finish(0);
    end
endmodule
",
        connections = connections.join(", "),
        high = bits - 1,
        last = waves.cycles - 1,
        driven = inputs[1..].join(", "),
        recorded = recorded.join(", "),
        actual = outputs.join(", "),
    )
    .unwrap();
    text
}
