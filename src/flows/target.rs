//! What a core is to become, and how fast.

use std::fmt;

/// A technology, by the tools that lead to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Standard cells.
    #[default]
    Asic,
    /// AMD (Xilinx) FPGAs, with Vivado.
    Xilinx,
    /// Lattice ECP5, with Yosys and nextpnr.
    Ecp5,
    /// Lattice iCE40, with Yosys and nextpnr.
    Ice40,
}

impl Target {
    /// Every target, the default first.
    pub const ALL: [Target; 4] = [Target::Asic, Target::Xilinx, Target::Ecp5, Target::Ice40];

    /// As it is written on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Asic => "asic",
            Target::Xilinx => "xilinx",
            Target::Ecp5 => "ecp5",
            Target::Ice40 => "ice40",
        }
    }
}

/// A clock period, 0.1 to 1000 ns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period(f64);

impl Period {
    /// Of so many nanoseconds, 0.1 to 1000.
    pub fn of_nanoseconds(nanoseconds: f64) -> Self {
        Self(nanoseconds)
    }

    /// In nanoseconds.
    pub fn nanoseconds(self) -> f64 {
        self.0
    }

    /// Of a clock of that many MHz, 1 to 10000.
    pub fn of_mhz(mhz: f64) -> Self {
        Self(1000.0 / mhz)
    }

    /// In picoseconds, a whole number of them.
    pub fn picoseconds(self) -> String {
        format!("{:.0}", 1000.0 * self.0)
    }

    /// In MHz, with three digits after the point.
    pub fn frequency(self) -> String {
        format!("{:.3}", 1000.0 / self.0)
    }
}

impl Default for Period {
    /// 10 ns.
    fn default() -> Self {
        Self(10.0)
    }
}

impl fmt::Display for Period {
    /// In nanoseconds, with a point: `10.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
