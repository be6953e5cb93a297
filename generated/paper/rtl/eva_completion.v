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
    reg        head_valid;
    reg [7:0]  head_opcode;
    reg [7:0]  head_status;
    reg [15:0] head_tag;
    reg [2:0]  head_awaits;
    reg [31:0] head_start;
    reg [3:0]  codebooks_done;
    reg [3:0]  x_done;
    reg [3:0]  sums_done;
    reg [3:0]  outputs_done;
    reg        status_valid;
    reg [63:0] status_data;

    wire        u_commands_s_ready;
    wire        u_commands_m_valid;
    wire [66:0] u_commands_m_data;

    assign pending_ready = u_commands_s_ready;
    wire        status_ready = sts_ready;
    wire        status_free = ~status_valid | status_ready;
    wire        told_ready = status_free;
    wire        awaits_codebooks = head_awaits == 3'd1;
    wire        awaits_x = head_awaits == 3'd2;
    wire        awaits_sums = head_awaits == 3'd3;
    wire        awaits_outputs = head_awaits == 3'd4;
    wire        or_0 = (head_awaits == 3'd0) | (awaits_codebooks & (|codebooks_done)) | (awaits_x & (|x_done))
        | (awaits_sums & (|sums_done)) | (awaits_outputs & (|outputs_done));
    wire        and_0 = told_ready & or_0;
    wire        head_ready = and_0;
    wire        head_free = ~head_valid | head_ready;
    wire        u_commands_m_ready = head_free;
    wire        and_1 = u_commands_m_valid & head_free;
    wire        tells = head_valid & and_0;
    wire        codebooks_used = tells & awaits_codebooks & (|codebooks_done);
    wire        x_used = tells & awaits_x & (|x_done);
    wire        sums_used = tells & awaits_sums & (|sums_done);
    wire        outputs_used = tells & awaits_outputs & (|outputs_done);
    wire        and_2 = head_valid & or_0 & status_free;
    assign idle = ~(u_commands_m_valid | head_valid) & ~status_valid;
    wire [66:0] cat_0 = {start, pending_awaits, pending_tag, pending_status, pending_opcode};

    eva_fifo_7x67 u_commands (
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
            head_valid <= 1'b0;
        end else if (head_free) begin
            head_valid <= and_1;
        end
    end

    always @(posedge aclk) begin
        if (and_1) begin
            head_opcode <= u_commands_m_data[7:0];
            head_status <= u_commands_m_data[15:8];
            head_tag <= u_commands_m_data[31:16];
            head_awaits <= u_commands_m_data[34:32];
            head_start <= u_commands_m_data[66:35];
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            status_valid <= 1'b0;
        end else if (status_free) begin
            status_valid <= and_2;
        end
    end

    always @(posedge aclk) begin
        if (and_2) begin
            status_data <= {now - head_start, head_tag, head_status, head_opcode};
        end
    end

    assign sts_valid = status_valid;
    assign sts_data = status_data;

endmodule

`default_nettype wire
