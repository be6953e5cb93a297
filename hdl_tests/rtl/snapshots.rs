//! The text of the leaf modules, to be read when it changes.

use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::verilog;
use eva_rtl::rtl::{baseline, eva_core};

#[test]
fn verilog_of_the_leaf_modules() {
    let elaborated = eva_core(&CoreConfig::preset("tiny").unwrap()).unwrap();
    let files = verilog::emit(&elaborated.design, &verilog::Options::default());
    let leaves = [
        "eva_streaming_operand",
        "eva_stationary_operand",
        "eva_pe",
        "eva_dot",
        "eva_oc_bank",
        "eva_scaler",
        "eva_pass_walker",
        "eva_int8_control",
        "eva_unpacker_32x16",
        "eva_unpacker_32x128",
        "eva_lane_buffer_32x2x64",
        "eva_fifo_32x33",
        "eva_completion",
        "eva_weight_control",
        "eva_accumulator_bank",
        "eva_skid_32",
        "eva_mem_16x16_1r1w_any",
    ];
    for leaf in leaves {
        let file = files.iter().find(|f| f.name == format!("{leaf}.v")).unwrap_or_else(|| panic!("no module {leaf}"));
        insta::assert_snapshot!(leaf, file.text);
    }
}

#[test]
fn verilog_of_the_int8_array() {
    let elaborated = baseline::array(&CoreConfig::preset("tiny").unwrap()).unwrap();
    for file in verilog::emit(&elaborated.design, &verilog::Options::default()) {
        insta::assert_snapshot!(file.name.trim_end_matches(".v"), file.text);
    }
}
