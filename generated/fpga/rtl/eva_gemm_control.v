// eva_gemm_control: GEMM control: walks tiles, codebooks, passes and entries; one step of the OC per tile and
// codebook.
//
//   epilogue.units = 2
//   array.rows     = 4
//   pass_cycles    = 256
//
// Generated; change the generator, not this file.

`default_nettype none

module eva_gemm_control (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        job_valid,
    input  wire [9:0]  job_vectors,
    input  wire [15:0] job_from_word,
    input  wire [1:0]  job_codebooks,
    input  wire        job_slot,
    input  wire        job_grouped,
    input  wire [1:0]  job_mask,
    input  wire        job_split,
    output wire        job_ready,
    input  wire [1:0]  loading,
    input  wire        x_busy,
    input  wire [7:0]  x_word,
    input  wire        freed,
    output wire        done,
    output wire        stalled,
    output wire [1:0]  used,
    output wire [8:0]  codebook_lane,
    output wire        codebook_read,
    output reg  [8:0]  x_lane,
    output wire        x_read,
    output wire        steer_valid,
    output wire [7:0]  steer_index,
    output wire        steer_pass,
    output wire        steer_half,
    output wire        steer_step_end,
    output wire        steer_load,
    output wire        steer_live
);

    reg       busy_q;
    reg [7:0] entry;
    reg       pass;
    reg [1:0] codebook;
    reg       half;
    reg [1:0] occupied;
    reg [1:0] codebooks;
    reg       slot;
    reg       grouped;
    reg [1:0] mask;
    reg       split;
    reg       of_token;
    reg [8:0] tile_lane;
    reg [9:0] left;
    reg [9:0] tile_left;
    reg       steer_valid_q;
    reg [7:0] steer_index_q;
    reg       steer_pass_q;
    reg       steer_half_q;
    reg       steer_step_end_q;
    reg       steer_load_q;
    reg       steer_live_q;

    assign job_ready = ~busy_q;
    wire        and_0 = job_valid & ~busy_q;
    wire [9:0]  pass_end = {1'b0, x_lane} + 10'd4;
    wire        first_entry = ~(|entry);
    wire        step_start = first_entry & ~pass;
    wire        codebooks_there = ~(|(mask & loading));
    wire        vectors_there = ~x_busy | (pass_end <= {1'b0, x_word, 1'b0});
    wire        loaded = codebooks_there & vectors_there;
    wire        may_start = loaded & ~(step_start & (occupied == 2'd2));
    wire        go = busy_q & (may_start | ~first_entry);
    wire        entry_last = entry == 8'd255;
    wire        pass_last = pass == 1'b1;
    wire        codebook_last = (codebook + 2'd1) == codebooks;
    wire        step_last = go & entry_last & pass_last;
    wire        tile_last = step_last & codebook_last;
    wire        taken = go & step_start;
    wire        token_last = split ? of_token == 1'b0 : of_token == 1'b1;
    wire        next_token = go & entry_last & token_last;
    wire        load = go & (entry < 8'd4);
    wire [16:0] cat_0 = {job_from_word, 1'b0};
    wire [8:0]  lane_next = x_lane + {8'd0, load};
    wire [9:0]  left_after = (10'd1 < left) ? left - 10'd1 : 10'd0;
    wire [9:0]  left_next = load ? left_after : left;
    assign done = tile_last & ~(|left_next);
    assign stalled = busy_q & first_entry & ~loaded;
    wire [1:0]  codebook_slot = {1'b0, slot} + (grouped ? {1'b0, pass} : codebook);
    wire [9:0]  cat_1 = {codebook_slot, entry};
    assign codebook_lane = cat_1[8:0];

    always @(posedge aclk) begin
        if (!aresetn) begin
            busy_q <= 1'b0;
            occupied <= 2'd0;
            steer_step_end_q <= 1'b0;
        end else begin
            busy_q <= and_0 ? 1'b1 : done ? 1'b0 : busy_q;
            occupied <= (freed & ~taken) ? occupied - 2'd1 : (taken & ~freed) ? occupied + 2'd1 : occupied;
            steer_step_end_q <= go & pass_last & (&entry);
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            entry <= 8'd0;
        end else if (go) begin
            entry <= entry_last ? 8'd0 : entry + 8'd1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            pass <= 1'b0;
        end else if (go & entry_last) begin
            pass <= pass_last ? 1'b0 : pass + 1'b1;
        end
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            codebook <= 2'd0;
            half <= 1'b0;
        end else if (step_last) begin
            codebook <= codebook_last ? 2'd0 : codebook + 2'd1;
            half <= ~half;
        end
    end

    always @(posedge aclk) begin
        if (and_0) begin
            codebooks <= job_codebooks;
            slot <= job_slot;
            grouped <= job_grouped;
            mask <= job_mask;
            split <= job_split;
        end
    end

    always @(posedge aclk) begin
        x_lane <= and_0 ? cat_0[8:0] : (step_last & ~codebook_last) ? tile_lane : lane_next;
        tile_lane <= and_0 ? cat_0[8:0] : tile_last ? lane_next : tile_lane;
        left <= and_0 ? job_vectors
            : (step_last & ~codebook_last) ? tile_left
            : (next_token & ~pass_last) ? tile_left
            : left_next;
        tile_left <= and_0 ? job_vectors : tile_last ? left_next : tile_left;
        steer_valid_q <= go;
        steer_index_q <= entry;
        steer_pass_q <= pass;
        steer_half_q <= half;
        steer_load_q <= go & first_entry;
        steer_live_q <= 10'd0 < left;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            of_token <= 1'b0;
        end else if (go & entry_last) begin
            of_token <= token_last ? 1'b0 : of_token + 1'b1;
        end
    end

    assign used = mask;
    assign codebook_read = go;
    assign x_read = load;
    assign steer_valid = steer_valid_q;
    assign steer_index = steer_index_q;
    assign steer_pass = steer_pass_q;
    assign steer_half = steer_half_q;
    assign steer_step_end = steer_step_end_q;
    assign steer_load = steer_load_q;
    assign steer_live = steer_live_q;

    // Bits that nothing reads.
    wire unused = &{1'b0, cat_0[16:9], cat_1[9]};

endmodule

`default_nettype wire
