//! Outputs of a run as the contents of a `.npy` file.

use half::f16;
use npyz::{AutoSerialize, WriterBuilder};

use super::workload::{LayerOutputs, Outputs};

/// What came on `m_axis_y`, a file for each layer: float16 `[N]` of one token, `[M, N]` of several; of an INT8 layer float16 or int32 `[M, N]`. Zeros
/// stand where nothing came.
pub fn npy(beats: &[u64], outputs: &Outputs) -> Vec<Vec<u8>> {
    match outputs {
        Outputs::Layers { tokens, layers } => {
            let mut beats = beats.iter();
            let file = |layer: &LayerOutputs| {
                let mut matrix = vec![f16::ZERO; tokens * layer.outputs];
                for (number, beat) in beats.by_ref().take(matrix.len()).enumerate() {
                    matrix[number % tokens * layer.outputs + number / tokens] = f16::from_bits(*beat as u16);
                }
                match tokens {
                    1 => write(&[layer.outputs], matrix.into_iter()),
                    _ => write(&[*tokens, layer.outputs], matrix.into_iter()),
                }
            };
            layers.iter().map(file).collect()
        }
        Outputs::Matrix(plan) => {
            let (tokens, outputs) = (plan.tokens(), plan.shape().outputs);
            let mut matrix = vec![0; tokens * outputs];
            for (beat, (output, token)) in beats.iter().zip(plan.stream_order()) {
                matrix[token * outputs + output] = *beat as u32;
            }
            vec![match plan.raw() {
                true => write(&[tokens, outputs], matrix.into_iter().map(|bits| bits as i32)),
                false => write(&[tokens, outputs], matrix.into_iter().map(|bits| f16::from_bits(bits as u16))),
            }]
        }
    }
}

fn write<T: AutoSerialize>(shape: &[usize], values: impl Iterator<Item = T>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let shape: Vec<u64> = shape.iter().map(|length| *length as u64).collect();
    let options = npyz::WriteOptions::<T>::new().default_dtype().shape(&shape);
    let written = options.writer(&mut bytes).begin_nd().and_then(|mut writer| {
        writer.extend(values)?;
        writer.finish()
    });
    written.expect("writing to memory does not fail");
    bytes
}
