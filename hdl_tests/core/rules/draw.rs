//! Random cores, commands, and mistakes in them.

use super::{INT8_GEMM, LOAD_CODEBOOKS, LOAD_X, Rules, VQ_GEMV};
use crate::depths::depths;
use eva_rtl::config::CoreConfig;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// A small core of any shape.
pub fn draw_core(rng: &mut ChaCha8Rng) -> CoreConfig {
    loop {
        let mut cfg = CoreConfig::preset("tiny").unwrap();
        cfg.array.rows = *[2, 2, 3, 4, 5, 5, 7, 9].choose(rng).unwrap();
        cfg.vq.dim = *[1, 1, 2, 4, 8].choose(rng).unwrap();
        cfg.array.cols = 4 * cfg.vq.dim * rng.random_range(1..=3);
        cfg.vq.index_bits = rng.random_range(2..=6);
        cfg.vq.max_codebooks = rng.random_range(1..=8);
        cfg.epilogue.units = *[1, 2, 3, 4, 5, 6, 6, 8, 12, 16].choose(rng).unwrap();
        let vectors = *[6, 80, 80, 250].choose(rng).unwrap();
        cfg.buffers.max_k = cfg.vq.dim * rng.random_range(1..=vectors);
        cfg.buffers.max_n_block = *[1, 2, 3, 4, 5, 6, 8, 16, 40].choose(rng).unwrap();
        cfg.stream.width = 32 << rng.random_range(0..5);
        cfg.pipeline.pe = rng.random_range(depths("pe"));
        cfg.pipeline.tree = rng.random_range(depths("tree"));
        cfg.pipeline.epilogue = rng.random_range(depths("epilogue"));
        cfg.pipeline.scale = rng.random_range(depths("scale"));
        let banks = cfg.tile_vectors() * cfg.entries();
        if cfg.validate().is_ok() && cfg.tile_vectors() <= 96 && banks <= 3000 {
            return cfg;
        }
    }
}

/// Up to `length` commands, of which a share is wrong.
pub fn sequence(cfg: &CoreConfig, length: usize, rng: &mut ChaCha8Rng) -> Rules {
    let mut rules = Rules::new(cfg, rng);
    let spoiled = *[0.0, 0.1, 0.3].choose(rng).unwrap();
    // Not every command can be sent, and a core without room for any that is useful must not be waited for.
    for _ in 0..20 * length {
        let mut bits = rules.draw(rng);
        if rng.random_bool(spoiled) {
            bits = rules.spoil(bits, rng);
        } else if rules.status(bits) != 0 && rng.random_bool(0.7) {
            continue;
        }
        rules.push(bits, rng);
        if rules.work.commands.len() == length {
            break;
        }
    }
    rules
}

/// A field of a command.
fn field(at: u32, value: impl Into<u64>) -> u128 {
    u128::from(value.into()) << at
}

impl Rules {
    /// A command that is likely to be executed.
    fn draw(&self, rng: &mut ChaCha8Rng) -> u128 {
        let nothing = |loaded: bool, rng: &mut ChaCha8Rng| !loaded && rng.random();
        let kind = rng.random_range(0..20);
        let bits = if kind < 3 || nothing(self.slots.iter().any(Option::is_some), rng) {
            self.draw_codebooks(rng)
        } else if kind < 6 || nothing(!self.x.is_empty(), rng) {
            self.draw_x(rng)
        } else if kind < 18 {
            self.draw_gemv(rng)
        } else {
            self.draw_int8(rng)
        };
        bits | field(16, rng.random::<u16>())
    }

    fn draw_codebooks(&self, rng: &mut ChaCha8Rng) -> u128 {
        let most = u64::from(self.cfg.vq.max_codebooks);
        let upper = if rng.random() { most.min(2) } else { most };
        let count = rng.random_range(1..=upper);
        field(0, LOAD_CODEBOOKS) | field(12, rng.random_range(0..=most - count)) | field(32, count)
    }

    fn draw_x(&self, rng: &mut ChaCha8Rng) -> u128 {
        let (most, tile) = (self.cfg.max_vectors(), self.cfg.tile_vectors());
        let vectors = match rng.random_range(0..6) {
            0 => most,
            // Whole tiles, without which there are no batches.
            1..4 if most >= tile => tile * rng.random_range(1..=most / tile),
            1..4 => rng.random_range(1..=most.min(6)),
            _ => rng.random_range(1..=most),
        };
        field(0, LOAD_X) | field(64, vectors)
    }

