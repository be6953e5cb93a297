// eva_leading_zeros_64: Distance of the highest 1 from the top, and whether there is none.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_leading_zeros_64 (
    input  wire [63:0] a,
    output wire [5:0]  count,
    output wire        zero
);

    wire [4:0] u_high_count;
    wire       high_zero;
    wire [4:0] u_low_count;
    wire       u_low_zero;

    assign count = {high_zero, high_zero ? u_low_count : u_high_count};
    assign zero = high_zero & u_low_zero;

    eva_leading_zeros_32 u_high (
        .a     (a[63:32]),
        .count (u_high_count),
        .zero  (high_zero)
    );

    eva_leading_zeros_32 u_low (
        .a     (a[31:0]),
        .count (u_low_count),
        .zero  (u_low_zero)
    );

endmodule

`default_nettype wire
