// eva_epilogue_unit: Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they
// hold.
//
//   lookups           = 2
//   vq.index_bits     = 4
//   pipeline.epilogue = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_epilogue_unit (
    input  wire        aclk,
    input  wire        number,
    input  wire [1:0]  in_valid,
    input  wire [7:0]  in_index,
    input  wire [1:0]  in_pass,
    input  wire [1:0]  in_half,
    input  wire [31:0] in_y,
    input  wire [7:0]  index,
    input  wire        half,
    input  wire        valid,
    output wire [41:0] sum_value,
    output wire        sum_nan,
    output wire        sum_inf_plus,
    output wire        sum_inf_minus
);

    reg [41:0] value;
    reg        nan_q;
    reg        inf_plus_q;
    reg        inf_minus_q;

    wire [40:0] u_bank0_out_term;
    wire        u_bank0_out_negative;
    wire        u_bank0_out_nan;
    wire        u_bank0_out_inf_plus;
    wire        u_bank0_out_inf_minus;
    wire [40:0] u_bank1_out_term;
    wire        u_bank1_out_negative;
    wire        u_bank1_out_nan;
    wire        u_bank1_out_inf_plus;
    wire        u_bank1_out_inf_minus;

    wire [1:0]  negatives = {1'b0, u_bank0_out_negative} + {1'b0, u_bank1_out_negative};
    wire [41:0] zext_0 = {40'd0, negatives};
    wire [41:0] sext_0 = {u_bank0_out_term[40], u_bank0_out_term};
    wire [41:0] sext_1 = {u_bank1_out_term[40], u_bank1_out_term};
    wire [41:0] csa_half = sext_0 ^ sext_1;
    wire [41:0] csa_sum = csa_half ^ zext_0;
    wire [41:0] csa_carry = (sext_0 & sext_1) | (csa_half & zext_0);

    eva_oc_bank u_bank0 (
        .aclk          (aclk),
        .write_enable  (in_valid[0] & (in_pass[0] == number)),
        .write_address ({in_half[0], in_index[3:0]}),
        .write_data    (in_y[15:0]),
        .read_enable   (valid),
        .read_address  ({half, index[3:0]}),
        .out_term      (u_bank0_out_term),
        .out_negative  (u_bank0_out_negative),
        .out_nan       (u_bank0_out_nan),
        .out_inf_plus  (u_bank0_out_inf_plus),
        .out_inf_minus (u_bank0_out_inf_minus)
    );

    eva_oc_bank u_bank1 (
        .aclk          (aclk),
        .write_enable  (in_valid[1] & (in_pass[1] == number)),
        .write_address ({in_half[1], in_index[7:4]}),
        .write_data    (in_y[31:16]),
        .read_enable   (valid),
        .read_address  ({half, index[7:4]}),
        .out_term      (u_bank1_out_term),
        .out_negative  (u_bank1_out_negative),
        .out_nan       (u_bank1_out_nan),
        .out_inf_plus  (u_bank1_out_inf_plus),
        .out_inf_minus (u_bank1_out_inf_minus)
    );

    always @(posedge aclk) begin
        value <= csa_sum + {csa_carry[40:0], 1'b0};
        nan_q <= |{u_bank1_out_nan, u_bank0_out_nan};
        inf_plus_q <= |{u_bank1_out_inf_plus, u_bank0_out_inf_plus};
        inf_minus_q <= |{u_bank1_out_inf_minus, u_bank0_out_inf_minus};
    end

    assign sum_value = value;
    assign sum_nan = nan_q;
    assign sum_inf_plus = inf_plus_q;
    assign sum_inf_minus = inf_minus_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, csa_carry[41]};

endmodule

`default_nettype wire
