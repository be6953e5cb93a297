// eva_stationary_operand: Operand register: four INT8 values, or an FP16 value taken apart into the factors of four
// multipliers.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_stationary_operand (
    input  wire        aclk,
    input  wire        int8,
    input  wire [31:0] int8_in,
    input  wire [15:0] fp16_in,
    input  wire        live,
    output wire [31:0] operand
);

    reg [31:0] operand_q;

    wire [15:0] value = fp16_in & {16{live}};
    wire [4:0]  fp16_exp = value[14:10];
    wire [9:0]  fp16_man = value[9:0];
    wire        fp16_normal = |fp16_exp;
    wire        fp16_special = &fp16_exp;
    wire        fp16_fraction = |fp16_man;
    wire [11:0] zext_0 = {1'b0, fp16_normal, fp16_man};
    wire [11:0] signed_sig = value[15] ? 12'd0 - zext_0 : zext_0;
    wire [7:0]  free = {(fp16_special & fp16_fraction) | ~live, fp16_special, ~(fp16_normal | fp16_fraction)
        & ~(~live), fp16_exp[4:1], fp16_exp[0] | ~fp16_normal};
    wire [31:0] apart = {free[7:6], signed_sig[5:0], free[5:4], signed_sig[11:6], free[3:2], signed_sig[5:0],
        free[1:0], signed_sig[11:6]};

    always @(posedge aclk) begin
        operand_q <= int8 ? int8_in : apart;
    end

    assign operand = operand_q;

endmodule

`default_nettype wire
