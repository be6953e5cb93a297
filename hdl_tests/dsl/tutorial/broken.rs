use eva_rtl::hdl::{Clocking, Scope, elaborate};

fn broken(m: &Scope) {
    let (a, b) = (m.input("a", 8), m.input("b", 4));
    let floating = m.wire("floating", 8);
    let around = m.wire("around", 8);
    let mixed = (around.get() ^ a).named("mixed");
    around.drive(mixed + floating.get());
    m.output("wire", around.get() + b);
}

fn main() {
    let clocking = Clocking::new("clk", "rst_n");
    let errors = elaborate("broken", clocking, broken).unwrap_err();
    println!("{errors}");
}
