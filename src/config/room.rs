//! What a core lacks to hold layers that are too large for it.

use super::{CoreConfig, Parameter};

impl CoreConfig {
    /// The flags with which a core of these parameters would hold vector-quantised layers of its own `d` and `n`, given as vectors `V` and codebooks `C`
    /// of each: `--max-codebooks 4 --max-k 11008`. `None` if it holds them as it is, or if no core does.
    pub fn flags_for(&self, layers: impl IntoIterator<Item = (u64, u64)>) -> Option<String> {
        let (mut codebooks, mut terms) = (u64::from(self.vq.max_codebooks), 0);
        for (of_vectors, of_codebooks) in layers {
            codebooks = codebooks.max(of_codebooks);
            terms = terms.max(of_vectors.saturating_mul(of_codebooks));
        }
        // Accumulators hold max_k/d * max_codebooks terms.
        let vectors = terms.div_ceil(codebooks);
        let max_k = vectors.saturating_mul(self.vq.dim.into()).max(self.buffers.max_k.into());
        let mut flags = Vec::new();
        for (key, value, present) in
            [("vq.max_codebooks", codebooks, self.vq.max_codebooks), ("buffers.max_k", max_k, self.buffers.max_k)]
        {
            let parameter = Parameter::find(key).expect("both are in the table");
            let is_possible = parameter.range().is_some_and(|range| value <= u64::from(*range.end()));
            if !is_possible {
                return None;
            }
            if value > u64::from(present) {
                flags.push(format!("--{} {value}", parameter.flag));
            }
        }
        (!flags.is_empty()).then(|| flags.join(" "))
    }
}
