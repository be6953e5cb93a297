// eva_mem_1024x54_1r1w_any: Memory of 1024 words of 54 bits. It powers up with any content. r*_data shows the word
// at r*_addr after a clock edge with r*_en high, and otherwise stays. A read of a word that is being written may
// return anything. w*_data is stored at w*_addr at a clock edge with w*_en high.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_mem_1024x54_1r1w_any (
    input  wire        aclk,
    input  wire        w0_en,
    input  wire [9:0]  w0_addr,
    input  wire [53:0] w0_data,
    input  wire        r0_en,
    input  wire [9:0]  r0_addr,
    output reg  [53:0] r0_data
);

    reg [53:0] words [0:1023];

    always @(posedge aclk) begin
        if (w0_en) words[w0_addr] <= w0_data;
        if (r0_en) begin
            r0_data <= words[r0_addr];
            if (w0_en && w0_addr == r0_addr) r0_data <= {54{1'bx}};
        end
    end

endmodule

`default_nettype wire
