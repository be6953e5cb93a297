// eva_core_tb: a smoke test, to see that a simulator or a flow takes the core as it is. One layer of one vector of ones, a
// codebook of ones, one output with scale 1: the output is vq.dim. For anything beyond use `eva cosim`; with --dump it
// writes stimulus for testbenches like this one.
//
// Of a netlist of gates, flip-flops and memories have to begin at 0 or at random (an option of the simulator; Verilator
// does so by itself). The layer loads a part of them alone, and gates make X at the output out of what the others hold
// where the Verilog of the core does not.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_core_tb;

    localparam STREAM = 128;      // bits of s_axis_w
    localparam X = 256;           // bits of s_axis_x
    localparam DIM = 8;           // values of a vector
    localparam CODEBOOK = 32768;  // bits of a codebook
    localparam INDEX_WORD = 64;   // bits of an index word

    // Beats of s_axis_w: codebook, scale, index word.
    localparam CODEBOOK_BEATS = (CODEBOOK + STREAM - 1) / STREAM;
    localparam INDEX_BEATS = (INDEX_WORD + STREAM - 1) / STREAM;
    localparam BEATS = CODEBOOK_BEATS + 1 + INDEX_BEATS;
    localparam ONES = (CODEBOOK < STREAM ? CODEBOOK : STREAM) / 16;
    localparam [15:0] ONE = 16'h3c00;

    reg aclk = 1'b0;
    reg aresetn = 1'b0;
    always #5 aclk = ~aclk;

    reg [1:0] command = 2'd0;
    reg [31:0] beat = 32'd0;
    reg vector = 1'b0;
    reg [1:0] statuses = 2'd0;
    reg [31:0] outputs = 32'd0;
    reg has_failed = 1'b0;

    wire s_axis_cmd_tready, s_axis_w_tready, s_axis_x_tready;
    wire m_axis_sts_tvalid, m_axis_y_tvalid, m_axis_y_tlast;
    wire [63:0] m_axis_sts_tdata;
    wire [31:0] m_axis_y_tdata;
    wire busy;

    // LOAD_CODEBOOKS, LOAD_X, VQ_GEMV with `first` and `last`.
    wire [127:0] command_word = command == 2'd0 ? 128'h00000000000000000000000100000001
                              : command == 2'd1 ? 128'h00000000000000010000000000000002
                              : 128'h00000001000000010000010100000303;
    wire [STREAM-1:0] w = beat < CODEBOOK_BEATS ? {ONES{ONE}} : beat == CODEBOOK_BEATS ? ONE : {STREAM{1'b0}};
    wire [X-1:0] x = {DIM{ONE}};

    eva_core dut (
        .aclk (aclk),
        .aresetn (aresetn),
        .s_axis_cmd_tvalid (aresetn && command < 2'd3),
        .s_axis_cmd_tdata (command_word),
        .s_axis_cmd_tready (s_axis_cmd_tready),
        .s_axis_w_tvalid (aresetn && beat < BEATS),
        .s_axis_w_tdata (w),
        .s_axis_w_tready (s_axis_w_tready),
        .s_axis_x_tvalid (aresetn && !vector),
        .s_axis_x_tdata (x),
        .s_axis_x_tready (s_axis_x_tready),
        .m_axis_sts_tready (1'b1),
        .m_axis_sts_tvalid (m_axis_sts_tvalid),
        .m_axis_sts_tdata (m_axis_sts_tdata),
        .m_axis_y_tready (1'b1),
        .m_axis_y_tvalid (m_axis_y_tvalid),
        .m_axis_y_tdata (m_axis_y_tdata),
        .m_axis_y_tlast (m_axis_y_tlast),
        .busy (busy),
        .stat_cycles (),
        .stat_w_beats (),
        .stat_w_stalls (),
        .stat_x_stalls (),
        .stat_y_stalls ()
    );

    always @(posedge aclk) if (aresetn) begin
        if (s_axis_cmd_tready && command < 2'd3) command <= command + 2'd1;
        if (s_axis_w_tready && beat < BEATS) beat <= beat + 32'd1;
        if (s_axis_x_tready) vector <= 1'b1;
        if (m_axis_y_tvalid) begin
            outputs <= outputs + 32'd1;
            if (m_axis_y_tdata !== 32'h00004800 || m_axis_y_tlast !== 1'b1) begin
                $display("eva_core_tb: output %h, last %b", m_axis_y_tdata, m_axis_y_tlast);
                has_failed <= 1'b1;
            end
        end
        if (m_axis_sts_tvalid) begin
            statuses <= statuses + 2'd1;
            if (m_axis_sts_tdata[31:0] !== {30'd0, statuses + 2'd1}) begin
                $display("eva_core_tb: status %h", m_axis_sts_tdata);
                has_failed <= 1'b1;
            end
        end
    end

    integer cycles = 0;
    always @(negedge aclk) begin
        cycles = cycles + 1;
        if (cycles == 4) aresetn = 1'b1;
        if (statuses == 2'd3 && !busy) begin
            if (has_failed || outputs != 32'd1 || beat != BEATS) $display("eva_core_tb: FAILED");
            else $display("eva_core_tb: passed after %0d cycles", cycles);
            $finish;
        end else if (cycles == 16152) begin
            $display("eva_core_tb: FAILED: it hangs");
            $finish;
        end
    end

endmodule

`default_nettype wire
