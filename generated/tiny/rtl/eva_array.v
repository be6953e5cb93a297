// eva_array: Systolic array: entries move down one row per cycle past the vectors that the rows hold.
//
//   array.rows = 2
//   segments   = 1
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_array (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        in_valid,
    input  wire [63:0] in_entry,
    input  wire [3:0]  in_index,
    input  wire        in_pass,
    input  wire        in_half,
    input  wire        in_step_end,
    input  wire        in_load,
    input  wire [63:0] in_x,
    input  wire        in_live,
    output wire [1:0]  out_valid,
    output wire [7:0]  out_index,
    output wire [1:0]  out_pass,
    output wire [1:0]  out_half,
    output wire [31:0] out_y,
    output wire        filled
);

    reg       load_row1;
    reg       valid_q1;
    reg       step_end_q1;
    reg [5:0] address_q1;
    reg       valid_q2;
    reg       step_end_q2;
    reg [5:0] address_q2;
    reg       valid_q3;
    reg       step_end_q3;
    reg [5:0] address_q3;
    reg       valid_q4;
    reg       step_end_q4;
    reg [5:0] address_q4;
    reg       valid_q5;
    reg       step_end_q5;
    reg [5:0] address_q5;

    wire [63:0] u_row0_w_out;
    wire [15:0] u_row0_y;
    wire [63:0] u_row1_w_out;
    wire [15:0] u_row1_y;

    assign out_valid = {valid_q5, valid_q4};
    assign out_index = {address_q5[3:0], address_q4[3:0]};
    assign out_pass = {address_q5[4], address_q4[4]};
    assign out_half = {address_q5[5], address_q4[5]};
    assign out_y = {u_row1_y, u_row0_y};

    eva_row u_row0 (
        .aclk    (aclk),
        .in_w    (in_entry),
        .in_x    (in_x),
        .in_load (in_load),
        .in_live (in_live),
        .w_out   (u_row0_w_out),
        .y       (u_row0_y)
    );

    eva_row u_row1 (
        .aclk    (aclk),
        .in_w    (u_row0_w_out),
        .in_x    (in_x),
        .in_load (load_row1),
        .in_live (in_live),
        .w_out   (u_row1_w_out),
        .y       (u_row1_y)
    );

    always @(posedge aclk) begin
        load_row1 <= in_load;
        valid_q1 <= in_valid;
        address_q1 <= {in_half, in_pass, in_index};
        valid_q2 <= valid_q1;
        address_q2 <= address_q1;
        valid_q3 <= valid_q2;
        address_q3 <= address_q2;
        valid_q4 <= valid_q3;
        address_q4 <= address_q3;
        valid_q5 <= valid_q4;
        address_q5 <= address_q4;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            step_end_q1 <= 1'b0;
            step_end_q2 <= 1'b0;
            step_end_q3 <= 1'b0;
            step_end_q4 <= 1'b0;
            step_end_q5 <= 1'b0;
        end else begin
            step_end_q1 <= in_step_end;
            step_end_q2 <= step_end_q1;
            step_end_q3 <= step_end_q2;
            step_end_q4 <= step_end_q3;
            step_end_q5 <= step_end_q4;
        end
    end

    assign filled = step_end_q5;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_row1_w_out};

endmodule

`default_nettype wire
