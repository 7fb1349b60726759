`default_nettype none
// The host side of a network: one AXI4-Stream in, one out. Beats are carried out in order; s_axis_tdest = {kind, tile}:
//   0 data     the next word of the tile's send banks, in destination order
//   1 program  the next piece of a new program (tile 2**TB - 1: all tiles); with LIVE also while a collective runs
//   2 start    launch tdata collectives, one behind the other (0 counts as 1), when no answer of an earlier beat is on its way
//              that they could spoil; does not wait for their end
//   3 drain    wait until all have ended, then send the receive banks: tile after tile, in source order
//   4 status   send the status of every tile, lowest piece first
//   5 swap     the next collective runs the loaded program, which must have version tdata
//   6 clear    clear fault bits (7 has no effect)
// A beat waits (tready low) while it would touch a buffer that a collective still uses. Answers carry their tile in
// m_axis_tid; m_axis_tuser is 1 for status; m_axis_tlast marks the last of a drain or status.
// These rules are proved (mn_prove_host). What breaks them at run time is an order fault: fault_o, and bit 61 of the last tile's status.
module mn_host #(
    parameter TILES  = 18,  // tiles on the ring
    parameter TB     = 5,   // bits of a tile number, 2**TB > TILES
    parameter DW     = 32,  // bits of a word
    parameter PASS   = 4,   // cycles from the start of a collective to the earliest start of the next
    parameter LOADS  = 324, // words that are loaded for one collective
    parameter SET    = 18,  // words that are read out of a tile after it
    parameter DOUBLE = 0,   // 1: two buffers
    parameter FB     = 6,   // address bits of the answer queue
    parameter LOADABLE = 1, // 0: no tile takes pieces of a program, and a tile number has a meaning in beats of data alone
    parameter LIVE   = 0,   // 1: programs may be loaded while a collective runs, since nothing that runs reads what is loaded
    parameter FLUSH  = 8,   // cycles after which a flit has had its effect in the last tile
    parameter GUARD  = 0,   // 1: a bit of a beat, a flit or an answer that flips here is an order fault
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
    // a register on the way of a start to the tiles has flipped
    input  wire          upset_i,
    // state
    output wire          busy_o,
    output wire          fault_o
);
    localparam [2:0] DATA = 3'd0, PROGRAM = 3'd1, START = 3'd2, DRAIN = 3'd3, STATUS = 3'd4, SWAP = 3'd5, CLEAR = 3'd6,
                     OTHER = 3'd7;  // taken, without an effect
    localparam [2:0] RING_LOAD = 3'd0, RING_PROGRAM = 3'd1, RING_READ = 3'd2, RING_STATUS = 3'd3, RING_ANSWER = 3'd4,
                     RING_CLEAR = 3'd5;
    localparam PIECES  = (64 + DW - 1) / DW;     // pieces of a tile's status
    localparam PB      = $clog2(SET > PIECES ? SET : PIECES) + 1;
    localparam AB      = TB + PB < FB + 1 ? TB + PB : FB + 1;  // answers of a drain or status, no more than the queue has places
    localparam LB      = $clog2(LOADS) + 1;
    localparam IB      = $clog2(PASS) + 1;
    localparam LATENCY = $clog2(FLUSH + 1);
    // the count before the last one of the tiles, of a tile's words, of its status, of the words of all
    localparam [31:0] TILE_NEXT = TILES - 2, SET_NEXT = SET - 2, PIECE_NEXT = PIECES > 1 ? PIECES - 2 : 0, LOAD_NEXT = LOADS - 2;
    localparam [31:0] INTERVAL = PASS - 1, FLUSH_CYCLES = FLUSH, QUEUE = 1 << FB;
    // the most collectives in flight at a time: one is launched every 4 cycles at most, and ends less than 100 cycles after its last row
    localparam [4:0] MOST = 5'd31;
    localparam ORDER_BIT = 61 - (PIECES - 1) * DW;  // of the highest piece

    // The reset comes as late as in the tiles (mn_sv_tile), so that no flit meets a tile that is still in reset.
    wire rst, wrong_rst;
    mn_late_reset #(.GUARD(GUARD)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o(rst), .wrong_o(wrong_rst));

    // ---- a beat is carried out when it leaves the slice; which kinds may is known a cycle ahead ----
    reg  [7:0]    may_q;
    wire [7:0]    asks, does;  // by kind
    wire          unused_valid;
    wire [TB-1:0] tile;
    wire [DW-1:0] data;
    wire          taken_in = s_axis_tvalid && s_axis_tready;
    wire          accept = does != 8'd0;
    wire          wrong_slice;

    // with a guard the top bit of a beat is its parity
    localparam BW = GUARD + 8 + TB + DW;
    wire [BW-1:0] beat_in, beat;
    assign beat_in[8+TB+DW-1:0] = {{7'd0, taken_in} << s_axis_tdest[TB+:3], s_axis_tdest[TB-1:0], s_axis_tdata};
    assign {asks, tile, data}   = beat[8+TB+DW-1:0];
    mn_slice #(.W(BW), .GUARD(GUARD)) u_beats (
        .clk_i(clk_i), .rst_i(rst),
        .valid_i(s_axis_tvalid), .ready_o(s_axis_tready),
        .data_i(beat_in), .valid_o(unused_valid), .ready_i(accept), .data_o(beat), .wrong_o(wrong_slice)
    );
    assign does = asks & may_q;  // an empty slice asks for nothing
    wire unused = does[OTHER] && unused_valid;

    // ---- collectives: launched at least a whole run apart, counted until they end ----
    reg [DW-1:0] remaining_q;        // still to be launched
    reg          pending_q;          // some are
    reg          one_q;              // it is the last
    reg [IB-1:0] interval_q;         // cycles until the next may be launched, where idle_q is low
    reg          idle_q;             // none
    reg          hold_q;             // the start waits for answers that it could spoil
    reg [   4:0] inflight_q;         // launched and not ended
    reg          buffer_q, swap_q;
    reg [   7:0] version_q;
    wire         launch = pending_q && idle_q && !hold_q;
    wire         busy   = pending_q || inflight_q != 5'd0;

    // ---- data: which buffer is being filled, and whether it may be ----
    reg [LB-1:0] loaded_q;
    reg          loaded_last_q, fill_q;
    wire         fill_blocked = pending_q || inflight_q > 5'd1
                                || (inflight_q == 5'd1 && (DOUBLE == 0 || fill_q != buffer_q));

    // ---- reading out: requests go round the ring, answers come back into the queue ----
    reg              reading_q, status_q;
    reg              read_buffer_q;  // of the last drain
    reg              request_q;      // a request goes out, for the word that read_tile_q and read_piece_q name
    reg [    TB-1:0] read_tile_q;
    reg [    PB-1:0] read_piece_q;
    reg              piece_end_q, tile_end_q;  // it is the tile's last; the tile is the last
    reg [    AB-1:0] awaited_q;      // answers still to come
    reg              none_q;         // none
    reg [      FB:0] credits_q;      // free places of the queue
    reg              credit_q;       // there are enough for requests that are not counted yet
    reg [LATENCY-1:0] flush_q;       // cycles until the last flit has had its effect
    reg              settled_q;      // it has
    reg              answer_q, push_q, last_q;
    reg [TB+DW-1:0]  answer_data_q, push_data_q;
    wire             request_end = request_q && piece_end_q && tile_end_q;
    wire             taken   = m_axis_tvalid && m_axis_tready;
    wire             flit    = does[DATA] || does[PROGRAM] || does[CLEAR];

    // With two buffers a start need not wait for the answers of a drain from the other one, which are there a way round the ring later;
    // if it launches several collectives and a run is shorter than that, the second of them would come too early.
    wire several = data[DW-1:1] != {DW - 1{1'b0}};
    wire apart   = DOUBLE != 0 && !status_q && read_buffer_q != buffer_q;

    wire upset;  // a bit here has flipped
    // ---- order faults: they do not occur while tiles end together and answer their requests ----
    reg  order_q;
    wire order_fault = done_all_i != done_any_i || (done_all_i && inflight_q == 5'd0)
                       || (launch && (inflight_q == MOST || !(none_q || apart || status_q)))
                       || (answer_q && awaited_q == {AB{1'b0}});
    wire [DW-1:0] order_bit = {{DW - 1{1'b0}}, order_q && status_q && last_q} << ORDER_BIT;
    // a start takes at most eight cycles through its tree (of 4**6 tiles); a piece must not overtake it
    reg  [7:0] launched_q;
    wire [7:0] launched_d = launch ? 8'hff : {launched_q[6:0], 1'b0};
    always @(posedge clk_i) launched_q <= rst ? 8'd0 : launched_d;

    // ---- beats that may be executed: not in the cycle after a beat that may change this ----
    wire quiet   = !accept;
    wire streams = quiet || (does[DATA] && (!loaded_last_q || DOUBLE == 0)) || does[PROGRAM];
    wire on      = !rst && !reading_q;
    wire [7:0] may_d;
    assign may_d[DATA]    = on && streams && !fill_blocked;
    assign may_d[PROGRAM] = on && streams && (LIVE != 0 ? !pending_q && !launched_q[7] : !busy);
    assign may_d[START]   = on && quiet && settled_q && !pending_q;
    assign may_d[DRAIN]   = on && quiet && settled_q && !busy && none_q;
    assign may_d[STATUS]  = on && quiet && settled_q && none_q;
    assign may_d[SWAP]    = on && quiet && !busy;
    assign may_d[CLEAR]   = on && quiet;
    assign may_d[OTHER]   = on && quiet;
    always @(posedge clk_i) may_q <= may_d;

    localparam IW = PB > 3 ? 3 : PB;  // bits of a piece's number in a request
    reg  [FW-1:0] flit_q;
    wire [FW-1:0] request = {1'b1, status_q ? RING_STATUS : RING_READ, read_tile_q, {DW - IW{1'b0}}, read_piece_q[IW-1:0]};
    wire          to_all  = LOADABLE != 0 ? asks[CLEAR] : !asks[DATA];
    wire [FW-1:0] passed  = {
        flit, asks[DATA] ? RING_LOAD : asks[PROGRAM] ? RING_PROGRAM : RING_CLEAR, to_all ? {TB{1'b1}} : tile, data
    };
    wire [FW-1:0] flit_d  = request_q ? request : passed;
    always @(posedge clk_i) flit_q <= rst ? {FW{1'b0}} : flit_d;
    assign ring_o = flit_q;

    // ---- the next state, reset left aside ----
    reg              pending_d, idle_d, hold_d, order_d, swap_d, loaded_last_d, settled_d, reading_d, status_d, piece_end_d, tile_end_d;
    reg  [   7:0]    version_d;
    reg  [LB-1:0]    loaded_d;
    reg  [TB-1:0]    read_tile_d;
    reg  [PB-1:0]    read_piece_d;
    reg  [DW-1:0]    remaining_d;
    wire             buffer_d      = buffer_q ^ (launch && DOUBLE != 0);
    wire             fill_d        = fill_q ^ (does[DATA] && loaded_last_q && DOUBLE != 0);
    wire             read_buffer_d = read_buffer_q ^ (does[DRAIN] && DOUBLE != 0);
    wire [   4:0]    inflight_d    = inflight_q + {4'd0, launch} - {4'd0, done_all_i};
    wire [LATENCY-1:0] flush_d     = flit ? FLUSH_CYCLES[LATENCY-1:0] : flush_q - 1'b1;
    wire [IB-1:0]    interval_d    = launch ? INTERVAL[IB-1:0] : interval_q - 1'b1;
    wire             one_d         = (does[START] ? data[DW-1:1] : remaining_q[DW-1:1]) == {DW - 1{1'b0}};
    wire [AB-1:0]    awaited_d     = awaited_q + {{AB - 1{1'b0}}, request_q} - {{AB - 1{1'b0}}, answer_q};
    wire             none_d        = awaited_q == {AB{1'b0}} && !request_q;
    wire [  FB:0]    credits_d     = credits_q - {{FB{1'b0}}, request_q} + {{FB{1'b0}}, taken};
    wire             credit_d      = credits_q > {{FB - 1{1'b0}}, 2'd2};
    wire             request_d     = reading_q && credit_q && !request_end;
    wire             answer_d      = ring_i[FW-1] && ring_i[FW-2-:3] == RING_ANSWER;
    wire             last_d        = !reading_q && awaited_q == {{AB - 1{1'b0}}, 1'b1};
    always @* begin
        // launches and ends; a run takes at least four cycles, so what is known of the rest is right by its end
        pending_d = does[START] || (pending_q && !(launch && one_q));
        idle_d    = !launch && (idle_q || interval_q == {{IB - 1{1'b0}}, 1'b1});
        hold_d    = does[START] ? !(none_q || (apart && (PASS >= FLUSH || !several))) : hold_q && !none_q;
        order_d   = order_fault || upset || upset_i || (order_q && !does[CLEAR]);
        swap_d    = does[SWAP] || (swap_q && !launch);
        version_d = does[SWAP] ? data[7:0] : version_q;
        remaining_d = does[START] ? data : launch ? remaining_q - 1'b1 : remaining_q;

        // data
        loaded_d      = !does[DATA] ? loaded_q : loaded_last_q ? {LB{1'b0}} : loaded_q + 1'b1;
        loaded_last_d = !does[DATA] ? loaded_last_q : LOADS == 1 || loaded_q == LOAD_NEXT[LB-1:0];
        settled_d     = !flit && (settled_q || flush_q == {{LATENCY - 1{1'b0}}, 1'b1});

        // requests and answers
        reading_d    = reading_q;
        status_d     = status_q;
        read_tile_d  = read_tile_q;
        read_piece_d = read_piece_q;
        piece_end_d  = piece_end_q;
        tile_end_d   = tile_end_q;
        if (does[DRAIN] || does[STATUS]) begin
            reading_d    = 1'b1;
            status_d     = does[STATUS];
            read_tile_d  = {TB{1'b0}};
            read_piece_d = {PB{1'b0}};
            piece_end_d  = does[STATUS] ? PIECES == 1 : SET == 1;
            tile_end_d   = 1'b0;
        end else if (request_q) begin
            read_piece_d = piece_end_q ? {PB{1'b0}} : read_piece_q + 1'b1;
            piece_end_d  = status_q ? PIECES == 1 || (!piece_end_q && read_piece_q == PIECE_NEXT[PB-1:0])
                                    : SET == 1 || (!piece_end_q && read_piece_q == SET_NEXT[PB-1:0]);
            if (piece_end_q) begin
                read_tile_d = read_tile_q + 1'b1;
                tile_end_d  = read_tile_q == TILE_NEXT[TB-1:0];
            end
            if (request_end) reading_d = 1'b0;
        end
    end
    always @(posedge clk_i) begin
        if (rst) begin
            pending_q     <= 1'b0;
            idle_q        <= 1'b1;
            hold_q        <= 1'b0;
            inflight_q    <= 5'd0;
            buffer_q      <= 1'b0;
            swap_q        <= 1'b0;
            order_q       <= 1'b0;
            version_q     <= 8'd0;
            loaded_q      <= {LB{1'b0}};
            loaded_last_q <= LOADS == 1;
            fill_q        <= 1'b0;
            reading_q     <= 1'b0;
            status_q      <= 1'b0;
            read_buffer_q <= 1'b1;
            read_tile_q   <= {TB{1'b0}};
            read_piece_q  <= {PB{1'b0}};
            piece_end_q   <= 1'b0;
            tile_end_q    <= 1'b0;
            request_q     <= 1'b0;
            awaited_q     <= {AB{1'b0}};
            none_q        <= 1'b1;
            credits_q     <= QUEUE[FB:0];
            credit_q      <= 1'b1;
            flush_q       <= {LATENCY{1'b0}};
            settled_q     <= 1'b1;
            answer_q      <= 1'b0;
            push_q        <= 1'b0;
        end else begin
            pending_q     <= pending_d;
            idle_q        <= idle_d;
            hold_q        <= hold_d;
            inflight_q    <= inflight_d;
            buffer_q      <= buffer_d;
            swap_q        <= swap_d;
            order_q       <= order_d;
            version_q     <= version_d;
            loaded_q      <= loaded_d;
            loaded_last_q <= loaded_last_d;
            fill_q        <= fill_d;
            reading_q     <= reading_d;
            status_q      <= status_d;
            read_buffer_q <= read_buffer_d;
            read_tile_q   <= read_tile_d;
            read_piece_q  <= read_piece_d;
            piece_end_q   <= piece_end_d;
            tile_end_q    <= tile_end_d;
            request_q     <= request_d;
            awaited_q     <= awaited_d;
            none_q        <= none_d;
            credits_q     <= credits_d;
            credit_q      <= credit_d;
            flush_q       <= flush_d;
            settled_q     <= settled_d;
            answer_q      <= answer_d;
            push_q        <= answer_q;
        end
        interval_q    <= interval_d;
        remaining_q   <= remaining_d;
        one_q         <= one_d;
        answer_data_q <= ring_i[TB+DW-1:0];
        push_data_q   <= answer_data_q;
        last_q        <= last_d;
    end

    // with a guard the top bit of an answer is its parity
    localparam NW = GUARD + 2 + TB + DW;
    wire [NW-1:0] answer_in, answer;
    wire          wrong_queue;
    assign answer_in[2+TB+DW-1:0] = {last_q, status_q, push_data_q | {{TB{1'b0}}, order_bit}};
    assign {m_axis_tlast, m_axis_tuser, m_axis_tid, m_axis_tdata} = answer[2+TB+DW-1:0];
    mn_fifo #(.W(NW), .AB(FB), .GUARD(GUARD)) u_answers (
        .clk_i(clk_i), .rst_i(rst),
        .push_i(push_q), .data_i(answer_in), .valid_o(m_axis_tvalid), .ready_i(m_axis_tready), .data_o(answer), .wrong_o(wrong_queue)
    );

    // ---- bits that flip between the stream and the ring ----
    generate
        if (GUARD != 0) begin : gen_guard
            reg  beat_q, answer_1q, answer_2q, wrong_q;
            wire wrong_flit, wrong_launch, wrong_run, wrong_data, wrong_read, wrong_count, wrong_may;
            assign beat_in[BW-1]   = ^beat_in[BW-2:0];
            assign answer_in[NW-1] = answer_2q ^ ^{last_q, status_q, order_bit};
            always @(posedge clk_i) begin
                answer_1q <= ^ring_i[TB+DW-1:0];
                answer_2q <= answer_1q;
                // in a simulation, an unknown bit takes the second branch: there may be none yet
                if (!rst && ^beat) beat_q <= 1'b1;
                else beat_q <= 1'b0;
                if (!rst && m_axis_tvalid && ^answer) wrong_q <= 1'b1;
                else wrong_q <= 1'b0;
            end
            mn_guard u_flit (
                .clk_i(clk_i), .rst_i(rst), .given_i(^{flit_d, request_d}), .kept_i(^{flit_q, request_q}), .wrong_o(wrong_flit)
            );
            mn_guard u_launch (
                .clk_i(clk_i), .rst_i(rst), .given_i(^{pending_d, idle_d, hold_d, inflight_d, buffer_d, swap_d, version_d, launched_d}),
                .kept_i(^{pending_q, idle_q, hold_q, inflight_q, buffer_q, swap_q, version_q, launched_q}), .wrong_o(wrong_launch)
            );
            mn_guard u_run (
                .clk_i(clk_i), .rst_i(rst), .given_i(^{remaining_d, one_d, interval_d}), .kept_i(^{remaining_q, one_q, interval_q}),
                .wrong_o(wrong_run)
            );
            mn_guard u_data (
                .clk_i(clk_i), .rst_i(rst), .given_i(^{loaded_d, loaded_last_d, fill_d, flush_d, settled_d}),
                .kept_i(^{loaded_q, loaded_last_q, fill_q, flush_q, settled_q}), .wrong_o(wrong_data)
            );
            mn_guard u_read (
                .clk_i(clk_i), .rst_i(rst), .wrong_o(wrong_read),
                .given_i(^{reading_d, status_d, read_buffer_d, read_tile_d, read_piece_d, piece_end_d, tile_end_d}),
                .kept_i(^{reading_q, status_q, read_buffer_q, read_tile_q, read_piece_q, piece_end_q, tile_end_q})
            );
            mn_guard u_counts (
                .clk_i(clk_i), .rst_i(rst), .given_i(^{awaited_d, none_d, credits_d, credit_d, answer_d, answer_q, last_d}),
                .kept_i(^{awaited_q, none_q, credits_q, credit_q, answer_q, push_q, last_q}), .wrong_o(wrong_count)
            );
            mn_guard u_may (.clk_i(clk_i), .rst_i(rst), .given_i(^may_d), .kept_i(^may_q), .wrong_o(wrong_may));
            assign upset = beat_q || wrong_q || wrong_flit || wrong_launch || wrong_run || wrong_data || wrong_read || wrong_count
                           || wrong_may || wrong_rst || wrong_slice || wrong_queue;
        end else begin : gen_no_guard
            assign upset = 1'b0;
            wire unused_wrong = wrong_rst || wrong_slice || wrong_queue;
        end
    endgenerate

    assign go_o         = launch;
    assign go_buffer_o  = buffer_q;
    assign go_swap_o    = swap_q;
    assign go_version_o = version_q;
    assign busy_o       = busy;
    assign fault_o      = fault_i || order_q;
endmodule
`default_nettype wire
