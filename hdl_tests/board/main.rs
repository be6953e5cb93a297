//! The core behind a serial port: frames in, frames out, compared with the golden model bit for bit.

#[path = "../common/mod.rs"]
mod common;
mod generated;
mod host;

use eva_rtl::config::CoreConfig;
use eva_rtl::golden;
use eva_rtl::vq::int8::{Int8Distribution, Int8Layer, Int8Plan, Int8Shape, random_int8_activations, random_int8_layer};
use eva_rtl::vq::{self, Command, Distribution, Layer, LayerShape, Operation, Status, StatusCode};
use host::{Bench, Frame, Manner, Stream};

fn tiny() -> CoreConfig {
    CoreConfig::preset("tiny").expect("a preset")
}

/// A random layer of `vectors` vectors for a core of these parameters, and its activations.
fn layer(cfg: &CoreConfig, vectors: usize, outputs: usize, codebooks: usize) -> (Layer, Vec<u16>) {
    let (dim, index_bits) = (cfg.vq.dim as usize, cfg.vq.index_bits);
    let shape = LayerShape { inputs: vectors * dim, outputs, dim, index_bits, codebooks };
    let x = vq::random_activations(shape.inputs, Distribution::Wide, 2);
    (vq::random_layer(shape, Distribution::Wide, 1).unwrap(), x)
}

/// Sends a layer, each command followed by the beats that it takes; what must come back follows in `expected`.
fn send_layer(bench: &mut Bench, cfg: &CoreConfig, layer: &Layer, x: &[u16], expected: &mut Expected) {
    let program = vq::pack(layer, cfg).expect("fits");
    let y = golden::vq_gemv(x, &layer.golden());
    let mut weights = program.image.as_slice();
    for command in program.commands() {
        bench.send_beats(Stream::Command, 128, &command.to_bytes());
        match command.operation {
            Operation::LoadCodebooks { codebooks, .. } => {
                let codebook = (cfg.entries() * cfg.vq.dim * 2).next_multiple_of(cfg.stream.width / 8);
                let (loaded, rest) = weights.split_at(codebook as usize * usize::from(codebooks));
                bench.send_beats(Stream::Weights, cfg.stream.width, loaded);
                weights = rest;
            }
            Operation::LoadX { .. } => {
                bench.send_beats(Stream::Activations, cfg.x_width(), &vq::pack_x(x, cfg).expect("fits"));
            }
            _ => {
                bench.send_beats(Stream::Weights, cfg.stream.width, weights);
                weights = &[];
                expected.outputs.extend(y.iter().map(|y| u32::from(*y)));
                expected.ends.push(expected.outputs.len());
            }
        }
        expected.commands.push(command);
    }
    assert!(weights.is_empty(), "all weights belong to a command");
}

/// What must come back.
#[derive(Default)]
struct Expected {
    commands: Vec<Command>,
    outputs: Vec<u32>,
    /// Outputs up to the last one of each command that has any.
    ends: Vec<usize>,
}

impl Expected {
    fn frames(&self) -> usize {
        self.commands.len() + self.outputs.len()
    }

    fn check(&self, frames: &[Frame]) {
        let outputs = frames.iter().filter_map(|frame| match frame {
            Frame::Output { value, last } => Some((*value, *last)),
            Frame::Status(_) => None,
        });
        let is_end = |index: usize| self.ends.contains(&(index + 1));
        let expected: Vec<_> = self.outputs.iter().enumerate().map(|(i, value)| (*value, is_end(i))).collect();
        assert_eq!(outputs.collect::<Vec<_>>(), expected);

        let statuses = frames.iter().filter_map(|frame| match frame {
            Frame::Status(bits) => Some(Status::from_bits(*bits).expect("a known code")),
            Frame::Output { .. } => None,
        });
        let statuses: Vec<_> = statuses.map(|status| (status.opcode, status.code, status.tag)).collect();
        let told = |command: &Command| (command.opcode() as u8, StatusCode::Done, command.tag);
        assert_eq!(statuses, self.commands.iter().map(told).collect::<Vec<_>>());
    }
}

/// Several layers with commands and streams as fast as the board takes them.
fn run_layers(divider: u32, manner: Manner) -> Bench {
    run(divider, manner, &[(7, 64, 2), (64, 33, 1), (1, 1, 1), (9, 64, 2), (5, 64, 1), (3, 61, 2)])
}

/// Layers of so many vectors, outputs and codebooks.
fn run(divider: u32, manner: Manner, layers: &[(usize, usize, usize)]) -> Bench {
    let cfg = tiny();
    let mut bench = Bench::new(&cfg, divider, manner);
    let mut expected = Expected::default();
    for &(vectors, outputs, codebooks) in layers {
        let (layer, x) = layer(&cfg, vectors, outputs, codebooks);
        send_layer(&mut bench, &cfg, &layer, &x, &mut expected);
    }
    let frames = bench.frames(expected.frames(), 2_000_000);
    expected.check(&frames);
    assert!(!bench.error(), "no byte was lost or damaged");
    bench
}

