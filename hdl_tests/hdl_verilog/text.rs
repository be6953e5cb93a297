//! The text itself: what it looks like, and what it must not do.

use eva_rtl::hdl::bits::Bits;
use eva_rtl::hdl::verilog::{MemoryStyle, Options, emit};
use eva_rtl::hdl::{Clocking, Collision, Design, Scope, elaborate};
use eva_rtl::hw;

fn design(describe: impl FnOnce(&Scope)) -> Design {
    let clocking = Clocking { clock: "clk".into(), reset: "rst_n".into() };
    elaborate("sample", clocking, describe).expect("no mistakes").design
}

fn all_text(design: &Design, memory: MemoryStyle) -> String {
    let files = emit(design, &Options { memory });
    files.iter().map(|f| format!("==== {}\n{}", f.name, f.text)).collect()
}

#[test]
fn a_module_of_everything() {
    let design = design(|m| {
        m.doc("Some of everything.");
        m.param("width", 8);
        m.param("a longer parameter", "x");
        let (a, b, sel) = (m.input("a", 8), m.input("b", 8), m.input("sel", 2));
        let go = m.input("go", 1);
        hw! {
            sum = a.add_full(b);
            product = a.mul_signed(b);
            hit = a.lt_signed(b) & !go;
            signed = a.shr_signed(sel);
        }
        let picked = sel.select(&[a, b, sum.trunc(8)]).named("picked");
        let count = m.reg("count", 4).reset(3);
        count.on(go, count.q() + 1);
        let other = m.reg("other", 8).reset(0xff);
        other.on(go, hit.mux(picked, signed));
        let free = (picked ^ other.q()).reg("free");
        m.output("count", count.q());
        m.output("y", free.sext(12) + product.bits_from(4));
        m.output("carry", sum.msb());
        m.output("constant", m.lit(0x1f, 6));
        let chain = (0..6).fold(a, |f, i| a.eq(i).mux(b + i, f));
        m.output("chain", chain);
    });
    let text = all_text(&design, MemoryStyle::Inferred);
    insta::assert_snapshot!(text);
}

#[test]
fn memories() {
    let describe = |m: &Scope| {
        let (address, data, go) = (m.input("address", 4), m.input("data", 8), m.input("go", 1));
        for (name, collision) in
            [("with_old", Collision::ReadOld), ("with_new", Collision::ReadNew), ("with_any", Collision::Undefined)]
        {
            let mem = m.mem(name, 12, 8).on_collision(collision);
            mem.write(address, data, go);
            m.output(&format!("{name}_read"), mem.read_en(address, go));
        }
        // The same shape as `with_old`: no module of its own.
        let again = m.mem("again", 12, 8).on_collision(Collision::ReadOld);
        again.write(address, data, go);
        m.output("again_read", again.read(address));
        let table: Vec<Bits> = (0..16).map(|i| Bits::from_u64(i * i, 8)).collect();
        let squares = m.mem("squares", 16, 8).read_latency(0).init(&table);
        m.output("square", squares.read(address));
    };
    let design = design(describe);
    let text = all_text(&design, MemoryStyle::Inferred);
    insta::assert_snapshot!("memories_inferred", text);
    let files = emit(&design, &Options { memory: MemoryStyle::Macro });
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    let names = names.join("\n");
    insta::assert_snapshot!("memories_macro_files", names);
    let black_box = &files[0].text;
    insta::assert_snapshot!("memories_macro_black_box", black_box);
}

#[test]
fn shared_nodes_are_not_expanded() {
    // As a tree this would have 2^40 leaves.
    let design = design(|m| {
        let a = m.input("a", 8);
        m.output("y", (0..40).fold(a, |x, _| x + x));
    });
    let text = all_text(&design, MemoryStyle::Inferred);
    assert!(text.lines().count() < 80, "{text}");
}

#[test]
fn emission_is_linear_in_deep_and_wide_modules() {
    let time = |nodes: u64| {
        let design = design(|m| {
            let a = m.input("a", 16);
            let deep = (0..nodes).fold(a, |x, i| (x ^ (i & 0xffff)) + a);
            let parts: Vec<_> = (0..nodes).map(|i| a.bit((i % 16) as u32)).collect();
            m.output("deep", deep);
            m.output("wide", m.cat(&parts));
        });
        let start = std::time::Instant::now();
        let bytes: usize = emit(&design, &Options::default()).iter().map(|f| f.text.len()).sum();
        (start.elapsed().as_secs_f64(), bytes)
    };
    time(1_000);
    let ((small, small_bytes), (large, large_bytes)) = (time(10_000), time(80_000));
    println!("10 k: {small:.4} s, {small_bytes} bytes; 80 k: {large:.4} s, {large_bytes} bytes");
    assert!(large < 40.0 * small.max(0.002), "80 k nodes took {large} s, 10 k {small} s");
    assert!(large_bytes < 10 * small_bytes);
}

#[test]
fn long_lines_are_broken() {
    let design = design(|m| {
        let inputs: Vec<_> = (0..60).map(|i| m.input(&format!("a_rather_long_input_name_{i}"), 3)).collect();
        m.output("all", m.cat(&inputs));
        m.output("sum", inputs.iter().skip(1).fold(inputs[0], |x, y| x + *y));
        m.output("picked", inputs[0].select(&inputs[1..9]));
        let wide = m.bits(Bits::from_words(&[0x0123_4567_89ab_cdef; 20], 1280));
        m.output("wide", wide);
    });
    let text = all_text(&design, MemoryStyle::Inferred);
    let longest = text.lines().map(|l| l.len()).max();
    assert!(longest <= Some(116), "{longest:?}\n{text}");
}
