// eva_array: Systolic array: operands move down one row per cycle past those that the rows hold.
//
//   array.rows = 32
//   segments   = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_array (
    input  wire          aclk,
    input  wire          aresetn,
    input  wire          in_int8,
    input  wire          in_valid,
    input  wire          in_load,
    input  wire [7:0]    in_index,
    input  wire [1:0]    in_pass,
    input  wire          in_half,
    input  wire          in_step_end,
    input  wire [5:0]    in_turn,
    input  wire          in_emit,
    input  wire          in_emit_end,
    input  wire [127:0]  in_entry,
    input  wire [255:0]  in_token,
    input  wire [127:0]  in_vectors,
    input  wire          in_live,
    input  wire [255:0]  in_weights,
    input  wire [1023:0] psum,
    output wire          filled,
    output wire          emitted_valid,
    output wire          emitted_end,
    output wire [31:0]   emitted_sum,
    output wire [31:0]   read_valid,
    output wire [255:0]  read_index,
    output wire [63:0]   read_pass,
    output wire [31:0]   read_first,
    output wire [31:0]   out_valid,
    output wire [255:0]  out_index,
    output wire [63:0]   out_pass,
    output wire [31:0]   out_half,
    output wire [1023:0] out_y
);

    reg        int8_q;
    reg        load_row0;
    reg        load_row1;
    reg        load_row2;
    reg        load_row3;
    reg        load_row4;
    reg        load_row5;
    reg        load_row6;
    reg        load_row7;
    reg        load_row8;
    reg        load_row9;
    reg        load_row10;
    reg        load_row11;
    reg        load_row12;
    reg        load_row13;
    reg        load_row14;
    reg        load_row15;
    reg        load_row16;
    reg        load_row17;
    reg        load_row18;
    reg        load_row19;
    reg        load_row20;
    reg        load_row21;
    reg        load_row22;
    reg        load_row23;
    reg        load_row24;
    reg        load_row25;
    reg        load_row26;
    reg        load_row27;
    reg        load_row28;
    reg        load_row29;
    reg        load_row30;
    reg        load_row31;
    reg        valid_q1;
    reg        step_end_q1;
    reg        emit_q1;
    reg [17:0] tag_q1;
    reg        valid_q2;
    reg        step_end_q2;
    reg        emit_q2;
    reg [17:0] tag_q2;
    reg        valid_q3;
    reg        step_end_q3;
    reg        emit_q3;
    reg [17:0] tag_q3;
    reg        valid_q4;
    reg        step_end_q4;
    reg        emit_q4;
    reg [17:0] tag_q4;
    reg        valid_q5;
    reg        step_end_q5;
    reg        emit_q5;
    reg [17:0] tag_q5;
    reg        valid_q6;
    reg        step_end_q6;
    reg        emit_q6;
    reg [17:0] tag_q6;
    reg        valid_q7;
    reg        step_end_q7;
    reg        emit_q7;
    reg [17:0] tag_q7;
    reg        valid_q8;
    reg        step_end_q8;
    reg        emit_q8;
    reg [17:0] tag_q8;
    reg        valid_q9;
    reg        step_end_q9;
    reg        emit_q9;
    reg [17:0] tag_q9;
    reg        valid_q10;
    reg        step_end_q10;
    reg        emit_q10;
    reg [17:0] tag_q10;
    reg        valid_q11;
    reg        step_end_q11;
    reg        emit_q11;
    reg [17:0] tag_q11;
    reg        valid_q12;
    reg        step_end_q12;
    reg        emit_q12;
    reg [17:0] tag_q12;
    reg        valid_q13;
    reg        step_end_q13;
    reg        emit_q13;
    reg [17:0] tag_q13;
    reg        valid_q14;
    reg        step_end_q14;
    reg        emit_q14;
    reg [17:0] tag_q14;
    reg        valid_q15;
    reg        step_end_q15;
    reg        emit_q15;
    reg [17:0] tag_q15;
    reg        valid_q16;
    reg        step_end_q16;
    reg        emit_q16;
    reg [17:0] tag_q16;
    reg        valid_q17;
    reg        step_end_q17;
    reg        emit_q17;
    reg [17:0] tag_q17;
    reg        valid_q18;
    reg        step_end_q18;
    reg        emit_q18;
    reg [17:0] tag_q18;
    reg        valid_q19;
    reg        step_end_q19;
    reg        emit_q19;
    reg [17:0] tag_q19;
    reg        valid_q20;
    reg        step_end_q20;
    reg        emit_q20;
    reg [17:0] tag_q20;
    reg        valid_q21;
    reg        step_end_q21;
    reg        emit_q21;
    reg [17:0] tag_q21;
    reg        valid_q22;
    reg        step_end_q22;
    reg        emit_q22;
    reg [17:0] tag_q22;
    reg        valid_q23;
    reg        step_end_q23;
    reg        emit_q23;
    reg [17:0] tag_q23;
    reg        valid_q24;
    reg        step_end_q24;
    reg        emit_q24;
    reg [17:0] tag_q24;
    reg        valid_q25;
    reg        step_end_q25;
    reg        emit_q25;
    reg [17:0] tag_q25;
    reg        valid_q26;
    reg        step_end_q26;
    reg        emit_q26;
    reg [17:0] tag_q26;
    reg        valid_q27;
    reg        step_end_q27;
    reg        emit_q27;
    reg [17:0] tag_q27;
    reg        valid_q28;
    reg        step_end_q28;
    reg        emit_q28;
    reg [17:0] tag_q28;
    reg        valid_q29;
    reg        step_end_q29;
    reg        emit_q29;
    reg [17:0] tag_q29;
    reg        valid_q30;
    reg        step_end_q30;
    reg        emit_q30;
    reg [17:0] tag_q30;
    reg        valid_q31;
    reg        step_end_q31;
    reg        emit_q31;
    reg [17:0] tag_q31;
    reg        valid_q32;
    reg        step_end_q32;
    reg        emit_q32;
    reg [17:0] tag_q32;
    reg        valid_q33;
    reg        step_end_q33;
    reg        emit_q33;
    reg [17:0] tag_q33;
    reg        valid_q34;
    reg        step_end_q34;
    reg        emit_q34;
    reg [17:0] tag_q34;
    reg        valid_q35;
    reg        step_end_q35;
    reg        emit_q35;
    reg [17:0] tag_q35;
    reg        valid_q36;
    reg        step_end_q36;
    reg        emit_q36;
    reg [17:0] tag_q36;
    reg        valid_q37;
    reg        step_end_q37;
    reg        emit_q37;
    reg [17:0] tag_q37;
    reg        emitted_valid_q;
    reg        emitted_end_q;
    reg [31:0] emitted_sum_q;

    wire [31:0]  u_streaming0_operand;
    wire [31:0]  u_streaming1_operand;
    wire [31:0]  u_streaming2_operand;
    wire [31:0]  u_streaming3_operand;
    wire [31:0]  u_streaming4_operand;
    wire [31:0]  u_streaming5_operand;
    wire [31:0]  u_streaming6_operand;
    wire [31:0]  u_streaming7_operand;
    wire [31:0]  u_stationary0_operand;
    wire [31:0]  u_stationary1_operand;
    wire [31:0]  u_stationary2_operand;
    wire [31:0]  u_stationary3_operand;
    wire [31:0]  u_stationary4_operand;
    wire [31:0]  u_stationary5_operand;
    wire [31:0]  u_stationary6_operand;
    wire [31:0]  u_stationary7_operand;
    wire [255:0] u_row0_w_out;
    wire [31:0]  u_row0_y;
    wire [255:0] u_row1_w_out;
    wire [31:0]  u_row1_y;
    wire [255:0] u_row2_w_out;
    wire [31:0]  u_row2_y;
    wire [255:0] u_row3_w_out;
    wire [31:0]  u_row3_y;
    wire [255:0] u_row4_w_out;
    wire [31:0]  u_row4_y;
    wire [255:0] u_row5_w_out;
    wire [31:0]  u_row5_y;
    wire [255:0] u_row6_w_out;
    wire [31:0]  u_row6_y;
    wire [255:0] u_row7_w_out;
    wire [31:0]  u_row7_y;
    wire [255:0] u_row8_w_out;
    wire [31:0]  u_row8_y;
    wire [255:0] u_row9_w_out;
    wire [31:0]  u_row9_y;
    wire [255:0] u_row10_w_out;
    wire [31:0]  u_row10_y;
    wire [255:0] u_row11_w_out;
    wire [31:0]  u_row11_y;
    wire [255:0] u_row12_w_out;
    wire [31:0]  u_row12_y;
    wire [255:0] u_row13_w_out;
    wire [31:0]  u_row13_y;
    wire [255:0] u_row14_w_out;
    wire [31:0]  u_row14_y;
    wire [255:0] u_row15_w_out;
    wire [31:0]  u_row15_y;
    wire [255:0] u_row16_w_out;
    wire [31:0]  u_row16_y;
    wire [255:0] u_row17_w_out;
    wire [31:0]  u_row17_y;
    wire [255:0] u_row18_w_out;
    wire [31:0]  u_row18_y;
    wire [255:0] u_row19_w_out;
    wire [31:0]  u_row19_y;
    wire [255:0] u_row20_w_out;
    wire [31:0]  u_row20_y;
    wire [255:0] u_row21_w_out;
    wire [31:0]  u_row21_y;
    wire [255:0] u_row22_w_out;
    wire [31:0]  u_row22_y;
    wire [255:0] u_row23_w_out;
    wire [31:0]  u_row23_y;
    wire [255:0] u_row24_w_out;
    wire [31:0]  u_row24_y;
    wire [255:0] u_row25_w_out;
    wire [31:0]  u_row25_y;
    wire [255:0] u_row26_w_out;
    wire [31:0]  u_row26_y;
    wire [255:0] u_row27_w_out;
    wire [31:0]  u_row27_y;
    wire [255:0] u_row28_w_out;
    wire [31:0]  u_row28_y;
    wire [255:0] u_row29_w_out;
    wire [31:0]  u_row29_y;
    wire [255:0] u_row30_w_out;
    wire [31:0]  u_row30_y;
    wire [255:0] u_row31_w_out;
    wire [31:0]  u_row31_y;

    wire [255:0] cat_0 = {u_stationary7_operand, u_stationary6_operand, u_stationary5_operand,
        u_stationary4_operand, u_stationary3_operand, u_stationary2_operand, u_stationary1_operand,
        u_stationary0_operand};
    wire         sends0 = emit_q6 & (tag_q6[16:11] == 6'd32);
    wire         sends1 = emit_q7 & (tag_q7[16:11] == 6'd0);
    wire         sends2 = emit_q8 & (tag_q8[16:11] == 6'd1);
    wire         sends3 = emit_q9 & (tag_q9[16:11] == 6'd2);
    wire         sends4 = emit_q10 & (tag_q10[16:11] == 6'd3);
    wire         sends5 = emit_q11 & (tag_q11[16:11] == 6'd4);
    wire         sends6 = emit_q12 & (tag_q12[16:11] == 6'd5);
    wire         sends7 = emit_q13 & (tag_q13[16:11] == 6'd6);
    wire         sends8 = emit_q14 & (tag_q14[16:11] == 6'd7);
    wire         sends9 = emit_q15 & (tag_q15[16:11] == 6'd8);
    wire         sends10 = emit_q16 & (tag_q16[16:11] == 6'd9);
    wire         sends11 = emit_q17 & (tag_q17[16:11] == 6'd10);
    wire         sends12 = emit_q18 & (tag_q18[16:11] == 6'd11);
    wire         sends13 = emit_q19 & (tag_q19[16:11] == 6'd12);
    wire         sends14 = emit_q20 & (tag_q20[16:11] == 6'd13);
    wire         sends15 = emit_q21 & (tag_q21[16:11] == 6'd14);
    wire         sends16 = emit_q22 & (tag_q22[16:11] == 6'd15);
    wire         sends17 = emit_q23 & (tag_q23[16:11] == 6'd16);
    wire         sends18 = emit_q24 & (tag_q24[16:11] == 6'd17);
    wire         sends19 = emit_q25 & (tag_q25[16:11] == 6'd18);
    wire         sends20 = emit_q26 & (tag_q26[16:11] == 6'd19);
    wire         sends21 = emit_q27 & (tag_q27[16:11] == 6'd20);
    wire         sends22 = emit_q28 & (tag_q28[16:11] == 6'd21);
    wire         sends23 = emit_q29 & (tag_q29[16:11] == 6'd22);
    wire         sends24 = emit_q30 & (tag_q30[16:11] == 6'd23);
    wire         sends25 = emit_q31 & (tag_q31[16:11] == 6'd24);
    wire         sends26 = emit_q32 & (tag_q32[16:11] == 6'd25);
    wire         sends27 = emit_q33 & (tag_q33[16:11] == 6'd26);
    wire         sends28 = emit_q34 & (tag_q34[16:11] == 6'd27);
    wire         sends29 = emit_q35 & (tag_q35[16:11] == 6'd28);
    wire         sends30 = emit_q36 & (tag_q36[16:11] == 6'd29);
    wire         sends31 = emit_q37 & (tag_q37[16:11] == 6'd30);
    wire [31:0]  or_0 = (u_row0_y & {32{sends0}}) | (u_row1_y & {32{sends1}}) | (u_row2_y & {32{sends2}})
        | (u_row3_y & {32{sends3}}) | (u_row4_y & {32{sends4}}) | (u_row5_y & {32{sends5}})
        | (u_row6_y & {32{sends6}}) | (u_row7_y & {32{sends7}}) | (u_row8_y & {32{sends8}})
        | (u_row9_y & {32{sends9}}) | (u_row10_y & {32{sends10}}) | (u_row11_y & {32{sends11}})
        | (u_row12_y & {32{sends12}}) | (u_row13_y & {32{sends13}}) | (u_row14_y & {32{sends14}});
    wire [31:0]  or_1 = or_0 | (u_row15_y & {32{sends15}}) | (u_row16_y & {32{sends16}})
        | (u_row17_y & {32{sends17}}) | (u_row18_y & {32{sends18}}) | (u_row19_y & {32{sends19}})
        | (u_row20_y & {32{sends20}}) | (u_row21_y & {32{sends21}}) | (u_row22_y & {32{sends22}})
        | (u_row23_y & {32{sends23}}) | (u_row24_y & {32{sends24}}) | (u_row25_y & {32{sends25}})
        | (u_row26_y & {32{sends26}}) | (u_row27_y & {32{sends27}}) | (u_row28_y & {32{sends28}});
    wire [31:0]  cat_1 = {sends31, sends30, sends29, sends28, sends27, sends26, sends25, sends24, sends23, sends22,
        sends21, sends20, sends19, sends18, sends17, sends16, sends15, sends14, sends13, sends12, sends11, sends10,
        sends9, sends8, sends7, sends6, sends5, sends4, sends3, sends2, sends1, sends0};
    wire [31:0]  cat_2 = {sends31 & tag_q37[17], sends30 & tag_q36[17], sends29 & tag_q35[17], sends28
        & tag_q34[17], sends27 & tag_q33[17], sends26 & tag_q32[17], sends25 & tag_q31[17], sends24 & tag_q30[17],
        sends23 & tag_q29[17], sends22 & tag_q28[17], sends21 & tag_q27[17], sends20 & tag_q26[17], sends19
        & tag_q25[17], sends18 & tag_q24[17], sends17 & tag_q23[17], sends16 & tag_q22[17], sends15 & tag_q21[17],
        sends14 & tag_q20[17], sends13 & tag_q19[17], sends12 & tag_q18[17], sends11 & tag_q17[17], sends10
        & tag_q16[17], sends9 & tag_q15[17], sends8 & tag_q14[17], sends7 & tag_q13[17], sends6 & tag_q12[17],
        sends5 & tag_q11[17], sends4 & tag_q10[17], sends3 & tag_q9[17], sends2 & tag_q8[17], sends1 & tag_q7[17],
        sends0 & tag_q6[17]};
    assign read_valid = {valid_q35, valid_q34, valid_q33, valid_q32, valid_q31, valid_q30, valid_q29, valid_q28,
        valid_q27, valid_q26, valid_q25, valid_q24, valid_q23, valid_q22, valid_q21, valid_q20, valid_q19,
        valid_q18, valid_q17, valid_q16, valid_q15, valid_q14, valid_q13, valid_q12, valid_q11, valid_q10,
        valid_q9, valid_q8, valid_q7, valid_q6, valid_q5, valid_q4};
    assign read_index = {tag_q35[7:0], tag_q34[7:0], tag_q33[7:0], tag_q32[7:0], tag_q31[7:0], tag_q30[7:0],
        tag_q29[7:0], tag_q28[7:0], tag_q27[7:0], tag_q26[7:0], tag_q25[7:0], tag_q24[7:0], tag_q23[7:0],
        tag_q22[7:0], tag_q21[7:0], tag_q20[7:0], tag_q19[7:0], tag_q18[7:0], tag_q17[7:0], tag_q16[7:0],
        tag_q15[7:0], tag_q14[7:0], tag_q13[7:0], tag_q12[7:0], tag_q11[7:0], tag_q10[7:0], tag_q9[7:0],
        tag_q8[7:0], tag_q7[7:0], tag_q6[7:0], tag_q5[7:0], tag_q4[7:0]};
    assign read_pass = {tag_q35[9:8], tag_q34[9:8], tag_q33[9:8], tag_q32[9:8], tag_q31[9:8], tag_q30[9:8],
        tag_q29[9:8], tag_q28[9:8], tag_q27[9:8], tag_q26[9:8], tag_q25[9:8], tag_q24[9:8], tag_q23[9:8],
        tag_q22[9:8], tag_q21[9:8], tag_q20[9:8], tag_q19[9:8], tag_q18[9:8], tag_q17[9:8], tag_q16[9:8],
        tag_q15[9:8], tag_q14[9:8], tag_q13[9:8], tag_q12[9:8], tag_q11[9:8], tag_q10[9:8], tag_q9[9:8],
        tag_q8[9:8], tag_q7[9:8], tag_q6[9:8], tag_q5[9:8], tag_q4[9:8]};
    assign read_first = {tag_q35[16:11] == 6'd31, tag_q34[16:11] == 6'd30, tag_q33[16:11] == 6'd29, tag_q32[16:11]
        == 6'd28, tag_q31[16:11] == 6'd27, tag_q30[16:11] == 6'd26, tag_q29[16:11] == 6'd25, tag_q28[16:11]
        == 6'd24, tag_q27[16:11] == 6'd23, tag_q26[16:11] == 6'd22, tag_q25[16:11] == 6'd21, tag_q24[16:11]
        == 6'd20, tag_q23[16:11] == 6'd19, tag_q22[16:11] == 6'd18, tag_q21[16:11] == 6'd17, tag_q20[16:11]
        == 6'd16, tag_q19[16:11] == 6'd15, tag_q18[16:11] == 6'd14, tag_q17[16:11] == 6'd13, tag_q16[16:11]
        == 6'd12, tag_q15[16:11] == 6'd11, tag_q14[16:11] == 6'd10, tag_q13[16:11] == 6'd9, tag_q12[16:11] == 6'd8,
        tag_q11[16:11] == 6'd7, tag_q10[16:11] == 6'd6, tag_q9[16:11] == 6'd5, tag_q8[16:11] == 6'd4, tag_q7[16:11]
        == 6'd3, tag_q6[16:11] == 6'd2, tag_q5[16:11] == 6'd1, tag_q4[16:11] == 6'd0};
    assign out_valid = {valid_q37, valid_q36, valid_q35, valid_q34, valid_q33, valid_q32, valid_q31, valid_q30,
        valid_q29, valid_q28, valid_q27, valid_q26, valid_q25, valid_q24, valid_q23, valid_q22, valid_q21,
        valid_q20, valid_q19, valid_q18, valid_q17, valid_q16, valid_q15, valid_q14, valid_q13, valid_q12,
        valid_q11, valid_q10, valid_q9, valid_q8, valid_q7, valid_q6};
    assign out_index = {tag_q37[7:0], tag_q36[7:0], tag_q35[7:0], tag_q34[7:0], tag_q33[7:0], tag_q32[7:0],
        tag_q31[7:0], tag_q30[7:0], tag_q29[7:0], tag_q28[7:0], tag_q27[7:0], tag_q26[7:0], tag_q25[7:0],
        tag_q24[7:0], tag_q23[7:0], tag_q22[7:0], tag_q21[7:0], tag_q20[7:0], tag_q19[7:0], tag_q18[7:0],
        tag_q17[7:0], tag_q16[7:0], tag_q15[7:0], tag_q14[7:0], tag_q13[7:0], tag_q12[7:0], tag_q11[7:0],
        tag_q10[7:0], tag_q9[7:0], tag_q8[7:0], tag_q7[7:0], tag_q6[7:0]};
    assign out_pass = {tag_q37[9:8], tag_q36[9:8], tag_q35[9:8], tag_q34[9:8], tag_q33[9:8], tag_q32[9:8],
        tag_q31[9:8], tag_q30[9:8], tag_q29[9:8], tag_q28[9:8], tag_q27[9:8], tag_q26[9:8], tag_q25[9:8],
        tag_q24[9:8], tag_q23[9:8], tag_q22[9:8], tag_q21[9:8], tag_q20[9:8], tag_q19[9:8], tag_q18[9:8],
        tag_q17[9:8], tag_q16[9:8], tag_q15[9:8], tag_q14[9:8], tag_q13[9:8], tag_q12[9:8], tag_q11[9:8],
        tag_q10[9:8], tag_q9[9:8], tag_q8[9:8], tag_q7[9:8], tag_q6[9:8]};
    assign out_half = {tag_q37[10], tag_q36[10], tag_q35[10], tag_q34[10], tag_q33[10], tag_q32[10], tag_q31[10],
        tag_q30[10], tag_q29[10], tag_q28[10], tag_q27[10], tag_q26[10], tag_q25[10], tag_q24[10], tag_q23[10],
        tag_q22[10], tag_q21[10], tag_q20[10], tag_q19[10], tag_q18[10], tag_q17[10], tag_q16[10], tag_q15[10],
        tag_q14[10], tag_q13[10], tag_q12[10], tag_q11[10], tag_q10[10], tag_q9[10], tag_q8[10], tag_q7[10],
        tag_q6[10]};
    assign out_y = {u_row31_y, u_row30_y, u_row29_y, u_row28_y, u_row27_y, u_row26_y, u_row25_y, u_row24_y,
        u_row23_y, u_row22_y, u_row21_y, u_row20_y, u_row19_y, u_row18_y, u_row17_y, u_row16_y, u_row15_y,
        u_row14_y, u_row13_y, u_row12_y, u_row11_y, u_row10_y, u_row9_y, u_row8_y, u_row7_y, u_row6_y, u_row5_y,
        u_row4_y, u_row3_y, u_row2_y, u_row1_y, u_row0_y};
    wire [255:0] cat_3 = {u_streaming7_operand, u_streaming6_operand, u_streaming5_operand, u_streaming4_operand,
        u_streaming3_operand, u_streaming2_operand, u_streaming1_operand, u_streaming0_operand};

    eva_streaming_operand u_streaming0 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_token[31:0]),
        .fp16_in (in_entry[15:0]),
        .operand (u_streaming0_operand)
    );

    eva_streaming_operand u_streaming1 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_token[63:32]),
        .fp16_in (in_entry[31:16]),
        .operand (u_streaming1_operand)
    );

    eva_streaming_operand u_streaming2 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_token[95:64]),
        .fp16_in (in_entry[47:32]),
        .operand (u_streaming2_operand)
    );

    eva_streaming_operand u_streaming3 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_token[127:96]),
        .fp16_in (in_entry[63:48]),
        .operand (u_streaming3_operand)
    );

    eva_streaming_operand u_streaming4 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_token[159:128]),
        .fp16_in (in_entry[79:64]),
        .operand (u_streaming4_operand)
    );

    eva_streaming_operand u_streaming5 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_token[191:160]),
        .fp16_in (in_entry[95:80]),
        .operand (u_streaming5_operand)
    );

    eva_streaming_operand u_streaming6 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_token[223:192]),
        .fp16_in (in_entry[111:96]),
        .operand (u_streaming6_operand)
    );

    eva_streaming_operand u_streaming7 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_token[255:224]),
        .fp16_in (in_entry[127:112]),
        .operand (u_streaming7_operand)
    );

    eva_stationary_operand u_stationary0 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_weights[31:0]),
        .fp16_in (in_vectors[15:0]),
        .live    (in_live),
        .operand (u_stationary0_operand)
    );

    eva_stationary_operand u_stationary1 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_weights[63:32]),
        .fp16_in (in_vectors[31:16]),
        .live    (in_live),
        .operand (u_stationary1_operand)
    );

    eva_stationary_operand u_stationary2 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_weights[95:64]),
        .fp16_in (in_vectors[47:32]),
        .live    (in_live),
        .operand (u_stationary2_operand)
    );

    eva_stationary_operand u_stationary3 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_weights[127:96]),
        .fp16_in (in_vectors[63:48]),
        .live    (in_live),
        .operand (u_stationary3_operand)
    );

    eva_stationary_operand u_stationary4 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_weights[159:128]),
        .fp16_in (in_vectors[79:64]),
        .live    (in_live),
        .operand (u_stationary4_operand)
    );

    eva_stationary_operand u_stationary5 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_weights[191:160]),
        .fp16_in (in_vectors[95:80]),
        .live    (in_live),
        .operand (u_stationary5_operand)
    );

    eva_stationary_operand u_stationary6 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_weights[223:192]),
        .fp16_in (in_vectors[111:96]),
        .live    (in_live),
        .operand (u_stationary6_operand)
    );

    eva_stationary_operand u_stationary7 (
        .aclk    (aclk),
        .int8    (int8_q),
        .int8_in (in_weights[255:224]),
        .fp16_in (in_vectors[127:112]),
        .live    (in_live),
        .operand (u_stationary7_operand)
    );

    eva_row u_row0 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (cat_3),
        .in_x    (cat_0),
        .in_load (load_row0),
        .psum    (psum[31:0]),
        .w_out   (u_row0_w_out),
        .y       (u_row0_y)
    );

    eva_row u_row1 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row0_w_out),
        .in_x    (cat_0),
        .in_load (load_row1),
        .psum    (psum[63:32]),
        .w_out   (u_row1_w_out),
        .y       (u_row1_y)
    );

    eva_row u_row2 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row1_w_out),
        .in_x    (cat_0),
        .in_load (load_row2),
        .psum    (psum[95:64]),
        .w_out   (u_row2_w_out),
        .y       (u_row2_y)
    );

    eva_row u_row3 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row2_w_out),
        .in_x    (cat_0),
        .in_load (load_row3),
        .psum    (psum[127:96]),
        .w_out   (u_row3_w_out),
        .y       (u_row3_y)
    );

    eva_row u_row4 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row3_w_out),
        .in_x    (cat_0),
        .in_load (load_row4),
        .psum    (psum[159:128]),
        .w_out   (u_row4_w_out),
        .y       (u_row4_y)
    );

    eva_row u_row5 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row4_w_out),
        .in_x    (cat_0),
        .in_load (load_row5),
        .psum    (psum[191:160]),
        .w_out   (u_row5_w_out),
        .y       (u_row5_y)
    );

    eva_row u_row6 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row5_w_out),
        .in_x    (cat_0),
        .in_load (load_row6),
        .psum    (psum[223:192]),
        .w_out   (u_row6_w_out),
        .y       (u_row6_y)
    );

    eva_row u_row7 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row6_w_out),
        .in_x    (cat_0),
        .in_load (load_row7),
        .psum    (psum[255:224]),
        .w_out   (u_row7_w_out),
        .y       (u_row7_y)
    );

    eva_row u_row8 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row7_w_out),
        .in_x    (cat_0),
        .in_load (load_row8),
        .psum    (psum[287:256]),
        .w_out   (u_row8_w_out),
        .y       (u_row8_y)
    );

    eva_row u_row9 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row8_w_out),
        .in_x    (cat_0),
        .in_load (load_row9),
        .psum    (psum[319:288]),
        .w_out   (u_row9_w_out),
        .y       (u_row9_y)
    );

    eva_row u_row10 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row9_w_out),
        .in_x    (cat_0),
        .in_load (load_row10),
        .psum    (psum[351:320]),
        .w_out   (u_row10_w_out),
        .y       (u_row10_y)
    );

    eva_row u_row11 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row10_w_out),
        .in_x    (cat_0),
        .in_load (load_row11),
        .psum    (psum[383:352]),
        .w_out   (u_row11_w_out),
        .y       (u_row11_y)
    );

    eva_row u_row12 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row11_w_out),
        .in_x    (cat_0),
        .in_load (load_row12),
        .psum    (psum[415:384]),
        .w_out   (u_row12_w_out),
        .y       (u_row12_y)
    );

    eva_row u_row13 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row12_w_out),
        .in_x    (cat_0),
        .in_load (load_row13),
        .psum    (psum[447:416]),
        .w_out   (u_row13_w_out),
        .y       (u_row13_y)
    );

    eva_row u_row14 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row13_w_out),
        .in_x    (cat_0),
        .in_load (load_row14),
        .psum    (psum[479:448]),
        .w_out   (u_row14_w_out),
        .y       (u_row14_y)
    );

    eva_row u_row15 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row14_w_out),
        .in_x    (cat_0),
        .in_load (load_row15),
        .psum    (psum[511:480]),
        .w_out   (u_row15_w_out),
        .y       (u_row15_y)
    );

    eva_row u_row16 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row15_w_out),
        .in_x    (cat_0),
        .in_load (load_row16),
        .psum    (psum[543:512]),
        .w_out   (u_row16_w_out),
        .y       (u_row16_y)
    );

    eva_row u_row17 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row16_w_out),
        .in_x    (cat_0),
        .in_load (load_row17),
        .psum    (psum[575:544]),
        .w_out   (u_row17_w_out),
        .y       (u_row17_y)
    );

    eva_row u_row18 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row17_w_out),
        .in_x    (cat_0),
        .in_load (load_row18),
        .psum    (psum[607:576]),
        .w_out   (u_row18_w_out),
        .y       (u_row18_y)
    );

    eva_row u_row19 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row18_w_out),
        .in_x    (cat_0),
        .in_load (load_row19),
        .psum    (psum[639:608]),
        .w_out   (u_row19_w_out),
        .y       (u_row19_y)
    );

    eva_row u_row20 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row19_w_out),
        .in_x    (cat_0),
        .in_load (load_row20),
        .psum    (psum[671:640]),
        .w_out   (u_row20_w_out),
        .y       (u_row20_y)
    );

    eva_row u_row21 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row20_w_out),
        .in_x    (cat_0),
        .in_load (load_row21),
        .psum    (psum[703:672]),
        .w_out   (u_row21_w_out),
        .y       (u_row21_y)
    );

    eva_row u_row22 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row21_w_out),
        .in_x    (cat_0),
        .in_load (load_row22),
        .psum    (psum[735:704]),
        .w_out   (u_row22_w_out),
        .y       (u_row22_y)
    );

    eva_row u_row23 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row22_w_out),
        .in_x    (cat_0),
        .in_load (load_row23),
        .psum    (psum[767:736]),
        .w_out   (u_row23_w_out),
        .y       (u_row23_y)
    );

    eva_row u_row24 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row23_w_out),
        .in_x    (cat_0),
        .in_load (load_row24),
        .psum    (psum[799:768]),
        .w_out   (u_row24_w_out),
        .y       (u_row24_y)
    );

    eva_row u_row25 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row24_w_out),
        .in_x    (cat_0),
        .in_load (load_row25),
        .psum    (psum[831:800]),
        .w_out   (u_row25_w_out),
        .y       (u_row25_y)
    );

    eva_row u_row26 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row25_w_out),
        .in_x    (cat_0),
        .in_load (load_row26),
        .psum    (psum[863:832]),
        .w_out   (u_row26_w_out),
        .y       (u_row26_y)
    );

    eva_row u_row27 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row26_w_out),
        .in_x    (cat_0),
        .in_load (load_row27),
        .psum    (psum[895:864]),
        .w_out   (u_row27_w_out),
        .y       (u_row27_y)
    );

    eva_row u_row28 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row27_w_out),
        .in_x    (cat_0),
        .in_load (load_row28),
        .psum    (psum[927:896]),
        .w_out   (u_row28_w_out),
        .y       (u_row28_y)
    );

    eva_row u_row29 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row28_w_out),
        .in_x    (cat_0),
        .in_load (load_row29),
        .psum    (psum[959:928]),
        .w_out   (u_row29_w_out),
        .y       (u_row29_y)
    );

    eva_row u_row30 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row29_w_out),
        .in_x    (cat_0),
        .in_load (load_row30),
        .psum    (psum[991:960]),
        .w_out   (u_row30_w_out),
        .y       (u_row30_y)
    );

    eva_row u_row31 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row30_w_out),
        .in_x    (cat_0),
        .in_load (load_row31),
        .psum    (psum[1023:992]),
        .w_out   (u_row31_w_out),
        .y       (u_row31_y)
    );

    always @(posedge aclk) begin
        int8_q <= in_int8;
        load_row0 <= in_load;
        load_row1 <= load_row0;
        load_row2 <= load_row1;
        load_row3 <= load_row2;
        load_row4 <= load_row3;
        load_row5 <= load_row4;
        load_row6 <= load_row5;
        load_row7 <= load_row6;
        load_row8 <= load_row7;
        load_row9 <= load_row8;
        load_row10 <= load_row9;
        load_row11 <= load_row10;
        load_row12 <= load_row11;
        load_row13 <= load_row12;
        load_row14 <= load_row13;
        load_row15 <= load_row14;
        load_row16 <= load_row15;
        load_row17 <= load_row16;
        load_row18 <= load_row17;
        load_row19 <= load_row18;
        load_row20 <= load_row19;
        load_row21 <= load_row20;
        load_row22 <= load_row21;
        load_row23 <= load_row22;
        load_row24 <= load_row23;
        load_row25 <= load_row24;
        load_row26 <= load_row25;
        load_row27 <= load_row26;
        load_row28 <= load_row27;
        load_row29 <= load_row28;
        load_row30 <= load_row29;
        load_row31 <= load_row30;
        valid_q1 <= in_valid;
        tag_q1 <= {in_emit_end, in_turn, in_half, in_pass, in_index};
        valid_q2 <= valid_q1;
        tag_q2 <= tag_q1;
        valid_q3 <= valid_q2;
        tag_q3 <= tag_q2;
        valid_q4 <= valid_q3;
        tag_q4 <= tag_q3;
        valid_q5 <= valid_q4;
        tag_q5 <= tag_q4;
        valid_q6 <= valid_q5;
        tag_q6 <= tag_q5;
        valid_q7 <= valid_q6;
        tag_q7 <= tag_q6;
        valid_q8 <= valid_q7;
        tag_q8 <= tag_q7;
        valid_q9 <= valid_q8;
        tag_q9 <= tag_q8;
        valid_q10 <= valid_q9;
        tag_q10 <= tag_q9;
        valid_q11 <= valid_q10;
        tag_q11 <= tag_q10;
        valid_q12 <= valid_q11;
        tag_q12 <= tag_q11;
        valid_q13 <= valid_q12;
        tag_q13 <= tag_q12;
        valid_q14 <= valid_q13;
        tag_q14 <= tag_q13;
        valid_q15 <= valid_q14;
        tag_q15 <= tag_q14;
        valid_q16 <= valid_q15;
        tag_q16 <= tag_q15;
        valid_q17 <= valid_q16;
        tag_q17 <= tag_q16;
        valid_q18 <= valid_q17;
        tag_q18 <= tag_q17;
        valid_q19 <= valid_q18;
        tag_q19 <= tag_q18;
        valid_q20 <= valid_q19;
        tag_q20 <= tag_q19;
        valid_q21 <= valid_q20;
        tag_q21 <= tag_q20;
        valid_q22 <= valid_q21;
        tag_q22 <= tag_q21;
        valid_q23 <= valid_q22;
        tag_q23 <= tag_q22;
        valid_q24 <= valid_q23;
        tag_q24 <= tag_q23;
        valid_q25 <= valid_q24;
        tag_q25 <= tag_q24;
        valid_q26 <= valid_q25;
        tag_q26 <= tag_q25;
        valid_q27 <= valid_q26;
        tag_q27 <= tag_q26;
        valid_q28 <= valid_q27;
        tag_q28 <= tag_q27;
        valid_q29 <= valid_q28;
        tag_q29 <= tag_q28;
        valid_q30 <= valid_q29;
        tag_q30 <= tag_q29;
        valid_q31 <= valid_q30;
        tag_q31 <= tag_q30;
        valid_q32 <= valid_q31;
        tag_q32 <= tag_q31;
        valid_q33 <= valid_q32;
        tag_q33 <= tag_q32;
        valid_q34 <= valid_q33;
        tag_q34 <= tag_q33;
        valid_q35 <= valid_q34;
        tag_q35 <= tag_q34;
        valid_q36 <= valid_q35;
        tag_q36 <= tag_q35;
        valid_q37 <= valid_q36;
        tag_q37 <= tag_q36;
        emitted_end_q <= |cat_2;
        emitted_sum_q <= or_1 | (u_row29_y & {32{sends29}}) | (u_row30_y & {32{sends30}})
            | (u_row31_y & {32{sends31}});
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            step_end_q1 <= 1'b0;
            emit_q1 <= 1'b0;
            step_end_q2 <= 1'b0;
            emit_q2 <= 1'b0;
            step_end_q3 <= 1'b0;
            emit_q3 <= 1'b0;
            step_end_q4 <= 1'b0;
            emit_q4 <= 1'b0;
            step_end_q5 <= 1'b0;
            emit_q5 <= 1'b0;
            step_end_q6 <= 1'b0;
            emit_q6 <= 1'b0;
            step_end_q7 <= 1'b0;
            emit_q7 <= 1'b0;
            step_end_q8 <= 1'b0;
            emit_q8 <= 1'b0;
            step_end_q9 <= 1'b0;
            emit_q9 <= 1'b0;
            step_end_q10 <= 1'b0;
            emit_q10 <= 1'b0;
            step_end_q11 <= 1'b0;
            emit_q11 <= 1'b0;
            step_end_q12 <= 1'b0;
            emit_q12 <= 1'b0;
            step_end_q13 <= 1'b0;
            emit_q13 <= 1'b0;
            step_end_q14 <= 1'b0;
            emit_q14 <= 1'b0;
            step_end_q15 <= 1'b0;
            emit_q15 <= 1'b0;
            step_end_q16 <= 1'b0;
            emit_q16 <= 1'b0;
            step_end_q17 <= 1'b0;
            emit_q17 <= 1'b0;
            step_end_q18 <= 1'b0;
            emit_q18 <= 1'b0;
            step_end_q19 <= 1'b0;
            emit_q19 <= 1'b0;
            step_end_q20 <= 1'b0;
            emit_q20 <= 1'b0;
            step_end_q21 <= 1'b0;
            emit_q21 <= 1'b0;
            step_end_q22 <= 1'b0;
            emit_q22 <= 1'b0;
            step_end_q23 <= 1'b0;
            emit_q23 <= 1'b0;
            step_end_q24 <= 1'b0;
            emit_q24 <= 1'b0;
            step_end_q25 <= 1'b0;
            emit_q25 <= 1'b0;
            step_end_q26 <= 1'b0;
            emit_q26 <= 1'b0;
            step_end_q27 <= 1'b0;
            emit_q27 <= 1'b0;
            step_end_q28 <= 1'b0;
            emit_q28 <= 1'b0;
            step_end_q29 <= 1'b0;
            emit_q29 <= 1'b0;
            step_end_q30 <= 1'b0;
            emit_q30 <= 1'b0;
            step_end_q31 <= 1'b0;
            emit_q31 <= 1'b0;
            step_end_q32 <= 1'b0;
            emit_q32 <= 1'b0;
            step_end_q33 <= 1'b0;
            emit_q33 <= 1'b0;
            step_end_q34 <= 1'b0;
            emit_q34 <= 1'b0;
            step_end_q35 <= 1'b0;
            emit_q35 <= 1'b0;
            step_end_q36 <= 1'b0;
            emit_q36 <= 1'b0;
            step_end_q37 <= 1'b0;
            emit_q37 <= 1'b0;
            emitted_valid_q <= 1'b0;
        end else begin
            step_end_q1 <= in_step_end;
            emit_q1 <= in_emit;
            step_end_q2 <= step_end_q1;
            emit_q2 <= emit_q1;
            step_end_q3 <= step_end_q2;
            emit_q3 <= emit_q2;
            step_end_q4 <= step_end_q3;
            emit_q4 <= emit_q3;
            step_end_q5 <= step_end_q4;
            emit_q5 <= emit_q4;
            step_end_q6 <= step_end_q5;
            emit_q6 <= emit_q5;
            step_end_q7 <= step_end_q6;
            emit_q7 <= emit_q6;
            step_end_q8 <= step_end_q7;
            emit_q8 <= emit_q7;
            step_end_q9 <= step_end_q8;
            emit_q9 <= emit_q8;
            step_end_q10 <= step_end_q9;
            emit_q10 <= emit_q9;
            step_end_q11 <= step_end_q10;
            emit_q11 <= emit_q10;
            step_end_q12 <= step_end_q11;
            emit_q12 <= emit_q11;
            step_end_q13 <= step_end_q12;
            emit_q13 <= emit_q12;
            step_end_q14 <= step_end_q13;
            emit_q14 <= emit_q13;
            step_end_q15 <= step_end_q14;
            emit_q15 <= emit_q14;
            step_end_q16 <= step_end_q15;
            emit_q16 <= emit_q15;
            step_end_q17 <= step_end_q16;
            emit_q17 <= emit_q16;
            step_end_q18 <= step_end_q17;
            emit_q18 <= emit_q17;
            step_end_q19 <= step_end_q18;
            emit_q19 <= emit_q18;
            step_end_q20 <= step_end_q19;
            emit_q20 <= emit_q19;
            step_end_q21 <= step_end_q20;
            emit_q21 <= emit_q20;
            step_end_q22 <= step_end_q21;
            emit_q22 <= emit_q21;
            step_end_q23 <= step_end_q22;
            emit_q23 <= emit_q22;
            step_end_q24 <= step_end_q23;
            emit_q24 <= emit_q23;
            step_end_q25 <= step_end_q24;
            emit_q25 <= emit_q24;
            step_end_q26 <= step_end_q25;
            emit_q26 <= emit_q25;
            step_end_q27 <= step_end_q26;
            emit_q27 <= emit_q26;
            step_end_q28 <= step_end_q27;
            emit_q28 <= emit_q27;
            step_end_q29 <= step_end_q28;
            emit_q29 <= emit_q28;
            step_end_q30 <= step_end_q29;
            emit_q30 <= emit_q29;
            step_end_q31 <= step_end_q30;
            emit_q31 <= emit_q30;
            step_end_q32 <= step_end_q31;
            emit_q32 <= emit_q31;
            step_end_q33 <= step_end_q32;
            emit_q33 <= emit_q32;
            step_end_q34 <= step_end_q33;
            emit_q34 <= emit_q33;
            step_end_q35 <= step_end_q34;
            emit_q35 <= emit_q34;
            step_end_q36 <= step_end_q35;
            emit_q36 <= emit_q35;
            step_end_q37 <= step_end_q36;
            emit_q37 <= emit_q36;
            emitted_valid_q <= |cat_1;
        end
    end

    assign filled = step_end_q37;
    assign emitted_valid = emitted_valid_q;
    assign emitted_end = emitted_end_q;
    assign emitted_sum = emitted_sum_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_row31_w_out};

endmodule

`default_nettype wire
