// eva_accumulator: Accumulators: adds the sums of the epilogue units to the exact accumulators of one output, for
// each token.
//
//   epilogue.units      = 2
//   banks               = 2
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
    input  wire        access_split,
    input  wire [85:0] sum_value,
    input  wire [1:0]  sum_nan,
    input  wire [1:0]  sum_inf_plus,
    input  wire [1:0]  sum_inf_minus,
    output wire        result_valid,
    output wire        result_final,
    output wire [50:0] result_value,
    output wire        result_nan,
    output wire        result_inf_plus,
    output wire        result_inf_minus
);

    reg        sent_q1;
    reg        sent_q2;
    reg        split_q1;
    reg        split_q2;
    reg        low_q1;
    reg        low_q2;
    reg [53:0] token1;
    reg        waits1;

    wire [50:0] u_bank0_result_value;
    wire        u_bank0_result_nan;
    wire        u_bank0_result_inf_plus;
    wire        u_bank0_result_inf_minus;
    wire [50:0] u_bank1_result_value;
    wire        u_bank1_result_nan;
    wire        u_bank1_result_inf_plus;
    wire        u_bank1_result_inf_minus;

    wire [50:0] sum_0 = {{8{sum_value[42]}}, sum_value[42:0]} + {{8{sum_value[85]}}, sum_value[85:43]};
    wire        any_0 = |sum_nan;
    wire        any_1 = |sum_inf_plus;
    wire        any_2 = |sum_inf_minus;
    wire        sent = access_valid & access_last;
    wire [53:0] cat_0 = {u_bank0_result_inf_minus, u_bank0_result_inf_plus, u_bank0_result_nan,
        u_bank0_result_value};
    wire [53:0] cat_1 = {u_bank1_result_inf_minus, u_bank1_result_inf_plus, u_bank1_result_nan,
        u_bank1_result_value};
    wire [53:0] result_now = sent_q2 ? (split_q2 ? cat_0 : low_q2 ? cat_1 : cat_0) : token1;
    assign result_valid = sent_q2 | waits1;
    assign result_final = sent_q2 ? (split_q2 ? 1'b0 : 1'b1) : 1'b1;
    assign result_value = result_now[50:0];
    assign result_nan = result_now[51];
    assign result_inf_plus = result_now[52];
    assign result_inf_minus = result_now[53];
    wire        and_0 = access_valid & (access_split ? 1'b1 : access_address[0] == 1'b0);
    wire        and_1 = access_valid & (access_split ? 1'b1 : access_address[0] == 1'b1);
    wire [50:0] select_0 = access_split ? {{8{sum_value[85]}}, sum_value[85:43]} : sum_0;

    eva_accumulator_bank u_bank0 (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (and_0),
        .access_address   (access_split ? access_address[9:0] : access_address[10:1]),
        .access_first     (access_first),
        .access_last      (access_last),
        .sum_value        (access_split ? {{8{sum_value[42]}}, sum_value[42:0]} : sum_0),
        .sum_nan          (access_split ? sum_nan[0] : any_0),
        .sum_inf_plus     (access_split ? sum_inf_plus[0] : any_1),
        .sum_inf_minus    (access_split ? sum_inf_minus[0] : any_2),
        .result_value     (u_bank0_result_value),
        .result_nan       (u_bank0_result_nan),
        .result_inf_plus  (u_bank0_result_inf_plus),
        .result_inf_minus (u_bank0_result_inf_minus)
    );

    eva_accumulator_bank u_bank1 (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (and_1),
        .access_address   (access_split ? access_address[9:0] : access_address[10:1]),
        .access_first     (access_first),
        .access_last      (access_last),
        .sum_value        (select_0),
        .sum_nan          (access_split ? sum_nan[1] : any_0),
        .sum_inf_plus     (access_split ? sum_inf_plus[1] : any_1),
        .sum_inf_minus    (access_split ? sum_inf_minus[1] : any_2),
        .result_value     (u_bank1_result_value),
        .result_nan       (u_bank1_result_nan),
        .result_inf_plus  (u_bank1_result_inf_plus),
        .result_inf_minus (u_bank1_result_inf_minus)
    );

    always @(posedge aclk) begin
        if (!aresetn) begin
            sent_q1 <= 1'b0;
            sent_q2 <= 1'b0;
            waits1 <= 1'b0;
        end else begin
            sent_q1 <= sent;
            sent_q2 <= sent_q1;
            waits1 <= sent_q2 ? (split_q2 ? 1'b1 : 1'b0) : 1'b0;
        end
    end

    always @(posedge aclk) begin
        split_q1 <= access_split;
        split_q2 <= split_q1;
        low_q1 <= access_address[0];
        low_q2 <= low_q1;
        token1 <= split_q2 ? cat_1 : cat_0;
    end

endmodule

`default_nettype wire
