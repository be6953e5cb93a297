//! Streams under random stalls on both sides.
//!
//! Each test has sources that play a list of elements and sinks that note what they get. In every cycle it is checked
//! that valid stays, with its payload, until the transfer, and that neither depends on the ready of the same cycle.

use crate::bench::*;
use eva_rtl::bundle;
use eva_rtl::hdl::sim::Simulator;
use eva_rtl::hdl::{Bundle, Data, PortStyle, Scope, Signal, Stream};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const WIDTH: u32 = 16;

/// Plays elements into a stream; once offered, an element stays.
struct Source {
    name: &'static str,
    elements: VecDeque<u64>,
    is_offered: bool,
    /// Chance to offer an element in a cycle.
    rate: f64,
}

/// Takes elements from a stream.
struct Sink {
    name: &'static str,
    received: Vec<u64>,
    /// What was offered and not taken in the cycle before.
    waiting: Option<u64>,
    /// Chance to be ready in a cycle.
    rate: f64,
}

struct Bench {
    sim: Simulator,
    rng: ChaCha8Rng,
    sources: Vec<Source>,
    sinks: Vec<Sink>,
    cycles: u64,
}

fn source(name: &'static str, elements: impl IntoIterator<Item = u64>, rate: f64) -> Source {
    Source { name, elements: elements.into_iter().collect(), is_offered: false, rate }
}

fn sink(name: &'static str, rate: f64) -> Sink {
    Sink { name, received: Vec::new(), waiting: None, rate }
}

fn numbers(count: u64) -> std::ops::Range<u64> {
    1000..1000 + count
}

impl Bench {
    fn new(seed: u64, sources: Vec<Source>, sinks: Vec<Sink>, describe: impl FnOnce(&Scope)) -> Bench {
        let mut sim = simulate(seed, describe);
        sim.reset(2);
        Bench { sim, rng: rng(seed), sources, sinks, cycles: 0 }
    }

    fn cycle(&mut self) {
        for source in &mut self.sources {
            source.is_offered |= !source.elements.is_empty() && self.rng.random_bool(source.rate);
            // Where nothing is offered the payload is noise.
            let noise = self.rng.random::<u16>().into();
            let data = if source.is_offered { source.elements[0] } else { noise };
            self.sim.put(&format!("{}_valid", source.name), source.is_offered.into());
            self.sim.put(&format!("{}_data", source.name), data.into());
        }
        let readies: Vec<bool> = self.sinks.iter().map(|s| self.rng.random_bool(s.rate)).collect();
        self.set_readies(&readies);
        let offers = self.offers();
        for flipped in 0..readies.len() {
            let mut other = readies.clone();
            other[flipped] ^= true;
            self.set_readies(&other);
            assert_eq!(self.offers(), offers, "cycle {}: valid or payload depend on ready", self.cycles);
        }
        self.set_readies(&readies);
        for ((sink, offer), ready) in self.sinks.iter_mut().zip(offers).zip(readies) {
            if sink.waiting.is_some() {
                assert_eq!(offer, sink.waiting, "cycle {}: {} did not stay until its transfer", self.cycles, sink.name);
            }
            sink.waiting = if ready { None } else { offer };
            sink.received.extend(offer.filter(|_| ready));
        }
        for source in &mut self.sources {
            if source.is_offered && self.sim.value(&format!("{}_ready", source.name)).bits == 1 {
                source.elements.pop_front();
                source.is_offered = false;
            }
        }
        self.sim.step();
        self.cycles += 1;
    }

    fn set_readies(&mut self, readies: &[bool]) {
        for (sink, ready) in self.sinks.iter().zip(readies) {
            self.sim.put(&format!("{}_ready", sink.name), (*ready).into());
        }
    }

    /// What each sink is offered.
    fn offers(&mut self) -> Vec<Option<u64>> {
        let offer = |sink: &Sink| {
            let valid = self.sim.value(&format!("{}_valid", sink.name)).bits == 1;
            valid.then(|| self.sim.value(&format!("{}_data", sink.name)).bits as u64)
        };
        self.sinks.iter().map(offer).collect()
    }

