//! Memories made of RAM macros behave as the models of the black boxes whose place they take.

use std::fs;
use std::path::Path;

use eva_rtl::config::Draft;
use eva_rtl::hdl::verilog::{MemoryModule, memory_modules};
use eva_rtl::hdl::verilog::{MemoryStyle, Options, RamMacro, RamMacroBinding, RamMacroPort, bind_macros, emit};
use eva_rtl::hdl::{Clocking, Collision, Design, elaborate};

use super::tools::{command, expect_success, run};
use super::{SKY130_MODEL, sky130};

/// A macro for tests: few words, no power of two in anything, one clock for both ports.
fn odd_macro(holds_output: bool, has_read_enable: bool) -> RamMacro {
    let pin = |name: &str| name.to_owned();
    let read_enable = if has_read_enable { vec![pin("re")] } else { Vec::new() };
    RamMacro {
        module: pin("odd_ram"),
        depth: 20,
        width: 7,
        holds_output,
        write: RamMacroPort {
            clock: pin("ck"),
            enable: vec![pin("!wen"), pin("me")],
            address: pin("wa"),
            data: pin("d"),
        },
        read: RamMacroPort { clock: pin("ck"), enable: read_enable, address: pin("ra"), data: pin("q") },
        tie: [(pin("test"), "1'b0".to_owned())].into(),
        open: [(pin("ready"), 1)].into(),
    }
}

/// Its model.
fn odd_model(ram: &RamMacro) -> String {
    let (read_port, read) = match ram.read.enable.is_empty() {
        true => ("", "1'b1"),
        false => ("input wire re, ", "re"),
    };
    let idle = if ram.holds_output { "q" } else { "7'bx" };
    format!(
        "module odd_ram (input wire ck, input wire wen, input wire me, input wire [4:0] wa, input wire [6:0] d,
            {read_port}input wire [4:0] ra, input wire test, output reg [6:0] q, output wire ready);
            assign ready = 1'b1;
            reg [6:0] words [0:19];
            always @(posedge ck) begin
                if (me && !wen) words[wa] <= test ? 7'bx : d;
                q <= !({read}) ? {idle} : me && !wen && wa == ra ? 7'bx : words[ra];
            end
        endmodule\n"
    )
}

/// A memory with a write port and a read port.
fn memory(depth: u32, width: u32, collision: Collision) -> Design {
    let clocking = Clocking { clock: "aclk".to_owned(), reset: "aresetn".to_owned() };
    let described = elaborate("top", clocking, |m| {
        let store = m.mem("store", depth, width).on_collision(collision);
        let address = |name| m.input(name, store.addr_width());
        store.write(address("write_address"), m.input("write_data", width), m.input("write", 1));
        m.output("data", store.read_en(address("read_address"), m.input("read", 1)));
    });
    described.expect("a design without mistakes").design
}

fn only_module(design: &Design) -> MemoryModule {
    memory_modules(design).pop().expect("one memory")
}

