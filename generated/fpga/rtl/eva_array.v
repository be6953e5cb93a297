// eva_array: Systolic array: operands move down one row per cycle past those that the rows hold.
//
//   array.rows = 4
//   segments   = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_array (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         in_int8,
    input  wire         in_valid,
    input  wire         in_load,
    input  wire [7:0]   in_index,
    input  wire         in_pass,
    input  wire         in_half,
    input  wire         in_step_end,
    input  wire [2:0]   in_turn,
    input  wire         in_emit,
    input  wire         in_emit_end,
    input  wire [127:0] in_entry,
    input  wire [255:0] in_token,
    input  wire [127:0] in_vectors,
    input  wire         in_live,
    input  wire [255:0] in_weights,
    input  wire [127:0] psum,
    output wire         filled,
    output wire         emitted_valid,
    output wire         emitted_end,
    output wire [31:0]  emitted_sum,
    output wire [3:0]   read_valid,
    output wire [31:0]  read_index,
    output wire [3:0]   read_pass,
    output wire [3:0]   read_first,
    output wire [3:0]   out_valid,
    output wire [31:0]  out_index,
    output wire [3:0]   out_pass,
    output wire [3:0]   out_half,
    output wire [127:0] out_y
);

    reg         int8_q;
    reg [127:0] psum_q;
    reg         load_row0;
    reg         load_row1;
    reg         load_row2;
    reg         load_row3;
    reg         valid_q1;
    reg         step_end_q1;
    reg         emit_q1;
    reg [13:0]  tag_q1;
    reg         valid_q2;
    reg         step_end_q2;
    reg         emit_q2;
    reg [13:0]  tag_q2;
    reg         valid_q3;
    reg         step_end_q3;
    reg         emit_q3;
    reg [13:0]  tag_q3;
    reg         valid_q4;
    reg         step_end_q4;
    reg         emit_q4;
    reg [13:0]  tag_q4;
    reg         valid_q5;
    reg         step_end_q5;
    reg         emit_q5;
    reg [13:0]  tag_q5;
    reg         valid_q6;
    reg         step_end_q6;
    reg         emit_q6;
    reg [13:0]  tag_q6;
    reg         valid_q7;
    reg         step_end_q7;
    reg         emit_q7;
    reg [13:0]  tag_q7;
    reg         valid_q8;
    reg         step_end_q8;
    reg         emit_q8;
    reg [13:0]  tag_q8;
    reg         valid_q9;
    reg         step_end_q9;
    reg         emit_q9;
    reg [13:0]  tag_q9;
    reg         valid_q10;
    reg         step_end_q10;
    reg         emit_q10;
    reg [13:0]  tag_q10;
    reg         valid_q11;
    reg         step_end_q11;
    reg         emit_q11;
    reg [13:0]  tag_q11;
    reg         emitted_valid_q;
    reg         emitted_end_q;
    reg [31:0]  emitted_sum_q;

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

    wire [255:0] cat_0 = {u_stationary7_operand, u_stationary6_operand, u_stationary5_operand,
        u_stationary4_operand, u_stationary3_operand, u_stationary2_operand, u_stationary1_operand,
        u_stationary0_operand};
    wire         sends0 = emit_q8 & (tag_q8[12:10] == 3'd4);
    wire         sends1 = emit_q9 & (tag_q9[12:10] == 3'd0);
    wire         sends2 = emit_q10 & (tag_q10[12:10] == 3'd1);
    wire         sends3 = emit_q11 & (tag_q11[12:10] == 3'd2);
    wire [3:0]   cat_1 = {sends3 & tag_q11[13], sends2 & tag_q10[13], sends1 & tag_q9[13], sends0 & tag_q8[13]};
    assign read_valid = {valid_q7, valid_q6, valid_q5, valid_q4};
    assign read_index = {tag_q7[7:0], tag_q6[7:0], tag_q5[7:0], tag_q4[7:0]};
    assign read_pass = {tag_q7[8], tag_q6[8], tag_q5[8], tag_q4[8]};
    assign read_first = {tag_q7[12:10] == 3'd3, tag_q6[12:10] == 3'd2, tag_q5[12:10] == 3'd1, tag_q4[12:10]
        == 3'd0};
    assign out_valid = {valid_q11, valid_q10, valid_q9, valid_q8};
    assign out_index = {tag_q11[7:0], tag_q10[7:0], tag_q9[7:0], tag_q8[7:0]};
    assign out_pass = {tag_q11[8], tag_q10[8], tag_q9[8], tag_q8[8]};
    assign out_half = {tag_q11[9], tag_q10[9], tag_q9[9], tag_q8[9]};
    assign out_y = {u_row3_y, u_row2_y, u_row1_y, u_row0_y};
    wire [255:0] cat_2 = {u_streaming7_operand, u_streaming6_operand, u_streaming5_operand, u_streaming4_operand,
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
        .in_w    (cat_2),
        .in_x    (cat_0),
        .in_load (load_row0),
        .psum    (psum_q[31:0]),
        .w_out   (u_row0_w_out),
        .y       (u_row0_y)
    );

    eva_row u_row1 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row0_w_out),
        .in_x    (cat_0),
        .in_load (load_row1),
        .psum    (psum_q[63:32]),
        .w_out   (u_row1_w_out),
        .y       (u_row1_y)
    );

    eva_row u_row2 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row1_w_out),
        .in_x    (cat_0),
        .in_load (load_row2),
        .psum    (psum_q[95:64]),
        .w_out   (u_row2_w_out),
        .y       (u_row2_y)
    );

    eva_row u_row3 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (u_row2_w_out),
        .in_x    (cat_0),
        .in_load (load_row3),
        .psum    (psum_q[127:96]),
        .w_out   (u_row3_w_out),
        .y       (u_row3_y)
    );

    always @(posedge aclk) begin
        int8_q <= in_int8;
        psum_q <= psum;
        load_row0 <= in_load;
        load_row1 <= load_row0;
        load_row2 <= load_row1;
        load_row3 <= load_row2;
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
        emitted_end_q <= |cat_1;
        emitted_sum_q <= (u_row0_y & {32{sends0}}) | (u_row1_y & {32{sends1}}) | (u_row2_y & {32{sends2}})
            | (u_row3_y & {32{sends3}});
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
            emitted_valid_q <= |{sends3, sends2, sends1, sends0};
        end
    end

    assign filled = step_end_q11;
    assign emitted_valid = emitted_valid_q;
    assign emitted_end = emitted_end_q;
    assign emitted_sum = emitted_sum_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_row3_w_out};

endmodule

`default_nettype wire
