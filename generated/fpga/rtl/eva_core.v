// eva_core: EVA core: decoding (codebook products, exact lookup sums, scaling) and INT8 matrix products on one
// array.
//
//   array.rows          = 4
//   array.cols          = 32
//   vq.dim              = 8
//   vq.index_bits       = 8
//   vq.max_codebooks    = 2
//   epilogue.units      = 2
//   buffers.max_k       = 4096
//   buffers.max_n_block = 2048
//   stream.width        = 128
//   pipeline.pe         = 1
//   pipeline.tree       = 4
//   pipeline.epilogue   = 4
//   pipeline.scale      = 4
//   generator           = eva-rtl 0.1.0
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_core (
    input  wire         aclk,
    input  wire         aresetn,
    input  wire         s_axis_cmd_tvalid,
    input  wire [127:0] s_axis_cmd_tdata,
    output wire         s_axis_cmd_tready,
    input  wire         s_axis_w_tvalid,
    input  wire [127:0] s_axis_w_tdata,
    output wire         s_axis_w_tready,
    input  wire         s_axis_x_tvalid,
    input  wire [255:0] s_axis_x_tdata,
    output wire         s_axis_x_tready,
    input  wire         m_axis_sts_tready,
    output wire         m_axis_sts_tvalid,
    output wire [63:0]  m_axis_sts_tdata,
    input  wire         m_axis_y_tready,
    output wire         m_axis_y_tvalid,
    output wire [31:0]  m_axis_y_tdata,
    output wire         m_axis_y_tlast,
    output wire         busy,
    output wire [31:0]  stat_cycles,
    output wire [31:0]  stat_w_beats,
    output wire [31:0]  stat_x_beats,
    output wire [31:0]  stat_y_beats,
    output wire [31:0]  stat_w_stalls,
    output wire [31:0]  stat_x_stalls,
    output wire [31:0]  stat_y_stalls,
    output wire [31:0]  stat_load_stalls,
    output wire [31:0]  stat_oc_stalls
);

    reg        access_valid_q1;
    reg        access_valid_q2;
    reg        access_valid_q3;
    reg        access_valid_q4;
    reg        access_valid_q5;
    reg [10:0] access_address_q1;
    reg [10:0] access_address_q2;
    reg [10:0] access_address_q3;
    reg [10:0] access_address_q4;
    reg [10:0] access_address_q5;
    reg        access_first_q1;
    reg        access_first_q2;
    reg        access_first_q3;
    reg        access_first_q4;
    reg        access_first_q5;
    reg        access_last_q1;
    reg        access_last_q2;
    reg        access_last_q3;
    reg        access_last_q4;
    reg        access_last_q5;
    reg        access_split_q1;
    reg        access_split_q2;
    reg        access_split_q3;
    reg        access_split_q4;
    reg        access_split_q5;
    reg [10:0] emitted_output;
    reg        emitted_last_q1;
    reg        emitted_last_q2;
    reg        emitted_last_q3;
    reg        emitted_valid_q1;
    reg        emitted_valid_q2;
    reg        emitted_valid_q3;
    reg [31:0] emitted_sum_q1;
    reg [31:0] emitted_sum_q2;
    reg [31:0] emitted_sum_q3;
    reg        access_scale_fp32_q1;
    reg        access_scale_fp32_q2;
    reg        access_scale_fp32_q3;
    reg        access_scale_fp32_q4;
    reg        access_scale_fp32_q5;
    reg [31:0] scale_lane_q1;
    reg [31:0] scale_lane_q2;
    reg        scale_odd;
    reg        scale_odd_held_q1;
    reg        scale_odd_held_q2;
    reg        scale_fp32_held;
    reg        fp32_q1;
    reg        fp32_q2;
    reg        y_valid_q1;
    reg        y_valid_q2;
    reg        y_valid_q3;
    reg        y_valid_q4;
    reg        output_last_q1;
    reg        output_last_q2;
    reg        output_last_q3;
    reg        output_last_q4;
    reg        output_last_q5;
    reg        output_last_held;
    reg        output_last_held_q1;
    reg        output_last_held_q2;
    reg        y_last_q1;
    reg        y_last_q2;
    reg        y_last_q3;
    reg        y_last_q4;
    reg [5:0]  in_flight;
    reg        event_cycles;
    reg [31:0] count_cycles;
    reg        event_w_beats;
    reg [31:0] count_w_beats;
    reg        event_x_beats;
    reg [31:0] count_x_beats;
    reg        event_y_beats;
    reg [31:0] count_y_beats;
    reg        event_w_stalls;
    reg [31:0] count_w_stalls;
    reg        event_x_stalls;
    reg [31:0] count_x_stalls;
    reg        event_y_stalls;
    reg [31:0] count_y_stalls;
    reg        event_load_stalls;
    reg [31:0] count_load_stalls;
    reg        event_oc_stalls;
    reg [31:0] count_oc_stalls;

    wire         u_w_skid_s_ready;
    wire         u_w_skid_m_valid;
    wire [127:0] u_w_skid_m_data;
    wire         u_x_skid_s_ready;
    wire         u_x_skid_m_valid;
    wire [255:0] u_x_skid_m_data;
    wire         u_command_cmd_ready;
    wire         u_command_taken;
    wire         u_command_idle;
    wire         u_command_start_x;
    wire         u_command_start_int8;
    wire [9:0]   u_command_gemm_tokens;
    wire [11:0]  u_command_gemm_tiles;
    wire [11:0]  u_command_gemm_outputs;
    wire [9:0]   u_command_vectors;
    wire         int8;
    wire         raw;
    wire [1:0]   u_command_loading;
    wire         u_command_gemm_job_valid;
    wire [9:0]   u_command_gemm_job_vectors;
    wire [15:0]  u_command_gemm_job_from_word;
    wire [1:0]   u_command_gemm_job_codebooks;
    wire         u_command_gemm_job_slot;
    wire         u_command_gemm_job_grouped;
    wire [1:0]   u_command_gemm_job_mask;
    wire         u_command_gemm_job_split;
    wire         u_command_epilogue_job_valid;
    wire [9:0]   u_command_epilogue_job_vectors;
    wire [1:0]   u_command_epilogue_job_codebooks;
    wire [11:0]  u_command_epilogue_job_outputs;
    wire         u_command_epilogue_job_first;
    wire         u_command_epilogue_job_last;
    wire         u_command_epilogue_job_scale_fp32;
    wire         u_command_epilogue_job_split;
    wire         u_command_weight_job_valid;
    wire         u_command_weight_job_loads;
    wire [1:0]   u_command_weight_job_codebooks;
    wire         u_command_weight_job_slot;
    wire [1:0]   u_command_weight_job_mask;
    wire         u_command_weight_job_scales;
    wire         u_command_weight_job_scale_fp32;
    wire [11:0]  u_command_weight_job_outputs;
    wire         u_command_weight_job_int8;
    wire         u_command_pending_valid;
    wire [7:0]   u_command_pending_opcode;
    wire [7:0]   u_command_pending_status;
    wire [15:0]  u_command_pending_tag;
    wire [2:0]   u_command_pending_awaits;
    wire         u_gemm_jobs_s_ready;
    wire         u_gemm_jobs_m_valid;
    wire [32:0]  u_gemm_jobs_m_data;
    wire         u_epilogue_jobs_s_ready;
    wire         u_epilogue_jobs_m_valid;
    wire [27:0]  u_epilogue_jobs_m_data;
    wire         u_weight_jobs_s_ready;
    wire         u_weight_jobs_m_valid;
    wire [20:0]  u_weight_jobs_m_data;
    wire         u_completion_pending_ready;
    wire         u_completion_idle;
    wire         u_weight_control_job_ready;
    wire         u_weight_control_start_codebooks;
    wire         u_weight_control_start_scales;
    wire         u_weight_control_to_index;
    wire         u_weight_control_to_rows;
    wire [1:0]   u_weight_control_loading_codebooks;
    wire         u_weight_control_loading_slot;
    wire [1:0]   u_weight_control_loading_mask;
    wire [11:0]  u_weight_control_loading_outputs;
    wire         u_weight_control_loading_scale_fp32;
    wire         u_codebook_loader_beat_ready;
    wire         codebooks_end;
    wire         codebook_busy;
    wire         u_codebook_loader_write_enable;
    wire [8:0]   u_codebook_loader_write_word;
    wire [127:0] u_codebook_loader_write_data;
    wire         u_scale_loader_beat_ready;
    wire         u_scale_loader_done;
    wire         scale_busy;
    wire         u_scale_loader_write_enable;
    wire [8:0]   u_scale_loader_write_word;
    wire [127:0] u_scale_loader_write_data;
    wire         u_x_loader_beat_ready;
    wire         u_x_loader_done;
    wire         x_busy;
    wire         u_x_loader_write_enable;
    wire [7:0]   u_x_loader_write_word;
    wire [255:0] u_x_loader_write_data;
    wire         u_int8_control_row_word_ready;
    wire         u_int8_control_token_ready;
    wire         u_int8_control_rows_end;
    wire         u_int8_control_busy;
    wire         u_int8_control_rows_wanted;
    wire         emitted_issued;
    wire         u_int8_control_row_word_last;
    wire         u_int8_control_token_last;
    wire         u_int8_control_write_enable;
    wire [7:0]   u_int8_control_write_word;
    wire [255:0] u_int8_control_write_data;
    wire [7:0]   u_int8_control_read_word;
    wire         u_int8_control_read_enable;
    wire         u_int8_control_steer_valid;
    wire         u_int8_control_steer_load;
    wire [7:0]   u_int8_control_steer_index;
    wire         u_int8_control_steer_pass;
    wire [2:0]   u_int8_control_steer_turn;
    wire         u_int8_control_steer_emit;
    wire         u_int8_control_steer_emit_end;
    wire [255:0] u_int8_control_steer_token;
    wire         u_row_word_unpacker_beat_ready;
    wire         u_row_word_unpacker_word_valid;
    wire [255:0] u_row_word_unpacker_word_data;
    wire         u_token_unpacker_beat_ready;
    wire         u_token_unpacker_word_valid;
    wire [255:0] u_token_unpacker_word_data;
    wire [127:0] u_codebook_buffer_lane;
    wire [127:0] u_codebook_buffer_word;
    wire [31:0]  u_scale_buffer_lane;
    wire [127:0] u_scale_buffer_word;
    wire [127:0] u_x_buffer_lane;
    wire [255:0] u_x_buffer_word;
    wire         u_gemm_control_job_ready;
    wire         u_gemm_control_done;
    wire         u_gemm_control_stalled;
    wire [1:0]   u_gemm_control_used;
    wire [8:0]   u_gemm_control_codebook_lane;
    wire         u_gemm_control_codebook_read;
    wire [8:0]   u_gemm_control_x_lane;
    wire         u_gemm_control_x_read;
    wire         u_gemm_control_steer_valid;
    wire [7:0]   u_gemm_control_steer_index;
    wire         u_gemm_control_steer_pass;
    wire         u_gemm_control_steer_half;
    wire         u_gemm_control_steer_step_end;
    wire         u_gemm_control_steer_load;
    wire         u_gemm_control_steer_live;
    wire         u_array_filled;
    wire         u_array_emitted_valid;
    wire         u_array_emitted_end;
    wire [31:0]  u_array_emitted_sum;
    wire [3:0]   u_array_read_valid;
    wire [31:0]  u_array_read_index;
    wire [3:0]   u_array_read_pass;
    wire [3:0]   u_array_read_first;
    wire [3:0]   u_array_out_valid;
    wire [31:0]  u_array_out_index;
    wire [3:0]   u_array_out_pass;
    wire [3:0]   u_array_out_half;
    wire [127:0] u_array_out_y;
    wire         u_index_unpacker1_beat_ready;
    wire         u_index_unpacker1_word_valid;
    wire [63:0]  u_index_unpacker1_word_data;
    wire         u_index_unpacker2_beat_ready;
    wire         u_index_unpacker2_word_valid;
    wire [31:0]  u_index_unpacker2_word_data;
    wire         u_epilogue_control_job_ready;
    wire         u_epilogue_control_word_ready;
    wire         u_epilogue_control_scale_fp32;
    wire         u_epilogue_control_split;
    wire         u_epilogue_control_done;
    wire         u_epilogue_control_keeps;
    wire         u_epilogue_control_stalled;
    wire         u_epilogue_control_freed;
    wire         issued;
    wire         u_epilogue_control_word_last;
    wire [63:0]  u_epilogue_control_index;
    wire         u_epilogue_control_half;
    wire         u_epilogue_control_output_last;
    wire         u_epilogue_control_access_valid;
    wire [10:0]  u_epilogue_control_access_address;
    wire         u_epilogue_control_access_first;
    wire         u_epilogue_control_access_last;
    wire         u_epilogue_control_access_split;
    wire [127:0] u_epilogue0_psum;
    wire [42:0]  u_epilogue0_sum_value;
    wire         u_epilogue0_sum_nan;
    wire         u_epilogue0_sum_inf_plus;
    wire         u_epilogue0_sum_inf_minus;
    wire [127:0] u_epilogue1_psum;
    wire [42:0]  u_epilogue1_sum_value;
    wire         u_epilogue1_sum_nan;
    wire         u_epilogue1_sum_inf_plus;
    wire         u_epilogue1_sum_inf_minus;
    wire         u_accumulator_result_valid;
    wire         u_accumulator_result_final;
    wire [50:0]  u_accumulator_result_value;
    wire         u_accumulator_result_nan;
    wire         u_accumulator_result_inf_plus;
    wire         u_accumulator_result_inf_minus;
    wire [15:0]  u_scaler_y;
    wire         u_y_queue_s_ready;
    wire [32:0]  u_y_queue_m_data;

    assign s_axis_cmd_tready = u_command_cmd_ready;
    assign s_axis_w_tready = u_w_skid_s_ready;
    wire         w_codebook_ready = u_codebook_loader_beat_ready;
    wire         w_scale_ready = u_scale_loader_beat_ready;
    wire         split = u_epilogue_control_split;
    wire         eq_0 = split == 1'b0;
    wire         index_for1_ready = u_index_unpacker1_beat_ready;
    wire         eq_1 = split == 1'b1;
    wire         index_for2_ready = u_index_unpacker2_beat_ready;
    wire         w_index_ready = (eq_0 & index_for1_ready) | (eq_1 & index_for2_ready);
    wire         rows_wanted = u_int8_control_rows_wanted;
    wire         to_rows = u_weight_control_to_rows & rows_wanted;
    wire         w_row_ready = u_row_word_unpacker_beat_ready;
    wire         u_w_skid_m_ready = (codebook_busy & w_codebook_ready) | (scale_busy & w_scale_ready)
        | (u_weight_control_to_index & w_index_ready) | (to_rows & w_row_ready);
    assign s_axis_x_tready = u_x_skid_s_ready;
    wire         x_vector_ready = u_x_loader_beat_ready;
    wire         tokens_busy = u_int8_control_busy;
    wire         x_token_ready = u_token_unpacker_beat_ready;
    wire         u_x_skid_m_ready = (x_busy & x_vector_ready) | (tokens_busy & x_token_ready);
    wire         u_command_gemm_job_ready = u_gemm_jobs_s_ready;
    wire         u_gemm_jobs_m_ready = u_gemm_control_job_ready;
    wire         u_command_epilogue_job_ready = u_epilogue_jobs_s_ready;
    wire         u_epilogue_jobs_m_ready = u_epilogue_control_job_ready;
    wire         u_command_weight_job_ready = u_weight_jobs_s_ready;
    wire         u_weight_jobs_m_ready = u_weight_control_job_ready;
    wire         u_command_pending_ready = u_completion_pending_ready;
    wire         u_completion_sts_ready = m_axis_sts_tready;
    wire [12:0]  scale_halves = u_weight_control_loading_scale_fp32 ? {u_weight_control_loading_outputs, 1'b0}
        : {1'b0, u_weight_control_loading_outputs};
    wire         and_0 = u_w_skid_m_valid & u_weight_control_to_index;
    wire         room = in_flight <= 6'd30;
    wire         u_row_word_unpacker_word_ready = u_int8_control_row_word_ready;
    wire         u_token_unpacker_word_ready = u_int8_control_token_ready;
    wire         freed = u_epilogue_control_freed;
    wire [8:0]   x_lane = int8 ? {u_int8_control_read_word, 1'b0} : u_gemm_control_x_lane;
    wire         x_read = int8 ? u_int8_control_read_enable : u_gemm_control_x_read;
    wire [127:0] psum = u_epilogue0_psum | u_epilogue1_psum;
    wire         word_last = u_epilogue_control_word_last;
    wire         index_word_ready = u_epilogue_control_word_ready;
    wire         u_index_unpacker1_word_ready = index_word_ready & eq_0;
    wire         u_index_unpacker2_word_ready = index_word_ready & eq_1;
    wire         output_end = u_array_emitted_valid & u_array_emitted_end;
    wire [10:0]  output_number = int8 ? emitted_output : access_address_q5;
    wire         scale_fp32 = int8 | access_scale_fp32_q5;
    wire [11:0]  zext_0 = {1'b0, output_number};
    wire [11:0]  mux_0 = scale_fp32 ? zext_0 : {1'b0, zext_0[11:1]};
    wire         mux_1 = int8 ? u_array_emitted_valid : access_valid_q5 & access_last_q5;
    wire [15:0]  mux_2 = scale_odd_held_q2 ? scale_lane_q2[31:16] : scale_lane_q2[15:0];
    wire [31:0]  scale = fp32_q2 ? scale_lane_q2 : {16'd0, mux_2};
    wire         u_y_queue_m_ready = m_axis_y_tready;
    assign m_axis_y_tdata = u_y_queue_m_data[31:0];
    assign m_axis_y_tlast = u_y_queue_m_data[32];
    wire         y_taken = m_axis_y_tvalid & u_y_queue_m_ready;
    wire [5:0]   added = issued ? (split ? 6'd2 : 6'd1) : {5'd0, emitted_issued};
    wire         last_taken = y_taken & m_axis_y_tlast;
    wire         busy_now = ~u_command_idle | ~u_completion_idle;
    wire [32:0]  cat_0 = {u_command_gemm_job_split, u_command_gemm_job_mask, u_command_gemm_job_grouped,
        u_command_gemm_job_slot, u_command_gemm_job_codebooks, u_command_gemm_job_from_word,
        u_command_gemm_job_vectors};
    wire [27:0]  cat_1 = {u_command_epilogue_job_split, u_command_epilogue_job_scale_fp32,
        u_command_epilogue_job_last, u_command_epilogue_job_first, u_command_epilogue_job_outputs,
        u_command_epilogue_job_codebooks, u_command_epilogue_job_vectors};
    wire [20:0]  cat_2 = {u_command_weight_job_int8, u_command_weight_job_outputs, u_command_weight_job_scale_fp32,
        u_command_weight_job_scales, u_command_weight_job_mask, u_command_weight_job_slot,
        u_command_weight_job_codebooks, u_command_weight_job_loads};
    wire [7:0]   mux_3 = u_int8_control_write_enable ? u_int8_control_write_word : u_x_loader_write_word;
    wire [255:0] mux_4 = u_int8_control_write_enable ? u_int8_control_write_data : u_x_loader_write_data;
    wire         mux_5 = int8 ? u_int8_control_steer_valid : u_gemm_control_steer_valid;
    wire [7:0]   mux_6 = int8 ? u_int8_control_steer_index : u_gemm_control_steer_index;
    wire         any_0 = |{u_index_unpacker2_word_valid, u_index_unpacker1_word_valid};
    wire [63:0]  select_0 = split ? {2{u_index_unpacker2_word_data}} : u_index_unpacker1_word_data;
    wire [50:0]  mux_7 = int8 ? {{19{emitted_sum_q3[31]}}, emitted_sum_q3} : u_accumulator_result_value;
    wire [32:0]  cat_3 = {raw ? emitted_last_q3 : y_last_q4, raw ? emitted_sum_q3 : {16'd0, u_scaler_y}};

    eva_skid_128 u_w_skid (
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
        .aclk                    (aclk),
        .aresetn                 (aresetn),
        .cmd_valid               (s_axis_cmd_tvalid),
        .cmd_data                (s_axis_cmd_tdata),
        .cmd_ready               (u_command_cmd_ready),
        .report_codebooks_end    (codebooks_end),
        .report_loaded           (u_weight_control_loading_mask),
        .report_gemm_end         (u_gemm_control_done),
        .report_used             (u_gemm_control_used),
        .report_x_busy           (x_busy),
        .report_idle             (u_completion_idle),
        .taken                   (u_command_taken),
        .idle                    (u_command_idle),
        .start_x                 (u_command_start_x),
        .start_int8              (u_command_start_int8),
        .gemm_tokens             (u_command_gemm_tokens),
        .gemm_tiles              (u_command_gemm_tiles),
        .gemm_outputs            (u_command_gemm_outputs),
        .vectors                 (u_command_vectors),
        .int8                    (int8),
        .raw                     (raw),
        .loading                 (u_command_loading),
        .gemm_job_ready          (u_command_gemm_job_ready),
        .gemm_job_valid          (u_command_gemm_job_valid),
        .gemm_job_vectors        (u_command_gemm_job_vectors),
        .gemm_job_from_word      (u_command_gemm_job_from_word),
        .gemm_job_codebooks      (u_command_gemm_job_codebooks),
        .gemm_job_slot           (u_command_gemm_job_slot),
        .gemm_job_grouped        (u_command_gemm_job_grouped),
        .gemm_job_mask           (u_command_gemm_job_mask),
        .gemm_job_split          (u_command_gemm_job_split),
        .epilogue_job_ready      (u_command_epilogue_job_ready),
        .epilogue_job_valid      (u_command_epilogue_job_valid),
        .epilogue_job_vectors    (u_command_epilogue_job_vectors),
        .epilogue_job_codebooks  (u_command_epilogue_job_codebooks),
        .epilogue_job_outputs    (u_command_epilogue_job_outputs),
        .epilogue_job_first      (u_command_epilogue_job_first),
        .epilogue_job_last       (u_command_epilogue_job_last),
        .epilogue_job_scale_fp32 (u_command_epilogue_job_scale_fp32),
        .epilogue_job_split      (u_command_epilogue_job_split),
        .weight_job_ready        (u_command_weight_job_ready),
        .weight_job_valid        (u_command_weight_job_valid),
        .weight_job_loads        (u_command_weight_job_loads),
        .weight_job_codebooks    (u_command_weight_job_codebooks),
        .weight_job_slot         (u_command_weight_job_slot),
        .weight_job_mask         (u_command_weight_job_mask),
        .weight_job_scales       (u_command_weight_job_scales),
        .weight_job_scale_fp32   (u_command_weight_job_scale_fp32),
        .weight_job_outputs      (u_command_weight_job_outputs),
        .weight_job_int8         (u_command_weight_job_int8),
        .pending_ready           (u_command_pending_ready),
        .pending_valid           (u_command_pending_valid),
        .pending_opcode          (u_command_pending_opcode),
        .pending_status          (u_command_pending_status),
        .pending_tag             (u_command_pending_tag),
        .pending_awaits          (u_command_pending_awaits)
    );

    eva_fifo_2x33 u_gemm_jobs (
        .aclk    (aclk),
        .aresetn (aresetn),
        .s_valid (u_command_gemm_job_valid),
        .s_data  (cat_0),
        .s_ready (u_gemm_jobs_s_ready),
        .m_ready (u_gemm_jobs_m_ready),
        .m_valid (u_gemm_jobs_m_valid),
        .m_data  (u_gemm_jobs_m_data)
    );

    eva_fifo_2x28 u_epilogue_jobs (
        .aclk    (aclk),
        .aresetn (aresetn),
        .s_valid (u_command_epilogue_job_valid),
        .s_data  (cat_1),
        .s_ready (u_epilogue_jobs_s_ready),
        .m_ready (u_epilogue_jobs_m_ready),
        .m_valid (u_epilogue_jobs_m_valid),
        .m_data  (u_epilogue_jobs_m_data)
    );

    eva_fifo_2x21 u_weight_jobs (
        .aclk    (aclk),
        .aresetn (aresetn),
        .s_valid (u_command_weight_job_valid),
        .s_data  (cat_2),
        .s_ready (u_weight_jobs_s_ready),
        .m_ready (u_weight_jobs_m_ready),
        .m_valid (u_weight_jobs_m_valid),
        .m_data  (u_weight_jobs_m_data)
    );

    eva_completion u_completion (
        .aclk            (aclk),
        .aresetn         (aresetn),
        .taken           (u_command_taken),
        .pending_valid   (u_command_pending_valid),
        .pending_opcode  (u_command_pending_opcode),
        .pending_status  (u_command_pending_status),
        .pending_tag     (u_command_pending_tag),
        .pending_awaits  (u_command_pending_awaits),
        .pending_ready   (u_completion_pending_ready),
        .event_codebooks (codebooks_end),
        .event_x         (u_x_loader_done),
        .event_sums      (u_epilogue_control_keeps),
        .event_outputs   (last_taken),
        .idle            (u_completion_idle),
        .sts_ready       (u_completion_sts_ready),
        .sts_valid       (m_axis_sts_tvalid),
        .sts_data        (m_axis_sts_tdata)
    );

    eva_weight_control u_weight_control (
        .aclk               (aclk),
        .aresetn            (aresetn),
        .job_valid          (u_weight_jobs_m_valid),
        .job_loads          (u_weight_jobs_m_data[0]),
        .job_codebooks      (u_weight_jobs_m_data[2:1]),
        .job_slot           (u_weight_jobs_m_data[3]),
        .job_mask           (u_weight_jobs_m_data[5:4]),
        .job_scales         (u_weight_jobs_m_data[6]),
        .job_scale_fp32     (u_weight_jobs_m_data[7]),
        .job_outputs        (u_weight_jobs_m_data[19:8]),
        .job_int8           (u_weight_jobs_m_data[20]),
        .job_ready          (u_weight_control_job_ready),
        .codebooks_end      (codebooks_end),
        .scales_end         (u_scale_loader_done),
        .words_end          (u_epilogue_control_done | u_int8_control_rows_end),
        .start_codebooks    (u_weight_control_start_codebooks),
        .start_scales       (u_weight_control_start_scales),
        .to_index           (u_weight_control_to_index),
        .to_rows            (u_weight_control_to_rows),
        .loading_codebooks  (u_weight_control_loading_codebooks),
        .loading_slot       (u_weight_control_loading_slot),
        .loading_mask       (u_weight_control_loading_mask),
        .loading_outputs    (u_weight_control_loading_outputs),
        .loading_scale_fp32 (u_weight_control_loading_scale_fp32)
    );

    eva_codebook_loader u_codebook_loader (
        .aclk         (aclk),
        .aresetn      (aresetn),
        .start        (u_weight_control_start_codebooks),
        .count        ({u_weight_control_loading_codebooks, 8'd0}),
        .from         ({u_weight_control_loading_slot, 8'd0}),
        .beat_valid   (u_w_skid_m_valid & codebook_busy),
        .beat_data    (u_w_skid_m_data),
        .beat_ready   (u_codebook_loader_beat_ready),
        .done         (codebooks_end),
        .busy         (codebook_busy),
        .write_enable (u_codebook_loader_write_enable),
        .write_word   (u_codebook_loader_write_word),
        .write_data   (u_codebook_loader_write_data)
    );

    eva_scale_loader u_scale_loader (
        .aclk         (aclk),
        .aresetn      (aresetn),
        .start        (u_weight_control_start_scales),
        .count        (scale_halves),
        .from         (9'd0),
        .beat_valid   (u_w_skid_m_valid & scale_busy),
        .beat_data    (u_w_skid_m_data),
        .beat_ready   (u_scale_loader_beat_ready),
        .done         (u_scale_loader_done),
        .busy         (scale_busy),
        .write_enable (u_scale_loader_write_enable),
        .write_word   (u_scale_loader_write_word),
        .write_data   (u_scale_loader_write_data)
    );

    eva_x_loader u_x_loader (
        .aclk         (aclk),
        .aresetn      (aresetn),
        .start        (u_command_start_x),
        .count        (u_command_vectors),
        .from         (8'd0),
        .beat_valid   (u_x_skid_m_valid & x_busy),
        .beat_data    (u_x_skid_m_data),
        .beat_ready   (u_x_loader_beat_ready),
        .done         (u_x_loader_done),
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
        .rows_end       (u_int8_control_rows_end),
        .busy           (u_int8_control_busy),
        .rows_wanted    (u_int8_control_rows_wanted),
        .issued         (emitted_issued),
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

    eva_unpacker_128x256 u_row_word_unpacker (
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

    eva_lane_buffer_512x1x128 u_codebook_buffer (
        .aclk         (aclk),
        .write_enable (u_codebook_loader_write_enable),
        .write_word   (u_codebook_loader_write_word),
        .write_data   (u_codebook_loader_write_data),
        .read_enable  (u_gemm_control_codebook_read),
        .read_lane    (u_gemm_control_codebook_lane),
        .lane         (u_codebook_buffer_lane),
        .word         (u_codebook_buffer_word)
    );

    eva_lane_buffer_512x4x32 u_scale_buffer (
        .aclk         (aclk),
        .write_enable (u_scale_loader_write_enable),
        .write_word   (u_scale_loader_write_word),
        .write_data   (u_scale_loader_write_data),
        .read_enable  (mux_1),
        .read_lane    (mux_0[10:0]),
        .lane         (u_scale_buffer_lane),
        .word         (u_scale_buffer_word)
    );

    eva_lane_buffer_256x2x128 u_x_buffer (
        .aclk         (aclk),
        .write_enable (u_x_loader_write_enable | u_int8_control_write_enable),
        .write_word   (mux_3),
        .write_data   (mux_4),
        .read_enable  (x_read),
        .read_lane    (x_lane),
        .lane         (u_x_buffer_lane),
        .word         (u_x_buffer_word)
    );

    eva_gemm_control u_gemm_control (
        .aclk           (aclk),
        .aresetn        (aresetn),
        .job_valid      (u_gemm_jobs_m_valid),
        .job_vectors    (u_gemm_jobs_m_data[9:0]),
        .job_from_word  (u_gemm_jobs_m_data[25:10]),
        .job_codebooks  (u_gemm_jobs_m_data[27:26]),
        .job_slot       (u_gemm_jobs_m_data[28]),
        .job_grouped    (u_gemm_jobs_m_data[29]),
        .job_mask       (u_gemm_jobs_m_data[31:30]),
        .job_split      (u_gemm_jobs_m_data[32]),
        .job_ready      (u_gemm_control_job_ready),
        .loading        (u_command_loading),
        .x_busy         (x_busy),
        .x_word         (u_x_loader_write_word),
        .freed          (freed),
        .done           (u_gemm_control_done),
        .stalled        (u_gemm_control_stalled),
        .used           (u_gemm_control_used),
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
        .in_valid      (mux_5),
        .in_load       (int8 ? u_int8_control_steer_load : u_gemm_control_steer_load),
        .in_index      (mux_6),
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

    eva_unpacker_128x64 u_index_unpacker1 (
        .aclk       (aclk),
        .aresetn    (aresetn),
        .beat_valid (and_0 & eq_0),
        .beat_data  (u_w_skid_m_data),
        .beat_ready (u_index_unpacker1_beat_ready),
        .last       (word_last),
        .word_ready (u_index_unpacker1_word_ready),
        .word_valid (u_index_unpacker1_word_valid),
        .word_data  (u_index_unpacker1_word_data)
    );

    eva_unpacker_128x32 u_index_unpacker2 (
        .aclk       (aclk),
        .aresetn    (aresetn),
        .beat_valid (and_0 & eq_1),
        .beat_data  (u_w_skid_m_data),
        .beat_ready (u_index_unpacker2_beat_ready),
        .last       (word_last),
        .word_ready (u_index_unpacker2_word_ready),
        .word_valid (u_index_unpacker2_word_valid),
        .word_data  (u_index_unpacker2_word_data)
    );

    eva_epilogue_control u_epilogue_control (
        .aclk           (aclk),
        .aresetn        (aresetn),
        .job_valid      (u_epilogue_jobs_m_valid),
        .job_vectors    (u_epilogue_jobs_m_data[9:0]),
        .job_codebooks  (u_epilogue_jobs_m_data[11:10]),
        .job_outputs    (u_epilogue_jobs_m_data[23:12]),
        .job_first      (u_epilogue_jobs_m_data[24]),
        .job_last       (u_epilogue_jobs_m_data[25]),
        .job_scale_fp32 (u_epilogue_jobs_m_data[26]),
        .job_split      (u_epilogue_jobs_m_data[27]),
        .job_ready      (u_epilogue_control_job_ready),
        .filled         (u_array_filled),
        .room           (room),
        .word_valid     (any_0),
        .word_data      (select_0),
        .word_ready     (u_epilogue_control_word_ready),
        .scale_fp32     (u_epilogue_control_scale_fp32),
        .split          (u_epilogue_control_split),
        .done           (u_epilogue_control_done),
        .keeps          (u_epilogue_control_keeps),
        .stalled        (u_epilogue_control_stalled),
        .freed          (u_epilogue_control_freed),
        .issued         (issued),
        .word_last      (u_epilogue_control_word_last),
        .index          (u_epilogue_control_index),
        .half           (u_epilogue_control_half),
        .output_last    (u_epilogue_control_output_last),
        .access_valid   (u_epilogue_control_access_valid),
        .access_address (u_epilogue_control_access_address),
        .access_first   (u_epilogue_control_access_first),
        .access_last    (u_epilogue_control_access_last),
        .access_split   (u_epilogue_control_access_split)
    );

    eva_epilogue_unit u_epilogue0 (
        .aclk          (aclk),
        .int8          (int8),
        .number        (1'b0),
        .in_valid      (u_array_out_valid),
        .in_index      (u_array_out_index),
        .in_pass       (u_array_out_pass),
        .in_half       (u_array_out_half),
        .in_y          (u_array_out_y),
        .read_valid    (u_array_read_valid),
        .read_index    (u_array_read_index),
        .read_pass     (u_array_read_pass),
        .read_first    (u_array_read_first),
        .index         (u_epilogue_control_index[31:0]),
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
        .number        (1'b1),
        .in_valid      (u_array_out_valid),
        .in_index      (u_array_out_index),
        .in_pass       (u_array_out_pass),
        .in_half       (u_array_out_half),
        .in_y          (u_array_out_y),
        .read_valid    (u_array_read_valid),
        .read_index    (u_array_read_index),
        .read_pass     (u_array_read_pass),
        .read_first    (u_array_read_first),
        .index         (u_epilogue_control_index[63:32]),
        .half          (u_epilogue_control_half),
        .valid         (u_epilogue_control_access_valid),
        .psum          (u_epilogue1_psum),
        .sum_value     (u_epilogue1_sum_value),
        .sum_nan       (u_epilogue1_sum_nan),
        .sum_inf_plus  (u_epilogue1_sum_inf_plus),
        .sum_inf_minus (u_epilogue1_sum_inf_minus)
    );

    eva_accumulator u_accumulator (
        .aclk             (aclk),
        .aresetn          (aresetn),
        .access_valid     (access_valid_q5),
        .access_address   (access_address_q5),
        .access_first     (access_first_q5),
        .access_last      (access_last_q5),
        .access_split     (access_split_q5),
        .sum_value        ({u_epilogue1_sum_value, u_epilogue0_sum_value}),
        .sum_nan          ({u_epilogue1_sum_nan, u_epilogue0_sum_nan}),
        .sum_inf_plus     ({u_epilogue1_sum_inf_plus, u_epilogue0_sum_inf_plus}),
        .sum_inf_minus    ({u_epilogue1_sum_inf_minus, u_epilogue0_sum_inf_minus}),
        .result_valid     (u_accumulator_result_valid),
        .result_final     (u_accumulator_result_final),
        .result_value     (u_accumulator_result_value),
        .result_nan       (u_accumulator_result_nan),
        .result_inf_plus  (u_accumulator_result_inf_plus),
        .result_inf_minus (u_accumulator_result_inf_minus)
    );

    eva_scaler u_scaler (
        .aclk          (aclk),
        .sum_value     (mux_7),
        .sum_nan       (u_accumulator_result_nan & ~int8),
        .sum_inf_plus  (u_accumulator_result_inf_plus & ~int8),
        .sum_inf_minus (u_accumulator_result_inf_minus & ~int8),
        .scale         (scale),
        .fp32          (fp32_q2),
        .int8          (int8),
        .y             (u_scaler_y)
    );

    eva_fifo_32x33 u_y_queue (
        .aclk    (aclk),
        .aresetn (aresetn),
        .s_valid ((emitted_valid_q3 & raw) | y_valid_q4),
        .s_data  (cat_3),
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
            access_valid_q4 <= 1'b0;
            access_valid_q5 <= 1'b0;
            emitted_valid_q1 <= 1'b0;
            emitted_valid_q2 <= 1'b0;
            emitted_valid_q3 <= 1'b0;
            y_valid_q1 <= 1'b0;
            y_valid_q2 <= 1'b0;
            y_valid_q3 <= 1'b0;
            y_valid_q4 <= 1'b0;
            in_flight <= 6'd0;
            event_cycles <= 1'b0;
            event_w_beats <= 1'b0;
            event_x_beats <= 1'b0;
            event_y_beats <= 1'b0;
            event_w_stalls <= 1'b0;
            event_x_stalls <= 1'b0;
            event_y_stalls <= 1'b0;
            event_load_stalls <= 1'b0;
            event_oc_stalls <= 1'b0;
        end else begin
            access_valid_q1 <= u_epilogue_control_access_valid;
            access_valid_q2 <= access_valid_q1;
            access_valid_q3 <= access_valid_q2;
            access_valid_q4 <= access_valid_q3;
            access_valid_q5 <= access_valid_q4;
            emitted_valid_q1 <= u_array_emitted_valid;
            emitted_valid_q2 <= emitted_valid_q1;
            emitted_valid_q3 <= emitted_valid_q2;
            y_valid_q1 <= int8 ? emitted_valid_q3 & ~raw : u_accumulator_result_valid;
            y_valid_q2 <= y_valid_q1;
            y_valid_q3 <= y_valid_q2;
            y_valid_q4 <= y_valid_q3;
            in_flight <= in_flight + added - {5'd0, y_taken};
            event_cycles <= busy_now;
            event_w_beats <= u_w_skid_m_valid & u_w_skid_m_ready;
            event_x_beats <= u_x_skid_m_valid & u_x_skid_m_ready;
            event_y_beats <= y_taken;
            event_w_stalls <= u_w_skid_m_ready & ~u_w_skid_m_valid;
            event_x_stalls <= u_x_skid_m_ready & ~u_x_skid_m_valid;
            event_y_stalls <= m_axis_y_tvalid & ~u_y_queue_m_ready;
            event_load_stalls <= u_gemm_control_stalled;
            event_oc_stalls <= u_epilogue_control_stalled;
        end
    end

    always @(posedge aclk) begin
        access_address_q1 <= u_epilogue_control_access_address;
        access_address_q2 <= access_address_q1;
        access_address_q3 <= access_address_q2;
        access_address_q4 <= access_address_q3;
        access_address_q5 <= access_address_q4;
        access_first_q1 <= u_epilogue_control_access_first;
        access_first_q2 <= access_first_q1;
        access_first_q3 <= access_first_q2;
        access_first_q4 <= access_first_q3;
        access_first_q5 <= access_first_q4;
        access_last_q1 <= u_epilogue_control_access_last;
        access_last_q2 <= access_last_q1;
        access_last_q3 <= access_last_q2;
        access_last_q4 <= access_last_q3;
        access_last_q5 <= access_last_q4;
        access_split_q1 <= u_epilogue_control_access_split;
        access_split_q2 <= access_split_q1;
        access_split_q3 <= access_split_q2;
        access_split_q4 <= access_split_q3;
        access_split_q5 <= access_split_q4;
        emitted_output <= u_command_start_int8 ? 11'd0 : output_end ? emitted_output + 11'd1 : emitted_output;
        emitted_last_q1 <= output_end & (({1'b0, emitted_output} + 12'd1) == u_command_gemm_outputs);
        emitted_last_q2 <= emitted_last_q1;
        emitted_last_q3 <= emitted_last_q2;
        emitted_sum_q1 <= u_array_emitted_sum;
        emitted_sum_q2 <= emitted_sum_q1;
        emitted_sum_q3 <= emitted_sum_q2;
        access_scale_fp32_q1 <= u_epilogue_control_scale_fp32;
        access_scale_fp32_q2 <= access_scale_fp32_q1;
        access_scale_fp32_q3 <= access_scale_fp32_q2;
        access_scale_fp32_q4 <= access_scale_fp32_q3;
        access_scale_fp32_q5 <= access_scale_fp32_q4;
        scale_lane_q1 <= u_scale_buffer_lane;
        scale_lane_q2 <= scale_lane_q1;
        scale_odd_held_q1 <= scale_odd;
        scale_odd_held_q2 <= scale_odd_held_q1;
        fp32_q1 <= scale_fp32_held;
        fp32_q2 <= fp32_q1;
        output_last_q1 <= u_epilogue_control_output_last;
        output_last_q2 <= output_last_q1;
        output_last_q3 <= output_last_q2;
        output_last_q4 <= output_last_q3;
        output_last_q5 <= output_last_q4;
        output_last_held_q1 <= output_last_held;
        output_last_held_q2 <= output_last_held_q1;
        y_last_q1 <= int8 ? emitted_last_q3 : output_last_held_q2 & u_accumulator_result_final;
        y_last_q2 <= y_last_q1;
        y_last_q3 <= y_last_q2;
        y_last_q4 <= y_last_q3;
    end

    always @(posedge aclk) begin
        if (mux_1) begin
            scale_odd <= output_number[0];
            scale_fp32_held <= scale_fp32;
        end
    end

    always @(posedge aclk) begin
        if (access_valid_q5 & access_last_q5) begin
            output_last_held <= output_last_q5;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_cycles <= 32'd0;
        end else if (event_cycles) begin
            count_cycles <= count_cycles + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_w_beats <= 32'd0;
        end else if (event_w_beats) begin
            count_w_beats <= count_w_beats + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_x_beats <= 32'd0;
        end else if (event_x_beats) begin
            count_x_beats <= count_x_beats + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_y_beats <= 32'd0;
        end else if (event_y_beats) begin
            count_y_beats <= count_y_beats + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_w_stalls <= 32'd0;
        end else if (event_w_stalls) begin
            count_w_stalls <= count_w_stalls + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_x_stalls <= 32'd0;
        end else if (event_x_stalls) begin
            count_x_stalls <= count_x_stalls + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_y_stalls <= 32'd0;
        end else if (event_y_stalls) begin
            count_y_stalls <= count_y_stalls + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_load_stalls <= 32'd0;
        end else if (event_load_stalls) begin
            count_load_stalls <= count_load_stalls + 32'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            count_oc_stalls <= 32'd0;
        end else if (event_oc_stalls) begin
            count_oc_stalls <= count_oc_stalls + 32'd1;
        end
    end

    assign busy = busy_now;
    assign stat_cycles = count_cycles;
    assign stat_w_beats = count_w_beats;
    assign stat_x_beats = count_x_beats;
    assign stat_y_beats = count_y_beats;
    assign stat_w_stalls = count_w_stalls;
    assign stat_x_stalls = count_x_stalls;
    assign stat_y_stalls = count_y_stalls;
    assign stat_load_stalls = count_load_stalls;
    assign stat_oc_stalls = count_oc_stalls;

    // Bits that nothing reads.
    wire unused = &{1'b0, u_codebook_buffer_word, u_scale_buffer_word, mux_0[11], u_y_queue_s_ready};

endmodule

`default_nettype wire
