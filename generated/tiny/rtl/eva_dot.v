// eva_dot: Exact sum of the products of one segment of a row, rounded once to FP16.
//
//   vq.dim        = 4
//   pipeline.tree = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_dot (
    input  wire        aclk,
    input  wire [87:0] magnitude,
    input  wire [23:0] exponent,
    input  wire [3:0]  sign,
    input  wire [3:0]  nan,
    input  wire [3:0]  inf,
    output wire [15:0] y
);

    reg        nan_q;
    reg        inf_q;
    reg        inf_sign_q;
    reg [82:0] partial_q;
    reg [82:0] carry_q;
    reg [15:0] y_q;

    wire [5:0] u_leading_zeros_count;
    wire       u_leading_zeros_zero;

    wire [81:0] shl_0 = {60'd0, magnitude[21:0]} << exponent[5:0];
    wire [82:0] term0 = {3'd0, shl_0[81:2]} ^ {83{sign[0]}};
    wire [81:0] shl_1 = {60'd0, magnitude[43:22]} << exponent[11:6];
    wire [82:0] term1 = {3'd0, shl_1[81:2]} ^ {83{sign[1]}};
    wire [81:0] shl_2 = {60'd0, magnitude[65:44]} << exponent[17:12];
    wire [82:0] term2 = {3'd0, shl_2[81:2]} ^ {83{sign[2]}};
    wire [81:0] shl_3 = {60'd0, magnitude[87:66]} << exponent[23:18];
    wire [82:0] term3 = {3'd0, shl_3[81:2]} ^ {83{sign[3]}};
    wire [2:0]  sum_0 = {1'b0, {1'b0, sign[0]} + {1'b0, sign[1]}} + {1'b0, {1'b0, sign[2]} + {1'b0, sign[3]}};
    wire [82:0] zext_0 = {80'd0, sum_0};
    wire        inf_plus = |(inf & ~sign);
    wire        inf_minus = |(inf & sign);
    wire        nan_now = (|nan) | (inf_plus & inf_minus);
    wire        inf_now = inf_plus | inf_minus;
    wire [82:0] csa_half = term0 ^ term1;
    wire [82:0] csa_sum = csa_half ^ term2;
    wire [82:0] csa_carry = (term0 & term1) | (csa_half & term2);
    wire [82:0] cat_0 = {csa_carry[81:0], 1'b0};
    wire [82:0] csa_half_1 = csa_sum ^ cat_0;
    wire [82:0] csa_sum_1 = csa_half_1 ^ term3;
    wire [82:0] csa_carry_1 = (csa_sum & cat_0) | (csa_half_1 & term3);
    wire [82:0] cat_1 = {csa_carry_1[81:0], 1'b0};
    wire [82:0] csa_half_2 = csa_sum_1 ^ cat_1;
    wire [82:0] csa_sum_2 = csa_half_2 ^ zext_0;
    wire [82:0] csa_carry_2 = (csa_sum_1 & cat_1) | (csa_half_2 & zext_0);
    wire [82:0] total = partial_q + carry_q;
    wire [82:0] size = (total ^ {83{total[82]}}) + {82'd0, total[82]};
    wire [5:0]  norm_shift = u_leading_zeros_zero ? 6'd48 : u_leading_zeros_count;
    wire [82:0] round_window = size << norm_shift;
    wire        round_up = round_window[71] & ((|round_window[70:0]) | round_window[72]);
    wire [16:0] rounded = {1'b0, 6'd48 - norm_shift, 10'd0} + {6'd0, round_window[82:72]} + {16'd0, round_up};
    wire        overflow = 7'd31 <= rounded[16:10];
    wire [15:0] cat_2 = {inf_q ? inf_sign_q : total[82], (overflow | inf_q) ? 15'h7c00 : rounded[14:0]};

    eva_leading_zeros_64 u_leading_zeros (
        .a     ({size[82:34], 15'd0}),
        .count (u_leading_zeros_count),
        .zero  (u_leading_zeros_zero)
    );

    always @(posedge aclk) begin
        nan_q <= nan_now;
        inf_q <= inf_now;
        inf_sign_q <= inf_minus;
        partial_q <= csa_sum_2;
        carry_q <= {csa_carry_2[81:0], 1'b0};
        y_q <= nan_q ? 16'h7e00 : cat_2;
    end

    assign y = y_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, shl_0[1:0], shl_1[1:0], shl_2[1:0], shl_3[1:0], csa_carry[82], csa_carry_1[82],
        csa_carry_2[82]};

endmodule

`default_nettype wire
