use crate::harness::{native};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Command, Job, RunOptions, run};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn pack_words(words: &[Vec<u8>], beat: usize) -> Vec<u8> {
    let w = words[0].len();
    let mut out = Vec::new();
    if w <= beat {
        for group in words.chunks(beat / w) {
            let mut b: Vec<u8> = group.concat();
            b.resize(beat, 0xAA);
            out.extend(b);
        }
    } else {
        for word in words {
            let mut b = word.clone();
            b.resize(w.next_multiple_of(beat), 0xAA);
            out.extend(b);
        }
    }
    out
}

pub fn check(cfg: &CoreConfig, m: usize, k: usize, n: usize, raw: bool, stalls: Stalls, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let w: Vec<Vec<i8>> = (0..n).map(|_| (0..k).map(|_| rng.random::<i8>()).collect()).collect();
    let x: Vec<Vec<i8>> = (0..m).map(|_| (0..k).map(|_| rng.random::<i8>()).collect()).collect();
    let (r, s, d) = (cfg.array.rows as usize, cfg.segments() as usize, cfg.vq.dim as usize);
    let l = r * s;
    let kt = 4 * d;
    let t = k.div_ceil(kt);
    let q = t.max(l + 1);
    let p = q * ((n - 1) / l + 1) + (n - 1) % l;
    let (wb, xb) = (cfg.stream.width as usize / 8, cfg.x_width() as usize / 8);
    let mut weights = Vec::new();
    let mut scales = vec![];
    if !raw {
        for _ in 0..n { scales.push(rng.random_range(1e-5f32..1e-3)); }
        let mut b: Vec<u8> = scales.iter().flat_map(|s: &f32| s.to_le_bytes()).collect();
        b.resize(b.len().next_multiple_of(wb), 0);
        weights.extend(b);
    }
    let mut acts = Vec::new();
    for pass in 0..p {
        let tile = pass % q;
        if tile >= t { continue; }
        let rows: Vec<Vec<u8>> = (0..r).map(|row| (0..s).flat_map(|seg| {
            let lane = row * s + seg;
            let o = if pass >= lane { lane + l * ((pass - lane) / q) } else { usize::MAX };
            (0..kt).map(|j| if o < n && tile * kt + j < k { w[o][tile * kt + j] as u8 } else { 0x55 }).collect::<Vec<_>>()
        }).collect()).collect();
        weights.extend(pack_words(&rows, wb));
        let tokens: Vec<Vec<u8>> = x.iter().map(|x| (0..kt).map(|j| if tile * kt + j < k { x[tile * kt + j] as u8 } else { 0 }).collect()).collect();
        acts.extend(pack_words(&tokens, xb));
    }
    let mut bits = [0u8; 16];
    bits[0] = 4;
    bits[1] = (raw as u8) << 3;
    bits[5..8].copy_from_slice(&(m as u32).to_le_bytes()[..3]);
    bits[8..12].copy_from_slice(&(t as u32).to_le_bytes());
    bits[12..16].copy_from_slice(&(n as u32).to_le_bytes());
    let outputs = (0..n).flat_map(|o| { let (w, x, scales) = (&w, &x, &scales); (0..m).map(move |tok| {
        let acc: i32 = w[o].iter().zip(&x[tok]).map(|(a, b)| *a as i32 * *b as i32).sum();
        if raw { acc as u32 } else { let v = acc as f64 * scales[o] as f64; let h = half::f16::from_f64(v).to_bits(); if acc == 0 { 0 } else { h as u32 } }
    })}).collect();
    let commands = vec![Command { bits, status: 0, outputs }];
    let job = Job { commands: &commands, weights: &weights, activations: &acts, reference: None };
    let mut sim = native(cfg, seed);
    let report = run(&mut sim, &job, &RunOptions { seed, sources: stalls, sinks: Backpressure { stalls, after_valid: false }, ..RunOptions::default() }, &mut |_| {}).unwrap();
    assert!(report.passed(), "{m} {k} {n} raw {raw}: {report:#?}");
    println!("{m},{k},{n}: {} cycles; {} passes; {:.3} MAC/cycle/PE", report.cycles, p, (m*k*n) as f64 / report.cycles as f64 / (cfg.array.rows*cfg.array.cols) as f64);
}

#[test]
fn smoke() {
    let cfg = CoreConfig::preset("tiny").unwrap();
    for raw in [true, false] {
        check(&cfg, 1, 16, 1, raw, Stalls::None, 1);
        check(&cfg, 5, 16, 1, raw, Stalls::None, 1);
        check(&cfg, 7, 40, 2, raw, Stalls::None, 2);
        check(&cfg, 32, 100, 7, raw, Stalls::None, 3);
        check(&cfg, 9, 100, 7, raw, Stalls::Random { probability: 0.4 }, 3);
        check(&cfg, 3, 160, 5, raw, Stalls::Bursts { probability: 0.4, length: 20 }, 3);
    }
    let cfg = CoreConfig::preset("small").unwrap();
    check(&cfg, 64, 512, 16, false, Stalls::None, 3);
    let mut cfg = CoreConfig::preset("small").unwrap();
    cfg.array.cols = 96;
    check(&cfg, 64, 500, 50, false, Stalls::Random { probability: 0.2 }, 3);
    check(&cfg, 64, 1000, 70, false, Stalls::None, 3);
}
#[test]
fn paper() {
    let cfg = CoreConfig::preset("paper").unwrap();
    check(&cfg, 1024, 1056, 64, false, Stalls::None, 3);
}
