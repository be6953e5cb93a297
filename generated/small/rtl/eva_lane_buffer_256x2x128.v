// eva_lane_buffer_256x2x128: Buffer written a word of several lanes at a time and read one lane at a time, 2 cycles
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
    output wire [127:0] data
);

    reg         lane;
    reg [127:0] data_q;

    wire [255:0] word;

    eva_mem_256x256_1r1w_any store (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_word),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_lane[8:1]),
        .r0_data (word)
    );

    always @(posedge aclk) begin
        lane <= read_lane[0];
        data_q <= lane ? word[255:128] : word[127:0];
    end

    assign data = data_q;

endmodule

`default_nettype wire
