// Properties of mn_slot_bank: no word is overwritten before its last read, for any table that gives addresses out with care.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// A word is live from the cycle after its write to its last read. The reference keeps the word that was written to each address. With
// RING = 0 addresses are any that hold no live word, as the compiler gives them out, and those that the bank does not have; with RING = 1
// they go around, and the bank's depth is all that keeps a write from a live word. Attribute hierconn is Yosys' way to name a signal
// inside an instance; memories are read as registers.
//
// Clock: clk_i
// Write: write_i, waddr_i, wdata_i
// Read:  read_i, last_i, forward_i, raddr_i
`default_nettype none

module mn_prove_slot_bank #(
    parameter W = 2,  // bits of a word; one is like any other, so a few stand for all
    parameter FORWARD = 0,  // as in mn_slot_bank
    parameter RING = 0  // 1: addresses go around
) (
    input wire         clk_i,
    input wire         write_i,
    input wire [  1:0] waddr_i,
    input wire [W-1:0] wdata_i,
    input wire         read_i,
    input wire         last_i,
    input wire         forward_i,
    input wire [  1:0] raddr_i
);
  localparam DEPTH = 3;

  wire [W-1:0] word;
  mn_slot_bank #(
      .W(W),
      .DEPTH(DEPTH),
      .FORWARD(FORWARD)
  ) u_bank (
      .clk_i(clk_i),
      .write_i(write_i),
      .waddr_i(waddr_i),
      .wdata_i(wdata_i),
      .forward_i(forward_i),
      .raddr_i(raddr_i),
      .word_o(word)
  );

  // Inside the bank.
  (* hierconn *) wire [W-1:0] \u_bank.gen_memory.mem[0] ;
  (* hierconn *) wire [W-1:0] \u_bank.gen_memory.mem[1] ;
  (* hierconn *) wire [W-1:0] \u_bank.gen_memory.mem[2] ;
  wire [3*W-1:0] kept = {\u_bank.gen_memory.mem[2] , \u_bank.gen_memory.mem[1] , \u_bank.gen_memory.mem[0] };

  // Words that were written, and where. With RING = 1 the live ones are the newest `count`, the oldest of them at `oldest`.
  reg [3*W-1:0] written;
  reg [1:0] oldest = 0, count = 0;
  reg [2:0] marked = 0;
  reg [2:0] live;
  integer a;
  always @* begin
    for (a = 0; a < DEPTH; a = a + 1) live[a] = RING != 0 ? (a + DEPTH - oldest) % DEPTH < count : marked[a];
  end

  // What a cycle does: a word goes with its last read, or when that read takes it as it is written.
  wire passed = write_i && read_i && forward_i && last_i;
  wire frees = read_i && last_i && !forward_i;
  wire [2:0] released = live & ~(frees ? 3'd1 << raddr_i : 3'd0);

  always @(posedge clk_i) begin
    if (write_i && waddr_i < DEPTH) written[waddr_i*W+:W] <= wdata_i;
    marked <= write_i && !passed ? released | (3'd1 << waddr_i) : released & ~(write_i ? 3'd1 << waddr_i : 3'd0);
    oldest <= (oldest + {1'b0, frees}) % DEPTH;
    count  <= count - {1'b0, frees} + {1'b0, write_i && !passed};
  end

  // The word that a read is to show a cycle later.
  reg due_known = 0;
  reg [W-1:0] due;
  always @(posedge clk_i) begin
    due_known <= read_i;
    due <= forward_i ? wdata_i : written[raddr_i*W+:W];
  end

  always @* begin
    // A word is read at an address of the bank.
    assume (!read_i || raddr_i < DEPTH);
    // A word is read while it is live, or as it is written where the bank can do that.
    assume (!read_i || (forward_i ? FORWARD != 0 && write_i : live[raddr_i]));
    // The bank is told to show the word that is written only for a read.
    assume (!forward_i || read_i);
    // An address is given out that holds no live word, or one in the cycle of its last read, or that the bank does not have.
    if (RING == 0) assume (!write_i || waddr_i >= DEPTH || !released[waddr_i]);
    // In a ring addresses are given out in turn, of at most as many live words as the bank is deep.
    if (RING != 0) assume (!write_i || (waddr_i == (oldest + count) % DEPTH && count - {1'b0, frees} < DEPTH));
    // In a ring words have their last read in the order in which they came, and none is read only as it is written.
    if (RING != 0) assume (!passed && (!frees || raddr_i == oldest));
    // A read shows the word that was written to its address.
    if (due_known) assert (word == due);
  end

  genvar i;
  generate
    for (i = 0; i < DEPTH; i = i + 1) begin : gen_place
      // A word that is still to be read stands in its place and is not overwritten.
      always @* if (live[i]) assert (kept[i*W+:W] == written[i*W+:W]);
    end
  endgenerate

endmodule

`default_nettype wire
