// eva_pass_walker: Pass walker: k tile, turn of the lanes and finished outputs of each pass of an INT8 GEMM.
//
//   lanes               = 8
//   max_k_tiles         = 2048
//   buffers.max_n_block = 1024
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_pass_walker (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        start,
    input  wire [11:0] passes_tiles,
    input  wire [10:0] passes_outputs,
    input  wire        step,
    output wire        busy,
    output wire [3:0]  pass_turn,
    output wire        pass_takes_tile,
    output wire        pass_emits,
    output wire        pass_last
);

    reg        busy_q;
    reg [11:0] tile;
    reg        first_period;
    reg [10:0] finished;

    wire [11:0] tile_next = tile + 12'd1;
    wire        has_lane = tile < 12'd8;
    wire        takes_tile = tile < passes_tiles;
    wire        wraps = ~(tile_next < passes_tiles) & (12'd8 <= tile);
    wire        finishes = wraps | (~first_period & (tile < 12'd7));
    wire        output_last = (finished + 11'd1) == passes_outputs;
    wire        last = finishes & output_last;
    assign pass_turn = has_lane ? tile[3:0] : 4'd8;

    always @(posedge aclk) begin
        if (!aresetn) begin
            busy_q <= 1'b0;
        end else begin
            busy_q <= start ? 1'b1 : (step & last) ? 1'b0 : busy_q;
        end
    end

    always @(posedge aclk) begin
        tile <= start ? 12'd0 : step ? (wraps ? 12'd0 : tile_next) : tile;
        first_period <= start ? 1'b1 : (step & wraps) ? 1'b0 : first_period;
        finished <= start ? 11'd0 : (step & finishes) ? finished + 11'd1 : finished;
    end

    assign busy = busy_q;
    assign pass_takes_tile = takes_tile;
    assign pass_emits = finishes;
    assign pass_last = last;

endmodule

`default_nettype wire
