//! Declarations that do not fit the module: every mistake is named, with what to write instead.

use crate::{counter, design};
use eva_rtl::hdl::interop::rust_hdl::{InteropError, Library, Port, Ports};
use eva_rtl::rust_hdl_ports;
use rust_hdl::prelude::*;

/// What is said of ports that `P` declares for a counter, line by line.
fn problems<P: Ports>() -> String {
    let module = Library::new().module(&design("counter", counter)).unwrap();
    let error = module.instance::<P>().unwrap_err();
    assert!(matches!(error, InteropError::Ports { .. }));
    error.to_string()
}

rust_hdl_ports! {
    struct Nothing { count: Signal<Out, Bits<12>> }
}

rust_hdl_ports! {
    struct Widths {
        clk: Signal<In, Clock>,
        rst_n: Signal<In, Bits<2>>,
        step: Signal<In, Signed<9>>,
        count: Signal<Out, Bit>,
    }
}

rust_hdl_ports! {
    struct Directions {
        clk: Signal<In, Bit>,
        rst_n: Signal<In, Clock>,
        step: Signal<Out, Bits<8>>,
        count: Port<In>,
    }
}

rust_hdl_ports! {
    struct Unknown {
        clock: Signal<In, Clock> = "clk",
        rst: Signal<In, Bit> = "rst_n",
        steps: Signal<In, Bits<8>>,
        anything: Port<Out>,
        step: Signal<In, Bits<8>>,
        again: Signal<In, Bits<8>> = "step",
    }
}

rust_hdl_ports! {
    struct Names {
        next: Signal<In, Clock> = "clk",
        reg: Signal<In, Bit> = "rst_n",
        r#in: Signal<In, Bits<8>> = "step",
    }
}

#[test]
fn everything_but_outputs_needs_a_field() {
    insta::assert_snapshot!(problems::<Nothing>(), @r"
    ports of module `counter`:
      clock `clk` has no field; add `clk: Signal<In, Clock>`
      reset `rst_n` has no field; add `rst_n: Signal<In, Bit>`
      input `step` has no field; add `step: Signal<In, Bits<8>>`
    ");
}

#[test]
fn widths_must_agree() {
    insta::assert_snapshot!(problems::<Widths>(), @r"
    ports of module `counter`:
      field `rst_n`: port `rst_n` has 1 bit, the field 2; declare it as Signal<In, Bit>
      field `step`: port `step` has 8 bits, the field 9; declare it as Signal<In, Bits<8>>
      field `count`: port `count` has 12 bits, the field 1; declare it as Signal<Out, Bits<12>>
    ");
}

#[test]
fn directions_and_clocks_must_agree() {
    insta::assert_snapshot!(problems::<Directions>(), @r"
    ports of module `counter`:
      field `clk`: port `clk` is a clock, the field is an input; declare it as Signal<In, Clock>
      field `rst_n`: port `rst_n` is an input, the field is a clock; declare it as Signal<In, Bit>
      field `step`: port `step` is an input, the field is an output; declare it as Signal<In, Bits<8>>
      field `count`: port `count` is an output, the field is an input; declare it as Signal<Out, Bits<12>>
    ");
}

#[test]
fn ports_must_exist_and_have_one_field_each() {
    insta::assert_snapshot!(problems::<Unknown>(), @r"
    ports of module `counter`:
      field `steps`: there is no port `steps`; did you mean `step`?
      field `anything`: there is no port `anything`; the module has `clk`, `rst_n`, `step`, `count`
      field `again`: port `step` has a field already; remove one of the two
    ");
}

#[test]
fn names_must_do_in_kernels_and_in_verilog() {
    insta::assert_snapshot!(problems::<Names>(), @r#"
    ports of module `counter`:
      field `next`: the name is taken by the next value of rust-hdl's signals; take another one, with the port after the type: `..: .. = "clk"`
      field `reg`: the name is a reserved word of Verilog or SystemVerilog; take another one, with the port after the type: `..: .. = "rst_n"`
      field `r#in`: the name is a keyword of Rust; take another one, with the port after the type: `..: .. = "step"`
    "#);
}

/// A module without state has neither a clock nor a reset.
#[test]
fn combinational_modules_have_no_clock() {
    rust_hdl_ports! {
        struct Inverter {
            clock: Signal<In, Clock> = "clk",
            x: Signal<In, Bits<4>>,
            y: Signal<Out, Bits<4>>,
        }
    }
    let module = Library::new().module(&design("inverter", |m| m.output("y", !m.input("x", 4)))).unwrap();
    let error = module.instance::<Inverter>().unwrap_err().to_string();
    assert!(error.contains("field `clock`: there is no port `clk`; the module has `x`, `y`"), "{error}");
}

/// What a kernel forgets is found by rust-hdl's own checks, as with its own blocks.
#[test]
fn inputs_that_no_kernel_drives_are_found_by_rust_hdl() {
    rust_hdl_ports! {
        struct CounterPorts {
            clock: Signal<In, Clock> = "clk",
            rst_n: Signal<In, Bit>,
            step: Port<In>,
        }
    }
    let module = Library::new().module(&design("counter", counter)).unwrap();
    let mut wrapped = TopWrap::new(module.instance::<CounterPorts>().unwrap());
    wrapped.connect_all();
    wrapped.uut.clock.connect();
    wrapped.uut.rst_n.connect();
    assert!(check_all(&wrapped).is_err());
    wrapped.uut.step.connect();
    check_all(&wrapped).unwrap();
    assert!(generate_verilog(&wrapped).contains(".count()"));
}
