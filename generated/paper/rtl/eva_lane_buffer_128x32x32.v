// eva_lane_buffer_128x32x32: Buffer written a word of several lanes at a time and read one lane at a time, 2 cycles
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
    output wire [31:0]   data
);

    reg [4:0]  lane;
    reg [31:0] data_q;

    wire [1023:0] word;

    reg [31:0] select_0;
    always @* begin
        case (lane)
            5'd0: select_0 = word[31:0];
            5'd1: select_0 = word[63:32];
            5'd2: select_0 = word[95:64];
            5'd3: select_0 = word[127:96];
            5'd4: select_0 = word[159:128];
            5'd5: select_0 = word[191:160];
            5'd6: select_0 = word[223:192];
            5'd7: select_0 = word[255:224];
            5'd8: select_0 = word[287:256];
            5'd9: select_0 = word[319:288];
            5'd10: select_0 = word[351:320];
            5'd11: select_0 = word[383:352];
            5'd12: select_0 = word[415:384];
            5'd13: select_0 = word[447:416];
            5'd14: select_0 = word[479:448];
            5'd15: select_0 = word[511:480];
            5'd16: select_0 = word[543:512];
            5'd17: select_0 = word[575:544];
            5'd18: select_0 = word[607:576];
            5'd19: select_0 = word[639:608];
            5'd20: select_0 = word[671:640];
            5'd21: select_0 = word[703:672];
            5'd22: select_0 = word[735:704];
            5'd23: select_0 = word[767:736];
            5'd24: select_0 = word[799:768];
            5'd25: select_0 = word[831:800];
            5'd26: select_0 = word[863:832];
            5'd27: select_0 = word[895:864];
            5'd28: select_0 = word[927:896];
            5'd29: select_0 = word[959:928];
            5'd30: select_0 = word[991:960];
            default: select_0 = word[1023:992];
        endcase
    end

    eva_mem_128x1024_1r1w_any store (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_word),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_lane[11:5]),
        .r0_data (word)
    );

    always @(posedge aclk) begin
        lane <= read_lane[4:0];
        data_q <= select_0;
    end

    assign data = data_q;

endmodule

`default_nettype wire
