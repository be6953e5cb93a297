// The smallest adder: carries ripple through full adders. Yosys takes it for its internal $alu cells.
(* techmap_celltype = "$alu" *)
module ripple_alu (A, B, CI, BI, X, Y, CO);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;

    (* force_downto *) input [A_WIDTH-1:0] A;
    (* force_downto *) input [B_WIDTH-1:0] B;
    input CI, BI;
    (* force_downto *) output [Y_WIDTH-1:0] X, Y, CO;

    wire [Y_WIDTH-1:0] a, b;
    \$pos #(.A_SIGNED(A_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(Y_WIDTH)) extend_a (.A(A), .Y(a));
    \$pos #(.A_SIGNED(B_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) extend_b (.A(B), .Y(b));

    wire [Y_WIDTH-1:0] inverted = b ^ {Y_WIDTH{BI}};
    wire [Y_WIDTH:0] carries = {CO, CI};
    \$fa #(.WIDTH(Y_WIDTH)) sum (.A(a), .B(inverted), .C(carries[Y_WIDTH-1:0]), .X(CO), .Y(Y));
    assign X = a ^ inverted;
endmodule