    /// Until the sinks have `count` elements in total.
    fn run(&mut self, count: usize) {
        while self.sinks.iter().map(|s| s.received.len()).sum::<usize>() < count {
            self.cycle();
            assert!(self.cycles < 200 * count as u64 + 1000, "stuck at {:?}", self.offers());
        }
        // Nothing more may come.
        for _ in 0..50 {
            self.cycle();
        }
        let left: usize = self.sources.iter().map(|s| s.elements.len()).sum();
        assert_eq!(left, 0, "elements left at the sources");
    }
}

/// From no stalls to many, on either side.
const RATES: [(f64, f64); 6] = [(1.0, 1.0), (0.5, 0.5), (0.9, 0.2), (0.2, 0.9), (1.0, 0.4), (0.4, 1.0)];

fn data_in<'m>(m: &'m Scope, name: &str) -> Stream<'m, Data<Signal<'m>>> {
    m.stream_in(name, PortStyle::Plain, Data { data: WIDTH })
}

fn data_out<'m>(m: &'m Scope, name: &str, stream: Stream<'m, Data<Signal<'m>>>) {
    m.stream_out(name, PortStyle::Plain, stream);
}

/// What passes a single stream through comes out unchanged, whatever the stalls.
fn check_passage(describe: impl Fn(&Scope)) {
    for (seed, (source_rate, sink_rate)) in (0..).zip(RATES.repeat(3)) {
        let sources = vec![source("s", numbers(300), source_rate)];
        let mut bench = Bench::new(seed, sources, vec![sink("m", sink_rate)], &describe);
        bench.run(300);
        assert!(bench.sinks[0].received.iter().copied().eq(numbers(300)), "seed {seed}");
    }
}

/// A buffer: full throughput, `capacity` elements, and no path within a cycle from one side to the other.
fn check_buffer(capacity: usize, describe: impl Fn(&Scope)) {
    check_capacity(capacity, &describe);

    for seed in 0..200 {
        let mut bench = Bench::new(seed, vec![source("s", numbers(1000), 0.5)], vec![sink("m", 0.5)], &describe);
        (0..seed % 20).for_each(|_| bench.cycle());
        let sim = &mut bench.sim;
        let mut look = |s_valid, m_ready| {
            sim.put("s_valid", s_valid);
            sim.put("m_ready", m_ready);
            (sim.value("s_ready"), sim.value("m_valid"))
        };
        let seen = look(0, 0);
        assert!([(0, 1), (1, 0), (1, 1)].into_iter().all(|(v, r)| look(v, r) == seen), "a path from side to side");
    }
}

/// What holds elements for a cycle at least, and passes one in each.
fn check_capacity(capacity: usize, describe: impl Fn(&Scope)) {
    check_passage(&describe);

    let mut bench = Bench::new(0, vec![source("s", numbers(100), 1.0)], vec![sink("m", 1.0)], &describe);
    while bench.sinks[0].received.len() < 100 {
        bench.cycle();
    }
    assert_eq!(bench.cycles, 101, "100 elements in 100 cycles after one of latency");

    let mut bench = Bench::new(0, vec![source("s", numbers(100), 1.0)], vec![sink("m", 0.0)], &describe);
    (0..100).for_each(|_| bench.cycle());
    assert_eq!(bench.sources[0].elements.len(), 100 - capacity, "elements that fit");
}

#[test]
fn queues() {
    for depth in [2, 3, 4, 5, 16, 17] {
        check_buffer(depth as usize, |m| data_out(m, "m", data_in(m, "s").fifo("u_fifo", depth)));
    }
}

#[test]
fn register_slices() {
    check_buffer(2, |m| data_out(m, "m", data_in(m, "s").skid("u_skid")));
}

/// Their ready passes in the same cycle, so that they hold one element only.
#[test]
fn registers_of_streams() {
    check_capacity(1, |m| data_out(m, "m", data_in(m, "s").reg("held")));
}

#[test]
fn buffers_in_a_row() {
    check_passage(|m| data_out(m, "m", data_in(m, "s").skid("u_a").fifo("u_b", 3).skid("u_c").fifo("u_d", 2)));
}

