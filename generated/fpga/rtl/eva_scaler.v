// eva_scaler: Scaling stage: exact sum times scale, rounded once to FP16.
//
//   acc_bits       = 51
//   pipeline.scale = 4
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_scaler (
    input  wire        aclk,
    input  wire [50:0] sum_value,
    input  wire        sum_nan,
    input  wire        sum_inf_plus,
    input  wire        sum_inf_minus,
    input  wire [31:0] scale,
    input  wire        fp32,
    input  wire        int8,
    output wire [15:0] y
);

    reg [23:0] scale_sig_q;
    reg [50:0] sum_q;
    reg [74:0] product_q;
    reg        zero_q1;
    reg        zero_q2;
    reg [8:0]  highest_q1;
    reg [8:0]  highest_q2;
    reg [13:0] window_q;
    reg [3:0]  places_q;
    reg [7:0]  exponent_q;
    reg        nan_q1;
    reg        nan_q2;
    reg        nan_q3;
    reg        inf_q1;
    reg        inf_q2;
    reg        inf_q3;
    reg        sign_q1;
    reg        sign_q2;
    reg        sign_q3;
    reg [15:0] y_q;

    wire [6:0] u_leading_zeros_count;
    wire       u_leading_zeros_zero;

    wire [4:0]  half_exp = scale[14:10];
    wire [9:0]  half_man = scale[9:0];
    wire        half_normal = |half_exp;
    wire        half_special = &half_exp;
    wire        half_fraction = |half_man;
    wire        normal = |scale[30:23];
    wire        special = &scale[30:23];
    wire        fraction = |scale[22:0];
    wire [7:0]  scale_exp = fp32 ? {scale[30:24], scale[23] | ~normal}
        : {3'd0, half_exp[4:1], half_exp[0] | ~half_normal} + 8'd125;
    wire [23:0] scale_sig = fp32 ? {normal, scale[22:0]} : {13'd0, half_normal, half_man};
    wire        mux_0 = fp32 ? ~(normal | fraction) : ~(half_normal | half_fraction);
    wire        mux_1 = fp32 ? special & ~fraction : half_special & ~half_fraction;
    wire        sum_inf = sum_inf_plus | sum_inf_minus;
    wire        sum_zero = ~(|sum_value) & ~sum_inf;
    wire        nan = sum_nan | (sum_inf_plus & sum_inf_minus)
        | (fp32 ? special & fraction : half_special & half_fraction) | (sum_inf & mux_0) | (mux_1 & sum_zero);
    wire        inf = sum_inf | mux_1;
    wire        zero = sum_zero | mux_0;
    wire        xor_0 = (sum_inf ? sum_inf_minus : sum_value[50]) ^ (fp32 ? scale[31] : scale[15]);
    wire        sign = xor_0 & (inf | ~zero);
    wire [75:0] prod_0 = $signed({{25{sum_q[50]}}, sum_q}) * $signed({52'd0, scale_sig_q});
    wire [74:0] product = prod_0[74:0];
    wire [73:0] inverted = product_q[73:0] ^ {74{product_q[74]}};
    wire [6:0]  product_lz = u_leading_zeros_zero ? 7'd73 : u_leading_zeros_count;
    wire [73:0] shifted = product_q[73:0] << product_lz;
    wire [8:0]  highest = {1'b0, scale_exp} + (int8 ? 9'd449 : 9'd425);
    wire [8:0]  zext_0 = {2'd0, product_lz};
    wire [8:0]  deficit = zext_0 - highest_q2;
    wire        subnormal = ~deficit[8] & (|deficit);
    wire [8:0]  diff_0 = highest_q2 - zext_0;
    wire [7:0]  exponent = diff_0[7:0] & {8{~subnormal & ~zero_q2}};
    wire [3:0]  places = (deficit[3:0] | {4{|deficit[8:4]}}) & {4{subnormal}};
    wire [26:0] denormal = $signed({window_q, 13'd0}) >>> places_q;
    wire        sticky = |denormal[13:0];
    wire [11:0] xor_1 = denormal[25:14] ^ {12{window_q[13]}};
    wire        round_up = (window_q[13] & ~sticky) ? xor_1[0] | xor_1[1] : xor_1[0] & (sticky | xor_1[1]);
    wire [18:0] rounded = {1'b0, exponent_q, 10'd0} + {8'd0, xor_1[11:1]} + {18'd0, round_up};
    wire        overflow = 9'd31 <= rounded[18:10];
    wire [14:0] finite = (overflow | inf_q3) ? 15'h7c00 : rounded[14:0];

    eva_leading_zeros_128 u_leading_zeros (
        .a     ({inverted, 54'd0}),
        .count (u_leading_zeros_count),
        .zero  (u_leading_zeros_zero)
    );

    always @(posedge aclk) begin
        scale_sig_q <= scale_sig;
        sum_q <= sum_value;
        product_q <= product;
        zero_q1 <= zero;
        zero_q2 <= zero_q1;
        highest_q1 <= highest;
        highest_q2 <= highest_q1;
        window_q <= {product_q[74], shifted[73:62], |shifted[61:0]};
        places_q <= places;
        exponent_q <= exponent;
        nan_q1 <= nan;
        nan_q2 <= nan_q1;
        nan_q3 <= nan_q2;
        inf_q1 <= inf;
        inf_q2 <= inf_q1;
        inf_q3 <= inf_q2;
        sign_q1 <= sign;
        sign_q2 <= sign_q1;
        sign_q3 <= sign_q2;
        y_q <= nan_q3 ? 16'h7e00 : {sign_q3, finite};
    end

    assign y = y_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, prod_0[75], diff_0[8], denormal[26]};

endmodule

`default_nettype wire
