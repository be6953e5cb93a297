//! FPGAs: memories become the RAM that they should.

use eva_rtl::hdl::verilog::{MemoryModule, memory_modules};
use eva_rtl::synth::{Mapping, Tools};
use rayon::prelude::*;

use super::{core, map, one_at_a_time, tools};

/// Block RAMs in these shapes, words times bits.
fn blocks(memory: &MemoryModule, shapes: &[(u32, u32)]) -> u64 {
    let of = |(depth, width): &(u32, u32)| u64::from(memory.depth.div_ceil(*depth) * memory.width.div_ceil(*width));
    shapes.iter().map(of).min().expect("a shape")
}

/// Block RAMs, and whether there is distributed RAM, for each memory of `fpga`.
#[test]
fn inferred_memories_become_block_ram() {
    let _lock = one_at_a_time();
    let cache = tempfile::tempdir().unwrap();
    // Of the queues, which are read in the same cycle, the smallest will do.
    let (mut memories, mut queues): (Vec<_>, Vec<_>) =
        memory_modules(&core("fpga")).into_iter().partition(MemoryModule::can_be_macro);
    queues.sort_by_key(|memory| memory.depth * memory.width);
    memories.extend(queues.into_iter().next());
    let tools = Tools { sta: None, ..tools() };
    let ice40 = [(256, 16), (512, 8), (1024, 4), (2048, 2)];
    let ecp5 = [(512, 36), (1024, 18), (2048, 9), (4096, 4)];
    // Yosys takes RAMB36E1 only for what RAMB18E1 is too small for.
    let xilinx = [(512, 36), (1024, 18), (2048, 9), (4096, 4)];
    for (mapping, shapes) in [(Mapping::Ice40, &ice40), (Mapping::Ecp5, &ecp5), (Mapping::Xilinx, &xilinx)] {
        let target = mapping.target();
        let mut synchronous = 0;
        // Each of them is a single run of Yosys.
        let mapped =
            |memory: &MemoryModule| map(&core("fpga"), mapping.clone(), Some(&memory.name), cache.path(), &tools);
        let reports: Vec<_> = memories.par_iter().map(mapped).collect();
        for (memory, report) in memories.iter().zip(&reports) {
            let total = &report.total;
            let what = format!("{target:?} {}: {total:?}", memory.name);
            assert_eq!(total.memory_bits, u64::from(memory.depth * memory.width), "{what}");
            if memory.can_be_macro() {
                synchronous += 1;
                assert_eq!(total.block_rams, blocks(memory, shapes), "{what}");
                assert_eq!((total.flip_flops, total.lut_rams), (0, 0), "{what}");
            } else if matches!(mapping, Mapping::Ice40) {
                // It has no RAM that is read in the same cycle.
                assert_eq!((total.flip_flops, total.block_rams), (total.memory_bits, 0), "{what}");
            } else {
                assert_eq!((total.flip_flops, total.block_rams), (0, 0), "{what}");
                assert!(total.lut_rams > 0, "{what}");
            }
        }
        assert_eq!(synchronous, 4);
    }
}

#[test]
fn multipliers_become_dsp_blocks_and_registers_flip_flops() {
    let _lock = one_at_a_time();
    let cache = tempfile::tempdir().unwrap();
    let tools = Tools { sta: None, ..tools() };
    let targets = [(Mapping::Ice40, false), (Mapping::Ecp5, true), (Mapping::Xilinx, true)];
    targets.into_par_iter().for_each(|(mapping, has_dsps)| {
        let report = map(&core("tiny"), mapping, Some("eva_pe"), cache.path(), &tools);
        let [pe] = report.modules.as_slice() else { panic!("one module: {:?}", report.modules) };
        assert_eq!(pe.each.dsps > 0, has_dsps, "{pe:?}");
        assert!(pe.each.flip_flops > 0 && pe.each.flip_flops <= pe.register_bits, "{pe:?}");
        assert!(pe.each.luts > 0, "{pe:?}");
        assert!(report.timing.is_none());
    });
}
