//! Boards on which a core with a serial port can be tried out.

use super::{File, Period, Target, fill};
use crate::rtl::board::{DIVIDERS, top};

/// Name of the module that belongs at the pins; in it is the board's [`top::NAME`] and what makes its reset.
pub const PINS: &str = "eva_board_pins";

/// Where the Verilog of [`PINS`] is.
const PINS_PATH: &str = "rtl/eva_board_pins.v";

/// A board that can be bought.
#[derive(Debug)]
pub struct Board {
    /// As its maker calls it.
    pub name: &'static str,
    /// Its FPGA.
    pub target: Target,
    /// Of its oscillator, in MHz.
    pub clock_mhz: f64,
    extension: &'static str,
    constraints: &'static str,
}

/// One for each target that has one. No iCE40 is large enough for a core: `docs/board.md`.
pub const BOARDS: &[Board] = &[Board {
    name: "ULX3S",
    target: Target::Ecp5,
    clock_mhz: 25.0,
    extension: "lpf",
    constraints: include_str!("../../constraints/board_ecp5.lpf"),
}];

impl Board {
    /// The board for a target, if there is one.
    pub fn find(target: Target) -> Option<&'static Board> {
        BOARDS.iter().find(|board| board.target == target)
    }

    /// The period of its oscillator.
    pub fn period(&self) -> Period {
        Period::of_mhz(self.clock_mhz)
    }

    /// Frequency and pins, for a clock of this period.
    pub fn constraints(&self, period: Period) -> File {
        File {
            path: format!("constraints/{}.{}", top::NAME, self.extension),
            text: fill(self.constraints, &[("MHZ", period.frequency())]),
        }
    }

    /// The Verilog of [`PINS`].
    pub fn pins() -> File {
        let names = [("PINS", PINS.to_owned()), ("TOP", top::NAME.to_owned())];
        File { path: PINS_PATH.to_owned(), text: fill(include_str!("templates/board_pins.v"), &names) }
    }
}

/// Cycles of a clock of this period for each bit at `baud` bits per second.
///
/// # Errors
/// Says what to change if that is not one of [`DIVIDERS`], or so coarse that the last bit of a byte would be sampled too
/// far from its middle.
pub fn divider(period: Period, baud: u32) -> Result<u32, String> {
    // Both ends together may be off by half a bit in ten; the other end gets most of it.
    const TOLERANCE: f64 = 0.02;
    let exact = 1e9 / period.nanoseconds() / f64::from(baud);
    let divider = exact.round();
    let (least, most) = (DIVIDERS.start(), DIVIDERS.end());
    if divider < f64::from(*least) || divider > f64::from(*most) {
        return Err(format!(
            "a bit at {baud} baud takes {exact:.1} clock cycles; it must take {least} to {most}: choose another --baud"
        ));
    }
    let error = (exact / divider - 1.0).abs();
    if error > TOLERANCE {
        return Err(format!(
            "a bit at {baud} baud takes {exact:.2} clock cycles, and {divider} are off by {:.1} %, more than 2 %: choose \
             another --baud",
            100.0 * error
        ));
    }
    Ok(divider as u32)
}
