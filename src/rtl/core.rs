//! The top module: streams, buffers, array, epilogue.

use super::accumulator::{self, Access};
use super::array::{self, ArrayIn, ArrayOut, Emitted, PsumRead};
use super::epilogue_control::{self, Block};
use super::epilogue_unit::{self, Sum};
use super::gemm_control::{self, Steering, Work};
use super::int8_control::{self, Gemm};
use super::lane_buffer::{self, Shape, lane_buffer};
use super::loader::{self, Counting, loader};
use super::unpacker::unpacker;
use super::{command, dot, scaler};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Bundle, Data, PortStyle, Scope, Signal, Stream};
use crate::hw;

pub const NAME: &str = "eva_core";

bundle! {
    /// A beat with its end-of-packet mark.
    Beat { data, last }
    /// Counters of the core.
    Stats { cycles, w_beats, w_stalls, x_stalls, y_stalls }
}

/// Outputs that fit behind epilogue and array: what is in flight through them, and some to keep them going.
fn output_queue(cfg: &CoreConfig) -> u32 {
    let before_scaling = (epilogue_unit::latency(cfg) + 1).max(array::latency(cfg) + cfg.array.rows);
    (before_scaling + cfg.pipeline.scale + 8).next_power_of_two()
}

/// Describes the core; ports and formats are those of `docs/interface.md`.
pub fn core(m: &Scope, cfg: &CoreConfig) {
    m.doc("EVA core: decoding (codebook products, exact lookup sums, scaling) and INT8 matrix products on one array.");
    for (name, value) in [
        ("array.rows", cfg.array.rows),
        ("array.cols", cfg.array.cols),
        ("vq.dim", cfg.vq.dim),
        ("vq.index_bits", cfg.vq.index_bits),
        ("vq.max_codebooks", cfg.vq.max_codebooks),
        ("epilogue.units", cfg.epilogue.units),
        ("buffers.max_k", cfg.buffers.max_k),
        ("buffers.max_n_block", cfg.buffers.max_n_block),
        ("stream.width", cfg.stream.width),
        ("pipeline.pe", cfg.pipeline.pe),
        ("pipeline.tree", cfg.pipeline.tree),
        ("pipeline.epilogue", cfg.pipeline.epilogue),
        ("pipeline.scale", cfg.pipeline.scale),
    ] {
        m.param(name, value);
    }
    m.param("generator", concat!("eva-rtl ", env!("CARGO_PKG_VERSION")));
    let commands = m.stream_in("s_axis_cmd", PortStyle::Axis, Data { data: command::COMMAND });
    let w = m.stream_in("s_axis_w", PortStyle::Axis, Data { data: cfg.stream.width }).skid("u_w_skid");
    let x = m.stream_in("s_axis_x", PortStyle::Axis, Data { data: cfg.x_width() }).skid("u_x_skid");

    // ---- commands
    let units_busy = m.wire("units_busy", 1);
    let module = m.define(command::NAME, |m| command::command(m, cfg));
    let unit = m.instance("u_command", &module);
    unit.set_stream("cmd", commands).set("units_busy", units_busy.get());
    m.stream_out("m_axis_sts", PortStyle::Axis, unit.get_stream::<Data<Signal>>("sts"));
    let start = unit.get_bundle::<command::Start<Signal>>("start");
    let work = unit.get_bundle::<Work<Signal>>("work");
    let block = unit.get_bundle::<Block<Signal>>("block");
    let gemm = unit.get_bundle::<Gemm<Signal>>("gemm");
    let gemm_outputs = gemm.outputs;
    hw! {
        scale_fp32 = unit.get("scale_fp32");
        int8 = unit.get("int8");
        raw = unit.get("raw");
        executing = unit.get("executing");
    }

    // ---- buffers: the weight stream goes to codebooks, then scales, then index or row words
    let cb_shape = loader::codebook_shape(cfg);
    let cb_count = m.cat(&[work.codebooks, m.zeros(cfg.vq.index_bits)]);
    let cb_load = Load::new(m, "codebook", cfg.stream.width, cb_shape, cb_shape.lanes, start.codebooks, cb_count);
    let scale_shape = loader::scale_shape(cfg);
    // Counted in FP16 scales.
    let scale_count = scale_fp32
        .mux(block.outputs.append_zeros(1), block.outputs.zext(block.outputs.width() + 1))
        .named("scale_halves");
    let scale_load =
        Load::new(m, "scale", cfg.stream.width, scale_shape, 2 * scale_shape.lanes, start.scales, scale_count);
    let x_shape = loader::x_shape(cfg);
    let x_load = Load::new(m, "x", cfg.x_width(), x_shape, 2 * cfg.segments(), start.x, work.vectors);

    let (epilogue_busy, rows_busy, tokens_busy) =
        (m.wire("epilogue_busy", 1), m.wire("rows_busy", 1), m.wire("tokens_busy", 1));
    let to_index = (epilogue_busy.get() & !scale_load.busy).named("to_index");
    let to_rows = (rows_busy.get() & !scale_load.busy).named("to_rows");
    let (w_valid, w_ready, x_valid, x_ready) = (w.valid, w.ready(), x.valid, x.ready());
    let routes = [("codebook", cb_load.busy), ("scale", scale_load.busy), ("index", to_index), ("row", to_rows)];
    let [w_codebook, w_scale, w_index, w_row] = split(w.route("w", &routes));
    let [x_vectors, x_tokens] = split(x.route("x", &[("vector", x_load.busy), ("token", tokens_busy.get())]));

    // ---- INT8 GEMM: rows of weights into the buffer of activations, tokens into the array
    let room = m.wire("room", 1);
    let module = m.define(int8_control::NAME, |m| int8_control::int8_control(m, cfg));
    let int8_unit = m.instance("u_int8_control", &module);
    int8_unit.set("start", start.int8).set_bundle("gemm", gemm).set("room", room.get());
    for (name, beats, beat_bits, word_bits) in [
        ("row_word", w_row, cfg.stream.width, cfg.row_word_bits()),
        ("token", x_tokens, cfg.x_width(), cfg.token_word_bits()),
    ] {
        let unpacker = m.instance(&format!("u_{name}_unpacker"), &unpacker(m, beat_bits, word_bits));
        unpacker.set_stream("beat", beats).set("last", int8_unit.get(&format!("{name}_last")));
        int8_unit.set_stream(name, unpacker.get_stream::<Data<Signal>>("word"));
    }
    rows_busy.drive(int8_unit.get("weights_busy"));
    tokens_busy.drive(int8_unit.get("busy"));
    let tokens = int8_unit.get_bundle::<int8_control::Steering<Signal>>("steer");

    let (cb_buffer, scale_buffer) = (cb_load.fill(m, w_codebook), scale_load.fill(m, w_scale));
    let x_buffer = x_load.fill_shared(m, x_vectors, &int8_unit);

    // ---- array: entries and vectors, or tokens and weights
    let freed = m.wire("freed", 1);
    let module = m.define(gemm_control::NAME, |m| gemm_control::gemm_control(m, cfg));
    let gemm = m.instance("u_gemm_control", &module);
    gemm.set("start", start.gemv).set_bundle("work", work).set("freed", freed.get());
    let steer = gemm.get_bundle::<Steering<Signal>>("steer");
    let entry = cb_buffer.read(gemm.get("codebook_lane"), gemm.get("codebook_read"));
    cb_buffer.discard_words();
    let row_lane = int8_unit.get("read_word").append_zeros(1);
    let (x_lane, x_read) = (
        int8.mux(row_lane, gemm.get("x_lane")).named("x_lane"),
        int8.mux(int8_unit.get("read_enable"), gemm.get("x_read")).named("x_read"),
    );
    let vectors = x_buffer.read(x_lane, x_read);
    let psum = m.wire("psum", cfg.lanes() * dot::SUM);
    let module = m.define(array::NAME, |m| array::array(m, cfg));
    let grid = m.instance("u_array", &module);
    grid.set("psum", psum.get()).set_bundle(
        "in",
        ArrayIn {
            int8,
            valid: int8.mux(tokens.valid, steer.valid),
            load: int8.mux(tokens.load, steer.load),
            index: int8.mux(tokens.index, steer.index),
            pass: int8.mux(tokens.pass, steer.pass),
            half: steer.half,
            step_end: steer.step_end,
            turn: tokens.turn,
            emit: tokens.emit,
            emit_end: tokens.emit_end,
            entry,
            token: tokens.token,
            vectors,
            live: steer.live,
            weights: x_buffer.instance.get("word"),
        },
    );
    let results = grid.get_bundle::<ArrayOut<Signal>>("out");
    let emitted = grid.get_bundle::<Emitted<Signal>>("emitted");

    // ---- epilogue: lookups, accumulation, scaling
    let module = unpacker(m, cfg.stream.width, cfg.index_word_bits());
    let unpacker = m.instance("u_index_unpacker", &module);
    unpacker.set_stream("beat", w_index);
    let words = unpacker.get_stream::<Data<Signal>>("word");

    let module = m.define(epilogue_control::NAME, |m| epilogue_control::epilogue_control(m, cfg));
    let control = m.instance("u_epilogue_control", &module);
    control.set("start", start.gemv).set_bundle("work", work).set_bundle("block", block);
    control.set("filled", grid.get("filled")).set("room", room.get()).set_stream("word", words);
    unpacker.set("last", control.get("word_last"));
    freed.drive(control.get("freed"));
    epilogue_busy.drive(control.get("busy"));

    let module = m.define(epilogue_unit::NAME, |m| epilogue_unit::epilogue_unit(m, cfg));
    let unit_index = control.get("index").split(cfg.pass_vectors() * cfg.vq.index_bits);
    let mut psums = Vec::new();
    let sums: Vec<Sum<Signal>> = (0u64..)
        .zip(&unit_index)
        .map(|(number, index)| {
            let unit = m.instance(&format!("u_epilogue{number}"), &module);
            unit.set("number", m.lit(number, Scope::index_width(cfg.epilogue.units))).set("int8", int8);
            unit.set_bundle("in", results).set_bundle("read", grid.get_bundle::<PsumRead<Signal>>("read"));
            unit.set("index", *index).set("half", control.get("half")).set("valid", control.get("access_valid"));
            psums.push(unit.get("psum"));
            unit.get_bundle("sum")
        })
        .collect();
    psum.drive(psums.into_iter().reduce(|a, b| a | b).expect("there is a unit"));

    let in_unit = epilogue_unit::latency(cfg);
    let access = control.get_bundle::<Access<Signal>>("access").map(|field, s| {
        let name = format!("access_{field}");
        if field == "valid" { s.pipe_reset(&name, in_unit) } else { s.pipe(&name, in_unit) }
    });
    let module = m.define(accumulator::NAME, |m| accumulator::accumulator(m, cfg));
    let acc = m.instance("u_accumulator", &module);
    acc.set_bundle("access", access);
    acc.set_bundle(
        "sum",
        Sum {
            value: m.pack(&sums.iter().map(|s| s.value).collect::<Vec<_>>()),
            nan: m.pack(&sums.iter().map(|s| s.nan).collect::<Vec<_>>()),
            inf_plus: m.pack(&sums.iter().map(|s| s.inf_plus).collect::<Vec<_>>()),
            inf_minus: m.pack(&sums.iter().map(|s| s.inf_minus).collect::<Vec<_>>()),
        },
    );

    // INT8 sums come output by output.
    let output = m.reg("emitted_output", access.address.width());
    let output_end = (emitted.valid & emitted.end).named("output_end");
    output.on(output_end, output.q() + 1).on(start.int8, 0);
    let outputs_end = output.q().zext(gemm_outputs.width()) + 1;
    let emitted_last = (output_end & outputs_end.eq(gemm_outputs)).pipe("emitted_last", accumulator::LATENCY);
    let emitted_valid = emitted.valid.pipe_reset("emitted_valid", accumulator::LATENCY);
    let emitted_sum = emitted.sum.pipe("emitted_sum", accumulator::LATENCY);

    // The scale arrives with the finished sum.
    let output_number = int8.mux(output.q(), access.address).named("output_number");
    let number = output_number.zext(output_number.width() + 1);
    let lane = scale_fp32.mux(number, number.bits_from(1).zext(number.width()));
    let wanted = int8.mux(emitted.valid, access.valid & access.last);
    let lane = scale_buffer.read(super::fit(lane, scale_shape.lane_address()), wanted);
    scale_buffer.discard_words();
    let lane = lane.pipe("scale_lane", accumulator::LATENCY - lane_buffer::LATENCY);
    let odd = output_number.bit(0).pipe("scale_odd", accumulator::LATENCY);
    let half_scale = odd.mux(lane.bits_from(16), lane.trunc(16));
    let scale = scale_fp32.mux(lane, half_scale.zext(32)).named("scale");
    let sum = acc.get_bundle::<Sum<Signal>>("result");
    let sum = Sum {
        value: int8.mux(emitted_sum.sext(sum.value.width()), sum.value),
        nan: sum.nan & !int8,
        inf_plus: sum.inf_plus & !int8,
        inf_minus: sum.inf_minus & !int8,
    };
    let module = m.define(scaler::NAME, |m| scaler::scaler(m, cfg));
    let stage = m.instance("u_scaler", &module);
    stage.set_bundle("sum", sum).set("scale", scale).set("fp32", scale_fp32).set("int8", int8);

    // ---- outputs: what has been issued always finds room in the queue
    let to_y = scaler::latency(cfg);
    let scaled_valid = int8.mux(emitted_valid & !raw, acc.get("result_valid")).pipe_reset("y_valid", to_y);
    let word_last = control.get("output_last").pipe("word_last", in_unit + accumulator::LATENCY);
    let scaled_last = int8.mux(emitted_last, word_last).pipe("y_last", to_y);
    let raw_valid = emitted_valid & raw;
    let beat = Beat { data: raw.mux(emitted_sum, stage.get("y").zext(32)), last: raw.mux(emitted_last, scaled_last) };
    let finished = Stream::new("finished", raw_valid | scaled_valid, beat);
    finished.ready().discard();
    let queue = finished.fifo("u_y_queue", output_queue(cfg));
    let (y_offered, y_ready) = (queue.valid, queue.ready());
    m.stream_out("m_axis_y", PortStyle::Axis, queue);
    let in_flight = m.reg("in_flight", Scope::index_width(output_queue(cfg) + 1)).reset(0);
    hw! {
        issued = control.get("issued") | int8_unit.get("issued");
        y_taken = y_offered & y_ready;
    }
    in_flight.on(issued & !y_taken, in_flight.q() + 1).on(y_taken & !issued, in_flight.q() - 1);
    room.drive(in_flight.q().ne(u64::from(output_queue(cfg))));
    let busy = [
        cb_buffer.busy,
        scale_buffer.busy,
        x_buffer.busy,
        gemm.get("busy"),
        epilogue_busy.get(),
        tokens_busy.get(),
        in_flight.q().any(),
    ];
    units_busy.drive(m.pack(&busy).any());

    // ---- status
    m.output("busy", unit.get("busy"));
    let counted = Stats {
        cycles: executing,
        w_beats: w_valid & w_ready,
        w_stalls: w_ready & !w_valid,
        x_stalls: x_ready & !x_valid,
        y_stalls: y_offered & !y_ready,
    };
    counted.map(|name, event| {
        let counter = m.reg(&format!("count_{name}"), 32).reset(0);
        counter.on(event, counter.q() + 1);
        m.output(&format!("stat_{name}"), counter.q());
    });
}

