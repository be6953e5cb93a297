// eva_codebook_loader: Loader: fills a buffer from a stream, from its first word on.
//
//   beat_bits         = 1024
//   word_bits         = 1024
//   elements_per_word = 8
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_codebook_loader (
    input  wire          aclk,
    input  wire          aresetn,
    input  wire          start,
    input  wire [10:0]   count,
    input  wire [6:0]    from,
    input  wire          beat_valid,
    input  wire [1023:0] beat_data,
    output wire          beat_ready,
    output wire          done,
    output wire          busy,
    output wire          write_enable,
    output wire [6:0]    write_word,
    output wire [1023:0] write_data
);

    reg        busy_q;
    reg [10:0] remaining;
    reg [6:0]  address;

    assign beat_ready = busy_q;
    assign write_enable = beat_valid & busy_q;
    wire last_word = remaining <= 11'd8;
    assign done = write_enable & last_word;

    always @(posedge aclk) begin
        if (!aresetn) begin
            busy_q <= 1'b0;
        end else begin
            busy_q <= start ? 1'b1 : done ? 1'b0 : busy_q;
        end
    end

    always @(posedge aclk) begin
        remaining <= start ? count : write_enable ? remaining - 11'd8 : remaining;
        address <= start ? from : write_enable ? address + 7'd1 : address;
    end

    assign busy = busy_q;
    assign write_word = address;
    assign write_data = beat_data;

endmodule

`default_nettype wire
