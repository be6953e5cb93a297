//! Ports of every size class, the two phases of a cycle, power-up values, waves.

use std::fmt::Write;

use eva_rtl::cosim::verilator::{VerilatorSim, VerilogModel};
use eva_rtl::cosim::{PortSpec, Simulator, words_for};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{model, verilator};

/// Around every change of Verilator's storage type.
const WIDTHS: [u32; 17] = [1, 2, 8, 9, 16, 17, 32, 33, 63, 64, 65, 95, 96, 97, 128, 129, 1024];

/// For each width `w`: input `i<w>`, its complement `c<w>`, and its value at the last edge `r<w>`.
fn echo() -> VerilogModel {
    let mut text = "module echo (input wire aclk".to_owned();
    let mut body = String::new();
    let mut ports = Vec::new();
    for w in WIDTHS {
        let range = format!("[{}:0]", w - 1);
        write!(text, ",\n  input wire {range} i{w}, output wire {range} c{w}, output reg {range} r{w}").unwrap();
        writeln!(body, "  assign c{w} = ~i{w};\n  always @(posedge aclk) r{w} <= i{w};").unwrap();
        ports.push(PortSpec::input(&format!("i{w}"), w));
        ports.push(PortSpec::output(&format!("c{w}"), w));
        ports.push(PortSpec::output(&format!("r{w}"), w));
    }
    text += &format!(");\n{body}endmodule\n");
    model("echo", &text, ports)
}

fn get(sim: &VerilatorSim, name: &str) -> Vec<u64> {
    let port = sim.output(name).unwrap();
    let mut words = vec![0xdead_beef; port.words()];
    sim.get(port, &mut words);
    words
}

fn masked(words: &[u64], width: u32) -> Vec<u64> {
    let mut words = words.to_vec();
    if !width.is_multiple_of(64) {
        *words.last_mut().unwrap() &= (1 << (width % 64)) - 1;
    }
    words
}

#[test]
fn ports_of_every_width_carry_every_bit() {
    let mut sim = verilator().compile(&echo(), false).unwrap().simulator(1);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut previous: Option<Vec<Vec<u64>>> = None;
    for _ in 0..100 {
        // Bits above the width are set too, and must be ignored.
        let values: Vec<Vec<u64>> =
            WIDTHS.iter().map(|w| (0..words_for(*w)).map(|_| rng.next_u64()).collect()).collect();
        for (w, value) in WIDTHS.iter().zip(&values) {
            let port = sim.input(&format!("i{w}")).unwrap();
            assert_eq!((port.width(), port.words()), (*w, value.len()));
            sim.set(port, value);
        }
        sim.settle();
        for (index, w) in WIDTHS.into_iter().enumerate() {
            let complement: Vec<u64> = values[index].iter().map(|word| !word).collect();
            assert_eq!(get(&sim, &format!("c{w}")), masked(&complement, w), "c{w}");
            if let Some(previous) = &previous {
                assert_eq!(get(&sim, &format!("r{w}")), masked(&previous[index], w), "r{w}");
            }
        }
        sim.step();
        previous = Some(values);
    }
}

/// `y` is combinational of state and input; `count` counts edges at which the sum behind `a` was odd.
fn counter() -> VerilogModel {
    let text = "module counter (input wire aclk, input wire aresetn, input wire [7:0] a, output wire [7:0] y, output reg [7:0] count);
  wire odd = ^(a + 8'd3);
  assign y = a + count;
  always @(posedge aclk) if (!aresetn) count <= 8'd0; else count <= count + {7'd0, odd};
endmodule
";
    let ports = vec![
        PortSpec::input("aresetn", 1),
        PortSpec::input("a", 8),
        PortSpec::output("y", 8),
        PortSpec::output("count", 8),
    ];
    model("counter", text, ports)
}

#[test]
fn a_step_is_one_edge_that_sees_the_inputs_as_they_are() {
    let mut sim = verilator().compile(&counter(), false).unwrap().simulator(1);
    let (aresetn, a) = (sim.input("aresetn").unwrap(), sim.input("a").unwrap());
    let (y, count) = (sim.output("y").unwrap(), sim.output("count").unwrap());
    sim.step();
    sim.set_u64(aresetn, 1);
    let mut expected = 0;
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for cycle in 0..2000 {
        let random = rng.next_u64();
        let value = random & 0xff;
        // The same whether nobody looks before the edge, somebody does, or does so several times with other inputs
        // first.
        match cycle % 4 {
            0 => sim.set_u64(a, value),
            1 => {
                sim.set_u64(a, value);
                sim.settle();
                assert_eq!(sim.get_u64(y), (value + expected) & 0xff);
            }
            2 => {
                sim.set_u64(a, random >> 8);
                sim.settle();
                assert_eq!(sim.get_u64(y), ((random >> 8) + expected) & 0xff);
                sim.set_u64(a, value);
            }
            _ => {
                sim.set_u64(a, !value);
                sim.settle();
                sim.settle();
                sim.set_u64(a, value);
                sim.settle();
                assert_eq!(sim.get_u64(y), (value + expected) & 0xff);
            }
        }
        sim.step();
        expected = (expected + u64::from(((value + 3) & 0xff).count_ones() % 2)) & 0xff;
        if cycle % 3 == 0 {
            sim.settle();
            assert_eq!(sim.get_u64(count), expected, "cycle {cycle}");
        }
    }
}

