// eva_lane_buffer_256x2x128: Buffer written a word of several lanes at a time and read one lane at a time, 1 cycle
// after its number.
//
//   words     = 256
//   lanes     = 2
//   lane_bits = 128
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_lane_buffer_256x2x128 (
    input  wire         aclk,
    input  wire         write_enable,
    input  wire [7:0]   write_word,
    input  wire [255:0] write_data,
    input  wire         read_enable,
    input  wire [8:0]   read_lane,
    output wire [127:0] lane,
    output wire [255:0] word
);

    reg number;

    wire [255:0] word_q;

    assign lane = number ? word_q[255:128] : word_q[127:0];

    eva_mem_256x256_1r1w_any store (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_word),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_lane[8:1]),
        .r0_data (word_q)
    );

    always @(posedge aclk) begin
        if (read_enable) begin
            number <= read_lane[0];
        end
    end

    assign word = word_q;

endmodule

`default_nettype wire
