// The reset that eva_board_pins makes. In the place of the board is a module that shows it.

module eva_board (
    input aclk, input aresetn, input rx, input cts_n,
    output tx, output rts_n, output busy, output error
);
    assign busy = aresetn;
    assign tx = rx;
    assign rts_n = cts_n;
    assign error = 1'b0;
endmodule

module pins_tb;
    reg aclk = 1'b0, dtr_n = 1'b1, rx = 1'b0, cts_n = 1'b1;
    wire tx, rts_n, busy, error;
    integer cycle = 0;

    eva_board_pins dut (
        .aclk (aclk), .rx (rx), .tx (tx), .cts_n (cts_n), .rts_n (rts_n), .dtr_n (dtr_n), .busy (busy), .error (error)
    );

    always #5 aclk = !aclk;

    task expect_reset(input value);
        if (busy !== !value || tx !== rx || rts_n !== cts_n || error !== 1'b0) begin
            $display("cycle %0d: aresetn is %b", cycle, busy);
            $finish;
        end
    endtask

    always @(negedge aclk) begin
        cycle <= cycle + 1;
        rx <= cycle[0];
        cts_n <= cycle[1];
        case (cycle)
            // Closed since configuration; opened; closed for a moment; closed.
            50, 200: dtr_n <= 1'b0;
            150, 250: dtr_n <= 1'b1;
        endcase
        if (cycle < 66 || (cycle > 154 && cycle < 216) || cycle > 254) expect_reset(1'b1);
        if ((cycle > 72 && cycle <= 150) || (cycle > 222 && cycle <= 250)) expect_reset(1'b0);
        if (cycle == 300) begin
            $display("passed");
            $finish;
        end
    end
endmodule