/// A loader and its buffer, before its stream is connected.
struct Load<'m> {
    name: &'static str,
    shape: Shape,
    loader: crate::hdl::Instance<'m>,
    busy: Signal<'m>,
}

/// A buffer that can be read.
struct Buffer<'m> {
    instance: crate::hdl::Instance<'m>,
    busy: Signal<'m>,
}

impl<'m> Load<'m> {
    fn new(
        m: &'m Scope,
        name: &'static str,
        beat_bits: u32,
        shape: Shape,
        per_word: u32,
        start: Signal<'m>,
        count: Signal<'m>,
    ) -> Load<'m> {
        let counting = Counting { count_bits: count.width(), per_word };
        let module = loader(m, &format!("eva_{name}_loader"), beat_bits, shape, counting);
        let loader = m.instance(&format!("u_{name}_loader"), &module);
        loader.set("start", start).set("count", count);
        let busy = loader.get("busy").named(&format!("{name}_busy"));
        Load { name, shape, loader, busy }
    }

    fn fill(self, m: &'m Scope, beats: Stream<'m, Data<Signal<'m>>>) -> Buffer<'m> {
        self.loader.set_stream("beat", beats);
        let buffer = self.buffer(m);
        for port in WRITE_PORTS {
            buffer.instance.set(port, self.loader.get(port));
        }
        buffer
    }

    /// Like [`fill`](Load::fill), with a second unit that writes while the loader does not.
    fn fill_shared(
        self,
        m: &'m Scope,
        beats: Stream<'m, Data<Signal<'m>>>,
        other: &crate::hdl::Instance<'m>,
    ) -> Buffer<'m> {
        self.loader.set_stream("beat", beats);
        let buffer = self.buffer(m);
        for port in WRITE_PORTS {
            let ours = self.loader.get(port);
            let either = if port == "write_enable" {
                ours | other.get(port)
            } else {
                other.get("write_enable").mux(other.get(port), ours)
            };
            buffer.instance.set(port, either);
        }
        buffer
    }

    fn buffer(&self, m: &'m Scope) -> Buffer<'m> {
        let instance = m.instance(&format!("u_{}_buffer", self.name), &lane_buffer(m, self.shape));
        Buffer { instance, busy: self.busy }
    }
}

const WRITE_PORTS: [&str; 3] = ["write_enable", "write_word", "write_data"];

impl<'m> Buffer<'m> {
    /// The lane `number`, [`lane_buffer::LATENCY`] cycles later, if `enable` is 1 now.
    fn read(&self, number: Signal<'m>, enable: Signal<'m>) -> Signal<'m> {
        self.instance.set("read_lane", number).set("read_enable", enable);
        self.instance.get("lane")
    }

    /// Whole words are not used.
    fn discard_words(&self) {
        self.instance.get("word").discard();
    }
}

/// As many routes as were asked for.
fn split<'m, const N: usize>(routes: Vec<Stream<'m, Data<Signal<'m>>>>) -> [Stream<'m, Data<Signal<'m>>>; N] {
    let Ok(routes) = <[_; N]>::try_from(routes) else { unreachable!("a stream for each route") };
    routes
}
