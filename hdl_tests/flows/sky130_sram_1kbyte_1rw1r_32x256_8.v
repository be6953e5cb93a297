// Behaviour of the SkyWater macro of that name, as OpenRAM documents it: pins are sampled at the rising edge, memory and
// outputs change at the falling edge, and an output is unknown from the next rising edge on. A word that is read while
// it is written is unknown.
module sky130_sram_1kbyte_1rw1r_32x256_8 (
    input  wire        clk0,
    input  wire        csb0,
    input  wire        web0,
    input  wire [3:0]  wmask0,
    input  wire [7:0]  addr0,
    input  wire [31:0] din0,
    output reg  [31:0] dout0,
    input  wire        clk1,
    input  wire        csb1,
    input  wire [7:0]  addr1,
    output reg  [31:0] dout1
);

    reg [31:0] words [0:255];
    reg        csb0_q, web0_q, csb1_q, collides;
    reg [3:0]  wmask0_q;
    reg [7:0]  addr0_q, addr1_q;
    reg [31:0] din0_q;
    integer    lane;

    always @(posedge clk0) begin
        csb0_q   <= csb0;
        web0_q   <= web0;
        wmask0_q <= wmask0;
        addr0_q  <= addr0;
        din0_q   <= din0;
        dout0    <= 32'bx;
    end
    always @(negedge clk0) begin
        if (!csb0_q && !web0_q)
            for (lane = 0; lane < 4; lane = lane + 1)
                if (wmask0_q[lane]) words[addr0_q][8*lane +: 8] <= din0_q[8*lane +: 8];
        if (!csb0_q && web0_q) dout0 <= words[addr0_q];
    end

    always @(posedge clk1) begin
        csb1_q   <= csb1;
        addr1_q  <= addr1;
        collides <= !csb0 && !web0 && addr0 == addr1;
        dout1    <= 32'bx;
    end
    always @(negedge clk1) if (!csb1_q) dout1 <= collides ? 32'bx : words[addr1_q];

endmodule
