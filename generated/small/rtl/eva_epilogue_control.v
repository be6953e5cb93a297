// eva_epilogue_control: Epilogue control: issues one index word per cycle while a filled OC half is there, for each
// output of the block.
//
//   buffers.max_n_block = 1024
//   tile_vectors        = 32
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_epilogue_control (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         start,
    input  wire [9:0]   work_vectors,
    input  wire [1:0]   work_codebooks,
    input  wire [10:0]  block_outputs,
    input  wire         block_first,
    input  wire         block_last,
    input  wire         filled,
    input  wire         room,
    input  wire         word_valid,
    input  wire [255:0] word_data,
    output wire         word_ready,
    output wire         busy,
    output wire         freed,
    output wire         issued,
    output wire         word_last,
    output wire [255:0] index,
    output wire         half,
    output wire         output_last,
    output wire         access_valid,
    output wire [9:0]   access_address,
    output wire         access_first,
    output wire         access_last
);

    reg         busy_q;
    reg [10:0]  output_1;
    reg [1:0]   codebook;
    reg         half_1;
    reg [1:0]   ready_halves;
    reg         first_step;
    reg [1:0]   cooling;
    reg [9:0]   left;
    reg [255:0] index_q;
    reg         half_q;
    reg         output_last_q;
    reg         access_valid_q;
    reg [9:0]   access_address_q;
    reg         access_first_q;
    reg         access_last_q;

    wire codebook_last = (codebook + 2'd1) == work_codebooks;
    wire final_step = codebook_last & (left <= 10'd32);
    wire sends = final_step & block_last;
    wire open = busy_q & (|ready_halves) & ~(|cooling) & (room | ~sends);
    assign word_ready = open;
    wire output_last_1 = (output_1 + 11'd1) == block_outputs;
    wire fire = word_valid & open;
    wire step_last = fire & output_last_1;
    wire counting = |cooling;
    assign issued = fire & sends;

    always @(posedge aclk) begin
        if (!aresetn) begin
            busy_q <= 1'b0;
            ready_halves <= 2'd0;
            cooling <= 2'd0;
            access_valid_q <= 1'b0;
        end else begin
            busy_q <= start ? 1'b1 : (step_last & final_step) ? 1'b0 : busy_q;
            ready_halves <= (step_last & ~filled) ? ready_halves - 2'd1
                : (filled & ~step_last) ? ready_halves + 2'd1
                : ready_halves;
            cooling <= (step_last & (block_outputs < 11'd3)) ? 2'd2 : counting ? cooling - 2'd1 : cooling;
            access_valid_q <= fire;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            output_1 <= 11'd0;
        end else if (fire) begin
            output_1 <= output_last_1 ? 11'd0 : output_1 + 11'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            codebook <= 2'd0;
            half_1 <= 1'b0;
        end else if (step_last) begin
            codebook <= codebook_last ? 2'd0 : codebook + 2'd1;
            half_1 <= ~half_1;
        end
    end

    always @(posedge aclk) begin
        first_step <= start ? 1'b1 : step_last ? 1'b0 : first_step;
        left <= start ? work_vectors : (step_last & codebook_last) ? left - 10'd32 : left;
        half_q <= half_1;
        output_last_q <= sends & output_last_1;
        access_address_q <= output_1[9:0];
        access_first_q <= first_step & block_first;
        access_last_q <= sends;
    end

    always @(posedge aclk) begin
        if (fire) begin
            index_q <= word_data;
        end
    end

    assign busy = busy_q;
    assign freed = step_last;
    assign word_last = output_last_1;
    assign index = index_q;
    assign half = half_q;
    assign output_last = output_last_q;
    assign access_valid = access_valid_q;
    assign access_address = access_address_q;
    assign access_first = access_first_q;
    assign access_last = access_last_q;

endmodule

`default_nettype wire
