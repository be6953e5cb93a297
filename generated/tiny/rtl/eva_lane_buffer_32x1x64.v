// eva_lane_buffer_32x1x64: Buffer written a word of several lanes at a time and read one lane at a time, 1 cycle
// after its number.
//
//   words     = 32
//   lanes     = 1
//   lane_bits = 64
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_lane_buffer_32x1x64 (
    input  wire        aclk,
    input  wire        write_enable,
    input  wire [4:0]  write_word,
    input  wire [63:0] write_data,
    input  wire        read_enable,
    input  wire [4:0]  read_lane,
    output wire [63:0] lane,
    output wire [63:0] word
);

    wire [63:0] word_q;

    eva_mem_32x64_1r1w_any store (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_word),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_lane),
        .r0_data (word_q)
    );

    assign lane = word_q;
    assign word = word_q;

endmodule

`default_nettype wire
