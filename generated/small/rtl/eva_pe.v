// eva_pe: Processing element: an exact FP16 product, or the sum of four INT8 products, on the same four
// multipliers.
//
//   pipeline.pe = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_pe (
    input  wire        aclk,
    input  wire [31:0] w_in,
    input  wire [31:0] x_in,
    input  wire        load,
    input  wire        int8,
    output wire [31:0] w_out,
    output wire [22:0] p_value,
    output wire [5:0]  p_exponent,
    output wire        p_nan,
    output wire        p_inf
);

    reg        int8_q;
    reg [31:0] w;
    reg [31:0] x;
    reg [22:0] product_q;
    reg [5:0]  exponent_q;
    reg        nan_q;
    reg        inf_q;

    wire [7:0]  w0 = int8_q ? w[7:0] : {{2{w[5]}}, w[5:0]};
    wire [7:0]  x0 = int8_q ? x[7:0] : {{2{x[5]}}, x[5:0]};
    wire [15:0] mul_hh = $signed({{8{w0[7]}}, w0}) * $signed({{8{x0[7]}}, x0});
    wire [7:0]  w1 = int8_q ? w[15:8] : {{2{w[13]}}, w[13:8]};
    wire [7:0]  x1 = int8_q ? x[15:8] : {2'd0, x[13:8]};
    wire [15:0] mul_hl = $signed({{8{w1[7]}}, w1}) * $signed({{8{x1[7]}}, x1});
    wire [7:0]  w2 = int8_q ? w[23:16] : {2'd0, w[21:16]};
    wire [7:0]  x2 = int8_q ? x[23:16] : {{2{x[21]}}, x[21:16]};
    wire [15:0] mul_lh = $signed({{8{w2[7]}}, w2}) * $signed({{8{x2[7]}}, x2});
    wire [7:0]  w3 = int8_q ? w[31:24] : {2'd0, w[29:24]};
    wire [7:0]  x3 = int8_q ? x[31:24] : {2'd0, x[29:24]};
    wire [15:0] mul_ll = $signed({{8{w3[7]}}, w3}) * $signed({{8{x3[7]}}, x3});
    wire [16:0] inner = {mul_hl[15], mul_hl} + {mul_lh[15], mul_lh};
    wire [22:0] outer = int8_q ? {{7{mul_hh[15]}}, mul_hh} : {mul_hh[10:0], mul_ll[11:0]};
    wire [22:0] extra = {{7{mul_ll[15]}}, mul_ll} & {23{int8_q}};
    wire [22:0] placed = int8_q ? {{6{inner[16]}}, inner} : {inner, 6'd0};
    wire [22:0] product = outer + extra + placed;
    wire [7:0]  w_free = {w[31:30], w[23:22], w[15:14], w[7:6]};
    wire [7:0]  x_free = {x[31:30], x[23:22], x[15:14], x[7:6]};
    wire [5:0]  exponent = {1'b0, w_free[4:0]} + {1'b0, x_free[4:0]};
    wire        raised = x_free[6] | ~x_free[7];
    wire        nan = (w_free[6] & (w_free[7] | x_free[5])) | (x_free[6] & (x_free[7] | w_free[5]));
    wire        inf = w_free[6] | x_free[6];

    always @(posedge aclk) begin
        int8_q <= int8;
        w <= w_in;
        product_q <= product;
        exponent_q <= int8_q ? 6'd2 : exponent;
        nan_q <= nan & raised;
        inf_q <= inf & raised;
    end

    always @(posedge aclk) begin
        if (load) begin
            x <= x_in;
        end
    end

    assign w_out = w;
    assign p_value = product_q;
    assign p_exponent = exponent_q;
    assign p_nan = nan_q;
    assign p_inf = inf_q;

endmodule

`default_nettype wire
