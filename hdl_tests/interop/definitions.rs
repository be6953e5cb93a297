//! Each module is defined once, wherever its instances are.

use crate::emitted::{definitions, lint};
use crate::{counter, design};
use eva_rtl::hdl::interop::rust_hdl::{Instance, InteropError, Library, Module};
use eva_rtl::hdl::{Design, Scope};
use eva_rtl::rust_hdl_ports;
use rust_hdl::prelude::*;

rust_hdl_ports! {
    struct CounterPorts {
        clock: Signal<In, Clock> = "clk",
        rst_n: Signal<In, Bit>,
        step: Signal<In, Bits<8>>,
        count: Signal<Out, Bits<12>>,
    }
}

/// Instances side by side and at two depths.
#[derive(LogicBlock)]
struct Nest {
    clock: Signal<In, Clock>,
    rst_n: Signal<In, Bit>,
    step: Signal<In, Bits<8>>,
    count: Signal<Out, Bits<12>>,
    inner: Pair,
    outer: Instance<CounterPorts>,
}

#[derive(LogicBlock)]
struct Pair {
    clock: Signal<In, Clock>,
    rst_n: Signal<In, Bit>,
    step: Signal<In, Bits<8>>,
    count: Signal<Out, Bits<12>>,
    counters: [Instance<CounterPorts>; 2],
}

impl Logic for Nest {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, inner, outer);
        self.inner.rst_n.next = self.rst_n.val();
        self.outer.rst_n.next = self.rst_n.val();
        self.inner.step.next = self.step.val();
        self.outer.step.next = self.inner.count.val().get_bits::<8>(0);
        self.count.next = self.outer.count.val();
    }
}

impl Logic for Pair {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            self.counters[i].clock.next = self.clock.val();
            self.counters[i].rst_n.next = self.rst_n.val();
            self.counters[i].step.next = self.step.val();
        }
        self.count.next = self.counters[0].count.val() ^ self.counters[1].count.val();
    }
}

fn pair(module: &Module) -> Pair {
    let mut pair = Pair {
        clock: Signal::default(),
        rst_n: Signal::default(),
        step: Signal::default(),
        count: Signal::default(),
        counters: std::array::from_fn(|_| module.instance().unwrap()),
    };
    pair.connect_all();
    pair
}

fn nest(inner: &Module, outer: &Module) -> Nest {
    let mut nest = Nest {
        clock: Signal::default(),
        rst_n: Signal::default(),
        step: Signal::default(),
        count: Signal::default(),
        inner: pair(inner),
        outer: outer.instance().unwrap(),
    };
    nest.connect_all();
    nest
}

#[test]
fn three_instances_and_one_definition() {
    let module = Library::new().module(&design("counter", counter)).unwrap();
    let nest = nest(&module, &module);
    let text = generate_verilog(&nest);
    lint(&text, "three_instances");
    assert_eq!(definitions(&text, "counter"), 1);
    assert_eq!(text.matches("counter u_counter (").count(), 3);
    // The same whenever it is asked for.
    assert_eq!(generate_verilog(&nest), text);
}

#[test]
fn designs_that_share_a_library_each_have_the_definition() {
    let module = Library::new().module(&design("counter", counter)).unwrap();
    let (first, second) = (pair(&module), pair(&module));
    for pair in [&first, &second, &first] {
        assert_eq!(definitions(&generate_verilog(pair), "counter"), 1);
    }
    // Nothing is known of what belongs together: rather twice than not at all.
    for pair in [&first, &second] {
        let text = generate_verilog_unchecked(pair);
        assert!(definitions(&text, "counter") >= 1);
        lint(&text, "unchecked");
    }
    // Visits that were about something else, or about a part.
    write_vcd_header(std::io::sink(), &first);
    write_vcd_header(std::io::sink(), &second.counters[1]);
    assert_eq!(definitions(&generate_verilog(&second), "counter"), 1);
}

/// A counter made of two of the module `counter`, or of what `counter` describes.
fn of_counters(name: &str, counter: impl Fn(&Scope)) -> Design {
    design(name, |m| {
        let counter = m.define("counter", counter);
        let step = m.input("step", 8);
        let first = m.instance("u_first", &counter);
        first.set("step", step);
        let second = m.instance("u_second", &counter);
        second.set("step", first.get("count").trunc(8));
        m.output("count", second.get("count"));
    })
}

#[test]
fn designs_share_the_modules_that_they_have_in_common() {
    let library = Library::new();
    let inner = library.module(&design("counter", counter)).unwrap();
    let outer = library.module(&of_counters("twice", counter)).unwrap();
    let text = generate_verilog(&nest(&inner, &outer));
    lint(&text, "common_modules");
    assert_eq!((definitions(&text, "counter"), definitions(&text, "twice")), (1, 1));
    // Two libraries do not know of each other, and the guards make up for it.
    let alone = Library::new().module(&of_counters("twice", counter)).unwrap();
    let text = generate_verilog(&nest(&inner, &alone));
    lint(&text, "two_libraries");
    assert_eq!(definitions(&text, "counter"), 2);
}

#[test]
fn different_modules_of_one_name_are_refused() {
    let other = |m: &Scope| {
        let step = m.input("step", 8);
        let count = m.reg("count", 12).reset(6);
        count.next(count.q() + step.zext(12));
        m.output("count", count.q());
    };
    let library = Library::new();
    library.module(&design("counter", counter)).unwrap();
    let error = library.module(&of_counters("twice", other)).unwrap_err();
    assert!(matches!(&error, InteropError::DifferentModules { name } if name == "counter"), "{error}");
    // As the message says.
    library.module(&of_counters("twice", other).with_prefix("other_")).unwrap();
    // A refused design has left nothing behind.
    library.module(&of_counters("twice", counter)).unwrap();
}

#[test]
fn the_name_of_the_outermost_module_is_refused() {
    let library = Library::new();
    let error = library.module(&design("top", counter)).unwrap_err();
    assert!(matches!(error, InteropError::ModuleNamedTop), "{error}");
    library.module(&design("top", counter).with_prefix("my_")).unwrap();
}
