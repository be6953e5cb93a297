//! The top module: streams, buffers, array, epilogue.

use super::accumulator::{self, Access};
use super::array::{self, ArrayIn, ArrayOut, Emitted, PsumRead};
use super::batch;
use super::command::Reports;
use super::completion::{self, Events, Pending};
use super::epilogue_control;
use super::epilogue_unit::{self, Sum};
use super::gemm_control::{self, Steering};
use super::int8_control::{self, Gemm};
use super::lane_buffer::{self, Shape, lane_buffer};
use super::loader::{self, Counting, loader};
use super::unpacker::unpacker;
use super::weight_control::{self, Loading};
use super::{command, dot, scaler};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Bundle, Data, PortStyle, Scope, Signal, Stream, Wire};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_core";

/// Bits of an output.
pub const OUTPUT: u32 = 32;

bundle! {
    /// A beat with its end-of-packet mark.
    Beat { data, last }
    /// Counters of the core.
    pub Stats { cycles, w_beats, x_beats, y_beats, w_stalls, x_stalls, y_stalls, load_stalls, oc_stalls }
}

/// Jobs that wait for a unit, beside the one that it does.
const JOBS: u32 = 2;

/// Outputs that fit behind epilogue and array: what is in flight through them, and some to keep them going.
fn output_queue(cfg: &CoreConfig) -> u32 {
    let before_scaling = (epilogue_unit::latency(cfg) + 1).max(array::latency(cfg) + cfg.array.rows);
    (before_scaling + cfg.pipeline.scale + cfg.max_batch() + 8).next_power_of_two()
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

    // ---- commands, and the queues of the units
    let module = m.define(command::NAME, |m| command::command(m, cfg));
    let unit = m.instance("u_command", &module);
    unit.set_stream("cmd", commands);
    let start = unit.get_bundle::<command::Start<Signal>>("start");
    let gemm = unit.get_bundle::<Gemm<Signal>>("gemm");
    let gemm_outputs = gemm.outputs;
    hw! {
        int8 = unit.get("int8");
        raw = unit.get("raw");
    }
    let gemm_jobs = unit.get_stream::<gemm_control::Job<Signal>>("gemm_job").fifo("u_gemm_jobs", JOBS);
    let epilogue_jobs = unit.get_stream::<epilogue_control::Job<Signal>>("epilogue_job").fifo("u_epilogue_jobs", JOBS);
    let weight_jobs = unit.get_stream::<weight_control::Job<Signal>>("weight_job").fifo("u_weight_jobs", JOBS);
    let module = m.define(completion::NAME, |m| completion::completion(m, cfg));
    let completion = m.instance("u_completion", &module);
    completion.set("taken", unit.get("taken"));
    completion.set_stream("pending", unit.get_stream::<Pending<Signal>>("pending"));
    m.stream_out("m_axis_sts", PortStyle::Axis, completion.get_stream::<Data<Signal>>("sts"));

    // ---- buffers: the weight stream goes to codebooks, scales, index or row words, in the order of the commands
    let module = m.define(weight_control::NAME, |m| weight_control::weight_control(m, cfg));
    let weights = m.instance("u_weight_control", &module);
    weights.set_stream("job", weight_jobs);
    let loading = weights.get_bundle::<Loading<Signal>>("loading");
    let cb_shape = loader::codebook_shape(cfg);
    let slot_lanes = loader::slot_lanes(cfg).trailing_zeros();
    let cb_count = m.cat(&[loading.codebooks, m.zeros(slot_lanes)]);
    let slot_lane = m.cat(&[loading.slot, m.zeros(slot_lanes)]);
    let cb_from = super::fit(slot_lane.bits_from(cb_shape.lanes.trailing_zeros()), cb_shape.word_address());
    let cb_load = Load::new(m, "codebook", cfg.stream.width, cb_shape, cb_shape.lanes, cb_count);
    cb_load.loader.set("start", weights.get("start_codebooks")).set("from", cb_from);
    let scale_shape = loader::scale_shape(cfg);
    // Counted in FP16 scales.
    let outputs = loading.outputs;
    let scale_count =
        loading.scale_fp32.mux(outputs.append_zeros(1), outputs.zext(outputs.width() + 1)).named("scale_halves");
    let scale_load = Load::new(m, "scale", cfg.stream.width, scale_shape, 2 * scale_shape.lanes, scale_count);
    scale_load.loader.set("start", weights.get("start_scales")).set("from", m.zeros(scale_shape.word_address()));
    let x_shape = loader::x_shape(cfg);
    let x_load = Load::new(m, "x", cfg.x_width(), x_shape, 2 * cfg.segments(), unit.get("vectors"));
    x_load.loader.set("start", start.x).set("from", m.zeros(x_shape.word_address()));
    let codebooks_end = cb_load.loader.get("done").named("codebooks_end");
    weights.set("codebooks_end", codebooks_end).set("scales_end", scale_load.loader.get("done"));

    let (rows_wanted, tokens_busy) = (m.wire("rows_wanted", 1), m.wire("tokens_busy", 1));
    let to_rows = (weights.get("to_rows") & rows_wanted.get()).named("to_rows");
    let (w_valid, w_ready, x_valid, x_ready) = (w.valid, w.ready(), x.valid, x.ready());
    let routes =
        [("codebook", cb_load.busy), ("scale", scale_load.busy), ("index", weights.get("to_index")), ("row", to_rows)];
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
    rows_wanted.drive(int8_unit.get("rows_wanted"));
    tokens_busy.drive(int8_unit.get("busy"));
    let tokens = int8_unit.get_bundle::<int8_control::Steering<Signal>>("steer");

    let (cb_buffer, scale_buffer) = (cb_load.fill(m, w_codebook), scale_load.fill(m, w_scale));
    let x_buffer = x_load.fill_shared(m, x_vectors, &int8_unit);

    // ---- array: entries and vectors, or tokens and weights
    let freed = m.wire("freed", 1);
    let module = m.define(gemm_control::NAME, |m| gemm_control::gemm_control(m, cfg));
    let gemm = m.instance("u_gemm_control", &module);
    gemm.set_stream("job", gemm_jobs).set("freed", freed.get()).set("loading", unit.get("loading"));
    gemm.set("x_busy", x_buffer.busy).set("x_word", x_buffer.written);
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
    let split = m.wire("split", batch::split_bits(cfg));
    let (word_last, words) = index_words(m, cfg, split.get(), w_index);

    let module = m.define(epilogue_control::NAME, |m| epilogue_control::epilogue_control(m, cfg));
    let control = m.instance("u_epilogue_control", &module);
    control.set_stream("job", epilogue_jobs);
    control.set("filled", grid.get("filled")).set("room", room.get()).set_stream("word", words);
    word_last.drive(control.get("word_last"));
    split.drive(control.get("split"));
    freed.drive(control.get("freed"));
    weights.set("words_end", control.get("done") | int8_unit.get("rows_end"));

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
    let access = accumulator::delay(control.get_bundle::<Access<Signal>>("access"), in_unit);
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
    let scale_fp32 = (int8 | control.get("scale_fp32").pipe("access_scale_fp32", in_unit)).named("scale_fp32");
    let number = output_number.zext(output_number.width() + 1);
    let lane = scale_fp32.mux(number, number.bits_from(1).zext(number.width()));
    let wanted = int8.mux(emitted.valid, access.valid & access.last);
    let lane = scale_buffer.read(super::fit(lane, scale_shape.lane_address()), wanted);
    scale_buffer.discard_words();
    let lane = lane.pipe("scale_lane", accumulator::LATENCY - lane_buffer::LATENCY);
    let odd = output_number.bit(0).reg_en("scale_odd", wanted);
    let odd = odd.pipe("scale_odd_held", accumulator::LATENCY - lane_buffer::LATENCY);
    let half_scale = odd.mux(lane.bits_from(16), lane.trunc(16));
    let fp32 = scale_fp32.reg_en("scale_fp32_held", wanted);
    let fp32 = fp32.pipe("fp32", accumulator::LATENCY - lane_buffer::LATENCY);
    let scale = fp32.mux(lane, half_scale.zext(32)).named("scale");
    let sum = acc.get_bundle::<Sum<Signal>>("result");
    let sum = Sum {
        value: int8.mux(emitted_sum.sext(sum.value.width()), sum.value),
        nan: sum.nan & !int8,
        inf_plus: sum.inf_plus & !int8,
        inf_minus: sum.inf_minus & !int8,
    };
    let module = m.define(scaler::NAME, |m| scaler::scaler(m, cfg));
    let stage = m.instance("u_scaler", &module);
    stage.set_bundle("sum", sum).set("scale", scale).set("fp32", fp32).set("int8", int8);

    // ---- outputs: what has been issued always finds room in the queue
    let to_y = scaler::latency(cfg);
    let scaled_valid = int8.mux(emitted_valid & !raw, acc.get("result_valid")).pipe_reset("y_valid", to_y);
    let output_last = control.get("output_last").pipe("output_last", in_unit);
    let output_last = output_last.reg_en("output_last_held", access.valid & access.last);
    let output_last = output_last.pipe("output_last_held", accumulator::LATENCY - 1) & acc.get("result_final");
    let scaled_last = int8.mux(emitted_last, output_last).pipe("y_last", to_y);
    let raw_valid = emitted_valid & raw;
    let beat =
        Beat { data: raw.mux(emitted_sum, stage.get("y").zext(OUTPUT)), last: raw.mux(emitted_last, scaled_last) };
    let finished = Stream::new("finished", raw_valid | scaled_valid, beat);
    finished.ready().discard();
    let queue = finished.fifo("u_y_queue", output_queue(cfg));
    let (y_offered, y_ready, y_last) = (queue.valid, queue.ready(), queue.payload.last);
    m.stream_out("m_axis_y", PortStyle::Axis, queue);
    let in_flight = m.reg("in_flight", Scope::index_width(output_queue(cfg) + 1)).reset(0);
    hw! {
        issued = control.get("issued");
        emitted_issued = int8_unit.get("issued");
        y_taken = y_offered & y_ready;
    }
    let count_bits = in_flight.q().width();
    let batch = batch::choose(cfg, split.get(), |tokens| m.lit(u64::from(tokens), count_bits));
    let added = issued.mux(batch, emitted_issued.zext(count_bits)).named("added");
    in_flight.next(in_flight.q() + added - y_taken.zext(count_bits));
    room.drive(in_flight.q().le(u64::from(output_queue(cfg) - cfg.max_batch())));

    // ---- ends of commands
    let last_taken = (y_taken & y_last).named("last_taken");
    completion.set_bundle(
        "event",
        Events { codebooks: codebooks_end, x: x_buffer.end, sums: control.get("keeps"), outputs: last_taken },
    );
    unit.set_bundle(
        "report",
        Reports {
            codebooks_end,
            loaded: loading.mask,
            gemm_end: gemm.get("done"),
            used: gemm.get("used"),
            x_busy: x_buffer.busy,
            idle: completion.get("idle"),
        },
    );

    // ---- status
    let busy = (!unit.get("idle") | !completion.get("idle")).named("busy_now");
    m.output("busy", busy);
    let counted = Stats {
        cycles: busy,
        w_beats: w_valid & w_ready,
        x_beats: x_valid & x_ready,
        y_beats: y_taken,
        w_stalls: w_ready & !w_valid,
        x_stalls: x_ready & !x_valid,
        y_stalls: y_offered & !y_ready,
        load_stalls: gemm.get("stalled"),
        oc_stalls: control.get("stalled"),
    };
    counted.map(|name, event| {
        // A cycle late: what tells of an event need not reach the counter within the same cycle.
        let event = event.reg_reset(&format!("event_{name}"));
        let counter = m.reg(&format!("count_{name}"), 32).reset(0);
        counter.on(event, counter.q() + 1);
        m.output(&format!("stat_{name}"), counter.q());
    });
}

