// eva_lane_buffer_512x4x32: Buffer written a word of several lanes at a time and read one lane at a time, 1 cycle
// after its number.
//
//   words     = 512
//   lanes     = 4
//   lane_bits = 32
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_lane_buffer_512x4x32 (
    input  wire         aclk,
    input  wire         write_enable,
    input  wire [8:0]   write_word,
    input  wire [127:0] write_data,
    input  wire         read_enable,
    input  wire [10:0]  read_lane,
    output reg  [31:0]  lane,
    output wire [127:0] word
);

    reg [1:0] number;

    wire [127:0] word_q;

    always @* begin
        case (number)
            2'd0: lane = word_q[31:0];
            2'd1: lane = word_q[63:32];
            2'd2: lane = word_q[95:64];
            default: lane = word_q[127:96];
        endcase
    end

    eva_mem_512x128_1r1w_any store (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_word),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_lane[10:2]),
        .r0_data (word_q)
    );

    always @(posedge aclk) begin
        if (read_enable) begin
            number <= read_lane[1:0];
        end
    end

    assign word = word_q;

endmodule

`default_nettype wire
