//! What the array of EVA is compared with: the plain INT8 weight-stationary systolic array of the same size.
//!
//! Rows are output channels, columns are consecutive k. A PE holds a weight, multiplies it by the activation that
//! passes on its way down, and adds the product to the partial sum that passes on its way to the right: one PE per
//! cycle in both directions, so that sums and activations meet only if column `j` gets its operands `j` cycles late.
//! **Whoever feeds the array delays them**, as is the convention for systolic arrays: the registers for that are outside
//! and not counted in the array's area.

pub mod array;
pub mod pe;
pub mod row;

use super::{PREFIX, clocking};
use crate::config::CoreConfig;
use crate::hdl::{Diagnostics, Elaborated, elaborate};

/// Bits of weights and activations.
pub const OPERAND: u32 = 8;

/// Bits of a partial sum: enough for 2^16 products and more.
pub const SUM: u32 = 32;

/// Elaborates an INT8 array of `array.rows` by `array.cols`; no other parameter matters.
///
/// # Errors
/// A valid configuration elaborates without errors; anything returned is a defect of the generator.
pub fn array(cfg: &CoreConfig) -> Result<Elaborated, Diagnostics> {
    let Elaborated { design, warnings } = elaborate(array::NAME, clocking(), |m| array::array(m, cfg))?;
    Ok(Elaborated { design: design.with_prefix(PREFIX), warnings })
}
