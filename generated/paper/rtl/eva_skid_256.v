// eva_skid_256: Register slice: cuts every combinational path between its two sides; one element per cycle, latency
// 1 cycle.
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_skid_256 (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         s_valid,
    input  wire [255:0] s_data,
    output wire         s_ready,
    input  wire         m_ready,
    output wire         m_valid,
    output wire [255:0] m_data
);

    reg         out_valid;
    reg [255:0] out_data;
    reg         spare_empty;
    reg [255:0] spare_data;

    assign s_ready = spare_empty;
    wire out_ready = m_ready;
    wire advance = ~out_valid | out_ready;
    wire and_0 = s_valid & spare_empty;

    always @(posedge aclk) begin
        if (!aresetn) begin
            out_valid <= 1'b0;
        end else if (advance) begin
            out_valid <= and_0 | ~spare_empty;
        end
    end

    always @(posedge aclk) begin
        if (advance) begin
            out_data <= spare_empty ? s_data : spare_data;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            spare_empty <= 1'b1;
        end else begin
            spare_empty <= advance | (spare_empty & ~and_0);
        end
    end

    always @(posedge aclk) begin
        if (spare_empty) begin
            spare_data <= s_data;
        end
    end

    assign m_valid = out_valid;
    assign m_data = out_data;

endmodule

`default_nettype wire
