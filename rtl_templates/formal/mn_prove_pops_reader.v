// Properties of mn_pops_reader, for any queues and any use of the output and of the reset: queues are read in turn, a packet at a time.
//
// The reference remembers the queue that was read last and whether its packet goes on, and walks from there to find the next. Attribute
// hierconn is Yosys' way to name a signal inside an instance.
//
// Clock, reset: clk_i, rst_i
// Queues:       packet_i, word_i, last_i, data_i
// Output:       ready_i
`default_nettype none

module mn_prove_pops_reader #(
    parameter N = 3,  // queues
    parameter W = 2,  // bits of a word
    parameter CW = 4  // width of a number of queues
) (
    input wire           clk_i,
    input wire           rst_i,
    input wire [  N-1:0] packet_i,
    input wire [  N-1:0] word_i,
    input wire [  N-1:0] last_i,
    input wire [N*W-1:0] data_i,
    input wire           ready_i
);

  wire [N-1:0] pop, from;
  wire valid, first, last;
  wire [W-1:0] data;
  mn_pops_reader #(
      .N(N),
      .W(W)
  ) u_reader (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .packet_i(packet_i),
      .word_i  (word_i),
      .last_i  (last_i),
      .data_i  (data_i),
      .pop_o   (pop),
      .valid_o (valid),
      .from_o  (from),
      .first_o (first),
      .last_o  (last),
      .data_o  (data),
      .ready_i (ready_i)
  );

  // Inside, joined by their names when the design is flattened.
  (* hierconn *) wire \u_reader.open_q ;
  (* hierconn *) wire [N-1:0] \u_reader.behind_q ;

  reg known = 0;
  always @(posedge clk_i) known <= 1;
  // The first cycle is one of reset.
  always @* if (!known) assume (rst_i);
  // A queue that offers a packet has a word.
  always @* assume ((packet_i & ~word_i) == 0);

  // The queue that was read last, the highest if none was, and whether words of its packet are still there.
  reg [CW-1:0] at;
  reg open;

  // The next queue: that of the packet, or the first behind it that offers one; N if there is none.
  reg [CW-1:0] next, step;
  integer d;
  always @* begin
    next = N;
    step = at;
    if (open) next = word_i >> at & 1 ? at : N;
    else
      for (d = 0; d < N; d = d + 1) begin
        step = step == N - 1 ? 0 : step + 1;
        if (next == N && (packet_i >> step & 1)) next = step;
      end
  end
  wire free = !valid || ready_i;
  wire reads = free && next != N;
  wire ends = last_i >> next & 1;
  always @(posedge clk_i) begin
    if (reads) begin
      at   <= next;
      open <= !ends;
    end
    if (rst_i) begin
      at   <= N - 1;
      open <= 0;
    end
  end

  // What the output shows.
  reg full, was_first, was_last;
  reg [W-1:0] word;
  always @(posedge clk_i) begin
    if (free) full <= reads;
    if (reads) begin
      was_first <= !open;
      was_last  <= ends;
      word      <= data_i >> next * W;
    end
    if (rst_i) full <= 0;
  end

  wire [N-1:0] one = reads ? 1 << next : 0;
  // A word is read whenever the output is free: of the packet that goes on, or else of the first queue behind the last that offers one.
  always @* if (known) assert (pop == one);
  // The reader knows whether a packet goes on.
  always @* if (known) assert (\u_reader.open_q == open);
  // The reader knows whose turn it is: that of the queues behind the last.
  always @* if (known) assert (\u_reader.behind_q == {N{1'b1}} << (at + 1) && at < N);
  // While a packet goes on or a word waits, the queue it is from is the last that was read.
  always @* if (known && (open || full)) assert (from == 1 << at);
  // The output has a word from the cycle after it was read to that in which it is taken.
  always @* if (known) assert (valid == full);
  // The word is the one that was read, and says whether it is its packet's first and last.
  always @* if (known && full) assert ({data, first, last} == {word, was_first, was_last});

  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : gen_wait
      // Packets of others that began while this queue offers one, and queues that can still be read before it.
      reg [CW-1:0] waited;
      always @(posedge clk_i) begin
        if (rst_i || !packet_i[n] || pop[n]) waited <= 0;
        else if (pop != 0 && !open) waited <= waited + 1;
      end
      wire [CW-1:0] left = n > at ? n - at - 1 : n + N - at - 1;
      // A queue that offers a packet waits for packets of N-1 others at most: those that were and those that can still come are never more.
      always @* if (known) assert (waited + left <= N - 1);
    end
  endgenerate

endmodule

`default_nettype wire
