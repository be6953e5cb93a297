// eva_epilogue_unit: Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they
// hold.
//
//   lookups           = 32
//   vq.index_bits     = 8
//   pipeline.epilogue = 3
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_epilogue_unit (
    input  wire         aclk,
    input  wire [1:0]   number,
    input  wire [31:0]  in_valid,
    input  wire [255:0] in_index,
    input  wire [63:0]  in_pass,
    input  wire [31:0]  in_half,
    input  wire [511:0] in_y,
    input  wire [255:0] index,
    input  wire         half,
    input  wire         valid,
    output wire [45:0]  sum_value,
    output wire         sum_nan,
    output wire         sum_inf_plus,
    output wire         sum_inf_minus
);

    reg [45:0] partial_q;
    reg [45:0] carry_q;
    reg [45:0] value;
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
    wire [40:0] u_bank8_out_term;
    wire        u_bank8_out_negative;
    wire        u_bank8_out_nan;
    wire        u_bank8_out_inf_plus;
    wire        u_bank8_out_inf_minus;
    wire [40:0] u_bank9_out_term;
    wire        u_bank9_out_negative;
    wire        u_bank9_out_nan;
    wire        u_bank9_out_inf_plus;
    wire        u_bank9_out_inf_minus;
    wire [40:0] u_bank10_out_term;
    wire        u_bank10_out_negative;
    wire        u_bank10_out_nan;
    wire        u_bank10_out_inf_plus;
    wire        u_bank10_out_inf_minus;
    wire [40:0] u_bank11_out_term;
    wire        u_bank11_out_negative;
    wire        u_bank11_out_nan;
    wire        u_bank11_out_inf_plus;
    wire        u_bank11_out_inf_minus;
    wire [40:0] u_bank12_out_term;
    wire        u_bank12_out_negative;
    wire        u_bank12_out_nan;
    wire        u_bank12_out_inf_plus;
    wire        u_bank12_out_inf_minus;
    wire [40:0] u_bank13_out_term;
    wire        u_bank13_out_negative;
    wire        u_bank13_out_nan;
    wire        u_bank13_out_inf_plus;
    wire        u_bank13_out_inf_minus;
    wire [40:0] u_bank14_out_term;
    wire        u_bank14_out_negative;
    wire        u_bank14_out_nan;
    wire        u_bank14_out_inf_plus;
    wire        u_bank14_out_inf_minus;
    wire [40:0] u_bank15_out_term;
    wire        u_bank15_out_negative;
    wire        u_bank15_out_nan;
    wire        u_bank15_out_inf_plus;
    wire        u_bank15_out_inf_minus;
    wire [40:0] u_bank16_out_term;
    wire        u_bank16_out_negative;
    wire        u_bank16_out_nan;
    wire        u_bank16_out_inf_plus;
    wire        u_bank16_out_inf_minus;
    wire [40:0] u_bank17_out_term;
    wire        u_bank17_out_negative;
    wire        u_bank17_out_nan;
    wire        u_bank17_out_inf_plus;
    wire        u_bank17_out_inf_minus;
    wire [40:0] u_bank18_out_term;
    wire        u_bank18_out_negative;
    wire        u_bank18_out_nan;
    wire        u_bank18_out_inf_plus;
    wire        u_bank18_out_inf_minus;
    wire [40:0] u_bank19_out_term;
    wire        u_bank19_out_negative;
    wire        u_bank19_out_nan;
    wire        u_bank19_out_inf_plus;
    wire        u_bank19_out_inf_minus;
    wire [40:0] u_bank20_out_term;
    wire        u_bank20_out_negative;
    wire        u_bank20_out_nan;
    wire        u_bank20_out_inf_plus;
    wire        u_bank20_out_inf_minus;
    wire [40:0] u_bank21_out_term;
    wire        u_bank21_out_negative;
    wire        u_bank21_out_nan;
    wire        u_bank21_out_inf_plus;
    wire        u_bank21_out_inf_minus;
    wire [40:0] u_bank22_out_term;
    wire        u_bank22_out_negative;
    wire        u_bank22_out_nan;
    wire        u_bank22_out_inf_plus;
    wire        u_bank22_out_inf_minus;
    wire [40:0] u_bank23_out_term;
    wire        u_bank23_out_negative;
    wire        u_bank23_out_nan;
    wire        u_bank23_out_inf_plus;
    wire        u_bank23_out_inf_minus;
    wire [40:0] u_bank24_out_term;
    wire        u_bank24_out_negative;
    wire        u_bank24_out_nan;
    wire        u_bank24_out_inf_plus;
    wire        u_bank24_out_inf_minus;
    wire [40:0] u_bank25_out_term;
    wire        u_bank25_out_negative;
    wire        u_bank25_out_nan;
    wire        u_bank25_out_inf_plus;
    wire        u_bank25_out_inf_minus;
    wire [40:0] u_bank26_out_term;
    wire        u_bank26_out_negative;
    wire        u_bank26_out_nan;
    wire        u_bank26_out_inf_plus;
    wire        u_bank26_out_inf_minus;
    wire [40:0] u_bank27_out_term;
    wire        u_bank27_out_negative;
    wire        u_bank27_out_nan;
    wire        u_bank27_out_inf_plus;
    wire        u_bank27_out_inf_minus;
    wire [40:0] u_bank28_out_term;
    wire        u_bank28_out_negative;
    wire        u_bank28_out_nan;
    wire        u_bank28_out_inf_plus;
    wire        u_bank28_out_inf_minus;
    wire [40:0] u_bank29_out_term;
    wire        u_bank29_out_negative;
    wire        u_bank29_out_nan;
    wire        u_bank29_out_inf_plus;
    wire        u_bank29_out_inf_minus;
    wire [40:0] u_bank30_out_term;
    wire        u_bank30_out_negative;
    wire        u_bank30_out_nan;
    wire        u_bank30_out_inf_plus;
    wire        u_bank30_out_inf_minus;
    wire [40:0] u_bank31_out_term;
    wire        u_bank31_out_negative;
    wire        u_bank31_out_nan;
    wire        u_bank31_out_inf_plus;
    wire        u_bank31_out_inf_minus;

    wire [2:0]  zext_0 = {1'b0, {1'b0, u_bank0_out_negative} + {1'b0, u_bank1_out_negative}};
    wire [2:0]  zext_1 = {1'b0, {1'b0, u_bank2_out_negative} + {1'b0, u_bank3_out_negative}};
    wire [2:0]  zext_2 = {1'b0, {1'b0, u_bank4_out_negative} + {1'b0, u_bank5_out_negative}};
    wire [2:0]  zext_3 = {1'b0, {1'b0, u_bank6_out_negative} + {1'b0, u_bank7_out_negative}};
    wire [1:0]  sum_0 = {1'b0, u_bank10_out_negative} + {1'b0, u_bank11_out_negative};
    wire [2:0]  zext_4 = {1'b0, {1'b0, u_bank8_out_negative} + {1'b0, u_bank9_out_negative}};
    wire [1:0]  sum_1 = {1'b0, u_bank12_out_negative} + {1'b0, u_bank13_out_negative};
    wire [1:0]  sum_2 = {1'b0, u_bank14_out_negative} + {1'b0, u_bank15_out_negative};
    wire [3:0]  sum_3 = {1'b0, zext_4 + {1'b0, sum_0}} + {1'b0, {1'b0, sum_1} + {1'b0, sum_2}};
    wire [1:0]  sum_4 = {1'b0, u_bank16_out_negative} + {1'b0, u_bank17_out_negative};
    wire [1:0]  sum_5 = {1'b0, u_bank18_out_negative} + {1'b0, u_bank19_out_negative};
    wire [1:0]  sum_6 = {1'b0, u_bank20_out_negative} + {1'b0, u_bank21_out_negative};
    wire [1:0]  sum_7 = {1'b0, u_bank22_out_negative} + {1'b0, u_bank23_out_negative};
    wire [1:0]  sum_8 = {1'b0, u_bank24_out_negative} + {1'b0, u_bank25_out_negative};
    wire [1:0]  sum_9 = {1'b0, u_bank26_out_negative} + {1'b0, u_bank27_out_negative};
    wire [1:0]  sum_10 = {1'b0, u_bank28_out_negative} + {1'b0, u_bank29_out_negative};
    wire [1:0]  sum_11 = {1'b0, u_bank30_out_negative} + {1'b0, u_bank31_out_negative};
    wire [3:0]  sum_12 = {1'b0, {1'b0, sum_4} + {1'b0, sum_5}} + {1'b0, {1'b0, sum_6} + {1'b0, sum_7}};
    wire [3:0]  sum_13 = {1'b0, {1'b0, sum_8} + {1'b0, sum_9}} + {1'b0, {1'b0, sum_10} + {1'b0, sum_11}};
    wire [4:0]  sum_14 = {1'b0, {1'b0, zext_0 + zext_1} + {1'b0, zext_2 + zext_3}} + {1'b0, sum_3};
    wire [5:0]  negatives = {1'b0, sum_14} + {1'b0, {1'b0, sum_12} + {1'b0, sum_13}};
    wire [45:0] zext_5 = {40'd0, negatives};
    wire [45:0] sext_0 = {{5{u_bank0_out_term[40]}}, u_bank0_out_term};
    wire [45:0] sext_1 = {{5{u_bank1_out_term[40]}}, u_bank1_out_term};
    wire [45:0] sext_2 = {{5{u_bank2_out_term[40]}}, u_bank2_out_term};
    wire [45:0] sext_3 = {{5{u_bank3_out_term[40]}}, u_bank3_out_term};
    wire [45:0] sext_4 = {{5{u_bank4_out_term[40]}}, u_bank4_out_term};
    wire [45:0] sext_5 = {{5{u_bank5_out_term[40]}}, u_bank5_out_term};
    wire [45:0] sext_6 = {{5{u_bank6_out_term[40]}}, u_bank6_out_term};
    wire [45:0] sext_7 = {{5{u_bank7_out_term[40]}}, u_bank7_out_term};
    wire [45:0] sext_8 = {{5{u_bank8_out_term[40]}}, u_bank8_out_term};
    wire [45:0] sext_9 = {{5{u_bank9_out_term[40]}}, u_bank9_out_term};
    wire [45:0] sext_10 = {{5{u_bank10_out_term[40]}}, u_bank10_out_term};
    wire [45:0] sext_11 = {{5{u_bank11_out_term[40]}}, u_bank11_out_term};
    wire [45:0] sext_12 = {{5{u_bank12_out_term[40]}}, u_bank12_out_term};
    wire [45:0] sext_13 = {{5{u_bank13_out_term[40]}}, u_bank13_out_term};
    wire [45:0] sext_14 = {{5{u_bank14_out_term[40]}}, u_bank14_out_term};
    wire [45:0] sext_15 = {{5{u_bank15_out_term[40]}}, u_bank15_out_term};
    wire [45:0] sext_16 = {{5{u_bank16_out_term[40]}}, u_bank16_out_term};
    wire [45:0] sext_17 = {{5{u_bank17_out_term[40]}}, u_bank17_out_term};
    wire [45:0] sext_18 = {{5{u_bank18_out_term[40]}}, u_bank18_out_term};
    wire [45:0] sext_19 = {{5{u_bank19_out_term[40]}}, u_bank19_out_term};
    wire [45:0] sext_20 = {{5{u_bank20_out_term[40]}}, u_bank20_out_term};
    wire [45:0] sext_21 = {{5{u_bank21_out_term[40]}}, u_bank21_out_term};
    wire [45:0] sext_22 = {{5{u_bank22_out_term[40]}}, u_bank22_out_term};
    wire [45:0] sext_23 = {{5{u_bank23_out_term[40]}}, u_bank23_out_term};
    wire [45:0] sext_24 = {{5{u_bank24_out_term[40]}}, u_bank24_out_term};
    wire [45:0] sext_25 = {{5{u_bank25_out_term[40]}}, u_bank25_out_term};
    wire [45:0] sext_26 = {{5{u_bank26_out_term[40]}}, u_bank26_out_term};
    wire [45:0] sext_27 = {{5{u_bank27_out_term[40]}}, u_bank27_out_term};
    wire [45:0] sext_28 = {{5{u_bank28_out_term[40]}}, u_bank28_out_term};
    wire [45:0] sext_29 = {{5{u_bank29_out_term[40]}}, u_bank29_out_term};
    wire [45:0] sext_30 = {{5{u_bank30_out_term[40]}}, u_bank30_out_term};
    wire [45:0] sext_31 = {{5{u_bank31_out_term[40]}}, u_bank31_out_term};
    wire [45:0] csa_half = sext_0 ^ sext_1;
    wire [45:0] csa_sum = csa_half ^ sext_2;
    wire [45:0] csa_carry = (sext_0 & sext_1) | (csa_half & sext_2);
    wire [45:0] cat_0 = {csa_carry[44:0], 1'b0};
    wire [45:0] csa_half_1 = sext_3 ^ sext_4;
    wire [45:0] csa_sum_1 = csa_half_1 ^ sext_5;
    wire [45:0] csa_carry_1 = (sext_3 & sext_4) | (csa_half_1 & sext_5);
    wire [45:0] cat_1 = {csa_carry_1[44:0], 1'b0};
    wire [45:0] csa_half_2 = sext_6 ^ sext_7;
    wire [45:0] csa_sum_2 = csa_half_2 ^ sext_8;
    wire [45:0] csa_carry_2 = (sext_6 & sext_7) | (csa_half_2 & sext_8);
    wire [45:0] cat_2 = {csa_carry_2[44:0], 1'b0};
    wire [45:0] csa_half_3 = sext_9 ^ sext_10;
    wire [45:0] csa_sum_3 = csa_half_3 ^ sext_11;
    wire [45:0] csa_carry_3 = (sext_9 & sext_10) | (csa_half_3 & sext_11);
    wire [45:0] cat_3 = {csa_carry_3[44:0], 1'b0};
    wire [45:0] csa_half_4 = sext_12 ^ sext_13;
    wire [45:0] csa_sum_4 = csa_half_4 ^ sext_14;
    wire [45:0] csa_carry_4 = (sext_12 & sext_13) | (csa_half_4 & sext_14);
    wire [45:0] cat_4 = {csa_carry_4[44:0], 1'b0};
    wire [45:0] csa_half_5 = sext_15 ^ sext_16;
    wire [45:0] csa_sum_5 = csa_half_5 ^ sext_17;
    wire [45:0] csa_carry_5 = (sext_15 & sext_16) | (csa_half_5 & sext_17);
    wire [45:0] cat_5 = {csa_carry_5[44:0], 1'b0};
    wire [45:0] csa_half_6 = sext_18 ^ sext_19;
    wire [45:0] csa_sum_6 = csa_half_6 ^ sext_20;
    wire [45:0] csa_carry_6 = (sext_18 & sext_19) | (csa_half_6 & sext_20);
    wire [45:0] cat_6 = {csa_carry_6[44:0], 1'b0};
    wire [45:0] csa_half_7 = sext_21 ^ sext_22;
    wire [45:0] csa_sum_7 = csa_half_7 ^ sext_23;
    wire [45:0] csa_carry_7 = (sext_21 & sext_22) | (csa_half_7 & sext_23);
    wire [45:0] cat_7 = {csa_carry_7[44:0], 1'b0};
    wire [45:0] csa_half_8 = sext_24 ^ sext_25;
    wire [45:0] csa_sum_8 = csa_half_8 ^ sext_26;
    wire [45:0] csa_carry_8 = (sext_24 & sext_25) | (csa_half_8 & sext_26);
    wire [45:0] cat_8 = {csa_carry_8[44:0], 1'b0};
    wire [45:0] csa_half_9 = sext_27 ^ sext_28;
    wire [45:0] csa_sum_9 = csa_half_9 ^ sext_29;
    wire [45:0] csa_carry_9 = (sext_27 & sext_28) | (csa_half_9 & sext_29);
    wire [45:0] cat_9 = {csa_carry_9[44:0], 1'b0};
    wire [45:0] csa_half_10 = sext_30 ^ sext_31;
    wire [45:0] csa_sum_10 = csa_half_10 ^ zext_5;
    wire [45:0] csa_carry_10 = (sext_30 & sext_31) | (csa_half_10 & zext_5);
    wire [45:0] cat_10 = {csa_carry_10[44:0], 1'b0};
    wire [45:0] csa_half_11 = csa_sum ^ cat_0;
    wire [45:0] csa_sum_11 = csa_half_11 ^ csa_sum_1;
    wire [45:0] csa_carry_11 = (csa_sum & cat_0) | (csa_half_11 & csa_sum_1);
    wire [45:0] cat_11 = {csa_carry_11[44:0], 1'b0};
    wire [45:0] csa_half_12 = cat_1 ^ csa_sum_2;
    wire [45:0] csa_sum_12 = csa_half_12 ^ cat_2;
    wire [45:0] csa_carry_12 = (cat_1 & csa_sum_2) | (csa_half_12 & cat_2);
    wire [45:0] cat_12 = {csa_carry_12[44:0], 1'b0};
    wire [45:0] csa_half_13 = csa_sum_3 ^ cat_3;
    wire [45:0] csa_sum_13 = csa_half_13 ^ csa_sum_4;
    wire [45:0] csa_carry_13 = (csa_sum_3 & cat_3) | (csa_half_13 & csa_sum_4);
    wire [45:0] cat_13 = {csa_carry_13[44:0], 1'b0};
    wire [45:0] csa_half_14 = cat_4 ^ csa_sum_5;
    wire [45:0] csa_sum_14 = csa_half_14 ^ cat_5;
    wire [45:0] csa_carry_14 = (cat_4 & csa_sum_5) | (csa_half_14 & cat_5);
    wire [45:0] cat_14 = {csa_carry_14[44:0], 1'b0};
    wire [45:0] csa_half_15 = csa_sum_6 ^ cat_6;
    wire [45:0] csa_sum_15 = csa_half_15 ^ csa_sum_7;
    wire [45:0] csa_carry_15 = (csa_sum_6 & cat_6) | (csa_half_15 & csa_sum_7);
    wire [45:0] cat_15 = {csa_carry_15[44:0], 1'b0};
    wire [45:0] csa_half_16 = cat_7 ^ csa_sum_8;
    wire [45:0] csa_sum_16 = csa_half_16 ^ cat_8;
    wire [45:0] csa_carry_16 = (cat_7 & csa_sum_8) | (csa_half_16 & cat_8);
    wire [45:0] cat_16 = {csa_carry_16[44:0], 1'b0};
    wire [45:0] csa_half_17 = csa_sum_9 ^ cat_9;
    wire [45:0] csa_sum_17 = csa_half_17 ^ csa_sum_10;
    wire [45:0] csa_carry_17 = (csa_sum_9 & cat_9) | (csa_half_17 & csa_sum_10);
    wire [45:0] cat_17 = {csa_carry_17[44:0], 1'b0};
    wire [45:0] csa_half_18 = csa_sum_11 ^ cat_11;
    wire [45:0] csa_sum_18 = csa_half_18 ^ csa_sum_12;
    wire [45:0] csa_carry_18 = (csa_sum_11 & cat_11) | (csa_half_18 & csa_sum_12);
    wire [45:0] cat_18 = {csa_carry_18[44:0], 1'b0};
    wire [45:0] csa_half_19 = cat_12 ^ csa_sum_13;
    wire [45:0] csa_sum_19 = csa_half_19 ^ cat_13;
    wire [45:0] csa_carry_19 = (cat_12 & csa_sum_13) | (csa_half_19 & cat_13);
    wire [45:0] cat_19 = {csa_carry_19[44:0], 1'b0};
    wire [45:0] csa_half_20 = csa_sum_14 ^ cat_14;
    wire [45:0] csa_sum_20 = csa_half_20 ^ csa_sum_15;
    wire [45:0] csa_carry_20 = (csa_sum_14 & cat_14) | (csa_half_20 & csa_sum_15);
    wire [45:0] cat_20 = {csa_carry_20[44:0], 1'b0};
    wire [45:0] csa_half_21 = cat_15 ^ csa_sum_16;
    wire [45:0] csa_sum_21 = csa_half_21 ^ cat_16;
    wire [45:0] csa_carry_21 = (cat_15 & csa_sum_16) | (csa_half_21 & cat_16);
    wire [45:0] cat_21 = {csa_carry_21[44:0], 1'b0};
    wire [45:0] csa_half_22 = csa_sum_17 ^ cat_17;
    wire [45:0] csa_sum_22 = csa_half_22 ^ cat_10;
    wire [45:0] csa_carry_22 = (csa_sum_17 & cat_17) | (csa_half_22 & cat_10);
    wire [45:0] cat_22 = {csa_carry_22[44:0], 1'b0};
    wire [45:0] csa_half_23 = csa_sum_18 ^ cat_18;
    wire [45:0] csa_sum_23 = csa_half_23 ^ csa_sum_19;
    wire [45:0] csa_carry_23 = (csa_sum_18 & cat_18) | (csa_half_23 & csa_sum_19);
    wire [45:0] cat_23 = {csa_carry_23[44:0], 1'b0};
    wire [45:0] csa_half_24 = cat_19 ^ csa_sum_20;
    wire [45:0] csa_sum_24 = csa_half_24 ^ cat_20;
    wire [45:0] csa_carry_24 = (cat_19 & csa_sum_20) | (csa_half_24 & cat_20);
    wire [45:0] cat_24 = {csa_carry_24[44:0], 1'b0};
    wire [45:0] csa_half_25 = csa_sum_21 ^ cat_21;
    wire [45:0] csa_sum_25 = csa_half_25 ^ csa_sum_22;
    wire [45:0] csa_carry_25 = (csa_sum_21 & cat_21) | (csa_half_25 & csa_sum_22);
    wire [45:0] cat_25 = {csa_carry_25[44:0], 1'b0};
    wire [45:0] csa_half_26 = csa_sum_23 ^ cat_23;
    wire [45:0] csa_sum_26 = csa_half_26 ^ csa_sum_24;
    wire [45:0] csa_carry_26 = (csa_sum_23 & cat_23) | (csa_half_26 & csa_sum_24);
    wire [45:0] cat_26 = {csa_carry_26[44:0], 1'b0};
    wire [45:0] csa_half_27 = cat_24 ^ csa_sum_25;
    wire [45:0] csa_sum_27 = csa_half_27 ^ cat_25;
    wire [45:0] csa_carry_27 = (cat_24 & csa_sum_25) | (csa_half_27 & cat_25);
    wire [45:0] cat_27 = {csa_carry_27[44:0], 1'b0};
    wire [45:0] csa_half_28 = csa_sum_26 ^ cat_26;
    wire [45:0] csa_sum_28 = csa_half_28 ^ csa_sum_27;
    wire [45:0] csa_carry_28 = (csa_sum_26 & cat_26) | (csa_half_28 & csa_sum_27);
    wire [45:0] cat_28 = {csa_carry_28[44:0], 1'b0};
    wire [45:0] csa_half_29 = csa_sum_28 ^ cat_28;
    wire [45:0] csa_sum_29 = csa_half_29 ^ cat_27;
    wire [45:0] csa_carry_29 = (csa_sum_28 & cat_28) | (csa_half_29 & cat_27);
    wire [45:0] cat_29 = {csa_carry_29[44:0], 1'b0};
    wire [45:0] csa_half_30 = csa_sum_29 ^ cat_29;
    wire [45:0] csa_sum_30 = csa_half_30 ^ cat_22;
    wire [45:0] csa_carry_30 = (csa_sum_29 & cat_29) | (csa_half_30 & cat_22);
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

    eva_oc_bank u_bank8 (
        .aclk          (aclk),
        .write_enable  (in_valid[8] & (in_pass[17:16] == number)),
        .write_address ({in_half[8], in_index[71:64]}),
        .write_data    (in_y[143:128]),
        .read_enable   (valid),
        .read_address  ({half, index[71:64]}),
        .out_term      (u_bank8_out_term),
        .out_negative  (u_bank8_out_negative),
        .out_nan       (u_bank8_out_nan),
        .out_inf_plus  (u_bank8_out_inf_plus),
        .out_inf_minus (u_bank8_out_inf_minus)
    );

    eva_oc_bank u_bank9 (
        .aclk          (aclk),
        .write_enable  (in_valid[9] & (in_pass[19:18] == number)),
        .write_address ({in_half[9], in_index[79:72]}),
        .write_data    (in_y[159:144]),
        .read_enable   (valid),
        .read_address  ({half, index[79:72]}),
        .out_term      (u_bank9_out_term),
        .out_negative  (u_bank9_out_negative),
        .out_nan       (u_bank9_out_nan),
        .out_inf_plus  (u_bank9_out_inf_plus),
        .out_inf_minus (u_bank9_out_inf_minus)
    );

    eva_oc_bank u_bank10 (
        .aclk          (aclk),
        .write_enable  (in_valid[10] & (in_pass[21:20] == number)),
        .write_address ({in_half[10], in_index[87:80]}),
        .write_data    (in_y[175:160]),
        .read_enable   (valid),
        .read_address  ({half, index[87:80]}),
        .out_term      (u_bank10_out_term),
        .out_negative  (u_bank10_out_negative),
        .out_nan       (u_bank10_out_nan),
        .out_inf_plus  (u_bank10_out_inf_plus),
        .out_inf_minus (u_bank10_out_inf_minus)
    );

    eva_oc_bank u_bank11 (
        .aclk          (aclk),
        .write_enable  (in_valid[11] & (in_pass[23:22] == number)),
        .write_address ({in_half[11], in_index[95:88]}),
        .write_data    (in_y[191:176]),
        .read_enable   (valid),
        .read_address  ({half, index[95:88]}),
        .out_term      (u_bank11_out_term),
        .out_negative  (u_bank11_out_negative),
        .out_nan       (u_bank11_out_nan),
        .out_inf_plus  (u_bank11_out_inf_plus),
        .out_inf_minus (u_bank11_out_inf_minus)
    );

    eva_oc_bank u_bank12 (
        .aclk          (aclk),
        .write_enable  (in_valid[12] & (in_pass[25:24] == number)),
        .write_address ({in_half[12], in_index[103:96]}),
        .write_data    (in_y[207:192]),
        .read_enable   (valid),
        .read_address  ({half, index[103:96]}),
        .out_term      (u_bank12_out_term),
        .out_negative  (u_bank12_out_negative),
        .out_nan       (u_bank12_out_nan),
        .out_inf_plus  (u_bank12_out_inf_plus),
        .out_inf_minus (u_bank12_out_inf_minus)
    );

    eva_oc_bank u_bank13 (
        .aclk          (aclk),
        .write_enable  (in_valid[13] & (in_pass[27:26] == number)),
        .write_address ({in_half[13], in_index[111:104]}),
        .write_data    (in_y[223:208]),
        .read_enable   (valid),
        .read_address  ({half, index[111:104]}),
        .out_term      (u_bank13_out_term),
        .out_negative  (u_bank13_out_negative),
        .out_nan       (u_bank13_out_nan),
        .out_inf_plus  (u_bank13_out_inf_plus),
        .out_inf_minus (u_bank13_out_inf_minus)
    );

    eva_oc_bank u_bank14 (
        .aclk          (aclk),
        .write_enable  (in_valid[14] & (in_pass[29:28] == number)),
        .write_address ({in_half[14], in_index[119:112]}),
        .write_data    (in_y[239:224]),
        .read_enable   (valid),
        .read_address  ({half, index[119:112]}),
        .out_term      (u_bank14_out_term),
        .out_negative  (u_bank14_out_negative),
        .out_nan       (u_bank14_out_nan),
        .out_inf_plus  (u_bank14_out_inf_plus),
        .out_inf_minus (u_bank14_out_inf_minus)
    );

    eva_oc_bank u_bank15 (
        .aclk          (aclk),
        .write_enable  (in_valid[15] & (in_pass[31:30] == number)),
        .write_address ({in_half[15], in_index[127:120]}),
        .write_data    (in_y[255:240]),
        .read_enable   (valid),
        .read_address  ({half, index[127:120]}),
        .out_term      (u_bank15_out_term),
        .out_negative  (u_bank15_out_negative),
        .out_nan       (u_bank15_out_nan),
        .out_inf_plus  (u_bank15_out_inf_plus),
        .out_inf_minus (u_bank15_out_inf_minus)
    );

    eva_oc_bank u_bank16 (
        .aclk          (aclk),
        .write_enable  (in_valid[16] & (in_pass[33:32] == number)),
        .write_address ({in_half[16], in_index[135:128]}),
        .write_data    (in_y[271:256]),
        .read_enable   (valid),
        .read_address  ({half, index[135:128]}),
        .out_term      (u_bank16_out_term),
        .out_negative  (u_bank16_out_negative),
        .out_nan       (u_bank16_out_nan),
        .out_inf_plus  (u_bank16_out_inf_plus),
        .out_inf_minus (u_bank16_out_inf_minus)
    );

    eva_oc_bank u_bank17 (
        .aclk          (aclk),
        .write_enable  (in_valid[17] & (in_pass[35:34] == number)),
        .write_address ({in_half[17], in_index[143:136]}),
        .write_data    (in_y[287:272]),
        .read_enable   (valid),
        .read_address  ({half, index[143:136]}),
        .out_term      (u_bank17_out_term),
        .out_negative  (u_bank17_out_negative),
        .out_nan       (u_bank17_out_nan),
        .out_inf_plus  (u_bank17_out_inf_plus),
        .out_inf_minus (u_bank17_out_inf_minus)
    );

    eva_oc_bank u_bank18 (
        .aclk          (aclk),
        .write_enable  (in_valid[18] & (in_pass[37:36] == number)),
        .write_address ({in_half[18], in_index[151:144]}),
        .write_data    (in_y[303:288]),
        .read_enable   (valid),
        .read_address  ({half, index[151:144]}),
        .out_term      (u_bank18_out_term),
        .out_negative  (u_bank18_out_negative),
        .out_nan       (u_bank18_out_nan),
        .out_inf_plus  (u_bank18_out_inf_plus),
        .out_inf_minus (u_bank18_out_inf_minus)
    );

    eva_oc_bank u_bank19 (
        .aclk          (aclk),
        .write_enable  (in_valid[19] & (in_pass[39:38] == number)),
        .write_address ({in_half[19], in_index[159:152]}),
        .write_data    (in_y[319:304]),
        .read_enable   (valid),
        .read_address  ({half, index[159:152]}),
        .out_term      (u_bank19_out_term),
        .out_negative  (u_bank19_out_negative),
        .out_nan       (u_bank19_out_nan),
        .out_inf_plus  (u_bank19_out_inf_plus),
        .out_inf_minus (u_bank19_out_inf_minus)
    );

    eva_oc_bank u_bank20 (
        .aclk          (aclk),
        .write_enable  (in_valid[20] & (in_pass[41:40] == number)),
        .write_address ({in_half[20], in_index[167:160]}),
        .write_data    (in_y[335:320]),
        .read_enable   (valid),
        .read_address  ({half, index[167:160]}),
        .out_term      (u_bank20_out_term),
        .out_negative  (u_bank20_out_negative),
        .out_nan       (u_bank20_out_nan),
        .out_inf_plus  (u_bank20_out_inf_plus),
        .out_inf_minus (u_bank20_out_inf_minus)
    );

    eva_oc_bank u_bank21 (
        .aclk          (aclk),
        .write_enable  (in_valid[21] & (in_pass[43:42] == number)),
        .write_address ({in_half[21], in_index[175:168]}),
        .write_data    (in_y[351:336]),
        .read_enable   (valid),
        .read_address  ({half, index[175:168]}),
        .out_term      (u_bank21_out_term),
        .out_negative  (u_bank21_out_negative),
        .out_nan       (u_bank21_out_nan),
        .out_inf_plus  (u_bank21_out_inf_plus),
        .out_inf_minus (u_bank21_out_inf_minus)
    );

    eva_oc_bank u_bank22 (
        .aclk          (aclk),
        .write_enable  (in_valid[22] & (in_pass[45:44] == number)),
        .write_address ({in_half[22], in_index[183:176]}),
        .write_data    (in_y[367:352]),
        .read_enable   (valid),
        .read_address  ({half, index[183:176]}),
        .out_term      (u_bank22_out_term),
        .out_negative  (u_bank22_out_negative),
        .out_nan       (u_bank22_out_nan),
        .out_inf_plus  (u_bank22_out_inf_plus),
        .out_inf_minus (u_bank22_out_inf_minus)
    );

    eva_oc_bank u_bank23 (
        .aclk          (aclk),
        .write_enable  (in_valid[23] & (in_pass[47:46] == number)),
        .write_address ({in_half[23], in_index[191:184]}),
        .write_data    (in_y[383:368]),
        .read_enable   (valid),
        .read_address  ({half, index[191:184]}),
        .out_term      (u_bank23_out_term),
        .out_negative  (u_bank23_out_negative),
        .out_nan       (u_bank23_out_nan),
        .out_inf_plus  (u_bank23_out_inf_plus),
        .out_inf_minus (u_bank23_out_inf_minus)
    );

    eva_oc_bank u_bank24 (
        .aclk          (aclk),
        .write_enable  (in_valid[24] & (in_pass[49:48] == number)),
        .write_address ({in_half[24], in_index[199:192]}),
        .write_data    (in_y[399:384]),
        .read_enable   (valid),
        .read_address  ({half, index[199:192]}),
        .out_term      (u_bank24_out_term),
        .out_negative  (u_bank24_out_negative),
        .out_nan       (u_bank24_out_nan),
        .out_inf_plus  (u_bank24_out_inf_plus),
        .out_inf_minus (u_bank24_out_inf_minus)
    );

    eva_oc_bank u_bank25 (
        .aclk          (aclk),
        .write_enable  (in_valid[25] & (in_pass[51:50] == number)),
        .write_address ({in_half[25], in_index[207:200]}),
        .write_data    (in_y[415:400]),
        .read_enable   (valid),
        .read_address  ({half, index[207:200]}),
        .out_term      (u_bank25_out_term),
        .out_negative  (u_bank25_out_negative),
        .out_nan       (u_bank25_out_nan),
        .out_inf_plus  (u_bank25_out_inf_plus),
        .out_inf_minus (u_bank25_out_inf_minus)
    );

    eva_oc_bank u_bank26 (
        .aclk          (aclk),
        .write_enable  (in_valid[26] & (in_pass[53:52] == number)),
        .write_address ({in_half[26], in_index[215:208]}),
        .write_data    (in_y[431:416]),
        .read_enable   (valid),
        .read_address  ({half, index[215:208]}),
        .out_term      (u_bank26_out_term),
        .out_negative  (u_bank26_out_negative),
        .out_nan       (u_bank26_out_nan),
        .out_inf_plus  (u_bank26_out_inf_plus),
        .out_inf_minus (u_bank26_out_inf_minus)
    );

    eva_oc_bank u_bank27 (
        .aclk          (aclk),
        .write_enable  (in_valid[27] & (in_pass[55:54] == number)),
        .write_address ({in_half[27], in_index[223:216]}),
        .write_data    (in_y[447:432]),
        .read_enable   (valid),
        .read_address  ({half, index[223:216]}),
        .out_term      (u_bank27_out_term),
        .out_negative  (u_bank27_out_negative),
        .out_nan       (u_bank27_out_nan),
        .out_inf_plus  (u_bank27_out_inf_plus),
        .out_inf_minus (u_bank27_out_inf_minus)
    );

    eva_oc_bank u_bank28 (
        .aclk          (aclk),
        .write_enable  (in_valid[28] & (in_pass[57:56] == number)),
        .write_address ({in_half[28], in_index[231:224]}),
        .write_data    (in_y[463:448]),
        .read_enable   (valid),
        .read_address  ({half, index[231:224]}),
        .out_term      (u_bank28_out_term),
        .out_negative  (u_bank28_out_negative),
        .out_nan       (u_bank28_out_nan),
        .out_inf_plus  (u_bank28_out_inf_plus),
        .out_inf_minus (u_bank28_out_inf_minus)
    );

    eva_oc_bank u_bank29 (
        .aclk          (aclk),
        .write_enable  (in_valid[29] & (in_pass[59:58] == number)),
        .write_address ({in_half[29], in_index[239:232]}),
        .write_data    (in_y[479:464]),
        .read_enable   (valid),
        .read_address  ({half, index[239:232]}),
        .out_term      (u_bank29_out_term),
        .out_negative  (u_bank29_out_negative),
        .out_nan       (u_bank29_out_nan),
        .out_inf_plus  (u_bank29_out_inf_plus),
        .out_inf_minus (u_bank29_out_inf_minus)
    );

    eva_oc_bank u_bank30 (
        .aclk          (aclk),
        .write_enable  (in_valid[30] & (in_pass[61:60] == number)),
        .write_address ({in_half[30], in_index[247:240]}),
        .write_data    (in_y[495:480]),
        .read_enable   (valid),
        .read_address  ({half, index[247:240]}),
        .out_term      (u_bank30_out_term),
        .out_negative  (u_bank30_out_negative),
        .out_nan       (u_bank30_out_nan),
        .out_inf_plus  (u_bank30_out_inf_plus),
        .out_inf_minus (u_bank30_out_inf_minus)
    );

    eva_oc_bank u_bank31 (
        .aclk          (aclk),
        .write_enable  (in_valid[31] & (in_pass[63:62] == number)),
        .write_address ({in_half[31], in_index[255:248]}),
        .write_data    (in_y[511:496]),
        .read_enable   (valid),
        .read_address  ({half, index[255:248]}),
        .out_term      (u_bank31_out_term),
        .out_negative  (u_bank31_out_negative),
        .out_nan       (u_bank31_out_nan),
        .out_inf_plus  (u_bank31_out_inf_plus),
        .out_inf_minus (u_bank31_out_inf_minus)
    );

    always @(posedge aclk) begin
        partial_q <= csa_sum_30;
        carry_q <= {csa_carry_30[44:0], 1'b0};
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
        csa_carry_29[45], csa_carry_30[45]};

endmodule

`default_nettype wire
