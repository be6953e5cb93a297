//! What each `VQ_GEMV` of a layer computes.

use std::ops::Range;

use super::super::any::LayerRef;
use super::super::gptvq::GptvqShape;
use super::super::layer::LayerShape;
use super::divide::{block_sizes, ranges_from, vector_ranges};
use crate::config::CoreConfig;

/// What one `VQ_GEMV` computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub outputs: Range<usize>,
    pub vectors: Range<usize>,
    /// Numbers of the codebooks.
    pub codebooks: Range<usize>,
    /// Each epilogue unit uses one of them.
    pub grouped: bool,
    /// First and last of a chain.
    pub first: bool,
    pub last: bool,
}

/// The parts of a layer in the order of execution: blocks of outputs one after the other, in each the inputs from the first to the last.
pub(super) fn parts(layer: LayerRef, tokens: usize, config: &CoreConfig) -> Vec<Part> {
    let limits = Limits { config, scale_fp32: layer.scales().is_fp32(), tokens };
    match layer {
        LayerRef::Aqlm(layer) => limits.aqlm(layer.shape()),
        LayerRef::Gptvq(layer) => limits.gptvq(layer.shape()),
    }
}

/// What a command can do.
struct Limits<'c> {
    config: &'c CoreConfig,
    scale_fp32: bool,
    tokens: usize,
}

impl Limits<'_> {
    fn aqlm(&self, shape: LayerShape) -> Vec<Part> {
        let ranges = self.ranges(0..shape.vectors());
        let parts = ranges.into_iter().map(|vectors| (vectors, 0..shape.codebooks, false)).collect::<Vec<_>>();
        self.blocks(0..shape.outputs).into_iter().flat_map(|outputs| chain(&outputs, &parts)).collect()
    }

    fn gptvq(&self, shape: GptvqShape) -> Vec<Part> {
        let columns = shape.input_groups();
        let together = self.groups_together(shape);
        let mut all = Vec::new();
        for row in 0..shape.output_groups() {
            let parts: Vec<_> = (0..columns)
                .step_by(together)
                .flat_map(|column| {
                    let groups = column..columns.min(column + together);
                    let vectors = groups.start * shape.group_vectors()..groups.end * shape.group_vectors();
                    let codebooks = row * columns + groups.start..row * columns + groups.end;
                    let grouped = groups.len() > 1;
                    self.ranges(vectors).into_iter().map(move |vectors| (vectors, codebooks.clone(), grouped))
                })
                .collect();
            let start = row * shape.group_outputs;
            let blocks = self.blocks(start..start + shape.group_outputs);
            all.extend(blocks.iter().flat_map(|outputs| chain(outputs, &parts)));
        }
        all
    }

    /// Groups of inputs that one command takes: several if each is just what an epilogue unit looks up in a cycle.
    fn groups_together(&self, shape: GptvqShape) -> usize {
        let lanes = self.config.lanes() as usize;
        if self.tokens > 1 || shape.group_vectors() != lanes {
            return 1;
        }
        let (units, slots) = (self.config.epilogue.units as usize, self.config.vq.max_codebooks as usize);
        units.min(slots).min(self.config.max_vectors() as usize / lanes).max(1)
    }

    fn ranges(&self, vectors: Range<usize>) -> Vec<Range<usize>> {
        vector_ranges(vectors, self.tokens, self.config)
    }

    fn blocks(&self, outputs: Range<usize>) -> Vec<Range<usize>> {
        let sizes = block_sizes(outputs.len(), self.scale_fp32, self.tokens, self.config);
        ranges_from(outputs.start, sizes)
    }
}

/// The chain of a block of outputs.
fn chain(outputs: &Range<usize>, parts: &[(Range<usize>, Range<usize>, bool)]) -> Vec<Part> {
    let part = |(number, (vectors, codebooks, grouped)): (usize, &(Range<usize>, Range<usize>, bool))| Part {
        outputs: outputs.clone(),
        vectors: vectors.clone(),
        codebooks: codebooks.clone(),
        grouped: *grouped,
        first: number == 0,
        last: number + 1 == parts.len(),
    };
    parts.iter().enumerate().map(part).collect()
}
