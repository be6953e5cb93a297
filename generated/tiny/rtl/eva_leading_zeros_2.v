// eva_leading_zeros_2: Distance of the highest 1 from the top, and whether there is none.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_leading_zeros_2 (
    input  wire [1:0] a,
    output wire       count,
    output wire       zero
);

    assign count = ~a[1];
    assign zero = ~(|a);

endmodule

`default_nettype wire
