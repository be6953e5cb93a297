// eva_unpacker_128x32: Unpacker: turns beats of a stream into the words that they carry, one per cycle.
//
//   beat_bits = 128
//   word_bits = 32
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_unpacker_128x32 (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         beat_valid,
    input  wire [127:0] beat_data,
    output wire         beat_ready,
    input  wire         last,
    input  wire         word_ready,
    output wire         word_valid,
    output reg  [31:0]  word_data
);

    reg [1:0] position;

    wire word_out_ready = word_ready;
    wire end_of_beat = last | (position == 2'd3);
    assign beat_ready = word_out_ready & end_of_beat;

    always @* begin
        case (position)
            2'd0: word_data = beat_data[31:0];
            2'd1: word_data = beat_data[63:32];
            2'd2: word_data = beat_data[95:64];
            default: word_data = beat_data[127:96];
        endcase
    end

    wire step = beat_valid & word_out_ready;

    always @(posedge aclk) begin
        if (!aresetn) begin
            position <= 2'd0;
        end else if (step) begin
            position <= end_of_beat ? 2'd0 : position + 2'd1;
        end
    end

    assign word_valid = beat_valid;

endmodule

`default_nettype wire
