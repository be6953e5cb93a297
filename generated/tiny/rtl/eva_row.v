// eva_row: Row of the array: one entry of a codebook times the vectors held, one exact dot product per segment.
//
//   fp16_cols = 4
//   segments  = 1
//   vq.dim    = 4
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_row (
    input  wire        aclk,
    input  wire [63:0] in_w,
    input  wire [63:0] in_x,
    input  wire        in_load,
    input  wire        in_live,
    output wire [63:0] w_out,
    output wire [15:0] y
);

    reg live;

    wire [15:0] u_pe0_w_out;
    wire [21:0] u_pe0_p_magnitude;
    wire [5:0]  u_pe0_p_exponent;
    wire        u_pe0_p_sign;
    wire        u_pe0_p_nan;
    wire        u_pe0_p_inf;
    wire [15:0] u_pe1_w_out;
    wire [21:0] u_pe1_p_magnitude;
    wire [5:0]  u_pe1_p_exponent;
    wire        u_pe1_p_sign;
    wire        u_pe1_p_nan;
    wire        u_pe1_p_inf;
    wire [15:0] u_pe2_w_out;
    wire [21:0] u_pe2_p_magnitude;
    wire [5:0]  u_pe2_p_exponent;
    wire        u_pe2_p_sign;
    wire        u_pe2_p_nan;
    wire        u_pe2_p_inf;
    wire [15:0] u_pe3_w_out;
    wire [21:0] u_pe3_p_magnitude;
    wire [5:0]  u_pe3_p_exponent;
    wire        u_pe3_p_sign;
    wire        u_pe3_p_nan;
    wire        u_pe3_p_inf;

    assign w_out = {u_pe3_w_out, u_pe2_w_out, u_pe1_w_out, u_pe0_w_out};
    wire [87:0] cat_0 = {u_pe3_p_magnitude, u_pe2_p_magnitude, u_pe1_p_magnitude, u_pe0_p_magnitude};
    wire [23:0] cat_1 = {u_pe3_p_exponent, u_pe2_p_exponent, u_pe1_p_exponent, u_pe0_p_exponent};

    eva_pe u_pe0 (
        .aclk        (aclk),
        .w_in        (in_w[15:0]),
        .x_in        (in_x[15:0]),
        .load        (in_load),
        .live        (live),
        .w_out       (u_pe0_w_out),
        .p_magnitude (u_pe0_p_magnitude),
        .p_exponent  (u_pe0_p_exponent),
        .p_sign      (u_pe0_p_sign),
        .p_nan       (u_pe0_p_nan),
        .p_inf       (u_pe0_p_inf)
    );

    eva_pe u_pe1 (
        .aclk        (aclk),
        .w_in        (in_w[31:16]),
        .x_in        (in_x[31:16]),
        .load        (in_load),
        .live        (live),
        .w_out       (u_pe1_w_out),
        .p_magnitude (u_pe1_p_magnitude),
        .p_exponent  (u_pe1_p_exponent),
        .p_sign      (u_pe1_p_sign),
        .p_nan       (u_pe1_p_nan),
        .p_inf       (u_pe1_p_inf)
    );

    eva_pe u_pe2 (
        .aclk        (aclk),
        .w_in        (in_w[47:32]),
        .x_in        (in_x[47:32]),
        .load        (in_load),
        .live        (live),
        .w_out       (u_pe2_w_out),
        .p_magnitude (u_pe2_p_magnitude),
        .p_exponent  (u_pe2_p_exponent),
        .p_sign      (u_pe2_p_sign),
        .p_nan       (u_pe2_p_nan),
        .p_inf       (u_pe2_p_inf)
    );

    eva_pe u_pe3 (
        .aclk        (aclk),
        .w_in        (in_w[63:48]),
        .x_in        (in_x[63:48]),
        .load        (in_load),
        .live        (live),
        .w_out       (u_pe3_w_out),
        .p_magnitude (u_pe3_p_magnitude),
        .p_exponent  (u_pe3_p_exponent),
        .p_sign      (u_pe3_p_sign),
        .p_nan       (u_pe3_p_nan),
        .p_inf       (u_pe3_p_inf)
    );

    eva_dot u_dot0 (
        .aclk      (aclk),
        .magnitude (cat_0),
        .exponent  (cat_1),
        .sign      ({u_pe3_p_sign, u_pe2_p_sign, u_pe1_p_sign, u_pe0_p_sign}),
        .nan       ({u_pe3_p_nan, u_pe2_p_nan, u_pe1_p_nan, u_pe0_p_nan}),
        .inf       ({u_pe3_p_inf, u_pe2_p_inf, u_pe1_p_inf, u_pe0_p_inf}),
        .y         (y)
    );

    always @(posedge aclk) begin
        if (in_load) begin
            live <= in_live;
        end
    end

endmodule

`default_nettype wire
