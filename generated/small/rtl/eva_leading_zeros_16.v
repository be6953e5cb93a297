// eva_leading_zeros_16: Distance of the highest 1 from the top, and whether there is none.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_leading_zeros_16 (
    input  wire [15:0] a,
    output wire [3:0]  count,
    output wire        zero
);

    wire [2:0] u_high_count;
    wire       high_zero;
    wire [2:0] u_low_count;
    wire       u_low_zero;

    assign count = {high_zero, high_zero ? u_low_count : u_high_count};
    assign zero = high_zero & u_low_zero;

    eva_leading_zeros_8 u_high (
        .a     (a[15:8]),
        .count (u_high_count),
        .zero  (high_zero)
    );

    eva_leading_zeros_8 u_low (
        .a     (a[7:0]),
        .count (u_low_count),
        .zero  (u_low_zero)
    );

endmodule

`default_nettype wire
