// eva_pe: Processing element: stationary operand times streaming operand, both FP16, as an exact product.
//
//   pipeline.pe = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_pe (
    input  wire        aclk,
    input  wire [15:0] w_in,
    input  wire [15:0] x_in,
    input  wire        load,
    input  wire        live,
    output wire [15:0] w_out,
    output wire [21:0] p_magnitude,
    output wire [5:0]  p_exponent,
    output wire        p_sign,
    output wire        p_nan,
    output wire        p_inf
);

    reg [15:0] w;
    reg [15:0] x;
    reg [21:0] magnitude_q;
    reg [5:0]  exponent_q;
    reg        sign_q;
    reg        nan_q;
    reg        inf_q;

    wire [4:0]  w_exp = w[14:10];
    wire [9:0]  w_man = w[9:0];
    wire        w_normal = |w_exp;
    wire        w_special = &w_exp;
    wire        w_fraction = |w_man;
    wire [10:0] w_sig = {w_normal, w_man};
    wire        and_0 = w_special & ~w_fraction;
    wire [4:0]  x_exp = x[14:10];
    wire [9:0]  x_man = x[9:0];
    wire        x_normal = |x_exp;
    wire        x_special = &x_exp;
    wire        x_fraction = |x_man;
    wire [10:0] x_sig = {x_normal, x_man};
    wire        and_1 = x_special & ~x_fraction;
    wire [15:0] mul_hh = $signed({11'd0, w_sig[10:6]}) * $signed({11'd0, x_sig[10:6]});
    wire [15:0] mul_hl = $signed({11'd0, w_sig[10:6]}) * $signed({10'd0, x_sig[5:0]});
    wire [15:0] mul_lh = $signed({10'd0, w_sig[5:0]}) * $signed({11'd0, x_sig[10:6]});
    wire [15:0] mul_ll = $signed({10'd0, w_sig[5:0]}) * $signed({10'd0, x_sig[5:0]});
    wire        or_0 = (w_special & w_fraction) | (x_special & x_fraction) | (and_0 & ~(x_normal | x_fraction))
        | (and_1 & ~(w_normal | w_fraction));

    always @(posedge aclk) begin
        w <= w_in;
        magnitude_q <= {mul_hh[9:0], mul_ll[11:0]} + {4'd0, {1'b0, mul_hl[10:0]} + {1'b0, mul_lh[10:0]}, 6'd0};
        exponent_q <= {1'b0, w_exp[4:1], w_exp[0] | ~w_normal} + {1'b0, x_exp[4:1], x_exp[0] | ~x_normal};
        sign_q <= w[15] ^ x[15];
        nan_q <= or_0 & live;
        inf_q <= (and_0 | and_1) & live;
    end

    always @(posedge aclk) begin
        if (load) begin
            x <= x_in;
        end
    end

    assign w_out = w;
    assign p_magnitude = magnitude_q;
    assign p_exponent = exponent_q;
    assign p_sign = sign_q;
    assign p_nan = nan_q;
    assign p_inf = inf_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, mul_hh[15:10], mul_hl[15:11], mul_lh[15:11], mul_ll[15:12]};

endmodule

`default_nettype wire
