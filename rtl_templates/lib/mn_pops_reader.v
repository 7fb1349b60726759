// Reads N queues in turn into one register, a packet at a time: after a packet's last word comes the next queue that offers a packet, the
// search beginning behind the queue that was read last. A word a cycle, if it is taken.
//
// Clock, reset: clk_i, rst_i
// Queues:       packet_i, word_i, data_i, last_i, pop_o; queue n has data_i[n*W +: W]
// Output:       valid_o, from_o, first_o, last_o, data_o, from registers; the word is taken where valid_o and ready_i are high
`default_nettype none

module mn_pops_reader #(
    parameter N = 4,  // queues, at least 1
    parameter W = 32  // bits of a word
) (
    input  wire           clk_i,
    input  wire           rst_i,
    input  wire [  N-1:0] packet_i,  // a whole packet is there
    input  wire [  N-1:0] word_i,    // a word is there
    input  wire [  N-1:0] last_i,    // it is a packet's last
    input  wire [N*W-1:0] data_i,
    output wire [  N-1:0] pop_o,
    output wire           valid_o,
    output wire [  N-1:0] from_o,    // the queue that it comes from, one-hot
    output wire           first_o,   // it is a packet's first
    output wire           last_o,
    output wire [  W-1:0] data_o,
    input  wire           ready_i
);

  reg valid_q, first_q, last_q;
  reg open_q;  // words of the packet in the register are still to come
  reg [N-1:0] from_q;
  reg [N-1:0] behind_q;  // queues behind the one that was read last
  reg [W-1:0] data_q;

  wire move = !valid_q || ready_i;
  wire begins = move && !open_q;
  wire [N-1:0] sooner = packet_i & behind_q;
  wire [N-1:0] turn;  // the lowest queue that is sooner, or of all if none is
  wire [N-1:0] past;  // queues behind the one that is read
  assign pop_o = open_q ? from_q & word_i & {N{move}} : turn & {N{begins}};

  wire [N*W-1:0] terms;
  wire [  W-1:0] chosen;
  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : gen_term
      assign terms[n*W+:W] = {W{pop_o[n]}} & data_i[n*W+:W];
      if (n == 0) begin : gen_lowest
        assign turn[n] = packet_i[n] && sooner == {N{1'b0}};
        assign past[n] = 1'b0;
      end else begin : gen_later
        wire none = (behind_q[n] ? sooner[n-1:0] : packet_i[n-1:0]) == {n{1'b0}};
        assign turn[n] = packet_i[n] && none && (behind_q[n] || sooner == {N{1'b0}});
        assign past[n] = pop_o[n-1:0] != {n{1'b0}};
      end
    end
  endgenerate
  mn_or_tree #(
      .W(W),
      .N(N)
  ) u_or (
      .terms_i(terms),
      .any_o  (chosen)
  );

  wire any = pop_o != {N{1'b0}};
  wire last = (pop_o & last_i) != {N{1'b0}};
  always @(posedge clk_i) begin
    if (move) data_q <= chosen;
    if (any) begin
      from_q  <= pop_o;
      first_q <= !open_q;
      last_q  <= last;
    end
    if (rst_i) begin
      valid_q  <= 1'b0;
      open_q   <= 1'b0;
      behind_q <= {N{1'b0}};
    end else begin
      if (move) valid_q <= any;
      if (any) open_q <= !last;
      if (any) behind_q <= past;
    end
  end

  assign valid_o = valid_q;
  assign from_o  = from_q;
  assign first_o = first_q;
  assign last_o  = last_q;
  assign data_o  = data_q;

endmodule

`default_nettype wire