/// Index words, as long as those of one token: the stream carries shorter ones if there are several, each of which serves
/// all of them. The wire is to say whether a word is the last one of its step.
fn index_words<'m>(
    m: &'m Scope,
    cfg: &CoreConfig,
    split: Signal<'m>,
    beats: Stream<'m, Data<Signal<'m>>>,
) -> (Wire<'m>, Stream<'m, Data<Signal<'m>>>) {
    let last = m.wire("word_last", 1);
    let choices: Vec<u32> = batch::choices(cfg).collect();
    let names: Vec<String> = choices.iter().map(|tokens| format!("for{tokens}")).collect();
    let selects: Vec<(&str, Signal<'m>)> =
        names.iter().zip(0u64..).map(|(name, log)| (name.as_str(), split.eq(log))).collect();
    let words: Vec<_> = beats
        .route("index", &selects)
        .into_iter()
        .zip(&choices)
        .map(|(beats, tokens)| {
            let module = unpacker(m, cfg.stream.width, cfg.index_word_bits() / tokens);
            let unpacker = m.instance(&format!("u_index_unpacker{tokens}"), &module);
            unpacker.set_stream("beat", beats).set("last", last.get());
            unpacker.get_stream::<Data<Signal>>("word")
        })
        .collect();
    let valid = m.pack(&words.iter().map(|word| word.valid).collect::<Vec<_>>()).any();
    let data: Vec<Signal> =
        words.iter().zip(&choices).map(|(word, tokens)| word.payload.data.repeat(*tokens)).collect();
    let word = Stream::new("index_word", valid, Data { data: split.select(&data) });
    for (source, (_, select)) in words.into_iter().zip(selects) {
        source.take(word.ready() & select);
    }
    (last, word)
}

/// A loader and its buffer, before its stream is connected.
struct Load<'m> {
    name: &'static str,
    shape: Shape,
    loader: crate::hdl::Instance<'m>,
    busy: Signal<'m>,
}

/// A buffer that can be read: `busy` while it is being filled, from `end` on filled, at any time before word `written`.
struct Buffer<'m> {
    instance: crate::hdl::Instance<'m>,
    busy: Signal<'m>,
    end: Signal<'m>,
    written: Signal<'m>,
}

impl<'m> Load<'m> {
    fn new(
        m: &'m Scope,
        name: &'static str,
        beat_bits: u32,
        shape: Shape,
        per_word: u32,
        count: Signal<'m>,
    ) -> Load<'m> {
        let counting = Counting { count_bits: count.width(), per_word };
        let module = loader(m, &format!("eva_{name}_loader"), beat_bits, shape, counting);
        let loader = m.instance(&format!("u_{name}_loader"), &module);
        loader.set("count", count);
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
        Buffer { instance, busy: self.busy, end: self.loader.get("done"), written: self.loader.get("write_word") }
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
