//! The sequence of passes, and whose turn it is, against the rules of docs/interface.md taken literally.

use crate::bench::simulate;
use eva_rtl::config::CoreConfig;
use eva_rtl::rtl::{pass_walker, turn};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What the rules say about a command.
struct Rules {
    lanes: u64,
    tiles: u64,
    outputs: u64,
}

impl Rules {
    /// `Q`: passes for each output.
    fn period(&self) -> u64 {
        self.tiles.max(self.lanes + 1)
    }

    /// `P`: all passes.
    fn passes(&self) -> u64 {
        self.period() * ((self.outputs - 1) / self.lanes + 1) + (self.outputs - 1) % self.lanes
    }

    /// The output that a lane works on in a pass, if it has begun.
    fn output(&self, lane: u64, pass: u64) -> Option<u64> {
        (pass >= lane).then(|| lane + self.lanes * ((pass - lane) / self.period()))
    }

    /// Whether a lane begins an output in a pass.
    fn starts(&self, lane: u64, pass: u64) -> bool {
        self.output(lane, pass).is_some() && (pass == 0 || self.output(lane, pass - 1) != self.output(lane, pass))
    }

    /// The output that a lane finishes in a pass.
    fn finishes(&self, lane: u64, pass: u64) -> Option<u64> {
        let output = self.output(lane, pass).filter(|output| *output < self.outputs)?;
        let (round, lane) = (output / self.lanes, output % self.lanes);
        (pass == self.period() * (round + 1) - 1 + lane).then_some(output)
    }
}

/// Walks commands through one walker without a reset between; steps come irregularly. Returns the number of passes.
fn check(cfg: &CoreConfig, commands: impl IntoIterator<Item = (u64, u64)>, rng: &mut ChaCha8Rng) -> u64 {
    let lanes = cfg.lanes();
    let mut sim = simulate(pass_walker::NAME, |m| pass_walker::pass_walker(m, cfg));
    let [start, step, tiles_in, outputs_in] =
        ["start", "step", "passes_tiles", "passes_outputs"].map(|name| sim.input(name).unwrap());
    let [busy, turn_out, takes_tile, emits, last] =
        ["busy", "pass_turn", "pass_takes_tile", "pass_emits", "pass_last"].map(|name| sim.output(name).unwrap());
    let mut checked = 0;
    for (tiles, outputs) in commands {
        let rules = Rules { lanes: lanes.into(), tiles, outputs };
        let what = format!("T = {tiles}, N = {outputs}, L = {lanes}");
        sim.set_u64(tiles_in, tiles);
        sim.set_u64(outputs_in, outputs);
        sim.set_u64(step, 0);
        assert_eq!(sim.get_u64(busy), 0, "{what}");
        sim.set_u64(start, 1);
        sim.step();
        sim.set_u64(start, 0);
        let mut finished = 0;
        for pass in 0..rules.passes() {
            let steps = rng.random_range(0..4) > 0;
            for waits in [!steps, false].into_iter().skip(usize::from(steps)) {
                sim.set_u64(step, (!waits).into());
                assert_eq!(sim.get_u64(busy), 1, "pass {pass} of {what}");
                assert_eq!(sim.get_u64(takes_tile) == 1, pass % rules.period() < tiles, "pass {pass} of {what}");
                assert_eq!(sim.get_u64(last) == 1, pass + 1 == rules.passes(), "pass {pass} of {what}");
                let (turn_now, emits) = (sim.get_u64(turn_out), sim.get_u64(emits) == 1);
                let mut sent: Vec<u64> = Vec::new();
                for lane in 0..lanes {
                    // Before its first output a lane may start as often as it likes.
                    let (begun, starts) = (pass >= u64::from(lane), rules.starts(lane.into(), pass));
                    assert!(!begun || (turn_now == turn::starts(lane)) == starts, "lane {lane}, pass {pass} of {what}");
                    if emits && turn_now == turn::finishes(cfg, lane) {
                        sent.push(lane.into());
                    }
                }
                let finishing: Vec<u64> = (0..lanes.into()).filter(|l| rules.finishes(*l, pass).is_some()).collect();
                assert_eq!(sent, finishing, "pass {pass} of {what}");
                if !waits {
                    // One after the other, in order.
                    let outputs = finishing.iter().filter_map(|lane| rules.finishes(*lane, pass));
                    outputs.for_each(|output| {
                        assert_eq!(output, finished, "pass {pass} of {what}");
                        finished += 1;
                    });
                }
                sim.step();
            }
            checked += 1;
        }
        assert_eq!(finished, outputs, "{what}");
    }
    checked
}

fn config(rows: u32, segments: u32) -> CoreConfig {
    let mut cfg = crate::bench::config(4, segments);
    cfg.array.rows = rows;
    cfg
}

#[test]
fn small_commands() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    for (rows, segments) in [(1, 1), (2, 1), (3, 1), (1, 2), (4, 2), (5, 3), (32, 1)] {
        let cfg = config(rows, segments);
        let lanes = u64::from(cfg.lanes());
        let tiles = (1..=4).chain(lanes.saturating_sub(1).max(1)..lanes + 4);
        let outputs =
            |lanes: u64| (1..=4).chain(lanes..=lanes + 2).chain(2 * lanes..=2 * lanes + 1).chain([3 * lanes + 1]);
        let most = u64::from(cfg.buffers.max_n_block);
        let commands = tiles.flat_map(|t| outputs(lanes).map(move |n| (t, n))).filter(|(_, n)| *n <= most);
        assert!(check(&cfg, commands, &mut rng) > 100);
    }
}

/// Counters hold the largest sizes.
#[test]
fn largest_commands() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    for dim in [1, 4, 16] {
        for max_n_block in [3, 37, 64] {
            let mut cfg = crate::bench::config(dim, 1);
            cfg.buffers.max_n_block = max_n_block;
            let (most_t, most_n) = (u64::from(cfg.max_k_tiles()), u64::from(max_n_block));
            let expected = most_t.max(3) + 3 * most_n.div_ceil(2) + (most_n - 1) % 2;
            assert_eq!(check(&cfg, [(most_t, 1), (1, most_n)], &mut rng), expected);
        }
    }
}
