// eva_unpacker_256x128: Unpacker: turns beats of a stream into the words that they carry, one per cycle.
//
//   beat_bits = 256
//   word_bits = 128
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_unpacker_256x128 (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         beat_valid,
    input  wire [255:0] beat_data,
    output wire         beat_ready,
    input  wire         last,
    input  wire         word_ready,
    output wire         word_valid,
    output wire [127:0] word_data
);

    reg position;

    wire word_out_ready = word_ready;
    wire end_of_beat = last | (position == 1'b1);
    assign beat_ready = word_out_ready & end_of_beat;
    assign word_data = position ? beat_data[255:128] : beat_data[127:0];
    wire step = beat_valid & word_out_ready;

    always @(posedge aclk) begin
        if (!aresetn) begin
            position <= 1'b0;
        end else if (step) begin
            position <= end_of_beat ? 1'b0 : position + 1'b1;
        end
    end

    assign word_valid = beat_valid;

endmodule

`default_nettype wire
