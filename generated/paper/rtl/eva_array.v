// eva_array: Systolic array: entries move down one row per cycle past the vectors that the rows hold.
//
//   array.rows = 32
//   segments   = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_array (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         in_valid,
    input  wire [127:0] in_entry,
    input  wire [7:0]   in_index,
    input  wire [1:0]   in_pass,
    input  wire         in_half,
    input  wire         in_step_end,
    input  wire         in_load,
    input  wire [127:0] in_x,
    input  wire         in_live,
    output wire [31:0]  out_valid,
    output wire [255:0] out_index,
    output wire [63:0]  out_pass,
    output wire [31:0]  out_half,
    output wire [511:0] out_y,
    output wire         filled
);

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
    reg [10:0] address_q1;
    reg        valid_q2;
    reg        step_end_q2;
    reg [10:0] address_q2;
    reg        valid_q3;
    reg        step_end_q3;
    reg [10:0] address_q3;
    reg        valid_q4;
    reg        step_end_q4;
    reg [10:0] address_q4;
    reg        valid_q5;
    reg        step_end_q5;
    reg [10:0] address_q5;
    reg        valid_q6;
    reg        step_end_q6;
    reg [10:0] address_q6;
    reg        valid_q7;
    reg        step_end_q7;
    reg [10:0] address_q7;
    reg        valid_q8;
    reg        step_end_q8;
    reg [10:0] address_q8;
    reg        valid_q9;
    reg        step_end_q9;
    reg [10:0] address_q9;
    reg        valid_q10;
    reg        step_end_q10;
    reg [10:0] address_q10;
    reg        valid_q11;
    reg        step_end_q11;
    reg [10:0] address_q11;
    reg        valid_q12;
    reg        step_end_q12;
    reg [10:0] address_q12;
    reg        valid_q13;
    reg        step_end_q13;
    reg [10:0] address_q13;
    reg        valid_q14;
    reg        step_end_q14;
    reg [10:0] address_q14;
    reg        valid_q15;
    reg        step_end_q15;
    reg [10:0] address_q15;
    reg        valid_q16;
    reg        step_end_q16;
    reg [10:0] address_q16;
    reg        valid_q17;
    reg        step_end_q17;
    reg [10:0] address_q17;
    reg        valid_q18;
    reg        step_end_q18;
    reg [10:0] address_q18;
    reg        valid_q19;
    reg        step_end_q19;
    reg [10:0] address_q19;
    reg        valid_q20;
    reg        step_end_q20;
    reg [10:0] address_q20;
    reg        valid_q21;
    reg        step_end_q21;
    reg [10:0] address_q21;
    reg        valid_q22;
    reg        step_end_q22;
    reg [10:0] address_q22;
    reg        valid_q23;
    reg        step_end_q23;
    reg [10:0] address_q23;
    reg        valid_q24;
    reg        step_end_q24;
    reg [10:0] address_q24;
    reg        valid_q25;
    reg        step_end_q25;
    reg [10:0] address_q25;
    reg        valid_q26;
    reg        step_end_q26;
    reg [10:0] address_q26;
    reg        valid_q27;
    reg        step_end_q27;
    reg [10:0] address_q27;
    reg        valid_q28;
    reg        step_end_q28;
    reg [10:0] address_q28;
    reg        valid_q29;
    reg        step_end_q29;
    reg [10:0] address_q29;
    reg        valid_q30;
    reg        step_end_q30;
    reg [10:0] address_q30;
    reg        valid_q31;
    reg        step_end_q31;
    reg [10:0] address_q31;
    reg        valid_q32;
    reg        step_end_q32;
    reg [10:0] address_q32;
    reg        valid_q33;
    reg        step_end_q33;
    reg [10:0] address_q33;
    reg        valid_q34;
    reg        step_end_q34;
    reg [10:0] address_q34;
    reg        valid_q35;
    reg        step_end_q35;
    reg [10:0] address_q35;
    reg        valid_q36;
    reg        step_end_q36;
    reg [10:0] address_q36;
    reg        valid_q37;
    reg        step_end_q37;
    reg [10:0] address_q37;

    wire [127:0] u_row0_w_out;
    wire [15:0]  u_row0_y;
    wire [127:0] u_row1_w_out;
    wire [15:0]  u_row1_y;
    wire [127:0] u_row2_w_out;
    wire [15:0]  u_row2_y;
    wire [127:0] u_row3_w_out;
    wire [15:0]  u_row3_y;
    wire [127:0] u_row4_w_out;
    wire [15:0]  u_row4_y;
    wire [127:0] u_row5_w_out;
    wire [15:0]  u_row5_y;
    wire [127:0] u_row6_w_out;
    wire [15:0]  u_row6_y;
    wire [127:0] u_row7_w_out;
    wire [15:0]  u_row7_y;
    wire [127:0] u_row8_w_out;
    wire [15:0]  u_row8_y;
    wire [127:0] u_row9_w_out;
    wire [15:0]  u_row9_y;
    wire [127:0] u_row10_w_out;
    wire [15:0]  u_row10_y;
    wire [127:0] u_row11_w_out;
    wire [15:0]  u_row11_y;
    wire [127:0] u_row12_w_out;
    wire [15:0]  u_row12_y;
    wire [127:0] u_row13_w_out;
    wire [15:0]  u_row13_y;
    wire [127:0] u_row14_w_out;
    wire [15:0]  u_row14_y;
    wire [127:0] u_row15_w_out;
    wire [15:0]  u_row15_y;
    wire [127:0] u_row16_w_out;
    wire [15:0]  u_row16_y;
    wire [127:0] u_row17_w_out;
    wire [15:0]  u_row17_y;
    wire [127:0] u_row18_w_out;
    wire [15:0]  u_row18_y;
    wire [127:0] u_row19_w_out;
    wire [15:0]  u_row19_y;
    wire [127:0] u_row20_w_out;
    wire [15:0]  u_row20_y;
    wire [127:0] u_row21_w_out;
    wire [15:0]  u_row21_y;
    wire [127:0] u_row22_w_out;
    wire [15:0]  u_row22_y;
    wire [127:0] u_row23_w_out;
    wire [15:0]  u_row23_y;
    wire [127:0] u_row24_w_out;
    wire [15:0]  u_row24_y;
    wire [127:0] u_row25_w_out;
    wire [15:0]  u_row25_y;
    wire [127:0] u_row26_w_out;
    wire [15:0]  u_row26_y;
    wire [127:0] u_row27_w_out;
    wire [15:0]  u_row27_y;
    wire [127:0] u_row28_w_out;
    wire [15:0]  u_row28_y;
    wire [127:0] u_row29_w_out;
    wire [15:0]  u_row29_y;
    wire [127:0] u_row30_w_out;
    wire [15:0]  u_row30_y;
    wire [127:0] u_row31_w_out;
    wire [15:0]  u_row31_y;

    assign out_valid = {valid_q37, valid_q36, valid_q35, valid_q34, valid_q33, valid_q32, valid_q31, valid_q30,
        valid_q29, valid_q28, valid_q27, valid_q26, valid_q25, valid_q24, valid_q23, valid_q22, valid_q21,
        valid_q20, valid_q19, valid_q18, valid_q17, valid_q16, valid_q15, valid_q14, valid_q13, valid_q12,
        valid_q11, valid_q10, valid_q9, valid_q8, valid_q7, valid_q6};
    assign out_index = {address_q37[7:0], address_q36[7:0], address_q35[7:0], address_q34[7:0], address_q33[7:0],
        address_q32[7:0], address_q31[7:0], address_q30[7:0], address_q29[7:0], address_q28[7:0], address_q27[7:0],
        address_q26[7:0], address_q25[7:0], address_q24[7:0], address_q23[7:0], address_q22[7:0], address_q21[7:0],
        address_q20[7:0], address_q19[7:0], address_q18[7:0], address_q17[7:0], address_q16[7:0], address_q15[7:0],
        address_q14[7:0], address_q13[7:0], address_q12[7:0], address_q11[7:0], address_q10[7:0], address_q9[7:0],
        address_q8[7:0], address_q7[7:0], address_q6[7:0]};
    assign out_pass = {address_q37[9:8], address_q36[9:8], address_q35[9:8], address_q34[9:8], address_q33[9:8],
        address_q32[9:8], address_q31[9:8], address_q30[9:8], address_q29[9:8], address_q28[9:8], address_q27[9:8],
        address_q26[9:8], address_q25[9:8], address_q24[9:8], address_q23[9:8], address_q22[9:8], address_q21[9:8],
        address_q20[9:8], address_q19[9:8], address_q18[9:8], address_q17[9:8], address_q16[9:8], address_q15[9:8],
        address_q14[9:8], address_q13[9:8], address_q12[9:8], address_q11[9:8], address_q10[9:8], address_q9[9:8],
        address_q8[9:8], address_q7[9:8], address_q6[9:8]};
    assign out_half = {address_q37[10], address_q36[10], address_q35[10], address_q34[10], address_q33[10],
        address_q32[10], address_q31[10], address_q30[10], address_q29[10], address_q28[10], address_q27[10],
        address_q26[10], address_q25[10], address_q24[10], address_q23[10], address_q22[10], address_q21[10],
        address_q20[10], address_q19[10], address_q18[10], address_q17[10], address_q16[10], address_q15[10],
        address_q14[10], address_q13[10], address_q12[10], address_q11[10], address_q10[10], address_q9[10],
        address_q8[10], address_q7[10], address_q6[10]};
    assign out_y = {u_row31_y, u_row30_y, u_row29_y, u_row28_y, u_row27_y, u_row26_y, u_row25_y, u_row24_y,
        u_row23_y, u_row22_y, u_row21_y, u_row20_y, u_row19_y, u_row18_y, u_row17_y, u_row16_y, u_row15_y,
        u_row14_y, u_row13_y, u_row12_y, u_row11_y, u_row10_y, u_row9_y, u_row8_y, u_row7_y, u_row6_y, u_row5_y,
        u_row4_y, u_row3_y, u_row2_y, u_row1_y, u_row0_y};

    eva_row u_row0 (
        .aclk    (aclk),
        .in_w    (in_entry),
        .in_x    (in_x),
        .in_load (in_load),
        .in_live (in_live),
        .w_out   (u_row0_w_out),
        .y       (u_row0_y)
    );

    eva_row u_row1 (
        .aclk    (aclk),
        .in_w    (u_row0_w_out),
        .in_x    (in_x),
        .in_load (load_row1),
        .in_live (in_live),
        .w_out   (u_row1_w_out),
        .y       (u_row1_y)
    );

    eva_row u_row2 (
        .aclk    (aclk),
        .in_w    (u_row1_w_out),
        .in_x    (in_x),
        .in_load (load_row2),
        .in_live (in_live),
        .w_out   (u_row2_w_out),
        .y       (u_row2_y)
    );

    eva_row u_row3 (
        .aclk    (aclk),
        .in_w    (u_row2_w_out),
        .in_x    (in_x),
        .in_load (load_row3),
        .in_live (in_live),
        .w_out   (u_row3_w_out),
        .y       (u_row3_y)
    );

    eva_row u_row4 (
        .aclk    (aclk),
        .in_w    (u_row3_w_out),
        .in_x    (in_x),
        .in_load (load_row4),
        .in_live (in_live),
        .w_out   (u_row4_w_out),
        .y       (u_row4_y)
    );

    eva_row u_row5 (
        .aclk    (aclk),
        .in_w    (u_row4_w_out),
        .in_x    (in_x),
        .in_load (load_row5),
        .in_live (in_live),
        .w_out   (u_row5_w_out),
        .y       (u_row5_y)
    );

    eva_row u_row6 (
        .aclk    (aclk),
        .in_w    (u_row5_w_out),
        .in_x    (in_x),
        .in_load (load_row6),
        .in_live (in_live),
        .w_out   (u_row6_w_out),
        .y       (u_row6_y)
    );

    eva_row u_row7 (
        .aclk    (aclk),
        .in_w    (u_row6_w_out),
        .in_x    (in_x),
        .in_load (load_row7),
        .in_live (in_live),
        .w_out   (u_row7_w_out),
        .y       (u_row7_y)
    );

    eva_row u_row8 (
        .aclk    (aclk),
        .in_w    (u_row7_w_out),
        .in_x    (in_x),
        .in_load (load_row8),
        .in_live (in_live),
        .w_out   (u_row8_w_out),
        .y       (u_row8_y)
    );

    eva_row u_row9 (
        .aclk    (aclk),
        .in_w    (u_row8_w_out),
        .in_x    (in_x),
        .in_load (load_row9),
        .in_live (in_live),
        .w_out   (u_row9_w_out),
        .y       (u_row9_y)
    );

    eva_row u_row10 (
        .aclk    (aclk),
        .in_w    (u_row9_w_out),
        .in_x    (in_x),
        .in_load (load_row10),
        .in_live (in_live),
        .w_out   (u_row10_w_out),
        .y       (u_row10_y)
    );

    eva_row u_row11 (
        .aclk    (aclk),
        .in_w    (u_row10_w_out),
        .in_x    (in_x),
        .in_load (load_row11),
        .in_live (in_live),
        .w_out   (u_row11_w_out),
        .y       (u_row11_y)
    );

    eva_row u_row12 (
        .aclk    (aclk),
        .in_w    (u_row11_w_out),
        .in_x    (in_x),
        .in_load (load_row12),
        .in_live (in_live),
        .w_out   (u_row12_w_out),
        .y       (u_row12_y)
    );

    eva_row u_row13 (
        .aclk    (aclk),
        .in_w    (u_row12_w_out),
        .in_x    (in_x),
        .in_load (load_row13),
        .in_live (in_live),
        .w_out   (u_row13_w_out),
        .y       (u_row13_y)
    );

    eva_row u_row14 (
        .aclk    (aclk),
        .in_w    (u_row13_w_out),
        .in_x    (in_x),
        .in_load (load_row14),
        .in_live (in_live),
        .w_out   (u_row14_w_out),
        .y       (u_row14_y)
    );

    eva_row u_row15 (
        .aclk    (aclk),
        .in_w    (u_row14_w_out),
        .in_x    (in_x),
        .in_load (load_row15),
        .in_live (in_live),
        .w_out   (u_row15_w_out),
        .y       (u_row15_y)
    );

    eva_row u_row16 (
        .aclk    (aclk),
        .in_w    (u_row15_w_out),
        .in_x    (in_x),
        .in_load (load_row16),
        .in_live (in_live),
        .w_out   (u_row16_w_out),
        .y       (u_row16_y)
    );

    eva_row u_row17 (
        .aclk    (aclk),
        .in_w    (u_row16_w_out),
        .in_x    (in_x),
        .in_load (load_row17),
        .in_live (in_live),
        .w_out   (u_row17_w_out),
        .y       (u_row17_y)
    );

    eva_row u_row18 (
        .aclk    (aclk),
        .in_w    (u_row17_w_out),
        .in_x    (in_x),
        .in_load (load_row18),
        .in_live (in_live),
        .w_out   (u_row18_w_out),
        .y       (u_row18_y)
    );

    eva_row u_row19 (
        .aclk    (aclk),
        .in_w    (u_row18_w_out),
        .in_x    (in_x),
        .in_load (load_row19),
        .in_live (in_live),
        .w_out   (u_row19_w_out),
        .y       (u_row19_y)
    );

    eva_row u_row20 (
        .aclk    (aclk),
        .in_w    (u_row19_w_out),
        .in_x    (in_x),
        .in_load (load_row20),
        .in_live (in_live),
        .w_out   (u_row20_w_out),
        .y       (u_row20_y)
    );

    eva_row u_row21 (
        .aclk    (aclk),
        .in_w    (u_row20_w_out),
        .in_x    (in_x),
        .in_load (load_row21),
        .in_live (in_live),
        .w_out   (u_row21_w_out),
        .y       (u_row21_y)
    );

    eva_row u_row22 (
        .aclk    (aclk),
        .in_w    (u_row21_w_out),
        .in_x    (in_x),
        .in_load (load_row22),
        .in_live (in_live),
        .w_out   (u_row22_w_out),
        .y       (u_row22_y)
    );

    eva_row u_row23 (
        .aclk    (aclk),
        .in_w    (u_row22_w_out),
        .in_x    (in_x),
        .in_load (load_row23),
        .in_live (in_live),
        .w_out   (u_row23_w_out),
        .y       (u_row23_y)
    );

    eva_row u_row24 (
        .aclk    (aclk),
        .in_w    (u_row23_w_out),
        .in_x    (in_x),
        .in_load (load_row24),
        .in_live (in_live),
        .w_out   (u_row24_w_out),
        .y       (u_row24_y)
    );

    eva_row u_row25 (
        .aclk    (aclk),
        .in_w    (u_row24_w_out),
        .in_x    (in_x),
        .in_load (load_row25),
        .in_live (in_live),
        .w_out   (u_row25_w_out),
        .y       (u_row25_y)
    );

    eva_row u_row26 (
        .aclk    (aclk),
        .in_w    (u_row25_w_out),
        .in_x    (in_x),
        .in_load (load_row26),
        .in_live (in_live),
        .w_out   (u_row26_w_out),
        .y       (u_row26_y)
    );

    eva_row u_row27 (
        .aclk    (aclk),
        .in_w    (u_row26_w_out),
        .in_x    (in_x),
        .in_load (load_row27),
        .in_live (in_live),
        .w_out   (u_row27_w_out),
        .y       (u_row27_y)
    );

    eva_row u_row28 (
        .aclk    (aclk),
        .in_w    (u_row27_w_out),
        .in_x    (in_x),
        .in_load (load_row28),
        .in_live (in_live),
        .w_out   (u_row28_w_out),
        .y       (u_row28_y)
    );

    eva_row u_row29 (
        .aclk    (aclk),
        .in_w    (u_row28_w_out),
        .in_x    (in_x),
        .in_load (load_row29),
        .in_live (in_live),
        .w_out   (u_row29_w_out),
        .y       (u_row29_y)
    );

    eva_row u_row30 (
        .aclk    (aclk),
        .in_w    (u_row29_w_out),
        .in_x    (in_x),
        .in_load (load_row30),
        .in_live (in_live),
        .w_out   (u_row30_w_out),
        .y       (u_row30_y)
    );

    eva_row u_row31 (
        .aclk    (aclk),
        .in_w    (u_row30_w_out),
        .in_x    (in_x),
        .in_load (load_row31),
        .in_live (in_live),
        .w_out   (u_row31_w_out),
        .y       (u_row31_y)
    );

    always @(posedge aclk) begin
        load_row1 <= in_load;
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
        address_q1 <= {in_half, in_pass, in_index};
        valid_q2 <= valid_q1;
        address_q2 <= address_q1;
        valid_q3 <= valid_q2;
        address_q3 <= address_q2;
        valid_q4 <= valid_q3;
        address_q4 <= address_q3;
        valid_q5 <= valid_q4;
        address_q5 <= address_q4;
        valid_q6 <= valid_q5;
        address_q6 <= address_q5;
        valid_q7 <= valid_q6;
        address_q7 <= address_q6;
        valid_q8 <= valid_q7;
        address_q8 <= address_q7;
        valid_q9 <= valid_q8;
        address_q9 <= address_q8;
        valid_q10 <= valid_q9;
        address_q10 <= address_q9;
        valid_q11 <= valid_q10;
        address_q11 <= address_q10;
        valid_q12 <= valid_q11;
        address_q12 <= address_q11;
        valid_q13 <= valid_q12;
        address_q13 <= address_q12;
        valid_q14 <= valid_q13;
        address_q14 <= address_q13;
        valid_q15 <= valid_q14;
        address_q15 <= address_q14;
        valid_q16 <= valid_q15;
        address_q16 <= address_q15;
        valid_q17 <= valid_q16;
        address_q17 <= address_q16;
        valid_q18 <= valid_q17;
        address_q18 <= address_q17;
        valid_q19 <= valid_q18;
        address_q19 <= address_q18;
        valid_q20 <= valid_q19;
        address_q20 <= address_q19;
        valid_q21 <= valid_q20;
        address_q21 <= address_q20;
        valid_q22 <= valid_q21;
        address_q22 <= address_q21;
        valid_q23 <= valid_q22;
        address_q23 <= address_q22;
        valid_q24 <= valid_q23;
        address_q24 <= address_q23;
        valid_q25 <= valid_q24;
        address_q25 <= address_q24;
        valid_q26 <= valid_q25;
        address_q26 <= address_q25;
        valid_q27 <= valid_q26;
        address_q27 <= address_q26;
        valid_q28 <= valid_q27;
        address_q28 <= address_q27;
        valid_q29 <= valid_q28;
        address_q29 <= address_q28;
        valid_q30 <= valid_q29;
        address_q30 <= address_q29;
        valid_q31 <= valid_q30;
        address_q31 <= address_q30;
        valid_q32 <= valid_q31;
        address_q32 <= address_q31;
        valid_q33 <= valid_q32;
        address_q33 <= address_q32;
        valid_q34 <= valid_q33;
        address_q34 <= address_q33;
        valid_q35 <= valid_q34;
        address_q35 <= address_q34;
        valid_q36 <= valid_q35;
        address_q36 <= address_q35;
        valid_q37 <= valid_q36;
        address_q37 <= address_q36;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            step_end_q1 <= 1'b0;
            step_end_q2 <= 1'b0;
            step_end_q3 <= 1'b0;
            step_end_q4 <= 1'b0;
            step_end_q5 <= 1'b0;
            step_end_q6 <= 1'b0;
            step_end_q7 <= 1'b0;
            step_end_q8 <= 1'b0;
            step_end_q9 <= 1'b0;
            step_end_q10 <= 1'b0;
            step_end_q11 <= 1'b0;
            step_end_q12 <= 1'b0;
            step_end_q13 <= 1'b0;
            step_end_q14 <= 1'b0;
            step_end_q15 <= 1'b0;
            step_end_q16 <= 1'b0;
            step_end_q17 <= 1'b0;
            step_end_q18 <= 1'b0;
            step_end_q19 <= 1'b0;
            step_end_q20 <= 1'b0;
            step_end_q21 <= 1'b0;
            step_end_q22 <= 1'b0;
            step_end_q23 <= 1'b0;
            step_end_q24 <= 1'b0;
            step_end_q25 <= 1'b0;
            step_end_q26 <= 1'b0;
            step_end_q27 <= 1'b0;
            step_end_q28 <= 1'b0;
            step_end_q29 <= 1'b0;
            step_end_q30 <= 1'b0;
            step_end_q31 <= 1'b0;
            step_end_q32 <= 1'b0;
            step_end_q33 <= 1'b0;
            step_end_q34 <= 1'b0;
            step_end_q35 <= 1'b0;
            step_end_q36 <= 1'b0;
            step_end_q37 <= 1'b0;
        end else begin
            step_end_q1 <= in_step_end;
            step_end_q2 <= step_end_q1;
            step_end_q3 <= step_end_q2;
            step_end_q4 <= step_end_q3;
            step_end_q5 <= step_end_q4;
            step_end_q6 <= step_end_q5;
            step_end_q7 <= step_end_q6;
            step_end_q8 <= step_end_q7;
            step_end_q9 <= step_end_q8;
            step_end_q10 <= step_end_q9;
            step_end_q11 <= step_end_q10;
            step_end_q12 <= step_end_q11;
            step_end_q13 <= step_end_q12;
            step_end_q14 <= step_end_q13;
            step_end_q15 <= step_end_q14;
            step_end_q16 <= step_end_q15;
            step_end_q17 <= step_end_q16;
            step_end_q18 <= step_end_q17;
            step_end_q19 <= step_end_q18;
            step_end_q20 <= step_end_q19;
            step_end_q21 <= step_end_q20;
            step_end_q22 <= step_end_q21;
            step_end_q23 <= step_end_q22;
            step_end_q24 <= step_end_q23;
            step_end_q25 <= step_end_q24;
            step_end_q26 <= step_end_q25;
            step_end_q27 <= step_end_q26;
            step_end_q28 <= step_end_q27;
            step_end_q29 <= step_end_q28;
            step_end_q30 <= step_end_q29;
            step_end_q31 <= step_end_q30;
            step_end_q32 <= step_end_q31;
            step_end_q33 <= step_end_q32;
            step_end_q34 <= step_end_q33;
            step_end_q35 <= step_end_q34;
            step_end_q36 <= step_end_q35;
            step_end_q37 <= step_end_q36;
        end
    end

    assign filled = step_end_q37;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_row31_w_out};

endmodule

`default_nettype wire
