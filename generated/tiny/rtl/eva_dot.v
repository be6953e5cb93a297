// eva_dot: Exact sum of the products of one segment of a row: rounded once to FP16, or added to an INT32 sum.
//
//   vq.dim        = 4
//   pipeline.tree = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_dot (
    input  wire        aclk,
    input  wire        int8,
    input  wire [91:0] p_value,
    input  wire [23:0] p_exponent,
    input  wire [3:0]  p_nan,
    input  wire [3:0]  p_inf,
    input  wire [31:0] psum,
    output wire [31:0] y
);

    reg        nan_q;
    reg        inf_q;
    reg        inf_sign_q;
    reg [82:0] total_q;
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
    wire [82:0] cat_0 = {term0[80] ? 3'd4 : 3'd5, term0[79:0]};
    wire [82:0] zext_0 = {2'd0, ~term1[80], term1[79:0]};
    wire [82:0] zext_1 = {2'd0, ~term2[80], term2[79:0]};
    wire [82:0] zext_2 = {2'd0, ~term3[80], term3[79:0]};
    wire [3:0]  signs = {p_value[91], p_value[68], p_value[45], p_value[22]};
    wire        inf_plus = |(p_inf & ~signs);
    wire        inf_minus = |(p_inf & signs);
    wire        nan_now = (|p_nan) | (inf_plus & inf_minus);
    wire        inf_now = inf_plus | inf_minus;
    wire [82:0] csa_half = cat_0 ^ zext_0;
    wire [82:0] csa_sum = csa_half ^ zext_1;
    wire [82:0] csa_carry = (cat_0 & zext_0) | (csa_half & zext_1);
    wire [82:0] cat_1 = {csa_carry[81:0], 1'b0};
    wire [82:0] csa_half_1 = csa_sum ^ cat_1;
    wire [82:0] csa_sum_1 = csa_half_1 ^ zext_2;
    wire [82:0] csa_carry_1 = (csa_sum & cat_1) | (csa_half_1 & zext_2);
    wire [82:0] total = csa_sum_1 + {csa_carry_1[81:0], 1'b0};
    wire [48:0] above = total_q[82:34] ^ {49{total_q[82]}};
    wire [5:0]  norm_shift = u_leading_zeros_zero ? 6'd48 : u_leading_zeros_count;
    wire [42:0] shifted32 = norm_shift[5] ? total_q[50:8] : total_q[82:40];
    wire [26:0] shifted16 = norm_shift[4] ? shifted32[26:0] : shifted32[42:16];
    wire [18:0] shifted8 = norm_shift[3] ? shifted16[18:0] : shifted16[26:8];
    wire [14:0] shifted4 = norm_shift[2] ? shifted8[14:0] : shifted8[18:4];
    wire [12:0] shifted2 = norm_shift[1] ? shifted4[12:0] : shifted4[14:2];
    wire [11:0] shifted1 = norm_shift[0] ? shifted2[11:0] : shifted2[12:1];
    wire [6:0]  dropped = {shifted2[0] & ~norm_shift[0], (|shifted4[1:0]) & ~norm_shift[1], (|shifted8[3:0])
        & ~norm_shift[2], (|shifted16[7:0]) & ~norm_shift[3], (|shifted32[15:0]) & ~norm_shift[4], (|total_q[39:8])
        & ~norm_shift[5], |total_q[7:0]};
    wire        sticky = |dropped;
    wire [11:0] window = shifted1 ^ {12{total_q[82]}};
    wire        one = total_q[82] & ~sticky;
    wire        round_up = one ? window[0] | window[1] : window[0] & (sticky | window[1]);
    wire [16:0] rounded = {1'b0, 6'd48 - norm_shift, 10'd0} + {6'd0, window[11:1]} + {16'd0, round_up};
    wire        overflow = 7'd31 <= rounded[16:10];
    wire [14:0] finite = (overflow | inf_q) ? 15'h7c00 : rounded[14:0];
    wire [15:0] fp16 = nan_q ? 16'h7e00 : {inf_q ? inf_sign_q : total_q[82], finite};
    wire [31:0] sum = total_q[31:0] + psum;

    eva_leading_zeros_64 u_leading_zeros (
        .a     ({above, 15'd0}),
        .count (u_leading_zeros_count),
        .zero  (u_leading_zeros_zero)
    );

    always @(posedge aclk) begin
        nan_q <= nan_now;
        inf_q <= inf_now;
        inf_sign_q <= inf_minus;
        total_q <= total;
        y_q <= int8 ? sum : {2{fp16}};
    end

    assign y = y_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, shl_0[1:0], shl_1[1:0], shl_2[1:0], shl_3[1:0], csa_carry[82], csa_carry_1[82]};

endmodule

`default_nettype wire
