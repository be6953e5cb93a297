// eva_scaler: Scaling stage: exact sum times scale, rounded once to FP16.
//
//   acc_bits       = 51
//   pipeline.scale = 3
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
    reg [50:0] magnitude_q;
    reg [74:0] product_q;
    reg        zero_q1;
    reg        zero_q2;
    reg [7:0]  scale_exp_q1;
    reg [7:0]  scale_exp_q2;
    reg        nan_q1;
    reg        nan_q2;
    reg        inf_q1;
    reg        inf_q2;
    reg        sign_q1;
    reg        sign_q2;
    reg [15:0] y_q;

    wire [6:0] product_lz;
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
    wire [50:0] magnitude = (sum_value ^ {51{sum_value[50]}}) + {50'd0, sum_value[50]};
    wire        sum_inf = sum_inf_plus | sum_inf_minus;
    wire        sum_zero = ~(|sum_value) & ~sum_inf;
    wire        nan = sum_nan | (sum_inf_plus & sum_inf_minus)
        | (fp32 ? special & fraction : half_special & half_fraction) | (sum_inf & mux_0) | (mux_1 & sum_zero);
    wire        inf = sum_inf | mux_1;
    wire        zero = sum_zero | mux_0;
    wire        xor_0 = (sum_inf ? sum_inf_minus : sum_value[50]) ^ (fp32 ? scale[31] : scale[15]);
    wire        sign = xor_0 & (inf | ~zero);
    wire [74:0] product = {24'd0, magnitude_q} * {51'd0, scale_sig_q};
    wire [8:0]  biased = {1'b0, scale_exp_q2} + (int8 ? 9'd451 : 9'd427) - {2'd0, product_lz};
    wire [74:0] shifted = product_q << product_lz;
    wire [8:0]  deficit = 9'd1 - biased;
    wire        subnormal = ~deficit[8] & (|deficit);
    wire [3:0]  places = (deficit[3:0] | {4{|deficit[8:4]}}) & {4{subnormal}};
    wire [25:0] denormal = {shifted[74:63], |shifted[62:0], 13'd0} >> places;
    wire [8:0]  diff_0 = biased - 9'd1;
    wire        round_up = denormal[14] & ((|denormal[13:0]) | denormal[15]);
    wire [18:0] rounded = {1'b0, diff_0[7:0] & {8{~subnormal & ~zero_q2}}, 10'd0} + {8'd0, denormal[25:15]}
        + {18'd0, round_up};
    wire        overflow = 9'd31 <= rounded[18:10];
    wire [14:0] finite = (overflow | inf_q2) ? 15'h7c00 : rounded[14:0];

    eva_leading_zeros_128 u_leading_zeros (
        .a     ({product_q, 53'd0}),
        .count (product_lz),
        .zero  (u_leading_zeros_zero)
    );

    always @(posedge aclk) begin
        scale_sig_q <= scale_sig;
        magnitude_q <= magnitude;
        product_q <= product;
        zero_q1 <= zero;
        zero_q2 <= zero_q1;
        scale_exp_q1 <= scale_exp;
        scale_exp_q2 <= scale_exp_q1;
        nan_q1 <= nan;
        nan_q2 <= nan_q1;
        inf_q1 <= inf;
        inf_q2 <= inf_q1;
        sign_q1 <= sign;
        sign_q2 <= sign_q1;
        y_q <= nan_q2 ? 16'h7e00 : {sign_q2, finite};
    end

    assign y = y_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_leading_zeros_zero, diff_0[8]};

endmodule

`default_nettype wire
