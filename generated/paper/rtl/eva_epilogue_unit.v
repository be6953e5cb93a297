// eva_epilogue_unit: Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they
// hold.
//
//   lookups           = 32
//   vq.index_bits     = 8
//   pipeline.epilogue = 2
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_epilogue_unit (
    input  wire          aclk,
    input  wire          int8,
    input  wire [1:0]    number,
    input  wire [31:0]   in_valid,
    input  wire [255:0]  in_index,
    input  wire [63:0]   in_pass,
    input  wire [31:0]   in_half,
    input  wire [1023:0] in_y,
    input  wire [31:0]   read_valid,
    input  wire [255:0]  read_index,
    input  wire [63:0]   read_pass,
    input  wire [31:0]   read_first,
    input  wire [255:0]  index,
    input  wire          half,
    input  wire          valid,
    output wire [1023:0] psum,
    output wire [45:0]   sum_value,
    output wire          sum_nan,
    output wire          sum_inf_plus,
    output wire          sum_inf_minus
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
    reg        own8;
    reg        own9;
    reg        own10;
    reg        own11;
    reg        own12;
    reg        own13;
    reg        own14;
    reg        own15;
    reg        own16;
    reg        own17;
    reg        own18;
    reg        own19;
    reg        own20;
    reg        own21;
    reg        own22;
    reg        own23;
    reg        own24;
    reg        own25;
    reg        own26;
    reg        own27;
    reg        own28;
    reg        own29;
    reg        own30;
    reg        own31;
    reg [45:0] partial_q;
    reg [45:0] carry_q;
    reg [45:0] value;
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
    wire [31:0] u_bank8_psum;
    wire [40:0] u_bank8_out_term;
    wire        u_bank8_out_nan;
    wire        u_bank8_out_inf_plus;
    wire        u_bank8_out_inf_minus;
    wire [31:0] u_bank9_psum;
    wire [40:0] u_bank9_out_term;
    wire        u_bank9_out_nan;
    wire        u_bank9_out_inf_plus;
    wire        u_bank9_out_inf_minus;
    wire [31:0] u_bank10_psum;
    wire [40:0] u_bank10_out_term;
    wire        u_bank10_out_nan;
    wire        u_bank10_out_inf_plus;
    wire        u_bank10_out_inf_minus;
    wire [31:0] u_bank11_psum;
    wire [40:0] u_bank11_out_term;
    wire        u_bank11_out_nan;
    wire        u_bank11_out_inf_plus;
    wire        u_bank11_out_inf_minus;
    wire [31:0] u_bank12_psum;
    wire [40:0] u_bank12_out_term;
    wire        u_bank12_out_nan;
    wire        u_bank12_out_inf_plus;
    wire        u_bank12_out_inf_minus;
    wire [31:0] u_bank13_psum;
    wire [40:0] u_bank13_out_term;
    wire        u_bank13_out_nan;
    wire        u_bank13_out_inf_plus;
    wire        u_bank13_out_inf_minus;
    wire [31:0] u_bank14_psum;
    wire [40:0] u_bank14_out_term;
    wire        u_bank14_out_nan;
    wire        u_bank14_out_inf_plus;
    wire        u_bank14_out_inf_minus;
    wire [31:0] u_bank15_psum;
    wire [40:0] u_bank15_out_term;
    wire        u_bank15_out_nan;
    wire        u_bank15_out_inf_plus;
    wire        u_bank15_out_inf_minus;
    wire [31:0] u_bank16_psum;
    wire [40:0] u_bank16_out_term;
    wire        u_bank16_out_nan;
    wire        u_bank16_out_inf_plus;
    wire        u_bank16_out_inf_minus;
    wire [31:0] u_bank17_psum;
    wire [40:0] u_bank17_out_term;
    wire        u_bank17_out_nan;
    wire        u_bank17_out_inf_plus;
    wire        u_bank17_out_inf_minus;
    wire [31:0] u_bank18_psum;
    wire [40:0] u_bank18_out_term;
    wire        u_bank18_out_nan;
    wire        u_bank18_out_inf_plus;
    wire        u_bank18_out_inf_minus;
    wire [31:0] u_bank19_psum;
    wire [40:0] u_bank19_out_term;
    wire        u_bank19_out_nan;
    wire        u_bank19_out_inf_plus;
    wire        u_bank19_out_inf_minus;
    wire [31:0] u_bank20_psum;
    wire [40:0] u_bank20_out_term;
    wire        u_bank20_out_nan;
    wire        u_bank20_out_inf_plus;
    wire        u_bank20_out_inf_minus;
    wire [31:0] u_bank21_psum;
    wire [40:0] u_bank21_out_term;
    wire        u_bank21_out_nan;
    wire        u_bank21_out_inf_plus;
    wire        u_bank21_out_inf_minus;
    wire [31:0] u_bank22_psum;
    wire [40:0] u_bank22_out_term;
    wire        u_bank22_out_nan;
    wire        u_bank22_out_inf_plus;
    wire        u_bank22_out_inf_minus;
    wire [31:0] u_bank23_psum;
    wire [40:0] u_bank23_out_term;
    wire        u_bank23_out_nan;
    wire        u_bank23_out_inf_plus;
    wire        u_bank23_out_inf_minus;
    wire [31:0] u_bank24_psum;
    wire [40:0] u_bank24_out_term;
    wire        u_bank24_out_nan;
    wire        u_bank24_out_inf_plus;
    wire        u_bank24_out_inf_minus;
    wire [31:0] u_bank25_psum;
    wire [40:0] u_bank25_out_term;
    wire        u_bank25_out_nan;
    wire        u_bank25_out_inf_plus;
    wire        u_bank25_out_inf_minus;
    wire [31:0] u_bank26_psum;
    wire [40:0] u_bank26_out_term;
    wire        u_bank26_out_nan;
    wire        u_bank26_out_inf_plus;
    wire        u_bank26_out_inf_minus;
    wire [31:0] u_bank27_psum;
    wire [40:0] u_bank27_out_term;
    wire        u_bank27_out_nan;
    wire        u_bank27_out_inf_plus;
    wire        u_bank27_out_inf_minus;
    wire [31:0] u_bank28_psum;
    wire [40:0] u_bank28_out_term;
    wire        u_bank28_out_nan;
    wire        u_bank28_out_inf_plus;
    wire        u_bank28_out_inf_minus;
    wire [31:0] u_bank29_psum;
    wire [40:0] u_bank29_out_term;
    wire        u_bank29_out_nan;
    wire        u_bank29_out_inf_plus;
    wire        u_bank29_out_inf_minus;
    wire [31:0] u_bank30_psum;
    wire [40:0] u_bank30_out_term;
    wire        u_bank30_out_nan;
    wire        u_bank30_out_inf_plus;
    wire        u_bank30_out_inf_minus;
    wire [31:0] u_bank31_psum;
    wire [40:0] u_bank31_out_term;
    wire        u_bank31_out_nan;
    wire        u_bank31_out_inf_plus;
    wire        u_bank31_out_inf_minus;

    wire [1:0]  looked_up = {valid & half, valid & ~half};
    wire        sum0 = read_valid[0] & (read_pass[1:0] == number) & ~read_first[0];
    wire        sum1 = read_valid[1] & (read_pass[3:2] == number) & ~read_first[1];
    wire        sum2 = read_valid[2] & (read_pass[5:4] == number) & ~read_first[2];
    wire        sum3 = read_valid[3] & (read_pass[7:6] == number) & ~read_first[3];
    wire        sum4 = read_valid[4] & (read_pass[9:8] == number) & ~read_first[4];
    wire        sum5 = read_valid[5] & (read_pass[11:10] == number) & ~read_first[5];
    wire        sum6 = read_valid[6] & (read_pass[13:12] == number) & ~read_first[6];
    wire        sum7 = read_valid[7] & (read_pass[15:14] == number) & ~read_first[7];
    wire        sum8 = read_valid[8] & (read_pass[17:16] == number) & ~read_first[8];
    wire        sum9 = read_valid[9] & (read_pass[19:18] == number) & ~read_first[9];
    wire        sum10 = read_valid[10] & (read_pass[21:20] == number) & ~read_first[10];
    wire        sum11 = read_valid[11] & (read_pass[23:22] == number) & ~read_first[11];
    wire        sum12 = read_valid[12] & (read_pass[25:24] == number) & ~read_first[12];
    wire        sum13 = read_valid[13] & (read_pass[27:26] == number) & ~read_first[13];
    wire        sum14 = read_valid[14] & (read_pass[29:28] == number) & ~read_first[14];
    wire        sum15 = read_valid[15] & (read_pass[31:30] == number) & ~read_first[15];
    wire        sum16 = read_valid[16] & (read_pass[33:32] == number) & ~read_first[16];
    wire        sum17 = read_valid[17] & (read_pass[35:34] == number) & ~read_first[17];
    wire        sum18 = read_valid[18] & (read_pass[37:36] == number) & ~read_first[18];
    wire        sum19 = read_valid[19] & (read_pass[39:38] == number) & ~read_first[19];
    wire        sum20 = read_valid[20] & (read_pass[41:40] == number) & ~read_first[20];
    wire        sum21 = read_valid[21] & (read_pass[43:42] == number) & ~read_first[21];
    wire        sum22 = read_valid[22] & (read_pass[45:44] == number) & ~read_first[22];
    wire        sum23 = read_valid[23] & (read_pass[47:46] == number) & ~read_first[23];
    wire        sum24 = read_valid[24] & (read_pass[49:48] == number) & ~read_first[24];
    wire        sum25 = read_valid[25] & (read_pass[51:50] == number) & ~read_first[25];
    wire        sum26 = read_valid[26] & (read_pass[53:52] == number) & ~read_first[26];
    wire        sum27 = read_valid[27] & (read_pass[55:54] == number) & ~read_first[27];
    wire        sum28 = read_valid[28] & (read_pass[57:56] == number) & ~read_first[28];
    wire        sum29 = read_valid[29] & (read_pass[59:58] == number) & ~read_first[29];
    wire        sum30 = read_valid[30] & (read_pass[61:60] == number) & ~read_first[30];
    wire        sum31 = read_valid[31] & (read_pass[63:62] == number) & ~read_first[31];
    assign psum = {u_bank31_psum & {32{own31}}, u_bank30_psum & {32{own30}}, u_bank29_psum & {32{own29}},
        u_bank28_psum & {32{own28}}, u_bank27_psum & {32{own27}}, u_bank26_psum & {32{own26}}, u_bank25_psum
        & {32{own25}}, u_bank24_psum & {32{own24}}, u_bank23_psum & {32{own23}}, u_bank22_psum & {32{own22}},
        u_bank21_psum & {32{own21}}, u_bank20_psum & {32{own20}}, u_bank19_psum & {32{own19}}, u_bank18_psum
        & {32{own18}}, u_bank17_psum & {32{own17}}, u_bank16_psum & {32{own16}}, u_bank15_psum & {32{own15}},
        u_bank14_psum & {32{own14}}, u_bank13_psum & {32{own13}}, u_bank12_psum & {32{own12}}, u_bank11_psum
        & {32{own11}}, u_bank10_psum & {32{own10}}, u_bank9_psum & {32{own9}}, u_bank8_psum & {32{own8}},
        u_bank7_psum & {32{own7}}, u_bank6_psum & {32{own6}}, u_bank5_psum & {32{own5}}, u_bank4_psum & {32{own4}},
        u_bank3_psum & {32{own3}}, u_bank2_psum & {32{own2}}, u_bank1_psum & {32{own1}}, u_bank0_psum & {32{own0}}};
    wire [45:0] cat_0 = {u_bank0_out_term[40] ? 6'd32 : 6'd33, u_bank0_out_term[39:0]};
    wire [45:0] zext_0 = {5'd0, ~u_bank1_out_term[40], u_bank1_out_term[39:0]};
    wire [45:0] zext_1 = {5'd0, ~u_bank2_out_term[40], u_bank2_out_term[39:0]};
    wire [45:0] zext_2 = {5'd0, ~u_bank3_out_term[40], u_bank3_out_term[39:0]};
    wire [45:0] zext_3 = {5'd0, ~u_bank4_out_term[40], u_bank4_out_term[39:0]};
    wire [45:0] zext_4 = {5'd0, ~u_bank5_out_term[40], u_bank5_out_term[39:0]};
    wire [45:0] zext_5 = {5'd0, ~u_bank6_out_term[40], u_bank6_out_term[39:0]};
    wire [45:0] zext_6 = {5'd0, ~u_bank7_out_term[40], u_bank7_out_term[39:0]};
    wire [45:0] zext_7 = {5'd0, ~u_bank8_out_term[40], u_bank8_out_term[39:0]};
    wire [45:0] zext_8 = {5'd0, ~u_bank9_out_term[40], u_bank9_out_term[39:0]};
    wire [45:0] zext_9 = {5'd0, ~u_bank10_out_term[40], u_bank10_out_term[39:0]};
    wire [45:0] zext_10 = {5'd0, ~u_bank11_out_term[40], u_bank11_out_term[39:0]};
    wire [45:0] zext_11 = {5'd0, ~u_bank12_out_term[40], u_bank12_out_term[39:0]};
    wire [45:0] zext_12 = {5'd0, ~u_bank13_out_term[40], u_bank13_out_term[39:0]};
    wire [45:0] zext_13 = {5'd0, ~u_bank14_out_term[40], u_bank14_out_term[39:0]};
    wire [45:0] zext_14 = {5'd0, ~u_bank15_out_term[40], u_bank15_out_term[39:0]};
    wire [45:0] zext_15 = {5'd0, ~u_bank16_out_term[40], u_bank16_out_term[39:0]};
    wire [45:0] zext_16 = {5'd0, ~u_bank17_out_term[40], u_bank17_out_term[39:0]};
    wire [45:0] zext_17 = {5'd0, ~u_bank18_out_term[40], u_bank18_out_term[39:0]};
    wire [45:0] zext_18 = {5'd0, ~u_bank19_out_term[40], u_bank19_out_term[39:0]};
    wire [45:0] zext_19 = {5'd0, ~u_bank20_out_term[40], u_bank20_out_term[39:0]};
    wire [45:0] zext_20 = {5'd0, ~u_bank21_out_term[40], u_bank21_out_term[39:0]};
    wire [45:0] zext_21 = {5'd0, ~u_bank22_out_term[40], u_bank22_out_term[39:0]};
    wire [45:0] zext_22 = {5'd0, ~u_bank23_out_term[40], u_bank23_out_term[39:0]};
    wire [45:0] zext_23 = {5'd0, ~u_bank24_out_term[40], u_bank24_out_term[39:0]};
    wire [45:0] zext_24 = {5'd0, ~u_bank25_out_term[40], u_bank25_out_term[39:0]};
    wire [45:0] zext_25 = {5'd0, ~u_bank26_out_term[40], u_bank26_out_term[39:0]};
    wire [45:0] zext_26 = {5'd0, ~u_bank27_out_term[40], u_bank27_out_term[39:0]};
    wire [45:0] zext_27 = {5'd0, ~u_bank28_out_term[40], u_bank28_out_term[39:0]};
    wire [45:0] zext_28 = {5'd0, ~u_bank29_out_term[40], u_bank29_out_term[39:0]};
    wire [45:0] zext_29 = {5'd0, ~u_bank30_out_term[40], u_bank30_out_term[39:0]};
    wire [45:0] zext_30 = {5'd0, ~u_bank31_out_term[40], u_bank31_out_term[39:0]};
    wire [45:0] csa_half = cat_0 ^ zext_0;
    wire [45:0] csa_sum = csa_half ^ zext_1;
    wire [45:0] csa_carry = (cat_0 & zext_0) | (csa_half & zext_1);
    wire [45:0] cat_1 = {csa_carry[44:0], 1'b0};
    wire [45:0] csa_half_1 = zext_2 ^ zext_3;
    wire [45:0] csa_sum_1 = csa_half_1 ^ zext_4;
    wire [45:0] csa_carry_1 = (zext_2 & zext_3) | (csa_half_1 & zext_4);
    wire [45:0] cat_2 = {csa_carry_1[44:0], 1'b0};
    wire [45:0] csa_half_2 = zext_5 ^ zext_6;
    wire [45:0] csa_sum_2 = csa_half_2 ^ zext_7;
    wire [45:0] csa_carry_2 = (zext_5 & zext_6) | (csa_half_2 & zext_7);
    wire [45:0] cat_3 = {csa_carry_2[44:0], 1'b0};
    wire [45:0] csa_half_3 = zext_8 ^ zext_9;
    wire [45:0] csa_sum_3 = csa_half_3 ^ zext_10;
    wire [45:0] csa_carry_3 = (zext_8 & zext_9) | (csa_half_3 & zext_10);
    wire [45:0] cat_4 = {csa_carry_3[44:0], 1'b0};
    wire [45:0] csa_half_4 = zext_11 ^ zext_12;
    wire [45:0] csa_sum_4 = csa_half_4 ^ zext_13;
    wire [45:0] csa_carry_4 = (zext_11 & zext_12) | (csa_half_4 & zext_13);
    wire [45:0] cat_5 = {csa_carry_4[44:0], 1'b0};
    wire [45:0] csa_half_5 = zext_14 ^ zext_15;
    wire [45:0] csa_sum_5 = csa_half_5 ^ zext_16;
    wire [45:0] csa_carry_5 = (zext_14 & zext_15) | (csa_half_5 & zext_16);
    wire [45:0] cat_6 = {csa_carry_5[44:0], 1'b0};
    wire [45:0] csa_half_6 = zext_17 ^ zext_18;
    wire [45:0] csa_sum_6 = csa_half_6 ^ zext_19;
    wire [45:0] csa_carry_6 = (zext_17 & zext_18) | (csa_half_6 & zext_19);
    wire [45:0] cat_7 = {csa_carry_6[44:0], 1'b0};
    wire [45:0] csa_half_7 = zext_20 ^ zext_21;
    wire [45:0] csa_sum_7 = csa_half_7 ^ zext_22;
    wire [45:0] csa_carry_7 = (zext_20 & zext_21) | (csa_half_7 & zext_22);
    wire [45:0] cat_8 = {csa_carry_7[44:0], 1'b0};
    wire [45:0] csa_half_8 = zext_23 ^ zext_24;
    wire [45:0] csa_sum_8 = csa_half_8 ^ zext_25;
    wire [45:0] csa_carry_8 = (zext_23 & zext_24) | (csa_half_8 & zext_25);
    wire [45:0] cat_9 = {csa_carry_8[44:0], 1'b0};
    wire [45:0] csa_half_9 = zext_26 ^ zext_27;
    wire [45:0] csa_sum_9 = csa_half_9 ^ zext_28;
    wire [45:0] csa_carry_9 = (zext_26 & zext_27) | (csa_half_9 & zext_28);
    wire [45:0] cat_10 = {csa_carry_9[44:0], 1'b0};
    wire [45:0] csa_half_10 = csa_sum ^ cat_1;
    wire [45:0] csa_sum_10 = csa_half_10 ^ csa_sum_1;
    wire [45:0] csa_carry_10 = (csa_sum & cat_1) | (csa_half_10 & csa_sum_1);
    wire [45:0] cat_11 = {csa_carry_10[44:0], 1'b0};
    wire [45:0] csa_half_11 = cat_2 ^ csa_sum_2;
    wire [45:0] csa_sum_11 = csa_half_11 ^ cat_3;
    wire [45:0] csa_carry_11 = (cat_2 & csa_sum_2) | (csa_half_11 & cat_3);
    wire [45:0] cat_12 = {csa_carry_11[44:0], 1'b0};
    wire [45:0] csa_half_12 = csa_sum_3 ^ cat_4;
    wire [45:0] csa_sum_12 = csa_half_12 ^ csa_sum_4;
    wire [45:0] csa_carry_12 = (csa_sum_3 & cat_4) | (csa_half_12 & csa_sum_4);
    wire [45:0] cat_13 = {csa_carry_12[44:0], 1'b0};
    wire [45:0] csa_half_13 = cat_5 ^ csa_sum_5;
    wire [45:0] csa_sum_13 = csa_half_13 ^ cat_6;
    wire [45:0] csa_carry_13 = (cat_5 & csa_sum_5) | (csa_half_13 & cat_6);
    wire [45:0] cat_14 = {csa_carry_13[44:0], 1'b0};
    wire [45:0] csa_half_14 = csa_sum_6 ^ cat_7;
    wire [45:0] csa_sum_14 = csa_half_14 ^ csa_sum_7;
    wire [45:0] csa_carry_14 = (csa_sum_6 & cat_7) | (csa_half_14 & csa_sum_7);
    wire [45:0] cat_15 = {csa_carry_14[44:0], 1'b0};
    wire [45:0] csa_half_15 = cat_8 ^ csa_sum_8;
    wire [45:0] csa_sum_15 = csa_half_15 ^ cat_9;
    wire [45:0] csa_carry_15 = (cat_8 & csa_sum_8) | (csa_half_15 & cat_9);
    wire [45:0] cat_16 = {csa_carry_15[44:0], 1'b0};
    wire [45:0] csa_half_16 = csa_sum_9 ^ cat_10;
    wire [45:0] csa_sum_16 = csa_half_16 ^ zext_29;
    wire [45:0] csa_carry_16 = (csa_sum_9 & cat_10) | (csa_half_16 & zext_29);
    wire [45:0] cat_17 = {csa_carry_16[44:0], 1'b0};
    wire [45:0] csa_half_17 = csa_sum_10 ^ cat_11;
    wire [45:0] csa_sum_17 = csa_half_17 ^ csa_sum_11;
    wire [45:0] csa_carry_17 = (csa_sum_10 & cat_11) | (csa_half_17 & csa_sum_11);
    wire [45:0] cat_18 = {csa_carry_17[44:0], 1'b0};
    wire [45:0] csa_half_18 = cat_12 ^ csa_sum_12;
    wire [45:0] csa_sum_18 = csa_half_18 ^ cat_13;
    wire [45:0] csa_carry_18 = (cat_12 & csa_sum_12) | (csa_half_18 & cat_13);
    wire [45:0] cat_19 = {csa_carry_18[44:0], 1'b0};
    wire [45:0] csa_half_19 = csa_sum_13 ^ cat_14;
    wire [45:0] csa_sum_19 = csa_half_19 ^ csa_sum_14;
    wire [45:0] csa_carry_19 = (csa_sum_13 & cat_14) | (csa_half_19 & csa_sum_14);
    wire [45:0] cat_20 = {csa_carry_19[44:0], 1'b0};
    wire [45:0] csa_half_20 = cat_15 ^ csa_sum_15;
    wire [45:0] csa_sum_20 = csa_half_20 ^ cat_16;
    wire [45:0] csa_carry_20 = (cat_15 & csa_sum_15) | (csa_half_20 & cat_16);
    wire [45:0] cat_21 = {csa_carry_20[44:0], 1'b0};
    wire [45:0] csa_half_21 = csa_sum_16 ^ cat_17;
    wire [45:0] csa_sum_21 = csa_half_21 ^ zext_30;
    wire [45:0] csa_carry_21 = (csa_sum_16 & cat_17) | (csa_half_21 & zext_30);
    wire [45:0] cat_22 = {csa_carry_21[44:0], 1'b0};
    wire [45:0] csa_half_22 = csa_sum_17 ^ cat_18;
    wire [45:0] csa_sum_22 = csa_half_22 ^ csa_sum_18;
    wire [45:0] csa_carry_22 = (csa_sum_17 & cat_18) | (csa_half_22 & csa_sum_18);
    wire [45:0] cat_23 = {csa_carry_22[44:0], 1'b0};
    wire [45:0] csa_half_23 = cat_19 ^ csa_sum_19;
    wire [45:0] csa_sum_23 = csa_half_23 ^ cat_20;
    wire [45:0] csa_carry_23 = (cat_19 & csa_sum_19) | (csa_half_23 & cat_20);
    wire [45:0] cat_24 = {csa_carry_23[44:0], 1'b0};
    wire [45:0] csa_half_24 = csa_sum_20 ^ cat_21;
    wire [45:0] csa_sum_24 = csa_half_24 ^ csa_sum_21;
    wire [45:0] csa_carry_24 = (csa_sum_20 & cat_21) | (csa_half_24 & csa_sum_21);
    wire [45:0] cat_25 = {csa_carry_24[44:0], 1'b0};
    wire [45:0] csa_half_25 = csa_sum_22 ^ cat_23;
    wire [45:0] csa_sum_25 = csa_half_25 ^ csa_sum_23;
    wire [45:0] csa_carry_25 = (csa_sum_22 & cat_23) | (csa_half_25 & csa_sum_23);
    wire [45:0] cat_26 = {csa_carry_25[44:0], 1'b0};
    wire [45:0] csa_half_26 = cat_24 ^ csa_sum_24;
    wire [45:0] csa_sum_26 = csa_half_26 ^ cat_25;
    wire [45:0] csa_carry_26 = (cat_24 & csa_sum_24) | (csa_half_26 & cat_25);
    wire [45:0] cat_27 = {csa_carry_26[44:0], 1'b0};
    wire [45:0] csa_half_27 = csa_sum_25 ^ cat_26;
    wire [45:0] csa_sum_27 = csa_half_27 ^ csa_sum_26;
    wire [45:0] csa_carry_27 = (csa_sum_25 & cat_26) | (csa_half_27 & csa_sum_26);
    wire [45:0] cat_28 = {csa_carry_27[44:0], 1'b0};
    wire [45:0] csa_half_28 = csa_sum_27 ^ cat_28;
    wire [45:0] csa_sum_28 = csa_half_28 ^ cat_27;
    wire [45:0] csa_carry_28 = (csa_sum_27 & cat_28) | (csa_half_28 & cat_27);
    wire [45:0] cat_29 = {csa_carry_28[44:0], 1'b0};
    wire [45:0] csa_half_29 = csa_sum_28 ^ cat_29;
    wire [45:0] csa_sum_29 = csa_half_29 ^ cat_22;
    wire [45:0] csa_carry_29 = (csa_sum_28 & cat_29) | (csa_half_29 & cat_22);
    wire [31:0] cat_30 = {u_bank31_out_nan, u_bank30_out_nan, u_bank29_out_nan, u_bank28_out_nan, u_bank27_out_nan,
        u_bank26_out_nan, u_bank25_out_nan, u_bank24_out_nan, u_bank23_out_nan, u_bank22_out_nan, u_bank21_out_nan,
        u_bank20_out_nan, u_bank19_out_nan, u_bank18_out_nan, u_bank17_out_nan, u_bank16_out_nan, u_bank15_out_nan,
        u_bank14_out_nan, u_bank13_out_nan, u_bank12_out_nan, u_bank11_out_nan, u_bank10_out_nan, u_bank9_out_nan,
        u_bank8_out_nan, u_bank7_out_nan, u_bank6_out_nan, u_bank5_out_nan, u_bank4_out_nan, u_bank3_out_nan,
        u_bank2_out_nan, u_bank1_out_nan, u_bank0_out_nan};
    wire [31:0] cat_31 = {u_bank31_out_inf_plus, u_bank30_out_inf_plus, u_bank29_out_inf_plus,
        u_bank28_out_inf_plus, u_bank27_out_inf_plus, u_bank26_out_inf_plus, u_bank25_out_inf_plus,
        u_bank24_out_inf_plus, u_bank23_out_inf_plus, u_bank22_out_inf_plus, u_bank21_out_inf_plus,
        u_bank20_out_inf_plus, u_bank19_out_inf_plus, u_bank18_out_inf_plus, u_bank17_out_inf_plus,
        u_bank16_out_inf_plus, u_bank15_out_inf_plus, u_bank14_out_inf_plus, u_bank13_out_inf_plus,
        u_bank12_out_inf_plus, u_bank11_out_inf_plus, u_bank10_out_inf_plus, u_bank9_out_inf_plus,
        u_bank8_out_inf_plus, u_bank7_out_inf_plus, u_bank6_out_inf_plus, u_bank5_out_inf_plus,
        u_bank4_out_inf_plus, u_bank3_out_inf_plus, u_bank2_out_inf_plus, u_bank1_out_inf_plus,
        u_bank0_out_inf_plus};
    wire [31:0] cat_32 = {u_bank31_out_inf_minus, u_bank30_out_inf_minus, u_bank29_out_inf_minus,
        u_bank28_out_inf_minus, u_bank27_out_inf_minus, u_bank26_out_inf_minus, u_bank25_out_inf_minus,
        u_bank24_out_inf_minus, u_bank23_out_inf_minus, u_bank22_out_inf_minus, u_bank21_out_inf_minus,
        u_bank20_out_inf_minus, u_bank19_out_inf_minus, u_bank18_out_inf_minus, u_bank17_out_inf_minus,
        u_bank16_out_inf_minus, u_bank15_out_inf_minus, u_bank14_out_inf_minus, u_bank13_out_inf_minus,
        u_bank12_out_inf_minus, u_bank11_out_inf_minus, u_bank10_out_inf_minus, u_bank9_out_inf_minus,
        u_bank8_out_inf_minus, u_bank7_out_inf_minus, u_bank6_out_inf_minus, u_bank5_out_inf_minus,
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
    wire [1:0]  and_8 = {int8_q | in_half[8], int8_q | ~in_half[8]} & {2{in_valid[8] & (in_pass[17:16] == number)}};
    wire [1:0]  and_9 = {int8_q | in_half[9], int8_q | ~in_half[9]} & {2{in_valid[9] & (in_pass[19:18] == number)}};
    wire [1:0]  and_10 = {int8_q | in_half[10], int8_q | ~in_half[10]} & {2{in_valid[10]
        & (in_pass[21:20] == number)}};
    wire [1:0]  and_11 = {int8_q | in_half[11], int8_q | ~in_half[11]} & {2{in_valid[11]
        & (in_pass[23:22] == number)}};
    wire [1:0]  and_12 = {int8_q | in_half[12], int8_q | ~in_half[12]} & {2{in_valid[12]
        & (in_pass[25:24] == number)}};
    wire [1:0]  and_13 = {int8_q | in_half[13], int8_q | ~in_half[13]} & {2{in_valid[13]
        & (in_pass[27:26] == number)}};
    wire [1:0]  and_14 = {int8_q | in_half[14], int8_q | ~in_half[14]} & {2{in_valid[14]
        & (in_pass[29:28] == number)}};
    wire [1:0]  and_15 = {int8_q | in_half[15], int8_q | ~in_half[15]} & {2{in_valid[15]
        & (in_pass[31:30] == number)}};
    wire [1:0]  and_16 = {int8_q | in_half[16], int8_q | ~in_half[16]} & {2{in_valid[16]
        & (in_pass[33:32] == number)}};
    wire [1:0]  and_17 = {int8_q | in_half[17], int8_q | ~in_half[17]} & {2{in_valid[17]
        & (in_pass[35:34] == number)}};
    wire [1:0]  and_18 = {int8_q | in_half[18], int8_q | ~in_half[18]} & {2{in_valid[18]
        & (in_pass[37:36] == number)}};
    wire [1:0]  and_19 = {int8_q | in_half[19], int8_q | ~in_half[19]} & {2{in_valid[19]
        & (in_pass[39:38] == number)}};
    wire [1:0]  and_20 = {int8_q | in_half[20], int8_q | ~in_half[20]} & {2{in_valid[20]
        & (in_pass[41:40] == number)}};
    wire [1:0]  and_21 = {int8_q | in_half[21], int8_q | ~in_half[21]} & {2{in_valid[21]
        & (in_pass[43:42] == number)}};
    wire [1:0]  and_22 = {int8_q | in_half[22], int8_q | ~in_half[22]} & {2{in_valid[22]
        & (in_pass[45:44] == number)}};
    wire [1:0]  and_23 = {int8_q | in_half[23], int8_q | ~in_half[23]} & {2{in_valid[23]
        & (in_pass[47:46] == number)}};
    wire [1:0]  and_24 = {int8_q | in_half[24], int8_q | ~in_half[24]} & {2{in_valid[24]
        & (in_pass[49:48] == number)}};
    wire [1:0]  and_25 = {int8_q | in_half[25], int8_q | ~in_half[25]} & {2{in_valid[25]
        & (in_pass[51:50] == number)}};
    wire [1:0]  and_26 = {int8_q | in_half[26], int8_q | ~in_half[26]} & {2{in_valid[26]
        & (in_pass[53:52] == number)}};
    wire [1:0]  and_27 = {int8_q | in_half[27], int8_q | ~in_half[27]} & {2{in_valid[27]
        & (in_pass[55:54] == number)}};
    wire [1:0]  and_28 = {int8_q | in_half[28], int8_q | ~in_half[28]} & {2{in_valid[28]
        & (in_pass[57:56] == number)}};
    wire [1:0]  and_29 = {int8_q | in_half[29], int8_q | ~in_half[29]} & {2{in_valid[29]
        & (in_pass[59:58] == number)}};
    wire [1:0]  and_30 = {int8_q | in_half[30], int8_q | ~in_half[30]} & {2{in_valid[30]
        & (in_pass[61:60] == number)}};
    wire [1:0]  and_31 = {int8_q | in_half[31], int8_q | ~in_half[31]} & {2{in_valid[31]
        & (in_pass[63:62] == number)}};

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

    eva_oc_bank u_bank8 (
        .aclk          (aclk),
        .write_enable  (and_8),
        .write_address (in_index[71:64]),
        .write_data    (in_y[287:256]),
        .read_enable   (int8_q ? {2{sum8}} : looked_up),
        .read_address  (int8_q ? read_index[71:64] : index[71:64]),
        .read_half     (half),
        .psum          (u_bank8_psum),
        .out_term      (u_bank8_out_term),
        .out_nan       (u_bank8_out_nan),
        .out_inf_plus  (u_bank8_out_inf_plus),
        .out_inf_minus (u_bank8_out_inf_minus)
    );

    eva_oc_bank u_bank9 (
        .aclk          (aclk),
        .write_enable  (and_9),
        .write_address (in_index[79:72]),
        .write_data    (in_y[319:288]),
        .read_enable   (int8_q ? {2{sum9}} : looked_up),
        .read_address  (int8_q ? read_index[79:72] : index[79:72]),
        .read_half     (half),
        .psum          (u_bank9_psum),
        .out_term      (u_bank9_out_term),
        .out_nan       (u_bank9_out_nan),
        .out_inf_plus  (u_bank9_out_inf_plus),
        .out_inf_minus (u_bank9_out_inf_minus)
    );

    eva_oc_bank u_bank10 (
        .aclk          (aclk),
        .write_enable  (and_10),
        .write_address (in_index[87:80]),
        .write_data    (in_y[351:320]),
        .read_enable   (int8_q ? {2{sum10}} : looked_up),
        .read_address  (int8_q ? read_index[87:80] : index[87:80]),
        .read_half     (half),
        .psum          (u_bank10_psum),
        .out_term      (u_bank10_out_term),
        .out_nan       (u_bank10_out_nan),
        .out_inf_plus  (u_bank10_out_inf_plus),
        .out_inf_minus (u_bank10_out_inf_minus)
    );

    eva_oc_bank u_bank11 (
        .aclk          (aclk),
        .write_enable  (and_11),
        .write_address (in_index[95:88]),
        .write_data    (in_y[383:352]),
        .read_enable   (int8_q ? {2{sum11}} : looked_up),
        .read_address  (int8_q ? read_index[95:88] : index[95:88]),
        .read_half     (half),
        .psum          (u_bank11_psum),
        .out_term      (u_bank11_out_term),
        .out_nan       (u_bank11_out_nan),
        .out_inf_plus  (u_bank11_out_inf_plus),
        .out_inf_minus (u_bank11_out_inf_minus)
    );

    eva_oc_bank u_bank12 (
        .aclk          (aclk),
        .write_enable  (and_12),
        .write_address (in_index[103:96]),
        .write_data    (in_y[415:384]),
        .read_enable   (int8_q ? {2{sum12}} : looked_up),
        .read_address  (int8_q ? read_index[103:96] : index[103:96]),
        .read_half     (half),
        .psum          (u_bank12_psum),
        .out_term      (u_bank12_out_term),
        .out_nan       (u_bank12_out_nan),
        .out_inf_plus  (u_bank12_out_inf_plus),
        .out_inf_minus (u_bank12_out_inf_minus)
    );

    eva_oc_bank u_bank13 (
        .aclk          (aclk),
        .write_enable  (and_13),
        .write_address (in_index[111:104]),
        .write_data    (in_y[447:416]),
        .read_enable   (int8_q ? {2{sum13}} : looked_up),
        .read_address  (int8_q ? read_index[111:104] : index[111:104]),
        .read_half     (half),
        .psum          (u_bank13_psum),
        .out_term      (u_bank13_out_term),
        .out_nan       (u_bank13_out_nan),
        .out_inf_plus  (u_bank13_out_inf_plus),
        .out_inf_minus (u_bank13_out_inf_minus)
    );

    eva_oc_bank u_bank14 (
        .aclk          (aclk),
        .write_enable  (and_14),
        .write_address (in_index[119:112]),
        .write_data    (in_y[479:448]),
        .read_enable   (int8_q ? {2{sum14}} : looked_up),
        .read_address  (int8_q ? read_index[119:112] : index[119:112]),
        .read_half     (half),
        .psum          (u_bank14_psum),
        .out_term      (u_bank14_out_term),
        .out_nan       (u_bank14_out_nan),
        .out_inf_plus  (u_bank14_out_inf_plus),
        .out_inf_minus (u_bank14_out_inf_minus)
    );

    eva_oc_bank u_bank15 (
        .aclk          (aclk),
        .write_enable  (and_15),
        .write_address (in_index[127:120]),
        .write_data    (in_y[511:480]),
        .read_enable   (int8_q ? {2{sum15}} : looked_up),
        .read_address  (int8_q ? read_index[127:120] : index[127:120]),
        .read_half     (half),
        .psum          (u_bank15_psum),
        .out_term      (u_bank15_out_term),
        .out_nan       (u_bank15_out_nan),
        .out_inf_plus  (u_bank15_out_inf_plus),
        .out_inf_minus (u_bank15_out_inf_minus)
    );

    eva_oc_bank u_bank16 (
        .aclk          (aclk),
        .write_enable  (and_16),
        .write_address (in_index[135:128]),
        .write_data    (in_y[543:512]),
        .read_enable   (int8_q ? {2{sum16}} : looked_up),
        .read_address  (int8_q ? read_index[135:128] : index[135:128]),
        .read_half     (half),
        .psum          (u_bank16_psum),
        .out_term      (u_bank16_out_term),
        .out_nan       (u_bank16_out_nan),
        .out_inf_plus  (u_bank16_out_inf_plus),
        .out_inf_minus (u_bank16_out_inf_minus)
    );

    eva_oc_bank u_bank17 (
        .aclk          (aclk),
        .write_enable  (and_17),
        .write_address (in_index[143:136]),
        .write_data    (in_y[575:544]),
        .read_enable   (int8_q ? {2{sum17}} : looked_up),
        .read_address  (int8_q ? read_index[143:136] : index[143:136]),
        .read_half     (half),
        .psum          (u_bank17_psum),
        .out_term      (u_bank17_out_term),
        .out_nan       (u_bank17_out_nan),
        .out_inf_plus  (u_bank17_out_inf_plus),
        .out_inf_minus (u_bank17_out_inf_minus)
    );

    eva_oc_bank u_bank18 (
        .aclk          (aclk),
        .write_enable  (and_18),
        .write_address (in_index[151:144]),
        .write_data    (in_y[607:576]),
        .read_enable   (int8_q ? {2{sum18}} : looked_up),
        .read_address  (int8_q ? read_index[151:144] : index[151:144]),
        .read_half     (half),
        .psum          (u_bank18_psum),
        .out_term      (u_bank18_out_term),
        .out_nan       (u_bank18_out_nan),
        .out_inf_plus  (u_bank18_out_inf_plus),
        .out_inf_minus (u_bank18_out_inf_minus)
    );

    eva_oc_bank u_bank19 (
        .aclk          (aclk),
        .write_enable  (and_19),
        .write_address (in_index[159:152]),
        .write_data    (in_y[639:608]),
        .read_enable   (int8_q ? {2{sum19}} : looked_up),
        .read_address  (int8_q ? read_index[159:152] : index[159:152]),
        .read_half     (half),
        .psum          (u_bank19_psum),
        .out_term      (u_bank19_out_term),
        .out_nan       (u_bank19_out_nan),
        .out_inf_plus  (u_bank19_out_inf_plus),
        .out_inf_minus (u_bank19_out_inf_minus)
    );

    eva_oc_bank u_bank20 (
        .aclk          (aclk),
        .write_enable  (and_20),
        .write_address (in_index[167:160]),
        .write_data    (in_y[671:640]),
        .read_enable   (int8_q ? {2{sum20}} : looked_up),
        .read_address  (int8_q ? read_index[167:160] : index[167:160]),
        .read_half     (half),
        .psum          (u_bank20_psum),
        .out_term      (u_bank20_out_term),
        .out_nan       (u_bank20_out_nan),
        .out_inf_plus  (u_bank20_out_inf_plus),
        .out_inf_minus (u_bank20_out_inf_minus)
    );

    eva_oc_bank u_bank21 (
        .aclk          (aclk),
        .write_enable  (and_21),
        .write_address (in_index[175:168]),
        .write_data    (in_y[703:672]),
        .read_enable   (int8_q ? {2{sum21}} : looked_up),
        .read_address  (int8_q ? read_index[175:168] : index[175:168]),
        .read_half     (half),
        .psum          (u_bank21_psum),
        .out_term      (u_bank21_out_term),
        .out_nan       (u_bank21_out_nan),
        .out_inf_plus  (u_bank21_out_inf_plus),
        .out_inf_minus (u_bank21_out_inf_minus)
    );

    eva_oc_bank u_bank22 (
        .aclk          (aclk),
        .write_enable  (and_22),
        .write_address (in_index[183:176]),
        .write_data    (in_y[735:704]),
        .read_enable   (int8_q ? {2{sum22}} : looked_up),
        .read_address  (int8_q ? read_index[183:176] : index[183:176]),
        .read_half     (half),
        .psum          (u_bank22_psum),
        .out_term      (u_bank22_out_term),
        .out_nan       (u_bank22_out_nan),
        .out_inf_plus  (u_bank22_out_inf_plus),
        .out_inf_minus (u_bank22_out_inf_minus)
    );

    eva_oc_bank u_bank23 (
        .aclk          (aclk),
        .write_enable  (and_23),
        .write_address (in_index[191:184]),
        .write_data    (in_y[767:736]),
        .read_enable   (int8_q ? {2{sum23}} : looked_up),
        .read_address  (int8_q ? read_index[191:184] : index[191:184]),
        .read_half     (half),
        .psum          (u_bank23_psum),
        .out_term      (u_bank23_out_term),
        .out_nan       (u_bank23_out_nan),
        .out_inf_plus  (u_bank23_out_inf_plus),
        .out_inf_minus (u_bank23_out_inf_minus)
    );

    eva_oc_bank u_bank24 (
        .aclk          (aclk),
        .write_enable  (and_24),
        .write_address (in_index[199:192]),
        .write_data    (in_y[799:768]),
        .read_enable   (int8_q ? {2{sum24}} : looked_up),
        .read_address  (int8_q ? read_index[199:192] : index[199:192]),
        .read_half     (half),
        .psum          (u_bank24_psum),
        .out_term      (u_bank24_out_term),
        .out_nan       (u_bank24_out_nan),
        .out_inf_plus  (u_bank24_out_inf_plus),
        .out_inf_minus (u_bank24_out_inf_minus)
    );

    eva_oc_bank u_bank25 (
        .aclk          (aclk),
        .write_enable  (and_25),
        .write_address (in_index[207:200]),
        .write_data    (in_y[831:800]),
        .read_enable   (int8_q ? {2{sum25}} : looked_up),
        .read_address  (int8_q ? read_index[207:200] : index[207:200]),
        .read_half     (half),
        .psum          (u_bank25_psum),
        .out_term      (u_bank25_out_term),
        .out_nan       (u_bank25_out_nan),
        .out_inf_plus  (u_bank25_out_inf_plus),
        .out_inf_minus (u_bank25_out_inf_minus)
    );

    eva_oc_bank u_bank26 (
        .aclk          (aclk),
        .write_enable  (and_26),
        .write_address (in_index[215:208]),
        .write_data    (in_y[863:832]),
        .read_enable   (int8_q ? {2{sum26}} : looked_up),
        .read_address  (int8_q ? read_index[215:208] : index[215:208]),
        .read_half     (half),
        .psum          (u_bank26_psum),
        .out_term      (u_bank26_out_term),
        .out_nan       (u_bank26_out_nan),
        .out_inf_plus  (u_bank26_out_inf_plus),
        .out_inf_minus (u_bank26_out_inf_minus)
    );

    eva_oc_bank u_bank27 (
        .aclk          (aclk),
        .write_enable  (and_27),
        .write_address (in_index[223:216]),
        .write_data    (in_y[895:864]),
        .read_enable   (int8_q ? {2{sum27}} : looked_up),
        .read_address  (int8_q ? read_index[223:216] : index[223:216]),
        .read_half     (half),
        .psum          (u_bank27_psum),
        .out_term      (u_bank27_out_term),
        .out_nan       (u_bank27_out_nan),
        .out_inf_plus  (u_bank27_out_inf_plus),
        .out_inf_minus (u_bank27_out_inf_minus)
    );

    eva_oc_bank u_bank28 (
        .aclk          (aclk),
        .write_enable  (and_28),
        .write_address (in_index[231:224]),
        .write_data    (in_y[927:896]),
        .read_enable   (int8_q ? {2{sum28}} : looked_up),
        .read_address  (int8_q ? read_index[231:224] : index[231:224]),
        .read_half     (half),
        .psum          (u_bank28_psum),
        .out_term      (u_bank28_out_term),
        .out_nan       (u_bank28_out_nan),
        .out_inf_plus  (u_bank28_out_inf_plus),
        .out_inf_minus (u_bank28_out_inf_minus)
    );

    eva_oc_bank u_bank29 (
        .aclk          (aclk),
        .write_enable  (and_29),
        .write_address (in_index[239:232]),
        .write_data    (in_y[959:928]),
        .read_enable   (int8_q ? {2{sum29}} : looked_up),
        .read_address  (int8_q ? read_index[239:232] : index[239:232]),
        .read_half     (half),
        .psum          (u_bank29_psum),
        .out_term      (u_bank29_out_term),
        .out_nan       (u_bank29_out_nan),
        .out_inf_plus  (u_bank29_out_inf_plus),
        .out_inf_minus (u_bank29_out_inf_minus)
    );

    eva_oc_bank u_bank30 (
        .aclk          (aclk),
        .write_enable  (and_30),
        .write_address (in_index[247:240]),
        .write_data    (in_y[991:960]),
        .read_enable   (int8_q ? {2{sum30}} : looked_up),
        .read_address  (int8_q ? read_index[247:240] : index[247:240]),
        .read_half     (half),
        .psum          (u_bank30_psum),
        .out_term      (u_bank30_out_term),
        .out_nan       (u_bank30_out_nan),
        .out_inf_plus  (u_bank30_out_inf_plus),
        .out_inf_minus (u_bank30_out_inf_minus)
    );

    eva_oc_bank u_bank31 (
        .aclk          (aclk),
        .write_enable  (and_31),
        .write_address (in_index[255:248]),
        .write_data    (in_y[1023:992]),
        .read_enable   (int8_q ? {2{sum31}} : looked_up),
        .read_address  (int8_q ? read_index[255:248] : index[255:248]),
        .read_half     (half),
        .psum          (u_bank31_psum),
        .out_term      (u_bank31_out_term),
        .out_nan       (u_bank31_out_nan),
        .out_inf_plus  (u_bank31_out_inf_plus),
        .out_inf_minus (u_bank31_out_inf_minus)
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
        own8 <= int8_q & sum8;
        own9 <= int8_q & sum9;
        own10 <= int8_q & sum10;
        own11 <= int8_q & sum11;
        own12 <= int8_q & sum12;
        own13 <= int8_q & sum13;
        own14 <= int8_q & sum14;
        own15 <= int8_q & sum15;
        own16 <= int8_q & sum16;
        own17 <= int8_q & sum17;
        own18 <= int8_q & sum18;
        own19 <= int8_q & sum19;
        own20 <= int8_q & sum20;
        own21 <= int8_q & sum21;
        own22 <= int8_q & sum22;
        own23 <= int8_q & sum23;
        own24 <= int8_q & sum24;
        own25 <= int8_q & sum25;
        own26 <= int8_q & sum26;
        own27 <= int8_q & sum27;
        own28 <= int8_q & sum28;
        own29 <= int8_q & sum29;
        own30 <= int8_q & sum30;
        own31 <= int8_q & sum31;
        partial_q <= csa_sum_29;
        carry_q <= {csa_carry_29[44:0], 1'b0};
        value <= partial_q + carry_q;
        nan_q1 <= |cat_30;
        nan_q2 <= nan_q1;
        inf_plus_q1 <= |cat_31;
        inf_plus_q2 <= inf_plus_q1;
        inf_minus_q1 <= |cat_32;
        inf_minus_q2 <= inf_minus_q1;
    end

    assign sum_value = value;
    assign sum_nan = nan_q2;
    assign sum_inf_plus = inf_plus_q2;
    assign sum_inf_minus = inf_minus_q2;

    // Bits that nothing reads.
    wire unused = &{1'b0, csa_carry[45], csa_carry_1[45], csa_carry_2[45], csa_carry_3[45], csa_carry_4[45],
        csa_carry_5[45], csa_carry_6[45], csa_carry_7[45], csa_carry_8[45], csa_carry_9[45], csa_carry_10[45],
        csa_carry_11[45], csa_carry_12[45], csa_carry_13[45], csa_carry_14[45], csa_carry_15[45], csa_carry_16[45],
        csa_carry_17[45], csa_carry_18[45], csa_carry_19[45], csa_carry_20[45], csa_carry_21[45], csa_carry_22[45],
        csa_carry_23[45], csa_carry_24[45], csa_carry_25[45], csa_carry_26[45], csa_carry_27[45], csa_carry_28[45],
        csa_carry_29[45]};

endmodule

`default_nettype wire
