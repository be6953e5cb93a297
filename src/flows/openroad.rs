//! OpenROAD-flow-scripts, which has to know about the memories of a core.

use super::{Core, File, TOP, fill};

/// The configuration of the design.
pub fn config(core: &Core) -> File {
    let values = [("TOP", TOP.to_owned()), ("MEMORIES", memories(core))];
    let text = fill(include_str!("templates/openroad.mk"), &values);
    File { path: "flows/openroad/config.mk".to_owned(), text }
}

fn memories(core: &Core) -> String {
    let bits = core.largest_memory_bits;
    let mut text = format!(
        "
# The largest memory that is to be made of flip-flops, in bits. The flow refuses larger ones than this, for good reason:
# `memory.style = \"macro\"` keeps all but small queues out of synthesis.
export SYNTH_MEMORY_MAX_BITS = {bits}"
    );
    if !core.macros.is_empty() {
        let views = |extension: &str| {
            let files = core.macros.iter().map(|name| format!(" \\\n    $(MACRO_DIR)/{name}.{extension}"));
            files.collect::<String>()
        };
        text += &format!(
            "

# Views of the RAM macros that the core instantiates.
MACRO_DIR ?= $(EVA_DIR)/macros
export ADDITIONAL_LEFS ={}
export ADDITIONAL_LIBS ={}
export ADDITIONAL_GDS ={}",
            views("lef"),
            views("lib"),
            views("gds")
        );
    }
    text
}
