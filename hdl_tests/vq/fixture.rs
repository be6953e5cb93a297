//! Parameters, layers and files for the tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eva_rtl::config::{Array, Buffers, CoreConfig, Epilogue, Memory, MemoryStyle, Pipeline, Stream, Vq};
use eva_rtl::vq::LayerShape;
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use tempfile::TempDir;

/// `E`, `R`, columns, `d`, `n`, `C`, `K`, `N` per block, `W`.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    pub units: u32,
    pub rows: u32,
    pub cols: u32,
    pub dim: u32,
    pub index_bits: u32,
    pub max_codebooks: u32,
    pub max_k: u32,
    pub max_n_block: u32,
    pub width: u32,
}

impl Core {
    /// 32 x 32, d = 8, n = 8, four epilogue units, 1024 bits.
    pub const PAPER: Self = Self {
        units: 4,
        rows: 32,
        cols: 32,
        dim: 8,
        index_bits: 8,
        max_codebooks: 4,
        max_k: 16384,
        max_n_block: 4096,
        width: 1024,
    };

    pub fn config(self) -> CoreConfig {
        CoreConfig {
            array: Array { rows: self.rows, cols: self.cols },
            vq: Vq { dim: self.dim, index_bits: self.index_bits, max_codebooks: self.max_codebooks },
            epilogue: Epilogue { units: self.units },
            buffers: Buffers { max_k: self.max_k, max_n_block: self.max_n_block },
            stream: Stream { width: self.width },
            pipeline: Pipeline { pe: 1, tree: 2, epilogue: 2, scale: 2 },
            memory: Memory { style: MemoryStyle::Inferred, macros: Vec::new() },
        }
    }
}

pub fn shape(inputs: usize, outputs: usize, dim: usize, index_bits: u32, codebooks: usize) -> LayerShape {
    LayerShape { inputs, outputs, dim, index_bits, codebooks }
}

/// The tensors of a file under construction.
#[derive(Clone, Default)]
pub struct Tensors(BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>);

impl Tensors {
    pub fn with(mut self, name: &str, dtype: Dtype, shape: &[usize], data: Vec<u8>) -> Self {
        self.0.insert(name.into(), (dtype, shape.to_vec(), data));
        self
    }

    /// A tensor of zeros.
    pub fn zeros(self, name: &str, dtype: Dtype, shape: &[usize]) -> Self {
        let bytes = shape.iter().product::<usize>() * dtype.bitsize() / 8;
        self.with(name, dtype, shape, vec![0; bytes])
    }

    pub fn without(mut self, name: &str) -> Self {
        self.0.remove(name).expect("a tensor to remove");
        self
    }

    /// A layer of zeros, K = 32, N = 6, C = 2, n = 8, d = 8.
    pub fn layer(self, prefix: &str) -> Self {
        self.zeros(&format!("{prefix}.codes"), Dtype::I8, &[6, 4, 2])
            .zeros(&format!("{prefix}.codebooks"), Dtype::F16, &[2, 256, 1, 8])
            .zeros(&format!("{prefix}.scales"), Dtype::F16, &[6, 1, 1, 1])
    }

    pub fn bytes(&self) -> Vec<u8> {
        let views = self.0.iter().map(|(name, (dtype, shape, data))| {
            (name, TensorView::new(*dtype, shape.clone(), data).expect("data as long as the shape says"))
        });
        safetensors::serialize(views, None).unwrap()
    }

    pub fn write(&self, path: &Path) {
        std::fs::write(path, self.bytes()).unwrap();
    }
}

/// A folder that is removed at the end of the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    /// A message without the path of the folder.
    pub fn relative(&self, message: impl ToString) -> String {
        let root = self.root().display().to_string();
        message.to_string().replace(&format!("{root}/"), "").replace(&root, "folder")
    }
}
