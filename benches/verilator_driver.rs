//! Time per cycle of the Verilator driver against a plain C++ program that only toggles the clock, in one run, on one
//! model.
//!
//! `cargo bench --bench verilator_driver` measures a made-up array of multiply-accumulate elements that is always busy
//! (48 x 48 of them, or `-- --side N`). With `-- --verilog DIR --stream-width W --x-width X` it measures the `eva_core`
//! in DIR: the streams then carry random beats, so the core (which takes no legal command) stays as idle as in the
//! plain program.
//!
//! Three programs take turns on the same Verilated code, compiled with the same options:
//! - plain: a C++ executable that toggles `aclk`, inputs at rest;
//! - quiet: the driver with all its stream drivers and checks, with nothing to send: its overhead proper;
//! - busy: the same with random beats on every stream, so that the model has more to do as well.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use eva_rtl::cosim::axis::{Backpressure, Sink, Source, Stalls};
use eva_rtl::cosim::verilator::{Verilator, VerilogModel};
use eva_rtl::cosim::{PortSpec, Simulator};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Repetitions of each program; the fastest counts.
const ROUNDS: usize = 7;
/// Duration of one repetition, about.
const SECONDS: f64 = 0.6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1).cloned()
    };
    let number = |flag: &str, default: u32| value(flag).map_or(Ok(default), |text| text.parse());
    let model = VerilogModel {
        top: "eva_core".into(),
        clock: "aclk".into(),
        files: match value("--verilog") {
            Some(folder) => read_verilog(Path::new(&folder))?,
            None => vec![("eva_core.v".into(), mac_array(number("--side", 48)?))],
        },
        ports: ports(number("--stream-width", 1024)?, number("--x-width", 256)?),
    };

    let tool = Verilator::find()?.with_cache(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("models"));
    println!("Verilator {}", tool.version());
    let compiled = tool.compile(&model, false)?;
    let plain = Plain::build(&tool, &model)?;

    let first = plain.nanoseconds_per_cycle(200)?;
    let cycles = ((SECONDS * 1e9 / first) as u64).max(100);
    let mut best = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        let times = [
            plain.nanoseconds_per_cycle(cycles)?,
            driver(&mut compiled.simulator(1), cycles, false)?,
            driver(&mut compiled.simulator(1), cycles, true)?,
        ];
        for (best, time) in best.iter_mut().zip(times) {
            *best = best.min(time);
        }
    }
    for (name, time) in ["plain", "quiet", "busy"].into_iter().zip(best) {
        println!("{name:>6}: {:10.0} ns per cycle, {:9.0} cycles/s, {:.3} x plain", time, 1e9 / time, time / best[0]);
    }
    Ok(())
}

/// The streams and `aresetn` of `eva_core`; the driver of this benchmark uses no other ports.
fn ports(stream_width: u32, x_width: u32) -> Vec<PortSpec> {
    let mut ports = vec![PortSpec::input("aclk", 1), PortSpec::input("aresetn", 1)];
    for (stream, width) in [("s_axis_cmd", 128), ("s_axis_w", stream_width), ("s_axis_x", x_width)] {
        ports.push(PortSpec::input(&format!("{stream}_tdata"), width));
        ports.push(PortSpec::input(&format!("{stream}_tvalid"), 1));
        ports.push(PortSpec::output(&format!("{stream}_tready"), 1));
    }
    for (stream, width) in [("m_axis_y", 32), ("m_axis_sts", 64)] {
        ports.push(PortSpec::output(&format!("{stream}_tdata"), width));
        ports.push(PortSpec::output(&format!("{stream}_tvalid"), 1));
        ports.push(PortSpec::input(&format!("{stream}_tready"), 1));
    }
    ports.push(PortSpec::output("m_axis_y_tlast", 1));
    ports
}

fn read_verilog(folder: &Path) -> std::io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "v") {
            let name = path.file_name().expect("from a folder").to_string_lossy().into_owned();
            files.push((name, fs::read_to_string(&path)?));
        }
    }
    files.sort();
    Ok(files)
}

/// Nanoseconds per cycle of what a co-simulation does in each cycle.
fn driver(sim: &mut dyn Simulator, cycles: u64, busy: bool) -> Result<f64, Box<dyn std::error::Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut source = |sim: &mut dyn Simulator, name: &str| {
        let beat = sim.input(&format!("{name}_tdata"))?.width() as usize / 8;
        let mut data = vec![0; if busy { beat * cycles as usize } else { 0 }];
        rng.fill_bytes(&mut data);
        Source::new(sim, name, data, Stalls::None, 1)
    };
    let mut sources = [source(sim, "s_axis_cmd")?, source(sim, "s_axis_w")?, source(sim, "s_axis_x")?];
    let mut sinks = [
        Sink::new(sim, "m_axis_y", true, Backpressure::default(), 1)?,
        Sink::new(sim, "m_axis_sts", false, Backpressure::default(), 1)?,
    ];
    let aresetn = sim.input("aresetn")?;
    for level in [0, 1] {
        sim.set_u64(aresetn, level);
        for _ in 0..4 {
            sim.step();
        }
    }
    let start = Instant::now();
    for _ in 0..cycles {
        for source in &mut sources {
            source.drive(sim);
        }
        for sink in &mut sinks {
            sink.drive(sim);
        }
        sim.settle();
        for source in &mut sources {
            source.sample(sim);
        }
        for sink in &mut sinks {
            sink.sample(sim);
        }
        sim.step();
    }
    Ok(start.elapsed().as_nanos() as f64 / cycles as f64)
}

