// eva_epilogue_unit: Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they
// hold.
//
//   lookups           = 8
//   vq.index_bits     = 8
//   pipeline.epilogue = 3
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_epilogue_unit (
    input  wire         aclk,
    input  wire [1:0]   number,
    input  wire [7:0]   in_valid,
    input  wire [63:0]  in_index,
    input  wire [15:0]  in_pass,
    input  wire [7:0]   in_half,
    input  wire [127:0] in_y,
    input  wire [63:0]  index,
    input  wire         half,
    input  wire         valid,
    output wire [43:0]  sum_value,
    output wire         sum_nan,
    output wire         sum_inf_plus,
    output wire         sum_inf_minus
);

    reg [43:0] partial_q;
    reg [43:0] carry_q;
    reg [43:0] value;
    reg        nan_q1;
    reg        nan_q2;
    reg        inf_plus_q1;
    reg        inf_plus_q2;
    reg        inf_minus_q1;
    reg        inf_minus_q2;

    wire [40:0] u_bank0_out_term;
    wire        u_bank0_out_negative;
    wire        u_bank0_out_nan;
    wire        u_bank0_out_inf_plus;
    wire        u_bank0_out_inf_minus;
    wire [40:0] u_bank1_out_term;
    wire        u_bank1_out_negative;
    wire        u_bank1_out_nan;
    wire        u_bank1_out_inf_plus;
    wire        u_bank1_out_inf_minus;
    wire [40:0] u_bank2_out_term;
    wire        u_bank2_out_negative;
    wire        u_bank2_out_nan;
    wire        u_bank2_out_inf_plus;
    wire        u_bank2_out_inf_minus;
    wire [40:0] u_bank3_out_term;
    wire        u_bank3_out_negative;
    wire        u_bank3_out_nan;
    wire        u_bank3_out_inf_plus;
    wire        u_bank3_out_inf_minus;
    wire [40:0] u_bank4_out_term;
    wire        u_bank4_out_negative;
    wire        u_bank4_out_nan;
    wire        u_bank4_out_inf_plus;
    wire        u_bank4_out_inf_minus;
    wire [40:0] u_bank5_out_term;
    wire        u_bank5_out_negative;
    wire        u_bank5_out_nan;
    wire        u_bank5_out_inf_plus;
    wire        u_bank5_out_inf_minus;
    wire [40:0] u_bank6_out_term;
    wire        u_bank6_out_negative;
    wire        u_bank6_out_nan;
    wire        u_bank6_out_inf_plus;
    wire        u_bank6_out_inf_minus;
    wire [40:0] u_bank7_out_term;
    wire        u_bank7_out_negative;
    wire        u_bank7_out_nan;
    wire        u_bank7_out_inf_plus;
    wire        u_bank7_out_inf_minus;

    wire [2:0]  zext_0 = {1'b0, {1'b0, u_bank0_out_negative} + {1'b0, u_bank1_out_negative}};
    wire [2:0]  zext_1 = {1'b0, {1'b0, u_bank2_out_negative} + {1'b0, u_bank3_out_negative}};
    wire [2:0]  zext_2 = {1'b0, {1'b0, u_bank4_out_negative} + {1'b0, u_bank5_out_negative}};
    wire [2:0]  zext_3 = {1'b0, {1'b0, u_bank6_out_negative} + {1'b0, u_bank7_out_negative}};
    wire [3:0]  negatives = {1'b0, zext_0 + zext_1} + {1'b0, zext_2 + zext_3};
    wire [43:0] zext_4 = {40'd0, negatives};
    wire [43:0] sext_0 = {{3{u_bank0_out_term[40]}}, u_bank0_out_term};
    wire [43:0] sext_1 = {{3{u_bank1_out_term[40]}}, u_bank1_out_term};
    wire [43:0] sext_2 = {{3{u_bank2_out_term[40]}}, u_bank2_out_term};
    wire [43:0] sext_3 = {{3{u_bank3_out_term[40]}}, u_bank3_out_term};
    wire [43:0] sext_4 = {{3{u_bank4_out_term[40]}}, u_bank4_out_term};
    wire [43:0] sext_5 = {{3{u_bank5_out_term[40]}}, u_bank5_out_term};
    wire [43:0] sext_6 = {{3{u_bank6_out_term[40]}}, u_bank6_out_term};
    wire [43:0] sext_7 = {{3{u_bank7_out_term[40]}}, u_bank7_out_term};
    wire [43:0] csa_half = sext_0 ^ sext_1;
    wire [43:0] csa_sum = csa_half ^ sext_2;
    wire [43:0] csa_carry = (sext_0 & sext_1) | (csa_half & sext_2);
    wire [43:0] cat_0 = {csa_carry[42:0], 1'b0};
    wire [43:0] csa_half_1 = sext_3 ^ sext_4;
    wire [43:0] csa_sum_1 = csa_half_1 ^ sext_5;
    wire [43:0] csa_carry_1 = (sext_3 & sext_4) | (csa_half_1 & sext_5);
    wire [43:0] cat_1 = {csa_carry_1[42:0], 1'b0};
    wire [43:0] csa_half_2 = sext_6 ^ sext_7;
    wire [43:0] csa_sum_2 = csa_half_2 ^ zext_4;
    wire [43:0] csa_carry_2 = (sext_6 & sext_7) | (csa_half_2 & zext_4);
    wire [43:0] cat_2 = {csa_carry_2[42:0], 1'b0};
    wire [43:0] csa_half_3 = csa_sum ^ cat_0;
    wire [43:0] csa_sum_3 = csa_half_3 ^ csa_sum_1;
    wire [43:0] csa_carry_3 = (csa_sum & cat_0) | (csa_half_3 & csa_sum_1);
    wire [43:0] cat_3 = {csa_carry_3[42:0], 1'b0};
    wire [43:0] csa_half_4 = cat_1 ^ csa_sum_2;
    wire [43:0] csa_sum_4 = csa_half_4 ^ cat_2;
    wire [43:0] csa_carry_4 = (cat_1 & csa_sum_2) | (csa_half_4 & cat_2);
    wire [43:0] cat_4 = {csa_carry_4[42:0], 1'b0};
    wire [43:0] csa_half_5 = csa_sum_3 ^ cat_3;
    wire [43:0] csa_sum_5 = csa_half_5 ^ csa_sum_4;
    wire [43:0] csa_carry_5 = (csa_sum_3 & cat_3) | (csa_half_5 & csa_sum_4);
    wire [43:0] cat_5 = {csa_carry_5[42:0], 1'b0};
    wire [43:0] csa_half_6 = csa_sum_5 ^ cat_5;
    wire [43:0] csa_sum_6 = csa_half_6 ^ cat_4;
    wire [43:0] csa_carry_6 = (csa_sum_5 & cat_5) | (csa_half_6 & cat_4);
    wire [7:0]  cat_6 = {u_bank7_out_nan, u_bank6_out_nan, u_bank5_out_nan, u_bank4_out_nan, u_bank3_out_nan,
        u_bank2_out_nan, u_bank1_out_nan, u_bank0_out_nan};
    wire [7:0]  cat_7 = {u_bank7_out_inf_plus, u_bank6_out_inf_plus, u_bank5_out_inf_plus, u_bank4_out_inf_plus,
        u_bank3_out_inf_plus, u_bank2_out_inf_plus, u_bank1_out_inf_plus, u_bank0_out_inf_plus};
    wire [7:0]  cat_8 = {u_bank7_out_inf_minus, u_bank6_out_inf_minus, u_bank5_out_inf_minus,
        u_bank4_out_inf_minus, u_bank3_out_inf_minus, u_bank2_out_inf_minus, u_bank1_out_inf_minus,
        u_bank0_out_inf_minus};

    eva_oc_bank u_bank0 (
        .aclk          (aclk),
        .write_enable  (in_valid[0] & (in_pass[1:0] == number)),
        .write_address ({in_half[0], in_index[7:0]}),
        .write_data    (in_y[15:0]),
        .read_enable   (valid),
        .read_address  ({half, index[7:0]}),
        .out_term      (u_bank0_out_term),
        .out_negative  (u_bank0_out_negative),
        .out_nan       (u_bank0_out_nan),
        .out_inf_plus  (u_bank0_out_inf_plus),
        .out_inf_minus (u_bank0_out_inf_minus)
    );

    eva_oc_bank u_bank1 (
        .aclk          (aclk),
        .write_enable  (in_valid[1] & (in_pass[3:2] == number)),
        .write_address ({in_half[1], in_index[15:8]}),
        .write_data    (in_y[31:16]),
        .read_enable   (valid),
        .read_address  ({half, index[15:8]}),
        .out_term      (u_bank1_out_term),
        .out_negative  (u_bank1_out_negative),
        .out_nan       (u_bank1_out_nan),
        .out_inf_plus  (u_bank1_out_inf_plus),
        .out_inf_minus (u_bank1_out_inf_minus)
    );

    eva_oc_bank u_bank2 (
        .aclk          (aclk),
        .write_enable  (in_valid[2] & (in_pass[5:4] == number)),
        .write_address ({in_half[2], in_index[23:16]}),
        .write_data    (in_y[47:32]),
        .read_enable   (valid),
        .read_address  ({half, index[23:16]}),
        .out_term      (u_bank2_out_term),
        .out_negative  (u_bank2_out_negative),
        .out_nan       (u_bank2_out_nan),
        .out_inf_plus  (u_bank2_out_inf_plus),
        .out_inf_minus (u_bank2_out_inf_minus)
    );

    eva_oc_bank u_bank3 (
        .aclk          (aclk),
        .write_enable  (in_valid[3] & (in_pass[7:6] == number)),
        .write_address ({in_half[3], in_index[31:24]}),
        .write_data    (in_y[63:48]),
        .read_enable   (valid),
        .read_address  ({half, index[31:24]}),
        .out_term      (u_bank3_out_term),
        .out_negative  (u_bank3_out_negative),
        .out_nan       (u_bank3_out_nan),
        .out_inf_plus  (u_bank3_out_inf_plus),
        .out_inf_minus (u_bank3_out_inf_minus)
    );

    eva_oc_bank u_bank4 (
        .aclk          (aclk),
        .write_enable  (in_valid[4] & (in_pass[9:8] == number)),
        .write_address ({in_half[4], in_index[39:32]}),
        .write_data    (in_y[79:64]),
        .read_enable   (valid),
        .read_address  ({half, index[39:32]}),
        .out_term      (u_bank4_out_term),
        .out_negative  (u_bank4_out_negative),
        .out_nan       (u_bank4_out_nan),
        .out_inf_plus  (u_bank4_out_inf_plus),
        .out_inf_minus (u_bank4_out_inf_minus)
    );

    eva_oc_bank u_bank5 (
        .aclk          (aclk),
        .write_enable  (in_valid[5] & (in_pass[11:10] == number)),
        .write_address ({in_half[5], in_index[47:40]}),
        .write_data    (in_y[95:80]),
        .read_enable   (valid),
        .read_address  ({half, index[47:40]}),
        .out_term      (u_bank5_out_term),
        .out_negative  (u_bank5_out_negative),
        .out_nan       (u_bank5_out_nan),
        .out_inf_plus  (u_bank5_out_inf_plus),
        .out_inf_minus (u_bank5_out_inf_minus)
    );

    eva_oc_bank u_bank6 (
        .aclk          (aclk),
        .write_enable  (in_valid[6] & (in_pass[13:12] == number)),
        .write_address ({in_half[6], in_index[55:48]}),
        .write_data    (in_y[111:96]),
        .read_enable   (valid),
        .read_address  ({half, index[55:48]}),
        .out_term      (u_bank6_out_term),
        .out_negative  (u_bank6_out_negative),
        .out_nan       (u_bank6_out_nan),
        .out_inf_plus  (u_bank6_out_inf_plus),
        .out_inf_minus (u_bank6_out_inf_minus)
    );

    eva_oc_bank u_bank7 (
        .aclk          (aclk),
        .write_enable  (in_valid[7] & (in_pass[15:14] == number)),
        .write_address ({in_half[7], in_index[63:56]}),
        .write_data    (in_y[127:112]),
        .read_enable   (valid),
        .read_address  ({half, index[63:56]}),
        .out_term      (u_bank7_out_term),
        .out_negative  (u_bank7_out_negative),
        .out_nan       (u_bank7_out_nan),
        .out_inf_plus  (u_bank7_out_inf_plus),
        .out_inf_minus (u_bank7_out_inf_minus)
    );

    always @(posedge aclk) begin
        partial_q <= csa_sum_6;
        carry_q <= {csa_carry_6[42:0], 1'b0};
        value <= partial_q + carry_q;
        nan_q1 <= |cat_6;
        nan_q2 <= nan_q1;
        inf_plus_q1 <= |cat_7;
        inf_plus_q2 <= inf_plus_q1;
        inf_minus_q1 <= |cat_8;
        inf_minus_q2 <= inf_minus_q1;
    end

    assign sum_value = value;
    assign sum_nan = nan_q2;
    assign sum_inf_plus = inf_plus_q2;
    assign sum_inf_minus = inf_minus_q2;

    // Bits that nothing reads.
    wire unused = &{1'b0, csa_carry[43], csa_carry_1[43], csa_carry_2[43], csa_carry_3[43], csa_carry_4[43],
        csa_carry_5[43], csa_carry_6[43]};

endmodule

`default_nettype wire
