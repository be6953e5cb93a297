// eva_epilogue_control: Epilogue control: issues one index word per cycle while a filled OC half is there, for each
// output of the block.
//
//   buffers.max_n_block = 64
//   tile_vectors        = 4
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_epilogue_control (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        job_valid,
    input  wire [6:0]  job_vectors,
    input  wire [1:0]  job_codebooks,
    input  wire [6:0]  job_outputs,
    input  wire        job_first,
    input  wire        job_last,
    input  wire        job_scale_fp32,
    input  wire        job_split,
    output wire        job_ready,
    input  wire        filled,
    input  wire        room,
    input  wire        word_valid,
    input  wire [15:0] word_data,
    output wire        word_ready,
    output wire        scale_fp32,
    output reg         split,
    output wire        done,
    output wire        keeps,
    output wire        stalled,
    output wire        freed,
    output wire        issued,
    output wire        word_last,
    output wire [15:0] index,
    output wire        half,
    output wire        output_last,
    output wire        access_valid,
    output wire [5:0]  access_address,
    output wire        access_first,
    output wire        access_last,
    output wire        access_split
);

    reg        busy_q;
    reg [1:0]  codebooks;
    reg [6:0]  outputs;
    reg        first;
    reg        last;
    reg [6:0]  output_1;
    reg [1:0]  codebook;
    reg        half_1;
    reg [1:0]  ready_halves;
    reg        first_step;
    reg [1:0]  cooling;
    reg [6:0]  left;
    reg        scale_fp32_1;
    reg        scale_fp32_q1;
    reg [15:0] index_q;
    reg        half_q;
    reg        output_last_q;
    reg        access_valid_q;
    reg [5:0]  access_address_q;
    reg        access_first_q;
    reg        access_last_q;
    reg        access_split_q;

    assign job_ready = ~busy_q;
    wire       oc_there = |ready_halves;
    wire       codebook_last = (codebook + 2'd1) == codebooks;
    wire [6:0] tile = split ? 7'd2 : 7'd4;
    wire       final_step = codebook_last & (left <= tile);
    wire       sends = final_step & last;
    wire       open = busy_q & oc_there & ~(|cooling) & (room | ~sends);
    assign word_ready = open;
    wire       and_0 = job_valid & ~busy_q;
    wire       output_last_1 = (output_1 + 7'd1) == outputs;
    wire       fire = word_valid & open;
    wire       step_last = fire & output_last_1;
    assign done = step_last & final_step;
    wire       counting = |cooling;
    assign keeps = done & ~last;
    assign stalled = busy_q & ~oc_there;
    assign issued = fire & sends;

    always @(posedge aclk) begin
        if (!aresetn) begin
            busy_q <= 1'b0;
            ready_halves <= 2'd0;
            cooling <= 2'd0;
            access_valid_q <= 1'b0;
        end else begin
            busy_q <= and_0 ? 1'b1 : done ? 1'b0 : busy_q;
            ready_halves <= (step_last & ~filled) ? ready_halves - 2'd1
                : (filled & ~step_last) ? ready_halves + 2'd1
                : ready_halves;
            cooling <= (step_last & (outputs < 7'd3) & ~sends) ? 2'd2
                : (fire & sends) ? (split ? 2'd1 : 2'd0)
                : counting ? cooling - 2'd1
                : cooling;
            access_valid_q <= fire;
        end
    end

    always @(posedge aclk) begin
        if (and_0) begin
            codebooks <= job_codebooks;
            outputs <= job_outputs;
            first <= job_first;
            last <= job_last;
            split <= job_split;
            scale_fp32_1 <= job_scale_fp32;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            output_1 <= 7'd0;
        end else if (fire) begin
            output_1 <= output_last_1 ? 7'd0 : output_1 + 7'd1;
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
        first_step <= and_0 ? 1'b1 : step_last ? 1'b0 : first_step;
        left <= and_0 ? job_vectors : (step_last & codebook_last) ? left - tile : left;
        scale_fp32_q1 <= scale_fp32_1;
        half_q <= half_1;
        output_last_q <= sends & output_last_1;
        access_address_q <= output_1[5:0];
        access_first_q <= first_step & first;
        access_last_q <= sends;
        access_split_q <= split;
    end

    always @(posedge aclk) begin
        if (fire) begin
            index_q <= word_data;
        end
    end

    assign scale_fp32 = scale_fp32_q1;
    assign freed = step_last;
    assign word_last = output_last_1;
    assign index = index_q;
    assign half = half_q;
    assign output_last = output_last_q;
    assign access_valid = access_valid_q;
    assign access_address = access_address_q;
    assign access_first = access_first_q;
    assign access_last = access_last_q;
    assign access_split = access_split_q;

endmodule

`default_nettype wire
