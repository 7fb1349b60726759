// Proof of mn_fifo: words come out once and in order, and no count overflows, for any writer that counts its credits.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// The reference keeps the words that went in and have not come out in one list, the oldest first. Attribute hierconn is Yosys' way to name a
// signal inside an instance; memories are read as registers, and those that there are not are free.
//
// Clock, reset: clk_i, rst_i
// Write:        push_i, data_i
// Read:         ready_i
`default_nettype none

module mn_prove_fifo #(
    parameter W  = 2,  // bits of a word; one is like any other, so a few stand for all
    parameter AB = 2,  // as in mn_fifo, 2 or 3
    parameter GB = 2   // as in mn_fifo: AB, or 2
) (
    input wire         clk_i,
    input wire         rst_i,
    input wire         push_i,
    input wire [W-1:0] data_i,
    input wire         ready_i
);
  localparam DEPTH = 1 << AB;
  localparam CB = AB + 1;

  wire valid, wrong;
  wire [W-1:0] data;
  mn_fifo #(
      .W    (W),
      .AB   (AB),
      .GUARD(1),
      .GB   (GB)
  ) u_fifo (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .push_i (push_i),
      .data_i (data_i),
      .valid_o(valid),
      .ready_i(ready_i),
      .data_o (data),
      .wrong_o(wrong)
  );

  // Inside the queue.
  (* hierconn *) wire [AB-1:0] \u_fifo.head_q ;
  (* hierconn *) wire [AB-1:0] \u_fifo.tail_q ;
  (* hierconn *) wire [AB-1:0] \u_fifo.stored_q ;
  (* hierconn *) wire \u_fifo.more_q ;
  (* hierconn *) wire \u_fifo.read_valid_q ;
  (* hierconn *) wire [W-1:0] \u_fifo.chosen ;
  wire [AB-1:0] head, tail, stored;
  assign head   = \u_fifo.head_q ;
  assign tail   = \u_fifo.tail_q ;
  assign stored = \u_fifo.stored_q ;
  wire more, read;
  assign more = \u_fifo.more_q ;
  assign read = \u_fifo.read_valid_q ;
  wire [W-1:0] chosen;
  assign chosen = \u_fifo.chosen ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_one.mem[0] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_one.mem[1] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_one.mem[2] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_one.mem[3] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_one.mem[4] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_one.mem[5] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_one.mem[6] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_one.mem[7] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_several.gen_group[0].mem[0] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_several.gen_group[0].mem[1] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_several.gen_group[0].mem[2] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_several.gen_group[0].mem[3] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_several.gen_group[1].mem[0] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_several.gen_group[1].mem[1] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_several.gen_group[1].mem[2] ;
  (* hierconn *) wire [W-1:0] \u_fifo.gen_several.gen_group[1].mem[3] ;
  wire [8*W-1:0] mem, grouped;  // its words by address, those that there are
  assign mem = GB < AB ? grouped :
        {\u_fifo.gen_one.mem[7] , \u_fifo.gen_one.mem[6] ,
         \u_fifo.gen_one.mem[5] , \u_fifo.gen_one.mem[4] ,
         \u_fifo.gen_one.mem[3] , \u_fifo.gen_one.mem[2] ,
         \u_fifo.gen_one.mem[1] , \u_fifo.gen_one.mem[0] };
  assign grouped =
        {\u_fifo.gen_several.gen_group[1].mem[3] , \u_fifo.gen_several.gen_group[1].mem[2] ,
         \u_fifo.gen_several.gen_group[1].mem[1] , \u_fifo.gen_several.gen_group[1].mem[0] ,
         \u_fifo.gen_several.gen_group[0].mem[3] , \u_fifo.gen_several.gen_group[0].mem[2] ,
         \u_fifo.gen_several.gen_group[0].mem[1] , \u_fifo.gen_several.gen_group[0].mem[0] };

  reg checked = 0;
  always @(posedge clk_i) checked <= 1;
  // It begins with a reset, and has no other.
  always @* assume (rst_i == !checked);

  // The words in the queue, and whether one came in the cycle before.
  reg [DEPTH*W-1:0] words;
  reg [CB-1:0] count;
  reg pushed;
  wire taken = valid && ready_i;
  function [W-1:0] word(input integer place);
    word = words >> (place * W);
  endfunction
  wire [CB-1:0] left = count - {{AB{1'b0}}, taken};
  integer i;
  always @(posedge clk_i) begin
    for (i = 0; i < DEPTH; i = i + 1) begin
      if (taken) words[i*W+:W] <= word(i + 1);
      if (push_i && left == i) words[i*W+:W] <= data_i;
    end
    count  <= left + {{AB{1'b0}}, push_i};
    pushed <= push_i;
    if (rst_i) {count, pushed} <= 0;
  end
  // Cycles in which there were words and none stood at the output.
  reg [2:0] waited;
  always @(posedge clk_i) waited <= rst_i || valid || count == 0 ? 0 : waited + 1;

  // The writer has a credit for each of the queue's places, which comes back when the word is taken.
  always @* assume (!push_i || (count < DEPTH && !rst_i));

  // The word at the output is the oldest that was not taken.
  always @* if (checked) assert (!valid || (count != 0 && data == word(0)));
  // A word stands at the output three cycles after it came to an empty queue, or earlier.
  always @* if (checked) assert (valid || count == 0 || waited < 3);
  // A queue whose bits do not flip reports nothing.
  always @* if (checked) assert (!wrong);

  // The words of the list in the order in which they leave: the output, what was read, the memory.
  reg tied;
  always @* begin
    tied = count == {{AB{1'b0}}, valid} + {{AB{1'b0}}, read} + {1'b0, stored} && tail == head + stored;
    if (more != (stored != {{AB - 1{1'b0}}, pushed})) tied = 0;
    // a third word comes to the memory when one is on its way out
    if (stored > 2 && !read) tied = 0;
    if (read && chosen != word(valid)) tied = 0;
    for (i = 0; i < DEPTH; i = i + 1)
      if (i < stored && mem[((head+i)%DEPTH)*W+:W] != word(i + valid + read)) tied = 0;
    // how long a word has been on its way is told by where it is
    if (!valid && read && waited > 2) tied = 0;
    if (!valid && !read && count != 0 && waited > (more ? 1 : 0)) tied = 0;
  end
  // Memory, registers and counts of the queue hold the words in their order, and the memory is never full.
  always @* if (checked) assert (tied);
endmodule

`default_nettype wire
