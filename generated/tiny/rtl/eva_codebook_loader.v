// eva_codebook_loader: Loader: fills a buffer from a stream, from its first word on.
//
//   beat_bits         = 32
//   word_bits         = 64
//   elements_per_word = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_codebook_loader (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        start,
    input  wire [5:0]  count,
    input  wire [4:0]  from,
    input  wire        beat_valid,
    input  wire [31:0] beat_data,
    output wire        beat_ready,
    output wire        done,
    output wire        busy,
    output wire        write_enable,
    output wire [4:0]  write_word,
    output wire [63:0] write_data
);

    reg        busy_q;
    reg [31:0] held;
    reg        position;
    reg [5:0]  remaining;
    reg [4:0]  address;

    assign beat_ready = busy_q;
    wire and_0 = beat_valid & busy_q;
    assign write_data = {beat_data, held};
    wire position_last = position == 1'b1;
    assign write_enable = and_0 & position_last;
    wire last_word = remaining <= 6'd1;
    assign done = write_enable & last_word;

    always @(posedge aclk) begin
        if (!aresetn) begin
            busy_q <= 1'b0;
        end else begin
            busy_q <= start ? 1'b1 : done ? 1'b0 : busy_q;
        end
    end

    always @(posedge aclk) begin
        if (and_0) begin
            held <= write_data[63:32];
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            position <= 1'b0;
        end else if (and_0) begin
            position <= position_last ? 1'b0 : position + 1'b1;
        end
    end

    always @(posedge aclk) begin
        remaining <= start ? count : write_enable ? remaining - 6'd1 : remaining;
        address <= start ? from : write_enable ? address + 5'd1 : address;
    end

    assign busy = busy_q;
    assign write_word = address;

endmodule

`default_nettype wire
