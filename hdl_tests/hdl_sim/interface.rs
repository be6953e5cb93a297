//! Ports, signals by path, traces and statistics.

use crate::build::{Build, design};
use crate::state::{get, set};
use eva_rtl::hdl::bits::Bits;
use eva_rtl::hdl::ir::*;
use eva_rtl::hdl::sim::{SimOptions, Simulator};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// `y = x + count` in a child, `wide` passed through, a memory that nothing reads and one that something does.
fn example() -> Design {
    let mut c = Build::new("adder");
    let x = c.input("x", 8);
    let one = c.constant(1, 8);
    let count = c.reg("count", 8, Some(0));
    let next = c.binary(BinOp::Add, count, one);
    c.next(count, next, None);
    let sum = c.binary(BinOp::Add, x, count);
    c.name(sum, "sum");
    let unused = c.binary(BinOp::Xor, x, count);
    c.name(unused, "sum");
    let wire = c.wire(8);
    c.name(wire, "sum_again");
    c.drive(wire, sum);
    c.output("y", wire);

    let mut m = Build::new("top");
    let x = m.input("x", 8);
    let wide = m.input("wide", 100);
    let outputs = m.instance("u_adder", ModuleId(0), &c.0, &[x]);
    m.output("y", outputs[0]);
    m.output("wide_out", wide);
    let addr = m.input("addr", 2);
    let read = m.mem("read", (4, 70), 0, Collision::ReadOld, None);
    let data = m.read(read, addr, None);
    m.output("data", data);
    m.mem("unread", (4, 8), 0, Collision::ReadOld, None);
    design(vec![c.0, m.0])
}

fn simulator(keep_names: bool) -> Simulator {
    Simulator::new(&example(), SimOptions { keep_names, ..SimOptions::default() }).unwrap()
}

#[test]
fn ports() {
    let mut sim = simulator(false);
    let inputs: Vec<_> = sim.inputs().map(|(_, name, width)| (name.to_string(), width)).collect();
    assert_eq!(inputs, [("x".into(), 8), ("wide".into(), 100), ("addr".into(), 2)]);
    let outputs: Vec<_> = sim.outputs().map(|(_, name, width)| (name.to_string(), width)).collect();
    assert_eq!(outputs, [("y".into(), 8), ("wide_out".into(), 100), ("data".into(), 70)]);

    let (wide, wide_out) = (sim.input("wide").unwrap(), sim.output("wide_out").unwrap());
    assert_eq!((sim.input_width(wide), sim.output_width(wide_out)), (100, 100));
    let value = Bits::from_words(&[5, 7], 100);
    sim.set(wide, &value);
    assert_eq!(sim.get(wide_out), value);
    assert_eq!(sim.get_words(wide_out), [5, 7]);
    sim.set_u64(wide, 9);
    assert_eq!(sim.get_words(wide_out), [9, 0], "missing words are zero");
    sim.set_words(wide, &[1, 2, 0, 0]);
    assert_eq!(sim.get_words(wide_out), [1, 2], "words beyond the width may be there when they are zero");
}

#[test]
fn signed_ports() {
    let mut sim = simulator(false);
    let (x, y, wide, wide_out) = (
        sim.input("x").unwrap(),
        sim.output("y").unwrap(),
        sim.input("wide").unwrap(),
        sim.output("wide_out").unwrap(),
    );
    sim.reset(1);
    for value in [0, 1, 127, -1, -128] {
        sim.set_i64(x, value);
        assert_eq!(sim.get_i64(y), value);
        assert_eq!(sim.get_u64(y), value as u64 & 0xFF);
    }
    for value in [i64::MIN, -5, i64::MAX] {
        sim.set_i64(wide, value);
        assert_eq!(sim.get(wide_out).to_i128(), Some(value.into()));
        assert_eq!(sim.get_i64(wide_out), value);
    }
    for value in [128, -129] {
        let message = panic_message(|sim| sim.set_i64(sim.input("x").unwrap(), value));
        assert_eq!(message, format!("input `x` has 8 bits; {value} does not fit with its sign"));
    }
}

fn panic_message(f: impl FnOnce(&mut Simulator)) -> String {
    let mut sim = simulator(false);
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(&mut sim))).expect_err("a panic");
    panic.downcast_ref::<String>().expect("a formatted message").clone()
}

