// eva_oc_bank: OC bank: both halves of one row of the output codebook, looked up as an integer in units of 2^-24.
//
//   vq.index_bits     = 4
//   pipeline.epilogue = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_oc_bank (
    input  wire        aclk,
    input  wire        write_enable,
    input  wire [4:0]  write_address,
    input  wire [15:0] write_data,
    input  wire        read_enable,
    input  wire [4:0]  read_address,
    output wire [40:0] out_term,
    output wire        out_negative,
    output wire        out_nan,
    output wire        out_inf_plus,
    output wire        out_inf_minus
);

    wire [15:0] word;

    wire [4:0]  word_exp = word[14:10];
    wire [9:0]  word_man = word[9:0];
    wire        word_normal = |word_exp;
    wire        word_special = &word_exp;
    wire        word_fraction = |word_man;
    wire        negative = word[15];
    wire        and_0 = word_special & ~word_fraction;
    assign out_nan = word_special & word_fraction;
    wire [40:0] shl_0 = {30'd0, word_normal, word_man} << {word_exp[4:1], word_exp[0] | ~word_normal};
    wire [39:0] magnitude = shl_0[40:1];
    wire [40:0] term = {negative, magnitude ^ {40{negative}}};
    assign out_inf_plus = and_0 & ~negative;
    assign out_inf_minus = and_0 & negative;

    eva_mem_32x16_1r1w_any oc (
        .aclk    (aclk),
        .w0_en   (write_enable),
        .w0_addr (write_address),
        .w0_data (write_data),
        .r0_en   (read_enable),
        .r0_addr (read_address),
        .r0_data (word)
    );

    assign out_term = term;
    assign out_negative = negative;

    // Bits that nothing reads.
    wire unused = &{1'b0, shl_0[0]};

endmodule

`default_nettype wire
