// eva_int8_control: INT8 control: sends every token through the array once per pass, with the weights of the next
// pass on their way.
//
//   array.rows    = 4
//   max_tokens    = 512
//   psum_distance = 5
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_int8_control (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         start,
    input  wire [9:0]   gemm_tokens,
    input  wire [11:0]  gemm_tiles,
    input  wire [11:0]  gemm_outputs,
    input  wire         room,
    input  wire         row_word_valid,
    input  wire [255:0] row_word_data,
    output wire         row_word_ready,
    input  wire         token_valid,
    input  wire [255:0] token_data,
    output wire         token_ready,
    output wire         rows_end,
    output wire         busy,
    output wire         rows_wanted,
    output wire         issued,
    output wire         row_word_last,
    output wire         token_last,
    output wire         write_enable,
    output wire [7:0]   write_word,
    output wire [255:0] write_data,
    output wire [7:0]   read_word,
    output wire         read_enable,
    output wire         steer_valid,
    output wire         steer_load,
    output wire [7:0]   steer_index,
    output wire         steer_pass,
    output wire [2:0]   steer_turn,
    output wire         steer_emit,
    output wire         steer_emit_end,
    output wire [255:0] steer_token
);

    reg [1:0]   full;
    reg [2:0]   write_slot_row;
    reg [1:0]   write_row;
    reg [8:0]   token;
    reg [1:0]   read_row;
    reg [2:0]   cooling;
    reg         reading_rows;
    reg [2:0]   read_slot_row;
    reg         steer_valid_q;
    reg         steer_load_q;
    reg [7:0]   steer_index_q;
    reg         steer_pass_q;
    reg [2:0]   steer_turn_q;
    reg         steer_emit_q;
    reg         steer_emit_end_q;
    reg [255:0] steer_token_q;

    wire       weights_busy;
    wire [2:0] u_weights_pass_turn;
    wire       u_weights_pass_takes_tile;
    wire       u_weights_pass_emits;
    wire       u_weights_pass_last;
    wire [2:0] u_tokens_pass_turn;
    wire       u_tokens_pass_takes_tile;
    wire       u_tokens_pass_emits;
    wire       u_tokens_pass_last;

    wire ne_0 = full != 2'd2;
    assign row_word_ready = ne_0;
    wire rows_free = ~(|read_row);
    wire weights_there = ~u_tokens_pass_takes_tile | (|full);
    wire cooled = ~(gemm_tokens < 10'd5) | ~(|cooling);
    wire may_start = rows_free & weights_there & cooled;
    wire first = ~(|token);
    wire open = busy & (may_start | ~first) & (room | ~u_tokens_pass_emits);
    wire token_wanted = open & u_tokens_pass_takes_tile;
    assign token_ready = token_wanted;
    assign write_enable = row_word_valid & ne_0;
    wire write_slot_row_last = write_slot_row == 3'd7;
    wire write_row_last = write_row == 2'd3;
    wire filled = write_enable & write_row_last;
    wire next_tile = weights_busy & (filled | ~u_weights_pass_takes_tile);
    assign rows_end = next_tile & u_weights_pass_last;
    wire fire = (token_valid & token_wanted) | (open & ~u_tokens_pass_takes_tile);
    wire load = fire & first;
    wire sent_row = load | ~rows_free;
    wire read_row_last = read_row == 2'd3;
    wire last = ({1'b0, token} + 10'd1) == gemm_tokens;
    wire counting = |cooling;
    wire reading = (load & u_tokens_pass_takes_tile) | (~rows_free & reading_rows);
    wire read_slot_row_last = read_slot_row == 3'd7;
    wire emptied = sent_row & read_row_last & reading_rows;
    assign rows_wanted = weights_busy & u_weights_pass_takes_tile;
    assign issued = fire & u_tokens_pass_emits;
    assign write_word = {5'd0, write_slot_row};
    assign read_word = {5'd0, read_slot_row};

    eva_pass_walker u_weights (
        .aclk            (aclk),
        .aresetn         (aresetn),
        .start           (start),
        .passes_tiles    (gemm_tiles),
        .passes_outputs  (gemm_outputs),
        .step            (next_tile),
        .busy            (weights_busy),
        .pass_turn       (u_weights_pass_turn),
        .pass_takes_tile (u_weights_pass_takes_tile),
        .pass_emits      (u_weights_pass_emits),
        .pass_last       (u_weights_pass_last)
    );

    eva_pass_walker u_tokens (
        .aclk            (aclk),
        .aresetn         (aresetn),
        .start           (start),
        .passes_tiles    (gemm_tiles),
        .passes_outputs  (gemm_outputs),
        .step            (fire & last),
        .busy            (busy),
        .pass_turn       (u_tokens_pass_turn),
        .pass_takes_tile (u_tokens_pass_takes_tile),
        .pass_emits      (u_tokens_pass_emits),
        .pass_last       (u_tokens_pass_last)
    );

    always @(posedge aclk) begin
        if (!aresetn) begin
            full <= 2'd0;
            cooling <= 3'd0;
            steer_emit_q <= 1'b0;
        end else begin
            full <= (emptied & ~filled) ? full - 2'd1 : (filled & ~emptied) ? full + 2'd1 : full;
            cooling <= fire ? 3'd4 : counting ? cooling - 3'd1 : cooling;
            steer_emit_q <= fire & u_tokens_pass_emits;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            write_slot_row <= 3'd0;
            write_row <= 2'd0;
        end else if (write_enable) begin
            write_slot_row <= write_slot_row_last ? 3'd0 : write_slot_row + 3'd1;
            write_row <= write_row_last ? 2'd0 : write_row + 2'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            token <= 9'd0;
        end else if (fire) begin
            token <= last ? 9'd0 : token + 9'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            read_row <= 2'd0;
        end else if (sent_row) begin
            read_row <= read_row_last ? 2'd0 : read_row + 2'd1;
        end
    end

    always @(posedge aclk) begin
        if (load) begin
            reading_rows <= u_tokens_pass_takes_tile;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            read_slot_row <= 3'd0;
        end else if (reading) begin
            read_slot_row <= read_slot_row_last ? 3'd0 : read_slot_row + 3'd1;
        end
    end

    always @(posedge aclk) begin
        steer_valid_q <= fire;
        steer_load_q <= load;
        steer_index_q <= token[7:0];
        steer_pass_q <= token[8];
        steer_turn_q <= u_tokens_pass_turn;
        steer_emit_end_q <= last;
        steer_token_q <= token_data & {256{u_tokens_pass_takes_tile}};
    end

    assign row_word_last = write_row_last;
    assign token_last = last;
    assign write_data = row_word_data;
    assign read_enable = reading;
    assign steer_valid = steer_valid_q;
    assign steer_load = steer_load_q;
    assign steer_index = steer_index_q;
    assign steer_pass = steer_pass_q;
    assign steer_turn = steer_turn_q;
    assign steer_emit = steer_emit_q;
    assign steer_emit_end = steer_emit_end_q;
    assign steer_token = steer_token_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_weights_pass_turn, u_weights_pass_emits, u_tokens_pass_last};

endmodule

`default_nettype wire
