//! Encoding of commands and statuses.

use eva_rtl::vq::{Command, Int8Gemm, Opcode, Operation, Status, StatusCode, VqGemv};
use proptest::prelude::*;

/// Fields at the bit positions of `docs/interface.md`.
#[test]
fn commands_have_the_documented_bits() {
    let plain = VqGemv {
        first: false,
        last: false,
        codebooks: 0x12,
        tokens: 0x34,
        start: 0x5678,
        vectors: 0x3456_789A,
        outputs: 0xBCDE_F012,
        ..VqGemv::default()
    };
    let gemv = |gemv| {
        let operation = Operation::VqGemv(gemv);
        u128::from_le_bytes(Command { tag: 0xA5C3, operation }.to_bytes())
    };
    let rest = 3 | 0xA5C3 << 16 | 0x12 << 32 | 0x34 << 40 | 0x5678 << 48 | 0x3456_789A << 64 | 0xBCDE_F012 << 96;
    assert_eq!(gemv(plain), rest);
    assert_eq!(gemv(VqGemv { first: true, ..plain }), rest | 1 << 8);
    assert_eq!(gemv(VqGemv { last: true, ..plain }), rest | 1 << 9);
    assert_eq!(gemv(VqGemv { scale_fp32: true, ..plain }), rest | 1 << 10);
    assert_eq!(gemv(VqGemv { slot: 5, ..plain }), rest | 5 << 12);
    assert_eq!(gemv(VqGemv { grouped: true, ..plain }), rest | 1 << 15);
    let smallest = 3 | 3 << 8 | 0xA5C3 << 16 | 1 << 32 | 1 << 40 | 1 << 64 | 1 << 96;
    assert_eq!(gemv(VqGemv::default()), smallest);
    let bits = |operation| u128::from_le_bytes(Command { tag: 1, operation }.to_bytes());
    assert_eq!(bits(Operation::LoadCodebooks { slot: 0, codebooks: 2 }), 1 | 1 << 16 | 2 << 32);
    assert_eq!(bits(Operation::LoadCodebooks { slot: 6, codebooks: 2 }), 1 | 6 << 12 | 1 << 16 | 2 << 32);
    assert_eq!(bits(Operation::LoadX { vectors: 512 }), 2 | 1 << 16 | 512 << 64);
    let gemm = |raw| Operation::Int8Gemm(Int8Gemm { raw, tokens: 0x12_3456, tiles: 0x789A_BCDE, outputs: 0xF012_3456 });
    let rest = 4 | 1 << 16 | 0x12_3456 << 40 | 0x789A_BCDE << 64 | 0xF012_3456 << 96;
    assert_eq!(bits(gemm(false)), rest);
    assert_eq!(bits(gemm(true)), rest | 1 << 11);
}

#[test]
fn statuses_have_the_documented_bits() {
    let status = Status { opcode: 3, code: StatusCode::NotLoaded, tag: 0xBEEF, cycles: 0x1234_5678 };
    assert_eq!(status.to_bits(), 0x1234_5678_BEEF_0403);
    assert_eq!(Status::from_bits(0x1234_5678_BEEF_0403), Some(status));
    assert_eq!(Status::from_bits(0x0600), None);
    for (code, status) in (0..).zip(StatusCode::ALL) {
        assert_eq!(StatusCode::from_code(code), Some(status));
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        (0u8..8, any::<u8>()).prop_map(|(slot, codebooks)| Operation::LoadCodebooks { slot, codebooks }),
        any::<u32>().prop_map(|vectors| Operation::LoadX { vectors }),
        (any::<[bool; 4]>(), 0u8..8, any::<(u8, u8, u16, u32, u32)>()).prop_map(|(flags, slot, numbers)| {
            let [first, last, scale_fp32, grouped] = flags;
            let (codebooks, tokens, start, vectors, outputs) = numbers;
            let sizes = VqGemv { codebooks, tokens, start, vectors, outputs, ..VqGemv::default() };
            Operation::VqGemv(VqGemv { first, last, scale_fp32, grouped, slot, ..sizes })
        }),
        (any::<bool>(), 0u32..1 << 24, any::<u32>(), any::<u32>()).prop_map(|(raw, tokens, tiles, outputs)| {
            Operation::Int8Gemm(Int8Gemm { raw, tokens, tiles, outputs })
        }),
    ]
}

/// Bits that are in a field of the command with this opcode.
fn used_bits(opcode: Opcode) -> u128 {
    let common = 0xFFFF_00FF;
    common
        | match opcode {
            Opcode::LoadCodebooks => 0x7000 | 0xFF << 32,
            Opcode::LoadX => 0xFFFF_FFFF << 64,
            Opcode::VqGemv => 0xF700 | 0xFFFF_FFFF << 32 | 0xFFFF_FFFF << 64 | 0xFFFF_FFFF << 96,
            Opcode::Int8Gemm => 0x800 | 0xFF_FFFF << 40 | 0xFFFF_FFFF << 64 | 0xFFFF_FFFF << 96,
        }
}

proptest! {
    #[test]
    fn commands_survive_encoding_and_no_other_bit_may_be_set(tag: u16, operation in operation(), bit in 0u32..128) {
        let command = Command { tag, operation };
        let bytes = command.to_bytes();
        prop_assert_eq!(Command::from_bytes(bytes), Ok(command));
        let flipped = Command::from_bytes((u128::from_le_bytes(bytes) ^ 1 << bit).to_le_bytes());
        match bit {
            0..8 => prop_assert_ne!(flipped, Ok(command)),
            _ if used_bits(command.opcode()) >> bit & 1 != 0 => prop_assert!(flipped.is_ok_and(|other| other != command)),
            _ => prop_assert_eq!(flipped, Err(StatusCode::ReservedBit)),
        }
    }

    #[test]
    fn unknown_opcodes_are_told_before_reserved_bits(opcode in prop_oneof![Just(0u8), 5..=255u8], rest: [u8; 15]) {
        let mut bytes = [opcode; 16];
        bytes[1..].copy_from_slice(&rest);
        prop_assert_eq!(Command::from_bytes(bytes), Err(StatusCode::UnknownOpcode));
    }
}