#[test]
fn layers_are_exact_through_the_port() {
    let bench = run_layers(4, Manner::EAGER);
    assert_eq!(bench.stopped, 1, "the core keeps up, and there is nothing to wait for but the reset");
    run(7, Manner::EAGER, &[(7, 33, 2), (2, 7, 1)]);
}

/// The host does not take outputs for a long time: the core stalls, and so in the end does the host, which sends some
/// bytes more.
#[test]
fn nothing_is_lost_when_the_core_stalls() {
    let manner = Manner { late: 32, takes_from: 150_000, ..Manner::EAGER };
    let bench = run_layers(4, manner);
    assert!(bench.stopped > 10_000, "stopped in {} cycles", bench.stopped);
}

#[test]
fn the_host_stops_the_board_again_and_again() {
    run_layers(4, Manner { late: 16, stops: 100..970, ..Manner::EAGER });
}

/// The clocks of the two ends differ.
#[test]
fn bits_may_be_a_little_too_long_or_too_short() {
    for bit in [975, 1025] {
        run(16, Manner { bit, ..Manner::EAGER }, &[(7, 33, 1)]);
    }
}

/// A host that goes on as if it had not been told loses bytes, and is told that as well.
#[test]
fn what_is_lost_is_told() {
    let cfg = tiny();
    let mut bench = Bench::new(&cfg, 4, Manner { late: u32::MAX, ..Manner::EAGER });
    // Nothing wants these: the link stands still.
    bench.send_beats(Stream::Weights, 32, &[0; 4 * 100]);
    bench.run(4 * 10 * 5 * 40);
    assert!(!bench.error(), "there is room for 256 bytes");
    bench.run(4 * 10 * 5 * 100);
    assert!(bench.error());
}

#[test]
fn noise_is_ignored_or_told() {
    let cfg = tiny();
    let mut bench = Bench::new(&cfg, 16, Manner::EAGER);
    bench.run(50);
    // Too short for a start bit.
    bench.disturb(false, 5);
    bench.run(400);
    assert!(!bench.error());
    // A break: no stop bit. It is no byte, however long it takes.
    bench.disturb(false, 16 * 30);
    assert!(bench.error());
    bench.run(400);
    // No header: dropped, and what follows is understood.
    let mut bench = Bench::new(&cfg, 4, Manner::EAGER);
    bench.send(&[3, 0x80, 0xFF]);
    bench.run(4 * 10 * 5);
    assert!(bench.error());
    let mut expected = Expected::default();
    let (layer, x) = layer(&cfg, 3, 9, 1);
    send_layer(&mut bench, &cfg, &layer, &x, &mut expected);
    expected.check(&bench.frames(expected.frames(), 200_000));
}

/// An INT8 product: for each pass the weights of the rows, then the tokens.
#[test]
fn an_int8_product_is_exact_through_the_port() {
    let cfg = tiny();
    let (tokens, shape) = (3, Int8Shape { inputs: 45, outputs: 5 });
    let layer: Int8Layer = random_int8_layer(shape, Int8Distribution::Extreme, 3).unwrap();
    let x = random_int8_activations(shape.inputs * tokens, Int8Distribution::Extreme, 4);
    let plan = Int8Plan::new(shape, tokens, false, &cfg).unwrap();
    let [command] = plan.commands()[..] else { panic!("one command") };
    let (weights, activations) = (plan.weights(&layer), plan.activations(&x).unwrap());

    let mut bench = Bench::new(&cfg, 4, Manner::EAGER);
    bench.send_beats(Stream::Command, 128, &command.to_bytes());
    let (scales, rows) = weights.split_at(4 * shape.outputs);
    bench.send_beats(Stream::Weights, cfg.stream.width, scales);
    let row_words = (cfg.array.rows * cfg.row_word_bits() / 8) as usize;
    let token_words = tokens * (cfg.token_word_bits() / 8) as usize;
    assert_eq!(rows.len() / row_words, activations.len() / token_words);
    for (rows, tokens) in rows.chunks(row_words).zip(activations.chunks(token_words)) {
        bench.send_beats(Stream::Weights, cfg.stream.width, rows);
        bench.send_beats(Stream::Activations, cfg.x_width(), tokens);
    }
    let y = golden::int8_gemm(&x, layer.weights(), shape.inputs, layer.scales());
    let outputs: Vec<u32> = plan.stream_order().map(|(output, token)| y[output * tokens + token].into()).collect();
    let ends = vec![outputs.len()];
    let expected = Expected { commands: vec![command], outputs, ends };
    expected.check(&bench.frames(expected.frames(), 500_000));
    assert!(!bench.error());
}
