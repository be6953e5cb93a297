//! That sources keep the protocol, seen from the other side of the wires.

use std::path::Path;

use eva_rtl::cosim::axis::{Source, Stalls};
use eva_rtl::cosim::{CosimError, InPort, OutPort, Simulator};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bits of the stream, and of a beat in `u128`.
const WIDTH: u32 = 72;

/// Not a model at all: the wires of a stream `s`, with `tready` as the test wants it.
#[derive(Default)]
struct Wires {
    tdata: u128,
    tvalid: bool,
    tready: bool,
}

impl Simulator for Wires {
    fn kind(&self) -> &'static str {
        "wires"
    }

    fn input(&self, name: &str) -> Result<InPort, CosimError> {
        match name {
            "s_tdata" => Ok(InPort::new(0, WIDTH)),
            "s_tvalid" => Ok(InPort::new(1, 1)),
            _ => unreachable!("{name}"),
        }
    }

    fn output(&self, name: &str) -> Result<OutPort, CosimError> {
        assert_eq!(name, "s_tready");
        Ok(OutPort::new(0, 1))
    }

    fn set(&mut self, port: InPort, words: &[u64]) {
        if port.index() == 0 {
            let all = u128::from(words[0]) | u128::from(words[1]) << 64;
            self.tdata = all & ((1 << WIDTH) - 1);
        } else {
            self.tvalid = words[0] == 1;
        }
    }

    fn get(&self, _: OutPort, words: &mut [u64]) {
        words[0] = self.tready.into();
    }

    fn settle(&mut self) {}

    fn step(&mut self) {}

    fn open_waves(&mut self, _: &Path) -> Result<(), CosimError> {
        unreachable!()
    }

    fn close_waves(&mut self) -> Result<(), CosimError> {
        unreachable!()
    }
}

#[test]
fn beats_come_in_order_and_stay_until_taken() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut data = vec![0; 9 * 40];
    rng.fill_bytes(&mut data);
    let beats: Vec<u128> =
        data.chunks(9).map(|beat| beat.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte))).collect();
    for (stalls, ready) in [("none", 1.0), ("none", 0.3), ("0.5", 0.5), ("burst:0.5:6", 0.7)] {
        let stalls: Stalls = stalls.parse().unwrap();
        let mut wires = Wires::default();
        let mut source = Source::new(&mut wires, "s", data.as_slice(), stalls, 1).unwrap();
        let (mut taken, mut stalled) = (0, 0);
        let mut offered = None;
        for _ in 0..1000 {
            source.drive(&mut wires);
            if let Some(beat) = offered {
                assert_eq!((wires.tvalid, wires.tdata), (true, beat), "withdrawn before it was taken");
            }
            if wires.tvalid {
                assert_eq!(wires.tdata, beats[taken]);
            } else {
                // Random bits, so that hardware which takes them for a beat fails.
                assert!(!beats.contains(&wires.tdata));
                stalled += u32::from(taken < beats.len());
            }
            wires.tready = rng.random_bool(ready);
            let moves = wires.tvalid && wires.tready;
            assert_eq!(source.sample(&wires), moves);
            taken += usize::from(moves);
            offered = (wires.tvalid && !moves).then_some(wires.tdata);
        }
        assert_eq!((taken, source.taken()), (beats.len(), beats.len()));
        assert_eq!(stalled == 0, stalls == Stalls::None);
    }
}
