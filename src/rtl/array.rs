//! The systolic array: operand registers, `R` rows, and the control that travels with the operands through them.

use super::operand::{self, Side};
use super::{dot, row, turn};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Bundle, Scope, Signal};

/// Name of the module.
pub const NAME: &str = "eva_array";

bundle! {
    /// What enters the array in one cycle.
    ///
    /// FP16 mode: `entry` is a codebook entry (`d` FP16 values), valid with `valid`. `load` starts a pass: it enters with
    /// the first entry of the pass and reaches row `r` `r` cycles later, in the cycle in which `vectors` must hold the
    /// vectors of row `r` and `live` their validity; a vector that is not live is zero, and its results are +0.
    /// `index`, `pass`, `half`: where the results belong in the OC memories. `step_end` marks the last entry of a step,
    /// and nothing else.
    ///
    /// INT8 mode (`int8` constant from two cycles before anything enters to when all has left): `token` holds `4d` INT8 activations, `weights` in the
    /// place of `vectors` the row word of row `r`; `{pass, index}` is the number of the token. [`turn`] says which lane
    /// starts an output in this pass and which one finishes; with `emit`, the sums of that one are sent on, `emit_end`
    /// on the last token.
    pub ArrayIn {
        int8, valid, load, index, pass, half, step_end, turn, emit, emit_end, entry, token, vectors, live, weights
    }
    /// Results of all lanes, lane 0 lowest, `valid` etc. for each row: `y` belongs to address `index` of the banks of unit
    /// `pass`, in FP16 mode to `half` of them.
    pub ArrayOut { valid, index, pass, half, y }
    /// Addresses of the running INT8 sums that the rows need; `first` (for each lane): there is none yet.
    pub PsumRead { valid, index, pass, first }
    /// Finished INT8 sums, one per cycle: `end` with the last token of an output.
    pub Emitted { valid, end, sum }
    /// Control that travels with the operands; packed in this order, lowest first.
    Tag { index, pass, half, turn, emit_end }
}

/// Widths of [`ArrayIn`].
pub fn input_widths(cfg: &CoreConfig) -> ArrayIn<u32> {
    ArrayIn {
        int8: 1,
        valid: 1,
        load: 1,
        index: cfg.vq.index_bits,
        pass: Scope::index_width(cfg.epilogue.units),
        half: 1,
        step_end: 1,
        turn: turn::bits(cfg),
        emit: 1,
        emit_end: 1,
        entry: 16 * cfg.vq.dim,
        token: cfg.token_word_bits(),
        vectors: 16 * cfg.fp16_cols(),
        live: cfg.segments(),
        weights: cfg.row_word_bits(),
    }
}

/// Widths of [`ArrayOut`].
pub fn output_widths(cfg: &CoreConfig) -> ArrayOut<u32> {
    let (rows, input) = (cfg.array.rows, input_widths(cfg));
    ArrayOut {
        valid: rows,
        index: rows * input.index,
        pass: rows * input.pass,
        half: rows * input.half,
        y: cfg.lanes() * dot::SUM,
    }
}

/// Widths of [`PsumRead`].
pub fn psum_read_widths(cfg: &CoreConfig) -> PsumRead<u32> {
    let output = output_widths(cfg);
    PsumRead { valid: output.valid, index: output.index, pass: output.pass, first: cfg.lanes() }
}

/// Cycles from operands at the input to the results of row 0.
pub fn latency(cfg: &CoreConfig) -> u32 {
    1 + row::latency(cfg)
}

/// Cycles between two tokens that add to the same sum: from one reading it to the next one reading what it wrote.
pub fn psum_distance(cfg: &CoreConfig) -> u32 {
    latency(cfg) + 1 - psum_read(cfg)
}

/// A register behind the memories of running sums, as behind those of lookups, if the sum is not needed before.
fn psum_stages(cfg: &CoreConfig) -> u32 {
    u32::from(cfg.pipeline.epilogue >= 3).min(row::psum_delay(cfg) - 1)
}

/// Cycles from operands at the input to the address of the running sum of row 0; the sum follows one cycle later.
fn psum_read(cfg: &CoreConfig) -> u32 {
    row::psum_delay(cfg) - psum_stages(cfg)
}

