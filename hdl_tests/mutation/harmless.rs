//! Mutants that no test can notice, and why.

use crate::mutant::Place;

/// A module and a change in it as [`Place::change`] has it, `*` standing for anything; and how many mutants there are
/// of this kind.
pub type Pattern = (&'static str, &'static str, usize);

/// Each reason with the places it holds for.
pub const HARMLESS: &[(&str, &[Pattern])] = &[
    (
        "OR and XOR are the same for conditions that exclude one another",
        &[
            ("*", "csa_carry: *", 16),
            ("eva_command", "known: *", 1),
            ("eva_command", "vectors_ok: (*) | is_codebooks -> *", 1),
            ("eva_command", "outputs_ok: (*) | is_load -> *", 1),
            ("eva_core", "*_ready) -> * ^ (*_ready)", 9),
            ("eva_accumulator", "sent_q# | waits# -> *", 1),
            ("eva_dot", "nan_now: p_nan | (inf_plus & inf_minus) -> *^*", 1),
            ("*", "*exp[#] | !*normal -> *", 4),
            ("eva_scaler", "scale[#:#][#] | !normal -> *", 1),
            ("eva_command", "(is_gemv & last) | * -> *^*", 1),
            ("eva_command", "is_load: *", 1),
            ("eva_command", "is_load | is_gemv -> is_load ^ is_gemv", 1),
            ("eva_command", "is_x | is_int# -> *", 1),
            ("eva_command", "scale_fp# | is_int# -> *", 1),
            ("eva_command", "codebooks_ok: *| !(is_codebooks | is_gemv) -> *", 1),
            ("eva_command", "is_codebooks | is_gemv -> *", 1),
            ("eva_command", "tokens_ok: (*) | is_load -> *", 3),
            ("eva_command", "is_int# | last -> *", 1),
            ("eva_command", "split: * -> *^*", 1),
            ("eva_command", "loading | (slots & *", 1),
            ("eva_completion", "*) | (awaits_* & any(*_done)) -> *", 4),
            ("eva_array", "*u_row#.y* & sext(sends#)) -> *^ (u_row#.y* & sext(sends#))", 14),
            ("eva_core", "*u_epilogue#.psum -> *^ u_epilogue#.psum", 3),
            ("eva_core", "(emitted_valid_q# & raw) | y_valid_q* -> *^*", 2),
            ("eva_core", "*.done | u_int#_control.rows_end -> *", 1),
            ("eva_core", "u_x_loader.write_enable | * -> *^*", 1),
            ("eva_int8_control", "load | !rows_free -> load ^ !rows_free", 1),
            ("eva_int8_control", "reading: * -> *^*", 1),
            ("eva_int8_control", "filled | !u_weights.pass_takes_tile -> * ^ *", 1),
            ("eva_int8_control", "fire: * -> *^*", 1),
            ("eva_pass_walker", "finishes: wraps | * -> wraps ^ *", 1),
            ("eva_stationary_operand", "(fp#_special & fp#_fraction) | !live -> *", 1),
            ("eva_skid", "(s_valid & spare_empty) | !spare_empty -> *", 2),
        ],
    ),
    ("a slot that the core does not have is refused for its number alone", &[("eva_command", "*in slot <= *", 1)]),
    (
        "three groups are as much too many for two slots as four",
        &[("eva_command", "# -> # in # < vectors", 1), ("eva_command", "# < vectors -> # <= vectors", 1)],
    ),
    (
        "of two slots, the same one follows and precedes another",
        &[("eva_gemm_control", "codebook_slot: zext(slot) + * -> *", 1)],
    ),
    ("of a bit that is repeated the lowest alone is used", &[("eva_command", "sext(tokens[#]) -> *", 1)]),
    (
        "the marks of slots are compared with one another only: their order does not matter",
        &[("eva_command", "slots: {*", 3)],
    ),
    (
        "infinities of both signs give NaN, which overrides",
        &[("eva_dot", "inf_now: inf_plus | inf_minus -> *", 1), ("eva_scaler", "sum_inf: *", 1)],
    ),
    (
        "the order of what is only added or ORed does not matter",
        &[
            ("eva_core", "{u_epilogue#.sum_*} -> *", 4),
            ("eva_core", "{u_index_unpacker#.word_valid, *", 2),
            ("eva_command", "{(tokens == #), *", 2),
            ("eva_epilogue_unit", "{u_bank#.out_nan*", 2),
            ("eva_epilogue_unit", "{u_bank#.out_inf_*", 4),
            ("eva_row", "{u_pe#.p_nan*", 4),
            ("eva_array", "{*sends#*} -> *", 4),
            ("eva_dot", "dropped: *", 1),
        ],
    ),
    (
        "a counter of 2^k values wraps by itself, and one of 2 values counts down as well as up; \
         so does one of 3 in as many steps, where only the last value is looked at",
        &[
            ("*_loader", "position + # -> position - #", 1),
            ("*_loader", "position_last ? # : (position + #) -> (position + #)", 1),
            ("eva_fifo", "(*_index == #) ? # : (*_index + #) -> (*_index + #)", 8),
            ("eva_fifo", "*_index + # -> *_index - #", 6),
            ("eva_unpacker", "position + # -> position - #", 1),
            ("eva_unpacker", "position_last ? # : (position + #) -> (position + #)", 1),
        ],
    ),
    (
        "zero more or less",
        &[
            ("eva_streaming_operand", "(fp#_special & fp#_fraction) | # -> *", 1),
            ("eva_dot", "#[#:#] -> #[#:#]", 2),
            ("eva_dot", "*zext(#[#:#]) -> *", 1),
        ],
    ),
    (
        "the product of an infinity is less than 2^21, so that it has two bits of sign",
        &[("eva_dot", "p_value[#:#][#] -> *", 4), ("eva_dot", "signs: p_value[#] -> *", 1)],
    ),
    (
        "the number after that of the last lane is nobody's turn, and that of the end of a period is looked at only \
         where a lane finishes",
        &[("eva_pass_walker", "# -> # in tile < #", 1), ("eva_pass_walker", "has_lane: *", 1)],
    ),
    (
        "a sum whose two top bits differ is infinite whatever its sign is taken for",
        &[("eva_dot", "total[#] -> total[#]", 1), ("eva_dot", "total_q[#] -> total_q[#]", 1)],
    ),
    (
        "a row of weights is a whole word: both its lanes are read",
        &[("eva_core", "# -> # in {u_int#_control.read_word, #}", 1)],
    ),
    (
        "nothing is under way when a command comes, so that the mode may change as soon as it does",
        &[("eva_command", "int#_q: *", 1)],
    ),
    ("a NaN is a NaN: the bank looks at the flag only", &[("eva_dot", "# -> # in nan_* ? # : *", 3)]),
    (
        "a loader is ready exactly while it is selected",
        &[("eva_core", "*_busy & w_*_ready -> *", 2), ("eva_core", "x_busy & x_vector_ready -> *", 1)],
    ),
    ("the queue is never full: outputs are issued only when there is room", &[("eva_fifo", "# -> # in count != #", 2)]),
    (
        "the queue of outputs may have a place less",
        &[("eva_core", "in_flight: other reset value", 1), ("eva_core", "in_flight <= # -> in_flight < #", 1)],
    ),
    (
        "what waits until three queues have room does not care which is which",
        &[("eva_core", "u_command: gemm_job_ready exchanged *", 1)],
    ),
    (
        "the pause between visits of an accumulator may be longer; after a reset it passes by itself",
        &[
            ("eva_epilogue_control", "cooling: other reset value", 1),
            ("eva_int8_control", "cooling: other reset value", 1),
            ("eva_epilogue_control", "# -> # in ((step_last & *) ? # : *", 2),
            ("eva_weight_control", "draining: other reset value", 1),
        ],
    ),
    (
        "an enable that only saves power",
        &[
            ("eva_epilogue_control", "index_q: without enable", 1),
            ("eva_epilogue_unit", "valid & *half -> *", 2),
            ("eva_weight_control", "slot_q: without enable", 1),
            ("eva_weight_control", "codebooks_q: without enable", 1),
            ("eva_lane_buffer", "number: without enable", 2),
        ],
    ),
    (
        "what a command is checked against stays as it is until it is dispatched",
        &[("eva_command", "status: without enable", 1), ("eva_command", "accepted: without enable", 1)],
    ),
    (
        "the queue of weight control is full as soon as one of the other two is",
        &[("eva_command", "to_gemm_ready & to_epilogue_ready -> *", 1), ("eva_command", "!is_gemv -> is_gemv", 1)],
    ),
    (
        "after a reset: only differences of the clock are told; a chain begins anew whatever the accumulators hold",
        &[("eva_completion", "now: other reset value", 1), ("eva_accumulator_bank", "keep_q#: other reset value", 1)],
    ),
    (
        "a pass may wait longer for vectors that are being loaded; when all of them are there it does not",
        &[
            ("eva_gemm_control", "# -> # in zext(x_lane) + #", 1),
            ("eva_gemm_control", "# -> # in {x_word, #}", 1),
            ("eva_gemm_control", "pass_end <= zext({x_word, #}) -> *", 1),
        ],
    ),
    ("with one vector left in a pass, one less leaves none", &[("eva_gemm_control", "# < left -> # <= left", 1)]),
    (
        "while rows are still being loaded the first entries pass again: the same results in the same places",
        &[
            ("eva_gemm_control", "entry < # -> entry <= #", 1),
            ("eva_gemm_control", "# -> # in entry < #", 1),
            ("eva_epilogue_unit", "in_half[#] -> in_half[#]", 1),
        ],
    ),
    (
        "products below 2^8 round to zero, wherever their leading one is",
        &[
            ("eva_leading_zeros", "a[#:#] -> *", 1),
            ("eva_leading_zeros", "high_zero ? u_low.count : u_high.count -> u_high.count", 1),
            ("eva_scaler", "# -> # in {inverted, #}", 1),
            ("eva_scaler", "# -> # in u_leading_zeros.zero *", 1),
            ("eva_scaler", "product_lz: * -> u_leading_zeros.count", 1),
        ],
    ),
];

/// The numbers of reason and pattern in [`HARMLESS`] that explain why `place` does not matter.
pub fn explained(place: &Place) -> Option<(usize, usize)> {
    HARMLESS.iter().enumerate().find_map(|(reason, (_, patterns))| {
        let fits = |(module, change, _): &Pattern| matches(module, &place.module) && matches(change, &place.change);
        Some((reason, patterns.iter().position(fits)?))
    })
}

/// Whether `text` is `pattern` with something for each `*`.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, rest)) => text
            .strip_prefix(before)
            .is_some_and(|text| rest.is_empty() || text.char_indices().any(|(i, _)| matches(rest, &text[i..]))),
    }
}
