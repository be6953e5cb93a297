// eva_unpacker_32x128: Unpacker: turns beats of a stream into the words that they carry, one per cycle.
//
//   beat_bits = 32
//   word_bits = 128
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_unpacker_32x128 (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         beat_valid,
    input  wire [31:0]  beat_data,
    output wire         beat_ready,
    input  wire         last,
    input  wire         word_ready,
    output wire         word_valid,
    output wire [127:0] word_data
);

    reg [1:0]  position;
    reg [95:0] held;

    wire position_last = position == 2'd3;
    wire word_out_ready = word_ready;
    wire or_0 = ~position_last | word_out_ready;
    assign beat_ready = or_0;
    wire and_0 = beat_valid & or_0;
    wire step = and_0;
    assign word_valid = beat_valid & position_last;
    assign word_data = {beat_data, held};

    always @(posedge aclk) begin
        if (!aresetn) begin
            position <= 2'd0;
        end else if (step) begin
            position <= position_last ? 2'd0 : position + 2'd1;
        end
    end

    always @(posedge aclk) begin
        if (and_0) begin
            held <= word_data[127:32];
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, last};

endmodule

`default_nettype wire
