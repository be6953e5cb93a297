// eva_unpacker_256x256: Unpacker: turns beats of a stream into the words that they carry, one per cycle.
//
//   beat_bits = 256
//   word_bits = 256
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_unpacker_256x256 (
    input  wire         beat_valid,
    input  wire [255:0] beat_data,
    output wire         beat_ready,
    input  wire         last,
    input  wire         word_ready,
    output wire         word_valid,
    output wire [255:0] word_data
);

    assign beat_ready = word_ready;

    assign word_valid = beat_valid;
    assign word_data = beat_data;

    // Bits that nothing reads.
    wire unused = &{1'b0, last};

endmodule

`default_nettype wire
