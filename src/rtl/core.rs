//! The top module: streams, buffers, array, epilogue.

use super::accumulator::{self, Access};
use super::array::{self, ArrayIn, ArrayOut};
use super::epilogue_control::{self, Block};
use super::epilogue_unit::{self, Sum};
use super::gemm_control::{self, Steering, Work};
use super::lane_buffer::{self, Shape, lane_buffer};
use super::loader::{self, Counting, loader};
use super::{command, index_unpacker, scaler};
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

/// Outputs that fit behind the epilogue: what is in flight through it, and some to keep it going.
fn output_queue(cfg: &CoreConfig) -> u32 {
    (cfg.pipeline.epilogue + cfg.pipeline.scale + 8).next_power_of_two()
}

/// Describes the core; ports and formats are those of `docs/interface.md`.
pub fn core(m: &Scope, cfg: &CoreConfig) {
    m.doc("EVA decoding core: products of all codebook entries with the activations, exact lookup sums, scaling.");
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
    hw! {
        scale_fp32 = unit.get("scale_fp32");
        executing = unit.get("executing");
    }

    // ---- buffers: the weight stream goes to codebooks, then scales, then index words
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

    let epilogue_busy = m.wire("epilogue_busy", 1);
    let to_index = (epilogue_busy.get() & !scale_load.busy).named("to_index");
    let w_valid = w.valid;
    let w_ready = w.ready();
    let routes = w.route("w", &[("codebook", cb_load.busy), ("scale", scale_load.busy), ("index", to_index)]);
    let Ok([w_codebook, w_scale, w_index]) = <[_; 3]>::try_from(routes) else {
        unreachable!("three routes were asked for")
    };
    let x_valid = x.valid;
    let (cb_buffer, scale_buffer, x_buffer) =
        (cb_load.fill(m, w_codebook), scale_load.fill(m, w_scale), x_load.fill(m, x));

    // ---- GEMM: entries and vectors through the array
    let freed = m.wire("freed", 1);
    let module = m.define(gemm_control::NAME, |m| gemm_control::gemm_control(m, cfg));
    let gemm = m.instance("u_gemm_control", &module);
    gemm.set("start", start.gemv).set_bundle("work", work).set("freed", freed.get());
    let steer = gemm.get_bundle::<Steering<Signal>>("steer");
    let entry = cb_buffer.read(gemm.get("codebook_lane"), gemm.get("codebook_read")).named("entry");
    let vectors = x_buffer.read(gemm.get("x_lane"), gemm.get("x_read")).named("vectors");
    // A vector beyond V must give +0 whatever the codebook holds.
    let segment = 16 * cfg.vq.dim;
    let masked: Vec<Signal> =
        vectors.split(segment).into_iter().zip(steer.live.split(1)).map(|(v, live)| v.gate(live)).collect();
    let module = m.define(array::NAME, |m| array::array(m, cfg));
    let grid = m.instance("u_array", &module);
    grid.set_bundle(
        "in",
        ArrayIn {
            valid: steer.valid,
            entry,
            index: steer.index,
            pass: steer.pass,
            half: steer.half,
            step_end: steer.step_end,
            load: steer.load,
            x: m.pack(&masked),
            live: steer.live,
        },
    );
    let results = grid.get_bundle::<ArrayOut<Signal>>("out");

    // ---- epilogue: lookups, accumulation, scaling
    let module = m.define(index_unpacker::NAME, |m| index_unpacker::index_unpacker(m, cfg));
    let unpacker = m.instance("u_index_unpacker", &module);
    unpacker.set_stream("beat", w_index);
    let words = unpacker.get_stream::<Data<Signal>>("word");

    let module = m.define(epilogue_control::NAME, |m| epilogue_control::epilogue_control(m, cfg));
    let control = m.instance("u_epilogue_control", &module);
    let room = m.wire("room", 1);
    control.set("start", start.gemv).set_bundle("work", work).set_bundle("block", block);
    control.set("filled", grid.get("filled")).set("room", room.get()).set_stream("word", words);
    unpacker.set("last", control.get("word_last"));
    freed.drive(control.get("freed"));
    epilogue_busy.drive(control.get("busy"));

    let module = m.define(epilogue_unit::NAME, |m| epilogue_unit::epilogue_unit(m, cfg));
    let unit_index = control.get("index").split(cfg.pass_vectors() * cfg.vq.index_bits);
    let sums: Vec<Sum<Signal>> = (0u64..)
        .zip(&unit_index)
        .map(|(number, index)| {
            let unit = m.instance(&format!("u_epilogue{number}"), &module);
            unit.set("number", m.lit(number, Scope::index_width(cfg.epilogue.units)));
            unit.set_bundle("in", results).set("index", *index).set("half", control.get("half"));
            unit.set("valid", control.get("access_valid"));
            unit.get_bundle("sum")
        })
        .collect();

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

    // The scale arrives with the finished sum: both take two cycles from here.
    const _: () = assert!(lane_buffer::LATENCY == accumulator::LATENCY);
    let address = access.address.zext(access.address.width() + 1);
    let lane = scale_fp32.mux(address, address.bits_from(1).zext(address.width()));
    let lane = scale_buffer.read(super::fit(lane, scale_shape.lane_address()), access.valid & access.last);
    let odd = access.address.bit(0).pipe("scale_odd", lane_buffer::LATENCY);
    let half_scale = odd.mux(lane.bits_from(16), lane.trunc(16));
    let scale = scale_fp32.mux(lane, half_scale.zext(32)).named("scale");
    let module = m.define(scaler::NAME, |m| scaler::scaler(m, cfg));
    let stage = m.instance("u_scaler", &module);
    stage.set_bundle("sum", acc.get_bundle::<Sum<Signal>>("result")).set("scale", scale).set("fp32", scale_fp32);

    // ---- outputs: what has been issued always finds room in the queue
    let y_valid = acc.get("result_valid").pipe_reset("y_valid", scaler::latency(cfg));
    let y_last = control.get("output_last").pipe("y_last", in_unit + accumulator::LATENCY + scaler::latency(cfg));
    let finished = Stream::new("finished", y_valid, Beat { data: stage.get("y"), last: y_last });
    finished.ready().discard();
    let queue = finished.fifo("u_y_queue", output_queue(cfg));
    let (y_offered, y_ready) = (queue.valid, queue.ready());
    m.stream_out("m_axis_y", PortStyle::Axis, queue.map(|beat| Beat { data: beat.data.zext(32), last: beat.last }));
    let in_flight = m.reg("in_flight", Scope::index_width(output_queue(cfg) + 1)).reset(0);
    hw! {
        issued = control.get("issued");
        y_taken = y_offered & y_ready;
    }
    in_flight.on(issued & !y_taken, in_flight.q() + 1).on(y_taken & !issued, in_flight.q() - 1);
    room.drive(in_flight.q().ne(u64::from(output_queue(cfg))));
    let busy =
        [cb_buffer.busy, scale_buffer.busy, x_buffer.busy, gemm.get("busy"), epilogue_busy.get(), in_flight.q().any()];
    units_busy.drive(m.pack(&busy).any());

    // ---- status
    m.output("busy", unit.get("busy"));
    let counted = Stats {
        cycles: executing,
        w_beats: w_valid & w_ready,
        w_stalls: w_ready & !w_valid,
        x_stalls: x_buffer.busy & !x_valid,
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
        let instance = m.instance(&format!("u_{}_buffer", self.name), &lane_buffer(m, self.shape));
        for port in ["write_enable", "write_word", "write_data"] {
            instance.set(port, self.loader.get(port));
        }
        Buffer { instance, busy: self.busy }
    }
}

impl<'m> Buffer<'m> {
    /// The lane `number`, [`lane_buffer::LATENCY`] cycles later, if `enable` is 1 now.
    fn read(&self, number: Signal<'m>, enable: Signal<'m>) -> Signal<'m> {
        self.instance.set("read_lane", number).set("read_enable", enable);
        self.instance.get("data")
    }
}
