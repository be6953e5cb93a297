// eva_streaming_operand: Operand register: four INT8 values, or an FP16 value taken apart into the factors of four
// multipliers.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_streaming_operand (
    input  wire        aclk,
    input  wire        int8,
    input  wire [31:0] int8_in,
    input  wire [15:0] fp16_in,
    output wire [31:0] operand
);

    reg [31:0] operand_q;

    wire [4:0]  fp16_exp = fp16_in[14:10];
    wire [9:0]  fp16_man = fp16_in[9:0];
    wire        fp16_normal = |fp16_exp;
    wire        fp16_special = &fp16_exp;
    wire        fp16_fraction = |fp16_man;
    wire        and_0 = fp16_special & fp16_fraction;
    wire [11:0] zext_0 = {1'b0, fp16_normal, fp16_man};
    wire [11:0] signed_sig = fp16_in[15] ? 12'd0 - zext_0 : zext_0;
    wire [7:0]  cat_0 = {and_0, (fp16_special & ~fp16_fraction) | and_0, ~(fp16_normal | fp16_fraction),
        fp16_exp[4:1], fp16_exp[0] | ~fp16_normal};
    wire [31:0] cat_1 = {cat_0[7:6], signed_sig[5:0], cat_0[5:4], signed_sig[5:0], cat_0[3:2], signed_sig[11:6],
        cat_0[1:0], signed_sig[11:6]};

    always @(posedge aclk) begin
        operand_q <= int8 ? int8_in : cat_1;
    end

    assign operand = operand_q;

endmodule

`default_nettype wire
