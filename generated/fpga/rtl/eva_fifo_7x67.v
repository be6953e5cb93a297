// eva_fifo_7x67: Queue of 7 elements of 67 bits; one in and one out per cycle, latency 1 cycle.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_fifo_7x67 (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        s_valid,
    input  wire [66:0] s_data,
    output wire        s_ready,
    input  wire        m_ready,
    output wire        m_valid,
    output wire [66:0] m_data
);

    reg [2:0] count;
    reg [2:0] write_index;
    reg [2:0] read_index;

    wire [66:0] store_data;

    wire        not_full = count != 3'd7;
    assign s_ready = not_full;
    wire        not_empty = count != 3'd0;
    wire        push = s_valid & not_full;
    wire [66:0] head = store_data;
    wire        out_ready = m_ready;
    wire        pop = not_empty & out_ready;

    eva_mem_7x67_1r1w_async store (
        .aclk    (aclk),
        .w0_en   (push),
        .w0_addr (write_index),
        .w0_data (s_data),
        .r0_addr (read_index),
        .r0_data (store_data)
    );

    always @(posedge aclk) begin
        if (!aresetn) begin
            count <= 3'd0;
        end else begin
            count <= (pop & ~push) ? count - 3'd1 : (push & ~pop) ? count + 3'd1 : count;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            write_index <= 3'd0;
        end else if (push) begin
            write_index <= (write_index == 3'd6) ? 3'd0 : write_index + 3'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            read_index <= 3'd0;
        end else if (pop) begin
            read_index <= (read_index == 3'd6) ? 3'd0 : read_index + 3'd1;
        end
    end

    assign m_valid = not_empty;
    assign m_data = head;

endmodule

`default_nettype wire