/// The plain C++ program, built as Verilator's manual says.
struct Plain {
    executable: PathBuf,
    _folder: tempfile::TempDir,
}

impl Plain {
    fn build(tool: &Verilator, model: &VerilogModel) -> Result<Self, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        for (name, text) in &model.files {
            fs::write(folder.path().join(name), text)?;
        }
        fs::write(folder.path().join("main.cpp"), MAIN)?;
        let run = |command: &mut Command| -> Result<(), Box<dyn std::error::Error>> {
            let output = command.output()?;
            if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
        };
        run(Command::new(tool.executable())
            .current_dir(folder.path())
            .args(["--cc", "--exe", "--prefix", "Vdut", "--Mdir", "obj", "-o", "plain", "-O3"])
            .args(["--x-assign", "fast", "--x-initial", "unique", "-Wno-fatal", "-Wno-lint", "-Wno-style"])
            .args(["-CFLAGS", "-w -DVL_TIME_CONTEXT", "--top-module", &model.top])
            .args(model.files.iter().map(|(name, _)| name))
            .arg(folder.path().join("main.cpp")))?;
        run(Command::new("make")
            .current_dir(folder.path().join("obj"))
            .args(["--silent", "--jobs=2", "--file", "Vdut.mk", "CXX=c++", "LINK=c++", "AR=ar", "PYTHON3=python3"])
            .args(["CFG_CXXFLAGS_PCH_I=-include", "OPT_FAST=-O3", "OPT_GLOBAL=-O2", "VM_PARALLEL_BUILDS=1"]))?;
        Ok(Self { executable: folder.path().join("obj/plain"), _folder: folder })
    }

    fn nanoseconds_per_cycle(&self, cycles: u64) -> Result<f64, Box<dyn std::error::Error>> {
        let output = Command::new(&self.executable).arg(cycles.to_string()).output()?;
        Ok(String::from_utf8(output.stdout)?.trim().parse()?)
    }
}

const MAIN: &str = r#"
#include "Vdut.h"
#include "verilated.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int, char** argv) {
    const long cycles = std::atol(argv[1]);
    VerilatedContext context;
    context.randReset(2);
    context.randSeed(1);
    Vdut dut{&context};
    dut.s_axis_cmd_tvalid = dut.s_axis_w_tvalid = dut.s_axis_x_tvalid = 0;
    dut.m_axis_y_tready = dut.m_axis_sts_tready = 1;
    for (int i = 0; i < 8; ++i) {
        dut.aresetn = i >= 4;
        dut.aclk = 0;
        dut.eval();
        dut.aclk = 1;
        dut.eval();
    }
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < cycles; ++i) {
        dut.aclk = 0;
        dut.eval();
        dut.aclk = 1;
        dut.eval();
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    std::printf("%f\n", time.count() / cycles);
}
"#;

/// An array of `side` x `side` multiply-accumulate elements behind the streams of `eva_core`. Its operands come from a
/// free-running generator, so that it works as hard without beats as with them.
fn mac_array(side: u32) -> String {
    format!(
        r#"module eva_core (
  input wire aclk, input wire aresetn,
  input wire [127:0] s_axis_cmd_tdata, input wire s_axis_cmd_tvalid, output wire s_axis_cmd_tready,
  input wire [1023:0] s_axis_w_tdata, input wire s_axis_w_tvalid, output wire s_axis_w_tready,
  input wire [255:0] s_axis_x_tdata, input wire s_axis_x_tvalid, output wire s_axis_x_tready,
  output wire [31:0] m_axis_y_tdata, output wire m_axis_y_tlast, output reg m_axis_y_tvalid, input wire m_axis_y_tready,
  output wire [63:0] m_axis_sts_tdata, output wire m_axis_sts_tvalid, input wire m_axis_sts_tready
);
  localparam N = {side};
  reg [63:0] random;
  reg [1023:0] w;
  reg [255:0] x;
  reg [8*N-1:0] left;
  wire [32*N*(N+1)-1:0] sums;
  assign s_axis_cmd_tready = 1'b1;
  assign s_axis_w_tready = m_axis_y_tready;
  assign s_axis_x_tready = m_axis_y_tready;
  assign m_axis_y_tdata = sums[32*N*(N+1)-1 -: 32] ^ w[1023:992] ^ x[255:224];
  assign m_axis_y_tlast = ^w ^ ^x;
  assign m_axis_sts_tdata = random;
  assign m_axis_sts_tvalid = 1'b0;
  assign sums[32*N-1:0] = {{(32*N){{1'b0}}}};
  always @(posedge aclk) begin
    random <= aresetn ? {{random[62:0], random[63] ^ random[62] ^ random[60] ^ random[59]}} : 64'h1234567;
    left <= {{left[8*N-9:0], random[7:0]}};
    m_axis_y_tvalid <= s_axis_w_tvalid;
    if (s_axis_w_tvalid && s_axis_w_tready) w <= s_axis_w_tdata;
    if (s_axis_x_tvalid && s_axis_x_tready) x <= s_axis_x_tdata;
  end
  genvar r, c;
  generate for (r = 0; r < N; r = r + 1) begin : row
    for (c = 0; c < N; c = c + 1) begin : col
      reg signed [7:0] a, b;
      reg signed [31:0] sum;
      assign sums[32*(N*(r+1)+c) +: 32] = sum;
      always @(posedge aclk) begin
        a <= left[8*r +: 8] + c[7:0];
        b <= random[(r + c) % 56 +: 8];
        sum <= $signed(sums[32*(N*r+c) +: 32]) + a * b;
      end
    end
  end endgenerate
endmodule
"#
    )
}
