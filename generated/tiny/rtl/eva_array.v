// eva_array: Systolic array: operands move down one row per cycle past those that the rows hold.
//
//   array.rows = 2
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
    input  wire [3:0]   in_index,
    input  wire         in_pass,
    input  wire         in_half,
    input  wire         in_step_end,
    input  wire [1:0]   in_turn,
    input  wire         in_emit,
    input  wire         in_emit_end,
    input  wire [63:0]  in_entry,
    input  wire [127:0] in_token,
    input  wire [63:0]  in_vectors,
    input  wire         in_live,
    input  wire [127:0] in_weights,
    input  wire [63:0]  psum,
    output wire         filled,
    output wire         emitted_valid,
    output wire         emitted_end,
    output wire [31:0]  emitted_sum,
    output wire [1:0]   read_valid,
    output wire [7:0]   read_index,
    output wire [1:0]   read_pass,
    output wire [1:0]   read_first,
    output wire [1:0]   out_valid,
    output wire [7:0]   out_index,
    output wire [1:0]   out_pass,
    output wire [1:0]   out_half,
    output wire [63:0]  out_y
);

    reg        int8_q;
    reg        load_row0;
    reg        load_row1;
    reg        valid_q1;
    reg        step_end_q1;
    reg        emit_q1;
    reg [8:0]  tag_q1;
    reg        valid_q2;
    reg        step_end_q2;
    reg        emit_q2;
    reg [8:0]  tag_q2;
    reg        valid_q3;
    reg        step_end_q3;
    reg        emit_q3;
    reg [8:0]  tag_q3;
    reg        valid_q4;
    reg        step_end_q4;
    reg        emit_q4;
    reg [8:0]  tag_q4;
    reg        valid_q5;
    reg        step_end_q5;
    reg        emit_q5;
    reg [8:0]  tag_q5;
    reg        valid_q6;
    reg        step_end_q6;
    reg        emit_q6;
    reg [8:0]  tag_q6;
    reg        emitted_valid_q;
    reg        emitted_end_q;
    reg [31:0] emitted_sum_q;

    wire [31:0]  u_streaming0_operand;
    wire [31:0]  u_streaming1_operand;
    wire [31:0]  u_streaming2_operand;
    wire [31:0]  u_streaming3_operand;
    wire [31:0]  u_stationary0_operand;
    wire [31:0]  u_stationary1_operand;
    wire [31:0]  u_stationary2_operand;
    wire [31:0]  u_stationary3_operand;
    wire [127:0] u_row0_w_out;
    wire [31:0]  u_row0_y;
    wire [127:0] u_row1_w_out;
    wire [31:0]  u_row1_y;

    wire [127:0] cat_0 = {u_stationary3_operand, u_stationary2_operand, u_stationary1_operand,
        u_stationary0_operand};
    wire         sends0 = emit_q5 & (tag_q5[7:6] == 2'd2);
    wire         sends1 = emit_q6 & (tag_q6[7:6] == 2'd0);
    assign read_valid = {valid_q4, valid_q3};
    assign read_index = {tag_q4[3:0], tag_q3[3:0]};
    assign read_pass = {tag_q4[4], tag_q3[4]};
    assign read_first = {tag_q4[7:6] == 2'd1, tag_q3[7:6] == 2'd0};
    assign out_valid = {valid_q6, valid_q5};
    assign out_index = {tag_q6[3:0], tag_q5[3:0]};
    assign out_pass = {tag_q6[4], tag_q5[4]};
    assign out_half = {tag_q6[5], tag_q5[5]};
    assign out_y = {u_row1_y, u_row0_y};
    wire [127:0] cat_1 = {u_streaming3_operand, u_streaming2_operand, u_streaming1_operand, u_streaming0_operand};

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

    eva_row u_row0 (
        .aclk    (aclk),
        .int8    (int8_q),
        .in_w    (cat_1),
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

    always @(posedge aclk) begin
        int8_q <= in_int8;
        load_row0 <= in_load;
        load_row1 <= load_row0;
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
        emitted_end_q <= |{sends1 & tag_q6[8], sends0 & tag_q5[8]};
        emitted_sum_q <= (u_row0_y & {32{sends0}}) | (u_row1_y & {32{sends1}});
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
            emitted_valid_q <= |{sends1, sends0};
        end
    end

    assign filled = step_end_q6;
    assign emitted_valid = emitted_valid_q;
    assign emitted_end = emitted_end_q;
    assign emitted_sum = emitted_sum_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_row1_w_out};

endmodule

`default_nettype wire
