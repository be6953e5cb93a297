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
    input  wire        int8,
    input  wire        number,
    input  wire [1:0]  in_valid,
    input  wire [7:0]  in_index,
    input  wire [1:0]  in_pass,
    input  wire [1:0]  in_half,
    input  wire [63:0] in_y,
    input  wire [1:0]  read_valid,
    input  wire [7:0]  read_index,
    input  wire [1:0]  read_pass,
    input  wire [1:0]  read_first,
    input  wire [7:0]  index,
    input  wire        half,
    input  wire        valid,
    output wire [63:0] psum,
    output wire [41:0] sum_value,
    output wire        sum_nan,
    output wire        sum_inf_plus,
    output wire        sum_inf_minus
);

    reg        int8_q;
    reg        own0;
    reg        own1;
    reg [41:0] value;
    reg        nan_q;
    reg        inf_plus_q;
    reg        inf_minus_q;

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

    wire [1:0] looked_up = {valid & half, valid & ~half};
    wire       sum0 = read_valid[0] & (read_pass[0] == number) & ~read_first[0];
    wire       sum1 = read_valid[1] & (read_pass[1] == number) & ~read_first[1];
    assign psum = {u_bank1_psum & {32{own1}}, u_bank0_psum & {32{own0}}};
    wire [1:0] and_0 = {int8_q | in_half[0], int8_q | ~in_half[0]} & {2{in_valid[0] & (in_pass[0] == number)}};
    wire [1:0] and_1 = {int8_q | in_half[1], int8_q | ~in_half[1]} & {2{in_valid[1] & (in_pass[1] == number)}};

    eva_oc_bank u_bank0 (
        .aclk          (aclk),
        .write_enable  (and_0),
        .write_address (in_index[3:0]),
        .write_data    (in_y[31:0]),
        .read_enable   (int8_q ? {2{sum0}} : looked_up),
        .read_address  (int8_q ? read_index[3:0] : index[3:0]),
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
        .write_address (in_index[7:4]),
        .write_data    (in_y[63:32]),
        .read_enable   (int8_q ? {2{sum1}} : looked_up),
        .read_address  (int8_q ? read_index[7:4] : index[7:4]),
        .read_half     (half),
        .psum          (u_bank1_psum),
        .out_term      (u_bank1_out_term),
        .out_nan       (u_bank1_out_nan),
        .out_inf_plus  (u_bank1_out_inf_plus),
        .out_inf_minus (u_bank1_out_inf_minus)
    );

    always @(posedge aclk) begin
        int8_q <= int8;
        own0 <= int8_q & sum0;
        own1 <= int8_q & sum1;
        value <= {u_bank0_out_term[40] ? 2'd2
            : 2'd3, u_bank0_out_term[39:0]} + {1'b0, ~u_bank1_out_term[40], u_bank1_out_term[39:0]};
        nan_q <= |{u_bank1_out_nan, u_bank0_out_nan};
        inf_plus_q <= |{u_bank1_out_inf_plus, u_bank0_out_inf_plus};
        inf_minus_q <= |{u_bank1_out_inf_minus, u_bank0_out_inf_minus};
    end

    assign sum_value = value;
    assign sum_nan = nan_q;
    assign sum_inf_plus = inf_plus_q;
    assign sum_inf_minus = inf_minus_q;

endmodule

`default_nettype wire
