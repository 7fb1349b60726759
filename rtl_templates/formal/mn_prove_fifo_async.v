// Proof of mn_fifo_async: words come out once and in order, for any two clocks.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// A step of the solver is shorter than any half cycle. Both clocks are inputs that rise and fall in any step, so their edges come in any
// order and distance, together among them. The reference keeps the words that went in and have not come out in one list, the oldest first.
// Registers of the queue change in the step in which their clock is high again, from what stood there a step before. Attribute hierconn is
// Yosys' way to name a signal inside an instance; memories are read as registers.
//
// Write: in_clk_i, in_rst_i, in_valid_i, in_data_i
// Read:  out_clk_i, out_rst_i, out_ready_i
`default_nettype none

module mn_prove_fifo_async #(
    parameter W  = 2,  // bits of a word; one is like any other, so a few stand for all
    parameter AB = 2   // as in mn_fifo_async, 2 or 3
) (
    input wire         in_clk_i,
    input wire         in_rst_i,
    input wire         in_valid_i,
    input wire [W-1:0] in_data_i,
    input wire         out_clk_i,
    input wire         out_rst_i,
    input wire         out_ready_i
);
  localparam DEPTH = 1 << AB;
  localparam LW = (DEPTH + 1) * W;  // a list: the memory and the output register
  localparam CB = AB + 2;

  wire in_ready, out_valid;
  wire [W-1:0] out_data;
  mn_fifo_async #(
      .W (W),
      .AB(AB)
  ) u_fifo (
      .in_clk_i   (in_clk_i),
      .in_rst_i   (in_rst_i),
      .in_valid_i (in_valid_i),
      .in_ready_o (in_ready),
      .in_data_i  (in_data_i),
      .out_clk_i  (out_clk_i),
      .out_rst_i  (out_rst_i),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready_i),
      .out_data_o (out_data)
  );

  // Inside the queue.
  (* hierconn *) wire [AB:0] \u_fifo.written_q ;
  (* hierconn *) wire [AB:0] \u_fifo.written_gray_q ;
  (* hierconn *) wire [AB:0] \u_fifo.read_q ;
  (* hierconn *) wire [AB:0] \u_fifo.read_gray_q ;
  (* hierconn *) wire [AB:0] \u_fifo.written_seen ;
  (* hierconn *) wire [AB:0] \u_fifo.read_seen ;
  (* hierconn *) wire [AB:0] \u_fifo.u_written.first_q ;
  (* hierconn *) wire [AB:0] \u_fifo.u_read.first_q ;
  wire [AB:0] written, written_gray, read, read_gray, written_seen, read_seen;
  assign written = \u_fifo.written_q ;
  assign written_gray = \u_fifo.written_gray_q ;
  assign read = \u_fifo.read_q ;
  assign read_gray = \u_fifo.read_gray_q ;
  assign written_seen = \u_fifo.written_seen ;
  assign read_seen = \u_fifo.read_seen ;
  (* hierconn *) wire [W-1:0] \u_fifo.mem[0] ;
  (* hierconn *) wire [W-1:0] \u_fifo.mem[1] ;
  (* hierconn *) wire [W-1:0] \u_fifo.mem[2] ;
  (* hierconn *) wire [W-1:0] \u_fifo.mem[3] ;
  (* hierconn *) wire [W-1:0] \u_fifo.mem[4] ;
  (* hierconn *) wire [W-1:0] \u_fifo.mem[5] ;
  (* hierconn *) wire [W-1:0] \u_fifo.mem[6] ;
  (* hierconn *) wire [W-1:0] \u_fifo.mem[7] ;
  wire [8*W-1:0] mem;
  assign mem = {\u_fifo.mem[7] , \u_fifo.mem[6] , \u_fifo.mem[5] , \u_fifo.mem[4] ,
                \u_fifo.mem[3] , \u_fifo.mem[2] , \u_fifo.mem[1] , \u_fifo.mem[0] };  // those that there are

  // A number in Gray code, in binary.
  function [AB:0] binary(input [AB:0] gray);
    integer b;
    begin
      binary = gray;
      for (b = AB - 1; b >= 0; b = b - 1) binary[b] = gray[b] ^ binary[b+1];
    end
  endfunction

  // A list, with zero behind the youngest word, and a word more.
  function [LW-1:0] longer(input [LW-1:0] list, input [CB-1:0] count, input [W-1:0] word);
    longer = list | ({{LW - W{1'b0}}, word} << (count * W));
  endfunction

  // A step before: clocks, resets, streams, numbers.
  reg in_clk_q = 1, out_clk_q = 1, in_rst_q = 1, out_rst_q = 1;
  reg in_valid_q, in_ready_q, out_valid_q, out_ready_q;
  reg [W-1:0] in_data_q, out_data_q;
  reg [AB:0] written_gray_q, read_gray_q, written_seen_q, read_seen_q;
  always @($global_clock) begin
    {in_clk_q, out_clk_q, in_rst_q, out_rst_q} <= {in_clk_i, out_clk_i, in_rst_i, out_rst_i};
    {in_valid_q, in_ready_q, in_data_q} <= {in_valid_i, in_ready, in_data_i};
    {out_valid_q, out_ready_q, out_data_q} <= {out_valid, out_ready_i, out_data};
    {written_gray_q, read_gray_q, written_seen_q, read_seen_q} <= {written_gray, read_gray, written_seen, read_seen};
  end
  wire in_edge = in_clk_i && !in_clk_q, out_edge = out_clk_i && !out_clk_q;

  // Edges of each clock in reset: one, and when both had theirs, two more.
  reg [1:0] in_held = 0, out_held = 0;
  reg begun = 0;
  wire both = in_held != 0 && out_held != 0;
  always @($global_clock) begin
    if (in_edge && (both ? in_held != 3 : in_held == 0)) in_held <= in_held + 1;
    if (out_edge && (both ? out_held != 3 : out_held == 0)) out_held <= out_held + 1;
    begun <= in_held == 3 && out_held == 3;
  end
  // Both resets are high together for three cycles of the slower clock.
  always @* if (!begun) assume (in_rst_i && out_rst_i);
  // Afterwards each falls when it likes, and stays low.
  always @* if (begun) assume (!(in_rst_i && !in_rst_q) && !(out_rst_i && !out_rst_q));

  // The words in the queue as they should be.
  reg [LW-1:0] list_q;
  reg [CB-1:0] count_q;
  wire comes = in_edge && in_valid_q && in_ready_q, goes = out_edge && out_valid_q && out_ready_q;
  wire [LW-1:0] rest = goes ? list_q >> W : list_q;
  wire [CB-1:0] left = count_q - goes;
  wire [LW-1:0] list = comes ? longer(rest, left, in_data_q) : rest;
  wire [CB-1:0] count = left + comes;
  always @($global_clock) begin
    list_q  <= begun ? list : 0;
    count_q <= begun ? count : 0;
  end

  // The words in the queue as they are: the output register, then the memory from the oldest on.
  wire [AB:0] stored = written - read;
  reg [LW-1:0] own;
  reg [AB:0] place;
  integer n;
  always @* begin
    own = 0;
    if (out_valid) own = longer(own, 0, out_data);
    for (n = 0; n < DEPTH; n = n + 1) begin
      place = read + n;
      if (n < stored) own = longer(own, n + out_valid, mem[place[AB-1:0]*W+:W]);
    end
  end
  wire [CB-1:0] owned = stored + out_valid;
  wire [LW+CB-1:0] found = {own, owned};
  wire [LW+CB-1:0] expected = {list, count};
  wire checked = begun;
  // The queue holds the words that went in and have not come out, once each and in order; the oldest is offered first.
  always @* if (checked) assert (found == expected);

  // The other side's numbers as they were one and two edges of this side's clock ago.
  reg [AB:0] written_1q, written_2q, read_1q, read_2q;
  wire [AB:0] written_1 = out_edge ? written_gray_q : written_1q, written_2 = out_edge ? written_1q : written_2q;
  wire [AB:0] read_1 = in_edge ? read_gray_q : read_1q, read_2 = in_edge ? read_1q : read_2q;
  always @($global_clock) begin
    {written_1q, written_2q, read_1q, read_2q} <= {written_1, written_2, read_1, read_2};
  end

  // How many words were written for sure and have not been read, by what the reader knows and will know; and how many may not have been read, by
  // what the writer knows and will know.
  wire [AB:0] sure_2 = binary(written_2) - read, sure_1 = binary(written_1) - read;
  wire [AB:0] maybe_2 = written - binary(read_2), maybe_1 = written - binary(read_1);
  wire in_turn = sure_2 <= sure_1 && sure_1 <= stored && stored <= maybe_1 && maybe_1 <= maybe_2 && maybe_2 <= DEPTH;
  // No word is written without a place or read before it was written, for the reader knows of no more words and the writer of no fewer.
  always @* if (begun) assert (in_turn && !(in_ready && maybe_2 == DEPTH));

  // Each side's registers in reset.
  wire in_idle = {written, written_gray, in_ready} == 0, out_idle = {read, read_gray, out_valid} == 0;
  wire in_known = (in_held < 2 || read_1 == 0) && (in_held < 3 || read_2 == 0);  // what a side hears of one in reset
  wire out_known = (out_held < 2 || written_1 == 0) && (out_held < 3 || written_2 == 0);
  wire in_sound = !in_rst_q || ((in_held == 0 || in_idle) && out_known);
  wire out_sound = !out_rst_q || ((out_held == 0 || out_idle) && in_known);
  wire held_sound = (both || (in_held < 2 && out_held < 2)) && (!begun || ((in_held & out_held) == 3 && (!in_rst_q || stored == 0)));
  // Reset sets both sides' numbers to zero, and they cross.
  always @* assert (in_sound && out_sound && held_sound);

  wire [AB:0] written_change = written_gray ^ written_gray_q, read_change = read_gray ^ read_gray_q;
  // At most one bit of a number that crosses changes at a time, so that the other side reads the old or the new one.
  always @* if (begun) assert ((written_change & (written_change - 1)) == 0 && (read_change & (read_change - 1)) == 0);
  // The numbers that cross are those of the words that were written and read.
  always @* if (begun) assert (binary(written_gray) == written && binary(read_gray) == read);
  wire written_late = (out_held == 0 || \u_fifo.u_written.first_q  == written_1) && (out_held < 2 || written_seen == written_2);
  wire read_late = (in_held == 0 || \u_fifo.u_read.first_q  == read_1) && (in_held < 2 || read_seen == read_2);
  // A side uses the other's number behind two registers of its own clock.
  always @* assert (written_late && read_late);

  // An output changes with its own side's clock alone.
  always @* if (begun) assert ((in_edge || in_ready == in_ready_q) && (out_edge || {out_valid, out_data} == {out_valid_q, out_data_q}));

  wire [AB:0] maybe = written - binary(read_seen_q);
  // There is room after an edge unless the writer knows of 2**AB words that may not have been read.
  always @* if (begun) assert (!in_edge || in_rst_q || in_ready == (maybe != DEPTH));
  // A word is offered after an edge if the reader knew of one.
  always @* if (begun) assert (!out_edge || out_rst_q || out_valid || read_gray_q == written_seen_q);

endmodule

`default_nettype wire
