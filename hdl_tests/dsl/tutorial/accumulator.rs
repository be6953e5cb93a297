use eva_rtl::hdl::sim::{SimOptions, Simulator};
use eva_rtl::hdl::{Clocking, Scope, elaborate, verilog};
use eva_rtl::hw;

fn accumulator(m: &Scope, width: u32) {
    m.doc("Adds `x` in each cycle with `en`, and stops at the ends of its range.");
    m.param("width", width);
    let x = m.input("x", width);
    let en = m.input("en", 1);
    let clear = m.input("clear", 1);

    let total = m.reg("total", 2 * width).reset(0);
    hw! {
        sum = total.q().add_full_signed(x);
        clamped = sum.sat_signed(2 * width);
    }
    total.on(en, clamped).on(clear, 0);
    m.output("y", total.q());
}

fn main() {
    let clocking = Clocking::new("clk", "rst_n");
    let elaborated = elaborate("accumulator", clocking, |m| accumulator(m, 8)).unwrap();

    // Simulate it ...
    let mut sim = Simulator::new(&elaborated.design, SimOptions::default()).unwrap();
    let [x, en] = ["x", "en"].map(|name| sim.input(name).unwrap());
    let y = sim.output("y").unwrap();
    sim.reset(1);
    sim.set_u64(en, 1);
    sim.set_u64(x, 127);
    for cycle in 1..=300u64 {
        sim.step();
        assert_eq!(sim.get_u64(y), (127 * cycle).min(0x7FFF));
    }

    // ... and write it as Verilog.
    for file in verilog::emit(&elaborated.design, &verilog::Options::default()) {
        print!("{}", file.text);
    }
}
