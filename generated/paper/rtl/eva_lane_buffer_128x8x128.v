// eva_lane_buffer_128x8x128: Buffer written a word of several lanes at a time and read one lane at a time, 2 cycles
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
    output wire [127:0]  data
);

    reg [2:0]   lane;
    reg [127:0] data_q;

    wire [1023:0] word;

    reg [127:0] select_0;
    always @* begin
        case (lane)
            3'd0: select_0 = word[127:0];
            3'd1: select_0 = word[255:128];
            3'd2: select_0 = word[383:256];
            3'd3: select_0 = word[511:384];
            3'd4: select_0 = word[639:512];
            3'd5: select_0 = word[767:640];
            3'd6: select_0 = word[895:768];
            default: select_0 = word[1023:896];
        endcase
    end

    eva_mem_128x1024_1r1w_any store (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_word),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_lane[9:3]),
        .r0_data (word)
    );

    always @(posedge aclk) begin
        lane <= read_lane[2:0];
        data_q <= select_0;
    end

    assign data = data_q;

endmodule

`default_nettype wire
