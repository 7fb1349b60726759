// Proof of the ordering rules of mn_host, for any beats and any time that the tiles take: two tiles, four words a load, two words a tile
// and drain.
//
// The reference hears what leaves the host: flits, starts of collectives. It keeps the flits that are on the ring, the collectives that
// are in flight, and which buffer each is about. Attribute hierconn is Yosys' way to name a signal inside an instance.
`default_nettype none

module mn_prove_host #(
    parameter DOUBLE = 0,  // 1: two buffers
    parameter LIVE = 0,  // 1: programs may be loaded while a collective runs
    parameter PASS = 4  // cycles from a collective to the next
) (
    input wire        clk_i,
    input wire        rst_i,
    input wire        s_axis_tvalid_i,
    input wire [ 7:0] s_axis_tdata_i,
    input wire [ 4:0] s_axis_tdest_i,
    input wire        m_axis_tready_i,
    input wire [13:0] back_i,  // flits that come back
    input wire        done_i,
    input wire        fault_i
);

  localparam TB = 2, DW = 8, FB = 2, FW = 4 + TB + DW;
  localparam RING = 8;  // stages of the ring
  localparam FLUSH = RING + 4;
  localparam [2:0] LOAD = 0, PROGRAM = 1, READ = 2, STATUS = 3, ANSWER = 4, CLEAR = 5;

  wire s_axis_tready, m_axis_tvalid, m_axis_tuser, m_axis_tlast, go, go_buffer, go_swap, busy, fault;
  wire [DW-1:0] m_axis_tdata;
  wire [TB-1:0] m_axis_tid;
  wire [7:0] go_version;
  wire [FW-1:0] ring;
  reg [RING-1:0] asked;  // requests and answers on the ring, the oldest at the top
  mn_host #(
      .TILES (2),
      .TB    (TB),
      .DW    (DW),
      .PASS  (PASS),
      .LOADS (4),
      .SET   (2),
      .DOUBLE(DOUBLE),
      .FB    (FB),
      .LIVE  (LIVE),
      .FLUSH (FLUSH)
  ) u_host (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_axis_tvalid(s_axis_tvalid_i),
      .s_axis_tready(s_axis_tready),
      .s_axis_tdata (s_axis_tdata_i),
      .s_axis_tdest (s_axis_tdest_i),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready_i),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tid   (m_axis_tid),
      .m_axis_tuser (m_axis_tuser),
      .m_axis_tlast (m_axis_tlast),
      .ring_o       (ring),
      .ring_i       (back_i),
      .go_o         (go),
      .go_buffer_o  (go_buffer),
      .go_swap_o    (go_swap),
      .go_version_o (go_version),
      .done_all_i   (done_i),
      .done_any_i   (done_i),
      .fault_i      (fault_i),
      .upset_i      (1'b0),
      .busy_o       (busy),
      .fault_o      (fault)
  );

  // Inside the host.
  (* hierconn *) wire \u_host.rst ;
  (* hierconn *) wire \u_host.u_reset.rst_q ;
  (* hierconn *) wire [7:0] \u_host.asks ;
  (* hierconn *) wire [1:0] \u_host.tile ;
  (* hierconn *) wire [7:0] \u_host.does ;
  (* hierconn *) wire [7:0] \u_host.data ;
  (* hierconn *) wire [7:0] \u_host.may_q ;
  (* hierconn *) wire [7:0] \u_host.remaining_q ;
  (* hierconn *) wire \u_host.pending_q ;
  (* hierconn *) wire \u_host.one_q ;
  (* hierconn *) wire \u_host.hold_q ;
  (* hierconn *) wire \u_host.idle_q ;
  (* hierconn *) wire [$clog2(PASS):0] \u_host.interval_q ;
  (* hierconn *) wire [4:0] \u_host.inflight_q ;
  (* hierconn *) wire \u_host.buffer_q ;
  (* hierconn *) wire \u_host.order_q ;
  (* hierconn *) wire [7:0] \u_host.launched_q ;
  (* hierconn *) wire [2:0] \u_host.loaded_q ;
  (* hierconn *) wire \u_host.loaded_last_q ;
  (* hierconn *) wire \u_host.fill_q ;
  (* hierconn *) wire \u_host.reading_q ;
  (* hierconn *) wire \u_host.status_q ;
  (* hierconn *) wire \u_host.read_buffer_q ;
  (* hierconn *) wire \u_host.request_q ;
  (* hierconn *) wire [1:0] \u_host.read_tile_q ;
  (* hierconn *) wire [3:0] \u_host.read_piece_q ;
  (* hierconn *) wire \u_host.piece_end_q ;
  (* hierconn *) wire \u_host.tile_end_q ;
  (* hierconn *) wire [2:0] \u_host.awaited_q ;
  (* hierconn *) wire \u_host.none_q ;
  (* hierconn *) wire [2:0] \u_host.credits_q ;
  (* hierconn *) wire \u_host.credit_q ;
  (* hierconn *) wire [3:0] \u_host.flush_q ;
  (* hierconn *) wire \u_host.settled_q ;
  (* hierconn *) wire \u_host.answer_q ;
  (* hierconn *) wire \u_host.push_q ;
  (* hierconn *) wire \u_host.u_answers.push_i ;
  (* hierconn *) wire [11:0] \u_host.u_answers.data_i ;
  (* hierconn *) wire [11:0] \u_host.u_answers.data_o ;
  (* hierconn *) wire \u_host.u_answers.valid_o ;
  (* hierconn *) wire [1:0] \u_host.u_answers.stored_q ;
  (* hierconn *) wire \u_host.u_answers.more_q ;
  (* hierconn *) wire \u_host.u_answers.read_valid_q ;
  (* hierconn *) wire \u_host.u_answers.valid_q ;
  (* hierconn *) wire \u_host.u_beats.valid_q ;
  (* hierconn *) wire \u_host.u_beats.held_valid_q ;
  (* hierconn *) wire [17:0] \u_host.u_beats.held_q ;

  // The host is reset for two cycles, some cycles after rst_i.
  wire rst = \u_host.rst ;
  reg late = 0, checked = 0;
  always @(posedge clk_i) begin
    late    <= rst;
    checked <= checked || (rst && late);
  end
  // It begins with a reset, and has no other.
  always @* assume (rst_i == !checked);
  reg [1:0] resets = 0, started = 0;
  always @(posedge clk_i) begin
    resets  <= {resets[0], rst_i};
    started <= {started[0], 1'b1};
  end

  // ---- what is on the ring; the host's register before it is the flit that leaves ----
  wire valid = ring[FW-1];
  wire [2:0] kind = ring[FW-2-:3];
  wire load = valid && kind == LOAD, program = valid && kind == PROGRAM, read = valid && kind == READ, status = valid && kind == STATUS;
  reg [RING-1:0] reads;  // those of a drain
  wire answer = back_i[FW-1] && back_i[FW-2-:3] == ANSWER;
  reg [FLUSH-2:0] written;  // loads and pieces of a program, until they have had their effect
  always @(posedge clk_i) begin
    asked   <= {asked[RING-2:0], read || status};
    reads   <= {reads[RING-2:0], read};
    written <= {written[FLUSH-3:0], load || program};
    if (rst) {asked, reads, written} <= 0;
  end
  // Each request comes back as its answer, and no other flit does.
  always @* assume (answer == asked[RING-1]);

  // ---- buffers: complete loads, launches and complete drains take turns ----
  reg [1:0] loads, words;
  reg fill, from, next;  // of the next load, of the last drain's answers, of the next launch
  always @(posedge clk_i) begin
    if (load) loads <= loads + 1;
    if (load && loads == 3) fill <= fill ^ (DOUBLE != 0);
    if (read) words <= words + 1;
    if (read && words == 0) from <= from ^ (DOUBLE != 0);
    if (go) next <= next ^ (DOUBLE != 0);
    if (rst) {loads, words, fill, from, next} <= 1 << 1;
  end

  // ---- beats that the host has taken and not carried out, the older one first: kind, tile and data ----
  reg [7:0] first, second;
  reg [9:0] first_word, second_word;
  wire [7:0] does = \u_host.does ;
  wire [7:0] taken = {7'd0, s_axis_tvalid_i && s_axis_tready} << s_axis_tdest_i[4:2];
  always @(posedge clk_i) begin
    if (does != 0) {second, first} <= {8'd0, second != 0 ? second : taken};
    else if (first == 0) first <= taken;
    else if (taken != 0) second <= taken;
    if (does != 0 && second != 0) first_word <= second_word;
    else if (does != 0 || first == 0) first_word <= {s_axis_tdest_i[1:0], s_axis_tdata_i};
    if (first != 0 && second == 0) second_word <= {s_axis_tdest_i[1:0], s_axis_tdata_i};
    if (rst) {second, first} <= 0;
  end

  // ---- collectives in flight, and those that are still owed ----
  reg [4:0] running;
  reg [8:0] owed;
  reg [PASS-2:0] recent;
  reg [7:0] launched;
  always @(posedge clk_i) begin
    running  <= running + go - done_i;
    owed     <= owed - go + (does[2] ? (first_word[7:0] == 0 ? 9'd1 : {1'b0, first_word[7:0]}) : 9'd0);
    recent   <= {recent[PASS-3:0], go};
    launched <= {launched[6:0], go};
    if (rst) {running, owed, recent, launched} <= 0;
  end
  // A collective ends four cycles after its launch or later, in all tiles at once.
  always @* assume (!done_i || running > recent[0] + recent[1] + recent[2]);
  // Fewer than 31 collectives are in flight when one is owed.
  always @* assume (!(running == 31 && \u_host.pending_q ));

  // ---- what beats ask for: flits in the next cycle, requests, the program of a collective ----
  reg sent, swap;
  reg [FW-2:0] flit;
  reg [3:0] pieces;  // requests of a status that are on the ring
  reg [4:0] asks;  // requests of a drain or status that are still to go out
  reg [7:0] version;
  always @(posedge clk_i) begin
    sent <= does[0] || does[1] || does[6];
    flit <= does[6] ? {CLEAR, 2'd3, first_word[7:0]} : {does[0] ? LOAD : PROGRAM, first_word};
    if (status) pieces <= pieces + 1;
    asks <= asks - (read || status) + (does[3] ? 4 : does[4] ? 16 : 0);
    if (does[5]) {swap, version} <= {1'b1, first_word[7:0]};
    else if (go) swap <= 0;
    if (rst) {sent, pieces, asks, swap, version} <= 0;
  end

  // ---- answers, which come to the queue two cycles later, with a bit for those of a status ----
  reg [1:0] came;
  reg [10:0] answer_1, answer_2;
  reg [3:0] before;  // of the same drain or status
  wire of_status = answer_2[10];
  wire last = before == (of_status ? 15 : 3);
  always @(posedge clk_i) begin
    came <= {came[0], answer};
    {answer_2, answer_1} <= {answer_1, !reads[RING-1], back_i[9:0]};
    if (came[1]) before <= last ? 0 : before + 1;
    if (rst) {came, before} <= 0;
  end

  // the buffer that is filled is one that a collective in flight sends from
  wire used = running > 1 || (running == 1 && (DOUBLE == 0 || fill != next));

  // ---- cycles in which nothing went on that could: a collective, a request, the oldest beat, which may wait for the end of collectives ----
  wire blocked = (first[0] && used) || (first[1] && LIVE == 0 && running != 0) || ((first[3] || first[5]) && running != 0);
  wire waits = owed != 0 || asks != 0 || (first != 0 && !blocked);
  wire answers = asked != 0 || came != 0 || \u_host.u_answers.stored_q != 0 || \u_host.u_answers.read_valid_q || m_axis_tvalid;
  reg [4:0] waited;
  always @(posedge clk_i) waited <= rst || !waits || does != 0 || go || read || status || answers ? 0 : waited + 1;

  function [3:0] ones(input [RING-1:0] bits);
    integer i;
    begin
      ones = 0;
      for (i = 0; i < RING; i = i + 1) ones = ones + bits[i];
    end
  endfunction

  // ---- the rules ----
  wire spoils = DOUBLE == 0 || from == next;
  // No collective is launched while a request or an answer of a drain from the buffer that it overwrites is on the ring.
  always @* if (checked) assert (!(go && spoils && (reads != 0 || read)));
  // No collective is launched before all earlier loads and pieces of a program have had their effect.
  always @* if (checked) assert (!(go && (written != 0 || load || program)));
  // No word is loaded into a buffer from which a collective sends that is in flight or owed.
  always @* if (checked) assert (!(load && (used || owed != 0)));
  // No request of a drain goes out while a collective is in flight or owed.
  always @* if (checked) assert (!(read && (running != 0 || owed != 0)));
  // A piece of a program goes out when no collective is in flight or, if pieces may come while one runs, eight cycles after a launch.
  always @* if (checked) assert (!(program && (LIVE != 0 ? launched != 0 : running != 0)));
  wire [8:0] rest = {1'b0, \u_host.remaining_q };
  // As many collectives are launched as the starts say, one at least for each, from the buffers in turn, a run apart.
  always @* if (checked) assert (owed == (!\u_host.pending_q ? 0 : rest == 0 ? 1 : rest) && go_buffer == next && !(go && recent != 0));
  wire [5:0] room = \u_host.awaited_q + \u_host.push_q + \u_host.u_answers.stored_q + \u_host.u_answers.read_valid_q + m_axis_tvalid +
      \u_host.credits_q ;
  // Every answer that is asked for has a place in the queue until it is taken, and every answer that comes is counted once.
  always @* if (checked) assert (room == 1 << FB && \u_host.awaited_q == ones(asked) + read + status + \u_host.answer_q );
  wire [TB+DW-1:0] request = ring[TB+DW-1:0];
  wire right_read = request == {words[1], 7'd0, words[0]}, right_status = request == {pieces[3], 5'd0, pieces[2:0]};
  // A drain asks each tile for its words, a status for its pieces, tile after tile, before what is behind it is carried out.
  always @* if (checked) assert (!(read && !right_read) && !(status && !right_status) && (asks != 0 ? does == 0 : !read && !status));
  // Words, pieces of a program and clears are flits in the next cycle, with their tile, and clears with that of all; nothing else is.
  always @* if (checked) assert ((valid && kind != READ && kind != STATUS) == sent && !(sent && ring[FW-2:0] != flit));
  wire [11:0] stored = \u_host.u_answers.data_i , oldest = \u_host.u_answers.data_o ;
  wire unlike = {m_axis_tvalid, m_axis_tlast, m_axis_tuser, m_axis_tid, m_axis_tdata} != {\u_host.u_answers.valid_o , oldest};
  // Answers come to the queue and leave it as tiles give them, marked as those of a status, and as the last of a drain or status.
  always @* if (checked) assert (\u_host.u_answers.push_i == came[1] && !(came[1] && stored != {last, answer_2}) && !unlike);
  // A collective has the loaded program if a swap came behind the collective before, with the version of the last swap.
  always @* if (checked) assert (go_swap == swap && go_version == version);
  // The host is busy when a collective is in flight or owed, and reports what the tiles report.
  always @* if (checked) assert (busy == (running != 0 || owed != 0) && fault == fault_i);
  // What nothing prevents goes on within 16 cycles.
  always @* if (checked) assert (waited < 16);
  // A reset reaches the host two cycles later.
  always @* if (started == 3) assert (rst == resets[1]);
  // There is no order fault as long as tiles end together and answer what they are asked.
  always @* if (checked) assert (!\u_host.order_q );
  wire [17:0] held = \u_host.u_beats.held_q ;
  wire wrong_first = first != \u_host.asks || (first != 0 && first_word != {\u_host.tile , \u_host.data });
  wire wrong_second = second != (\u_host.u_beats.held_valid_q ? held[17:10] : 8'd0) || (second != 0 && second_word != held[9:0]);
  // Beats are carried out in the order in which they come, once each.
  always @* if (checked) assert (!wrong_first && !wrong_second && (does & ~first) == 0);

  // ---- what ties the host's registers to the reference ----
  wire drains = !\u_host.status_q && (\u_host.reading_q || \u_host.request_q );
  wire rests = !\u_host.reading_q && !\u_host.request_q ;
  wire dry = written == 0 && !load && !program;
  wire [1:0] asking = words + read, position = {\u_host.read_tile_q [0], \u_host.read_piece_q [0]};
  wire [2:0] loaded = loads + load;

  // the flits of data are on the ring for as long as the host counts
  reg tied_data;
  integer i;
  always @* begin
    tied_data = !(load || program) || (!\u_host.settled_q && \u_host.flush_q == FLUSH);
    for (i = 0; i < FLUSH - 1; i = i + 1)
      if (written[i] && (\u_host.settled_q || \u_host.flush_q + i < FLUSH - 1)) tied_data = 0;
    if (!\u_host.settled_q && \u_host.flush_q == 0) tied_data = 0;
    if (loaded[1:0] != \u_host.loaded_q || \u_host.loaded_last_q != (\u_host.loaded_q == 3)) tied_data = 0;
    if (\u_host.fill_q != (fill ^ (DOUBLE != 0 && load && loads == 3))) tied_data = 0;
    if (load && (used || owed != 0)) tied_data = 0;
  end

  // launches
  reg tied_launch;
  always @* begin
    tied_launch = running == \u_host.inflight_q ;
    if (!\u_host.idle_q && (\u_host.interval_q == 0 || \u_host.interval_q >= PASS)) tied_launch = 0;
    for (i = 0; i < PASS - 1; i = i + 1) if (recent[i] && (\u_host.idle_q || \u_host.interval_q != PASS - 1 - i)) tied_launch = 0;
    if (\u_host.pending_q && !recent[0] && \u_host.one_q != (rest <= 1)) tied_launch = 0;
    for (i = 0; i < 8; i = i + 1) if (\u_host.launched_q [i] != (((launched << (7 - i)) & 8'hff) != 0)) tied_launch = 0;
  end

  // reads: a start that need not wait for answers launches one collective into the other buffer, or a run is longer than the ring
  reg tied_read, due;
  always @* begin
    due = PASS >= FLUSH && !\u_host.idle_q && !read && reads[0] == 0;
    for (i = 0; i < RING; i = i + 1) if (reads[i] && i + \u_host.interval_q < 11) due = 0;
    if (\u_host.answer_q && 8 + \u_host.interval_q < 11) due = 0;
    if (9 + \u_host.interval_q < 11) due = 0;
    tied_read = (reads & ~asked) == 0 && ((asked & ~reads) == 0 || \u_host.status_q ) && (!status || \u_host.status_q );
    if ((reads != 0 || read) && \u_host.status_q ) tied_read = 0;
    if (\u_host.none_q && \u_host.awaited_q != 0) tied_read = 0;
    if (\u_host.request_q && !\u_host.reading_q ) tied_read = 0;
    if ((drains || read) && (running != 0 || owed != 0)) tied_read = 0;
    if (\u_host.credit_q && \u_host.credits_q < 2 || \u_host.request_q && \u_host.credits_q == 0) tied_read = 0;
    if (asking != (\u_host.reading_q && !\u_host.status_q ? position : 0)) tied_read = 0;
    if (\u_host.status_q && (words != 0 || read)) tied_read = 0;
    if (\u_host.read_buffer_q != (from ^ (DOUBLE != 0 && !\u_host.status_q && \u_host.reading_q && words == 0))) tied_read = 0;
    if (\u_host.reading_q && (\u_host.tile_end_q != \u_host.read_tile_q [0] || \u_host.read_tile_q [1])) tied_read = 0;
    if (drains && (\u_host.piece_end_q != \u_host.read_piece_q [0] || \u_host.read_piece_q > 1)) tied_read = 0;
    if (\u_host.reading_q && \u_host.status_q && (\u_host.piece_end_q != (\u_host.read_piece_q == 7) || \u_host.read_piece_q > 7)) tied_read = 0;
    if (read && ring[DW+:TB] != words[1]) tied_read = 0;
    if (\u_host.pending_q && !\u_host.hold_q && !\u_host.none_q && !\u_host.status_q &&
        !(DOUBLE != 0 && (spoils ? due : owed == 1 || PASS >= FLUSH))) tied_read = 0;
    if (\u_host.pending_q && (drains || !dry)) tied_read = 0;
  end

  // requests of the drain or status that were made, and its answers that came
  wire [4:0] made = !\u_host.reading_q ? 5'd0 : \u_host.status_q ? {1'b0, \u_host.read_tile_q [0], \u_host.read_piece_q [2:0]} : {3'd0, position};
  wire [4:0] total = \u_host.status_q ? 16 : 4;
  wire [4:0] heard = before + came[0] + came[1] + ones(asked) + read + status;
  wire tied_asks = asks == read + status + (\u_host.reading_q ? total - made : 5'd0) &&
      ((pieces + status - (\u_host.status_q ? made : 5'd0)) & 15) == 0 && (heard == made || (!\u_host.reading_q && heard == total)) &&
      before < total && !(came[0] && answer_1[10] != \u_host.status_q ) && !(came[1] && of_status != \u_host.status_q );

  // what ends a wait is on its way since the last that went on
  reg tied_wait;
  always @* begin
    tied_wait = (\u_host.settled_q || \u_host.flush_q + waited <= FLUSH) && (\u_host.idle_q || \u_host.interval_q + waited < PASS);
    for (i = 0; i < 8; i = i + 1) if (launched[i] && waited > i) tied_wait = 0;
  end

  // an answer that came to its queue in the cycle before
  reg pushed;
  always @(posedge clk_i) pushed <= !rst && \u_host.push_q ;

  // what may be carried out
  wire [7:0] may = \u_host.may_q ;
  wire tied_may = !(may[0] && (\u_host.pending_q || !rests || running > 1 ||
                               (running == 1 && (DOUBLE == 0 || \u_host.fill_q != next)))) &&
      !(may[1] && (\u_host.pending_q || !rests || (LIVE != 0 ? launched != 0 : running != 0))) &&
      !(may[2] && (\u_host.pending_q || !rests || !dry)) &&
      !(may[3] && (owed != 0 || running != 0 || !rests || \u_host.awaited_q != 0)) &&
      !(may[4] && (!rests || \u_host.awaited_q != 0));
  wire tied_reset = !(\u_host.u_reset.rst_q && !rst) && !(rst && (first != 0 || owed != 0 || running != 0 || !rests || may != 0));
  wire tied_queues = \u_host.u_beats.valid_q == (first != 0) && \u_host.u_beats.held_valid_q == (second != 0) &&
      (first & (first - 1)) == 0 && (second & (second - 1)) == 0 &&
      \u_host.u_answers.more_q == (\u_host.u_answers.stored_q != {1'b0, pushed}) &&
      (\u_host.u_answers.stored_q != 3 || \u_host.u_answers.read_valid_q );
  // The host's registers tell what is on the ring, in flight and in its queues.
  always @* if (checked) assert (tied_data && tied_launch && tied_read && tied_may && tied_queues && tied_reset && tied_asks && tied_wait);
endmodule

`default_nettype wire
