//! What Yosys makes of the text: the memories and multipliers that were meant.

use crate::common::lint::{scratch, write};
use crate::common::tools::{command, expect_success};
use eva_rtl::hdl::verilog::{Options, emit};
use eva_rtl::hdl::{Clocking, Collision, Scope, elaborate};

/// Runs Yosys commands on the Verilog of a design; a failing assertion among them fails the test.
fn yosys(name: &str, describe: impl FnOnce(&Scope), commands: &[&str]) {
    let clocking = Clocking { clock: "clk".into(), reset: "rst_n".into() };
    let design = elaborate(name, clocking, describe).expect("no mistakes").design;
    let paths = write(&emit(&design, &Options::default()), &scratch(name));
    let script = "import sys\nfrom pyosys import libyosys as ys\ndesign = ys.Design()\n\
                  for line in sys.argv[1:]: ys.run_pass('tee -q ' + line, design)\n";
    let mut python = command("python");
    python.args(["-c", script]);
    python.args(paths.iter().map(|p| format!("read_verilog {}", p.display())));
    python.args(commands);
    expect_success(name, &mut python, false);
}

fn memory(m: &Scope, collision: Collision) {
    let mem = m.mem("store", 512, 16).on_collision(collision);
    mem.write(m.input("wa", 9), m.input("wd", 16), m.input("we", 1));
    m.output("rd", mem.read_en(m.input("ra", 9), m.input("re", 1)));
}

#[test]
fn undefined_collisions_need_a_block_ram_and_nothing_else() {
    let commands =
        ["synth_ice40 -top ram_any", "select -assert-count 2 t:SB_RAM40_4K", "select -assert-none t:SB_DFF* t:SB_LUT4"];
    yosys("ram_any", |m| memory(m, Collision::Undefined), &commands);
}

#[test]
fn defined_collisions_are_recognised() {
    let inferred = "select -assert-count 1 t:$mem_v2 r:RD_CLK_ENABLE=1'1 %i";
    for (name, collision, transparent) in [("ram_old", Collision::ReadOld, 0), ("ram_new", Collision::ReadNew, 1)] {
        let mask = format!("select -assert-count 1 r:RD_TRANSPARENCY_MASK=1'{transparent}");
        let flatten = format!("synth -flatten -top {name} -run begin:fine");
        yosys(name, |m| memory(m, collision), &[&flatten, "memory -nomap", inferred, &mask]);
    }
}

#[test]
fn multipliers_are_as_small_as_their_operands() {
    let describe = |m: &Scope| {
        let (a, b) = (m.input("a", 9), m.input("b", 6));
        m.output("unsigned_product", a.mul(b));
        m.output("signed_product", a.mul_signed(b));
        m.output("mixed_product", a.zext(10).mul_signed(b));
    };
    let commands = [
        "hierarchy -top products",
        "proc",
        "opt",
        "wreduce",
        "select -assert-count 3 t:$mul",
        "select -assert-count 2 t:$mul r:A_WIDTH=9 %i r:B_WIDTH=6 %i",
        "select -assert-count 1 t:$mul r:A_WIDTH=10 %i r:B_WIDTH=6 %i",
    ];
    yosys("products", describe, &commands);
}