/// Describes the array. A result of row `r` leaves `r +` [`latency`] cycles after its operands have entered; `filled`
/// is 1 in the cycle in which the last result of a step leaves. `psum` must hold the sums that `read` asked for one
/// cycle before, 0 for lanes that start.
pub fn array(m: &Scope, cfg: &CoreConfig) {
    let (rows, segments) = (cfg.array.rows as usize, cfg.segments() as usize);
    m.doc("Systolic array: operands move down one row per cycle past those that the rows hold.");
    m.param("array.rows", rows);
    m.param("segments", segments);
    let input = m.inputs("in", input_widths(cfg));
    let input = ArrayIn { int8: input.int8.reg("int8_q"), ..input };
    let psum = m.input("psum", cfg.lanes() * dot::SUM).pipe("psum", psum_stages(cfg));
    let psum = psum.split(segments as u32 * dot::SUM);

    let (w, x) = operands(m, cfg, &input);
    let row_module = m.define(row::NAME, |m| row::row(m, cfg));
    let mut w = m.pack(&vec![w; segments]);
    let mut load = input.load.reg("load_row0");
    let mut results = Vec::with_capacity(rows);
    for (r, psum) in psum.into_iter().enumerate() {
        let row = m.instance(&format!("u_row{r}"), &row_module);
        row.set("int8", input.int8).set("psum", psum).set_bundle("in", row::RowIn { w, x, load });
        results.push(row.get("y"));
        if r + 1 < rows {
            w = row.get("w_out");
            load = load.reg(&format!("load_row{}", r + 1));
        } else {
            row.get("w_out").discard();
        }
    }

    // One chain of control serves all rows: row r takes it r cycles after row 0. Only what is counted must not come from
    // before a reset: ends of steps and finished sums. Other results that do are overwritten before they are read.
    let widths = tag_widths(cfg);
    let (mut valid, mut step_end, mut emit) = (input.valid, input.step_end, input.emit);
    let mut tag = m.cat(&[input.emit_end, input.turn, input.half, input.pass, input.index]);
    let (mut reads, mut writes) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    let (first_read, first_write) = (psum_read(cfg) as usize, latency(cfg) as usize);
    for stage in 1..first_write + rows {
        valid = valid.reg(&format!("valid_q{stage}"));
        step_end = step_end.reg_reset(&format!("step_end_q{stage}"));
        emit = emit.reg_reset(&format!("emit_q{stage}"));
        tag = tag.reg(&format!("tag_q{stage}"));
        let mut lo = 0;
        let fields = widths.map(|_, width| {
            lo += width;
            tag.slice(lo - width, width)
        });
        let tap = Tap { valid, emit, tag: fields };
        if (first_read..first_read + rows).contains(&stage) {
            reads.push(tap);
        }
        if stage >= first_write {
            writes.push(tap);
        }
    }
    m.output("filled", step_end);

    // Lanes that start take nothing from the memories, those that finish send their sums on.
    let lanes = |row: usize| (row * segments) as u32..((row + 1) * segments) as u32;
    let mut firsts = Vec::new();
    for (row, tap) in reads.iter().enumerate() {
        firsts.extend(lanes(row).map(|lane| tap.tag.turn.eq(turn::starts(lane))));
    }
    let all: Vec<Signal> = results.iter().flat_map(|row| row.split(dot::SUM)).collect();
    let (mut finishing, mut sums, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (row, tap) in writes.iter().enumerate() {
        for lane in lanes(row) {
            let sends = (tap.emit & tap.tag.turn.eq(turn::finishes(cfg, lane))).named(&format!("sends{lane}"));
            finishing.push(sends);
            sums.push(all[lane as usize].gate(sends));
            ends.push(sends & tap.tag.emit_end);
        }
    }
    let sum = sums.into_iter().reduce(|a, b| a | b).expect("there is a lane");
    m.outputs(
        "emitted",
        Emitted {
            valid: m.pack(&finishing).any().reg_reset("emitted_valid_q"),
            end: m.pack(&ends).any().reg("emitted_end_q"),
            sum: sum.reg("emitted_sum_q"),
        },
    );

    m.outputs(
        "read",
        PsumRead {
            valid: every(m, &reads, |t| t.valid),
            index: every(m, &reads, |t| t.tag.index),
            pass: every(m, &reads, |t| t.tag.pass),
            first: m.pack(&firsts),
        },
    );
    m.outputs(
        "out",
        ArrayOut {
            valid: every(m, &writes, |t| t.valid),
            index: every(m, &writes, |t| t.tag.index),
            pass: every(m, &writes, |t| t.tag.pass),
            half: every(m, &writes, |t| t.tag.half),
            y: m.pack(&results),
        },
    );
}

/// A signal of each row, row 0 lowest.
fn every<'m>(m: &'m Scope, taps: &[Tap<'m>], field: impl Fn(&Tap<'m>) -> Signal<'m>) -> Signal<'m> {
    m.pack(&taps.iter().map(field).collect::<Vec<_>>())
}

/// The control of one row in one cycle.
#[derive(Clone, Copy)]
struct Tap<'m> {
    valid: Signal<'m>,
    emit: Signal<'m>,
    tag: Tag<Signal<'m>>,
}

fn tag_widths(cfg: &CoreConfig) -> Tag<u32> {
    let input = input_widths(cfg);
    Tag { index: input.index, pass: input.pass, half: input.half, turn: input.turn, emit_end: input.emit_end }
}

/// The registers in which operands enter: streaming ones for one segment, stationary ones for a row.
fn operands<'m>(m: &'m Scope, cfg: &CoreConfig, input: &ArrayIn<Signal<'m>>) -> (Signal<'m>, Signal<'m>) {
    let register = |side: Side, name: &str, i: usize, fp16: Signal<'m>, int8: Signal<'m>| {
        let module = m.define(side.module(), |m| operand::operand(m, side));
        let operand = m.instance(&format!("u_{name}{i}"), &module);
        operand.set("int8", input.int8).set("int8_in", int8).set("fp16_in", fp16);
        if side == Side::Stationary {
            operand.set("live", input.live.bit(i as u32 / cfg.vq.dim));
        }
        operand.get("operand")
    };
    let side = |side, name, fp16: Signal<'m>, int8: Signal<'m>| {
        let pairs = fp16.split(16).into_iter().zip(int8.split(operand::BITS)).enumerate();
        m.pack(&pairs.map(|(i, (fp16, int8))| register(side, name, i, fp16, int8)).collect::<Vec<_>>())
    };
    let w = side(Side::Streaming, "streaming", input.entry, input.token);
    let x = side(Side::Stationary, "stationary", input.vectors, input.weights);
    (w, x)
}
