//! Cycles of single layers on the pages, as the cycle model has them for the commands of the packer.

use eva_rtl::config::{CoreConfig, PARAMETERS};
use eva_rtl::models::LanguageModel;
use eva_rtl::perf::{Decoding, Estimate, Memory, Supply, cycles};
use eva_rtl::vq::gptvq::{GptvqShape, random_gptvq_layer};
use eva_rtl::vq::{Distribution, LayerRef, LayerShape, pack_batch, random_layer};

/// Cells of the rows of tables that start with `start`.
fn rows<'a>(page: &'a str, start: &str) -> Vec<Vec<&'a str>> {
    let rows = page.lines().filter(|line| line.starts_with(start));
    rows.map(|row| row.split('|').map(str::trim).collect()).collect()
}

fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

fn measure(layer: LayerRef, tokens: usize, cfg: &CoreConfig) -> u64 {
    let plan = pack_batch(layer, tokens, cfg).unwrap();
    cycles(plan.commands().map(|command| command.operation), cfg)
}

/// Codebook slots and sizes of groups: each cell of the table.
#[test]
fn sizes_of_groups_cost_what_the_page_says() {
    let page = include_str!("../../docs/checkpoints.md");
    let mut cells = 0;
    for (core, side) in [("paper", 4096), ("small", 1024)] {
        let mut cfg = CoreConfig::preset(core).unwrap();
        cfg.vq.dim = 4;
        for row in rows(page, &format!("| `{core}` |")) {
            let group_inputs = number(row[2]) as usize;
            let (inputs, outputs, dim, index_bits, group_outputs) = (side, side, 4, 8, side);
            let shape = GptvqShape { inputs, outputs, dim, index_bits, group_inputs, group_outputs };
            let layer = random_gptvq_layer(shape, Distribution::Realistic, 1).unwrap();
            for (slots, cell) in [2, 4, 8].into_iter().zip(&row[4..]).filter(|(_, cell)| !cell.is_empty()) {
                cfg.vq.max_codebooks = slots;
                assert_eq!(measure((&layer).into(), 1, &cfg), number(cell), "{slots} slots: {row:?}");
                cells += 1;
            }
        }
    }
    assert_eq!(cells, 19);
}

/// Sets what flags like `--rows 16` say.
fn set_flags(cfg: &mut CoreConfig, flags: &str) {
    let words: Vec<&str> = flags.split_whitespace().collect();
    for pair in words.chunks(2) {
        let parameter = PARAMETERS.iter().find(|parameter| pair[0].strip_prefix("--") == Some(parameter.flag));
        let parameter = parameter.unwrap_or_else(|| panic!("no parameter {}", pair[0]));
        parameter.set(cfg, parameter.parse(pair[1]).unwrap());
    }
    cfg.validate().unwrap();
}

fn llama(cfg: &CoreConfig) -> Estimate {
    let model = LanguageModel::find("llama-2-7b").unwrap();
    Estimate::new(&model, cfg, Decoding { codebooks: 2, tokens: 1, scale_fp32: false }).unwrap()
}

fn kbit(cfg: &CoreConfig) -> u64 {
    (Memory::new(cfg).total() as f64 / 1024.0).round() as u64
}

/// Cycles and memory in both tables of the page on parameters; areas are measured by hand.
#[test]
fn parameters_cost_what_the_page_says() {
    let page = include_str!("../../docs/parameters.md");
    let changes = [rows(page, "| none |"), rows(page, "| `--")].concat();
    assert_eq!(changes.len(), 16);
    for row in changes {
        let mut cfg = CoreConfig::preset("small").unwrap();
        set_flags(&mut cfg, "--max-k 16384");
        set_flags(&mut cfg, row[1].trim_matches('`').trim_start_matches("none"));
        let block = llama(&cfg).block;
        assert_eq!([kbit(&cfg), block.cycles, block.bound()], [3, 4, 5].map(|cell| number(row[cell])), "{row:?}");
    }
    let divisions: Vec<_> = page.lines().filter(|line| line.starts_with("| ") && line.contains(" x ")).collect();
    let divisions: Vec<_> = divisions.into_iter().filter(|line| line.contains(" s |")).collect();
    assert_eq!(divisions.len(), 5);
    for line in divisions {
        let row: Vec<&str> = line.split('|').map(str::trim).collect();
        let (size, flags) = row[1].split_once(", `").unwrap_or((row[1], ""));
        let (rows, units) = size.split_once(" x ").unwrap();
        let mut cfg = CoreConfig::preset("paper").unwrap();
        set_flags(&mut cfg, &format!("--stream-width 512 --max-k 11008 --rows {rows} --epilogue-units {units}"));
        set_flags(&mut cfg, flags.trim_matches('`'));
        let estimate = llama(&cfg);
        assert_eq!(row[3], format!("{:.2}", estimate.tokens_per_second(200e6)), "{line}");
        assert_eq!(row[4], format!("{:.1} %", 100.0 * estimate.block.utilization()), "{line}");
        assert_eq!((number(row[2]), number(row[7])), (u64::from(cfg.epilogue.units) * 256, kbit(&cfg)), "{line}");
    }
}

