//! What the model says about the hardware, against its description.

use crate::depths::depths;
use eva_rtl::config::{CoreConfig, PRESETS};
use eva_rtl::hdl::ir::Design;
use eva_rtl::perf::{Latencies, Memory};
use eva_rtl::rtl::{accumulator, array, epilogue_unit, eva_core, gemm_control, lane_buffer, scaler};

/// The presets, and every number of register stages.
fn configurations() -> Vec<CoreConfig> {
    let mut all: Vec<CoreConfig> = PRESETS.iter().map(|preset| preset.config()).collect();
    for pe in depths("pe") {
        for tree in depths("tree") {
            for stages in depths("epilogue") {
                let mut cfg = CoreConfig::preset("tiny").unwrap();
                (cfg.pipeline.pe, cfg.pipeline.tree) = (pe, tree);
                (cfg.pipeline.epilogue, cfg.pipeline.scale) = (stages, depths("scale").end() + 1 - stages);
                cfg.array.rows = 2 << stages;
                all.push(cfg);
            }
        }
    }
    all
}

#[test]
fn latencies_are_those_of_the_hardware() {
    for cfg in configurations() {
        let expected = Latencies {
            pass: gemm_control::pass_cycles(&cfg).into(),
            array: array::latency(&cfg).into(),
            buffer: lane_buffer::LATENCY.into(),
            epilogue: epilogue_unit::latency(&cfg).into(),
            accumulator: accumulator::LATENCY.into(),
            scaler: scaler::latency(&cfg).into(),
            access_distance: accumulator::ACCESS_DISTANCE.into(),
            sum_distance: array::psum_distance(&cfg).into(),
        };
        assert_eq!(Latencies::new(&cfg), expected, "{cfg:?}");
    }
}

/// Bits of all memories whose module has a name that begins like this.
fn bits(design: &Design, prefix: &str) -> u64 {
    let mut counts = vec![0u64; design.modules.len()];
    counts[design.top.index()] = 1;
    let mut sum = 0;
    // Parents stand after their children.
    for (index, module) in design.modules.iter().enumerate().rev() {
        for instance in &module.instances {
            counts[instance.module.index()] += counts[index];
        }
        if module.name.starts_with(prefix) {
            let own = module.mems.iter().map(|mem| u64::from(mem.depth) * u64::from(mem.width));
            sum += counts[index] * own.sum::<u64>();
        }
    }
    sum
}

#[test]
fn memories_are_those_of_the_hardware() {
    let mut odd = CoreConfig::preset("tiny").unwrap();
    odd.stream.width = 1024;
    odd.buffers.max_n_block = 37;
    odd.buffers.max_k = 20;
    for cfg in PRESETS.iter().map(|preset| preset.config()).chain([odd]) {
        let design = eva_core(&cfg).unwrap().design;
        let memory = Memory::new(&cfg);
        let buffers = memory.codebooks + memory.activations + memory.scales;
        assert_eq!(buffers, bits(&design, "eva_lane_buffer_"), "{cfg:?}");
        assert_eq!(memory.output_codebooks, bits(&design, "eva_oc_bank"), "{cfg:?}");
        assert_eq!(memory.accumulators, bits(&design, "eva_accumulator"), "{cfg:?}");
        let depth = memory.output_queue / 33;
        assert_eq!(memory.output_queue, bits(&design, &format!("eva_fifo_{depth}x33")), "{cfg:?}");
        // The rest are queues of jobs.
        let rest = bits(&design, "") - memory.total();
        assert!(rest < 3000, "{rest} bits are not accounted for in {cfg:?}");
    }
}
