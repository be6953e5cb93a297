//! Outputs of a run as the contents of a `.npy` file.

use half::f16;
use npyz::{AutoSerialize, WriterBuilder};

use super::workload::Outputs;

/// What came on `m_axis_y`: float16 `[N]` of one token, `[M, N]` of several; of an INT8 layer float16 or int32 `[M, N]`, with zeros where nothing
/// came.
pub fn npy(beats: &[u64], outputs: &Outputs) -> Vec<u8> {
    match outputs {
        Outputs::Tokens { tokens: 1, .. } | Outputs::Several => {
            write(&[beats.len()], beats.iter().map(|beat| f16::from_bits(*beat as u16)))
        }
        Outputs::Tokens { tokens, outputs } => {
            let mut matrix = vec![f16::ZERO; tokens * outputs];
            for (number, beat) in beats.iter().enumerate().take(matrix.len()) {
                matrix[number % tokens * outputs + number / tokens] = f16::from_bits(*beat as u16);
            }
            write(&[*tokens, *outputs], matrix.into_iter())
        }
        Outputs::Matrix(plan) => {
            let (tokens, outputs) = (plan.tokens(), plan.shape().outputs);
            let mut matrix = vec![0; tokens * outputs];
            for (beat, (output, token)) in beats.iter().zip(plan.stream_order()) {
                matrix[token * outputs + output] = *beat as u32;
            }
            match plan.raw() {
                true => write(&[tokens, outputs], matrix.into_iter().map(|bits| bits as i32)),
                false => write(&[tokens, outputs], matrix.into_iter().map(|bits| f16::from_bits(bits as u16))),
            }
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
