//! Mapped modules as files for other programs.

/// First line of each Verilog file; a file without it is somebody else's.
const HEAD: &str = "// Mapped by eva synth.\n";

/// What a design was mapped to.
#[derive(Clone, Debug, Default)]
pub struct Netlist {
    /// Name and Verilog of each module, children before parents. Memories that are black boxes are not among them.
    pub modules: Vec<(String, String)>,
    /// What its timing was analysed with; standard cells only.
    pub timing: Option<TimingFiles>,
}

/// What else timing analysis reads beside the cell library.
#[derive(Clone, Debug)]
pub struct TimingFiles {
    /// Constraints in the SDC format.
    pub constraints: String,
    /// The memories that are black boxes as a Liberty library; `None` without any.
    pub memories: Option<String>,
}

impl Netlist {
    /// Name of the list of the Verilog files, one on each line.
    pub const LIST: &str = "netlist.f";
    /// Name of the constraints.
    pub const CONSTRAINTS: &str = "netlist.sdc";
    /// Name of the library of memories.
    pub const MEMORIES: &str = "memories.lib";

    /// Name and text of each file but the list.
    pub fn files(&self) -> impl Iterator<Item = (String, String)> {
        let modules = self.modules.iter().map(|(name, text)| (format!("{name}.v"), format!("{HEAD}{text}")));
        let constraints = self.timing.iter().map(|timing| (Self::CONSTRAINTS, &timing.constraints));
        let memories = self.timing.iter().filter_map(|timing| Some((Self::MEMORIES, timing.memories.as_ref()?)));
        modules.chain(constraints.chain(memories).map(|(name, text)| (name.to_owned(), text.clone())))
    }

    /// The text of the list: names of files, nothing else, so that a shell can put them into a command line.
    pub fn list(&self) -> String {
        self.modules.iter().map(|(name, _)| format!("{name}.v\n")).collect()
    }

    /// Whether the Verilog file `text` is one of those that [`files`](Self::files) makes.
    pub fn is_own(text: &[u8]) -> bool {
        text.starts_with(HEAD.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_recognised_and_others_are_not() {
        let modules = ["a", "b"].map(|name| (name.to_owned(), format!("module {name}; endmodule\n")));
        let netlist = Netlist { modules: modules.into(), timing: None };
        assert_eq!(netlist.list(), "a.v\nb.v\n");
        assert!(netlist.files().all(|(_, text)| Netlist::is_own(text.as_bytes())));
        assert!(!Netlist::is_own(netlist.modules[0].1.as_bytes()));
    }
}
