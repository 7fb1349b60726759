`default_nettype none
// The host side of a network: one AXI4-Stream in, one out. Beats are carried out in order; s_axis_tdest = {kind, tile}:
//   0 data     the next word of the tile's send banks, in destination order
//   1 program  the next piece of a new program (tile 2**TB - 1: all tiles)
//   2 start    launch tdata collectives, one behind the other (0 counts as 1); does not wait for their end
//   3 drain    wait until all have ended, then send the receive banks: tile after tile, in source order
//   4 status   send the status of every tile, lowest piece first
//   5 swap     the next collective runs the loaded program, which must have version tdata
//   6 clear    clear fault bits
// A beat waits (tready low) while it would touch a buffer that a collective still uses. Answers carry their tile in
// m_axis_tid; m_axis_tuser is 1 for status; m_axis_tlast marks the last of a drain or status.
module mn_host #(
    parameter TILES  = 18,  // tiles on the ring
    parameter TB     = 5,   // bits of a tile number, 2**TB > TILES
    parameter DW     = 32,  // bits of a word
    parameter ROWS   = 4,   // cycles of a pass: the period
    parameter WORDS  = 1,   // passes of a collective: words a message
    parameter DOUBLE = 0,   // 1: two buffers
    parameter FB     = 6,   // address bits of the answer queue
    parameter FLUSH  = 8,   // cycles after which a flit has had its effect in the last tile
    // derived, not to be set
    parameter FW = 4 + TB + DW
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // AXI4-Stream in
    input  wire          s_axis_tvalid,
    output wire          s_axis_tready,
    input  wire [DW-1:0] s_axis_tdata,
    input  wire [TB+2:0] s_axis_tdest,
    // AXI4-Stream out
    output wire          m_axis_tvalid,
    input  wire          m_axis_tready,
    output wire [DW-1:0] m_axis_tdata,
    output wire [TB-1:0] m_axis_tid,
    output wire          m_axis_tuser,
    output wire          m_axis_tlast,
    // the ring: its first and its last flit
    output wire [FW-1:0] ring_o,
    input  wire [FW-1:0] ring_i,
    // start of a collective, to the start tree
    output wire          go_o,
    output wire          go_buffer_o,
    output wire          go_swap_o,
    output wire [   7:0] go_version_o,
    // end of a collective, from the done tree: all tiles, any tile
    input  wire          done_all_i,
    input  wire          done_any_i,
    input  wire          fault_i,
    // state
    output wire          busy_o,
    output wire          fault_o
);
    localparam [2:0] DATA = 3'd0, PROGRAM = 3'd1, START = 3'd2, DRAIN = 3'd3, STATUS = 3'd4, SWAP = 3'd5, CLEAR = 3'd6;
    localparam [2:0] RING_LOAD = 3'd0, RING_PROGRAM = 3'd1, RING_READ = 3'd2, RING_STATUS = 3'd3, RING_ANSWER = 3'd4,
                     RING_CLEAR = 3'd5;
    localparam SET     = TILES * WORDS;          // words of a tile in one collective
    localparam PIECES  = (64 + DW - 1) / DW;     // pieces of a tile's status
    localparam PB      = $clog2(SET > PIECES ? SET : PIECES) + 1;
    localparam AB      = TB + PB;                // answers of a drain or status
    localparam LB      = $clog2(TILES) + $clog2(SET) + 1;
    localparam IB      = $clog2(ROWS * WORDS) + 1;
    localparam LATENCY = $clog2(FLUSH + 1);
    localparam [31:0] SET_LAST = SET - 1, PIECE_LAST = PIECES - 1, TILE_LAST = TILES - 1, LOAD_LAST = TILES * SET - 1;
    localparam [31:0] INTERVAL = ROWS * WORDS - 1, FLUSH_CYCLES = FLUSH, QUEUE = 1 << FB;

    wire [   2:0] kind = s_axis_tdest[TB+:3];
    wire [TB-1:0] tile = s_axis_tdest[TB-1:0];

    // ---- collectives: launched at least a whole run apart, counted until they end ----
    reg [DW-1:0] remaining_q;        // still to be launched
    reg [IB-1:0] interval_q;         // cycles until the next may be launched
    reg [   2:0] inflight_q;         // launched and not ended
    reg          buffer_q, swap_q, desync_q;
    reg [   7:0] version_q;
    wire         launch = remaining_q != {DW{1'b0}} && interval_q == {IB{1'b0}};
    wire         busy   = remaining_q != {DW{1'b0}} || inflight_q != 3'd0;

    // ---- data: which buffer is being filled, and whether it may be ----
    reg [LB-1:0] loaded_q;
    reg          fill_q;
    wire         fill_blocked = remaining_q != {DW{1'b0}} || inflight_q > 3'd1
                                || (inflight_q == 3'd1 && (DOUBLE == 0 || fill_q != buffer_q));

    // ---- reading out: requests go round the ring, answers come back into the queue ----
    reg              reading_q, status_q;
    reg [    TB-1:0] read_tile_q;
    reg [    PB-1:0] read_piece_q;
    reg [    AB-1:0] awaited_q;      // answers still to come
    reg [      FB:0] credits_q;      // free places of the queue
    reg [LATENCY-1:0] flush_q;       // cycles until the last flit has had its effect
    wire             request   = reading_q && credits_q != {FB + 1{1'b0}};
    wire             piece_end = read_piece_q == (status_q ? PIECE_LAST[PB-1:0] : SET_LAST[PB-1:0]);
    wire             answer    = ring_i[FW-1] && ring_i[FW-2-:3] == RING_ANSWER;
    wire             taken     = m_axis_tvalid && m_axis_tready;
    wire             settled   = flush_q == {LATENCY{1'b0}};

    reg ready;
    always @* begin
        case (kind)
            DATA:    ready = !fill_blocked;
            PROGRAM: ready = !busy;
            START:   ready = settled && remaining_q == {DW{1'b0}};
            DRAIN:   ready = settled && !busy && awaited_q == {AB{1'b0}};
            STATUS:  ready = settled && awaited_q == {AB{1'b0}};
            SWAP:    ready = !busy;
            default: ready = 1'b1;
        endcase
        if (reading_q) ready = 1'b0;
    end
    wire accept = s_axis_tvalid && ready;
    assign s_axis_tready = ready;

    reg [FW-1:0] flit_q;
    always @(posedge clk_i) begin
        if (rst_i) begin
            flit_q <= {FW{1'b0}};
        end else if (request) begin
            flit_q <= {1'b1, status_q ? RING_STATUS : RING_READ, read_tile_q, {DW{1'b0}}};
            flit_q[PB > 3 ? 2 : PB-1:0] <= read_piece_q[PB > 3 ? 2 : PB-1:0];
        end else begin
            flit_q[FW-1]    <= accept && (kind == DATA || kind == PROGRAM || kind == CLEAR);
            flit_q[FW-2-:3] <= kind == DATA ? RING_LOAD : kind == PROGRAM ? RING_PROGRAM : RING_CLEAR;
            flit_q[DW+:TB]  <= kind == CLEAR ? {TB{1'b1}} : tile;
            flit_q[DW-1:0]  <= s_axis_tdata;
        end
    end
    assign ring_o = flit_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            remaining_q  <= {DW{1'b0}};
            interval_q   <= {IB{1'b0}};
            inflight_q   <= 3'd0;
            buffer_q     <= 1'b0;
            swap_q       <= 1'b0;
            desync_q     <= 1'b0;
            version_q    <= 8'd0;
            loaded_q     <= {LB{1'b0}};
            fill_q       <= 1'b0;
            reading_q    <= 1'b0;
            status_q     <= 1'b0;
            read_tile_q  <= {TB{1'b0}};
            read_piece_q <= {PB{1'b0}};
            awaited_q    <= {AB{1'b0}};
            credits_q    <= QUEUE[FB:0];
            flush_q      <= {LATENCY{1'b0}};
        end else begin
            // launches and ends
            if (accept && kind == START) remaining_q <= s_axis_tdata == {DW{1'b0}} ? {{DW - 1{1'b0}}, 1'b1} : s_axis_tdata;
            else if (launch) remaining_q <= remaining_q - 1'b1;
            if (launch) interval_q <= INTERVAL[IB-1:0];
            else if (interval_q != {IB{1'b0}}) interval_q <= interval_q - 1'b1;
            if (launch && DOUBLE != 0) buffer_q <= !buffer_q;
            inflight_q <= inflight_q + {2'd0, launch} - {2'd0, done_all_i};
            if (done_all_i != done_any_i) desync_q <= 1'b1;
            else if (accept && kind == CLEAR) desync_q <= 1'b0;
            if (accept && kind == SWAP) begin
                swap_q    <= 1'b1;
                version_q <= s_axis_tdata[7:0];
            end else if (launch) swap_q <= 1'b0;

            // data
            if (accept && kind == DATA) begin
                loaded_q <= loaded_q == LOAD_LAST[LB-1:0] ? {LB{1'b0}} : loaded_q + 1'b1;
                if (loaded_q == LOAD_LAST[LB-1:0] && DOUBLE != 0) fill_q <= !fill_q;
            end
            if (accept && (kind == DATA || kind == PROGRAM || kind == CLEAR)) flush_q <= FLUSH_CYCLES[LATENCY-1:0];
            else if (!settled) flush_q <= flush_q - 1'b1;

            // requests and answers
            if (accept && (kind == DRAIN || kind == STATUS)) begin
                reading_q    <= 1'b1;
                status_q     <= kind == STATUS;
                read_tile_q  <= {TB{1'b0}};
                read_piece_q <= {PB{1'b0}};
            end else if (request) begin
                read_piece_q <= piece_end ? {PB{1'b0}} : read_piece_q + 1'b1;
                if (piece_end) read_tile_q <= read_tile_q + 1'b1;
                if (piece_end && read_tile_q == TILE_LAST[TB-1:0]) reading_q <= 1'b0;
            end
            awaited_q <= awaited_q + {{AB - 1{1'b0}}, request} - {{AB - 1{1'b0}}, answer};
            credits_q <= credits_q - {{FB{1'b0}}, request} + {{FB{1'b0}}, taken};
        end
    end

    wire last = !reading_q && awaited_q == {{AB - 1{1'b0}}, 1'b1};
    mn_fifo #(.W(2 + TB + DW), .AB(FB)) u_answers (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(answer), .data_i({last, status_q, ring_i[TB+DW-1:0]}),
        .valid_o(m_axis_tvalid), .ready_i(m_axis_tready),
        .data_o({m_axis_tlast, m_axis_tuser, m_axis_tid, m_axis_tdata})
    );

    assign go_o         = launch;
    assign go_buffer_o  = buffer_q;
    assign go_swap_o    = swap_q;
    assign go_version_o = version_q;
    assign busy_o       = busy;
    assign fault_o      = fault_i || desync_q;
endmodule
`default_nettype wire
