// eva_scaler: Scaling stage: exact sum times scale, rounded once to FP16.
//
//   acc_bits       = 48
//   pipeline.scale = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_scaler (
    input  wire        aclk,
    input  wire [47:0] sum_value,
    input  wire        sum_nan,
    input  wire        sum_inf_plus,
    input  wire        sum_inf_minus,
    input  wire [31:0] scale,
    input  wire        fp32,
    input  wire        int8,
    output wire [15:0] y
);

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
    wire        xor_0 = (sum_inf ? sum_inf_minus : sum_value[47]) ^ (fp32 ? scale[31] : scale[15]);
    wire        sign = xor_0 & (inf | ~zero);
    wire [72:0] prod_0 = $signed({{25{sum_value[47]}}, sum_value}) * $signed({49'd0, scale_sig});
    wire [71:0] product = prod_0[71:0];
    wire [70:0] inverted = product[70:0] ^ {71{product[71]}};
    wire [6:0]  product_lz = u_leading_zeros_zero ? 7'd70 : u_leading_zeros_count;
    wire [70:0] shifted = product[70:0] << product_lz;
    wire [13:0] cat_0 = {product[71], shifted[70:59], |shifted[58:0]};
    wire [8:0]  highest = {1'b0, scale_exp} + (int8 ? 9'd446 : 9'd422);
    wire [8:0]  zext_0 = {2'd0, product_lz};
    wire [8:0]  deficit = zext_0 - highest;
    wire        subnormal = ~deficit[8] & (|deficit);
    wire [8:0]  diff_0 = highest - zext_0;
    wire [7:0]  exponent = diff_0[7:0] & {8{~subnormal & ~zero}};
    wire [3:0]  places = (deficit[3:0] | {4{|deficit[8:4]}}) & {4{subnormal}};
    wire [26:0] denormal = $signed({cat_0, 13'd0}) >>> places;
    wire        sticky = |denormal[13:0];
    wire [11:0] xor_1 = denormal[25:14] ^ {12{cat_0[13]}};
    wire        round_up = (cat_0[13] & ~sticky) ? xor_1[0] | xor_1[1] : xor_1[0] & (sticky | xor_1[1]);
    wire [18:0] rounded = {1'b0, exponent, 10'd0} + {8'd0, xor_1[11:1]} + {18'd0, round_up};
    wire        overflow = 9'd31 <= rounded[18:10];
    wire [14:0] finite = (overflow | inf) ? 15'h7c00 : rounded[14:0];

    eva_leading_zeros_128 u_leading_zeros (
        .a     ({inverted, 57'd0}),
        .count (u_leading_zeros_count),
        .zero  (u_leading_zeros_zero)
    );

    always @(posedge aclk) begin
        y_q <= nan ? 16'h7e00 : {sign, finite};
    end

    assign y = y_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, prod_0[72], diff_0[8], denormal[26]};

endmodule

`default_nettype wire
