//! What a core does with commands of any kind, valid or not: a model written from `docs/interface.md` alone. It shares no code with the packer, so that
//! both would have to misread the page in the same way.

mod bits;
mod draw;
mod execute;
mod random;

pub use draw::{draw_core, sequence};

use crate::harness::Work;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

pub const LOAD_CODEBOOKS: u8 = 1;
pub const LOAD_X: u8 = 2;
pub const VQ_GEMV: u8 = 3;
pub const INT8_GEMM: u8 = 4;

/// The fields of a command, whether it uses them or not.
#[derive(Clone, Copy)]
pub struct Fields {
    opcode: u8,
    first: bool,
    last: bool,
    scale_fp32: bool,
    raw: bool,
    slot: u64,
    grouped: bool,
    codebooks: u64,
    /// `M`.
    tokens: u64,
    start: u64,
    /// `V`, or of an `INT8_GEMM` the k tiles.
    vectors: u64,
    /// `N`.
    outputs: u64,
}

impl Fields {
    pub fn of(bits: u128) -> Self {
        let field = |at: u32, width: u32| (bits >> at & ((1 << width) - 1)) as u64;
        let opcode = field(0, 8) as u8;
        Self {
            opcode,
            first: field(8, 1) != 0,
            last: field(9, 1) != 0,
            scale_fp32: field(10, 1) != 0,
            raw: field(11, 1) != 0,
            slot: field(12, 3),
            grouped: field(15, 1) != 0,
            codebooks: field(32, 8),
            tokens: field(40, if opcode == INT8_GEMM { 24 } else { 8 }),
            start: field(48, 16),
            vectors: field(64, 32),
            outputs: field(96, 32),
        }
    }
}

/// Which values are drawn.
#[derive(Clone, Copy)]
enum Values {
    /// Any bits.
    Any,
    /// Mostly finite sums.
    Small,
    /// Of one magnitude.
    Near,
    /// Of many, now and then anything.
    Mixed,
}

/// A `VQ_GEMV` without `last` has left its sums.
struct Chain {
    outputs: u64,
    tokens: u64,
    /// Terms of each sum so far, of which the accumulators hold a certain number.
    terms: u64,
    /// Of each output and token.
    sums: Vec<Vec<u16>>,
}

/// A core and a host that keeps its promises: what is loaded, and the commands so far with their beats and outputs.
pub struct Rules {
    cfg: CoreConfig,
    /// `[2^n][d]` each.
    slots: Vec<Option<Vec<u16>>>,
    /// Activations that are loaded.
    x: Vec<u16>,
    chain: Option<Chain>,
    values: Values,
    pub work: Work,
    /// How many commands of an opcode (any unknown one as 5) have had which status.
    pub told: BTreeMap<(u8, u8), usize>,
    /// How many batches have had which status.
    pub batches: BTreeMap<u8, usize>,
    /// Bytes of weights and of activations up to the end of each command.
    pub ends: Vec<(usize, usize)>,
}

impl Rules {
    /// A core after reset.
    pub fn new(cfg: &CoreConfig, rng: &mut ChaCha8Rng) -> Self {
        Self {
            cfg: cfg.clone(),
            slots: vec![None; cfg.vq.max_codebooks as usize],
            x: Vec::new(),
            chain: None,
            values: [Values::Any, Values::Small, Values::Near, Values::Mixed][rng.random_range(0..4)],
            work: Work::empty(cfg),
            told: BTreeMap::new(),
            batches: BTreeMap::new(),
            ends: Vec::new(),
        }
    }

    /// Adds a command, unless the host would break a promise with it or it would take too long.
    pub fn push(&mut self, bits: u128, rng: &mut ChaCha8Rng) {
        let (fields, status) = (Fields::of(bits), self.status(bits));
        let outputs = if status == 0 { self.execute(&fields, rng) } else { Some(Vec::new()) };
        let Some(outputs) = outputs else { return };
        *self.told.entry((fields.opcode.min(5), status)).or_default() += 1;
        if fields.opcode == VQ_GEMV && fields.tokens > 1 {
            *self.batches.entry(status).or_default() += 1;
        }
        self.ends.push((self.work.weights.len(), self.work.activations.len()));
        self.work.commands.push(Command { bits: bits.to_le_bytes(), status, outputs });
    }

