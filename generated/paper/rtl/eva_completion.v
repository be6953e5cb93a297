// eva_completion: Completion: reports the statuses of commands in order, each when what it waits for has happened.
//
//   commands = 8
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_completion (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        taken,
    input  wire        pending_valid,
    input  wire [7:0]  pending_opcode,
    input  wire [7:0]  pending_status,
    input  wire [15:0] pending_tag,
    input  wire [2:0]  pending_awaits,
    output wire        pending_ready,
    input  wire        event_codebooks,
    input  wire        event_x,
    input  wire        event_sums,
    input  wire        event_outputs,
    output wire        idle,
    input  wire        sts_ready,
    output wire        sts_valid,
    output wire [63:0] sts_data
);

    reg [31:0] now;
    reg [31:0] start;
    reg [3:0]  codebooks_done;
    reg [3:0]  x_done;
    reg [3:0]  sums_done;
    reg [3:0]  outputs_done;
    reg        sts_valid_q;
    reg [63:0] status_q;

    wire        u_commands_s_ready;
    wire        u_commands_m_valid;
    wire [66:0] u_commands_m_data;

    assign pending_ready = u_commands_s_ready;
    wire        awaits_codebooks = u_commands_m_data[34:32] == 3'd1;
    wire        awaits_x = u_commands_m_data[34:32] == 3'd2;
    wire        awaits_sums = u_commands_m_data[34:32] == 3'd3;
    wire        awaits_outputs = u_commands_m_data[34:32] == 3'd4;
    wire        status_ready = sts_ready;
    wire        sts_free = ~sts_valid_q | status_ready;
    wire        or_0 = (u_commands_m_data[34:32] == 3'd0) | (awaits_codebooks & (|codebooks_done))
        | (awaits_x & (|x_done)) | (awaits_sums & (|sums_done)) | (awaits_outputs & (|outputs_done));
    wire        ready = or_0 & sts_free;
    wire        u_commands_m_ready = ready;
    wire        codebooks_used = u_commands_m_valid & sts_free & awaits_codebooks & (|codebooks_done);
    wire        x_used = u_commands_m_valid & sts_free & awaits_x & (|x_done);
    wire        sums_used = u_commands_m_valid & sts_free & awaits_sums & (|sums_done);
    wire        outputs_used = u_commands_m_valid & sts_free & awaits_outputs & (|outputs_done);
    wire        and_0 = u_commands_m_valid & ready;
    assign idle = ~u_commands_m_valid & ~sts_valid_q;
    wire [66:0] cat_0 = {start, pending_awaits, pending_tag, pending_status, pending_opcode};

    eva_fifo_8x67 u_commands (
        .aclk    (aclk),
        .aresetn (aresetn),
        .s_valid (pending_valid),
        .s_data  (cat_0),
        .s_ready (u_commands_s_ready),
        .m_ready (u_commands_m_ready),
        .m_valid (u_commands_m_valid),
        .m_data  (u_commands_m_data)
    );

    always @(posedge aclk) begin
        if (!aresetn) begin
            now <= 32'd0;
            codebooks_done <= 4'd0;
            x_done <= 4'd0;
            sums_done <= 4'd0;
            outputs_done <= 4'd0;
        end else begin
            now <= now + 32'd1;
            codebooks_done <= (codebooks_used & ~event_codebooks) ? codebooks_done - 4'd1
                : (event_codebooks & ~codebooks_used) ? codebooks_done + 4'd1
                : codebooks_done;
            x_done <= (x_used & ~event_x) ? x_done - 4'd1 : (event_x & ~x_used) ? x_done + 4'd1 : x_done;
            sums_done <= (sums_used & ~event_sums) ? sums_done - 4'd1
                : (event_sums & ~sums_used) ? sums_done + 4'd1
                : sums_done;
            outputs_done <= (outputs_used & ~event_outputs) ? outputs_done - 4'd1
                : (event_outputs & ~outputs_used) ? outputs_done + 4'd1
                : outputs_done;
        end
    end

    always @(posedge aclk) begin
        if (taken) begin
            start <= now;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            sts_valid_q <= 1'b0;
        end else if (sts_free) begin
            sts_valid_q <= and_0;
        end
    end

    always @(posedge aclk) begin
        if (and_0) begin
            status_q <= {now - u_commands_m_data[66:35], u_commands_m_data[31:16], u_commands_m_data[15:8],
                u_commands_m_data[7:0]};
        end
    end

    assign sts_valid = sts_valid_q;
    assign sts_data = status_q;

endmodule

`default_nettype wire