    fn draw_gemv(&self, rng: &mut ChaCha8Rng) -> u128 {
        let cfg = &self.cfg;
        let [max_codebooks, max_outputs, tile, lanes] =
            [cfg.vq.max_codebooks, cfg.buffers.max_n_block, cfg.tile_vectors(), cfg.lanes()].map(u64::from);
        let loaded = self.loaded().max(1);
        let mut grouped = rng.random_range(0..4) == 0;
        let divisor = |rng: &mut ChaCha8Rng| 1 << rng.random_range(0..=cfg.epilogue.units.trailing_zeros());
        let mut tokens = if !grouped && rng.random() { divisor(rng) } else { 1 };
        let mut outputs = match rng.random_range(0..4) {
            0 => rng.random_range(1..=max_outputs.min(3)),
            1 => max_outputs,
            _ => rng.random_range(1..=max_outputs),
        };
        let mut first = rng.random_bool(0.9);
        if let Some(chain) = &self.chain {
            first = rng.random();
            if rng.random_bool(0.7) {
                (first, outputs, tokens) = (false, chain.outputs, chain.tokens);
            }
            if rng.random_bool(0.2) {
                tokens = divisor(rng);
            }
        }
        let (mut start, mut vectors) = (0, 0);
        if tokens > 1 {
            grouped = false;
            outputs = outputs.min((max_outputs / tokens).max(1));
            let whole = (loaded / tile * (tile / tokens)).max(1);
            vectors = match rng.random_range(0..3) {
                0 => whole,
                1 => rng.random_range(1..=loaded),
                _ => rng.random_range(1..=whole),
            };
        } else {
            let word = 2 * u64::from(cfg.segments());
            if rng.random_bool(0.4) {
                start = rng.random_range(0..=(loaded - 1) / word);
            }
            let left = loaded - start * word;
            vectors += match rng.random_range(0..3) {
                0 => left,
                1 => rng.random_range(1..=left.min(5)),
                _ => rng.random_range(1..=left),
            };
        }
        let mut codebooks = rng.random_range(1..=max_codebooks.min(3));
        let mut slot = rng.random_range(0..=max_codebooks - codebooks);
        if grouped {
            (codebooks, vectors) = (1, vectors.min(tile));
            slot = rng.random_range(0..=max_codebooks - vectors.div_ceil(lanes).min(max_codebooks));
        }
        field(0, VQ_GEMV)
            | field(8, first)
            | field(9, rng.random_bool(0.55))
            | field(10, rng.random::<bool>())
            | field(12, slot)
            | field(15, grouped)
            | field(32, codebooks)
            | field(40, tokens)
            | field(48, start)
            | field(64, vectors)
            | field(96, outputs)
    }

    fn draw_int8(&self, rng: &mut ChaCha8Rng) -> u128 {
        let (max_tokens, lanes) = (self.cfg.max_tokens(), self.cfg.lanes());
        let upper = if rng.random() { [max_tokens.min(8), 3] } else { [max_tokens, 2 * lanes] };
        let [tokens, tiles] = upper.map(|upper| rng.random_range(1..=upper));
        let outputs = rng.random_range(1..=self.cfg.buffers.max_n_block);
        field(0, INT8_GEMM)
            | field(11, rng.random::<bool>())
            | field(40, tokens)
            | field(64, tiles.min(self.cfg.max_k_tiles()))
            | field(96, outputs)
    }

    /// A command with one or two things changed.
    fn spoil(&self, mut bits: u128, rng: &mut ChaCha8Rng) -> u128 {
        for _ in 0..rng.random_range(1..=2) {
            let changed = |at: u32, by: u32| ((bits >> at) as u32).wrapping_add(by).wrapping_sub(1);
            let flipped = |at: u32| (at, 1, u32::from(bits >> at & 1 == 0));
            let (at, width, value) = match rng.random_range(0..12) {
                0..3 => flipped(rng.random_range(0..128)),
                3 => flipped(rng.random_range(8..16)),
                4 => (64, 32, changed(64, rng.random_range(0..3))),
                5 => (96, 32, changed(96, rng.random_range(0..3))),
                6 => (40, 8, rng.random_range(0..=2 * self.cfg.epilogue.units)),
                7 => (48, 16, rng.random_range(0..40)),
                8 => (32, 8, rng.random_range(0..10)),
                9 => (12, 3, rng.random_range(0..8)),
                10 => (64, 32, self.cfg.max_vectors() + rng.random_range(0..2)),
                _ => (0, 8, rng.random_range(0..6)),
            };
            bits = bits & !(((1 << width) - 1) << at) | field(at, value);
        }
        bits
    }
}
