// eva_leading_zeros_4: Distance of the highest 1 from the top, and whether there is none.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_leading_zeros_4 (
    input  wire [3:0] a,
    output wire [1:0] count,
    output wire       zero
);

    wire u_high_count;
    wire high_zero;
    wire u_low_count;
    wire u_low_zero;

    assign count = {high_zero, high_zero ? u_low_count : u_high_count};
    assign zero = high_zero & u_low_zero;

    eva_leading_zeros_2 u_high (
        .a     (a[3:2]),
        .count (u_high_count),
        .zero  (high_zero)
    );

    eva_leading_zeros_2 u_low (
        .a     (a[1:0]),
        .count (u_low_count),
        .zero  (u_low_zero)
    );

endmodule

`default_nettype wire
