// eva_command: Command unit: executes one command at a time and reports the status of each.
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
    input  wire         units_busy,
    output wire         busy,
    output wire         executing,
    output wire         start_codebooks,
    output wire         start_x,
    output wire         start_gemv,
    output wire         start_int8,
    output wire         start_scales,
    output wire [6:0]   work_vectors,
    output wire [1:0]   work_codebooks,
    output wire [6:0]   block_outputs,
    output wire         block_first,
    output wire         block_last,
    output wire [5:0]   gemm_tokens,
    output wire [12:0]  gemm_tiles,
    output wire [6:0]   gemm_outputs,
    output wire         int8,
    output wire         raw,
    output wire         scale_fp32,
    input  wire         sts_ready,
    output wire         sts_valid,
    output wire [63:0]  sts_data
);

    reg [1:0]   state;
    reg [127:0] command;
    reg [6:0]   loaded_vectors;
    reg [1:0]   loaded_codebooks;
    reg         chain_open;
    reg [6:0]   chain_outputs;
    reg         int8_q;
    reg [31:0]  cycles;
    reg [7:0]   status;

    wire        state_is_idle = state == 2'd0;
    assign cmd_ready = state_is_idle;
    wire        state_is_check = state == 2'd1;
    wire        state_is_run = state == 2'd2;
    wire        state_is_report = state == 2'd3;
    wire        and_0 = cmd_valid & state_is_idle;
    wire [7:0]  opcode = command[7:0];
    wire        first = command[8];
    wire        last = command[9];
    wire        scale_fp32_1 = command[10];
    assign raw = command[11];
    wire [15:0] tag = command[31:16];
    wire [7:0]  codebooks = command[39:32];
    wire [23:0] tokens = command[63:40];
    wire [31:0] vectors = command[95:64];
    wire [31:0] outputs = command[127:96];
    wire        reserved = |command[15:12];
    wire        is_codebooks = opcode == 8'd1;
    wire        is_x = opcode == 8'd2;
    wire        is_gemv = opcode == 8'd3;
    wire        is_int8 = opcode == 8'd4;
    wire        is_load = is_codebooks | is_x;
    wire        known = is_load | is_gemv | is_int8;
    wire        stray_flags = (~is_gemv & (|command[10:8])) | (~is_int8 & raw);
    wire        stray_codebooks = (is_x | is_int8) & (|codebooks);
    wire        stray_tokens = ~is_int8 & (|tokens);
    wire        stray_vectors = is_codebooks & (|vectors);
    wire        stray_outputs = is_load & (|outputs);
    wire        stray = reserved | stray_flags | stray_codebooks | stray_tokens | stray_vectors | stray_outputs;
    assign block_outputs = outputs[6:0];
    assign work_vectors = vectors[6:0];
    assign work_codebooks = codebooks[1:0];
    wire        codebooks_ok = ((|codebooks) & (codebooks <= 8'd2)) | is_x | is_int8;
    wire        tokens_ok = ((|tokens) & (tokens <= 24'd32)) | ~is_int8;
    wire        mux_0 = is_int8 ? (|vectors) & (vectors <= 32'h1000) : (|vectors) & (vectors <= 32'd64);
    wire        vectors_ok = mux_0 | is_codebooks;
    wire        outputs_ok = ((|outputs) & (outputs <= 32'd64)) | is_load;
    wire        in_range = codebooks_ok & tokens_ok & vectors_ok & outputs_ok;
    wire        continues = is_gemv & ~first;
    wire        chained = ~continues | (chain_open & (block_outputs == chain_outputs));
    wire        and_1 = (work_vectors <= loaded_vectors) & (work_codebooks <= loaded_codebooks);
    wire        loaded = ~is_gemv | and_1;
    wire        accepted = known & ~stray & in_range & loaded & chained;
    wire        start = state_is_check & accepted;
    assign start_codebooks = start & is_codebooks;
    assign start_x = start & is_x;
    assign start_gemv = start & is_gemv;
    assign start_int8 = start & is_int8;
    assign start_scales = start & ((is_gemv & last) | (is_int8 & ~raw));
    assign sts_data = {cycles, tag, status, opcode};
    wire        report_ready = sts_ready;
    assign busy = ~state_is_idle;
    assign executing = state_is_check | state_is_run;
    assign gemm_tokens = tokens[5:0];
    assign gemm_tiles = vectors[12:0];
    assign scale_fp32 = scale_fp32_1 | is_int8;

    always @(posedge aclk) begin
        if (!aresetn) begin
            state <= 2'd0;
            loaded_vectors <= 7'd0;
        end else begin
            state <= (state_is_report & report_ready) ? 2'd0
                : (state_is_run & ~units_busy) ? 2'd3
                : (state_is_check & ~accepted) ? 2'd3
                : (state_is_check & accepted) ? 2'd2
                : (state_is_idle & and_0) ? 2'd1
                : state;
            loaded_vectors <= start_int8 ? 7'd0 : start_x ? work_vectors : loaded_vectors;
        end
    end

    always @(posedge aclk) begin
        if (and_0) begin
            command <= cmd_data;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            loaded_codebooks <= 2'd0;
        end else if (start_codebooks) begin
            loaded_codebooks <= work_codebooks;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            chain_open <= 1'b0;
        end else if (start_gemv) begin
            chain_open <= ~last;
        end
    end

    always @(posedge aclk) begin
        if (start_gemv) begin
            chain_outputs <= block_outputs;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            int8_q <= 1'b0;
        end else if (start) begin
            int8_q <= is_int8;
        end
    end

    always @(posedge aclk) begin
        cycles <= and_0 ? 32'd0 : (state_is_check | state_is_run) ? cycles + 32'd1 : cycles;
    end

    always @(posedge aclk) begin
        if (state_is_check) begin
            status <= ~known ? 8'd1 : stray ? 8'd3 : ~in_range ? 8'd2 : ~loaded ? 8'd4 : ~chained ? 8'd5 : 8'd0;
        end
    end

    assign block_first = first;
    assign block_last = last;
    assign gemm_outputs = block_outputs;
    assign int8 = int8_q;
    assign sts_valid = state_is_report;

endmodule

`default_nettype wire
