// eva_lane_buffer_128x8x128: Buffer written a word of several lanes at a time and read one lane at a time, 1 cycle
// after its number.
//
//   words     = 128
//   lanes     = 8
//   lane_bits = 128
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_lane_buffer_128x8x128 (
    input  wire          aclk,
    input  wire          write_enable,
    input  wire [6:0]    write_word,
    input  wire [1023:0] write_data,
    input  wire          read_enable,
    input  wire [9:0]    read_lane,
    output reg  [127:0]  lane,
    output wire [1023:0] word
);

    reg [2:0] number;

    wire [1023:0] word_q;

    always @* begin
        case (number)
            3'd0: lane = word_q[127:0];
            3'd1: lane = word_q[255:128];
            3'd2: lane = word_q[383:256];
            3'd3: lane = word_q[511:384];
            3'd4: lane = word_q[639:512];
            3'd5: lane = word_q[767:640];
            3'd6: lane = word_q[895:768];
            default: lane = word_q[1023:896];
        endcase
    end

    eva_mem_128x1024_1r1w_any store (
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
