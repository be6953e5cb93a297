//! Mapped modules as files for other programs.

/// First line of a list; a list without it is somebody else's.
const LIST_HEAD: &str = "// Mapped by eva synth.";

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
    pub fn files(&self) -> Vec<(String, &str)> {
        let mut files: Vec<(String, &str)> =
            self.modules.iter().map(|(name, text)| (format!("{name}.v"), text.as_str())).collect();
        if let Some(TimingFiles { constraints, memories }) = &self.timing {
            files.push((Self::CONSTRAINTS.to_owned(), constraints));
            files.extend(memories.iter().map(|text| (Self::MEMORIES.to_owned(), text.as_str())));
        }
        files
    }

    /// The text of the list.
    pub fn list(&self) -> String {
        let names = self.modules.iter().map(|(name, _)| format!("{name}.v\n"));
        [format!("{LIST_HEAD}\n")].into_iter().chain(names).collect()
    }

    /// The Verilog files that `list` names, if it is one of those that [`list`](Self::list) makes.
    pub fn listed(list: &str) -> impl Iterator<Item = &str> {
        let ours = list.strip_prefix(LIST_HEAD).unwrap_or_default();
        ours.lines().filter(|line| !line.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_again_and_others_are_not() {
        let modules = ["a", "b"].map(|name| (name.to_owned(), String::new()));
        let netlist = Netlist { modules: modules.into(), timing: None };
        assert_eq!(Netlist::listed(&netlist.list()).collect::<Vec<_>>(), ["a.v", "b.v"]);
        assert_eq!(Netlist::listed("mine.v\n").count(), 0);
    }
}
