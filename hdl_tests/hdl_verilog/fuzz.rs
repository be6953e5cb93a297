//! Random designs through the linters.

use crate::common::lint::{lint, scratch, write};
use crate::common::random_design::{Shape, random_design};
use eva_rtl::hdl::check::check;
use eva_rtl::hdl::verilog::{MemoryStyle, Options, emit};

#[test]
fn random_designs_are_clean() {
    let first: u64 = std::env::var("EVA_SEED").map_or(0, |s| s.parse().expect("EVA_SEED is a number"));
    let count: u64 = std::env::var("EVA_FUZZ").map_or(12, |s| s.parse().expect("EVA_FUZZ is a number"));
    for seed in first..first + count {
        let shape =
            Shape { nodes: 20 + (seed % 5) as u32 * 30, children: (seed % 4) as u32, is_defined: seed % 3 == 0 };
        let design = random_design(seed, shape);
        let checked = check(&design);
        assert!(checked.errors.is_empty(), "seed {seed}: {:?}", checked.errors);
        let memory = if seed % 2 == 0 { MemoryStyle::Inferred } else { MemoryStyle::Macro };
        let files = emit(&design, &Options { memory });
        assert_eq!(files, emit(&random_design(seed, shape), &Options { memory }), "seed {seed} twice");
        let paths = write(&files, &scratch(&format!("seed_{seed}")));
        lint(&paths, "top", &format!("seed {seed}"));
    }
}
