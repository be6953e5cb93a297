# eva_core in OpenROAD-flow-scripts, on SkyWater 130 nm. `eva generate` writes this file, anew each time: adapt a copy.
#
#   cd OpenROAD-flow-scripts/flow && make DESIGN_CONFIG=/path/to/flows/openroad/config.mk

# Folder of the generated core, from the place of this file; set it in a copy elsewhere.
EVA_DIR ?= $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)

export DESIGN_NAME     = eva_core
export DESIGN_NICKNAME = eva_core
export PLATFORM        = sky130hd

export VERILOG_FILES = $(addprefix $(EVA_DIR)/,$(shell cat $(EVA_DIR)/eva_core.f))
export SDC_FILE      = $(EVA_DIR)/constraints/eva_core.sdc

# Modules that occur many times are synthesised once.
export SYNTH_HIERARCHICAL = 1

export CORE_UTILIZATION       = 40
export PLACE_DENSITY_LB_ADDON = 0.10

# Bits of the largest memory that is to be made of flip-flops. It leaves room for the core's queues; larger memories the
# flow refuses, for good reason: a core with `memory.style = "macro"` has them in macros.
export SYNTH_MEMORY_MAX_BITS = 4096