    /// The status of a command: of 1, 3, 2, 4, 5 the first that applies.
    fn status(&self, bits: u128) -> u8 {
        let fields = Fields::of(bits);
        let Some(used) = used_bits(fields.opcode) else { return 1 };
        if bits & !used != 0 {
            3
        } else if !self.in_range(&fields) {
            2
        } else if fields.opcode != VQ_GEMV {
            0
        } else if !self.is_loaded(&fields) {
            4
        } else if !fields.first && !self.continues(&fields) {
            5
        } else {
            0
        }
    }

    fn in_range(&self, fields: &Fields) -> bool {
        let (cfg, &Fields { slot, grouped, codebooks, tokens, start, vectors, outputs, .. }) = (&self.cfg, fields);
        let within = |value: u64, most: u32| (1..=u64::from(most)).contains(&value);
        let (units, lanes) = (u64::from(cfg.epilogue.units), u64::from(cfg.lanes()));
        let max_codebooks = u64::from(cfg.vq.max_codebooks);
        let max_outputs = cfg.buffers.max_n_block;
        let slots = within(codebooks, cfg.vq.max_codebooks) && slot + codebooks <= max_codebooks;
        match fields.opcode {
            LOAD_CODEBOOKS => slots,
            LOAD_X => within(vectors, cfg.max_vectors()),
            VQ_GEMV => {
                let batch = tokens.is_power_of_two() && units % tokens == 0 && (tokens == 1 || start == 0);
                let sizes = within(vectors, cfg.max_vectors()) && within(outputs, max_outputs);
                let groups = codebooks == 1
                    && tokens == 1
                    && vectors <= u64::from(cfg.tile_vectors())
                    && slot + vectors.div_ceil(lanes) <= max_codebooks;
                slots && batch && sizes && within(outputs * tokens, max_outputs) && (!grouped || groups)
            }
            _ => {
                let max_tokens = cfg.epilogue.units << cfg.vq.index_bits;
                let max_tiles = 65536 / (4 * cfg.vq.dim);
                within(tokens, max_tokens) && within(vectors, max_tiles) && within(outputs, max_outputs)
            }
        }
    }

    /// Whether there are the vectors and the codebooks that a `VQ_GEMV` asks for.
    fn is_loaded(&self, fields: &Fields) -> bool {
        let (tile, segments) = (u64::from(self.cfg.tile_vectors()), u64::from(self.cfg.segments()));
        let loaded = self.loaded();
        let vectors = if fields.tokens == 1 {
            2 * segments * fields.start + fields.vectors <= loaded
        } else {
            loaded.is_multiple_of(tile) && fields.vectors.div_ceil(tile / fields.tokens) * tile <= loaded
        };
        let lanes = u64::from(self.cfg.lanes());
        let count = if fields.grouped { fields.vectors.div_ceil(lanes) } else { fields.codebooks };
        vectors && self.slots[fields.slot as usize..][..count as usize].iter().all(Option::is_some)
    }

    /// Whether there is a chain that a `VQ_GEMV` continues.
    fn continues(&self, fields: &Fields) -> bool {
        self.chain.as_ref().is_some_and(|chain| (chain.outputs, chain.tokens) == (fields.outputs, fields.tokens))
    }

    /// Vectors that are loaded.
    fn loaded(&self) -> u64 {
        (self.x.len() / self.cfg.vq.dim as usize) as u64
    }
}

/// The bits that a command may set.
fn used_bits(opcode: u8) -> Option<u128> {
    let field = |at: u32, width: u32| ((1 << width) - 1) << at;
    let opcode_and_tag = field(0, 8) | field(16, 16);
    let own: u128 = match opcode {
        LOAD_CODEBOOKS => field(12, 3) | field(32, 8),
        LOAD_X => field(64, 32),
        VQ_GEMV => field(8, 3) | field(12, 4) | field(32, 96),
        INT8_GEMM => field(11, 1) | field(40, 88),
        _ => return None,
    };
    Some(opcode_and_tag | own)
}
