//! The same array for rust-hdl 0.46 and its own simulator.

use rust_hdl::prelude::*;

/// The activation moves right, the partial sum down; the weight is loaded from above and stays.
#[derive(LogicBlock, Default)]
struct Pe {
    pub clock: Signal<In, Clock>,
    pub load: Signal<In, Bit>,
    pub a_in: Signal<In, Signed<8>>,
    pub w_in: Signal<In, Signed<8>>,
    pub sum_in: Signal<In, Signed<32>>,
    pub a_out: Signal<Out, Signed<8>>,
    pub w_out: Signal<Out, Signed<8>>,
    pub sum_out: Signal<Out, Signed<32>>,
    a: DFF<Signed<8>>,
    w: DFF<Signed<8>>,
    sum: DFF<Signed<32>>,
}

impl Logic for Pe {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, a, w, sum);
        self.a.d.next = self.a_in.val();
        if self.load.val() {
            self.w.d.next = self.w_in.val();
        }
        self.sum.d.next =
            self.sum_in.val() + signed_bit_cast::<16, 8>(self.a.q.val()) * signed_bit_cast::<16, 8>(self.w.q.val());
        self.a_out.next = self.a.q.val();
        self.w_out.next = self.w.q.val();
        self.sum_out.next = self.sum.q.val();
    }
}

/// An array of `$n` rows and columns. rust-hdl translates the indices of a kernel as they are written, so that `$n` must be
/// a number there and can be no constant.
macro_rules! array {
    ($module:ident, $n:tt) => {
        pub mod $module {
            use super::*;

            pub const N: usize = $n;
            const PES: usize = N * N;

            #[derive(LogicBlock)]
            pub struct Array {
                pub clock: Signal<In, Clock>,
                pub load: Signal<In, Bit>,
                pub a: [Signal<In, Signed<8>>; N],
                pub w: [Signal<In, Signed<8>>; N],
                pub sum: [Signal<Out, Signed<32>>; N],
                pes: [Pe; PES],
                zero: Constant<Signed<32>>,
            }

            impl Default for Array {
                fn default() -> Array {
                    Array {
                        clock: Default::default(),
                        load: Default::default(),
                        a: Default::default(),
                        w: Default::default(),
                        sum: Default::default(),
                        pes: std::array::from_fn(|_| Pe::default()),
                        zero: Constant::new(Signed::from(0)),
                    }
                }
            }

            impl Logic for Array {
                #[hdl_gen]
                fn update(&mut self) {
                    for i in 0..PES {
                        self.pes[i].clock.next = self.clock.val();
                        self.pes[i].load.next = self.load.val();
                    }
                    for i in 0..$n {
                        self.pes[i * $n].a_in.next = self.a[i].val();
                        self.pes[i].w_in.next = self.w[i].val();
                        self.pes[i].sum_in.next = self.zero.val();
                        self.sum[i].next = self.pes[($n - 1) * $n + i].sum_out.val();
                    }
                    for r in 0..$n {
                        for c in 1..$n {
                            self.pes[r * $n + c].a_in.next = self.pes[r * $n + c - 1].a_out.val();
                        }
                    }
                    for r in 1..$n {
                        for c in 0..$n {
                            self.pes[r * $n + c].w_in.next = self.pes[r * $n + c - $n].w_out.val();
                            self.pes[r * $n + c].sum_in.next = self.pes[r * $n + c - $n].sum_out.val();
                        }
                    }
                }
            }

            /// The array with its clock under the hand of a testbench.
            pub struct Bench(Array);

            impl Bench {
                /// The array in Verilog.
                pub fn verilog(&self) -> String {
                    generate_verilog(&self.0)
                }

                pub fn new() -> Bench {
                    let mut array = Array::default();
                    array.connect_all();
                    check_all(&array).expect("a well-formed block");
                    Bench(array)
                }

                /// One cycle with these inputs; gives the sums after it.
                pub fn cycle(&mut self, load: bool, a: &[i8; N], w: &[i8; N]) -> [i32; N] {
                    self.0.load.next = load;
                    for i in 0..$n {
                        self.0.a[i].next = Signed::from(i64::from(a[i]));
                        self.0.w[i].next = Signed::from(i64::from(w[i]));
                    }
                    for level in [false, true] {
                        self.0.clock.next = level.into();
                        assert!(simulate(&mut self.0, 100), "rust-hdl does not settle");
                    }
                    std::array::from_fn(|i| {
                        let sum = self.0.sum[i].val().bigint();
                        i32::try_from(sum).expect("32 bits")
                    })
                }
            }
        }
    };
}
array!(n4, 4);
array!(n8, 8);
array!(n16, 16);
array!(n32, 32);
