// eva_row: Row of the array: one entry of a codebook times the vectors held, one exact dot product per segment.
//
//   fp16_cols = 8
//   segments  = 1
//   vq.dim    = 8
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_row (
    input  wire         aclk,
    input  wire [127:0] in_w,
    input  wire [127:0] in_x,
    input  wire         in_load,
    input  wire         in_live,
    output wire [127:0] w_out,
    output wire [15:0]  y
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
    wire [15:0] u_pe4_w_out;
    wire [21:0] u_pe4_p_magnitude;
    wire [5:0]  u_pe4_p_exponent;
    wire        u_pe4_p_sign;
    wire        u_pe4_p_nan;
    wire        u_pe4_p_inf;
    wire [15:0] u_pe5_w_out;
    wire [21:0] u_pe5_p_magnitude;
    wire [5:0]  u_pe5_p_exponent;
    wire        u_pe5_p_sign;
    wire        u_pe5_p_nan;
    wire        u_pe5_p_inf;
    wire [15:0] u_pe6_w_out;
    wire [21:0] u_pe6_p_magnitude;
    wire [5:0]  u_pe6_p_exponent;
    wire        u_pe6_p_sign;
    wire        u_pe6_p_nan;
    wire        u_pe6_p_inf;
    wire [15:0] u_pe7_w_out;
    wire [21:0] u_pe7_p_magnitude;
    wire [5:0]  u_pe7_p_exponent;
    wire        u_pe7_p_sign;
    wire        u_pe7_p_nan;
    wire        u_pe7_p_inf;

    assign w_out = {u_pe7_w_out, u_pe6_w_out, u_pe5_w_out, u_pe4_w_out, u_pe3_w_out, u_pe2_w_out, u_pe1_w_out,
        u_pe0_w_out};
    wire [175:0] cat_0 = {u_pe7_p_magnitude, u_pe6_p_magnitude, u_pe5_p_magnitude, u_pe4_p_magnitude,
        u_pe3_p_magnitude, u_pe2_p_magnitude, u_pe1_p_magnitude, u_pe0_p_magnitude};
    wire [47:0]  cat_1 = {u_pe7_p_exponent, u_pe6_p_exponent, u_pe5_p_exponent, u_pe4_p_exponent, u_pe3_p_exponent,
        u_pe2_p_exponent, u_pe1_p_exponent, u_pe0_p_exponent};
    wire [7:0]   cat_2 = {u_pe7_p_sign, u_pe6_p_sign, u_pe5_p_sign, u_pe4_p_sign, u_pe3_p_sign, u_pe2_p_sign,
        u_pe1_p_sign, u_pe0_p_sign};
    wire [7:0]   cat_3 = {u_pe7_p_nan, u_pe6_p_nan, u_pe5_p_nan, u_pe4_p_nan, u_pe3_p_nan, u_pe2_p_nan,
        u_pe1_p_nan, u_pe0_p_nan};
    wire [7:0]   cat_4 = {u_pe7_p_inf, u_pe6_p_inf, u_pe5_p_inf, u_pe4_p_inf, u_pe3_p_inf, u_pe2_p_inf,
        u_pe1_p_inf, u_pe0_p_inf};

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

    eva_pe u_pe4 (
        .aclk        (aclk),
        .w_in        (in_w[79:64]),
        .x_in        (in_x[79:64]),
        .load        (in_load),
        .live        (live),
        .w_out       (u_pe4_w_out),
        .p_magnitude (u_pe4_p_magnitude),
        .p_exponent  (u_pe4_p_exponent),
        .p_sign      (u_pe4_p_sign),
        .p_nan       (u_pe4_p_nan),
        .p_inf       (u_pe4_p_inf)
    );

    eva_pe u_pe5 (
        .aclk        (aclk),
        .w_in        (in_w[95:80]),
        .x_in        (in_x[95:80]),
        .load        (in_load),
        .live        (live),
        .w_out       (u_pe5_w_out),
        .p_magnitude (u_pe5_p_magnitude),
        .p_exponent  (u_pe5_p_exponent),
        .p_sign      (u_pe5_p_sign),
        .p_nan       (u_pe5_p_nan),
        .p_inf       (u_pe5_p_inf)
    );

    eva_pe u_pe6 (
        .aclk        (aclk),
        .w_in        (in_w[111:96]),
        .x_in        (in_x[111:96]),
        .load        (in_load),
        .live        (live),
        .w_out       (u_pe6_w_out),
        .p_magnitude (u_pe6_p_magnitude),
        .p_exponent  (u_pe6_p_exponent),
        .p_sign      (u_pe6_p_sign),
        .p_nan       (u_pe6_p_nan),
        .p_inf       (u_pe6_p_inf)
    );

    eva_pe u_pe7 (
        .aclk        (aclk),
        .w_in        (in_w[127:112]),
        .x_in        (in_x[127:112]),
        .load        (in_load),
        .live        (live),
        .w_out       (u_pe7_w_out),
        .p_magnitude (u_pe7_p_magnitude),
        .p_exponent  (u_pe7_p_exponent),
        .p_sign      (u_pe7_p_sign),
        .p_nan       (u_pe7_p_nan),
        .p_inf       (u_pe7_p_inf)
    );

    eva_dot u_dot0 (
        .aclk      (aclk),
        .magnitude (cat_0),
        .exponent  (cat_1),
        .sign      (cat_2),
        .nan       (cat_3),
        .inf       (cat_4),
        .y         (y)
    );

    always @(posedge aclk) begin
        if (in_load) begin
            live <= in_live;
        end
    end

endmodule

`default_nettype wire
