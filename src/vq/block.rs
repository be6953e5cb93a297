//! The linear layers of decoder blocks: their shapes in known models, their order, and which of them have the same activations.

/// A linear layer of a decoder block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLayer {
    /// Its name below the block.
    pub name: &'static str,
    /// `K`.
    pub inputs: usize,
    /// `N`.
    pub outputs: usize,
}

/// The decoder block of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockModel {
    /// Name of the model.
    pub name: &'static str,
    /// Width of the model.
    hidden: usize,
    /// Inputs of `o_proj`: all heads.
    heads: usize,
    /// Outputs of `k_proj` and of `v_proj`.
    key_value: usize,
    /// Width of the feed-forward part.
    feed_forward: usize,
}

/// The models whose shapes are known.
pub const BLOCK_MODELS: &[BlockModel] = &[
    BlockModel::new("llama-2-7b", 4096, 4096, 11008),
    BlockModel::new("llama-2-13b", 5120, 5120, 13824),
    BlockModel::new("llama-1-30b", 6656, 6656, 17920),
    BlockModel::new("llama-1-65b", 8192, 8192, 22016),
    BlockModel::new("llama-3-8b", 4096, 1024, 14336),
];

impl BlockModel {
    const fn new(name: &'static str, hidden: usize, key_value: usize, feed_forward: usize) -> Self {
        Self { name, hidden, heads: hidden, key_value, feed_forward }
    }

    /// The model of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        BLOCK_MODELS.iter().find(|model| model.name == name)
    }

    /// The seven linear layers, in the order of execution.
    pub fn layers(&self) -> [BlockLayer; 7] {
        let Self { hidden, heads, key_value, feed_forward, .. } = *self;
        let layer = |name, inputs, outputs| BlockLayer { name, inputs, outputs };
        [
            layer("self_attn.q_proj", hidden, heads),
            layer("self_attn.k_proj", hidden, key_value),
            layer("self_attn.v_proj", hidden, key_value),
            layer("self_attn.o_proj", heads, hidden),
            layer("mlp.gate_proj", hidden, feed_forward),
            layer("mlp.up_proj", hidden, feed_forward),
            layer("mlp.down_proj", feed_forward, hidden),
        ]
    }
}

/// What a linear layer does in a decoder block, in the order of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    let mut seen: Vec<(&str, Role, usize)> = Vec::new();
    let number = |(name, inputs): (&'a str, usize)| {
        let role = Role::of(name).source();
        let key = (parent(name), role, inputs);
        let found = if role == Role::Unknown { None } else { seen.iter().position(|other| *other == key) };
        found.unwrap_or_else(|| {
            seen.push(key);
            seen.len() - 1
        })
    };
    layers.into_iter().map(number).collect()
}
