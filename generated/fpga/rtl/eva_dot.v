// eva_dot: Exact sum of the products of one segment of a row, rounded once to FP16.
//
//   vq.dim        = 8
//   pipeline.tree = 4
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_dot (
    input  wire         aclk,
    input  wire [175:0] magnitude,
    input  wire [47:0]  exponent,
    input  wire [7:0]   sign,
    input  wire [7:0]   nan,
    input  wire [7:0]   inf,
    output wire [15:0]  y
);

    reg [83:0] term0_q;
    reg [83:0] term1_q;
    reg [83:0] term2_q;
    reg [83:0] term3_q;
    reg [83:0] term4_q;
    reg [83:0] term5_q;
    reg [83:0] term6_q;
    reg [83:0] term7_q;
    reg [3:0]  negatives_q;
    reg        nan_q1;
    reg        nan_q2;
    reg        nan_q3;
    reg        nan_q4;
    reg        inf_q1;
    reg        inf_q2;
    reg        inf_q3;
    reg        inf_q4;
    reg        inf_sign_q1;
    reg        inf_sign_q2;
    reg        inf_sign_q3;
    reg        inf_sign_q4;
    reg [83:0] partial_q;
    reg [83:0] carry_q;
    reg [83:0] total_q;
    reg        negative_q;
    reg [83:0] size_q;
    reg [15:0] y_q;

    wire [5:0] u_leading_zeros_count;
    wire       u_leading_zeros_zero;

    wire [81:0] shl_0 = {60'd0, magnitude[21:0]} << exponent[5:0];
    wire [83:0] term0 = {4'd0, shl_0[81:2]} ^ {84{sign[0]}};
    wire [81:0] shl_1 = {60'd0, magnitude[43:22]} << exponent[11:6];
    wire [83:0] term1 = {4'd0, shl_1[81:2]} ^ {84{sign[1]}};
    wire [81:0] shl_2 = {60'd0, magnitude[65:44]} << exponent[17:12];
    wire [83:0] term2 = {4'd0, shl_2[81:2]} ^ {84{sign[2]}};
    wire [81:0] shl_3 = {60'd0, magnitude[87:66]} << exponent[23:18];
    wire [83:0] term3 = {4'd0, shl_3[81:2]} ^ {84{sign[3]}};
    wire [81:0] shl_4 = {60'd0, magnitude[109:88]} << exponent[29:24];
    wire [83:0] term4 = {4'd0, shl_4[81:2]} ^ {84{sign[4]}};
    wire [81:0] shl_5 = {60'd0, magnitude[131:110]} << exponent[35:30];
    wire [83:0] term5 = {4'd0, shl_5[81:2]} ^ {84{sign[5]}};
    wire [81:0] shl_6 = {60'd0, magnitude[153:132]} << exponent[41:36];
    wire [83:0] term6 = {4'd0, shl_6[81:2]} ^ {84{sign[6]}};
    wire [81:0] shl_7 = {60'd0, magnitude[175:154]} << exponent[47:42];
    wire [83:0] term7 = {4'd0, shl_7[81:2]} ^ {84{sign[7]}};
    wire [2:0]  sum_0 = {1'b0, {1'b0, sign[0]} + {1'b0, sign[1]}} + {1'b0, {1'b0, sign[2]} + {1'b0, sign[3]}};
    wire [2:0]  sum_1 = {1'b0, {1'b0, sign[4]} + {1'b0, sign[5]}} + {1'b0, {1'b0, sign[6]} + {1'b0, sign[7]}};
    wire [83:0] zext_0 = {80'd0, negatives_q};
    wire        inf_plus = |(inf & ~sign);
    wire        inf_minus = |(inf & sign);
    wire        nan_now = (|nan) | (inf_plus & inf_minus);
    wire        inf_now = inf_plus | inf_minus;
    wire [83:0] csa_half = term0_q ^ term1_q;
    wire [83:0] csa_sum = csa_half ^ term2_q;
    wire [83:0] csa_carry = (term0_q & term1_q) | (csa_half & term2_q);
    wire [83:0] cat_0 = {csa_carry[82:0], 1'b0};
    wire [83:0] csa_half_1 = term3_q ^ term4_q;
    wire [83:0] csa_sum_1 = csa_half_1 ^ term5_q;
    wire [83:0] csa_carry_1 = (term3_q & term4_q) | (csa_half_1 & term5_q);
    wire [83:0] cat_1 = {csa_carry_1[82:0], 1'b0};
    wire [83:0] csa_half_2 = term6_q ^ term7_q;
    wire [83:0] csa_sum_2 = csa_half_2 ^ zext_0;
    wire [83:0] csa_carry_2 = (term6_q & term7_q) | (csa_half_2 & zext_0);
    wire [83:0] cat_2 = {csa_carry_2[82:0], 1'b0};
    wire [83:0] csa_half_3 = csa_sum ^ cat_0;
    wire [83:0] csa_sum_3 = csa_half_3 ^ csa_sum_1;
    wire [83:0] csa_carry_3 = (csa_sum & cat_0) | (csa_half_3 & csa_sum_1);
    wire [83:0] cat_3 = {csa_carry_3[82:0], 1'b0};
    wire [83:0] csa_half_4 = cat_1 ^ csa_sum_2;
    wire [83:0] csa_sum_4 = csa_half_4 ^ cat_2;
    wire [83:0] csa_carry_4 = (cat_1 & csa_sum_2) | (csa_half_4 & cat_2);
    wire [83:0] cat_4 = {csa_carry_4[82:0], 1'b0};
    wire [83:0] csa_half_5 = csa_sum_3 ^ cat_3;
    wire [83:0] csa_sum_5 = csa_half_5 ^ csa_sum_4;
    wire [83:0] csa_carry_5 = (csa_sum_3 & cat_3) | (csa_half_5 & csa_sum_4);
    wire [83:0] cat_5 = {csa_carry_5[82:0], 1'b0};
    wire [83:0] csa_half_6 = csa_sum_5 ^ cat_5;
    wire [83:0] csa_sum_6 = csa_half_6 ^ cat_4;
    wire [83:0] csa_carry_6 = (csa_sum_5 & cat_5) | (csa_half_6 & cat_4);
    wire [83:0] total = partial_q + carry_q;
    wire [83:0] size = (total_q ^ {84{total_q[83]}}) + {83'd0, total_q[83]};
    wire [5:0]  norm_shift = u_leading_zeros_zero ? 6'd49 : u_leading_zeros_count;
    wire [83:0] round_window = size_q << norm_shift;
    wire        round_up = round_window[72] & ((|round_window[71:0]) | round_window[73]);
    wire [16:0] rounded = {1'b0, 6'd49 - norm_shift, 10'd0} + {6'd0, round_window[83:73]} + {16'd0, round_up};
    wire        overflow = 7'd31 <= rounded[16:10];
    wire [15:0] cat_6 = {inf_q4 ? inf_sign_q4 : negative_q, (overflow | inf_q4) ? 15'h7c00 : rounded[14:0]};

    eva_leading_zeros_64 u_leading_zeros (
        .a     ({size_q[83:34], 14'd0}),
        .count (u_leading_zeros_count),
        .zero  (u_leading_zeros_zero)
    );

    always @(posedge aclk) begin
        term0_q <= term0;
        term1_q <= term1;
        term2_q <= term2;
        term3_q <= term3;
        term4_q <= term4;
        term5_q <= term5;
        term6_q <= term6;
        term7_q <= term7;
        negatives_q <= {1'b0, sum_0} + {1'b0, sum_1};
        nan_q1 <= nan_now;
        nan_q2 <= nan_q1;
        nan_q3 <= nan_q2;
        nan_q4 <= nan_q3;
        inf_q1 <= inf_now;
        inf_q2 <= inf_q1;
        inf_q3 <= inf_q2;
        inf_q4 <= inf_q3;
        inf_sign_q1 <= inf_minus;
        inf_sign_q2 <= inf_sign_q1;
        inf_sign_q3 <= inf_sign_q2;
        inf_sign_q4 <= inf_sign_q3;
        partial_q <= csa_sum_6;
        carry_q <= {csa_carry_6[82:0], 1'b0};
        total_q <= total;
        negative_q <= total_q[83];
        size_q <= size;
        y_q <= nan_q4 ? 16'h7e00 : cat_6;
    end

    assign y = y_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, shl_0[1:0], shl_1[1:0], shl_2[1:0], shl_3[1:0], shl_4[1:0], shl_5[1:0], shl_6[1:0],
        shl_7[1:0], csa_carry[83], csa_carry_1[83], csa_carry_2[83], csa_carry_3[83], csa_carry_4[83],
        csa_carry_5[83], csa_carry_6[83]};

endmodule

`default_nettype wire
