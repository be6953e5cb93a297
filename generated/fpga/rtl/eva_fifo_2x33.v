// eva_fifo_2x33: Queue of 2 elements of 33 bits; one in and one out per cycle, latency 1 cycle.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_fifo_2x33 (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        s_valid,
    input  wire [32:0] s_data,
    output wire        s_ready,
    input  wire        m_ready,
    output wire        m_valid,
    output wire [32:0] m_data
);

    reg [1:0] count;
    reg       write_index;
    reg       read_index;

    wire [32:0] store_data;

    wire        not_full = count != 2'd2;
    assign s_ready = not_full;
    wire        not_empty = count != 2'd0;
    wire        push = s_valid & not_full;
    wire [32:0] head = store_data;
    wire        out_ready = m_ready;
    wire        pop = not_empty & out_ready;

    eva_mem_2x33_1r1w_async store (
        .aclk    (aclk),
        .w0_en   (push),
        .w0_addr (write_index),
        .w0_data (s_data),
        .r0_addr (read_index),
        .r0_data (store_data)
    );

    always @(posedge aclk) begin
        if (!aresetn) begin
            count <= 2'd0;
        end else begin
            count <= (pop & ~push) ? count - 2'd1 : (push & ~pop) ? count + 2'd1 : count;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            write_index <= 1'b0;
        end else if (push) begin
            write_index <= (write_index == 1'b1) ? 1'b0 : write_index + 1'b1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            read_index <= 1'b0;
        end else if (pop) begin
            read_index <= (read_index == 1'b1) ? 1'b0 : read_index + 1'b1;
        end
    end

    assign m_valid = not_empty;
    assign m_data = head;

endmodule

`default_nettype wire
