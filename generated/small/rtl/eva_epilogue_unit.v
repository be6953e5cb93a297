// eva_epilogue_unit: Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they
// hold.
//
//   lookups           = 8
//   vq.index_bits     = 8
//   pipeline.epilogue = 2
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_epilogue_unit (
    input  wire         aclk,
    input  wire         int8,
    input  wire [1:0]   number,
    input  wire [7:0]   in_valid,
    input  wire [63:0]  in_index,
    input  wire [15:0]  in_pass,
    input  wire [7:0]   in_half,
    input  wire [255:0] in_y,
    input  wire [7:0]   read_valid,
    input  wire [63:0]  read_index,
    input  wire [15:0]  read_pass,
    input  wire [7:0]   read_first,
    input  wire [63:0]  index,
    input  wire         half,
    input  wire         valid,
    output wire [255:0] psum,
    output wire [43:0]  sum_value,
    output wire         sum_nan,
    output wire         sum_inf_plus,
    output wire         sum_inf_minus
);

    reg        int8_q;
    reg        own0;
    reg        own1;
    reg        own2;
    reg        own3;
    reg        own4;
    reg        own5;
    reg        own6;
    reg        own7;
    reg [43:0] partial_q;
    reg [43:0] carry_q;
    reg [43:0] value;
    reg        nan_q1;
    reg        nan_q2;
    reg        inf_plus_q1;
    reg        inf_plus_q2;
    reg        inf_minus_q1;
    reg        inf_minus_q2;

    wire [31:0] u_bank0_psum;
    wire [40:0] u_bank0_out_term;
    wire        u_bank0_out_nan;
    wire        u_bank0_out_inf_plus;
    wire        u_bank0_out_inf_minus;
    wire [31:0] u_bank1_psum;
    wire [40:0] u_bank1_out_term;
    wire        u_bank1_out_nan;
    wire        u_bank1_out_inf_plus;
    wire        u_bank1_out_inf_minus;
    wire [31:0] u_bank2_psum;
    wire [40:0] u_bank2_out_term;
    wire        u_bank2_out_nan;
    wire        u_bank2_out_inf_plus;
    wire        u_bank2_out_inf_minus;
    wire [31:0] u_bank3_psum;
    wire [40:0] u_bank3_out_term;
    wire        u_bank3_out_nan;
    wire        u_bank3_out_inf_plus;
    wire        u_bank3_out_inf_minus;
    wire [31:0] u_bank4_psum;
    wire [40:0] u_bank4_out_term;
    wire        u_bank4_out_nan;
    wire        u_bank4_out_inf_plus;
    wire        u_bank4_out_inf_minus;
    wire [31:0] u_bank5_psum;
    wire [40:0] u_bank5_out_term;
    wire        u_bank5_out_nan;
    wire        u_bank5_out_inf_plus;
    wire        u_bank5_out_inf_minus;
    wire [31:0] u_bank6_psum;
    wire [40:0] u_bank6_out_term;
    wire        u_bank6_out_nan;
    wire        u_bank6_out_inf_plus;
    wire        u_bank6_out_inf_minus;
    wire [31:0] u_bank7_psum;
    wire [40:0] u_bank7_out_term;
    wire        u_bank7_out_nan;
    wire        u_bank7_out_inf_plus;
    wire        u_bank7_out_inf_minus;

    wire [1:0]  looked_up = {valid & half, valid & ~half};
    wire        sum0 = read_valid[0] & (read_pass[1:0] == number) & ~read_first[0];
    wire        sum1 = read_valid[1] & (read_pass[3:2] == number) & ~read_first[1];
    wire        sum2 = read_valid[2] & (read_pass[5:4] == number) & ~read_first[2];
    wire        sum3 = read_valid[3] & (read_pass[7:6] == number) & ~read_first[3];
    wire        sum4 = read_valid[4] & (read_pass[9:8] == number) & ~read_first[4];
    wire        sum5 = read_valid[5] & (read_pass[11:10] == number) & ~read_first[5];
    wire        sum6 = read_valid[6] & (read_pass[13:12] == number) & ~read_first[6];
    wire        sum7 = read_valid[7] & (read_pass[15:14] == number) & ~read_first[7];
    assign psum = {u_bank7_psum & {32{own7}}, u_bank6_psum & {32{own6}}, u_bank5_psum & {32{own5}}, u_bank4_psum
        & {32{own4}}, u_bank3_psum & {32{own3}}, u_bank2_psum & {32{own2}}, u_bank1_psum & {32{own1}}, u_bank0_psum
        & {32{own0}}};
    wire [43:0] cat_0 = {u_bank0_out_term[40] ? 4'd8 : 4'd9, u_bank0_out_term[39:0]};
    wire [43:0] zext_0 = {3'd0, ~u_bank1_out_term[40], u_bank1_out_term[39:0]};
    wire [43:0] zext_1 = {3'd0, ~u_bank2_out_term[40], u_bank2_out_term[39:0]};
    wire [43:0] zext_2 = {3'd0, ~u_bank3_out_term[40], u_bank3_out_term[39:0]};
    wire [43:0] zext_3 = {3'd0, ~u_bank4_out_term[40], u_bank4_out_term[39:0]};
    wire [43:0] zext_4 = {3'd0, ~u_bank5_out_term[40], u_bank5_out_term[39:0]};
    wire [43:0] zext_5 = {3'd0, ~u_bank6_out_term[40], u_bank6_out_term[39:0]};
    wire [43:0] zext_6 = {3'd0, ~u_bank7_out_term[40], u_bank7_out_term[39:0]};
    wire [43:0] csa_half = cat_0 ^ zext_0;
    wire [43:0] csa_sum = csa_half ^ zext_1;
    wire [43:0] csa_carry = (cat_0 & zext_0) | (csa_half & zext_1);
    wire [43:0] cat_1 = {csa_carry[42:0], 1'b0};
    wire [43:0] csa_half_1 = zext_2 ^ zext_3;
    wire [43:0] csa_sum_1 = csa_half_1 ^ zext_4;
    wire [43:0] csa_carry_1 = (zext_2 & zext_3) | (csa_half_1 & zext_4);
    wire [43:0] cat_2 = {csa_carry_1[42:0], 1'b0};
    wire [43:0] csa_half_2 = csa_sum ^ cat_1;
    wire [43:0] csa_sum_2 = csa_half_2 ^ csa_sum_1;
    wire [43:0] csa_carry_2 = (csa_sum & cat_1) | (csa_half_2 & csa_sum_1);
    wire [43:0] cat_3 = {csa_carry_2[42:0], 1'b0};
    wire [43:0] csa_half_3 = cat_2 ^ zext_5;
    wire [43:0] csa_sum_3 = csa_half_3 ^ zext_6;
    wire [43:0] csa_carry_3 = (cat_2 & zext_5) | (csa_half_3 & zext_6);
    wire [43:0] cat_4 = {csa_carry_3[42:0], 1'b0};
    wire [43:0] csa_half_4 = csa_sum_2 ^ cat_3;
    wire [43:0] csa_sum_4 = csa_half_4 ^ csa_sum_3;
    wire [43:0] csa_carry_4 = (csa_sum_2 & cat_3) | (csa_half_4 & csa_sum_3);
    wire [43:0] cat_5 = {csa_carry_4[42:0], 1'b0};
    wire [43:0] csa_half_5 = csa_sum_4 ^ cat_5;
    wire [43:0] csa_sum_5 = csa_half_5 ^ cat_4;
    wire [43:0] csa_carry_5 = (csa_sum_4 & cat_5) | (csa_half_5 & cat_4);
    wire [7:0]  cat_6 = {u_bank7_out_nan, u_bank6_out_nan, u_bank5_out_nan, u_bank4_out_nan, u_bank3_out_nan,
        u_bank2_out_nan, u_bank1_out_nan, u_bank0_out_nan};
    wire [7:0]  cat_7 = {u_bank7_out_inf_plus, u_bank6_out_inf_plus, u_bank5_out_inf_plus, u_bank4_out_inf_plus,
        u_bank3_out_inf_plus, u_bank2_out_inf_plus, u_bank1_out_inf_plus, u_bank0_out_inf_plus};
    wire [7:0]  cat_8 = {u_bank7_out_inf_minus, u_bank6_out_inf_minus, u_bank5_out_inf_minus,
        u_bank4_out_inf_minus, u_bank3_out_inf_minus, u_bank2_out_inf_minus, u_bank1_out_inf_minus,
        u_bank0_out_inf_minus};
    wire [1:0]  and_0 = {int8_q | in_half[0], int8_q | ~in_half[0]} & {2{in_valid[0] & (in_pass[1:0] == number)}};
    wire [1:0]  and_1 = {int8_q | in_half[1], int8_q | ~in_half[1]} & {2{in_valid[1] & (in_pass[3:2] == number)}};
    wire [1:0]  and_2 = {int8_q | in_half[2], int8_q | ~in_half[2]} & {2{in_valid[2] & (in_pass[5:4] == number)}};
    wire [1:0]  and_3 = {int8_q | in_half[3], int8_q | ~in_half[3]} & {2{in_valid[3] & (in_pass[7:6] == number)}};
    wire [1:0]  and_4 = {int8_q | in_half[4], int8_q | ~in_half[4]} & {2{in_valid[4] & (in_pass[9:8] == number)}};
    wire [1:0]  and_5 = {int8_q | in_half[5], int8_q | ~in_half[5]} & {2{in_valid[5] & (in_pass[11:10] == number)}};
    wire [1:0]  and_6 = {int8_q | in_half[6], int8_q | ~in_half[6]} & {2{in_valid[6] & (in_pass[13:12] == number)}};
    wire [1:0]  and_7 = {int8_q | in_half[7], int8_q | ~in_half[7]} & {2{in_valid[7] & (in_pass[15:14] == number)}};

    eva_oc_bank u_bank0 (
        .aclk          (aclk),
        .write_enable  (and_0),
        .write_address (in_index[7:0]),
        .write_data    (in_y[31:0]),
        .read_enable   (int8_q ? {2{sum0}} : looked_up),
        .read_address  (int8_q ? read_index[7:0] : index[7:0]),
        .read_half     (half),
        .psum          (u_bank0_psum),
        .out_term      (u_bank0_out_term),
        .out_nan       (u_bank0_out_nan),
        .out_inf_plus  (u_bank0_out_inf_plus),
        .out_inf_minus (u_bank0_out_inf_minus)
    );

    eva_oc_bank u_bank1 (
        .aclk          (aclk),
        .write_enable  (and_1),
        .write_address (in_index[15:8]),
        .write_data    (in_y[63:32]),
        .read_enable   (int8_q ? {2{sum1}} : looked_up),
        .read_address  (int8_q ? read_index[15:8] : index[15:8]),
        .read_half     (half),
        .psum          (u_bank1_psum),
        .out_term      (u_bank1_out_term),
        .out_nan       (u_bank1_out_nan),
        .out_inf_plus  (u_bank1_out_inf_plus),
        .out_inf_minus (u_bank1_out_inf_minus)
    );

    eva_oc_bank u_bank2 (
        .aclk          (aclk),
        .write_enable  (and_2),
        .write_address (in_index[23:16]),
        .write_data    (in_y[95:64]),
        .read_enable   (int8_q ? {2{sum2}} : looked_up),
        .read_address  (int8_q ? read_index[23:16] : index[23:16]),
        .read_half     (half),
        .psum          (u_bank2_psum),
        .out_term      (u_bank2_out_term),
        .out_nan       (u_bank2_out_nan),
        .out_inf_plus  (u_bank2_out_inf_plus),
        .out_inf_minus (u_bank2_out_inf_minus)
    );

    eva_oc_bank u_bank3 (
        .aclk          (aclk),
        .write_enable  (and_3),
        .write_address (in_index[31:24]),
        .write_data    (in_y[127:96]),
        .read_enable   (int8_q ? {2{sum3}} : looked_up),
        .read_address  (int8_q ? read_index[31:24] : index[31:24]),
        .read_half     (half),
        .psum          (u_bank3_psum),
        .out_term      (u_bank3_out_term),
        .out_nan       (u_bank3_out_nan),
        .out_inf_plus  (u_bank3_out_inf_plus),
        .out_inf_minus (u_bank3_out_inf_minus)
    );

    eva_oc_bank u_bank4 (
        .aclk          (aclk),
        .write_enable  (and_4),
        .write_address (in_index[39:32]),
        .write_data    (in_y[159:128]),
        .read_enable   (int8_q ? {2{sum4}} : looked_up),
        .read_address  (int8_q ? read_index[39:32] : index[39:32]),
        .read_half     (half),
        .psum          (u_bank4_psum),
        .out_term      (u_bank4_out_term),
        .out_nan       (u_bank4_out_nan),
        .out_inf_plus  (u_bank4_out_inf_plus),
        .out_inf_minus (u_bank4_out_inf_minus)
    );

    eva_oc_bank u_bank5 (
        .aclk          (aclk),
        .write_enable  (and_5),
        .write_address (in_index[47:40]),
        .write_data    (in_y[191:160]),
        .read_enable   (int8_q ? {2{sum5}} : looked_up),
        .read_address  (int8_q ? read_index[47:40] : index[47:40]),
        .read_half     (half),
        .psum          (u_bank5_psum),
        .out_term      (u_bank5_out_term),
        .out_nan       (u_bank5_out_nan),
        .out_inf_plus  (u_bank5_out_inf_plus),
        .out_inf_minus (u_bank5_out_inf_minus)
    );

    eva_oc_bank u_bank6 (
        .aclk          (aclk),
        .write_enable  (and_6),
        .write_address (in_index[55:48]),
        .write_data    (in_y[223:192]),
        .read_enable   (int8_q ? {2{sum6}} : looked_up),
        .read_address  (int8_q ? read_index[55:48] : index[55:48]),
        .read_half     (half),
        .psum          (u_bank6_psum),
        .out_term      (u_bank6_out_term),
        .out_nan       (u_bank6_out_nan),
        .out_inf_plus  (u_bank6_out_inf_plus),
        .out_inf_minus (u_bank6_out_inf_minus)
    );

    eva_oc_bank u_bank7 (
        .aclk          (aclk),
        .write_enable  (and_7),
        .write_address (in_index[63:56]),
        .write_data    (in_y[255:224]),
        .read_enable   (int8_q ? {2{sum7}} : looked_up),
        .read_address  (int8_q ? read_index[63:56] : index[63:56]),
        .read_half     (half),
        .psum          (u_bank7_psum),
        .out_term      (u_bank7_out_term),
        .out_nan       (u_bank7_out_nan),
        .out_inf_plus  (u_bank7_out_inf_plus),
        .out_inf_minus (u_bank7_out_inf_minus)
    );

    always @(posedge aclk) begin
        int8_q <= int8;
        own0 <= int8_q & sum0;
        own1 <= int8_q & sum1;
        own2 <= int8_q & sum2;
        own3 <= int8_q & sum3;
        own4 <= int8_q & sum4;
        own5 <= int8_q & sum5;
        own6 <= int8_q & sum6;
        own7 <= int8_q & sum7;
        partial_q <= csa_sum_5;
        carry_q <= {csa_carry_5[42:0], 1'b0};
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
        csa_carry_5[43]};

endmodule

`default_nettype wire
