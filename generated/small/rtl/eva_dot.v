// eva_dot: Exact sum of the products of one segment of a row: rounded once to FP16, or added to an INT32 sum.
//
//   vq.dim        = 8
//   pipeline.tree = 2
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_dot (
    input  wire         aclk,
    input  wire         int8,
    input  wire [183:0] p_value,
    input  wire [47:0]  p_exponent,
    input  wire [7:0]   p_nan,
    input  wire [7:0]   p_inf,
    input  wire [31:0]  psum,
    output wire [31:0]  y
);

    reg        nan_q1;
    reg        nan_q2;
    reg        inf_q1;
    reg        inf_q2;
    reg        inf_sign_q1;
    reg        inf_sign_q2;
    reg [42:0] low_sum_q;
    reg [41:0] high_a_q;
    reg [41:0] high_b_q;
    reg [83:0] total_q;
    reg [31:0] y_q;

    wire [5:0] u_leading_zeros_count;
    wire       u_leading_zeros_zero;

    wire [82:0] shl_0 = {{60{p_value[22]}}, p_value[22:0]} << p_exponent[5:0];
    wire [80:0] term0 = shl_0[82:2];
    wire [82:0] shl_1 = {{60{p_value[45]}}, p_value[45:23]} << p_exponent[11:6];
    wire [80:0] term1 = shl_1[82:2];
    wire [82:0] shl_2 = {{60{p_value[68]}}, p_value[68:46]} << p_exponent[17:12];
    wire [80:0] term2 = shl_2[82:2];
    wire [82:0] shl_3 = {{60{p_value[91]}}, p_value[91:69]} << p_exponent[23:18];
    wire [80:0] term3 = shl_3[82:2];
    wire [82:0] shl_4 = {{60{p_value[114]}}, p_value[114:92]} << p_exponent[29:24];
    wire [80:0] term4 = shl_4[82:2];
    wire [82:0] shl_5 = {{60{p_value[137]}}, p_value[137:115]} << p_exponent[35:30];
    wire [80:0] term5 = shl_5[82:2];
    wire [82:0] shl_6 = {{60{p_value[160]}}, p_value[160:138]} << p_exponent[41:36];
    wire [80:0] term6 = shl_6[82:2];
    wire [82:0] shl_7 = {{60{p_value[183]}}, p_value[183:161]} << p_exponent[47:42];
    wire [80:0] term7 = shl_7[82:2];
    wire [83:0] cat_0 = {term0[80] ? 4'd8 : 4'd9, term0[79:0]};
    wire [83:0] zext_0 = {3'd0, ~term1[80], term1[79:0]};
    wire [83:0] zext_1 = {3'd0, ~term2[80], term2[79:0]};
    wire [83:0] zext_2 = {3'd0, ~term3[80], term3[79:0]};
    wire [83:0] zext_3 = {3'd0, ~term4[80], term4[79:0]};
    wire [83:0] zext_4 = {3'd0, ~term5[80], term5[79:0]};
    wire [83:0] zext_5 = {3'd0, ~term6[80], term6[79:0]};
    wire [83:0] zext_6 = {3'd0, ~term7[80], term7[79:0]};
    wire [7:0]  signs = {p_value[183], p_value[160], p_value[137], p_value[114], p_value[91], p_value[68],
        p_value[45], p_value[22]};
    wire        inf_plus = |(p_inf & ~signs);
    wire        inf_minus = |(p_inf & signs);
    wire        nan_now = (|p_nan) | (inf_plus & inf_minus);
    wire        inf_now = inf_plus | inf_minus;
    wire [83:0] csa_half = cat_0 ^ zext_0;
    wire [83:0] csa_sum = csa_half ^ zext_1;
    wire [83:0] csa_carry = (cat_0 & zext_0) | (csa_half & zext_1);
    wire [83:0] cat_1 = {csa_carry[82:0], 1'b0};
    wire [83:0] csa_half_1 = zext_2 ^ zext_3;
    wire [83:0] csa_sum_1 = csa_half_1 ^ zext_4;
    wire [83:0] csa_carry_1 = (zext_2 & zext_3) | (csa_half_1 & zext_4);
    wire [83:0] cat_2 = {csa_carry_1[82:0], 1'b0};
    wire [83:0] csa_half_2 = csa_sum ^ cat_1;
    wire [83:0] csa_sum_2 = csa_half_2 ^ csa_sum_1;
    wire [83:0] csa_carry_2 = (csa_sum & cat_1) | (csa_half_2 & csa_sum_1);
    wire [83:0] cat_3 = {csa_carry_2[82:0], 1'b0};
    wire [83:0] csa_half_3 = cat_2 ^ zext_5;
    wire [83:0] csa_sum_3 = csa_half_3 ^ zext_6;
    wire [83:0] csa_carry_3 = (cat_2 & zext_5) | (csa_half_3 & zext_6);
    wire [83:0] cat_4 = {csa_carry_3[82:0], 1'b0};
    wire [83:0] csa_half_4 = csa_sum_2 ^ cat_3;
    wire [83:0] csa_sum_4 = csa_half_4 ^ csa_sum_3;
    wire [83:0] csa_carry_4 = (csa_sum_2 & cat_3) | (csa_half_4 & csa_sum_3);
    wire [83:0] cat_5 = {csa_carry_4[82:0], 1'b0};
    wire [83:0] csa_half_5 = csa_sum_4 ^ cat_5;
    wire [83:0] csa_sum_5 = csa_half_5 ^ cat_4;
    wire [83:0] csa_carry_5 = (csa_sum_4 & cat_5) | (csa_half_5 & cat_4);
    wire [83:0] cat_6 = {csa_carry_5[82:0], 1'b0};
    wire [83:0] total = {high_a_q + high_b_q + {41'd0, low_sum_q[42]}, low_sum_q[41:0]};
    wire [49:0] above = total_q[83:34] ^ {50{total_q[83]}};
    wire [5:0]  norm_shift = u_leading_zeros_zero ? 6'd49 : u_leading_zeros_count;
    wire [42:0] shifted32 = norm_shift[5] ? total_q[51:9] : total_q[83:41];
    wire [26:0] shifted16 = norm_shift[4] ? shifted32[26:0] : shifted32[42:16];
    wire [18:0] shifted8 = norm_shift[3] ? shifted16[18:0] : shifted16[26:8];
    wire [14:0] shifted4 = norm_shift[2] ? shifted8[14:0] : shifted8[18:4];
    wire [12:0] shifted2 = norm_shift[1] ? shifted4[12:0] : shifted4[14:2];
    wire [11:0] shifted1 = norm_shift[0] ? shifted2[11:0] : shifted2[12:1];
    wire [6:0]  dropped = {shifted2[0] & ~norm_shift[0], (|shifted4[1:0]) & ~norm_shift[1], (|shifted8[3:0])
        & ~norm_shift[2], (|shifted16[7:0]) & ~norm_shift[3], (|shifted32[15:0]) & ~norm_shift[4], (|total_q[40:9])
        & ~norm_shift[5], |total_q[8:0]};
    wire        sticky = |dropped;
    wire [11:0] window = shifted1 ^ {12{total_q[83]}};
    wire        one = total_q[83] & ~sticky;
    wire        round_up = one ? window[0] | window[1] : window[0] & (sticky | window[1]);
    wire [16:0] rounded = {1'b0, 6'd49 - norm_shift, 10'd0} + {6'd0, window[11:1]} + {16'd0, round_up};
    wire        overflow = 7'd31 <= rounded[16:10];
    wire [14:0] finite = (overflow | inf_q2) ? 15'h7c00 : rounded[14:0];
    wire [15:0] fp16 = nan_q2 ? 16'h7e00 : {inf_q2 ? inf_sign_q2 : total_q[83], finite};
    wire [31:0] sum = total_q[31:0] + psum;

    eva_leading_zeros_64 u_leading_zeros (
        .a     ({above, 14'd0}),
        .count (u_leading_zeros_count),
        .zero  (u_leading_zeros_zero)
    );

    always @(posedge aclk) begin
        nan_q1 <= nan_now;
        nan_q2 <= nan_q1;
        inf_q1 <= inf_now;
        inf_q2 <= inf_q1;
        inf_sign_q1 <= inf_minus;
        inf_sign_q2 <= inf_sign_q1;
        low_sum_q <= {1'b0, csa_sum_5[41:0]} + {1'b0, cat_6[41:0]};
        high_a_q <= csa_sum_5[83:42];
        high_b_q <= cat_6[83:42];
        total_q <= total;
        y_q <= int8 ? sum : {2{fp16}};
    end

    assign y = y_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, shl_0[1:0], shl_1[1:0], shl_2[1:0], shl_3[1:0], shl_4[1:0], shl_5[1:0], shl_6[1:0],
        shl_7[1:0], csa_carry[83], csa_carry_1[83], csa_carry_2[83], csa_carry_3[83], csa_carry_4[83],
        csa_carry_5[83]};

endmodule

`default_nettype wire
