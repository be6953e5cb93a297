//! The other end of the serial port: a UART with flow control, and the frames.

use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::sim::{InputId, OutputId, PowerUp, SimOptions, Simulator};
use eva_rtl::rtl::board::eva_board;
use std::collections::VecDeque;

/// Streams by the headers of their frames.
#[derive(Clone, Copy, Debug)]
pub enum Stream {
    Command = 0,
    Weights = 1,
    Activations = 2,
}

/// What the board has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    Output { value: u32, last: bool },
    Status(u64),
}

/// How a host behaves.
#[derive(Clone, Debug)]
pub struct Manner {
    /// Bytes that it still sends after it was told to stop.
    pub late: u32,
    /// It takes nothing in these cycles of each thousand.
    pub stops: std::ops::Range<u64>,
    /// Nothing is taken at all before this cycle.
    pub takes_from: u64,
    /// Length of its bits, in thousandths of the board's.
    pub bit: u64,
}

impl Manner {
    /// Sends and takes all the time, with exact bits.
    pub const EAGER: Manner = Manner { late: 0, stops: 0..0, takes_from: 0, bit: 1000 };
}

/// A board with a host.
pub struct Bench {
    sim: Simulator,
    divider: u32,
    manner: Manner,
    rx: InputId,
    cts_n: InputId,
    tx: OutputId,
    rts_n: OutputId,
    error: OutputId,
    to_send: VecDeque<u8>,
    /// Bits of the byte that is being sent, and when the present one ends, in thousandths of cycles.
    sending: VecDeque<bool>,
    bit_ends: u64,
    late_left: u32,
    /// Cycle in which the falling edge of a byte's start bit came, and its bits so far.
    receiving: Option<(u64, Vec<bool>)>,
    cts_n_since: Option<u64>,
    received: Vec<u8>,
    /// Cycles in which the board asked the host to stop.
    pub stopped: u64,
}

impl Bench {
    pub fn new(cfg: &CoreConfig, divider: u32, manner: Manner) -> Bench {
        let elaborated = eva_board(cfg, divider).expect("elaborates");
        assert!(elaborated.warnings.is_empty(), "{:?}", elaborated.warnings);
        let options = SimOptions { power_up: PowerUp::Random(7), ..SimOptions::default() };
        let mut sim = Simulator::new(&elaborated.design, options).expect("compiles");
        let [rx, cts_n] = ["rx", "cts_n"].map(|name| sim.input(name).unwrap());
        let [tx, rts_n, error] = ["tx", "rts_n", "error"].map(|name| sim.output(name).unwrap());
        sim.set_u64(rx, 1);
        sim.reset(4);
        Bench {
            sim,
            divider,
            manner,
            rx,
            cts_n,
            tx,
            rts_n,
            error,
            to_send: VecDeque::new(),
            sending: VecDeque::new(),
            bit_ends: 0,
            late_left: 0,
            receiving: None,
            cts_n_since: None,
            received: Vec::new(),
            stopped: 0,
        }
    }

    /// Sends these bytes when those before them have been sent.
    pub fn send(&mut self, bytes: &[u8]) {
        self.to_send.extend(bytes);
    }

    /// Sends the beats of a stream, each in a frame of its own.
    pub fn send_beats(&mut self, stream: Stream, beat_bits: u32, bytes: &[u8]) {
        let beat = beat_bits as usize / 8;
        assert_eq!(bytes.len() % beat, 0, "whole beats");
        for beat in bytes.chunks(beat) {
            self.send(&[stream as u8]);
            self.send(beat);
        }
    }

    /// Puts the line at a level for some cycles, whatever is being sent.
    pub fn disturb(&mut self, level: bool, cycles: u32) {
        for _ in 0..cycles {
            self.sim.set_u64(self.rx, level.into());
            self.sim.step();
        }
        self.sim.set_u64(self.rx, 1);
    }

    pub fn error(&mut self) -> bool {
        self.sim.get_u64(self.error) == 1
    }

