// eva_row: Row of the array: one dot product per segment of the operands held and those that pass through.
//
//   fp16_cols = 8
//   segments  = 1
//   vq.dim    = 8
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_row (
    input  wire         aclk,
    input  wire         int8,
    input  wire [255:0] in_w,
    input  wire [255:0] in_x,
    input  wire         in_load,
    input  wire [31:0]  psum,
    output wire [255:0] w_out,
    output wire [31:0]  y
);

    reg int8_q;

    wire [31:0] u_pe0_w_out;
    wire [22:0] u_pe0_p_value;
    wire [5:0]  u_pe0_p_exponent;
    wire        u_pe0_p_nan;
    wire        u_pe0_p_inf;
    wire [31:0] u_pe1_w_out;
    wire [22:0] u_pe1_p_value;
    wire [5:0]  u_pe1_p_exponent;
    wire        u_pe1_p_nan;
    wire        u_pe1_p_inf;
    wire [31:0] u_pe2_w_out;
    wire [22:0] u_pe2_p_value;
    wire [5:0]  u_pe2_p_exponent;
    wire        u_pe2_p_nan;
    wire        u_pe2_p_inf;
    wire [31:0] u_pe3_w_out;
    wire [22:0] u_pe3_p_value;
    wire [5:0]  u_pe3_p_exponent;
    wire        u_pe3_p_nan;
    wire        u_pe3_p_inf;
    wire [31:0] u_pe4_w_out;
    wire [22:0] u_pe4_p_value;
    wire [5:0]  u_pe4_p_exponent;
    wire        u_pe4_p_nan;
    wire        u_pe4_p_inf;
    wire [31:0] u_pe5_w_out;
    wire [22:0] u_pe5_p_value;
    wire [5:0]  u_pe5_p_exponent;
    wire        u_pe5_p_nan;
    wire        u_pe5_p_inf;
    wire [31:0] u_pe6_w_out;
    wire [22:0] u_pe6_p_value;
    wire [5:0]  u_pe6_p_exponent;
    wire        u_pe6_p_nan;
    wire        u_pe6_p_inf;
    wire [31:0] u_pe7_w_out;
    wire [22:0] u_pe7_p_value;
    wire [5:0]  u_pe7_p_exponent;
    wire        u_pe7_p_nan;
    wire        u_pe7_p_inf;

    assign w_out = {u_pe7_w_out, u_pe6_w_out, u_pe5_w_out, u_pe4_w_out, u_pe3_w_out, u_pe2_w_out, u_pe1_w_out,
        u_pe0_w_out};
    wire [183:0] cat_0 = {u_pe7_p_value, u_pe6_p_value, u_pe5_p_value, u_pe4_p_value, u_pe3_p_value, u_pe2_p_value,
        u_pe1_p_value, u_pe0_p_value};
    wire [47:0]  cat_1 = {u_pe7_p_exponent, u_pe6_p_exponent, u_pe5_p_exponent, u_pe4_p_exponent, u_pe3_p_exponent,
        u_pe2_p_exponent, u_pe1_p_exponent, u_pe0_p_exponent};
    wire [7:0]   cat_2 = {u_pe7_p_nan, u_pe6_p_nan, u_pe5_p_nan, u_pe4_p_nan, u_pe3_p_nan, u_pe2_p_nan,
        u_pe1_p_nan, u_pe0_p_nan};
    wire [7:0]   cat_3 = {u_pe7_p_inf, u_pe6_p_inf, u_pe5_p_inf, u_pe4_p_inf, u_pe3_p_inf, u_pe2_p_inf,
        u_pe1_p_inf, u_pe0_p_inf};

    eva_pe u_pe0 (
        .aclk       (aclk),
        .w_in       (in_w[31:0]),
        .x_in       (in_x[31:0]),
        .load       (in_load),
        .int8       (int8_q),
        .w_out      (u_pe0_w_out),
        .p_value    (u_pe0_p_value),
        .p_exponent (u_pe0_p_exponent),
        .p_nan      (u_pe0_p_nan),
        .p_inf      (u_pe0_p_inf)
    );

    eva_pe u_pe1 (
        .aclk       (aclk),
        .w_in       (in_w[63:32]),
        .x_in       (in_x[63:32]),
        .load       (in_load),
        .int8       (int8_q),
        .w_out      (u_pe1_w_out),
        .p_value    (u_pe1_p_value),
        .p_exponent (u_pe1_p_exponent),
        .p_nan      (u_pe1_p_nan),
        .p_inf      (u_pe1_p_inf)
    );

    eva_pe u_pe2 (
        .aclk       (aclk),
        .w_in       (in_w[95:64]),
        .x_in       (in_x[95:64]),
        .load       (in_load),
        .int8       (int8_q),
        .w_out      (u_pe2_w_out),
        .p_value    (u_pe2_p_value),
        .p_exponent (u_pe2_p_exponent),
        .p_nan      (u_pe2_p_nan),
        .p_inf      (u_pe2_p_inf)
    );

    eva_pe u_pe3 (
        .aclk       (aclk),
        .w_in       (in_w[127:96]),
        .x_in       (in_x[127:96]),
        .load       (in_load),
        .int8       (int8_q),
        .w_out      (u_pe3_w_out),
        .p_value    (u_pe3_p_value),
        .p_exponent (u_pe3_p_exponent),
        .p_nan      (u_pe3_p_nan),
        .p_inf      (u_pe3_p_inf)
    );

    eva_pe u_pe4 (
        .aclk       (aclk),
        .w_in       (in_w[159:128]),
        .x_in       (in_x[159:128]),
        .load       (in_load),
        .int8       (int8_q),
        .w_out      (u_pe4_w_out),
        .p_value    (u_pe4_p_value),
        .p_exponent (u_pe4_p_exponent),
        .p_nan      (u_pe4_p_nan),
        .p_inf      (u_pe4_p_inf)
    );

    eva_pe u_pe5 (
        .aclk       (aclk),
        .w_in       (in_w[191:160]),
        .x_in       (in_x[191:160]),
        .load       (in_load),
        .int8       (int8_q),
        .w_out      (u_pe5_w_out),
        .p_value    (u_pe5_p_value),
        .p_exponent (u_pe5_p_exponent),
        .p_nan      (u_pe5_p_nan),
        .p_inf      (u_pe5_p_inf)
    );

    eva_pe u_pe6 (
        .aclk       (aclk),
        .w_in       (in_w[223:192]),
        .x_in       (in_x[223:192]),
        .load       (in_load),
        .int8       (int8_q),
        .w_out      (u_pe6_w_out),
        .p_value    (u_pe6_p_value),
        .p_exponent (u_pe6_p_exponent),
        .p_nan      (u_pe6_p_nan),
        .p_inf      (u_pe6_p_inf)
    );

    eva_pe u_pe7 (
        .aclk       (aclk),
        .w_in       (in_w[255:224]),
        .x_in       (in_x[255:224]),
        .load       (in_load),
        .int8       (int8_q),
        .w_out      (u_pe7_w_out),
        .p_value    (u_pe7_p_value),
        .p_exponent (u_pe7_p_exponent),
        .p_nan      (u_pe7_p_nan),
        .p_inf      (u_pe7_p_inf)
    );

    eva_dot u_dot0 (
        .aclk       (aclk),
        .int8       (int8_q),
        .p_value    (cat_0),
        .p_exponent (cat_1),
        .p_nan      (cat_2),
        .p_inf      (cat_3),
        .psum       (psum),
        .y          (y)
    );

    always @(posedge aclk) begin
        int8_q <= int8;
    end

endmodule

`default_nettype wire
