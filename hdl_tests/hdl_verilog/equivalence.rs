//! The emitted Verilog computes what the native simulator computes.

use crate::common::random_design::{Shape, random_design};
use eva_rtl::cosim::verilator::{Verilator, VerilogModel};
use eva_rtl::cosim::{Native, PortSpec, Simulator, words_for};
use eva_rtl::hdl::ir::Dir;
use eva_rtl::hdl::verilog::{Options, emit};
use eva_rtl::hdl::{Clocking, Design, Scope, elaborate};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

fn model(design: &Design) -> VerilogModel {
    let top = design.top_module();
    let mut ports = vec![PortSpec::input(&design.clocking.clock, 1), PortSpec::input(&design.clocking.reset, 1)];
    ports.extend(top.ports.iter().map(|p| match p.dir {
        Dir::Input => PortSpec::input(&p.name, p.width),
        Dir::Output => PortSpec::output(&p.name, p.width),
    }));
    let files = emit(design, &Options::default()).into_iter().map(|f| (f.name, f.text)).collect();
    VerilogModel { top: top.name.clone(), clock: design.clocking.clock.clone(), files, ports }
}

/// Runs both with the same random inputs and returns how many values were compared.
fn compare(verilator: &Verilator, design: &Design, cycles: u32, rng: &mut ChaCha8Rng, what: &str) -> usize {
    let compiled = verilator.compile(&model(design), false).unwrap_or_else(|e| panic!("{what}: {e}"));
    let mut sims: [Box<dyn Simulator>; 2] =
        [Box::new(Native::new(design, 1, false).expect("compiles")), Box::new(compiled.simulator(2))];
    let mut compared = 0;
    for cycle in 0..cycles {
        let reset = u64::from(cycle > 1 && !rng.random_bool(0.05));
        let mut inputs: Vec<(&str, Vec<u64>)> = vec![(&design.clocking.reset, vec![reset])];
        for port in design.top_module().ports.iter().filter(|p| p.dir == Dir::Input) {
            let style = rng.random_range(0..4);
            let word = |_| match style {
                0 => 0,
                1 => u64::MAX,
                _ => rng.next_u64(),
            };
            inputs.push((&port.name, (0..words_for(port.width)).map(word).collect()));
        }
        for sim in &mut sims {
            for (name, words) in &inputs {
                let port = sim.input(name).expect("an input");
                sim.set(port, words);
            }
            sim.settle();
        }
        // Registers and memories are defined from the first reset on.
        for port in design.top_module().ports.iter().filter(|p| p.dir == Dir::Output && cycle > 1) {
            let [native, verilog] = [0, 1].map(|i| {
                let output = sims[i].output(&port.name).expect("an output");
                let mut words = vec![0; output.words()];
                sims[i].get(output, &mut words);
                words
            });
            assert_eq!(native, verilog, "{what}: output {} in cycle {cycle}, native and Verilog", port.name);
            compared += 1;
        }
        sims.iter_mut().for_each(|s| s.step());
    }
    compared
}

/// The installed Verilator, with compiled models kept in the target folder.
fn verilator() -> Verilator {
    Verilator::find()
        .unwrap_or_else(|e| panic!("{e}"))
        .with_cache(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("models"))
}

/// Each operation of inputs alone, and inside of those around it that could change its meaning.
#[test]
fn every_operation_in_every_context_agrees() {
    let clocking = Clocking { clock: "clk".into(), reset: "rst_n".into() };
    let design = elaborate("operations", clocking, |m| {
        m.reg("state", 1).reset(0).next(m.input("toggle", 1));
        for (index, width) in [1, 7, 33, 70].into_iter().enumerate() {
            let input = |name: &str, width| m.input(&format!("{name}{index}"), width);
            let (a, b, sel) = (input("a", width), input("b", width), input("sel", 1));
            let (amount, wide_amount) = (input("amount", Scope::index_width(width + 2)), input("wide_amount", 40));
            let narrow = input("narrow", width.div_ceil(3));
            let results = [
                a + b,
                a - b,
                a & b,
                a | b,
                a ^ b,
                !a,
                a.neg(),
                a.mul(narrow).trunc(width),
                a.mul(narrow).bits_from(narrow.width()),
                a.mul_signed(narrow).trunc(width),
                a.mul_signed(narrow).bits_from(narrow.width()),
                a.mul_signed(narrow.zext(narrow.width() + 1)).trunc(width),
                a.shl(amount),
                a.shr(amount),
                a.shr_signed(amount),
                a.shr_signed(m.lit(3, 2)),
                a.shl(wide_amount),
                a.shr_signed(wide_amount),
                sel.mux(a, b),
                amount.select(&[a, b, !a]),
                narrow.zext(width),
                narrow.sext(width),
                sel.sext(width),
                m.cat(&[a, a, b]).bits_from(width + width / 2).zext(2 * width).trunc(width),
                a.eq(b).sext(width),
                a.lt(b).zext(width),
                a.le(b).zext(width),
                a.lt_signed(b).zext(width),
                a.le_signed(b).sext(width),
                a.le_signed(m.zeros(width)).zext(width),
                a.any().zext(width),
                a.all().sext(width),
                a.parity().sext(width),
            ];
            for (i, result) in results.into_iter().enumerate() {
                let contexts = [
                    result,
                    result + b,
                    sel.mux(result, b),
                    sel.mux(b, result).sext(width + 3),
                    result.shr_signed(amount) + b,
                    sel.mux(b, result.shr_signed(amount)),
                    result.lt_signed(b).zext(width) + result,
                    m.cat(&[result, b]),
                    result.mul_signed(narrow),
                    !(result ^ b),
                    amount.select(&[b, result.shr_signed(amount), result]),
                ];
                for (c, context) in contexts.into_iter().enumerate() {
                    m.output(&format!("y_{width}_{i}_{c}"), context);
                }
            }
        }
    });
    let design = design.expect("no mistakes").design;
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let compared = compare(&verilator(), &design, 300, &mut rng, "operations");
    assert_eq!(compared, 4 * 33 * 11 * 298);
}

#[test]
fn random_designs_agree_with_the_native_simulator() {
    let first: u64 = std::env::var("EVA_SEED").map_or(0, |s| s.parse().expect("EVA_SEED is a number"));
    let count: u64 = std::env::var("EVA_FUZZ").map_or(4, |s| s.parse().expect("EVA_FUZZ is a number"));
    let verilator = verilator();
    for seed in first..first + count {
        let shape = Shape { nodes: 400, children: (seed % 3) as u32, is_defined: true };
        let design = random_design(seed, shape);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let compared = compare(&verilator, &design, 200, &mut rng, &format!("seed {seed}"));
        assert!(compared >= 198, "seed {seed} compared {compared} values");
    }
}
