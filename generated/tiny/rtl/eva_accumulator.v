// eva_accumulator: Accumulators: adds the sums of the epilogue units to the exact accumulators of one output, for
// each token.
//
//   epilogue.units      = 2
//   banks               = 2
//   buffers.max_n_block = 64
//   acc_bits            = 48
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_accumulator (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        access_valid,
    input  wire [5:0]  access_address,
    input  wire        access_first,
    input  wire        access_last,
    input  wire        access_split,
    input  wire [83:0] sum_value,
    input  wire [1:0]  sum_nan,
    input  wire [1:0]  sum_inf_plus,
    input  wire [1:0]  sum_inf_minus,
    output wire        result_valid,
    output wire        result_final,
    output wire [47:0] result_value,
    output wire        result_nan,
    output wire        result_inf_plus,
    output wire        result_inf_minus
);

    reg [41:0] unit0_q;
    reg [41:0] unit1_q;
    reg [1:0]  nan_q;
    reg [1:0]  inf_plus_q;
    reg [1:0]  inf_minus_q;
    reg        access_valid_q;
    reg [5:0]  access_address_q;
    reg        access_first_q;
    reg        access_last_q;
    reg        access_split_q;
    reg        sent_q1;
    reg        sent_q2;
    reg        split_q1;
    reg        split_q2;
    reg        low_q1;
    reg        low_q2;
    reg [50:0] token1;
    reg        waits1;

    wire [47:0] u_bank0_result_value;
    wire        u_bank0_result_nan;
    wire        u_bank0_result_inf_plus;
    wire        u_bank0_result_inf_minus;
    wire [47:0] u_bank1_result_value;
    wire        u_bank1_result_nan;
    wire        u_bank1_result_inf_plus;
    wire        u_bank1_result_inf_minus;

    wire [47:0] sum_0 = {{6{unit0_q[41]}}, unit0_q} + {{6{unit1_q[41]}}, unit1_q};
    wire        any_0 = |nan_q;
    wire        any_1 = |inf_plus_q;
    wire        any_2 = |inf_minus_q;
    wire        sent = access_valid_q & access_last_q;
    wire [50:0] cat_0 = {u_bank0_result_inf_minus, u_bank0_result_inf_plus, u_bank0_result_nan,
        u_bank0_result_value};
    wire [50:0] cat_1 = {u_bank1_result_inf_minus, u_bank1_result_inf_plus, u_bank1_result_nan,
        u_bank1_result_value};
    wire [50:0] result_now = sent_q2 ? (split_q2 ? cat_0 : low_q2 ? cat_1 : cat_0) : token1;
    assign result_valid = sent_q2 | waits1;
    assign result_final = sent_q2 ? (split_q2 ? 1'b0 : 1'b1) : 1'b1;
    assign result_value = result_now[47:0];
    assign result_nan = result_now[48];
    assign result_inf_plus = result_now[49];
    assign result_inf_minus = result_now[50];
    wire        and_0 = access_valid_q & (access_split_q ? 1'b1 : access_address_q[0] == 1'b0);
    wire [4:0]  select_0 = access_split_q ? access_address_q[4:0] : access_address_q[5:1];
    wire        and_1 = access_valid_q & (access_split_q ? 1'b1 : access_address_q[0] == 1'b1);
    wire [4:0]  select_1 = access_split_q ? access_address_q[4:0] : access_address_q[5:1];

    eva_accumulator_bank u_bank0 (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (and_0),
        .access_address   (select_0),
        .access_first     (access_first_q),
        .access_last      (access_last_q),
        .sum_value        (access_split_q ? {{6{unit0_q[41]}}, unit0_q} : sum_0),
        .sum_nan          (access_split_q ? nan_q[0] : any_0),
        .sum_inf_plus     (access_split_q ? inf_plus_q[0] : any_1),
        .sum_inf_minus    (access_split_q ? inf_minus_q[0] : any_2),
        .result_value     (u_bank0_result_value),
        .result_nan       (u_bank0_result_nan),
        .result_inf_plus  (u_bank0_result_inf_plus),
        .result_inf_minus (u_bank0_result_inf_minus)
    );

    eva_accumulator_bank u_bank1 (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (and_1),
        .access_address   (select_1),
        .access_first     (access_first_q),
        .access_last      (access_last_q),
        .sum_value        (access_split_q ? {{6{unit1_q[41]}}, unit1_q} : sum_0),
        .sum_nan          (access_split_q ? nan_q[1] : any_0),
        .sum_inf_plus     (access_split_q ? inf_plus_q[1] : any_1),
        .sum_inf_minus    (access_split_q ? inf_minus_q[1] : any_2),
        .result_value     (u_bank1_result_value),
        .result_nan       (u_bank1_result_nan),
        .result_inf_plus  (u_bank1_result_inf_plus),
        .result_inf_minus (u_bank1_result_inf_minus)
    );

    always @(posedge aclk) begin
        unit0_q <= sum_value[41:0];
        unit1_q <= sum_value[83:42];
        nan_q <= sum_nan;
        inf_plus_q <= sum_inf_plus;
        inf_minus_q <= sum_inf_minus;
        access_address_q <= access_address;
        access_first_q <= access_first;
        access_last_q <= access_last;
        access_split_q <= access_split;
        split_q1 <= access_split_q;
        split_q2 <= split_q1;
        low_q1 <= access_address_q[0];
        low_q2 <= low_q1;
        token1 <= split_q2 ? cat_1 : cat_0;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            access_valid_q <= 1'b0;
            sent_q1 <= 1'b0;
            sent_q2 <= 1'b0;
            waits1 <= 1'b0;
        end else begin
            access_valid_q <= access_valid;
            sent_q1 <= sent;
            sent_q2 <= sent_q1;
            waits1 <= sent_q2 ? (split_q2 ? 1'b1 : 1'b0) : 1'b0;
        end
    end

endmodule

`default_nettype wire
