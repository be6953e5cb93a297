// eva_mem_7x67_1r1w_async: Memory of 7 words of 67 bits. It powers up with any content. r*_data follows r*_addr in
// the same cycle. w*_data is stored at w*_addr at a clock edge with w*_en high. Addresses beyond the last word read
// anything and store nothing.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_mem_7x67_1r1w_async (
    input  wire        aclk,
    input  wire        w0_en,
    input  wire [2:0]  w0_addr,
    input  wire [66:0] w0_data,
    input  wire [2:0]  r0_addr,
    output wire [66:0] r0_data
);

    reg [66:0] words [0:6];

    always @(posedge aclk) begin
        if (w0_en) words[w0_addr] <= w0_data;
    end

    assign r0_data = words[r0_addr];

endmodule

`default_nettype wire