#[test]
fn power_up_values_are_random_and_follow_the_seed() {
    let text = "module powerup (input wire aclk, input wire [3:0] address, input wire write, output wire [31:0] q, output reg [99:0] r);
  reg [31:0] memory [0:15];
  assign q = memory[address];
  always @(posedge aclk) if (write) begin memory[address] <= 32'd0; r <= 100'd0; end
endmodule
";
    let ports = vec![
        PortSpec::input("address", 4),
        PortSpec::input("write", 1),
        PortSpec::output("q", 32),
        PortSpec::output("r", 100),
    ];
    let compiled = verilator().compile(&model("powerup", text, ports), false).unwrap();
    let state = |seed| {
        let mut sim = compiled.simulator(seed);
        let address = sim.input("address").unwrap();
        let mut words = get(&sim, "r");
        for index in 0..16 {
            sim.set_u64(address, index);
            sim.settle();
            words.extend(get(&sim, "q"));
        }
        words
    };
    assert_eq!(state(1), state(1));
    assert_ne!(state(1), state(2));
    let ones: u32 = state(3).iter().map(|word| word.count_ones()).sum();
    assert!((200..400).contains(&ones), "{ones} of 612 bits are one");
    state(0);
    state(u64::MAX);
}

#[test]
fn waves_show_every_cycle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counter.vcd");
    let mut sim = verilator().compile(&counter(), true).unwrap().simulator(1);
    let (aresetn, a) = (sim.input("aresetn").unwrap(), sim.input("a").unwrap());
    sim.step();
    sim.set_u64(aresetn, 1);
    sim.open_waves(&path).unwrap();
    for value in [0, 5, 7] {
        sim.set_u64(a, value);
        sim.step();
    }
    sim.close_waves().unwrap();
    sim.step();

    let mut parser = vcd::Parser::new(std::io::BufReader::new(std::fs::File::open(&path).unwrap()));
    let header = parser.parse_header().unwrap();
    assert_eq!(header.timescale, Some((1, vcd::TimescaleUnit::NS)));
    let code = |name: &str| {
        let scopes = header.items.iter().filter_map(|item| match item {
            vcd::ScopeItem::Scope(scope) => Some(scope),
            _ => None,
        });
        let mut all: Vec<&vcd::Scope> = scopes.collect();
        while let Some(scope) = all.pop() {
            for item in &scope.items {
                match item {
                    vcd::ScopeItem::Var(var) if var.reference == name => return var.code,
                    vcd::ScopeItem::Scope(inner) => all.push(inner),
                    _ => {}
                }
            }
        }
        panic!("no variable {name}");
    };
    let (clock, input) = (code("aclk"), code("a"));
    let (mut time, mut edges, mut inputs) = (0, Vec::new(), Vec::new());
    for command in parser {
        match command.unwrap() {
            vcd::Command::Timestamp(now) => time = now,
            vcd::Command::ChangeScalar(id, vcd::Value::V1) if id == clock => edges.push(time),
            vcd::Command::ChangeVector(id, value) if id == input => inputs.push((time, value.to_string())),
            _ => {}
        }
    }
    assert_eq!(edges, [5, 15, 25]);
    let inputs: Vec<_> = inputs.iter().map(|(time, bits)| (*time, u64::from_str_radix(bits, 2).unwrap())).collect();
    assert_eq!(inputs, [(0, 0), (10, 5), (20, 7)]);
}

#[test]
fn waves_need_a_model_with_waves() {
    let folder = tempfile::tempdir().unwrap();
    let mut sim = verilator().compile(&counter(), false).unwrap().simulator(1);
    assert!(sim.open_waves(&folder.path().join("w.vcd")).is_err());
    assert!(sim.close_waves().is_ok());
    let mut sim = verilator().compile(&counter(), true).unwrap().simulator(1);
    let error = sim.open_waves(&folder.path().join("missing/w.vcd")).unwrap_err();
    assert!(error.to_string().contains("cannot be written"), "{error}");
}

#[test]
fn unknown_ports_are_named_with_those_that_exist() {
    let sim = verilator().compile(&counter(), false).unwrap().simulator(1);
    for (error, expected) in [
        (sim.input("b").unwrap_err(), "counter has no input port `b`; it has: aresetn, a"),
        (sim.input("y").unwrap_err(), "counter has no input port `y`; it has: aresetn, a"),
        (sim.input("aclk").unwrap_err(), "counter has no input port `aclk`; it has: aresetn, a"),
        (sim.output("a").unwrap_err(), "counter has no output port `a`; it has: y, count"),
    ] {
        assert_eq!(error.to_string(), expected);
    }
}
