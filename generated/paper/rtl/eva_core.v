// eva_core: EVA core: decoding (codebook products, exact lookup sums, scaling) and INT8 matrix products on one
// array.
//
//   array.rows          = 32
//   array.cols          = 32
//   vq.dim              = 8
//   vq.index_bits       = 8
//   vq.max_codebooks    = 4
//   epilogue.units      = 4
//   buffers.max_k       = 16384
//   buffers.max_n_block = 4096
//   stream.width        = 1024
//   pipeline.pe         = 1
//   pipeline.tree       = 1
//   pipeline.epilogue   = 2
//   pipeline.scale      = 3
//   generator           = eva-rtl 0.1.0
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_core (
    input  wire          aclk,
    input  wire          aresetn,
    input  wire          s_axis_cmd_tvalid,
    input  wire [127:0]  s_axis_cmd_tdata,
    output wire          s_axis_cmd_tready,
    input  wire          s_axis_w_tvalid,
    input  wire [1023:0] s_axis_w_tdata,
    output wire          s_axis_w_tready,
    input  wire          s_axis_x_tvalid,
    input  wire [255:0]  s_axis_x_tdata,
    output wire          s_axis_x_tready,
    input  wire          m_axis_sts_tready,
    output wire          m_axis_sts_tvalid,
    output wire [63:0]   m_axis_sts_tdata,
    input  wire          m_axis_y_tready,
    output wire          m_axis_y_tvalid,
    output wire [31:0]   m_axis_y_tdata,
    output wire          m_axis_y_tlast,
    output wire          busy,
    output wire [31:0]   stat_cycles,
    output wire [31:0]   stat_w_beats,
    output wire [31:0]   stat_w_stalls,
    output wire [31:0]   stat_x_stalls,
    output wire [31:0]   stat_y_stalls
);

    reg        access_valid_q1;
    reg        access_valid_q2;
    reg        access_valid_q3;
    reg [11:0] access_address_q1;
    reg [11:0] access_address_q2;
    reg [11:0] access_address_q3;
    reg        access_first_q1;
    reg        access_first_q2;
    reg        access_first_q3;
    reg        access_last_q1;
    reg        access_last_q2;
    reg        access_last_q3;
    reg [11:0] emitted_output;
    reg        emitted_last_q1;
    reg        emitted_last_q2;
    reg        emitted_valid_q1;
    reg        emitted_valid_q2;
    reg [31:0] emitted_sum_q1;
    reg [31:0] emitted_sum_q2;
    reg [31:0] scale_lane_q;
    reg        scale_odd_q1;
    reg        scale_odd_q2;
    reg        y_valid_q1;
    reg        y_valid_q2;
    reg        y_valid_q3;
    reg        word_last_q1;
    reg        word_last_q2;
    reg        word_last_q3;
    reg        word_last_q4;
    reg        word_last_q5;
    reg        y_last_q1;
    reg        y_last_q2;
    reg        y_last_q3;
    reg [6:0]  in_flight;
    reg [31:0] count_cycles;
    reg [31:0] count_w_beats;
    reg [31:0] count_w_stalls;
    reg [31:0] count_x_stalls;
    reg [31:0] count_y_stalls;

    wire          u_w_skid_s_ready;
    wire          u_w_skid_m_valid;
    wire [1023:0] u_w_skid_m_data;
    wire          u_x_skid_s_ready;
    wire          u_x_skid_m_valid;
    wire [255:0]  u_x_skid_m_data;
    wire          u_command_cmd_ready;
    wire          executing;
    wire          u_command_start_codebooks;
    wire          u_command_start_x;
    wire          u_command_start_gemv;
    wire          u_command_start_int8;
    wire          u_command_start_scales;
    wire [11:0]   u_command_work_vectors;
    wire [2:0]    u_command_work_codebooks;
    wire [12:0]   u_command_block_outputs;
    wire          u_command_block_first;
    wire          u_command_block_last;
    wire [10:0]   u_command_gemm_tokens;
    wire [11:0]   u_command_gemm_tiles;
    wire [12:0]   u_command_gemm_outputs;
    wire          int8;
    wire          raw;
    wire          scale_fp32;
    wire          u_codebook_loader_beat_ready;
    wire          codebook_busy;
    wire          u_codebook_loader_write_enable;
    wire [6:0]    u_codebook_loader_write_word;
    wire [1023:0] u_codebook_loader_write_data;
    wire          u_scale_loader_beat_ready;
    wire          scale_busy;
    wire          u_scale_loader_write_enable;
    wire [6:0]    u_scale_loader_write_word;
    wire [1023:0] u_scale_loader_write_data;
    wire          u_x_loader_beat_ready;
    wire          x_busy;
    wire          u_x_loader_write_enable;
    wire [9:0]    u_x_loader_write_word;
    wire [255:0]  u_x_loader_write_data;
    wire          u_int8_control_row_word_ready;
    wire          u_int8_control_token_ready;
    wire          u_int8_control_busy;
    wire          u_int8_control_weights_busy;
    wire          u_int8_control_issued;
    wire          u_int8_control_row_word_last;
    wire          u_int8_control_token_last;
    wire          u_int8_control_write_enable;
    wire [9:0]    u_int8_control_write_word;
    wire [255:0]  u_int8_control_write_data;
    wire [9:0]    u_int8_control_read_word;
    wire          u_int8_control_read_enable;
    wire          u_int8_control_steer_valid;
    wire          u_int8_control_steer_load;
    wire [7:0]    u_int8_control_steer_index;
    wire [1:0]    u_int8_control_steer_pass;
    wire [5:0]    u_int8_control_steer_turn;
    wire          u_int8_control_steer_emit;
    wire          u_int8_control_steer_emit_end;
    wire [255:0]  u_int8_control_steer_token;
    wire          u_row_word_unpacker_beat_ready;
    wire          u_row_word_unpacker_word_valid;
    wire [255:0]  u_row_word_unpacker_word_data;
    wire          u_token_unpacker_beat_ready;
    wire          u_token_unpacker_word_valid;
    wire [255:0]  u_token_unpacker_word_data;
    wire [127:0]  u_codebook_buffer_lane;
    wire [1023:0] u_codebook_buffer_word;
    wire [31:0]   u_scale_buffer_lane;
    wire [1023:0] u_scale_buffer_word;
    wire [127:0]  u_x_buffer_lane;
    wire [255:0]  u_x_buffer_word;
    wire          u_gemm_control_busy;
    wire [9:0]    u_gemm_control_codebook_lane;
    wire          u_gemm_control_codebook_read;
    wire [10:0]   u_gemm_control_x_lane;
    wire          u_gemm_control_x_read;
    wire          u_gemm_control_steer_valid;
    wire [7:0]    u_gemm_control_steer_index;
    wire [1:0]    u_gemm_control_steer_pass;
    wire          u_gemm_control_steer_half;
    wire          u_gemm_control_steer_step_end;
    wire          u_gemm_control_steer_load;
    wire          u_gemm_control_steer_live;
    wire          u_array_filled;
    wire          u_array_emitted_valid;
    wire          u_array_emitted_end;
    wire [31:0]   u_array_emitted_sum;
    wire [31:0]   u_array_read_valid;
    wire [255:0]  u_array_read_index;
    wire [63:0]   u_array_read_pass;
    wire [31:0]   u_array_read_first;
    wire [31:0]   u_array_out_valid;
    wire [255:0]  u_array_out_index;
    wire [63:0]   u_array_out_pass;
    wire [31:0]   u_array_out_half;
    wire [1023:0] u_array_out_y;
    wire          u_index_unpacker_beat_ready;
    wire          u_index_unpacker_word_valid;
    wire [1023:0] u_index_unpacker_word_data;
    wire          u_epilogue_control_word_ready;
    wire          u_epilogue_control_busy;
    wire          u_epilogue_control_freed;
    wire          u_epilogue_control_issued;
    wire          u_epilogue_control_word_last;
    wire [1023:0] u_epilogue_control_index;
    wire          u_epilogue_control_half;
    wire          u_epilogue_control_output_last;
    wire          u_epilogue_control_access_valid;
    wire [11:0]   u_epilogue_control_access_address;
    wire          u_epilogue_control_access_first;
    wire          u_epilogue_control_access_last;
    wire [1023:0] u_epilogue0_psum;
    wire [45:0]   u_epilogue0_sum_value;
    wire          u_epilogue0_sum_nan;
    wire          u_epilogue0_sum_inf_plus;
    wire          u_epilogue0_sum_inf_minus;
    wire [1023:0] u_epilogue1_psum;
    wire [45:0]   u_epilogue1_sum_value;
    wire          u_epilogue1_sum_nan;
    wire          u_epilogue1_sum_inf_plus;
    wire          u_epilogue1_sum_inf_minus;
    wire [1023:0] u_epilogue2_psum;
    wire [45:0]   u_epilogue2_sum_value;
    wire          u_epilogue2_sum_nan;
    wire          u_epilogue2_sum_inf_plus;
    wire          u_epilogue2_sum_inf_minus;
    wire [1023:0] u_epilogue3_psum;
    wire [45:0]   u_epilogue3_sum_value;
    wire          u_epilogue3_sum_nan;
    wire          u_epilogue3_sum_inf_plus;
    wire          u_epilogue3_sum_inf_minus;
    wire          u_accumulator_result_valid;
    wire [53:0]   u_accumulator_result_value;
    wire          u_accumulator_result_nan;
    wire          u_accumulator_result_inf_plus;
    wire          u_accumulator_result_inf_minus;
    wire [15:0]   u_scaler_y;
    wire          u_y_queue_s_ready;
    wire [32:0]   u_y_queue_m_data;

    assign s_axis_cmd_tready = u_command_cmd_ready;
    assign s_axis_w_tready = u_w_skid_s_ready;
    wire          w_codebook_ready = u_codebook_loader_beat_ready;
    wire          w_scale_ready = u_scale_loader_beat_ready;
    wire          epilogue_busy = u_epilogue_control_busy;
    wire          to_index = epilogue_busy & ~scale_busy;
    wire          w_index_ready = u_index_unpacker_beat_ready;
    wire          rows_busy = u_int8_control_weights_busy;
    wire          to_rows = rows_busy & ~scale_busy;
    wire          w_row_ready = u_row_word_unpacker_beat_ready;
    wire          u_w_skid_m_ready = (codebook_busy & w_codebook_ready) | (scale_busy & w_scale_ready)
        | (to_index & w_index_ready) | (to_rows & w_row_ready);
    assign s_axis_x_tready = u_x_skid_s_ready;
    wire          x_vector_ready = u_x_loader_beat_ready;
    wire          tokens_busy = u_int8_control_busy;
    wire          x_token_ready = u_token_unpacker_beat_ready;
    wire          u_x_skid_m_ready = (x_busy & x_vector_ready) | (tokens_busy & x_token_ready);
    wire [6:0]    cat_0 = {|in_flight, tokens_busy, epilogue_busy, u_gemm_control_busy, x_busy, scale_busy,
        codebook_busy};
    wire          units_busy = |cat_0;
    wire          u_command_sts_ready = m_axis_sts_tready;
    wire [13:0]   scale_halves = scale_fp32 ? {u_command_block_outputs, 1'b0} : {1'b0, u_command_block_outputs};
    wire          room = in_flight != 7'd64;
    wire          u_row_word_unpacker_word_ready = u_int8_control_row_word_ready;
    wire          u_token_unpacker_word_ready = u_int8_control_token_ready;
    wire          freed = u_epilogue_control_freed;
    wire [10:0]   x_lane = int8 ? {u_int8_control_read_word, 1'b0} : u_gemm_control_x_lane;
    wire          x_read = int8 ? u_int8_control_read_enable : u_gemm_control_x_read;
    wire [1023:0] psum = u_epilogue0_psum | u_epilogue1_psum | u_epilogue2_psum | u_epilogue3_psum;
    wire          u_index_unpacker_word_ready = u_epilogue_control_word_ready;
    wire          output_end = u_array_emitted_valid & u_array_emitted_end;
    wire [11:0]   output_number = int8 ? emitted_output : access_address_q3;
    wire [12:0]   zext_0 = {1'b0, output_number};
    wire [12:0]   mux_0 = scale_fp32 ? zext_0 : {1'b0, zext_0[12:1]};
    wire [31:0]   zext_1 = {16'd0, scale_odd_q2 ? scale_lane_q[31:16] : scale_lane_q[15:0]};
    wire [31:0]   scale = scale_fp32 ? scale_lane_q : zext_1;
    wire          u_y_queue_m_ready = m_axis_y_tready;
    assign m_axis_y_tdata = u_y_queue_m_data[31:0];
    assign m_axis_y_tlast = u_y_queue_m_data[32];
    wire          issued = u_epilogue_control_issued | u_int8_control_issued;
    wire          y_taken = m_axis_y_tvalid & u_y_queue_m_ready;
    wire          mux_1 = int8 ? u_array_emitted_valid : access_valid_q3 & access_last_q3;
    wire [9:0]    mux_2 = u_int8_control_write_enable ? u_int8_control_write_word : u_x_loader_write_word;
    wire [255:0]  mux_3 = u_int8_control_write_enable ? u_int8_control_write_data : u_x_loader_write_data;
    wire          mux_4 = int8 ? u_int8_control_steer_valid : u_gemm_control_steer_valid;
    wire [7:0]    mux_5 = int8 ? u_int8_control_steer_index : u_gemm_control_steer_index;
    wire [183:0]  cat_1 = {u_epilogue3_sum_value, u_epilogue2_sum_value, u_epilogue1_sum_value,
        u_epilogue0_sum_value};
    wire [3:0]    cat_2 = {u_epilogue3_sum_nan, u_epilogue2_sum_nan, u_epilogue1_sum_nan, u_epilogue0_sum_nan};
    wire [3:0]    cat_3 = {u_epilogue3_sum_inf_plus, u_epilogue2_sum_inf_plus, u_epilogue1_sum_inf_plus,
        u_epilogue0_sum_inf_plus};
    wire [3:0]    cat_4 = {u_epilogue3_sum_inf_minus, u_epilogue2_sum_inf_minus, u_epilogue1_sum_inf_minus,
        u_epilogue0_sum_inf_minus};
    wire [53:0]   mux_6 = int8 ? {{22{emitted_sum_q2[31]}}, emitted_sum_q2} : u_accumulator_result_value;
    wire [32:0]   cat_5 = {raw ? emitted_last_q2 : y_last_q3, raw ? emitted_sum_q2 : {16'd0, u_scaler_y}};

    eva_skid_1024 u_w_skid (
        .aclk    (aclk),
        .aresetn (aresetn),
        .s_valid (s_axis_w_tvalid),
        .s_data  (s_axis_w_tdata),
        .s_ready (u_w_skid_s_ready),
        .m_ready (u_w_skid_m_ready),
        .m_valid (u_w_skid_m_valid),
        .m_data  (u_w_skid_m_data)
    );

    eva_skid_256 u_x_skid (
        .aclk    (aclk),
        .aresetn (aresetn),
        .s_valid (s_axis_x_tvalid),
        .s_data  (s_axis_x_tdata),
        .s_ready (u_x_skid_s_ready),
        .m_ready (u_x_skid_m_ready),
        .m_valid (u_x_skid_m_valid),
        .m_data  (u_x_skid_m_data)
    );

    eva_command u_command (
        .aclk            (aclk),
        .aresetn         (aresetn),
        .cmd_valid       (s_axis_cmd_tvalid),
        .cmd_data        (s_axis_cmd_tdata),
        .cmd_ready       (u_command_cmd_ready),
        .units_busy      (units_busy),
        .busy            (busy),
        .executing       (executing),
        .start_codebooks (u_command_start_codebooks),
        .start_x         (u_command_start_x),
        .start_gemv      (u_command_start_gemv),
        .start_int8      (u_command_start_int8),
        .start_scales    (u_command_start_scales),
        .work_vectors    (u_command_work_vectors),
        .work_codebooks  (u_command_work_codebooks),
        .block_outputs   (u_command_block_outputs),
        .block_first     (u_command_block_first),
        .block_last      (u_command_block_last),
        .gemm_tokens     (u_command_gemm_tokens),
        .gemm_tiles      (u_command_gemm_tiles),
        .gemm_outputs    (u_command_gemm_outputs),
        .int8            (int8),
        .raw             (raw),
        .scale_fp32      (scale_fp32),
        .sts_ready       (u_command_sts_ready),
        .sts_valid       (m_axis_sts_tvalid),
        .sts_data        (m_axis_sts_tdata)
    );

    eva_codebook_loader u_codebook_loader (
        .aclk         (aclk),
        .aresetn      (aresetn),
        .start        (u_command_start_codebooks),
        .count        ({u_command_work_codebooks, 8'd0}),
        .beat_valid   (u_w_skid_m_valid & codebook_busy),
        .beat_data    (u_w_skid_m_data),
        .beat_ready   (u_codebook_loader_beat_ready),
        .busy         (codebook_busy),
        .write_enable (u_codebook_loader_write_enable),
        .write_word   (u_codebook_loader_write_word),
        .write_data   (u_codebook_loader_write_data)
    );

    eva_scale_loader u_scale_loader (
        .aclk         (aclk),
        .aresetn      (aresetn),
        .start        (u_command_start_scales),
        .count        (scale_halves),
        .beat_valid   (u_w_skid_m_valid & scale_busy),
        .beat_data    (u_w_skid_m_data),
        .beat_ready   (u_scale_loader_beat_ready),
        .busy         (scale_busy),
        .write_enable (u_scale_loader_write_enable),
        .write_word   (u_scale_loader_write_word),
        .write_data   (u_scale_loader_write_data)
    );

    eva_x_loader u_x_loader (
        .aclk         (aclk),
        .aresetn      (aresetn),
        .start        (u_command_start_x),
        .count        (u_command_work_vectors),
        .beat_valid   (u_x_skid_m_valid & x_busy),
        .beat_data    (u_x_skid_m_data),
        .beat_ready   (u_x_loader_beat_ready),
        .busy         (x_busy),
        .write_enable (u_x_loader_write_enable),
        .write_word   (u_x_loader_write_word),
        .write_data   (u_x_loader_write_data)
    );

    eva_int8_control u_int8_control (
        .aclk           (aclk),
        .aresetn        (aresetn),
        .start          (u_command_start_int8),
        .gemm_tokens    (u_command_gemm_tokens),
        .gemm_tiles     (u_command_gemm_tiles),
        .gemm_outputs   (u_command_gemm_outputs),
        .room           (room),
        .row_word_valid (u_row_word_unpacker_word_valid),
        .row_word_data  (u_row_word_unpacker_word_data),
        .row_word_ready (u_int8_control_row_word_ready),
        .token_valid    (u_token_unpacker_word_valid),
        .token_data     (u_token_unpacker_word_data),
        .token_ready    (u_int8_control_token_ready),
        .busy           (u_int8_control_busy),
        .weights_busy   (u_int8_control_weights_busy),
        .issued         (u_int8_control_issued),
        .row_word_last  (u_int8_control_row_word_last),
        .token_last     (u_int8_control_token_last),
        .write_enable   (u_int8_control_write_enable),
        .write_word     (u_int8_control_write_word),
        .write_data     (u_int8_control_write_data),
        .read_word      (u_int8_control_read_word),
        .read_enable    (u_int8_control_read_enable),
        .steer_valid    (u_int8_control_steer_valid),
        .steer_load     (u_int8_control_steer_load),
        .steer_index    (u_int8_control_steer_index),
        .steer_pass     (u_int8_control_steer_pass),
        .steer_turn     (u_int8_control_steer_turn),
        .steer_emit     (u_int8_control_steer_emit),
        .steer_emit_end (u_int8_control_steer_emit_end),
        .steer_token    (u_int8_control_steer_token)
    );

    eva_unpacker_1024x256 u_row_word_unpacker (
        .aclk       (aclk),
        .aresetn    (aresetn),
        .beat_valid (u_w_skid_m_valid & to_rows),
        .beat_data  (u_w_skid_m_data),
        .beat_ready (u_row_word_unpacker_beat_ready),
        .last       (u_int8_control_row_word_last),
        .word_ready (u_row_word_unpacker_word_ready),
        .word_valid (u_row_word_unpacker_word_valid),
        .word_data  (u_row_word_unpacker_word_data)
    );

    eva_unpacker_256x256 u_token_unpacker (
        .beat_valid (u_x_skid_m_valid & tokens_busy),
        .beat_data  (u_x_skid_m_data),
        .beat_ready (u_token_unpacker_beat_ready),
        .last       (u_int8_control_token_last),
        .word_ready (u_token_unpacker_word_ready),
        .word_valid (u_token_unpacker_word_valid),
        .word_data  (u_token_unpacker_word_data)
    );

    eva_lane_buffer_128x8x128 u_codebook_buffer (
        .aclk         (aclk),
        .write_enable (u_codebook_loader_write_enable),
        .write_word   (u_codebook_loader_write_word),
        .write_data   (u_codebook_loader_write_data),
        .read_enable  (u_gemm_control_codebook_read),
        .read_lane    (u_gemm_control_codebook_lane),
        .lane         (u_codebook_buffer_lane),
        .word         (u_codebook_buffer_word)
    );

    eva_lane_buffer_128x32x32 u_scale_buffer (
        .aclk         (aclk),
        .write_enable (u_scale_loader_write_enable),
        .write_word   (u_scale_loader_write_word),
        .write_data   (u_scale_loader_write_data),
        .read_enable  (mux_1),
        .read_lane    (mux_0[11:0]),
        .lane         (u_scale_buffer_lane),
        .word         (u_scale_buffer_word)
    );

    eva_lane_buffer_1024x2x128 u_x_buffer (
        .aclk         (aclk),
        .write_enable (u_x_loader_write_enable | u_int8_control_write_enable),
        .write_word   (mux_2),
        .write_data   (mux_3),
        .read_enable  (x_read),
        .read_lane    (x_lane),
        .lane         (u_x_buffer_lane),
        .word         (u_x_buffer_word)
    );

    eva_gemm_control u_gemm_control (
        .aclk           (aclk),
        .aresetn        (aresetn),
        .start          (u_command_start_gemv),
        .work_vectors   (u_command_work_vectors),
        .work_codebooks (u_command_work_codebooks),
        .freed          (freed),
        .busy           (u_gemm_control_busy),
        .codebook_lane  (u_gemm_control_codebook_lane),
        .codebook_read  (u_gemm_control_codebook_read),
        .x_lane         (u_gemm_control_x_lane),
        .x_read         (u_gemm_control_x_read),
        .steer_valid    (u_gemm_control_steer_valid),
        .steer_index    (u_gemm_control_steer_index),
        .steer_pass     (u_gemm_control_steer_pass),
        .steer_half     (u_gemm_control_steer_half),
        .steer_step_end (u_gemm_control_steer_step_end),
        .steer_load     (u_gemm_control_steer_load),
        .steer_live     (u_gemm_control_steer_live)
    );

    eva_array u_array (
        .aclk          (aclk),
        .aresetn       (aresetn),
        .in_int8       (int8),
        .in_valid      (mux_4),
        .in_load       (int8 ? u_int8_control_steer_load : u_gemm_control_steer_load),
        .in_index      (mux_5),
        .in_pass       (int8 ? u_int8_control_steer_pass : u_gemm_control_steer_pass),
        .in_half       (u_gemm_control_steer_half),
        .in_step_end   (u_gemm_control_steer_step_end),
        .in_turn       (u_int8_control_steer_turn),
        .in_emit       (u_int8_control_steer_emit),
        .in_emit_end   (u_int8_control_steer_emit_end),
        .in_entry      (u_codebook_buffer_lane),
        .in_token      (u_int8_control_steer_token),
        .in_vectors    (u_x_buffer_lane),
        .in_live       (u_gemm_control_steer_live),
        .in_weights    (u_x_buffer_word),
        .psum          (psum),
        .filled        (u_array_filled),
        .emitted_valid (u_array_emitted_valid),
        .emitted_end   (u_array_emitted_end),
        .emitted_sum   (u_array_emitted_sum),
        .read_valid    (u_array_read_valid),
        .read_index    (u_array_read_index),
        .read_pass     (u_array_read_pass),
        .read_first    (u_array_read_first),
        .out_valid     (u_array_out_valid),
        .out_index     (u_array_out_index),
        .out_pass      (u_array_out_pass),
        .out_half      (u_array_out_half),
        .out_y         (u_array_out_y)
    );

    eva_unpacker_1024x1024 u_index_unpacker (
        .beat_valid (u_w_skid_m_valid & to_index),
        .beat_data  (u_w_skid_m_data),
        .beat_ready (u_index_unpacker_beat_ready),
        .last       (u_epilogue_control_word_last),
        .word_ready (u_index_unpacker_word_ready),
        .word_valid (u_index_unpacker_word_valid),
        .word_data  (u_index_unpacker_word_data)
    );

    eva_epilogue_control u_epilogue_control (
        .aclk           (aclk),
        .aresetn        (aresetn),
        .start          (u_command_start_gemv),
        .work_vectors   (u_command_work_vectors),
        .work_codebooks (u_command_work_codebooks),
        .block_outputs  (u_command_block_outputs),
        .block_first    (u_command_block_first),
        .block_last     (u_command_block_last),
        .filled         (u_array_filled),
        .room           (room),
        .word_valid     (u_index_unpacker_word_valid),
        .word_data      (u_index_unpacker_word_data),
        .word_ready     (u_epilogue_control_word_ready),
        .busy           (u_epilogue_control_busy),
        .freed          (u_epilogue_control_freed),
        .issued         (u_epilogue_control_issued),
        .word_last      (u_epilogue_control_word_last),
        .index          (u_epilogue_control_index),
        .half           (u_epilogue_control_half),
        .output_last    (u_epilogue_control_output_last),
        .access_valid   (u_epilogue_control_access_valid),
        .access_address (u_epilogue_control_access_address),
        .access_first   (u_epilogue_control_access_first),
        .access_last    (u_epilogue_control_access_last)
    );

    eva_epilogue_unit u_epilogue0 (
        .aclk          (aclk),
        .int8          (int8),
        .number        (2'd0),
        .in_valid      (u_array_out_valid),
        .in_index      (u_array_out_index),
        .in_pass       (u_array_out_pass),
        .in_half       (u_array_out_half),
        .in_y          (u_array_out_y),
        .read_valid    (u_array_read_valid),
        .read_index    (u_array_read_index),
        .read_pass     (u_array_read_pass),
        .read_first    (u_array_read_first),
        .index         (u_epilogue_control_index[255:0]),
        .half          (u_epilogue_control_half),
        .valid         (u_epilogue_control_access_valid),
        .psum          (u_epilogue0_psum),
        .sum_value     (u_epilogue0_sum_value),
        .sum_nan       (u_epilogue0_sum_nan),
        .sum_inf_plus  (u_epilogue0_sum_inf_plus),
        .sum_inf_minus (u_epilogue0_sum_inf_minus)
    );

    eva_epilogue_unit u_epilogue1 (
        .aclk          (aclk),
        .int8          (int8),
        .number        (2'd1),
        .in_valid      (u_array_out_valid),
        .in_index      (u_array_out_index),
        .in_pass       (u_array_out_pass),
        .in_half       (u_array_out_half),
        .in_y          (u_array_out_y),
        .read_valid    (u_array_read_valid),
        .read_index    (u_array_read_index),
        .read_pass     (u_array_read_pass),
        .read_first    (u_array_read_first),
        .index         (u_epilogue_control_index[511:256]),
        .half          (u_epilogue_control_half),
        .valid         (u_epilogue_control_access_valid),
        .psum          (u_epilogue1_psum),
        .sum_value     (u_epilogue1_sum_value),
        .sum_nan       (u_epilogue1_sum_nan),
        .sum_inf_plus  (u_epilogue1_sum_inf_plus),
        .sum_inf_minus (u_epilogue1_sum_inf_minus)
    );

    eva_epilogue_unit u_epilogue2 (
        .aclk          (aclk),
        .int8          (int8),
        .number        (2'd2),
        .in_valid      (u_array_out_valid),
        .in_index      (u_array_out_index),
        .in_pass       (u_array_out_pass),
        .in_half       (u_array_out_half),
        .in_y          (u_array_out_y),
        .read_valid    (u_array_read_valid),
        .read_index    (u_array_read_index),
        .read_pass     (u_array_read_pass),
        .read_first    (u_array_read_first),
        .index         (u_epilogue_control_index[767:512]),
        .half          (u_epilogue_control_half),
        .valid         (u_epilogue_control_access_valid),
        .psum          (u_epilogue2_psum),
        .sum_value     (u_epilogue2_sum_value),
        .sum_nan       (u_epilogue2_sum_nan),
        .sum_inf_plus  (u_epilogue2_sum_inf_plus),
        .sum_inf_minus (u_epilogue2_sum_inf_minus)
    );

    eva_epilogue_unit u_epilogue3 (
        .aclk          (aclk),
        .int8          (int8),
        .number        (2'd3),
        .in_valid      (u_array_out_valid),
        .in_index      (u_array_out_index),
        .in_pass       (u_array_out_pass),
        .in_half       (u_array_out_half),
        .in_y          (u_array_out_y),
        .read_valid    (u_array_read_valid),
        .read_index    (u_array_read_index),
        .read_pass     (u_array_read_pass),
        .read_first    (u_array_read_first),
        .index         (u_epilogue_control_index[1023:768]),
        .half          (u_epilogue_control_half),
        .valid         (u_epilogue_control_access_valid),
        .psum          (u_epilogue3_psum),
        .sum_value     (u_epilogue3_sum_value),
        .sum_nan       (u_epilogue3_sum_nan),
        .sum_inf_plus  (u_epilogue3_sum_inf_plus),
        .sum_inf_minus (u_epilogue3_sum_inf_minus)
    );

    eva_accumulator u_accumulator (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (access_valid_q3),
        .access_address   (access_address_q3),
        .access_first     (access_first_q3),
        .access_last      (access_last_q3),
        .sum_value        (cat_1),
        .sum_nan          (cat_2),
        .sum_inf_plus     (cat_3),
        .sum_inf_minus    (cat_4),
        .result_valid     (u_accumulator_result_valid),
        .result_value     (u_accumulator_result_value),
        .result_nan       (u_accumulator_result_nan),
        .result_inf_plus  (u_accumulator_result_inf_plus),
        .result_inf_minus (u_accumulator_result_inf_minus)
    );

    eva_scaler u_scaler (
        .aclk          (aclk),
        .sum_value     (mux_6),
        .sum_nan       (u_accumulator_result_nan & ~int8),
        .sum_inf_plus  (u_accumulator_result_inf_plus & ~int8),
        .sum_inf_minus (u_accumulator_result_inf_minus & ~int8),
        .scale         (scale),
        .fp32          (scale_fp32),
        .int8          (int8),
        .y             (u_scaler_y)
    );

    eva_fifo_64x33 u_y_queue (
        .aclk    (aclk),
        .aresetn (aresetn),
        .s_valid ((emitted_valid_q2 & raw) | y_valid_q3),
        .s_data  (cat_5),
        .s_ready (u_y_queue_s_ready),
        .m_ready (u_y_queue_m_ready),
        .m_valid (m_axis_y_tvalid),
        .m_data  (u_y_queue_m_data)
    );

    always @(posedge aclk) begin
        if (!aresetn) begin
            access_valid_q1 <= 1'b0;
            access_valid_q2 <= 1'b0;
            access_valid_q3 <= 1'b0;
            emitted_valid_q1 <= 1'b0;
            emitted_valid_q2 <= 1'b0;
            y_valid_q1 <= 1'b0;
            y_valid_q2 <= 1'b0;
            y_valid_q3 <= 1'b0;
            in_flight <= 7'd0;
        end else begin
            access_valid_q1 <= u_epilogue_control_access_valid;
            access_valid_q2 <= access_valid_q1;
            access_valid_q3 <= access_valid_q2;
            emitted_valid_q1 <= u_array_emitted_valid;
            emitted_valid_q2 <= emitted_valid_q1;
            y_valid_q1 <= int8 ? emitted_valid_q2 & ~raw : u_accumulator_result_valid;
            y_valid_q2 <= y_valid_q1;
            y_valid_q3 <= y_valid_q2;
            in_flight <= (y_taken & ~issued) ? in_flight - 7'd1
                : (issued & ~y_taken) ? in_flight + 7'd1
                : in_flight;
        end
    end

    always @(posedge aclk) begin
        access_address_q1 <= u_epilogue_control_access_address;
        access_address_q2 <= access_address_q1;
        access_address_q3 <= access_address_q2;
        access_first_q1 <= u_epilogue_control_access_first;
        access_first_q2 <= access_first_q1;
        access_first_q3 <= access_first_q2;
        access_last_q1 <= u_epilogue_control_access_last;
        access_last_q2 <= access_last_q1;
        access_last_q3 <= access_last_q2;
        emitted_output <= u_command_start_int8 ? 12'd0 : output_end ? emitted_output + 12'd1 : emitted_output;
        emitted_last_q1 <= output_end & (({1'b0, emitted_output} + 13'd1) == u_command_gemm_outputs);
        emitted_last_q2 <= emitted_last_q1;
        emitted_sum_q1 <= u_array_emitted_sum;
        emitted_sum_q2 <= emitted_sum_q1;
        scale_lane_q <= u_scale_buffer_lane;
        scale_odd_q1 <= output_number[0];
        scale_odd_q2 <= scale_odd_q1;
        word_last_q1 <= u_epilogue_control_output_last;
        word_last_q2 <= word_last_q1;
        word_last_q3 <= word_last_q2;
        word_last_q4 <= word_last_q3;
        word_last_q5 <= word_last_q4;
        y_last_q1 <= int8 ? emitted_last_q2 : word_last_q5;
        y_last_q2 <= y_last_q1;
        y_last_q3 <= y_last_q2;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_cycles <= 32'd0;
        end else if (executing) begin
            count_cycles <= count_cycles + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_w_beats <= 32'd0;
        end else if (u_w_skid_m_valid & u_w_skid_m_ready) begin
            count_w_beats <= count_w_beats + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_w_stalls <= 32'd0;
        end else if (u_w_skid_m_ready & ~u_w_skid_m_valid) begin
            count_w_stalls <= count_w_stalls + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_x_stalls <= 32'd0;
        end else if (u_x_skid_m_ready & ~u_x_skid_m_valid) begin
            count_x_stalls <= count_x_stalls + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_y_stalls <= 32'd0;
        end else if (m_axis_y_tvalid & ~u_y_queue_m_ready) begin
            count_y_stalls <= count_y_stalls + 32'd1;
        end
    end

    assign stat_cycles = count_cycles;
    assign stat_w_beats = count_w_beats;
    assign stat_w_stalls = count_w_stalls;
    assign stat_x_stalls = count_x_stalls;
    assign stat_y_stalls = count_y_stalls;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_codebook_buffer_word, u_scale_buffer_word, mux_0[12], u_y_queue_s_ready};

endmodule

`default_nettype wire
