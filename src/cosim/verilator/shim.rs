//! The C++ file that gives a Verilated class a C interface.

use std::fmt::Write;

use super::build::VerilogModel;
use crate::cosim::{CosimError, PortSpec};

/// Class name given to every model, so that the interface does not depend on the top module's name.
pub(super) const CLASS: &str = "Vdut";

/// Bytes that Verilator stores a port of `width` bits in: 1, 2, 4 or 8, above that a row of 32-bit words.
pub(super) fn storage_bytes(width: u32) -> usize {
    match width {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => 4 * width.div_ceil(32) as usize,
    }
}

/// The shim for `model`. `dut_port` gives the address of the storage of port number `index`, in the order of
/// `model.ports`; storage sizes are asserted at compile time.
pub(super) fn source(model: &VerilogModel, waves: bool) -> Result<String, CosimError> {
    for port in &model.ports {
        check_port(port)?;
    }
    let mut cases = String::new();
    for (index, port) in model.ports.iter().enumerate() {
        let PortSpec { name, width, .. } = port;
        let bytes = storage_bytes(*width);
        writeln!(
            cases,
            "        case {index}:\n            static_assert(sizeof(dut->model.{name}) == {bytes}, \"port {name} is not {width} bits wide\");\n            return &dut->model.{name};"
        )
        .expect("writing to a string");
    }
    let mut text = format!(
        r#"#include "{CLASS}.h"
#include "verilated.h"
#define EXPORT extern "C" __attribute__((visibility("default")))
{trace_include}
namespace {{
// Members are destroyed in reverse order: the context must outlive the model.
struct Dut {{
    VerilatedContext context;
    {CLASS} model;
    {trace_member}
    explicit Dut(uint32_t seed) : context{{}}, model{{prepare(context, seed)}} {{}}
    ~Dut() {{ model.final(); }}
    static VerilatedContext* prepare(VerilatedContext& context, uint32_t seed) {{
        context.randReset(2);
        context.randSeed(static_cast<int>(seed));
        context.traceEverOn({trace_on});
        return &context;
    }}
}};
}}  // namespace

EXPORT Dut* dut_new(uint32_t seed) {{ return new Dut{{seed}}; }}
EXPORT void dut_free(Dut* dut) {{ delete dut; }}
EXPORT void dut_eval(Dut* dut) {{ dut->model.eval(); }}
EXPORT void* dut_port(Dut* dut, uint32_t index) {{
    switch (index) {{
{cases}        default: return nullptr;
    }}
}}
"#,
        trace_include = if waves { "#include \"verilated_vcd_c.h\"" } else { "" },
        trace_member = if waves { "VerilatedVcdC vcd;" } else { "" },
        trace_on = waves,
    );
    if waves {
        text += r#"EXPORT int dut_waves_open(Dut* dut, const char* path) {
    dut->vcd.set_time_unit("1ns");
    dut->vcd.set_time_resolution("1ns");
    dut->model.trace(&dut->vcd, 99);
    dut->vcd.open(path);
    return dut->vcd.isOpen();
}
EXPORT void dut_waves_dump(Dut* dut, uint64_t nanoseconds) { dut->vcd.dump(nanoseconds); }
EXPORT void dut_waves_close(Dut* dut) { dut->vcd.close(); }
"#;
    }
    Ok(text)
}

/// Refuses names that Verilator would change in the C++ class.
fn check_port(port: &PortSpec) -> Result<(), CosimError> {
    let name = &port.name;
    let legal = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if !legal || name.contains("__") {
        return Err(CosimError::Model(format!(
            "port `{name}`: Verilator cannot expose this name; use letters, digits and single underscores"
        )));
    }
    if port.width == 0 {
        return Err(CosimError::Model(format!("port `{name}` has width 0; ports have at least 1 bit")));
    }
    Ok(())
}
