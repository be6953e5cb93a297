// eva_accumulator: Accumulator memory: adds the sums of all epilogue units to the exact accumulator of one output
// per cycle.
//
//   epilogue.units      = 4
//   buffers.max_n_block = 4096
//   acc_bits            = 54
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_accumulator (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         access_valid,
    input  wire [11:0]  access_address,
    input  wire         access_first,
    input  wire         access_last,
    input  wire [183:0] sum_value,
    input  wire [3:0]   sum_nan,
    input  wire [3:0]   sum_inf_plus,
    input  wire [3:0]   sum_inf_minus,
    output wire         result_valid,
    output wire [53:0]  result_value,
    output reg          result_nan,
    output reg          result_inf_plus,
    output reg          result_inf_minus
);

    reg [53:0] combined;
    reg        combined_nan;
    reg        combined_inf_plus;
    reg        combined_inf_minus;
    reg        valid_q1;
    reg [11:0] address_q1;
    reg        first_q1;
    reg        last_q1;
    reg [53:0] result;
    reg [11:0] address_q2;
    reg        keep_q2;
    reg        send_q2;

    wire [56:0] held;

    wire [53:0] sext_0 = {{8{sum_value[45]}}, sum_value[45:0]};
    wire [53:0] sext_1 = {{8{sum_value[91]}}, sum_value[91:46]};
    wire [53:0] sext_2 = {{8{sum_value[137]}}, sum_value[137:92]};
    wire [53:0] sext_3 = {{8{sum_value[183]}}, sum_value[183:138]};
    wire [53:0] csa_half = sext_0 ^ sext_1;
    wire [53:0] csa_sum = csa_half ^ sext_2;
    wire [53:0] csa_carry = (sext_0 & sext_1) | (csa_half & sext_2);
    wire [53:0] cat_0 = {csa_carry[52:0], 1'b0};
    wire [53:0] csa_half_1 = csa_sum ^ cat_0;
    wire [53:0] csa_sum_1 = csa_half_1 ^ sext_3;
    wire [53:0] csa_carry_1 = (csa_sum & cat_0) | (csa_half_1 & sext_3);
    wire [56:0] and_0 = held & {57{~first_q1}};
    wire        keep = valid_q1 & ~last_q1;
    wire        send = valid_q1 & last_q1;

    eva_mem_4096x57_1r1w_any acc (
        .aclk    (aclk),
        .w0_en   (keep_q2),
        .w0_addr (address_q2),
        .w0_data ({result_inf_minus, result_inf_plus, result_nan, result}),
        .r0_en   (access_valid),
        .r0_addr (access_address),
        .r0_data (held)
    );

    always @(posedge aclk) begin
        combined <= csa_sum_1 + {csa_carry_1[52:0], 1'b0};
        combined_nan <= |sum_nan;
        combined_inf_plus <= |sum_inf_plus;
        combined_inf_minus <= |sum_inf_minus;
        address_q1 <= access_address;
        first_q1 <= access_first;
        last_q1 <= access_last;
        result <= and_0[53:0] + combined;
        result_nan <= and_0[54] | combined_nan;
        result_inf_plus <= and_0[55] | combined_inf_plus;
        result_inf_minus <= and_0[56] | combined_inf_minus;
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

    // Bits that nothing reads.
    wire unused = &{1'b0, csa_carry[53], csa_carry_1[53]};

endmodule

`default_nettype wire
