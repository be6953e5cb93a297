// eva_lane_buffer_128x8x32: Buffer written a word of several lanes at a time and read one lane at a time, 1 cycle
// after its number.
//
//   words     = 128
//   lanes     = 8
//   lane_bits = 32
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_lane_buffer_128x8x32 (
    input  wire         aclk,
    input  wire         write_enable,
    input  wire [6:0]   write_word,
    input  wire [255:0] write_data,
    input  wire         read_enable,
    input  wire [9:0]   read_lane,
    output reg  [31:0]  lane,
    output wire [255:0] word
);

    reg [2:0] number;

    wire [255:0] word_q;

    always @* begin
        case (number)
            3'd0: lane = word_q[31:0];
            3'd1: lane = word_q[63:32];
            3'd2: lane = word_q[95:64];
            3'd3: lane = word_q[127:96];
            3'd4: lane = word_q[159:128];
            3'd5: lane = word_q[191:160];
            3'd6: lane = word_q[223:192];
            default: lane = word_q[255:224];
        endcase
    end

    eva_mem_128x256_1r1w_any store (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_word),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_lane[9:3]),
        .r0_data (word_q)
    );

    always @(posedge aclk) begin
        if (read_enable) begin
            number <= read_lane[2:0];
        end
    end

    assign word = word_q;

endmodule

`default_nettype wire
