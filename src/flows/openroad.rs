//! OpenROAD-flow-scripts, which has to know about the memories of a core.

use super::{Core, File, TOP, fill};

/// The configuration of the design.
pub fn config(core: &Core) -> File {
    let values = [("TOP", TOP.to_owned()), ("MEMORIES", memories(core))];
    let text = fill(include_str!("templates/openroad.mk"), &values);
    File { path: "flows/openroad/config.mk".to_owned(), text }
}

fn memories(core: &Core) -> String {
    // What the flow allows anyway is enough for most.
    let bits = core.largest_queue_bits.max(4096);
    let mut text = format!(
        "
# Bits of the largest memory that is to be made of flip-flops. It leaves room for the core's queues; larger memories the
# flow refuses, for good reason: a core with `memory.style = \"macro\"` has them in macros.
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