#[test]
fn values_that_do_not_fit_are_never_cut() {
    let wide = |sim: &Simulator| sim.input("wide").unwrap();
    let message = panic_message(|sim| sim.set_u64(sim.input("x").unwrap(), 0x123));
    assert_eq!(message, "input `x` has 8 bits; 291 does not fit");
    let message = panic_message(|sim| sim.set_words(wide(sim), &[5, 1 << 36]));
    assert_eq!(message, "input `wide` has 100 bits; 0x10000000000000000000000005 does not fit");
    assert!(panic_message(|sim| sim.set_words(wide(sim), &[0, 0, 1])).contains("does not fit"));
    assert_eq!(panic_message(|sim| sim.set(wide(sim), &Bits::zero(99))), "input `wide` has 100 bits, not 99");
    assert_eq!(
        panic_message(|sim| assert!(sim.poke_memory("read", 0, &Bits::zero(8)))),
        "memory `read` has 70 bits, not 8"
    );
}

/// A mistake in a testbench leads to the line of the testbench.
#[test]
fn panics_are_placed_at_the_call() {
    let calls: [fn(&mut Simulator); 5] = [
        |sim| sim.set_u64(sim.input("x").unwrap(), 256),
        |sim| sim.set_i64(sim.input("x").unwrap(), -129),
        |sim| sim.set_words(sim.input("x").unwrap(), &[256]),
        |sim| sim.set(sim.input("x").unwrap(), &Bits::zero(9)),
        |sim| assert!(sim.poke_memory("read", 0, &Bits::zero(9))),
    ];
    let (sender, places) = std::sync::mpsc::channel();
    let here = std::thread::current().id();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| match std::thread::current().id() == here {
        true => sender.send(info.location().unwrap().file().to_owned()).unwrap(),
        false => usual(info),
    }));
    for call in calls {
        panic_message(call);
    }
    drop(std::panic::take_hook());
    assert_eq!(places.iter().collect::<Vec<_>>(), [file!(); 5]);
}

#[test]
fn names_that_are_not_there() {
    let sim = simulator(true);
    let input = |name: &str| sim.input(name).unwrap_err().to_string();
    assert_eq!(input("wied"), "no input `wied`; did you mean `wide`?");
    assert_eq!(input("y"), "no input `y`; there are `x`, `wide`, `addr`");
    assert_eq!(input("clk"), "no input `clk`; that is the clock, which `step` drives");
    assert_eq!(input("rst_n"), "no input `rst_n`; that is the reset, which `reset` and `set_reset` drive");
    assert_eq!(sim.output("wideout").unwrap_err().to_string(), "no output `wideout`; did you mean `wide_out`?");
    assert_eq!(sim.output("x").unwrap_err().to_string(), "no output `x`; there are `y`, `wide_out`, `data`");
    assert_eq!(
        sim.signal("u_adder.smu").unwrap_err().to_string(),
        "no signal `u_adder.smu`; did you mean `u_adder.sum`?"
    );
    let elsewhere =
        "no signal `_`; `signal_paths` lists all; without `keep_names` they are the ports of the top module";
    assert_eq!(sim.signal("_").unwrap_err().to_string(), elsewhere);
    // What `unwrap` shows.
    assert_eq!(format!("{:?}", sim.input("wied").unwrap_err()), input("wied"));

    let mut silent = Build::new("silent");
    let one = silent.constant(1, 8);
    silent.output("y", one);
    let silent = Simulator::new(&design(vec![silent.0]), SimOptions::default()).unwrap();
    assert_eq!(silent.input("x").unwrap_err().to_string(), "no input `x`; the design has no inputs");
}

#[test]
fn evaluation_is_lazy_but_never_stale() {
    let mut sim = simulator(false);
    sim.reset(1);
    for cycle in 0..5 {
        assert_eq!(sim.cycle(), cycle + 1);
        for x in [3, 40] {
            set(&mut sim, "x", x);
            assert_eq!(get(&mut sim, "y"), x + cycle);
            sim.eval();
            assert_eq!(get(&mut sim, "y"), x + cycle);
        }
        sim.step();
    }
}

#[test]
fn signals_by_path() {
    let mut sim = simulator(true);
    let paths: Vec<_> = sim.signal_paths().collect();
    let expected = [
        "x",
        "wide",
        "y",
        "wide_out",
        "addr",
        "data",
        "u_adder.x",
        "u_adder.y",
        "u_adder.count",
        "u_adder.sum",
        "u_adder.sum_1",
        "u_adder.sum_again",
    ];
    assert_eq!(paths, expected);
    sim.reset(1);
    sim.run(4);
    set(&mut sim, "x", 100);
    let mut peek = |path: &str| {
        let id = sim.signal(path).unwrap();
        assert_eq!(sim.signal_width(id), 8);
        sim.peek(id).to_u64().unwrap()
    };
    assert_eq!(peek("u_adder.count"), 4);
    assert_eq!(peek("u_adder.sum"), 104);
    assert_eq!(peek("u_adder.sum_1"), 100 ^ 4, "kept although nothing uses it");
    assert_eq!(peek("u_adder.sum_again"), 104);
    assert_eq!(peek("y"), 104);

    let mut sim = simulator(false);
    assert!(sim.signal("u_adder.sum").is_err());
    let y = sim.signal("y").unwrap();
    set(&mut sim, "x", 7);
    let count = sim.peek(y).to_u64().unwrap();
    assert_eq!(count, 7);
}

