//! What designs are mapped to, and what the cells of each count as.

use std::collections::BTreeMap;

use serde::Serialize;

use super::liberty::Library;
use super::recipe::files;

/// What a design is mapped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Yosys's own gates, of no technology.
    Generic,
    /// Standard cells of a library.
    Asic,
    /// Lattice iCE40 (HX, LP: without DSP blocks).
    Ice40,
    /// Lattice ECP5.
    Ecp5,
    /// AMD/Xilinx 7 series.
    Xilinx,
}

/// What logic takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Resources {
    /// Of any kind, without instances of modules.
    pub cells: u64,
    /// In um2; 0 but for standard cells and memories beside them.
    pub area: f64,
    /// Of any kind.
    pub flip_flops: u64,
    /// Look-up tables, those that carry chains and shift registers occupy included; those used as RAM are in `lut_rams`.
    pub luts: u64,
    /// Multipliers.
    pub dsps: u64,
    /// For Xilinx those of 18 kbit: a RAMB36E1 counts twice.
    pub block_rams: u64,
    /// Cells of distributed RAM.
    pub lut_rams: u64,
}

impl Resources {
    /// Adds what `other` takes, `times` times.
    pub fn add(&mut self, other: &Self, times: u64) {
        self.cells += other.cells * times;
        self.area += other.area * times as f64;
        self.flip_flops += other.flip_flops * times;
        self.luts += other.luts * times;
        self.dsps += other.dsps * times;
        self.block_rams += other.block_rams * times;
        self.lut_rams += other.lut_rams * times;
    }
}

impl Target {
    /// Whether its logic is look-up tables.
    pub fn is_fpga(self) -> bool {
        matches!(self, Self::Ice40 | Self::Ecp5 | Self::Xilinx)
    }

    /// The script for the module `top` where there is no library to choose cells from.
    pub(super) fn script(self, top: &str) -> String {
        let synth = match self {
            // Yosys's own script for ABC looks for equivalent nodes, which takes minutes in a large multiplier.
            Self::Generic | Self::Asic => {
                format!("synth -flatten -noshare -noabc -top {top}\nabc -script \"+strash; dc2; map\"\nopt -fast")
            }
            Self::Ice40 => format!("synth_ice40 -top {top}"),
            Self::Ecp5 => format!("synth_ecp5 -top {top}"),
            // Pads and clock buffers belong to the whole chip.
            Self::Xilinx => format!("synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}"),
        };
        // Where the cells of dissolved modules came from is no cell.
        format!(
            "read_verilog -lib {}\nread_verilog {}\n{synth}\ndelete t:$scopeinfo\ntee -q -o {} stat -json\nwrite_verilog -noattr -noexpr \
             -simple-lhs {}\n",
            files::STUBS,
            files::SOURCE,
            files::STATISTICS,
            files::NETLIST
        )
    }

    /// What cells take; the error names one that is neither a cell of the target nor in `modules`.
    pub(super) fn resources(
        self,
        cells: &BTreeMap<String, u64>,
        library: Option<&Library>,
        is_module: impl Fn(&str) -> bool,
    ) -> Result<Resources, String> {
        let mut sum = Resources::default();
        for (cell, count) in cells.iter().filter(|(cell, _)| !is_module(cell)) {
            let one = self.resource(cell, library).ok_or_else(|| format!("{cell} was not mapped"))?;
            sum.add(&one, *count);
        }
        Ok(sum)
    }

    fn resource(self, cell: &str, library: Option<&Library>) -> Option<Resources> {
        let one = Resources { cells: 1, ..Resources::default() };
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| cell.starts_with(prefix));
        Some(match self {
            Self::Asic => {
                let library = library?;
                Resources {
                    area: *library.areas.get(cell)?,
                    flip_flops: library.flip_flops.contains(cell).into(),
                    ..one
                }
            }
            // Word-level cells begin with one letter only: `$add`, and gates are `$_AND_`.
            Self::Generic if !cell.starts_with("$_") => return None,
            Self::Generic => Resources { flip_flops: cell.contains("DFF").into(), ..one },
            _ if cell.starts_with('$') => return None,
            Self::Ice40 => Resources {
                flip_flops: starts(&["SB_DFF"]).into(),
                luts: starts(&["SB_LUT4"]).into(),
                dsps: starts(&["SB_MAC16"]).into(),
                block_rams: starts(&["SB_RAM40", "SB_RAM256", "SB_RAM512", "SB_RAM1024", "SB_RAM2048"]).into(),
                ..one
            },
            Self::Ecp5 => Resources {
                flip_flops: starts(&["TRELLIS_FF"]).into(),
                luts: if cell == "CCU2C" { 2 } else { (cell == "LUT4").into() },
                dsps: starts(&["MULT18X18D", "MULT9X9D"]).into(),
                block_rams: starts(&["DP16KD", "PDPW16KD"]).into(),
                lut_rams: starts(&["TRELLIS_DPR16X4"]).into(),
                ..one
            },
            Self::Xilinx => Resources {
                flip_flops: starts(&["FDRE", "FDSE", "FDCE", "FDPE"]).into(),
                luts: (starts(&["LUT", "SRL", "CFGLUT"]) || cell == "INV").into(),
                dsps: starts(&["DSP48"]).into(),
                block_rams: if starts(&["RAMB36"]) { 2 } else { starts(&["RAMB18"]).into() },
                lut_rams: (starts(&["RAM"]) && !starts(&["RAMB"])).into(),
                ..one
            },
        })
    }
}