/// Runs the module made of `macros`, whose Verilog is `models`, beside the model of the black box.
fn compare(depth: u32, width: u32, macros: &[RamMacro], models: &str) {
    let design = memory(depth, width, Collision::Undefined);
    let name = only_module(&design).name;
    let mut files = emit(&design, &Options { memory: MemoryStyle::Macro });
    bind_macros(&mut files, &design, macros);
    let text = |path: String| &files.iter().find(|file| file.name == path).expect("it is emitted").text;
    let bound = text(format!("{name}.v"));
    let model = text(format!("models/{name}.v")).replace(&format!("module {name} "), "module model ");
    let words = width.div_ceil(32);
    let bench = format!(
        "module bench;
            localparam DEPTH = {depth}, WIDTH = {width};
            reg clock = 1'b0;
            always #5 clock = ~clock;
            reg w_en = 1'b0, r_en = 1'b0, was_read = 1'b0;
            reg [{address}:0] w_addr = 0, r_addr = 0;
            reg [WIDTH-1:0] w_data = 0;
            wire [WIDTH-1:0] got, expected;
            {name} dut (.aclk (clock), .w0_en (w_en), .w0_addr (w_addr), .w0_data (w_data),
                .r0_en (r_en), .r0_addr (r_addr), .r0_data (got));
            model reference (.aclk (clock), .w0_en (w_en), .w0_addr (w_addr), .w0_data (w_data),
                .r0_en (r_en), .r0_addr (r_addr), .r0_data (expected));
            integer cycle, kept = 0, failures = 0;
            initial begin
                for (cycle = 0; cycle < DEPTH + 5000; cycle = cycle + 1) begin
                    @(posedge clock) #1;
                    // First every word is written.
                    w_en = cycle < DEPTH || $random & 1;
                    w_addr = cycle < DEPTH ? cycle : $unsigned($random) % DEPTH;
                    w_data = {{{words}{{$random}}}};
                    r_en = cycle >= DEPTH && $random & 1;
                    r_addr = $unsigned($random) % DEPTH;
                    if (w_en && r_en && w_addr == r_addr) r_en = 1'b0;
                    if (was_read && !r_en) kept = kept + 1;
                    #8;
                    // Just before the next edge: what the edges before have led to.
                    if (was_read && got !== expected) failures = failures + 1;
                    if (r_en) was_read = 1'b1;
                end
                $display(\"%0d failures, %0d kept\", failures, kept);
                $finish;
            end
        endmodule\n",
        address = only_module(&design).ports("aclk")[2].width - 1,
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("bench.v"), [bound.as_str(), &model, models, &bench].concat()).expect("a writable folder");
    let what = format!("{name} of {}", macros[0].module);
    let mut compiler = command("iverilog");
    compiler.args(["-g2005", "-s", "bench", "-o"]).arg(path("bench")).arg(path("bench.v"));
    expect_success(&what, &mut compiler, true);
    let output = run(std::process::Command::new("vvp").arg("-n").arg(path("bench")));
    let text = String::from_utf8_lossy(&output.stdout);
    let kept = text.strip_prefix("0 failures, ").and_then(|rest| rest.trim_end().strip_suffix(" kept"));
    let kept: u32 = kept.and_then(|kept| kept.parse().ok()).unwrap_or_else(|| panic!("{what}: {text}\n{bound}"));
    assert!(kept > 1000, "{what}: {text}");
}

#[test]
fn memories_of_the_macro_of_skywater() {
    let model = fs::read_to_string(SKY130_MODEL).unwrap();
    // One macro with bits and words left over; exactly one; several next to each other; several of both.
    for (depth, width) in [(16, 16), (256, 32), (128, 100), (1000, 57), (512, 1)] {
        compare(depth, width, &[sky130()], &model);
    }
}

#[test]
fn memories_of_other_macros() {
    for (holds_output, has_read_enable) in [(true, true), (false, true), (false, false)] {
        let ram = odd_macro(holds_output, has_read_enable);
        let model = odd_model(&ram);
        // 20 words fit one macro; of several, 16 words of each are used.
        for (depth, width) in [(20, 7), (21, 8), (50, 15)] {
            compare(depth, width, std::slice::from_ref(&ram), &model);
        }
    }
}

#[test]
fn the_smallest_of_several_macros_is_chosen() {
    let macros = [sky130(), odd_macro(true, true)];
    let chosen = |depth, width| {
        let module = only_module(&memory(depth, width, Collision::Undefined));
        let binding = RamMacroBinding::choose(&module, &macros).expect("any is possible");
        (binding.ram.depth, binding.banks, binding.slices)
    };
    assert_eq!(chosen(20, 14), (20, 1, 2));
    assert_eq!(chosen(256, 64), (256, 1, 2));
    // Not one of 17 x 5 small ones, though these have fewer bits.
    assert_eq!(chosen(257, 33), (256, 2, 2));
    // Macros promise nothing about reads of a word that is being written.
    let promising = only_module(&memory(20, 14, Collision::ReadOld));
    assert_eq!(RamMacroBinding::choose(&promising, &macros), None);
    let module = only_module(&memory(20, 14, Collision::Undefined));
    assert_eq!(RamMacroBinding::choose(&module, &[]), None);
}

#[test]
fn a_file_without_mistakes_is_understood() {
    let text = "preset = \"tiny\"\n[memory]\nstyle = \"macro\"\n".to_owned()
        + "[[memory.macro]]\nmodule = \"odd_ram\"\ndepth = 20\nwidth = 7\nholds_output = true\n"
        + "write = { clock = \"ck\", enable = [\"!wen\", \"me\"], address = \"wa\", data = \"d\" }\n"
        + "read = { clock = \"ck\", enable = [\"re\"], address = \"ra\", data = \"q\" }\ntie = { test = 0 }\n"
        + "open = { ready = 1 }\n";
    let config = Draft::parse(&text, Path::new("core.toml")).and_then(Draft::finish).unwrap();
    assert_eq!(config.memory.macros, [odd_macro(true, true)]);
}
