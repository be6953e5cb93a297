//! `eva presets`: the configurations that come with the program.

use comfy_table::CellAlignment;
use eva_rtl::config::{PRESETS, Preset};
use serde_json::json;

use super::core_args::presets;
use super::terminal::number;
use super::{Failure, terminal};

/// List the preset configurations, or print one as a commented TOML file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva presets
  eva presets --show small > core.toml")]
pub struct Args {
    /// Print this preset as TOML, ready to be edited and given to --config
    #[arg(long, value_name = "NAME", value_parser = presets())]
    show: Option<&'static Preset>,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    match args.show {
        Some(preset) if json => terminal::print_json(&describe(preset)),
        Some(preset) => terminal::print(preset.toml),
        None if json => {
            let presets: Vec<_> = PRESETS.iter().map(describe).collect();
            terminal::print_json(&presets)
        }
        None => terminal::print(&list()),
    }
}

fn describe(preset: &'static Preset) -> serde_json::Value {
    let config = preset.config();
    json!({
        "name": preset.name,
        "about": preset.about(),
        "parameters": config,
        "tile_vectors": config.tile_vectors(),
        "index_word_bits": config.index_word_bits(),
    })
}

fn list() -> String {
    let mut table = terminal::table(&[
        "preset",
        "array",
        "d",
        "n",
        "codebooks",
        "units",
        "index word",
        "stream",
        "max K",
        "N block",
    ]);
    for preset in PRESETS {
        let config = preset.config();
        table.add_row([
            preset.name.to_owned(),
            format!("{} x {}", config.array.rows, config.array.cols),
            config.vq.dim.to_string(),
            config.vq.index_bits.to_string(),
            config.vq.max_codebooks.to_string(),
            config.epilogue.units.to_string(),
            format!("{} bits", number(config.index_word_bits())),
            format!("{} bits", number(config.stream.width)),
            number(config.buffers.max_k),
            number(config.buffers.max_n_block),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let about = PRESETS.iter().map(|preset| format!(" {:<7} {}", preset.name, preset.about()));
    format!("{}\n\n{}", table.trim_fmt(), about.collect::<Vec<_>>().join("\n"))
}
