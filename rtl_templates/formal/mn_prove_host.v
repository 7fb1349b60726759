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
    input wire [ 7:0] answer_i,
    input wire        done_i
);

  localparam TB = 2, DW = 8, FB = 2, FW = 4 + TB + DW;
  localparam RING = 8;  // stages of the ring
  localparam FLUSH = RING + 4;
  localparam [2:0] LOAD = 0, PROGRAM = 1, READ = 2, STATUS = 3, ANSWER = 4;

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
      .ring_i       ({asked[RING-1], ANSWER, {TB{1'b0}}, answer_i}),
      .go_o         (go),
      .go_buffer_o  (go_buffer),
      .go_swap_o    (go_swap),
      .go_version_o (go_version),
      .done_all_i   (done_i),
      .done_any_i   (done_i),
      .fault_i      (1'b0),
      .upset_i      (1'b0),
      .busy_o       (busy),
      .fault_o      (fault)
  );

  // Inside the host.
  (* hierconn *) wire \u_host.rst ;
  (* hierconn *) wire \u_host.u_reset.rst_q ;
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
  (* hierconn *) wire [1:0] \u_host.u_answers.stored_q ;
  (* hierconn *) wire \u_host.u_answers.more_q ;
  (* hierconn *) wire \u_host.u_answers.read_valid_q ;
  (* hierconn *) wire \u_host.u_answers.valid_q ;
  (* hierconn *) wire \u_host.u_beats.valid_q ;
  (* hierconn *) wire \u_host.u_beats.held_valid_q ;
  (* hierconn *) wire [17:0] \u_host.u_beats.data_q ;
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

  // ---- what is on the ring; the host's register before it is the flit that leaves ----
  wire valid = ring[FW-1];
  wire [2:0] kind = ring[FW-2-:3];
  wire load = valid && kind == LOAD, program = valid && kind == PROGRAM, read = valid && kind == READ, status = valid && kind == STATUS;
  reg [RING-1:0] reads;  // those of a drain
  reg [FLUSH-2:0] written;  // loads and pieces of a program, until they have had their effect
  always @(posedge clk_i) begin
    asked   <= {asked[RING-2:0], read || status};
    reads   <= {reads[RING-2:0], read};
    written <= {written[FLUSH-3:0], load || program};
    if (rst) {asked, reads, written} <= 0;
  end

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

  // ---- collectives in flight, and those that are still owed ----
  reg [4:0] running;
  reg [8:0] owed;
  reg [2:0] recent;
  reg [7:0] launched;
  wire starts = \u_host.does [2];
  always @(posedge clk_i) begin
    running  <= running + go - done_i;
    owed     <= owed - go + (starts ? (\u_host.data == 0 ? 9'd1 : {1'b0, \u_host.data }) : 9'd0);
    recent   <= {recent[1:0], go};
    launched <= {launched[6:0], go};
    if (rst) {running, owed, recent, launched} <= 0;
  end
  // A collective ends four cycles after its launch or later, in all tiles at once.
  always @* assume (!done_i || running > recent[0] + recent[1] + recent[2]);
  // Fewer than 31 collectives are in flight when one is owed.
  always @* assume (!(running == 31 && \u_host.pending_q ));

  // ---- beats that the host has taken and not carried out, the older one first, by kind ----
  reg [7:0] first, second;
  wire [7:0] does = \u_host.does ;
  wire [7:0] taken = {7'd0, s_axis_tvalid_i && s_axis_tready} << s_axis_tdest_i[4:2];
  always @(posedge clk_i) begin
    if (does != 0) {second, first} <= {8'd0, second != 0 ? second : taken};
    else if (first == 0) first <= taken;
    else if (taken != 0) second <= taken;
    if (rst) {second, first} <= 0;
  end

  function [3:0] ones(input [RING-1:0] bits);
    integer i;
    begin
      ones = 0;
      for (i = 0; i < RING; i = i + 1) ones = ones + bits[i];
    end
  endfunction

  // ---- the rules ----
  wire spoils = DOUBLE == 0 || from == next;
  wire used = running > 1 || (running == 1 && (DOUBLE == 0 || fill != next));
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
  // A drain asks each tile for its words, tile after tile.
  always @* if (checked) assert (!read || ring[DW+:TB] == words[1]);
  // There is no order fault as long as tiles end together and answer what they are asked.
  always @* if (checked) assert (!\u_host.order_q );
  // Beats are carried out in the order in which they come, once each.
  always @* if (checked) assert (first == \u_host.u_beats.data_q [17:10] && second == (\u_host.u_beats.held_valid_q ? \u_host.u_beats.held_q [17:10] : 8'd0) && (does & ~first) == 0);

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
    for (i = 0; i < 3; i = i + 1) if (recent[i] && (\u_host.idle_q || \u_host.interval_q != PASS - 1 - i)) tied_launch = 0;
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
  always @* if (checked) assert (tied_data && tied_launch && tied_read && tied_may && tied_queues && tied_reset);
endmodule

`default_nettype wire
