`default_nettype none
// The two streams of a core at its tile. A collective has four parts here: the core's words go into the tile's memories, the tile is ready,
// it runs, and its results go to the core. Words of the next collective go in when all results of the one before are out of the memories.
//
// Bits of fault_o, sticky until reset:
//   0 short    TLAST came before the last word of the collective
//   1 long     the last word of the collective came without TLAST, or a word to a tile that has none to send
//   2 dest     TDEST is not the destination of the word
//   3 keep     a word of which some bytes do not count (TKEEP)
//   4 late     the time of a start came, and words were missing; the collective starts at a later time
//   5 full     the time of a start came, and the core had not taken results for which there was no more room; likewise
//   6 early    a start came while the tile was not ready
//   7 network  a fault of the tile's router or program
// After one of the first four no more words are taken, so that the tile does not get ready for a collective with wrong words.
module mn_tile_port #(
    parameter DW      = 32,  // bits of a word
    parameter TB      = 5,   // bits of a tile number
    parameter LOADS   = 1,   // words that the core sends for a collective
    parameter RESULTS = 1,   // words that it gets
    parameter DOUBLE  = 0,   // 1: queues for the words of a whole collective
    parameter DESTS   = 0,   // 1: TDEST is compared
    parameter SOURCES = 0,   // 1: TID is the source
    parameter DEST    = "",  // image of the destinations
    parameter SOURCE  = "",  // image of the sources
    parameter DELAY   = 3    // cycles from ready_o to the start that it allows
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // the core's words, {all bytes count, TLAST, TDEST, TDATA} each, and its results, {TLAST, TID, TDATA} each
    input  wire          s_valid_i,
    output wire          s_ready_o,
    input  wire [TB+DW+1:0] s_beat_i,
    output wire          m_valid_o,
    input  wire          m_ready_i,
    output wire [TB+DW:0] m_beat_o,
    // ready for a start; a start; the time of a start; the end
    output wire          ready_o,
    input  wire          go_i,
    input  wire          tick_i,
    input  wire          done_i,
    // load: load_next_o tells of a word that comes with load_o in the next cycle
    output wire          load_next_o,
    output wire          load_o,
    output wire [DW-1:0] load_data_o,
    // read: the next result is wanted, and comes two cycles later
    output wire          read_next_o,
    input  wire [DW-1:0] result_i,
    // faults
    input  wire          network_fault_i,
    output wire [   7:0] fault_o
);
    localparam [1:0] LOAD = 2'd0, READY = 2'd1, RUN = 2'd2, DRAIN = 2'd3;
    localparam [1:0] FIRST = LOADS == 0 ? READY : LOAD, AFTER = RESULTS == 0 ? FIRST : DRAIN;
    // the queue of results has room for those of a collective, or hides how long a read takes
    localparam QUEUE = DOUBLE != 0 && RESULTS > 16 ? $clog2(RESULTS) : 4;

    reg  [1:0]    state_q;
    wire          word_valid, word_last, result_end, wrong_dest, wrong_source;
    wire [DW-1:0] word;
    wire [3:0]    beat_fault;

    mn_port_in #(.DW(DW), .TB(TB), .LOADS(LOADS), .DOUBLE(DOUBLE), .DESTS(DESTS), .FILE(DEST)) u_in (
        .clk_i(clk_i), .rst_i(rst_i), .valid_i(s_valid_i), .ready_o(s_ready_o), .beat_i(s_beat_i),
        .word_valid_o(word_valid), .word_ready_i(state_q == LOAD), .word_o(word), .word_last_o(word_last),
        .fault_o(beat_fault), .wrong_o(wrong_dest)
    );
    mn_port_out #(.DW(DW), .TB(TB), .RESULTS(RESULTS), .AB(QUEUE), .SOURCES(SOURCES), .FILE(SOURCE)) u_out (
        .clk_i(clk_i), .rst_i(rst_i), .drain_i(state_q == DRAIN), .read_o(read_next_o), .end_o(result_end), .word_i(result_i),
        .valid_o(m_valid_o), .ready_i(m_ready_i), .beat_o(m_beat_o), .wrong_o(wrong_source)
    );

    // ---- the parts of a collective ----
    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q <= FIRST;
        end else begin
            case (state_q)
                LOAD:    if (word_valid && word_last) state_q <= READY;
                READY:   if (go_i) state_q <= RUN;
                RUN:     if (done_i) state_q <= AFTER;
                default: if (result_end) state_q <= FIRST;
            endcase
        end
    end
    assign ready_o     = state_q == READY;
    assign load_next_o = state_q == LOAD && word_valid;

    reg          load_q;
    reg [DW-1:0] load_data_q;
    always @(posedge clk_i) begin
        load_q      <= !rst_i && load_next_o;
        load_data_q <= word;
    end
    assign load_o      = load_q;
    assign load_data_o = load_data_q;

    // ---- faults; what the start unit knew of this tile at the time of a start is DELAY cycles old here, and needs no reset but the tile's ----
    wire was_loading, was_draining;
    mn_stages #(.W(2), .N(DELAY)) u_was (
        .clk_i(clk_i), .rst_i(1'b0), .d_i({state_q == LOAD, state_q == DRAIN}), .q_o({was_loading, was_draining})
    );
    wire [7:0] fault = {
        network_fault_i || wrong_dest || wrong_source, go_i && state_q != READY,
        tick_i && !go_i && was_draining, tick_i && !go_i && was_loading, beat_fault
    };
    reg  [7:0] fault_q;
    always @(posedge clk_i) fault_q <= rst_i ? 8'd0 : fault_q | fault;
    assign fault_o = fault_q;
endmodule
`default_nettype wire