#[test]
fn reset_empties_buffers() {
    let mut bench = Bench::new(0, vec![source("s", numbers(20), 1.0)], vec![sink("m", 0.0)], |m| {
        data_out(m, "m", data_in(m, "s").fifo("u_fifo", 5).skid("u_skid"));
    });
    (0..20).for_each(|_| bench.cycle());
    assert_eq!(bench.sources[0].elements.len(), 20 - 7);
    assert_eq!(bench.offers(), [Some(1000)]);
    bench.sim.put("s_valid", 0);
    bench.sim.reset(1);
    assert_eq!(bench.offers(), [None]);
    (bench.sources[0].is_offered, bench.sinks[0].waiting, bench.sinks[0].rate) = (false, None, 1.0);
    bench.run(13);
    assert!(bench.sinks[0].received.iter().copied().eq(1007..1020));
}

bundle! {
    Fields { low, flag, high }
}

#[test]
fn bundles_pass_field_by_field() {
    check_passage(|m| {
        let split =
            data_in(m, "s").map(|p| Fields { low: p.data.trunc(5), flag: p.data.bit(5), high: p.data.bits_from(6) });
        let passed = split.fifo("u_fifo", 3).skid("u_skid");
        data_out(m, "m", passed.map(|p| Data { data: m.pack(&[p.low, p.flag, p.high]) }));
    });
}

#[test]
fn a_stream_taken_by_hand() {
    check_passage(|m| {
        // One element at a time, in a register.
        let full = m.reg("full", 1).reset(0);
        let element = m.reg("element", WIDTH);
        let taken = data_in(m, "s").take(!full.q());
        element.on(taken.fire, taken.payload.data);
        let out = Stream::new("out", full.q(), Data { data: element.q() });
        full.on(taken.fire, 1).on(full.q() & out.ready(), 0);
        data_out(m, "m", out);
    });
}

#[test]
fn forks() {
    for (seed, (source_rate, sink_rate)) in (0..).zip(RATES.repeat(3)) {
        let sinks = vec![sink("a", sink_rate), sink("b", 1.2 - sink_rate)];
        let mut bench = Bench::new(seed, vec![source("s", numbers(200), source_rate)], sinks, |m| {
            let (a, b) = data_in(m, "s").fork("copy");
            data_out(m, "a", a);
            data_out(m, "b", b);
        });
        bench.sinks.iter_mut().for_each(|s| s.rate = s.rate.min(1.0));
        bench.run(400);
        for sink in &bench.sinks {
            assert!(sink.received.iter().copied().eq(numbers(200)), "seed {seed}, {}", sink.name);
        }
    }
}

/// Without stalls a fork costs no cycle.
#[test]
fn forks_and_joins_have_full_throughput() {
    let mut bench = Bench::new(0, vec![source("s", numbers(100), 1.0)], vec![sink("m", 1.0)], |m| {
        let (a, b) = data_in(m, "s").fork("copy");
        data_out(m, "m", a.join("again", b, |a, b| Data { data: a.data & b.data }));
    });
    (0..100).for_each(|_| bench.cycle());
    assert!(bench.sinks[0].received.iter().copied().eq(numbers(100)));
}

#[test]
fn joins() {
    for (seed, (a_rate, b_rate)) in (0..).zip(RATES.repeat(3)) {
        let sources = vec![source("a", 0..200, a_rate), source("b", (0..200).map(|i| 3 * i), b_rate)];
        let mut bench = Bench::new(seed, sources, vec![sink("m", 0.6)], |m| {
            let joined = data_in(m, "a").join("pair", data_in(m, "b"), |a, b| Data { data: m.cat(&[b.data, a.data]) });
            data_out(m, "m", joined);
        });
        bench.run(200);
        assert!(bench.sinks[0].received.iter().copied().eq((0..200).map(|i| (3 * i) << WIDTH | i)), "seed {seed}");
    }
}

