//! PEs and rows together with the registers in which their operands enter: FP16 and INT8 values go in as they are, so
//! that nothing here depends on how operands are taken apart.

use crate::bench::{pipeline, set_packed, simulate};
use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::sim::{InputId, OutputId, Simulator};
use eva_rtl::hdl::{Scope, Signal};
use eva_rtl::rtl::operand::{self, Side};
use eva_rtl::rtl::{dot, pe, row};

/// Describes the operand registers of one side: `count` operands from ports `<name>_fp16` and `<name>_int8`.
fn operands<'m>(m: &'m Scope, name: &str, side: Side, count: u32, int8: Signal<'m>) -> Signal<'m> {
    let module = m.define(side.module(), |m| operand::operand(m, side));
    let fp16 = m.input(&format!("{name}_fp16"), 16 * count).split(16);
    let bytes = m.input(&format!("{name}_int8"), operand::BITS * count).split(operand::BITS);
    let live = (side == Side::Stationary).then(|| m.input("live", count));
    let registers = fp16.into_iter().zip(bytes).enumerate().map(|(i, (fp16, bytes))| {
        let register = m.instance(&format!("u_{name}{i}"), &module);
        register.set("int8", int8).set("fp16_in", fp16).set("int8_in", bytes);
        if let Some(live) = live {
            register.set("live", live.bit(i as u32));
        }
        register.get("operand")
    });
    m.pack(&registers.collect::<Vec<_>>())
}

/// Describes a PE with the registers of its operands. The product follows the operands by 2 + `pipeline.pe` cycles.
pub fn whole_pe(m: &Scope, cfg: &CoreConfig) {
    let int8 = m.input("int8", 1);
    let module = m.define(pe::NAME, |m| pe::pe(m, cfg));
    let pe = m.instance("u_pe", &module);
    pe.set("int8", int8).set("load", m.input("load", 1).reg("load_q"));
    pe.set("w_in", operands(m, "w", Side::Streaming, 1, int8)).set("x_in", operands(m, "x", Side::Stationary, 1, int8));
    pe.get("w_out").discard();
    m.outputs("p", pe.get_bundle::<pe::Product<Signal>>("p"));
}

/// Describes a row with the registers of its operands. `psum` enters with the operands; results follow by
/// 1 + [`row::latency`] cycles.
pub fn whole_row(m: &Scope, cfg: &CoreConfig) {
    let int8 = m.input("int8", 1);
    let module = m.define(row::NAME, |m| row::row(m, cfg));
    let row = m.instance("u_row", &module);
    let f = cfg.fp16_cols();
    row.set("int8", int8).set("in_load", m.input("load", 1).reg("load_q"));
    row.set("in_w", operands(m, "w", Side::Streaming, f, int8))
        .set("in_x", operands(m, "x", Side::Stationary, f, int8));
    let psum = m.input("psum", cfg.segments() * dot::SUM);
    row.set("psum", psum.pipe("psum", 1 + row::psum_delay(cfg)));
    row.get("w_out").discard();
    m.output("y", row.get("y"));
}

/// What a row gets in one cycle.
#[derive(Clone, Debug)]
pub enum Operands {
    /// Stationary and streaming values of all `F` PEs.
    Fp16 { x: Vec<u16>, w: Vec<u16> },
    /// The same, four for each PE, and a running sum for each segment.
    Int8 { x: Vec<i8>, w: Vec<i8>, psum: Vec<i32> },
}

/// A row on the simulator.
pub struct Row {
    cfg: CoreConfig,
    sim: Simulator,
    w: [InputId; 2],
    x: [InputId; 2],
    psum: InputId,
    int8: InputId,
    y: OutputId,
}

impl Row {
    pub fn new(cfg: &CoreConfig) -> Row {
        let mut sim = simulate("eva_whole_row", |m| whole_row(m, cfg));
        let input = |name: &str| sim.input(name).unwrap();
        let ports = |name: &str| ["fp16", "int8"].map(|kind| input(&format!("{name}_{kind}")));
        let (w, x, psum, int8) = (ports("w"), ports("x"), input("psum"), input("int8"));
        let (load, live, y) = (input("load"), input("live"), sim.output("y").unwrap());
        sim.set_u64(load, 1);
        sim.set_u64(live, u64::MAX >> (64 - cfg.fp16_cols()));
        Row { cfg: cfg.clone(), sim, w, x, psum, int8, y }
    }

    /// Changes the mode of a row in which nothing is under way. The inputs of the other mode keep what they had, as
    /// the buffers before an array do; sums must be 0 in FP16 mode.
    pub fn mode(&mut self, int8: bool) {
        self.sim.set_u64(self.int8, int8.into());
        if !int8 {
            set_packed(&mut self.sim, self.psum, [], 32);
        }
    }

    /// Runs operands of one mode through, new stationary ones in every cycle, and hands each with the 32 bits of all
    /// segments to `check`. Returns the number of results.
    pub fn run(&mut self, operands: impl Iterator<Item = Operands>, mut check: impl FnMut(&Operands, &[u32])) -> u64 {
        let (w, x, psum, y) = (self.w, self.x, self.psum, self.y);
        let segments = self.cfg.segments() as usize;
        let cycles = pipeline(
            &mut self.sim,
            1 + row::latency(&self.cfg),
            operands,
            |sim, operands| match operands {
                Operands::Fp16 { x: xs, w: ws } => {
                    set_packed(sim, x[0], xs.iter().map(|v| u64::from(*v)), 16);
                    set_packed(sim, w[0], ws.iter().map(|v| u64::from(*v)), 16);
                }
                Operands::Int8 { x: xs, w: ws, psum: sums } => {
                    set_packed(sim, x[1], xs.iter().map(|v| u64::from(*v as u8)), 8);
                    set_packed(sim, w[1], ws.iter().map(|v| u64::from(*v as u8)), 8);
                    set_packed(sim, psum, sums.iter().map(|v| u64::from(*v as u32)), 32);
                }
            },
            |sim, operands| {
                let y: Vec<u32> = sim.get_words(y).iter().flat_map(|w| [*w as u32, (w >> 32) as u32]).collect();
                check(operands, &y[..segments]);
            },
        );
        cycles * segments as u64
    }
}
