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
    input  wire         aclk,
    input  wire         int8,
    input  wire         number,
    input  wire [3:0]   in_valid,
    input  wire [31:0]  in_index,
    input  wire [3:0]   in_pass,
    input  wire [3:0]   in_half,
    input  wire [127:0] in_y,
    input  wire [3:0]   read_valid,
    input  wire [31:0]  read_index,
    input  wire [3:0]   read_pass,
    input  wire [3:0]   read_first,
    input  wire [31:0]  index,
    input  wire         half,
    input  wire         valid,
    output wire [127:0] psum,
    output wire [42:0]  sum_value,
    output wire         sum_nan,
    output wire         sum_inf_plus,
    output wire         sum_inf_minus
);

    reg        int8_q;
    reg        own0;
    reg        own1;
    reg        own2;
    reg        own3;
    reg [42:0] partial_q;
    reg [42:0] carry_q;
    reg [42:0] value;
    reg        nan_q1;
    reg        nan_q2;
    reg        inf_plus_q1;
    reg        inf_plus_q2;
    reg        inf_minus_q1;
    reg        inf_minus_q2;

    wire [31:0] u_bank0_psum;
    wire [40:0] u_bank0_out_term;
    wire        u_bank0_out_nan;
    wire        u_bank0_out_inf_plus;
    wire        u_bank0_out_inf_minus;
    wire [31:0] u_bank1_psum;
    wire [40:0] u_bank1_out_term;
    wire        u_bank1_out_nan;
    wire        u_bank1_out_inf_plus;
    wire        u_bank1_out_inf_minus;
    wire [31:0] u_bank2_psum;
    wire [40:0] u_bank2_out_term;
    wire        u_bank2_out_nan;
    wire        u_bank2_out_inf_plus;
    wire        u_bank2_out_inf_minus;
    wire [31:0] u_bank3_psum;
    wire [40:0] u_bank3_out_term;
    wire        u_bank3_out_nan;
    wire        u_bank3_out_inf_plus;
    wire        u_bank3_out_inf_minus;

    wire [1:0]  looked_up = {valid & half, valid & ~half};
    wire        sum0 = read_valid[0] & (read_pass[0] == number) & ~read_first[0];
    wire        sum1 = read_valid[1] & (read_pass[1] == number) & ~read_first[1];
    wire        sum2 = read_valid[2] & (read_pass[2] == number) & ~read_first[2];
    wire        sum3 = read_valid[3] & (read_pass[3] == number) & ~read_first[3];
    assign psum = {u_bank3_psum & {32{own3}}, u_bank2_psum & {32{own2}}, u_bank1_psum & {32{own1}}, u_bank0_psum
        & {32{own0}}};
    wire [42:0] cat_0 = {u_bank0_out_term[40] ? 3'd4 : 3'd5, u_bank0_out_term[39:0]};
    wire [42:0] zext_0 = {2'd0, ~u_bank1_out_term[40], u_bank1_out_term[39:0]};
    wire [42:0] zext_1 = {2'd0, ~u_bank2_out_term[40], u_bank2_out_term[39:0]};
    wire [42:0] zext_2 = {2'd0, ~u_bank3_out_term[40], u_bank3_out_term[39:0]};
    wire [42:0] csa_half = cat_0 ^ zext_0;
    wire [42:0] csa_sum = csa_half ^ zext_1;
    wire [42:0] csa_carry = (cat_0 & zext_0) | (csa_half & zext_1);
    wire [42:0] cat_1 = {csa_carry[41:0], 1'b0};
    wire [42:0] csa_half_1 = csa_sum ^ cat_1;
    wire [42:0] csa_sum_1 = csa_half_1 ^ zext_2;
    wire [42:0] csa_carry_1 = (csa_sum & cat_1) | (csa_half_1 & zext_2);
    wire [3:0]  cat_2 = {u_bank3_out_nan, u_bank2_out_nan, u_bank1_out_nan, u_bank0_out_nan};
    wire [3:0]  cat_3 = {u_bank3_out_inf_plus, u_bank2_out_inf_plus, u_bank1_out_inf_plus, u_bank0_out_inf_plus};
    wire [3:0]  cat_4 = {u_bank3_out_inf_minus, u_bank2_out_inf_minus, u_bank1_out_inf_minus,
        u_bank0_out_inf_minus};
    wire [1:0]  and_0 = {int8_q | in_half[0], int8_q | ~in_half[0]} & {2{in_valid[0] & (in_pass[0] == number)}};
    wire [1:0]  and_1 = {int8_q | in_half[1], int8_q | ~in_half[1]} & {2{in_valid[1] & (in_pass[1] == number)}};
    wire [1:0]  and_2 = {int8_q | in_half[2], int8_q | ~in_half[2]} & {2{in_valid[2] & (in_pass[2] == number)}};
    wire [1:0]  and_3 = {int8_q | in_half[3], int8_q | ~in_half[3]} & {2{in_valid[3] & (in_pass[3] == number)}};

    eva_oc_bank u_bank0 (
        .aclk          (aclk),
        .write_enable  (and_0),
        .write_address (in_index[7:0]),
        .write_data    (in_y[31:0]),
        .read_enable   (int8_q ? {2{sum0}} : looked_up),
        .read_address  (int8_q ? read_index[7:0] : index[7:0]),
        .read_half     (half),
        .psum          (u_bank0_psum),
        .out_term      (u_bank0_out_term),
        .out_nan       (u_bank0_out_nan),
        .out_inf_plus  (u_bank0_out_inf_plus),
        .out_inf_minus (u_bank0_out_inf_minus)
    );

    eva_oc_bank u_bank1 (
        .aclk          (aclk),
        .write_enable  (and_1),
        .write_address (in_index[15:8]),
        .write_data    (in_y[63:32]),
        .read_enable   (int8_q ? {2{sum1}} : looked_up),
        .read_address  (int8_q ? read_index[15:8] : index[15:8]),
        .read_half     (half),
        .psum          (u_bank1_psum),
        .out_term      (u_bank1_out_term),
        .out_nan       (u_bank1_out_nan),
        .out_inf_plus  (u_bank1_out_inf_plus),
        .out_inf_minus (u_bank1_out_inf_minus)
    );

    eva_oc_bank u_bank2 (
        .aclk          (aclk),
        .write_enable  (and_2),
        .write_address (in_index[23:16]),
        .write_data    (in_y[95:64]),
        .read_enable   (int8_q ? {2{sum2}} : looked_up),
        .read_address  (int8_q ? read_index[23:16] : index[23:16]),
        .read_half     (half),
        .psum          (u_bank2_psum),
        .out_term      (u_bank2_out_term),
        .out_nan       (u_bank2_out_nan),
        .out_inf_plus  (u_bank2_out_inf_plus),
        .out_inf_minus (u_bank2_out_inf_minus)
    );

    eva_oc_bank u_bank3 (
        .aclk          (aclk),
        .write_enable  (and_3),
        .write_address (in_index[31:24]),
        .write_data    (in_y[127:96]),
        .read_enable   (int8_q ? {2{sum3}} : looked_up),
        .read_address  (int8_q ? read_index[31:24] : index[31:24]),
        .read_half     (half),
        .psum          (u_bank3_psum),
        .out_term      (u_bank3_out_term),
        .out_nan       (u_bank3_out_nan),
        .out_inf_plus  (u_bank3_out_inf_plus),
        .out_inf_minus (u_bank3_out_inf_minus)
    );

    always @(posedge aclk) begin
        int8_q <= int8;
        own0 <= int8_q & sum0;
        own1 <= int8_q & sum1;
        own2 <= int8_q & sum2;
        own3 <= int8_q & sum3;
        partial_q <= csa_sum_1;
        carry_q <= {csa_carry_1[41:0], 1'b0};
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
    wire unused = &{1'b0, csa_carry[42], csa_carry_1[42]};

endmodule

`default_nettype wire
