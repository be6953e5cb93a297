// eva_lane_buffer_128x32x32: Buffer written a word of several lanes at a time and read one lane at a time, 1 cycle
// after its number.
//
//   words     = 128
//   lanes     = 32
//   lane_bits = 32
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_lane_buffer_128x32x32 (
    input  wire          aclk,
    input  wire          write_enable,
    input  wire [6:0]    write_word,
    input  wire [1023:0] write_data,
    input  wire          read_enable,
    input  wire [11:0]   read_lane,
    output reg  [31:0]   lane,
    output wire [1023:0] word
);

    reg [4:0] number;

    wire [1023:0] word_q;

    always @* begin
        case (number)
            5'd0: lane = word_q[31:0];
            5'd1: lane = word_q[63:32];
            5'd2: lane = word_q[95:64];
            5'd3: lane = word_q[127:96];
            5'd4: lane = word_q[159:128];
            5'd5: lane = word_q[191:160];
            5'd6: lane = word_q[223:192];
            5'd7: lane = word_q[255:224];
            5'd8: lane = word_q[287:256];
            5'd9: lane = word_q[319:288];
            5'd10: lane = word_q[351:320];
            5'd11: lane = word_q[383:352];
            5'd12: lane = word_q[415:384];
            5'd13: lane = word_q[447:416];
            5'd14: lane = word_q[479:448];
            5'd15: lane = word_q[511:480];
            5'd16: lane = word_q[543:512];
            5'd17: lane = word_q[575:544];
            5'd18: lane = word_q[607:576];
            5'd19: lane = word_q[639:608];
            5'd20: lane = word_q[671:640];
            5'd21: lane = word_q[703:672];
            5'd22: lane = word_q[735:704];
            5'd23: lane = word_q[767:736];
            5'd24: lane = word_q[799:768];
            5'd25: lane = word_q[831:800];
            5'd26: lane = word_q[863:832];
            5'd27: lane = word_q[895:864];
            5'd28: lane = word_q[927:896];
            5'd29: lane = word_q[959:928];
            5'd30: lane = word_q[991:960];
            default: lane = word_q[1023:992];
        endcase
    end

    eva_mem_128x1024_1r1w_any store (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_word),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_lane[11:5]),
        .r0_data (word_q)
    );

    always @(posedge aclk) begin
        if (read_enable) begin
            number <= read_lane[4:0];
        end
    end

    assign word = word_q;

endmodule

`default_nettype wire
