// eva_array: Systolic array: entries move down one row per cycle past the vectors that the rows hold.
//
//   array.rows = 8
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
    output wire [7:0]   out_valid,
    output wire [63:0]  out_index,
    output wire [15:0]  out_pass,
    output wire [7:0]   out_half,
    output wire [127:0] out_y,
    output wire         filled
);

    reg        load_row1;
    reg        load_row2;
    reg        load_row3;
    reg        load_row4;
    reg        load_row5;
    reg        load_row6;
    reg        load_row7;
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

    assign out_valid = {valid_q13, valid_q12, valid_q11, valid_q10, valid_q9, valid_q8, valid_q7, valid_q6};
    assign out_index = {address_q13[7:0], address_q12[7:0], address_q11[7:0], address_q10[7:0], address_q9[7:0],
        address_q8[7:0], address_q7[7:0], address_q6[7:0]};
    assign out_pass = {address_q13[9:8], address_q12[9:8], address_q11[9:8], address_q10[9:8], address_q9[9:8],
        address_q8[9:8], address_q7[9:8], address_q6[9:8]};
    assign out_half = {address_q13[10], address_q12[10], address_q11[10], address_q10[10], address_q9[10],
        address_q8[10], address_q7[10], address_q6[10]};
    assign out_y = {u_row7_y, u_row6_y, u_row5_y, u_row4_y, u_row3_y, u_row2_y, u_row1_y, u_row0_y};

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

    always @(posedge aclk) begin
        load_row1 <= in_load;
        load_row2 <= load_row1;
        load_row3 <= load_row2;
        load_row4 <= load_row3;
        load_row5 <= load_row4;
        load_row6 <= load_row5;
        load_row7 <= load_row6;
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
        end
    end

    assign filled = step_end_q13;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_row7_w_out};

endmodule

`default_nettype wire
