// eva_epilogue_unit: Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they
// hold.
//
//   lookups           = 4
//   vq.index_bits     = 8
//   pipeline.epilogue = 4
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_epilogue_unit (
    input  wire        aclk,
    input  wire        number,
    input  wire [3:0]  in_valid,
    input  wire [31:0] in_index,
    input  wire [3:0]  in_pass,
    input  wire [3:0]  in_half,
    input  wire [63:0] in_y,
    input  wire [31:0] index,
    input  wire        half,
    input  wire        valid,
    output wire [42:0] sum_value,
    output wire        sum_nan,
    output wire        sum_inf_plus,
    output wire        sum_inf_minus
);

    reg [42:0] partial_q;
    reg [42:0] carry_q;
    reg [42:0] value;
    reg        nan_q1;
    reg        nan_q2;
    reg        inf_plus_q1;
    reg        inf_plus_q2;
    reg        inf_minus_q1;
    reg        inf_minus_q2;

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
    wire [40:0] u_bank2_out_term;
    wire        u_bank2_out_negative;
    wire        u_bank2_out_nan;
    wire        u_bank2_out_inf_plus;
    wire        u_bank2_out_inf_minus;
    wire [40:0] u_bank3_out_term;
    wire        u_bank3_out_negative;
    wire        u_bank3_out_nan;
    wire        u_bank3_out_inf_plus;
    wire        u_bank3_out_inf_minus;

    wire [2:0]  zext_0 = {1'b0, {1'b0, u_bank0_out_negative} + {1'b0, u_bank1_out_negative}};
    wire [2:0]  zext_1 = {1'b0, {1'b0, u_bank2_out_negative} + {1'b0, u_bank3_out_negative}};
    wire [2:0]  negatives = zext_0 + zext_1;
    wire [42:0] zext_2 = {40'd0, negatives};
    wire [42:0] sext_0 = {{2{u_bank0_out_term[40]}}, u_bank0_out_term};
    wire [42:0] sext_1 = {{2{u_bank1_out_term[40]}}, u_bank1_out_term};
    wire [42:0] sext_2 = {{2{u_bank2_out_term[40]}}, u_bank2_out_term};
    wire [42:0] sext_3 = {{2{u_bank3_out_term[40]}}, u_bank3_out_term};
    wire [42:0] csa_half = sext_0 ^ sext_1;
    wire [42:0] csa_sum = csa_half ^ sext_2;
    wire [42:0] csa_carry = (sext_0 & sext_1) | (csa_half & sext_2);
    wire [42:0] cat_0 = {csa_carry[41:0], 1'b0};
    wire [42:0] csa_half_1 = csa_sum ^ cat_0;
    wire [42:0] csa_sum_1 = csa_half_1 ^ sext_3;
    wire [42:0] csa_carry_1 = (csa_sum & cat_0) | (csa_half_1 & sext_3);
    wire [42:0] cat_1 = {csa_carry_1[41:0], 1'b0};
    wire [42:0] csa_half_2 = csa_sum_1 ^ cat_1;
    wire [42:0] csa_sum_2 = csa_half_2 ^ zext_2;
    wire [42:0] csa_carry_2 = (csa_sum_1 & cat_1) | (csa_half_2 & zext_2);
    wire [3:0]  cat_2 = {u_bank3_out_nan, u_bank2_out_nan, u_bank1_out_nan, u_bank0_out_nan};
    wire [3:0]  cat_3 = {u_bank3_out_inf_plus, u_bank2_out_inf_plus, u_bank1_out_inf_plus, u_bank0_out_inf_plus};
    wire [3:0]  cat_4 = {u_bank3_out_inf_minus, u_bank2_out_inf_minus, u_bank1_out_inf_minus,
        u_bank0_out_inf_minus};

    eva_oc_bank u_bank0 (
        .aclk          (aclk),
        .write_enable  (in_valid[0] & (in_pass[0] == number)),
        .write_address ({in_half[0], in_index[7:0]}),
        .write_data    (in_y[15:0]),
        .read_enable   (valid),
        .read_address  ({half, index[7:0]}),
        .out_term      (u_bank0_out_term),
        .out_negative  (u_bank0_out_negative),
        .out_nan       (u_bank0_out_nan),
        .out_inf_plus  (u_bank0_out_inf_plus),
        .out_inf_minus (u_bank0_out_inf_minus)
    );

    eva_oc_bank u_bank1 (
        .aclk          (aclk),
        .write_enable  (in_valid[1] & (in_pass[1] == number)),
        .write_address ({in_half[1], in_index[15:8]}),
        .write_data    (in_y[31:16]),
        .read_enable   (valid),
        .read_address  ({half, index[15:8]}),
        .out_term      (u_bank1_out_term),
        .out_negative  (u_bank1_out_negative),
        .out_nan       (u_bank1_out_nan),
        .out_inf_plus  (u_bank1_out_inf_plus),
        .out_inf_minus (u_bank1_out_inf_minus)
    );

    eva_oc_bank u_bank2 (
        .aclk          (aclk),
        .write_enable  (in_valid[2] & (in_pass[2] == number)),
        .write_address ({in_half[2], in_index[23:16]}),
        .write_data    (in_y[47:32]),
        .read_enable   (valid),
        .read_address  ({half, index[23:16]}),
        .out_term      (u_bank2_out_term),
        .out_negative  (u_bank2_out_negative),
        .out_nan       (u_bank2_out_nan),
        .out_inf_plus  (u_bank2_out_inf_plus),
        .out_inf_minus (u_bank2_out_inf_minus)
    );

    eva_oc_bank u_bank3 (
        .aclk          (aclk),
        .write_enable  (in_valid[3] & (in_pass[3] == number)),
        .write_address ({in_half[3], in_index[31:24]}),
        .write_data    (in_y[63:48]),
        .read_enable   (valid),
        .read_address  ({half, index[31:24]}),
        .out_term      (u_bank3_out_term),
        .out_negative  (u_bank3_out_negative),
        .out_nan       (u_bank3_out_nan),
        .out_inf_plus  (u_bank3_out_inf_plus),
        .out_inf_minus (u_bank3_out_inf_minus)
    );

    always @(posedge aclk) begin
        partial_q <= csa_sum_2;
        carry_q <= {csa_carry_2[41:0], 1'b0};
        value <= partial_q + carry_q;
        nan_q1 <= |cat_2;
        nan_q2 <= nan_q1;
        inf_plus_q1 <= |cat_3;
        inf_plus_q2 <= inf_plus_q1;
        inf_minus_q1 <= |cat_4;
        inf_minus_q2 <= inf_minus_q1;
    end

    assign sum_value = value;
    assign sum_nan = nan_q2;
    assign sum_inf_plus = inf_plus_q2;
    assign sum_inf_minus = inf_minus_q2;

    // Bits that nothing reads.
    wire unused = &{1'b0, csa_carry[42], csa_carry_1[42], csa_carry_2[42]};

endmodule

`default_nettype wire
