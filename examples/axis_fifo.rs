//! An AXI4-Stream FIFO for packets, with a register slice at its output.
//!
//! `cargo run --example axis_fifo [FOLDER]` sends packets through it, with random stalls on both sides, and writes Verilog
//! and waves into the folder.

mod common;

use anyhow::{Result, ensure};
use eva_rtl::bundle;
use eva_rtl::hdl::sim::{SimOptions, Simulator};
use eva_rtl::hdl::{Bundle, Clocking, PortStyle, Scope, elaborate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

const DEPTH: u32 = 4;
const WIDTH: u32 = 16;

bundle! {
    /// What a transfer carries: ports `tdata` and `tlast`.
    pub Beat { data, last }
}

/// A queue of `depth` beats, and two more in the slice.
fn axis_fifo(m: &Scope, depth: u32, width: u32) {
    m.doc("AXI4-Stream FIFO. `packets` is the number of packets whose last beat is inside.");
    m.param("depth", depth);
    m.param("width", width);
    let input = m.stream_in("s_axis", PortStyle::Axis, Beat { data: width, last: 1 });
    let arrives = input.fire() & input.payload.last;
    // The slice keeps `m_axis_tready` from reaching the queue in the same cycle.
    let output = input.fifo("u_queue", depth).skid("u_slice");
    let leaves = output.fire() & output.payload.last;
    m.stream_out("m_axis", PortStyle::Axis, output);

    let packets = m.reg("packet_count", Scope::index_width(depth + 3)).reset(0);
    packets.on(arrives & !leaves, packets.q() + 1).on(leaves & !arrives, packets.q() - 1);
    m.output("packets", packets.q());
}

fn main() -> Result<()> {
    run(&common::output_folder()?)
}

/// Everything, with files in `folder`.
pub fn run(folder: &Path) -> Result<()> {
    let clocking = Clocking::new("aclk", "aresetn");
    let elaborated = elaborate("axis_fifo", clocking, |m| axis_fifo(m, DEPTH, WIDTH))?;
    common::write_verilog(&elaborated, folder)?;

    let mut sim = Simulator::new(&elaborated.design, SimOptions { keep_names: true, ..SimOptions::default() })?;
    let [s_valid, m_ready] = ["s_axis_tvalid", "m_axis_tready"].map(|name| sim.input(name).unwrap());
    let s_beat = Beat { data: "s_axis_tdata", last: "s_axis_tlast" }.map(|_, name| sim.input(name).unwrap());
    let [s_ready, m_valid] = ["s_axis_tready", "m_axis_tvalid"].map(|name| sim.output(name).unwrap());
    let m_beat = Beat { data: "m_axis_tdata", last: "m_axis_tlast" }.map(|_, name| sim.output(name).unwrap());
    let packets = sim.output("packets")?;
    let waves = folder.join("axis_fifo.vcd");
    sim.trace(BufWriter::new(File::create(&waves)?))?;
    sim.reset(2);

    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut inside: VecDeque<Beat<u64>> = VecDeque::new(); // what the FIFO must hold
    let (mut offer, mut sent, mut received, mut most) = (None, 0, 0, 0);
    let mut is_waiting = false;
    for cycle in 0..3000 {
        // How often the source has a beat, and the sink is ready: one side at a time, both at times, neither at the end.
        let (source, sink) = match cycle {
            0..10 => (1.0, 0.0),
            10..18 => (0.0, 1.0),
            18..1000 => (0.9, 0.4),
            1000..2000 => (0.4, 0.9),
            2000..2950 => (1.0, 1.0),
            _ => (0.0, 1.0),
        };
        // An offer stays until it is taken. What is not valid is noise.
        if offer.is_none() && rng.random_bool(source) {
            sent += 1;
            offer = Some(Beat { data: sent, last: u64::from(sent % 3 == 0) });
        }
        let noise = Beat { data: rng.random_range(0..1 << WIDTH), last: rng.random_range(0..2) };
        let beat = offer.unwrap_or(noise);
        let is_ready = rng.random_bool(sink);
        sim.set_u64(s_valid, offer.is_some().into());
        sim.set_u64(s_beat.data, beat.data);
        sim.set_u64(s_beat.last, beat.last);
        sim.set_u64(m_ready, is_ready.into());

        let whole = inside.iter().filter(|beat| beat.last == 1).count() as u64;
        ensure!(sim.get_u64(packets) == whole, "cycle {cycle}: {} packets, not {whole}", sim.get_u64(packets));
        let is_valid = sim.get_u64(m_valid) == 1;
        ensure!(is_valid || !is_waiting, "cycle {cycle}: an offer was withdrawn");
        is_waiting = is_valid && !is_ready;
        if is_valid {
            let seen = m_beat.map(|_, port| sim.get_u64(port));
            ensure!(inside.front() == Some(&seen), "cycle {cycle}: {seen:?}, not {:?}", inside.front());
            if is_ready {
                inside.pop_front();
                received += 1;
            }
        }
        if sim.get_u64(s_ready) == 1 {
            inside.extend(offer.take());
        }
        most = most.max(inside.len());
        sim.step();
    }
    sim.finish_trace()?;

    ensure!(offer.is_none() && received == sent, "{sent} beats were sent, {received} came out");
    ensure!(most == DEPTH as usize + 2, "it holds at most {most} beats");
    println!("{}: the waves of {} cycles", waves.display(), sim.cycle());
    println!("{received} beats in order under stalls, at most {most} of them inside");
    Ok(())
}