    /// Runs for so many cycles.
    pub fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.cycle();
        }
    }

    /// Runs until so many frames have come, and a while longer, in which nothing must; returns them.
    pub fn frames(&mut self, count: usize, limit: u64) -> Vec<Frame> {
        let end = self.sim.cycle() + limit;
        while parse(&self.received).0.len() < count {
            assert!(self.sim.cycle() < end, "{:?} of {count} frames after {limit} cycles", parse(&self.received));
            self.run(64);
        }
        self.run(u64::from(40 * self.divider));
        let (frames, rest) = parse(&self.received);
        assert_eq!(rest, 0, "bytes of a frame that does not end");
        assert!(self.to_send.is_empty() && self.sending.is_empty(), "not everything was sent");
        frames
    }

    fn cycle(&mut self) {
        let now = self.sim.cycle();
        let in_thousand = now % 1000;
        let stops = self.manner.stops.contains(&in_thousand) || now < self.manner.takes_from;
        self.cts_n_since = stops.then(|| self.cts_n_since.unwrap_or(now));
        self.sim.set_u64(self.cts_n, stops.into());
        let is_told_to_stop = self.sim.get_u64(self.rts_n) == 1;
        self.stopped += u64::from(is_told_to_stop);
        self.transmit(1000 * now, is_told_to_stop);
        let line = self.sim.get_u64(self.tx) == 1;
        self.receive(now, line);
        self.sim.step();
    }

    fn transmit(&mut self, now: u64, is_told_to_stop: bool) {
        if !self.sending.is_empty() && now >= self.bit_ends {
            self.sending.pop_front();
            self.bit_ends += u64::from(self.divider) * self.manner.bit;
        }
        if self.sending.is_empty() {
            self.late_left = if is_told_to_stop { self.late_left } else { self.manner.late };
            if (!is_told_to_stop || self.late_left > 0)
                && let Some(byte) = self.to_send.pop_front()
            {
                self.late_left = self.late_left.saturating_sub(u32::from(is_told_to_stop));
                let data = (0..8).map(|bit| byte >> bit & 1 == 1);
                self.sending = [false].into_iter().chain(data).chain([true]).collect();
                self.bit_ends = now + u64::from(self.divider) * self.manner.bit;
            }
        }
        let line = self.sending.front().copied().unwrap_or(true);
        self.sim.set_u64(self.rx, line.into());
    }

    fn receive(&mut self, now: u64, line: bool) {
        let Some((start, bits)) = &mut self.receiving else {
            if !line {
                // Two registers of the board and the one of its line lie between.
                assert!(self.cts_n_since.is_none_or(|since| now <= since + 3), "cycle {now}: a byte in spite of CTS");
                self.receiving = Some((now, Vec::new()));
            }
            return;
        };
        let divider = u64::from(self.divider);
        if now != *start + divider * bits.len() as u64 + divider / 2 {
            return;
        }
        bits.push(line);
        if let [start, data @ .., stop] = bits.as_slice()
            && data.len() == 8
        {
            assert!(!start && *stop, "cycle {now}: start and stop bit");
            let byte = data.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
            self.received.push(byte);
            self.receiving = None;
        }
    }
}

/// The frames in what has been received, and how many bytes follow the last whole one.
fn parse(mut bytes: &[u8]) -> (Vec<Frame>, usize) {
    let mut frames = Vec::new();
    while let Some((header, rest)) = bytes.split_first() {
        let frame = match header {
            0 | 0x80 => rest.first_chunk().map(|value| {
                let frame = Frame::Output { value: u32::from_le_bytes(*value), last: *header == 0x80 };
                (frame, value.len())
            }),
            1 => rest.first_chunk().map(|status| (Frame::Status(u64::from_le_bytes(*status)), status.len())),
            _ => panic!("no frame begins with {header:#x}"),
        };
        let Some((frame, length)) = frame else { break };
        frames.push(frame);
        bytes = &rest[length..];
    }
    (frames, bytes.len())
}
