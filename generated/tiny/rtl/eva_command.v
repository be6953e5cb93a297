// eva_command: Command unit: checks commands and hands them to the units that execute them.
//
//   max_vectors         = 64
//   vq.max_codebooks    = 2
//   buffers.max_n_block = 64
//   max_tokens          = 32
//   max_k_tiles         = 4096
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_command (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         cmd_valid,
    input  wire [127:0] cmd_data,
    output wire         cmd_ready,
    input  wire         report_codebooks_end,
    input  wire [1:0]   report_loaded,
    input  wire         report_gemm_end,
    input  wire [1:0]   report_used,
    input  wire         report_x_busy,
    input  wire         report_idle,
    output wire         taken,
    output wire         idle,
    output wire         start_x,
    output wire         start_int8,
    output wire [5:0]   gemm_tokens,
    output wire [12:0]  gemm_tiles,
    output wire [6:0]   gemm_outputs,
    output wire [6:0]   vectors,
    output wire         int8,
    output wire         raw,
    output reg  [1:0]   loading,
    input  wire         gemm_job_ready,
    output wire         gemm_job_valid,
    output wire [6:0]   gemm_job_vectors,
    output wire [15:0]  gemm_job_from_word,
    output wire [1:0]   gemm_job_codebooks,
    output wire         gemm_job_slot,
    output wire         gemm_job_grouped,
    output wire [1:0]   gemm_job_mask,
    output wire         gemm_job_split,
    input  wire         epilogue_job_ready,
    output wire         epilogue_job_valid,
    output wire [6:0]   epilogue_job_vectors,
    output wire [1:0]   epilogue_job_codebooks,
    output wire [6:0]   epilogue_job_outputs,
    output wire         epilogue_job_first,
    output wire         epilogue_job_last,
    output wire         epilogue_job_scale_fp32,
    output wire         epilogue_job_split,
    input  wire         weight_job_ready,
    output wire         weight_job_valid,
    output wire         weight_job_loads,
    output wire [1:0]   weight_job_codebooks,
    output wire         weight_job_slot,
    output wire [1:0]   weight_job_mask,
    output wire         weight_job_scales,
    output wire         weight_job_scale_fp32,
    output wire [6:0]   weight_job_outputs,
    output wire         weight_job_int8,
    input  wire         pending_ready,
    output wire         pending_valid,
    output wire [7:0]   pending_opcode,
    output wire [7:0]   pending_status,
    output wire [15:0]  pending_tag,
    output wire [2:0]   pending_awaits
);

    reg [1:0]   state;
    reg [127:0] command;
    reg [6:0]   loaded_vectors;
    reg [1:0]   loaded_slots;
    reg         chain_open;
    reg [6:0]   chain_outputs;
    reg         chain_split;
    reg [7:0]   status;
    reg         accepted;
    reg [1:0]   users0;
    reg [1:0]   users1;
    reg         int8_q;
    reg         raw_outputs;

    wire        state_is_idle = state == 2'd0;
    assign cmd_ready = state_is_idle;
    wire        state_is_check = state == 2'd1;
    wire        state_is_dispatch = state == 2'd2;
    wire        state_is_alone = state == 2'd3;
    assign taken = cmd_valid & state_is_idle;
    wire [7:0]  opcode = command[7:0];
    wire        first = command[8];
    wire        last = command[9];
    wire        scale_fp32 = command[10];
    wire        raw_1 = command[11];
    wire [2:0]  slot = command[14:12];
    wire        grouped = command[15];
    wire [15:0] tag = command[31:16];
    wire [7:0]  codebooks = command[39:32];
    wire [23:0] int8_tokens = command[63:40];
    wire [7:0]  tokens = command[47:40];
    wire [15:0] from_word = command[63:48];
    wire [31:0] vectors_1 = command[95:64];
    wire [31:0] outputs = command[127:96];
    wire        is_codebooks = opcode == 8'd1;
    wire        is_x = opcode == 8'd2;
    wire        is_gemv = opcode == 8'd3;
    wire        is_int8 = opcode == 8'd4;
    wire        is_load = is_codebooks | is_x;
    wire        known = is_load | is_gemv | is_int8;
    wire        stray_flags = ~is_gemv & ((|command[10:8]) | grouped);
    wire        stray_raw = ~is_int8 & raw_1;
    wire        stray_codebooks = (is_x | is_int8) & ((|codebooks) | (|slot));
    wire        stray_tokens = is_load & (|int8_tokens);
    wire        stray_vectors = is_codebooks & (|vectors_1);
    wire        stray_outputs = is_load & (|outputs);
    wire        stray = stray_flags | stray_raw | stray_codebooks | stray_tokens | stray_vectors | stray_outputs;
    wire [2:0]  groups = 3'd1 + {2'd0, 32'd2 < vectors_1};
    wire [2:0]  slots_needed = grouped ? groups : codebooks[2:0];
    wire [3:0]  slots_end = {1'b0, slot} + {1'b0, slots_needed};
    wire [1:0]  slots = {(slot <= 3'd1) & (4'd1 < slots_end), ~(|slot)};
    wire        one_token = tokens == 8'd1;
    wire        whole_tiles = ~(|loaded_vectors[1:0]);
    wire        split = tokens[1];
    assign gemm_outputs = outputs[6:0];
    wire        codebooks_ok = ((|codebooks) & (codebooks <= 8'd2) & (slots_end <= 4'd2))
        | ~(is_codebooks | is_gemv);
    wire        mux_0 = is_int8 ? (|int8_tokens) & (int8_tokens <= 24'd32) : |{tokens == 8'd2, tokens == 8'd1};
    wire        tokens_ok = mux_0 | is_load;
    wire        mux_1 = is_int8 ? (|vectors_1) & (vectors_1 <= 32'h1000) : (|vectors_1) & (vectors_1 <= 32'd64);
    wire        vectors_ok = mux_1 | is_codebooks;
    wire        groups_ok = ~grouped | ((codebooks == 8'd1) & (vectors_1 <= 32'd4) & one_token);
    wire        from_ok = ~(is_gemv & ~one_token & (|from_word));
    wire        batch_ok = split ? (|outputs) & (outputs <= 32'd32) : (|outputs) & (outputs <= 32'd64);
    wire        outputs_ok = (is_int8 ? (|outputs) & (outputs <= 32'd64) : batch_ok) | is_load;
    wire        in_range = codebooks_ok & tokens_ok & vectors_ok & groups_ok & from_ok & outputs_ok;
    wire        continues = is_gemv & ~first;
    wire        same_shape = (gemm_outputs == chain_outputs) & (split == chain_split);
    wire        chained = ~continues | (chain_open & same_shape);
    wire [33:0] needed_vectors = {16'd0, {2'd0, from_word} * 18'd2} + {1'b0, split ? {vectors_1, 1'b0}
        : {1'b0, vectors_1}};
    wire        vectors_loaded = (needed_vectors <= {27'd0, loaded_vectors}) & (one_token | whole_tiles);
    wire        slots_loaded = ~(|(slots & ~loaded_slots));
    wire        loaded = ~is_gemv | (vectors_loaded & slots_loaded);
    wire        accepted_now = known & ~stray & in_range & loaded & chained;
    wire [1:0]  used = {|users1, |users0};
    wire        to_completion_ready = pending_ready;
    wire        to_gemm_ready = gemm_job_ready;
    wire        to_epilogue_ready = epilogue_job_ready;
    wire        to_weights_ready = weight_job_ready;
    wire        queues_free = ((to_gemm_ready & to_epilogue_ready) | ~is_gemv) & (to_weights_ready | is_x);
    wire        replaceable = ~(|(slots & (loading | used)));
    wire        x_free = ~(|used) & ~report_x_busy;
    wire        may_start = queues_free & (replaceable | ~is_codebooks) & (x_free | ~is_x)
        & (report_idle | ~is_int8);
    wire        dispatched = state_is_dispatch & to_completion_ready & (may_start | ~accepted);
    assign vectors = vectors_1[6:0];
    assign gemm_job_codebooks = codebooks[1:0];
    assign gemm_job_slot = slot[0];
    assign weight_job_scales = (is_gemv & last) | (is_int8 & ~raw_1);
    assign weight_job_scale_fp32 = scale_fp32 | is_int8;
    wire [2:0]  mux_2 = is_codebooks ? 3'd1 : is_x ? 3'd2 : (is_int8 | last) ? 3'd4 : 3'd3;
    assign pending_awaits = accepted ? mux_2 : 3'd0;
    wire        starts = dispatched & accepted;
    assign gemm_job_valid = starts & is_gemv;
    assign epilogue_job_valid = starts & is_gemv;
    assign weight_job_valid = starts & ~is_x;
    wire        and_0 = starts & is_codebooks;
    wire        and_1 = starts & is_gemv;
    assign start_x = starts & is_x;
    assign start_int8 = starts & is_int8;
    wire        and_2 = and_1 & slots[0];
    wire        and_3 = report_gemm_end & report_used[0];
    wire        and_4 = and_1 & slots[1];
    wire        and_5 = report_gemm_end & report_used[1];
    assign gemm_tokens = int8_tokens[5:0];
    assign gemm_tiles = vectors_1[12:0];

    always @(posedge aclk) begin
        if (!aresetn) begin
            state <= 2'd0;
            loaded_vectors <= 7'd0;
            loading <= 2'd0;
            users0 <= 2'd0;
            users1 <= 2'd0;
        end else begin
            state <= (state_is_alone & report_idle) ? 2'd0
                : (state_is_dispatch & start_int8) ? 2'd3
                : (state_is_dispatch & dispatched) ? 2'd0
                : state_is_check ? 2'd2
                : (state_is_idle & taken) ? 2'd1
                : state;
            loaded_vectors <= start_int8 ? 7'd0 : start_x ? vectors : loaded_vectors;
            loading <= (loading | (slots & {2{and_0}})) & ~(report_loaded & {2{report_codebooks_end}});
            users0 <= (and_3 & ~and_2) ? users0 - 2'd1 : (and_2 & ~and_3) ? users0 + 2'd1 : users0;
            users1 <= (and_5 & ~and_4) ? users1 - 2'd1 : (and_4 & ~and_5) ? users1 + 2'd1 : users1;
        end
    end

    always @(posedge aclk) begin
        if (taken) begin
            command <= cmd_data;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            loaded_slots <= 2'd0;
        end else if (and_0) begin
            loaded_slots <= loaded_slots | slots;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            chain_open <= 1'b0;
        end else if (and_1) begin
            chain_open <= ~last;
        end
    end

    always @(posedge aclk) begin
        if (and_1) begin
            chain_outputs <= gemm_outputs;
            chain_split <= split;
        end
    end

    always @(posedge aclk) begin
        if (state_is_check) begin
            status <= ~known ? 8'd1 : stray ? 8'd3 : ~in_range ? 8'd2 : ~loaded ? 8'd4 : ~chained ? 8'd5 : 8'd0;
            accepted <= accepted_now;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            int8_q <= 1'b0;
        end else if (starts) begin
            int8_q <= is_int8;
        end
    end

    always @(posedge aclk) begin
        if (starts) begin
            raw_outputs <= raw_1;
        end
    end

    assign idle = state_is_idle;
    assign int8 = int8_q;
    assign raw = raw_outputs;
    assign gemm_job_vectors = vectors;
    assign gemm_job_from_word = from_word;
    assign gemm_job_grouped = grouped;
    assign gemm_job_mask = slots;
    assign gemm_job_split = split;
    assign epilogue_job_vectors = vectors;
    assign epilogue_job_codebooks = gemm_job_codebooks;
    assign epilogue_job_outputs = gemm_outputs;
    assign epilogue_job_first = first;
    assign epilogue_job_last = last;
    assign epilogue_job_scale_fp32 = scale_fp32;
    assign epilogue_job_split = split;
    assign weight_job_loads = is_codebooks;
    assign weight_job_codebooks = gemm_job_codebooks;
    assign weight_job_slot = gemm_job_slot;
    assign weight_job_mask = slots;
    assign weight_job_outputs = gemm_outputs;
    assign weight_job_int8 = is_int8;
    assign pending_valid = dispatched;
    assign pending_opcode = opcode;
    assign pending_status = status;
    assign pending_tag = tag;

endmodule

`default_nettype wire
