// A core with the ports and the command set of eva_core and next to no arithmetic, to test the testbench with.
//   LOAD_CODEBOOKS  takes `codebooks` beats of s_axis_w
//   LOAD_X          takes `vectors` beats of s_axis_x and adds up their lowest 16 bits
//   VQ_GEMV         takes `outputs` beats of s_axis_w; output = that sum + all 16-bit lanes of the beat XORed
// `bug` makes it misbehave in one way; see the tests.
module eva_core (
  input  wire          aclk,
  input  wire          aresetn,
  input  wire [127:0]  s_axis_cmd_tdata,
  input  wire          s_axis_cmd_tvalid,
  output wire          s_axis_cmd_tready,
  input  wire [1023:0] s_axis_w_tdata,
  input  wire          s_axis_w_tvalid,
  output wire          s_axis_w_tready,
  input  wire [63:0]   s_axis_x_tdata,
  input  wire          s_axis_x_tvalid,
  output wire          s_axis_x_tready,
  output wire [31:0]   m_axis_y_tdata,
  output wire          m_axis_y_tlast,
  output wire          m_axis_y_tvalid,
  input  wire          m_axis_y_tready,
  output wire [63:0]   m_axis_sts_tdata,
  output wire          m_axis_sts_tvalid,
  input  wire          m_axis_sts_tready,
  output wire          busy,
  output reg  [31:0]   stat_cycles,
  output reg  [31:0]   stat_w_beats,
  output reg  [31:0]   stat_x_beats,
  output reg  [31:0]   stat_y_beats,
  output reg  [31:0]   stat_w_stalls,
  output reg  [31:0]   stat_x_stalls,
  output reg  [31:0]   stat_y_stalls,
  output wire [31:0]   stat_load_stalls,
  output wire [31:0]   stat_oc_stalls,
  input  wire [4:0]    bug
);
  localparam IDLE = 3'd0, CODEBOOKS = 3'd1, ACTIVATIONS = 3'd2, GEMV = 3'd3, STATUS = 3'd4;

  reg  [2:0]  state;
  reg  [7:0]  opcode;
  reg  [7:0]  code;
  reg  [15:0] tag;
  reg  [31:0] left;
  reg  [31:0] taken;
  reg  [31:0] cycles;
  reg  [15:0] sum;
  reg         y_valid;
  reg         y_last;
  reg  [31:0] y_data;
  reg         y_waited;
  reg  [15:0] never_written;
  integer     i;

  reg [15:0] fold;
  always @* begin
    fold = 16'd0;
    for (i = 0; i < 64; i = i + 1) fold = fold ^ s_axis_w_tdata[16*i +: 16];
  end

  // In GEMV a beat is taken when the output register is free or becomes so: m_axis_y_tready reaches s_axis_w_tready.
  wire want_w = (state == CODEBOOKS && left != 0)
             || (state == GEMV && left != 0 && (!y_valid || m_axis_y_tready));
  wire take_w = want_w && (s_axis_w_tvalid || (bug == 5'd12 && state == GEMV));
  wire take_x = s_axis_x_tready && s_axis_x_tvalid;
  wire take_y = m_axis_y_tready && m_axis_y_tvalid;
  wire extra  = bug == 5'd7 && state == STATUS && m_axis_sts_tready;

  assign stat_load_stalls = 32'd0;
  assign stat_oc_stalls   = 32'd0;

  assign s_axis_cmd_tready = state == IDLE && aresetn;
  assign s_axis_w_tready   = want_w && !(bug == 5'd14 && left == 1);
  assign s_axis_x_tready   = state == ACTIVATIONS && left != 0;
  assign m_axis_y_tdata    = y_data ^ {31'd0, bug == 5'd2 && y_waited};
  assign m_axis_y_tlast    = y_last && bug != 5'd10;
  assign m_axis_y_tvalid   = (y_valid && !(bug == 5'd1 && y_waited) && !(bug == 5'd3 && !m_axis_y_tready))
                          || (bug == 5'd4 && !aresetn) || extra;
  assign m_axis_sts_tdata  = {cycles, tag ^ {15'd0, bug == 5'd8}, code ^ {7'd0, bug == 5'd15}, opcode};
  assign m_axis_sts_tvalid = state == STATUS;
  assign busy              = state != IDLE || bug == 5'd11;

  always @(posedge aclk) begin
    if (!aresetn) begin
      state         <= IDLE;
      y_valid       <= 1'b0;
      y_waited      <= 1'b0;
      left          <= 32'd0;
      stat_cycles   <= 32'd0;
      stat_w_beats  <= {31'd0, bug == 5'd9};
      stat_x_beats  <= 32'd0;
      stat_y_beats  <= 32'd0;
      stat_w_stalls <= 32'd0;
      stat_x_stalls <= 32'd0;
      stat_y_stalls <= 32'd0;
    end else begin
      stat_cycles   <= stat_cycles + {31'd0, state != IDLE};
      stat_w_beats  <= stat_w_beats + {31'd0, s_axis_w_tready && s_axis_w_tvalid};
      stat_x_beats  <= stat_x_beats + {31'd0, take_x};
      stat_y_beats  <= stat_y_beats + {31'd0, take_y};
      stat_w_stalls <= stat_w_stalls + {31'd0, want_w && !s_axis_w_tvalid};
      stat_x_stalls <= stat_x_stalls + {31'd0, s_axis_x_tready && !s_axis_x_tvalid};
      stat_y_stalls <= stat_y_stalls + {31'd0, y_valid && !m_axis_y_tready};
      y_waited      <= m_axis_y_tvalid && !m_axis_y_tready;
      if (state != STATUS) cycles <= cycles + 32'd1;
      case (state)
        IDLE: if (s_axis_cmd_tvalid) begin
          opcode <= s_axis_cmd_tdata[7:0];
          tag    <= s_axis_cmd_tdata[31:16];
          code   <= 8'd0;
          cycles <= 32'd0;
          taken  <= 32'd0;
          case (s_axis_cmd_tdata[7:0])
            8'd1: begin state <= CODEBOOKS; left <= {24'd0, s_axis_cmd_tdata[39:32]}; end
            8'd2: begin state <= ACTIVATIONS; left <= s_axis_cmd_tdata[95:64]; sum <= 16'd0; end
            8'd3: begin state <= GEMV; left <= s_axis_cmd_tdata[127:96]; end
            default: begin state <= STATUS; code <= 8'd1; end
          endcase
        end
        CODEBOOKS: begin
          if (take_w) left <= left - 32'd1;
          if (left == 0 || (take_w && left == 1)) state <= STATUS;
        end
        ACTIVATIONS: begin
          if (take_x) begin
            left <= left - 32'd1;
            sum  <= sum + s_axis_x_tdata[15:0];
          end
          if (left == 0) state <= STATUS;
        end
        GEMV: begin
          if (take_w) begin
            left  <= left - 32'd1;
            taken <= taken + 32'd1;
          end
          if (left == 0 && (!y_valid || m_axis_y_tready)) state <= STATUS;
        end
        default: if (m_axis_sts_tready) state <= IDLE;
      endcase
      if (take_y) y_valid <= 1'b0;
      if (take_w && state == GEMV && !(bug == 5'd6 && left == 1)) begin
        y_valid <= 1'b1;
        y_last  <= left == 1;
        y_data  <= {16'd0, (sum + fold) ^ {15'd0, bug == 5'd5 && taken == 2}
                                        ^ (bug == 5'd13 ? never_written : 16'd0)};
      end
    end
  end
endmodule
