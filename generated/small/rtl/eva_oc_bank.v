// eva_oc_bank: OC bank: both halves of one row of the output codebook, looked up as an integer in units of 2^-24.
//
//   vq.index_bits     = 8
//   pipeline.epilogue = 2
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_oc_bank (
    input  wire        aclk,
    input  wire [1:0]  write_enable,
    input  wire [7:0]  write_address,
    input  wire [31:0] write_data,
    input  wire [1:0]  read_enable,
    input  wire [7:0]  read_address,
    input  wire        read_half,
    output wire [31:0] psum,
    output wire [40:0] out_term,
    output wire        out_nan,
    output wire        out_inf_plus,
    output wire        out_inf_minus
);

    reg half;

    wire [15:0] word0;
    wire [15:0] word1;

    assign psum = {word1, word0};
    wire [15:0] word = half ? word1 : word0;
    wire [4:0]  word_exp = word[14:10];
    wire [9:0]  word_man = word[9:0];
    wire        word_normal = |word_exp;
    wire        word_special = &word_exp;
    wire        word_fraction = |word_man;
    wire        negative = word[15];
    wire        and_0 = word_special & ~word_fraction;
    assign out_nan = word_special & word_fraction;
    wire [11:0] zext_0 = {1'b0, word_normal, word_man};
    wire [11:0] signed_sig = negative ? 12'd0 - zext_0 : zext_0;
    wire [41:0] shl_0 = {{30{signed_sig[11]}}, signed_sig} << {word_exp[4:1], word_exp[0] | ~word_normal};
    wire [40:0] term = shl_0[41:1];
    assign out_inf_plus = and_0 & ~negative;
    assign out_inf_minus = and_0 & negative;

    eva_mem_256x16_1r1w_any oc0 (
        .aclk    (aclk),
        .w0_en   (write_enable[0]),
        .w0_addr (write_address),
        .w0_data (write_data[15:0]),
        .r0_en   (read_enable[0]),
        .r0_addr (read_address),
        .r0_data (word0)
    );

    eva_mem_256x16_1r1w_any oc1 (
        .aclk    (aclk),
        .w0_en   (write_enable[1]),
        .w0_addr (write_address),
        .w0_data (write_data[31:16]),
        .r0_en   (read_enable[1]),
        .r0_addr (read_address),
        .r0_data (word1)
    );

    always @(posedge aclk) begin
        half <= read_half;
    end

    assign out_term = term;

    // Bits that nothing reads.
    wire unused = &{1'b0, shl_0[0]};

endmodule

`default_nettype wire
