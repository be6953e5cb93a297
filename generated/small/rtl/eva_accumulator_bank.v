// eva_accumulator_bank: Bank of accumulators: adds to one of them per cycle.
//
//   acc_bits = 51
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_accumulator_bank (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        access_valid,
    input  wire [7:0]  access_address,
    input  wire        access_first,
    input  wire        access_last,
    input  wire [50:0] sum_value,
    input  wire        sum_nan,
    input  wire        sum_inf_plus,
    input  wire        sum_inf_minus,
    output wire [50:0] result_value,
    output reg         result_nan,
    output reg         result_inf_plus,
    output reg         result_inf_minus
);

    reg [50:0] sum_value_q;
    reg        sum_nan_q;
    reg        sum_inf_plus_q;
    reg        sum_inf_minus_q;
    reg        first_q;
    reg        keep_q1;
    reg [50:0] result;
    reg [7:0]  address_q1;
    reg [7:0]  address_q2;
    reg        keep_q2;

    wire [53:0] held;

    wire        keep = access_valid & ~access_last;
    wire [53:0] and_0 = held & {54{~first_q}};

    eva_mem_256x54_1r1w_any acc (
        .aclk    (aclk),
        .w0_en   (keep_q2),
        .w0_addr (address_q2),
        .w0_data ({result_inf_minus, result_inf_plus, result_nan, result}),
        .r0_en   (access_valid),
        .r0_addr (access_address),
        .r0_data (held)
    );

    always @(posedge aclk) begin
        sum_value_q <= sum_value;
        sum_nan_q <= sum_nan;
        sum_inf_plus_q <= sum_inf_plus;
        sum_inf_minus_q <= sum_inf_minus;
        first_q <= access_first;
        result <= and_0[50:0] + sum_value_q;
        result_nan <= and_0[51] | sum_nan_q;
        result_inf_plus <= and_0[52] | sum_inf_plus_q;
        result_inf_minus <= and_0[53] | sum_inf_minus_q;
        address_q1 <= access_address;
        address_q2 <= address_q1;
        keep_q2 <= keep_q1;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            keep_q1 <= 1'b0;
        end else begin
            keep_q1 <= keep;
        end
    end

    assign result_value = result;

endmodule

`default_nettype wire
