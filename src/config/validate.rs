//! The rules a configuration must keep.

use super::{CoreConfig, PARAMETERS, Parameter, Value, Violation, Violations};

/// Longest index word, and so the longest vector in the hardware: what every Verilog tool must support.
const MAX_INDEX_WORD_BITS: u64 = 65536;
/// Largest output codebook memory, both halves together: 64 MiB, beyond any chip.
const MAX_OC_BITS: u64 = 1 << 29;

impl CoreConfig {
    /// Checks every rule and reports all that are broken, each with a value that would work.
    ///
    /// The methods that derive widths and sizes expect a configuration that passed.
    pub fn validate(&self) -> Result<(), Violations> {
        let mut check = Check { usable: self.clone(), violations: Vec::new() };
        check.cols();
        check.dim();
        check.max_k();
        check.width();
        check.index_bits();
        check.units();
        check.ranges();
        if check.violations.is_empty() {
            return Ok(());
        }
        let position = |key| PARAMETERS.iter().position(|parameter| parameter.key == key);
        check.violations.sort_by_key(|found| position(found.key));
        Err(Violations(check.violations))
    }
}

/// Walks through the rules and keeps a copy of the configuration in which everything looked at so far is usable,
/// so that a rule over several parameters judges only its own.
struct Check {
    usable: CoreConfig,
    violations: Vec<Violation>,
}

impl Check {
    fn cols(&mut self) {
        let cols = self.usable.array.cols;
        if !cols.is_multiple_of(4) || !in_range("array.cols", cols) {
            // Suggest columns that suit the vector length, if that is usable at all.
            let dim = self.usable.vq.dim;
            let step = if is_dim(dim) { 4 * dim } else { 4 };
            let suggestion = cols.clamp(4, 256).next_multiple_of(step);
            self.violation("array.cols", "a multiple of 4, from 4 to 256", suggestion);
        }
    }

    fn dim(&mut self) {
        let elements = self.usable.fp16_cols();
        let dim = self.usable.vq.dim;
        if !is_dim(dim) || !elements.is_multiple_of(dim) {
            let suggestion = (0..=6)
                .map(|log| 1 << log)
                .filter(|power| *power <= dim.max(1) && elements.is_multiple_of(*power))
                .max()
                .unwrap_or(1);
            let rule = format!("a power of two, from 1 to 64, that divides array.cols/4 = {elements}");
            self.violation("vq.dim", &rule, suggestion);
        }
    }

    fn max_k(&mut self) {
        let (max_k, dim) = (self.usable.buffers.max_k, self.usable.vq.dim);
        if !max_k.is_multiple_of(dim) || !in_range("buffers.max_k", max_k) {
            let suggestion = max_k.clamp(1, 65536).next_multiple_of(dim);
            let rule = format!("a multiple of vq.dim = {dim}, up to 65536");
            self.violation("buffers.max_k", &rule, suggestion);
        }
    }

    fn width(&mut self) {
        let width = self.usable.stream.width;
        if !width.is_power_of_two() || !in_range("stream.width", width) {
            let suggestion = width.clamp(32, 4096).next_power_of_two();
            self.violation("stream.width", "a power of two, from 32 to 4096", suggestion);
        }
    }

    fn index_bits(&mut self) {
        self.range("array.rows");
        let bits = self.usable.vq.index_bits;
        // The array alone can be too large for wide indices, whatever the number of epilogue units.
        let limit = (2..=12).rev().find(|bits| self.max_units(*bits) > 0);
        let limit = limit.expect("2 bits suit the largest array: 8192 vectors per pass");
        if !in_range("vq.index_bits", bits) {
            let suggestion = bits.clamp(2, limit);
            self.violation("vq.index_bits", "from 2 to 12", suggestion);
        } else if bits > limit {
            let vectors = self.usable.pass_vectors();
            let rule = format!("at most {limit} for an array that makes {vectors} vectors per pass");
            self.violation("vq.index_bits", &rule, limit);
        }
    }

    fn units(&mut self) {
        let units = self.usable.epilogue.units;
        let limit = self.max_units(self.usable.vq.index_bits);
        if !in_range("epilogue.units", units) {
            let suggestion = units.clamp(1, limit);
            self.violation("epilogue.units", "from 1 to 16", suggestion);
        } else if units > limit {
            let rule = format!(
                "at most {limit}, so that an index word (units * {} vectors * {} bits) has at most \
                 {MAX_INDEX_WORD_BITS} bits and the output codebooks at most {} MiB",
                self.usable.pass_vectors(),
                self.usable.vq.index_bits,
                MAX_OC_BITS >> 23
            );
            self.violation("epilogue.units", &rule, limit);
        }
    }

    /// Epilogue units, up to 16, that the limits on index words and output codebooks leave room for.
    fn max_units(&self, index_bits: u32) -> u32 {
        let vectors = u64::from(self.usable.pass_vectors());
        let word_bits = vectors * u64::from(index_bits);
        let oc_bits = 2 * 16 * (vectors << index_bits);
        let units = (MAX_INDEX_WORD_BITS / word_bits).min(MAX_OC_BITS / oc_bits);
        units.min(16) as u32
    }

    /// The parameters of which nothing but a range is asked.
    fn ranges(&mut self) {
        for key in [
            "vq.max_codebooks",
            "buffers.max_n_block",
            "pipeline.pe",
            "pipeline.tree",
            "pipeline.epilogue",
            "pipeline.scale",
        ] {
            self.range(key);
        }
    }

    fn range(&mut self, key: &'static str) {
        let (parameter, value) = number(key, &self.usable);
        let range = parameter.range().expect("a number has a range");
        if !range.contains(&value) {
            let (low, high) = (*range.start(), *range.end());
            self.violation(key, &format!("from {low} to {high}"), value.clamp(low, high));
        }
    }

    /// Notes that the present value of `key` breaks `rule` and goes on with `suggestion`.
    fn violation(&mut self, key: &'static str, rule: &str, suggestion: u32) {
        let (parameter, value) = number(key, &self.usable);
        self.violations.push(Violation { key, value, rule: rule.to_owned(), suggestion, origin: None });
        parameter.set(&mut self.usable, Value::Number(suggestion));
    }
}

fn is_dim(dim: u32) -> bool {
    dim.is_power_of_two() && in_range("vq.dim", dim)
}

fn in_range(key: &str, value: u32) -> bool {
    let range = Parameter::find(key).and_then(Parameter::range);
    range.is_some_and(|range| range.contains(&value))
}

/// The numeric parameter `key` and its value.
fn number(key: &str, config: &CoreConfig) -> (&'static Parameter, u32) {
    let parameter = Parameter::find(key).expect("rules name parameters of the table");
    match parameter.get(config) {
        Value::Number(value) => (parameter, value),
        Value::Style(_) => unreachable!("only numbers have rules"),
    }
}
