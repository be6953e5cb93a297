//! A UART receiver: 8 data bits, no parity, one stop bit; a state machine with a timer.
//!
//! `cargo run --example uart_receiver [FOLDER]` receives bytes from senders that are too fast or too slow, glitches and broken
//! frames, and writes Verilog and waves into the folder.

mod common;

use anyhow::{Result, ensure};
use eva_rtl::hdl::bits::index_width;
use eva_rtl::hdl::lib::counter::counter_to;
use eva_rtl::hdl::lib::fsm::Fsm;
use eva_rtl::hdl::sim::{SimOptions, Simulator};
use eva_rtl::hdl::{Clocking, Scope, elaborate};
use eva_rtl::hw;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

const CLOCKS_PER_BIT: u64 = 8;
/// Of the receiver, in the order of their codes.
pub const STATES: [&str; 5] = ["idle", "start", "data", "stop", "recover"];

fn uart_receiver(m: &Scope, clocks_per_bit: u64) {
    m.doc(
        "UART receiver. `valid` is 1 for a cycle with each byte, `broken` with each frame whose stop bit is missing.",
    );
    m.param("clocks_per_bit", clocks_per_bit);
    // The line is 1 when nothing is sent. Two registers bring it to this clock.
    let line = m.input("rx", 1);
    let rx = (0..2).fold(line, |level, i| m.reg(&format!("rx_sync_{i}"), 1).reset(1).next(level).q());

    // `sample` marks the middle of each bit: half a bit after the falling edge, then every bit.
    let state = Fsm::new(m, "state", &STATES);
    let timer = m.reg("timer", index_width(clocks_per_bit)).reset(0);
    hw! {
        sample = timer.q().is_zero();
        bit_taken = state.is("data") & sample;
    }
    timer.next(timer.q() - 1).on(sample, clocks_per_bit - 1).on(state.is("idle"), clocks_per_bit / 2 - 1);

    // The lowest bit comes first.
    let shift = m.reg("shift", 8);
    shift.on(bit_taken, m.cat(&[rx, shift.q().bits_from(1)]));
    let bits = counter_to(m, "bit_index", bit_taken, 8);

    state.go("idle", !rx, "start");
    state.go("start", sample & !rx, "data");
    state.go("start", sample & rx, "idle"); // only a glitch
    state.go("data", bits.wrap, "stop");
    state.go("stop", sample & rx, "idle");
    state.go("stop", sample & !rx, "recover");
    state.go("recover", rx, "idle");

    let ends = state.is("stop") & sample;
    m.output("data", shift.q());
    m.output("valid", (ends & rx).reg_reset("received"));
    m.output("broken", (ends & !rx).reg_reset("refused"));
}

/// What the receiver says of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Byte(u8),
    Broken,
}

/// Levels of a line, one per clock cycle.
#[derive(Default)]
struct Line(Vec<bool>);

impl Line {
    fn hold(&mut self, level: bool, cycles: usize) {
        self.0.extend(std::iter::repeat_n(level, cycles));
    }

    /// A frame whose bits last `bit_time` cycles.
    fn frame(&mut self, byte: u8, stop: bool, bit_time: f64) {
        let bits = [false].into_iter().chain((0..8).map(|i| byte >> i & 1 == 1)).chain([stop]);
        let start = self.0.len();
        for (i, level) in bits.enumerate() {
            let end = start + ((i + 1) as f64 * bit_time).round() as usize;
            self.0.resize(end, level);
        }
    }
}

fn main() -> Result<()> {
    run(&common::output_folder()?)
}

/// Everything, with files in `folder`.
pub fn run(folder: &Path) -> Result<()> {
    let clocking = Clocking::new("clk", "rst_n");
    let elaborated = elaborate("uart_receiver", clocking, |m| uart_receiver(m, CLOCKS_PER_BIT))?;
    common::write_verilog(&elaborated, folder)?;

    // What is sent, and what must be received of it.
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut line, mut expected) = (Line::default(), Vec::new());
    for i in 0..200 {
        line.hold(true, if i == 0 { 4 } else { rng.random_range(0..20) });
        let byte = if i == 0 { 0x4B } else { rng.random() };
        let bit_time = CLOCKS_PER_BIT as f64 * if i == 0 { 1.0 } else { rng.random_range(0.97..1.03) };
        let is_whole = i == 0 || rng.random_bool(0.9);
        line.frame(byte, is_whole, bit_time);
        expected.push(if is_whole { Event::Byte(byte) } else { Event::Broken });
        if rng.random_bool(0.2) || !is_whole {
            line.hold(true, 8);
            line.hold(false, 3); // less than half a bit
            line.hold(true, 8);
        }
    }
    line.hold(true, 20);

    let mut sim = Simulator::new(&elaborated.design, SimOptions { keep_names: true, ..SimOptions::default() })?;
    let rx = sim.input("rx")?;
    let [data, valid, broken] = ["data", "valid", "broken"].map(|name| sim.output(name).unwrap());
    let waves = folder.join("uart_receiver.vcd");
    sim.trace(BufWriter::new(File::create(&waves)?))?;
    sim.set_u64(rx, 1);
    sim.reset(2);
    let mut events = Vec::new();
    for level in line.0 {
        sim.set_u64(rx, level.into());
        sim.step();
        if sim.get_u64(valid) == 1 {
            events.push(Event::Byte(sim.get_u64(data) as u8));
        }
        if sim.get_u64(broken) == 1 {
            events.push(Event::Broken);
        }
    }
    sim.finish_trace()?;

    for (i, (event, expected)) in events.iter().zip(&expected).enumerate() {
        ensure!(event == expected, "frame {i} is received as {event:?}, not {expected:?}");
    }
    ensure!(events.len() == expected.len(), "{} frames of {} are received", events.len(), expected.len());
    let bytes = events.iter().filter(|event| **event != Event::Broken).count();
    println!("{}: the waves of {} cycles", waves.display(), sim.cycle());
    println!("{bytes} bytes received, {} broken frames refused", events.len() - bytes);
    Ok(())
}
