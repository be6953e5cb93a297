//! A core behind a serial port, so that it fits the pins of a board: [`top`] is the whole, `docs/board.md` has its
//! frames.

pub mod byte_queue;
pub mod link;
pub mod top;
pub mod uart;

use super::{PREFIX, clocking};
use crate::config::CoreConfig;
use crate::hdl::{Diagnostics, Elaborated, elaborate};

/// Clock cycles of a bit that the serial port can be made for.
pub const DIVIDERS: std::ops::RangeInclusive<u32> = 4..=65535;

/// Elaborates a core with its serial port, of which a bit takes `divider` clock cycles, one of [`DIVIDERS`].
///
/// # Errors
/// A valid configuration elaborates without errors; anything returned is a defect of the generator.
pub fn eva_board(cfg: &CoreConfig, divider: u32) -> Result<Elaborated, Diagnostics> {
    let Elaborated { design, warnings } = elaborate(top::NAME, clocking(), |m| top::board(m, cfg, divider))?;
    Ok(Elaborated { design: design.with_prefix(PREFIX), warnings })
}
