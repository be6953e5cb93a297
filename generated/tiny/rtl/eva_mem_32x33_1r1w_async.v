// eva_mem_32x33_1r1w_async: Memory of 32 words of 33 bits. It powers up with any content. r*_data follows r*_addr
// in the same cycle. w*_data is stored at w*_addr at a clock edge with w*_en high.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_mem_32x33_1r1w_async (
    input  wire        aclk,
    input  wire        w0_en,
    input  wire [4:0]  w0_addr,
    input  wire [32:0] w0_data,
    input  wire [4:0]  r0_addr,
    output wire [32:0] r0_data
);

    reg [32:0] words [0:31];

    always @(posedge aclk) begin
        if (w0_en) words[w0_addr] <= w0_data;
    end

    assign r0_data = words[r0_addr];

endmodule

`default_nettype wire
