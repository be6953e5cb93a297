//! One tile on its way through a core: sizes are those of a preset, values those of the golden model for a random layer.

use eva_rtl::config::CoreConfig;
use eva_rtl::golden::{Scales, accumulate, fp16_to_f64, output_codebook, vq_gemv};
use eva_rtl::vq::{Distribution, LayerShape, random_activations, random_layer};

use super::svg::{AMBER, Anchor, BLUE, GREEN, GREY, INK, PALE, Svg};

const PRESET: &str = "tiny";
/// The output that is followed.
const OUTPUT: usize = 3;

/// The picture.
pub fn picture() -> String {
    let cfg = CoreConfig::preset(PRESET).unwrap();
    let (rows, entries, tile) = (cfg.array.rows as usize, cfg.entries() as usize, cfg.tile_vectors() as usize);
    let (dim, pass_vectors) = (cfg.vq.dim as usize, cfg.pass_vectors() as usize);
    assert_eq!(cfg.segments(), 1, "a vector in each row");
    // Everything in one tile and one codebook: one step.
    let shape = LayerShape { inputs: tile * dim, outputs: 8, dim, index_bits: cfg.vq.index_bits, codebooks: 1 };
    let layer = random_layer(shape, Distribution::Realistic, 1).unwrap();
    let x = random_activations(shape.inputs, Distribution::Realistic, 1);
    let golden = layer.golden();
    let oc = output_codebook(&x, &golden);
    let codes = &layer.codes()[OUTPUT * tile..][..tile];
    let sum = accumulate(&x, &golden)[OUTPUT].finite;
    let value = sum as f64 * 2f64.powi(-24);
    let Scales::F16(scales) = golden.scales else { panic!("random layers have FP16 scales") };
    let scale = fp16_to_f64(scales[OUTPUT]);
    let y = fp16_to_f64(vq_gemv(&x, &golden)[OUTPUT]);

    let mut svg = Svg::new(1060, 430);
    let small = |svg: &mut Svg, x: f64, y: f64, text: &str| {
        svg.text(x, y, 12, GREY, Anchor::Middle, text);
    };
    let colors = [BLUE, AMBER];

    // Vectors of activations, by pass.
    svg.text(77.0, 20.0, 13, INK, Anchor::Middle, format!("{tile} vectors of {dim}"));
    for vector in 0..tile {
        let pass = vector / pass_vectors;
        let top = 50.0 + 44.0 * vector as f64 + 30.0 * pass as f64;
        for j in 0..dim {
            svg.rect(33.0 + 22.0 * j as f64, top, 22.0, 26.0, colors[pass % 2]);
        }
        svg.text(18.0, top + 13.0, 12, INK, Anchor::Middle, format!("v{vector}"));
        if vector % pass_vectors == 0 {
            small(&mut svg, 148.0, top + 35.0, &format!("pass {pass}"));
        }
    }

    // The array, with the codebook passing through it.
    let (left, top) = (215.0, 130.0);
    svg.text(left + 85.0, 20.0, 13, INK, Anchor::Middle, format!("{entries} entries of {dim}"));
    for entry in 0..entries {
        svg.rect(left + 85.0 - 5.0 * entries as f64 + 10.0 * entry as f64, 36.0, 10.0, 22.0, PALE);
    }
    svg.arrow(format!("M{},60 V{top}", left + 85.0), false);
    svg.text(left + 94.0, 95.0, 12, GREY, Anchor::Start, "one per cycle");
    svg.line("M178,63 V235");
    for row in 0..rows {
        let y = top + 80.0 * row as f64;
        svg.arrow(format!("M178,{} H{left}", y + 25.0), false);
        for j in 0..dim {
            svg.rect(left + 30.0 * j as f64, y, 30.0, 50.0, PALE);
            small(&mut svg, left + 15.0 + 30.0 * j as f64, y + 25.0, "PE");
        }
        svg.rect(left + 30.0 * dim as f64, y, 50.0, 50.0, PALE);
        small(&mut svg, left + 30.0 * dim as f64 + 25.0, y + 17.0, "sum,");
        small(&mut svg, left + 30.0 * dim as f64 + 25.0, y + 33.0, "round");
        if row > 0 {
            svg.arrow(format!("M{},{} V{y}", left + 60.0, y - 30.0), false);
        }
    }
    small(&mut svg, left + 85.0, top + 80.0 * rows as f64, "each row holds a vector;");
    small(&mut svg, left + 85.0, top + 80.0 * rows as f64 + 16.0, "entries reach it a cycle after the row above");

    // Banks: one for each vector.
    let banks = 470.0;
    svg.text(banks + 150.0, 20.0, 13, INK, Anchor::Middle, format!("{tile} OC banks of {entries} (one half)"));
    svg.arrow(format!("M{},155 H{}", left + 30.0 * dim as f64 + 50.0, banks - 8.0), false);
    small(&mut svg, banks - 38.0, 143.0, "FP16");
    for bank in 0..tile {
        let pass = bank / pass_vectors;
        let x = banks + 75.0 * bank as f64;
        small(&mut svg, x + 27.0, 40.0, &format!("v{bank}"));
        for entry in 0..entries {
            let picked = entry == usize::from(codes[bank]);
            let fill = if picked { colors[pass % 2] } else { PALE };
            let y = 52.0 + 14.0 * entry as f64;
            svg.rect(x, y, 54.0, 14.0, fill);
            if picked {
                svg.text(
                    x + 27.0,
                    y + 7.0,
                    11,
                    INK,
                    Anchor::Middle,
                    format!("{:.3}", fp16_to_f64(oc[bank * entries + entry])),
                );
            }
        }
        let bottom = 52.0 + 14.0 * entries as f64;
        svg.arrow(format!("M{},{bottom} V318", x + 27.0), false);
    }

    // The index word, the sum, the output.
    let right = banks + 75.0 * tile as f64;
    svg.text(right + 140.0, 60.0, 13, INK, Anchor::Middle, format!("index word of output {OUTPUT}"));
    for (bank, code) in codes.iter().enumerate() {
        let x = right + 140.0 - 25.0 * tile as f64 + 50.0 * bank as f64;
        svg.rect(x, 75.0, 50.0, 26.0, colors[bank / pass_vectors % 2]);
        svg.text(x + 25.0, 88.0, 12, INK, Anchor::Middle, code);
    }
    svg.arrow(format!("M{},88 H{}", right + 140.0 - 25.0 * tile as f64, right - 8.0), true);
    small(&mut svg, right + 140.0, 118.0, "an address for each bank: no two lookups meet");
    svg.rect(banks, 318.0, 75.0 * tile as f64 - 21.0, 34.0, GREEN);
    svg.text(banks + 140.0, 335.0, 13, INK, Anchor::Middle, format!("exact sum: {sum} x 2^-24 = {value:.4}"));
    svg.arrow(format!("M{},335 H{}", right - 21.0, right + 40.0), false);
    svg.rect(right + 40.0, 312.0, 200.0, 46.0, GREEN);
    svg.text(right + 140.0, 326.0, 13, INK, Anchor::Middle, format!("accumulator {OUTPUT}"));
    small(&mut svg, right + 140.0, 344.0, "adds all tiles and codebooks");
    svg.arrow(format!("M{},358 V382", right + 140.0), false);
    svg.text(right + 140.0, 394.0, 13, INK, Anchor::Middle, format!("times scale {scale:.4}, rounded: y = {y:.4}"));
    svg.text(
        10.0,
        415.0,
        12,
        GREY,
        Anchor::Start,
        format!("preset {PRESET}, the only step of a layer of one tile and one codebook"),
    );
    svg.finish()
}
