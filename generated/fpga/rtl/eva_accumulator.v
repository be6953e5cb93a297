// eva_accumulator: Accumulator memory: adds the sums of all epilogue units to the exact accumulator of one output
// per cycle.
//
//   epilogue.units      = 2
//   buffers.max_n_block = 2048
//   acc_bits            = 51
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_accumulator (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        access_valid,
    input  wire [10:0] access_address,
    input  wire        access_first,
    input  wire        access_last,
    input  wire [85:0] sum_value,
    input  wire [1:0]  sum_nan,
    input  wire [1:0]  sum_inf_plus,
    input  wire [1:0]  sum_inf_minus,
    output wire        result_valid,
    output wire [50:0] result_value,
    output reg         result_nan,
    output reg         result_inf_plus,
    output reg         result_inf_minus
);

    reg [50:0] combined;
    reg        combined_nan;
    reg        combined_inf_plus;
    reg        combined_inf_minus;
    reg        valid_q1;
    reg [10:0] address_q1;
    reg        first_q1;
    reg        last_q1;
    reg [50:0] result;
    reg [10:0] address_q2;
    reg        keep_q2;
    reg        send_q2;

    wire [53:0] held;

    wire [53:0] and_0 = held & {54{~first_q1}};
    wire        keep = valid_q1 & ~last_q1;
    wire        send = valid_q1 & last_q1;

    eva_mem_2048x54_1r1w_any acc (
        .aclk    (aclk),
        .w0_en   (keep_q2),
        .w0_addr (address_q2),
        .w0_data ({result_inf_minus, result_inf_plus, result_nan, result}),
        .r0_en   (access_valid),
        .r0_addr (access_address),
        .r0_data (held)
    );

    always @(posedge aclk) begin
        combined <= {{8{sum_value[42]}}, sum_value[42:0]} + {{8{sum_value[85]}}, sum_value[85:43]};
        combined_nan <= |sum_nan;
        combined_inf_plus <= |sum_inf_plus;
        combined_inf_minus <= |sum_inf_minus;
        address_q1 <= access_address;
        first_q1 <= access_first;
        last_q1 <= access_last;
        result <= and_0[50:0] + combined;
        result_nan <= and_0[51] | combined_nan;
        result_inf_plus <= and_0[52] | combined_inf_plus;
        result_inf_minus <= and_0[53] | combined_inf_minus;
        address_q2 <= address_q1;
        keep_q2 <= keep;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            valid_q1 <= 1'b0;
            send_q2 <= 1'b0;
        end else begin
            valid_q1 <= access_valid;
            send_q2 <= send;
        end
    end

    assign result_valid = send_q2;
    assign result_value = result;

endmodule

`default_nettype wire
