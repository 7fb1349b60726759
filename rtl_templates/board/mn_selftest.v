`default_nettype none
// Self-test of a network, once after reset. It loads words from a table, or a pattern that names source, destination
// and word. It runs one collective, drains it, and compares every word and its tile. Then it reads the faults of all
// tiles. faults_o, lowest bit first: conflict, unexpected arrival, missing arrival, parity (of any tile), fault
// signal of the network, no end in time, wrong tile or number of words, wrong word.
module mn_selftest #(
    parameter DW    = 32,   // bits of a word
    parameter TILES = 18,   // tiles
    parameter TB    = 5,    // bits of a tile number
    parameter WORDS = 1,    // words a message
    parameter LOADS = 1,    // words in the table of what is loaded
    parameter WANTS = 1,    // words in the table of what must come back
    parameter FILE_LOADS = "",  // their images; without, the pattern
    parameter FILE_WANTS = "",
    parameter CB    = 16,   // bits of the cycle count
    parameter LIMIT = 24    // the test must end within 2**LIMIT cycles
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // to the network
    output wire          s_axis_tvalid,
    input  wire          s_axis_tready,
    output wire [DW-1:0] s_axis_tdata,
    output wire [TB+2:0] s_axis_tdest,
    // from the network
    input  wire          m_axis_tvalid,
    output wire          m_axis_tready,
    input  wire [DW-1:0] m_axis_tdata,
    input  wire [TB-1:0] m_axis_tid,
    input  wire          m_axis_tuser,
    input  wire          m_axis_tlast,
    input  wire          busy_i,
    input  wire          fault_i,
    // the result, which stands from done_o on
    output wire          done_o,
    output wire          pass_o,
    output wire [   7:0] faults_o,
    output wire [CB-1:0] cycles_o   // cycles from the launch to the end in all tiles
);
    localparam [2:0] DATA = 3'd0, START = 3'd2, DRAIN = 3'd3, STATUS = 3'd4;
    localparam PIECES = (64 + DW - 1) / DW;
    localparam [31:0] PIECE_LAST = PIECES - 1;
    // steps of the pattern: of the source, of the destination, of the word
    localparam [63:0] SOURCE = 64'h9e3779b97f4a7c15, DESTINATION = 64'hc2b2ae3d27d4eb4f, WORD = 64'h165667b19e3779f9;

    // The reset reaches the whole test from a register of its own.
    wire rst;
    mn_register u_rst (.clk_i(clk_i), .d_i(rst_i), .q_o(rst));

    // ---- to the network: all words, start, drain, status; at most one beat in two cycles ----
    reg  [1:0]    phase_q;  // 0 data, 1 start, 2 drain, 3 status
    reg           more_q;   // there is something to send
    reg           valid_q;
    reg  [DW-1:0] data_q;
    reg  [TB+2:0] dest_q;
    wire          next = more_q && !valid_q;
    wire [DW-1:0] load_data;
    wire [TB-1:0] load_tile;
    wire          load_last;

    generate
        if (FILE_LOADS != "") begin : gen_load_table
            wire unused_care;
            mn_pattern_table #(.DW(DW), .TB(TB), .COUNT(LOADS), .FILE(FILE_LOADS)) u_load (
                .clk_i(clk_i), .rst_i(rst), .step_i(next && phase_q == 2'd0),
                .data_o(load_data), .outer_o(load_tile), .care_o(unused_care), .last_o(load_last)
            );
        end else begin : gen_load
            mn_pattern #(
                .DW(DW), .TILES(TILES), .TB(TB), .WORDS(WORDS),
                .OUTER(SOURCE[DW-1:0]), .INNER(DESTINATION[DW-1:0]), .WORD(WORD[DW-1:0])
            ) u_load (
                .clk_i(clk_i), .rst_i(rst), .step_i(next && phase_q == 2'd0),
                .data_o(load_data), .outer_o(load_tile), .last_o(load_last)
            );
        end
    endgenerate

    always @(posedge clk_i) begin
        if (rst) begin
            phase_q <= 2'd0;
            more_q  <= 1'b1;
            valid_q <= 1'b0;
        end else if (next) begin
            valid_q <= 1'b1;
            more_q  <= phase_q != 2'd3;
            if (phase_q != 2'd0 || load_last) phase_q <= phase_q + 2'd1;
        end else if (s_axis_tready) valid_q <= 1'b0;
        if (next) begin
            data_q <= phase_q == 2'd0 ? load_data : {{DW - 1{1'b0}}, phase_q == 2'd1};
            dest_q <= {phase_q == 2'd0 ? DATA : phase_q == 2'd1 ? START : phase_q == 2'd2 ? DRAIN : STATUS,
                       phase_q == 2'd0 ? load_tile : {TB{1'b0}}};
        end
    end

    assign s_axis_tvalid = valid_q;
    assign s_axis_tdata  = data_q;
    assign s_axis_tdest  = dest_q;

    // ---- answers, registered once; words are compared in the next cycle, the difference is reduced in a third
    //      and noted in a fourth ----
    reg           word_q, status_q, last_q;
    reg  [DW-1:0] answer_q;
    reg  [TB-1:0] tile_q;
    wire [DW-1:0] want_data;
    wire [TB-1:0] want_tile;
    wire          want_care, want_last;

    generate
        if (FILE_WANTS != "") begin : gen_want_table
            mn_pattern_table #(.DW(DW), .TB(TB), .COUNT(WANTS), .FILE(FILE_WANTS)) u_want (
                .clk_i(clk_i), .rst_i(rst), .step_i(word_q),
                .data_o(want_data), .outer_o(want_tile), .care_o(want_care), .last_o(want_last)
            );
        end else begin : gen_want
            mn_pattern #(
                .DW(DW), .TILES(TILES), .TB(TB), .WORDS(WORDS),
                .OUTER(DESTINATION[DW-1:0]), .INNER(SOURCE[DW-1:0]), .WORD(WORD[DW-1:0])
            ) u_want (
                .clk_i(clk_i), .rst_i(rst), .step_i(word_q),
                .data_o(want_data), .outer_o(want_tile), .last_o(want_last)
            );
            assign want_care = 1'b1;
        end
    endgenerate

    reg           word_qq, misplaced_q;
    reg  [DW-1:0] difference_q;
    reg  [   7:0] faults_q, now_q;  // so far, and in this cycle
    reg  [   2:0] piece_q;
    reg           status_end_q;
    reg  [   2:0] end_q;            // the test has ended: faults of the last cycles are still to be noted
    reg  [ LIMIT:0] time_q;         // cycles of the test, up to its limit
    wire [   3:0] seen;

    always @(posedge clk_i) begin
        word_q       <= !rst && m_axis_tvalid && !m_axis_tuser;
        status_q     <= !rst && m_axis_tvalid && m_axis_tuser;
        last_q       <= m_axis_tlast;
        answer_q     <= m_axis_tdata;
        tile_q       <= m_axis_tid;
        word_qq      <= !rst && word_q;
        difference_q <= want_care ? answer_q ^ want_data : {DW{1'b0}};
        misplaced_q  <= tile_q != want_tile || last_q != want_last;
        if (rst) piece_q <= 3'd0;
        else if (status_q) piece_q <= piece_q == PIECE_LAST[2:0] ? 3'd0 : piece_q + 3'd1;
        status_end_q  <= !rst && status_q && last_q;
        end_q         <= rst ? 3'd0 : {end_q[1:0], end_q[0] || status_end_q || time_q[LIMIT]};
    end
    assign m_axis_tready = 1'b1;

    // the top bits of the status bytes 0 to 3 tell of the four kinds of fault
    genvar k;
    generate
        for (k = 0; k < 4; k = k + 1) begin : gen_kind
            localparam [31:0] PIECE = 8 * k / DW;
            assign seen[k] = status_q && piece_q == PIECE[2:0] && answer_q[(8*k)%DW+7];
        end
    endgenerate

    // ---- the verdict ----
    reg             done_q, pass_q;
    reg             counts_q, runs_q;  // the cycle before was one of the collective; of the test
    reg  [  CB-1:0] cycles_q;

    always @(posedge clk_i) begin
        counts_q   <= !rst && busy_i && !end_q[0];
        // the time stands still from its limit on, and after the end
        runs_q     <= !rst && !end_q[0] && !time_q[LIMIT];
        now_q[3:0] <= seen;
        now_q[4]   <= fault_i && !end_q[0];
        now_q[5]   <= time_q[LIMIT];
        now_q[6]   <= word_qq && misplaced_q;
        now_q[7]   <= word_qq && difference_q != {DW{1'b0}};
        if (rst) begin
            faults_q <= 8'd0;
            done_q   <= 1'b0;
            pass_q   <= 1'b0;
            time_q   <= {LIMIT + 1{1'b0}};
            cycles_q <= {CB{1'b0}};
        end else begin
            faults_q <= faults_q | now_q;
            done_q   <= end_q[2];
            pass_q   <= end_q[2] && faults_q == 8'd0;
            time_q   <= time_q + {{LIMIT{1'b0}}, runs_q};
            cycles_q <= cycles_q + {{CB - 1{1'b0}}, counts_q};
        end
    end

    assign done_o   = done_q;
    assign pass_o   = pass_q;
    assign faults_o = faults_q;
    assign cycles_o = cycles_q;
endmodule
`default_nettype wire
