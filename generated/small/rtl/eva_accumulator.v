// eva_accumulator: Accumulators: adds the sums of the epilogue units to the exact accumulators of one output, for
// each token.
//
//   epilogue.units      = 4
//   banks               = 4
//   buffers.max_n_block = 1024
//   acc_bits            = 51
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_accumulator (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         access_valid,
    input  wire [9:0]   access_address,
    input  wire         access_first,
    input  wire         access_last,
    input  wire [1:0]   access_split,
    input  wire [175:0] sum_value,
    input  wire [3:0]   sum_nan,
    input  wire [3:0]   sum_inf_plus,
    input  wire [3:0]   sum_inf_minus,
    output wire         result_valid,
    output wire         result_final,
    output wire [50:0]  result_value,
    output wire         result_nan,
    output wire         result_inf_plus,
    output wire         result_inf_minus
);

    reg [43:0] unit0_q;
    reg [43:0] unit1_q;
    reg [43:0] unit2_q;
    reg [43:0] unit3_q;
    reg [3:0]  nan_q;
    reg [3:0]  inf_plus_q;
    reg [3:0]  inf_minus_q;
    reg [50:0] partial0_of1;
    reg [50:0] carry0_of1;
    reg        access_valid_q;
    reg [9:0]  access_address_q;
    reg        access_first_q;
    reg        access_last_q;
    reg [1:0]  access_split_q;
    reg        sent_q1;
    reg        sent_q2;
    reg [1:0]  split_q1;
    reg [1:0]  split_q2;
    reg [1:0]  low_q1;
    reg [1:0]  low_q2;
    reg [53:0] token3;
    reg        waits3;
    reg [53:0] token2;
    reg        waits2;
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
    wire [50:0] u_bank2_result_value;
    wire        u_bank2_result_nan;
    wire        u_bank2_result_inf_plus;
    wire        u_bank2_result_inf_minus;
    wire [50:0] u_bank3_result_value;
    wire        u_bank3_result_nan;
    wire        u_bank3_result_inf_plus;
    wire        u_bank3_result_inf_minus;

    wire [50:0] sext_0 = {{7{sum_value[43]}}, sum_value[43:0]};
    wire [50:0] sext_1 = {{7{sum_value[87]}}, sum_value[87:44]};
    wire [50:0] sext_2 = {{7{sum_value[131]}}, sum_value[131:88]};
    wire [50:0] sext_3 = {{7{sum_value[175]}}, sum_value[175:132]};
    wire [50:0] csa_half = sext_0 ^ sext_1;
    wire [50:0] csa_sum = csa_half ^ sext_2;
    wire [50:0] csa_carry = (sext_0 & sext_1) | (csa_half & sext_2);
    wire [50:0] cat_0 = {csa_carry[49:0], 1'b0};
    wire [50:0] csa_half_1 = csa_sum ^ cat_0;
    wire [50:0] csa_sum_1 = csa_half_1 ^ sext_3;
    wire [50:0] csa_carry_1 = (csa_sum & cat_0) | (csa_half_1 & sext_3);
    wire [50:0] sum_0 = partial0_of1 + carry0_of1;
    wire        any_0 = |nan_q;
    wire        any_1 = |inf_plus_q;
    wire        any_2 = |inf_minus_q;
    wire [50:0] sum_1 = {{7{unit0_q[43]}}, unit0_q} + {{7{unit1_q[43]}}, unit1_q};
    wire        any_3 = |nan_q[1:0];
    wire        any_4 = |inf_plus_q[1:0];
    wire        any_5 = |inf_minus_q[1:0];
    wire [50:0] sum_2 = {{7{unit2_q[43]}}, unit2_q} + {{7{unit3_q[43]}}, unit3_q};
    wire        any_6 = |nan_q[3:2];
    wire        any_7 = |inf_plus_q[3:2];
    wire        any_8 = |inf_minus_q[3:2];

    reg select_0;
    always @* begin
        case (access_split_q)
            2'd0: select_0 = access_address_q[1:0] == 2'd0;
            2'd1: select_0 = access_address_q[0] == 1'b0;
            default: select_0 = 1'b1;
        endcase
    end

    reg [7:0] select_1;
    always @* begin
        case (access_split_q)
            2'd0: select_1 = access_address_q[9:2];
            2'd1: select_1 = access_address_q[8:1];
            default: select_1 = access_address_q[7:0];
        endcase
    end

    reg [50:0] select_2;
    always @* begin
        case (access_split_q)
            2'd0: select_2 = sum_0;
            2'd1: select_2 = sum_1;
            default: select_2 = {{7{unit0_q[43]}}, unit0_q};
        endcase
    end

    reg select_3;
    always @* begin
        case (access_split_q)
            2'd0: select_3 = any_0;
            2'd1: select_3 = any_3;
            default: select_3 = nan_q[0];
        endcase
    end

    reg select_4;
    always @* begin
        case (access_split_q)
            2'd0: select_4 = any_1;
            2'd1: select_4 = any_4;
            default: select_4 = inf_plus_q[0];
        endcase
    end

    reg select_5;
    always @* begin
        case (access_split_q)
            2'd0: select_5 = any_2;
            2'd1: select_5 = any_5;
            default: select_5 = inf_minus_q[0];
        endcase
    end

    reg select_6;
    always @* begin
        case (access_split_q)
            2'd0: select_6 = access_address_q[1:0] == 2'd1;
            2'd1: select_6 = access_address_q[0] == 1'b1;
            default: select_6 = 1'b1;
        endcase
    end

    reg [7:0] select_7;
    always @* begin
        case (access_split_q)
            2'd0: select_7 = access_address_q[9:2];
            2'd1: select_7 = access_address_q[8:1];
            default: select_7 = access_address_q[7:0];
        endcase
    end

    reg [50:0] select_8;
    always @* begin
        case (access_split_q)
            2'd0: select_8 = sum_0;
            2'd1: select_8 = sum_1;
            default: select_8 = {{7{unit1_q[43]}}, unit1_q};
        endcase
    end

    reg select_9;
    always @* begin
        case (access_split_q)
            2'd0: select_9 = any_0;
            2'd1: select_9 = any_3;
            default: select_9 = nan_q[1];
        endcase
    end

    reg select_10;
    always @* begin
        case (access_split_q)
            2'd0: select_10 = any_1;
            2'd1: select_10 = any_4;
            default: select_10 = inf_plus_q[1];
        endcase
    end

    reg select_11;
    always @* begin
        case (access_split_q)
            2'd0: select_11 = any_2;
            2'd1: select_11 = any_5;
            default: select_11 = inf_minus_q[1];
        endcase
    end

    reg select_12;
    always @* begin
        case (access_split_q)
            2'd0: select_12 = access_address_q[1:0] == 2'd2;
            2'd1: select_12 = access_address_q[0] == 1'b0;
            default: select_12 = 1'b1;
        endcase
    end

    reg [7:0] select_13;
    always @* begin
        case (access_split_q)
            2'd0: select_13 = access_address_q[9:2];
            2'd1: select_13 = access_address_q[8:1];
            default: select_13 = access_address_q[7:0];
        endcase
    end

    reg [50:0] select_14;
    always @* begin
        case (access_split_q)
            2'd0: select_14 = sum_0;
            2'd1: select_14 = sum_2;
            default: select_14 = {{7{unit2_q[43]}}, unit2_q};
        endcase
    end

    reg select_15;
    always @* begin
        case (access_split_q)
            2'd0: select_15 = any_0;
            2'd1: select_15 = any_6;
            default: select_15 = nan_q[2];
        endcase
    end

    reg select_16;
    always @* begin
        case (access_split_q)
            2'd0: select_16 = any_1;
            2'd1: select_16 = any_7;
            default: select_16 = inf_plus_q[2];
        endcase
    end

    reg select_17;
    always @* begin
        case (access_split_q)
            2'd0: select_17 = any_2;
            2'd1: select_17 = any_8;
            default: select_17 = inf_minus_q[2];
        endcase
    end

    reg select_18;
    always @* begin
        case (access_split_q)
            2'd0: select_18 = access_address_q[1:0] == 2'd3;
            2'd1: select_18 = access_address_q[0] == 1'b1;
            default: select_18 = 1'b1;
        endcase
    end

    reg [7:0] select_19;
    always @* begin
        case (access_split_q)
            2'd0: select_19 = access_address_q[9:2];
            2'd1: select_19 = access_address_q[8:1];
            default: select_19 = access_address_q[7:0];
        endcase
    end

    reg [50:0] select_20;
    always @* begin
        case (access_split_q)
            2'd0: select_20 = sum_0;
            2'd1: select_20 = sum_2;
            default: select_20 = {{7{unit3_q[43]}}, unit3_q};
        endcase
    end

    reg select_21;
    always @* begin
        case (access_split_q)
            2'd0: select_21 = any_0;
            2'd1: select_21 = any_6;
            default: select_21 = nan_q[3];
        endcase
    end

    reg select_22;
    always @* begin
        case (access_split_q)
            2'd0: select_22 = any_1;
            2'd1: select_22 = any_7;
            default: select_22 = inf_plus_q[3];
        endcase
    end

    reg select_23;
    always @* begin
        case (access_split_q)
            2'd0: select_23 = any_2;
            2'd1: select_23 = any_8;
            default: select_23 = inf_minus_q[3];
        endcase
    end

    wire        sent = access_valid_q & access_last_q;
    wire [53:0] cat_1 = {u_bank0_result_inf_minus, u_bank0_result_inf_plus, u_bank0_result_nan,
        u_bank0_result_value};
    wire [53:0] cat_2 = {u_bank1_result_inf_minus, u_bank1_result_inf_plus, u_bank1_result_nan,
        u_bank1_result_value};
    wire [53:0] cat_3 = {u_bank2_result_inf_minus, u_bank2_result_inf_plus, u_bank2_result_nan,
        u_bank2_result_value};
    wire [53:0] cat_4 = {u_bank3_result_inf_minus, u_bank3_result_inf_plus, u_bank3_result_nan,
        u_bank3_result_value};

    reg select_24;
    always @* begin
        case (split_q2)
            2'd0: select_24 = 1'b0;
            2'd1: select_24 = 1'b0;
            default: select_24 = 1'b1;
        endcase
    end

    reg [53:0] select_25;
    always @* begin
        case (split_q2)
            2'd0: select_25 = cat_1;
            2'd1: select_25 = cat_1;
            default: select_25 = cat_4;
        endcase
    end

    reg select_26;
    always @* begin
        case (split_q2)
            2'd0: select_26 = 1'b0;
            2'd1: select_26 = 1'b0;
            default: select_26 = 1'b1;
        endcase
    end

    reg [53:0] select_27;
    always @* begin
        case (split_q2)
            2'd0: select_27 = cat_1;
            2'd1: select_27 = cat_1;
            default: select_27 = cat_3;
        endcase
    end

    reg select_28;
    always @* begin
        case (split_q2)
            2'd0: select_28 = 1'b0;
            2'd1: select_28 = 1'b1;
            default: select_28 = 1'b1;
        endcase
    end

    reg [53:0] select_29;
    always @* begin
        case (split_q2)
            2'd0: select_29 = cat_1;
            2'd1: select_29 = low_q2[0] ? cat_4 : cat_3;
            default: select_29 = cat_2;
        endcase
    end

    reg [53:0] select_30;
    always @* begin
        case (low_q2)
            2'd0: select_30 = cat_1;
            2'd1: select_30 = cat_2;
            2'd2: select_30 = cat_3;
            default: select_30 = cat_4;
        endcase
    end

    reg [53:0] select_31;
    always @* begin
        case (split_q2)
            2'd0: select_31 = select_30;
            2'd1: select_31 = low_q2[0] ? cat_2 : cat_1;
            default: select_31 = cat_1;
        endcase
    end

    wire [53:0] result_now = sent_q2 ? select_31 : token1;

    reg select_32;
    always @* begin
        case (split_q2)
            2'd0: select_32 = 1'b1;
            2'd1: select_32 = 1'b0;
            default: select_32 = 1'b0;
        endcase
    end

    assign result_valid = sent_q2 | waits1;
    assign result_final = sent_q2 ? select_32 : ~waits2;
    assign result_value = result_now[50:0];
    assign result_nan = result_now[51];
    assign result_inf_plus = result_now[52];
    assign result_inf_minus = result_now[53];

    eva_accumulator_bank u_bank0 (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (access_valid_q & select_0),
        .access_address   (select_1),
        .access_first     (access_first_q),
        .access_last      (access_last_q),
        .sum_value        (select_2),
        .sum_nan          (select_3),
        .sum_inf_plus     (select_4),
        .sum_inf_minus    (select_5),
        .result_value     (u_bank0_result_value),
        .result_nan       (u_bank0_result_nan),
        .result_inf_plus  (u_bank0_result_inf_plus),
        .result_inf_minus (u_bank0_result_inf_minus)
    );

    eva_accumulator_bank u_bank1 (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (access_valid_q & select_6),
        .access_address   (select_7),
        .access_first     (access_first_q),
        .access_last      (access_last_q),
        .sum_value        (select_8),
        .sum_nan          (select_9),
        .sum_inf_plus     (select_10),
        .sum_inf_minus    (select_11),
        .result_value     (u_bank1_result_value),
        .result_nan       (u_bank1_result_nan),
        .result_inf_plus  (u_bank1_result_inf_plus),
        .result_inf_minus (u_bank1_result_inf_minus)
    );

    eva_accumulator_bank u_bank2 (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (access_valid_q & select_12),
        .access_address   (select_13),
        .access_first     (access_first_q),
        .access_last      (access_last_q),
        .sum_value        (select_14),
        .sum_nan          (select_15),
        .sum_inf_plus     (select_16),
        .sum_inf_minus    (select_17),
        .result_value     (u_bank2_result_value),
        .result_nan       (u_bank2_result_nan),
        .result_inf_plus  (u_bank2_result_inf_plus),
        .result_inf_minus (u_bank2_result_inf_minus)
    );

    eva_accumulator_bank u_bank3 (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (access_valid_q & select_18),
        .access_address   (select_19),
        .access_first     (access_first_q),
        .access_last      (access_last_q),
        .sum_value        (select_20),
        .sum_nan          (select_21),
        .sum_inf_plus     (select_22),
        .sum_inf_minus    (select_23),
        .result_value     (u_bank3_result_value),
        .result_nan       (u_bank3_result_nan),
        .result_inf_plus  (u_bank3_result_inf_plus),
        .result_inf_minus (u_bank3_result_inf_minus)
    );

    always @(posedge aclk) begin
        unit0_q <= sum_value[43:0];
        unit1_q <= sum_value[87:44];
        unit2_q <= sum_value[131:88];
        unit3_q <= sum_value[175:132];
        nan_q <= sum_nan;
        inf_plus_q <= sum_inf_plus;
        inf_minus_q <= sum_inf_minus;
        partial0_of1 <= csa_sum_1;
        carry0_of1 <= {csa_carry_1[49:0], 1'b0};
        access_address_q <= access_address;
        access_first_q <= access_first;
        access_last_q <= access_last;
        access_split_q <= access_split;
        split_q1 <= access_split_q;
        split_q2 <= split_q1;
        low_q1 <= access_address_q[1:0];
        low_q2 <= low_q1;
        token3 <= select_25;
        token2 <= sent_q2 ? select_27 : token3;
        token1 <= sent_q2 ? select_29 : token2;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            access_valid_q <= 1'b0;
            sent_q1 <= 1'b0;
            sent_q2 <= 1'b0;
            waits3 <= 1'b0;
            waits2 <= 1'b0;
            waits1 <= 1'b0;
        end else begin
            access_valid_q <= access_valid;
            sent_q1 <= sent;
            sent_q2 <= sent_q1;
            waits3 <= sent_q2 ? select_24 : 1'b0;
            waits2 <= sent_q2 ? select_26 : waits3;
            waits1 <= sent_q2 ? select_28 : waits2;
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, csa_carry[50], csa_carry_1[50]};

endmodule

`default_nettype wire