/// The table at the top of the page.
#[test]
fn a_model_takes_what_the_page_says() {
    let page = include_str!("../../docs/performance.md");
    let estimate = llama(&CoreConfig::preset("paper").unwrap());
    let blocks = u64::from(estimate.blocks);
    for (start, cycles, bound) in [
        ("| a decoder block,", estimate.block.cycles, estimate.block.bound()),
        ("| all 32 blocks:", estimate.cycles(), blocks * estimate.block.bound()),
    ] {
        let row = rows(page, start).remove(0);
        assert_eq!([number(row[2]), number(row[3])], [cycles, bound], "{row:?}");
        assert_eq!(row[4], format!("{:.3}", cycles as f64 / bound as f64), "{row:?}");
    }
    assert!(page.contains(&format!(": {:.1} tokens/s |", estimate.tokens_per_second(500e6))));
}

/// The table of bandwidths.
#[test]
fn a_slower_memory_costs_what_the_page_says() {
    let page = include_str!("../../docs/performance.md");
    let table = page.split_once("--bandwidth` | cycles of a block |").unwrap().1;
    let cfg = CoreConfig::preset("paper").unwrap();
    let block = llama(&cfg).block;
    let mut lines = 0;
    for line in table.lines().skip(2).take_while(|line| line.starts_with("| ")) {
        let row: Vec<&str> = line.split('|').map(str::trim).collect();
        let bandwidth: f64 = row[1].split(',').next().unwrap().parse().unwrap();
        let supply = Supply::new(bandwidth * 1e9, &cfg, 250e6);
        let (least, most) = supply.cycles(block.cycles, block.bound()).into_inner();
        let ends = |cell: &'static str| cell.split_once(" to ").unwrap_or((cell, cell));
        assert_eq!([ends(row[2]).0, ends(row[2]).1].map(number), [least, most], "{line}");
        let rate = |cycles: u64| format!("{:.2}", 250e6 / (32 * cycles) as f64);
        assert_eq!([ends(row[3]).0, ends(row[3]).1], [rate(most), rate(least)], "{line}");
        assert_eq!(supply.limit(&block.needs), row[4], "{line}");
        lines += 1;
    }
    assert_eq!(lines, 3);
}

/// The table of all parameters, with the values of `paper`.
#[test]
fn every_parameter_is_on_the_page() {
    let page = include_str!("../../docs/parameters.md");
    let paper = CoreConfig::preset("paper").unwrap();
    for parameter in &PARAMETERS {
        let start = format!("| `{}` | `--{}` |", parameter.key, parameter.flag);
        let row = page.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no {start}"));
        let value = parameter.get(&paper).to_string();
        assert!(row.ends_with(&format!("| {value} |")), "{row}: {value}");
    }
}

/// The commands of the table of batches, and of the README.
#[test]
fn batches_cost_what_the_page_says() {
    let table = rows(include_str!("../../docs/performance.md"), "| `eva cosim --preset small ");
    assert_eq!(table.len(), 3);
    for row in &table {
        let words: Vec<&str> = row[1].trim_matches('`').split(' ').collect();
        let flag = |name: &str| words.iter().position(|word| *word == name).map(|place| words[place + 1]);
        let mut cfg = CoreConfig::preset(flag("--preset").unwrap()).unwrap();
        for parameter in &PARAMETERS {
            if let Some(value) = flag(&format!("--{}", parameter.flag)) {
                parameter.set(&mut cfg, parameter.parse(value).unwrap());
            }
        }
        let (inputs, outputs) = flag("--random").unwrap().split_once(',').unwrap();
        let (inputs, outputs) = (number(inputs) as usize, number(outputs) as usize);
        let shape = LayerShape { inputs, outputs, dim: 8, index_bits: 8, codebooks: 2 };
        let layer = random_layer(shape, Distribution::Realistic, 1).unwrap();
        let tokens = number(flag("--batch").unwrap());
        let alone = measure((&layer).into(), 1, &cfg);
        let together = measure((&layer).into(), tokens as usize, &cfg);
        let told = [2, 3, 4].map(|column| number(row[column]));
        assert_eq!(told, [alone, together, tokens * alone], "{row:?}");
    }
    let readme = include_str!("../../README.md");
    let [alone, together] = [table[1][2], table[1][3]];
    assert!(
        readme.contains(&format!("# {alone} cycles")) && readme.contains(&format!("--batch 4   # {together} cycles"))
    );
}