#[test]
fn memories_by_path() {
    let mut sim = simulator(false);
    let value = Bits::from_words(&[1, 2], 70);
    let data = sim.output("data").unwrap();
    assert_ne!(sim.get(data), value);
    assert!(sim.poke_memory("read", 0, &value));
    assert_eq!(sim.peek_memory("read", 0), Some(value.clone()));
    assert_eq!(sim.get(data), value, "seen at once by a combinational read");
    assert!(!sim.poke_memory("read", 4, &value) && !sim.poke_memory("none", 0, &value));
    assert_eq!(sim.peek_memory("unread", 0), None);
}

/// A writer that can be looked into.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Changes of a variable in a dump: time and value as text.
fn changes(dump: &[u8], path: &[&str]) -> Vec<(u64, String)> {
    let mut parser = vcd::Parser::new(dump);
    let header = parser.parse_header().unwrap();
    let code = header.find_var(path).unwrap_or_else(|| panic!("{path:?}")).code;
    let (mut time, mut changes) = (0, Vec::new());
    for command in parser {
        match command.unwrap() {
            vcd::Command::Timestamp(t) => time = t,
            vcd::Command::ChangeScalar(id, value) if id == code => changes.push((time, value.to_string())),
            vcd::Command::ChangeVector(id, value) if id == code => {
                changes.push((time, value.iter().map(|v| v.to_string()).collect()));
            }
            _ => {}
        }
    }
    changes
}

#[test]
fn trace_records_changes() {
    let mut sim = simulator(true);
    let dump = Shared::default();
    sim.trace(dump.clone()).unwrap();
    sim.reset(1);
    set(&mut sim, "x", 2);
    sim.run(3);
    sim.finish_trace().unwrap();
    sim.step();
    let dump = dump.0.lock().unwrap().clone();
    let of =
        |path: &[&str]| changes(&dump, path).into_iter().map(|(t, v)| format!("{t}:{v}")).collect::<Vec<_>>().join(" ");
    assert_eq!(of(&["top", "rst_n"]), "0:0 10:1");
    assert_eq!(of(&["top", "clk"]), "0:1 5:0 10:1 15:0 20:1 25:0 30:1 35:0 40:1 45:0");
    assert_eq!(of(&["top", "x"]), "0:0 10:10");
    assert_eq!(of(&["top", "u_adder", "count"]), "0:0 20:1 30:10 40:11");
    assert_eq!(of(&["top", "u_adder", "sum"]), "0:0 10:10 20:11 30:100 40:101");
    assert_eq!(of(&["top", "y"]), of(&["top", "u_adder", "sum_again"]));
    assert_eq!(of(&["top", "wide"]), "0:0", "values that stay are written once");
    let mut parser = vcd::Parser::new(&dump[..]);
    let header = parser.parse_header().unwrap();
    assert_eq!(header.find_var(&["top", "u_adder", "count"]).unwrap().var_type, vcd::VarType::Reg);
    assert_eq!(header.find_var(&["top", "wide"]).unwrap().size, 100);
}

struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::StorageFull, "full"))
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn trace_reports_errors_of_the_writer() {
    let mut sim = simulator(false);
    assert_eq!(sim.trace(Full).unwrap_err().kind(), io::ErrorKind::StorageFull);
    sim.trace(io::BufWriter::with_capacity(1000, Full)).unwrap();
    sim.run(1000);
    assert_eq!(sim.cycle(), 1000, "the simulation goes on");
    assert_eq!(sim.finish_trace().unwrap_err().kind(), io::ErrorKind::StorageFull);
    sim.finish_trace().unwrap();
}

#[test]
fn statistics() {
    let stats = simulator(false).stats();
    // y = x + count needs two additions; only the one with x depends on an input. The memory read does, too.
    assert_eq!((stats.instructions, stats.input_dependent_instructions), (3, 2));
    assert_eq!(stats.memory_words, 8);
    assert!(stats.runs <= 3 && stats.state_words >= 9);
    assert!(simulator(true).stats().instructions > 3);
}