/// The low two bits are the destination; 3 goes nowhere and is swallowed by a fourth stream.
#[test]
fn routes() {
    for (seed, (source_rate, sink_rate)) in (0..).zip(RATES.repeat(3)) {
        let sinks = vec![sink("to0", sink_rate), sink("to1", 0.5), sink("to2", 1.0)];
        let mut bench = Bench::new(seed, vec![source("s", numbers(400), source_rate)], sinks, |m| {
            let stream = data_in(m, "s");
            let to = stream.payload.data.trunc(2);
            let selects: Vec<_> = ["0", "1", "2", "3"].into_iter().zip(0..).map(|(name, i)| (name, to.eq(i))).collect();
            let mut routed = stream.route("routed", &selects).into_iter();
            for name in ["to0", "to1", "to2"] {
                data_out(m, name, routed.next().unwrap());
            }
            routed.next().unwrap().take(m.high());
        });
        bench.run(300);
        for (sink, remainder) in bench.sinks.iter().zip(0..) {
            let expected = numbers(400).filter(|n| n % 4 == remainder);
            assert!(sink.received.iter().copied().eq(expected), "seed {seed}, {}", sink.name);
        }
    }
}

/// A gate that opens for some elements at a time.
#[test]
fn gates() {
    for (seed, (source_rate, sink_rate)) in (0..).zip(RATES.repeat(3)) {
        let mut bench =
            Bench::new(seed, vec![source("s", numbers(200), source_rate)], vec![sink("m", sink_rate)], |m| {
                let open = m.reg("open", 1).reset(0);
                let gated = data_in(m, "s").gate("gated", open.q());
                let fire = gated.fire();
                // Closes after each fourth transfer, opens when a free-running counter says so.
                let clock = m.reg("clock", 3).reset(0);
                clock.next(clock.q() + 1);
                let passed = m.reg("passed", 2).reset(0);
                passed.on(fire, passed.q() + 1);
                open.on(clock.q().eq(7), 1).on(fire & passed.q().all(), 0);
                data_out(m, "m", gated);
            });
        bench.run(200);
        assert!(bench.sinks[0].received.iter().copied().eq(numbers(200)), "seed {seed}");
        // 50 times four, each after a wait of eight cycles at most: the gate did hold elements back.
        assert!(bench.cycles > 350, "seed {seed}: {} cycles", bench.cycles);
    }
}

#[test]
fn merges() {
    for (seed, (source_rate, sink_rate)) in (0..).zip(RATES.repeat(3)) {
        let sources = vec![
            source("a", (0..150).map(|i| 3 * i), source_rate),
            source("b", (0..150).map(|i| 3 * i + 1), 0.7),
            source("c", (0..150).map(|i| 3 * i + 2), 1.0),
        ];
        let mut bench = Bench::new(seed, sources, vec![sink("m", sink_rate)], |m| {
            let [a, b, c] = ["a", "b", "c"].map(|name| data_in(m, name));
            data_out(m, "m", a.merge("u_merge", [b, c]));
        });
        bench.run(450);
        for remainder in 0..3 {
            let received = bench.sinks[0].received.iter().copied().filter(|n| n % 3 == remainder);
            assert!(received.eq((0..150).map(|i| 3 * i + remainder)), "seed {seed}, source {remainder}");
        }
    }
}

#[test]
fn merges_are_fair_and_have_full_throughput() {
    let sources = ["a", "b", "c"].map(|name| source(name, std::iter::repeat_n(name.as_bytes()[0].into(), 1000), 1.0));
    let mut bench = Bench::new(0, sources.into(), vec![sink("m", 1.0)], |m| {
        let [a, b, c] = ["a", "b", "c"].map(|name| data_in(m, name));
        data_out(m, "m", a.merge("u_merge", [b, c]));
    });
    (0..300).for_each(|_| bench.cycle());
    let received = &bench.sinks[0].received;
    assert_eq!(received.len(), 300);
    for round in received.chunks(3) {
        assert_eq!(round, b"abc".map(u64::from), "each in turn");
    }
}

#[test]
fn a_bundle_is_a_shape_for_stimulus() {
    let widths = Fields { low: 5, flag: 1, high: 10 };
    let mut sim = simulate(0, |m| {
        let fields = m.inputs("in", widths);
        m.outputs("out", fields.map(|_, signal| !signal));
    });
    let rng = &mut rng(0);
    for _ in 0..20 {
        let stimulus = widths.map(|_, width| random_number(rng, width));
        stimulus.map(|field, value| sim.put(&format!("in_{field}"), value.bits));
        let found = Fields::from_fields(|field| sim.value(&format!("out_{field}")));
        assert_eq!(found, stimulus.map(|_, value| number(!value.bits, value.width)));
    }
}
