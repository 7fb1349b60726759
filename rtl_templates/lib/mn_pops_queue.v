// A queue of whole packets: DEPTH words, of which the oldest stands at the output. A packet is offered when all of its PACKET words are there,
// and its words are then taken one by one. A word must not come while room_o is low; it would be lost.
//
// Time: a word that comes in cycle t is counted, and can be taken, from cycle t + 1 on; so is the room of a word that is taken.
//
// Clock, reset: clk_i, rst_i (the memory is not reset)
// Write side:   push_i, data_i, room_o
// Read side:    packet_o, word_o, data_o, pop_i
`default_nettype none

module mn_pops_queue #(
    parameter W = 8,  // bits of a word
    parameter DEPTH = 4,  // words, at least PACKET
    parameter PACKET = 1,  // words that must be there before the first is offered
    parameter AB = DEPTH > 2 ? $clog2(DEPTH) : 1  // derived, do not set: address bits
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         push_i,
    input  wire [W-1:0] data_i,
    output wire         room_o,
    output wire         packet_o,  // a whole packet is there
    output wire         word_o,    // a word is there
    output wire [W-1:0] data_o,
    input  wire         pop_i
);

  localparam [31:0] FULL = DEPTH;
  localparam [31:0] WHOLE = PACKET;

  reg [W-1:0] mem[0:(1<<AB)-1];
  reg [AB-1:0] head_q, tail_q;  // next to be read, next to be written
  reg [AB:0] stored_q;  // words in the memory

  always @(posedge clk_i) begin
    if (push_i) mem[tail_q] <= data_i;
    if (rst_i) begin
      head_q   <= {AB{1'b0}};
      tail_q   <= {AB{1'b0}};
      stored_q <= {AB + 1{1'b0}};
    end else begin
      if (push_i) tail_q <= tail_q + 1'b1;
      if (pop_i) head_q <= head_q + 1'b1;
      stored_q <= stored_q + {{AB{1'b0}}, push_i} - {{AB{1'b0}}, pop_i};
    end
  end

  assign room_o   = stored_q != FULL[AB:0];
  assign packet_o = stored_q >= WHOLE[AB:0];
  assign word_o   = stored_q != {AB + 1{1'b0}};
  assign data_o   = mem[head_q];

endmodule

`default_nettype wire
