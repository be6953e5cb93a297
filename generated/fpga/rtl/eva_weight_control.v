// eva_weight_control: Weight control: leads the weight stream to codebooks, scales, index words and row words,
// command by command.
//
//   drain = 12
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_weight_control (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        job_valid,
    input  wire        job_loads,
    input  wire [1:0]  job_codebooks,
    input  wire        job_slot,
    input  wire [1:0]  job_mask,
    input  wire        job_scales,
    input  wire        job_scale_fp32,
    input  wire [11:0] job_outputs,
    input  wire        job_int8,
    output wire        job_ready,
    input  wire        codebooks_end,
    input  wire        scales_end,
    input  wire        words_end,
    output wire        start_codebooks,
    output wire        start_scales,
    output wire        to_index,
    output wire        to_rows,
    output wire [1:0]  loading_codebooks,
    output wire        loading_slot,
    output wire [1:0]  loading_mask,
    output wire [11:0] loading_outputs,
    output wire        loading_scale_fp32
);

    reg [2:0]  state;
    reg        loads_q;
    reg [1:0]  codebooks_q;
    reg        slot_q;
    reg [1:0]  mask_q;
    reg        scales_q;
    reg        scale_fp32_q;
    reg [11:0] outputs_q;
    reg        int8_q;
    reg [3:0]  draining;

    wire state_is_idle = state == 3'd0;
    assign job_ready = state_is_idle;
    wire state_is_begin = state == 3'd1;
    wire state_is_codebooks = state == 3'd2;
    wire state_is_scales = state == 3'd3;
    wire state_is_words = state == 3'd4;
    wire and_0 = job_valid & state_is_idle;
    wire in_words = state_is_words;
    wire counting = |draining;
    assign start_codebooks = state_is_begin & loads_q;
    assign start_scales = state_is_begin & ~loads_q & scales_q & ~counting;
    wire start_words = state_is_begin & ~loads_q & ~scales_q;
    assign to_index = in_words & ~int8_q;
    assign to_rows = in_words & int8_q;

    always @(posedge aclk) begin
        if (!aresetn) begin
            state <= 3'd0;
            draining <= 4'd0;
        end else begin
            state <= (state_is_words & words_end) ? 3'd0
                : (state_is_scales & scales_end) ? 3'd4
                : (state_is_codebooks & codebooks_end) ? 3'd0
                : (state_is_begin & start_words) ? 3'd4
                : (state_is_begin & start_scales) ? 3'd3
                : (state_is_begin & start_codebooks) ? 3'd2
                : (state_is_idle & and_0) ? 3'd1
                : state;
            draining <= in_words ? 4'd12 : counting ? draining - 4'd1 : draining;
        end
    end

    always @(posedge aclk) begin
        if (and_0) begin
            loads_q <= job_loads;
            codebooks_q <= job_codebooks;
            slot_q <= job_slot;
            mask_q <= job_mask;
            scales_q <= job_scales;
            scale_fp32_q <= job_scale_fp32;
            outputs_q <= job_outputs;
            int8_q <= job_int8;
        end
    end

    assign loading_codebooks = codebooks_q;
    assign loading_slot = slot_q;
    assign loading_mask = mask_q;
    assign loading_outputs = outputs_q;
    assign loading_scale_fp32 = scale_fp32_q;

endmodule

`default_nettype wire
