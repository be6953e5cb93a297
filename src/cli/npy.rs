//! Outputs of a run as the contents of a `.npy` file.

use half::f16;
use npyz::{AutoSerialize, WriterBuilder};

use super::workload::Outputs;

/// What came on `m_axis_y`: float16 `[N]` of one token; of an INT8 layer float16 or int32 `[M, N]`, with zeros where nothing
/// came.
pub fn npy(beats: &[u64], outputs: &Outputs) -> Vec<u8> {
    match outputs {
        Outputs::Vector => write(&[beats.len()], beats.iter().map(|beat| f16::from_bits(*beat as u16))),
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
