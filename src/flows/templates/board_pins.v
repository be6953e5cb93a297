// @PINS@: @TOP@ at the pins of a board, with its reset. It lasts from configuration, which leaves all flip-flops 0, or
// as long as no host holds the serial port open (DTR, active low), and 16 cycles more.
//
// Generated; change the generator, not this file.

`default_nettype none

module @PINS@ (
    input  wire aclk,
    input  wire rx,
    output wire tx,
    input  wire cts_n,
    output wire rts_n,
    input  wire dtr_n,
    output wire busy,
    output wire error
);

    reg [1:0] is_open;
    reg [3:0] cycles;
    reg aresetn;

    initial begin
        is_open = 2'd0;
        cycles = 4'd0;
        aresetn = 1'b0;
    end

    always @(posedge aclk) begin
        is_open <= {is_open[0], !dtr_n};
        cycles <= !is_open[1] ? 4'd0 : cycles == 4'd15 ? cycles : cycles + 4'd1;
        aresetn <= cycles == 4'd15;
    end

    @TOP@ u_board (
        .aclk (aclk),
        .aresetn (aresetn),
        .rx (rx),
        .cts_n (cts_n),
        .tx (tx),
        .rts_n (rts_n),
        .busy (busy),
        .error (error)
    );

endmodule

`default_nettype wire
