//! The linear layers of decoder blocks in checkpoints, by their names: their order, and which of them have the same activations.

use std::collections::HashMap;

/// What a linear layer does in a decoder block, in the order of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Role {
    Query,
    Key,
    Value,
    AttentionOutput,
    Gate,
    Up,
    Down,
    Unknown,
}

impl Role {
    fn of(name: &str) -> Self {
        match name.rsplit('.').next().unwrap_or(name) {
            "q_proj" | "wq" => Self::Query,
            "k_proj" | "wk" => Self::Key,
            "v_proj" | "wv" => Self::Value,
            "o_proj" | "wo" => Self::AttentionOutput,
            "gate_proj" | "w1" => Self::Gate,
            "up_proj" | "w3" => Self::Up,
            "down_proj" | "w2" => Self::Down,
            _ => Self::Unknown,
        }
    }

    /// The role of the layer that is the first with the same activations.
    fn source(self) -> Self {
        match self {
            Self::Key | Self::Value => Self::Query,
            Self::Up => Self::Gate,
            other => other,
        }
    }
}

fn parent(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// Sorts the names of a block's linear layers in the order of execution: those of the attention, then those of the feed-forward part; of a
/// mixture one expert after the other. Names that say nothing come last, in their order.
pub fn sort_by_execution(names: &mut [String]) {
    names.sort_by(|a, b| {
        let key = |name: &str| {
            let role = Role::of(name);
            let stage = match role {
                Role::Unknown => 2,
                role => u8::from(role >= Role::Gate),
            };
            (stage, parent(name).to_owned(), role, name.to_owned())
        };
        key(a).cmp(&key(b))
    });
}

/// For each of some layers, by name and number of inputs, the number of its activations: numbered from 0 in the order of first use, and the same for the
/// query, key and value projections of one parent, and for the gate and up projections of one parent.
pub fn shared_inputs<'a>(layers: impl IntoIterator<Item = (&'a str, usize)>) -> Vec<usize> {
    let mut shared = SharedInputs::default();
    layers.into_iter().map(|(name, inputs)| shared.number(name, inputs)).collect()
}

/// Numbers the activations of layers that come one after the other, as [`shared_inputs`] does.
#[derive(Clone, Debug, Default)]
pub struct SharedInputs {
    /// By parent, role of the first layer that has them, and number of inputs.
    numbers: HashMap<(String, Role, usize), usize>,
    count: usize,
}

impl SharedInputs {
    /// The number of the activations of the next layer, `name` with so many inputs.
    pub fn number(&mut self, name: &str, inputs: usize) -> usize {
        let mut next = || {
            self.count += 1;
            self.count - 1
        };
        match Role::of(name).source() {
            Role::Unknown => next(),
            role => *self.numbers.entry((parent(name).to_owned(), role, inputs)).or_insert_with(next),
        }
    }
}
