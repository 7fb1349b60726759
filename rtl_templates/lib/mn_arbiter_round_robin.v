// Round-robin arbiter: the turn goes round, one on with every grant. The one whose turn it is comes first, so that a request waits for N-1
// grants of others at most.
//
// The others follow in a tree: bit 0 of the turn says whether even or odd ones come first, bit 1 which half of these, and so on. The turn
// does not depend on who is granted, and a grant is three LUT4 deep for N <= 16. Of two that always request, and nobody else, each gets half
// of the grants if N is a power of two, and a third at least if it is not. Of more, each half of the tree gets its half.
//
// The grant is combinational from the requests. While hold_i is high, only the last requester that was granted can be
// granted, and only if it requests. Before the first grant after reset there is no such requester. The first turn is
// that of requester 0.
//
// Clock, reset: clk_i, rst_i
// Requests:     request_i, hold_i, grant_o, last_o
`default_nettype none

module mn_arbiter_round_robin #(
    parameter N = 4  // number of requests, at least 1
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire [N-1:0] request_i,
    input  wire         hold_i,
    output wire [N-1:0] grant_o,    // one-hot; zero if no request may be granted
    output wire [N-1:0] last_o      // the last one granted, from registers
);

  localparam B = N > 2 ? $clog2(N) : 1;  // bits of a turn
  localparam PAIRS = 1 << (B - 1);  // p and p + PAIRS differ in the highest bit alone, and are a pair
  localparam R = 2 * PAIRS;
  localparam [31:0] LAST = N - 1;

  reg [N-1:0] last_q;  // the last one granted
  reg [B-1:0] turn_q;
  wire [B-1:0] first;  // the turn, as those below are compared with it

  wire [R-1:0] request = {{R - N{1'b0}}, request_i};
  wire [R-1:0] last = {{R - N{1'b0}}, last_q};
  wire [R-1:0] chosen;  // whom the grant is for without hold
  wire [R-1:0] grant;
  wire move = !hold_i && request_i != {N{1'b0}};

  // The turn after this one.
  wire [B-1:0] carry;
  wire [B-1:0] next = R != N && turn_q == LAST[B-1:0] ? {B{1'b0}} : turn_q ^ carry;

  genvar p, b, m;
  generate
    for (p = 0; p < PAIRS; p = p + 1) begin : gen_pair
      localparam [31:0] PAIR = p;
      wire low = request[p];
      wire high = request[p+PAIRS];

      // Of each bit but the highest: whether the pair gives way to those that have the bits below it in common and not the bit.
      wire [B-1:0] gives_way;
      for (b = 0; b < B - 1; b = b + 1) begin : gen_bit
        localparam OTHERS = PAIRS >> b;
        wire [OTHERS-1:0] others;
        for (m = 0; m < OTHERS; m = m + 1) begin : gen_other
          assign others[m] = request[(m<<(b+1))+((p%(2<<b))^(1<<b))];
        end
        assign gives_way[b] = others != {OTHERS{1'b0}} && first[b] != PAIR[b];
      end
      assign gives_way[B-1] = 1'b0;
      wire yield = gives_way != {B{1'b0}};

      // Within the pair the highest bit decides.
      wire low_first = !(high && first[B-1]);
      wire high_first = !(low && !first[B-1]);
      assign chosen[p]       = low && low_first && !yield;
      assign chosen[p+PAIRS] = high && high_first && !yield;
      assign grant[p]        = low && (hold_i ? last[p] : low_first) && !(yield && !hold_i);
      assign grant[p+PAIRS]  = high && (hold_i ? last[p+PAIRS] : high_first) && !(yield && !hold_i);
    end

    assign carry[0] = 1'b1;
    for (b = 1; b < B; b = b + 1) begin : gen_carry
      assign carry[b] = turn_q[b-1:0] == {b{1'b1}};
    end

    // One without a pair comes first in its turn whatever the highest bit, which is 1 in every second of these turns: so the two of a pair
    // come before each other equally often, or nearly.
    if (R == N || N == 1) begin : gen_pairs_only
      assign first = turn_q;
    end else begin : gen_single
      localparam [31:0] SINGLE = N - PAIRS;  // the lowest without a pair
      reg top_q;
      always @(posedge clk_i) begin
        if (rst_i) top_q <= 1'b0;
        else if (move) top_q <= next[B-1] || (next[0] && next >= SINGLE[B-1:0]);
      end
      assign first = {top_q, turn_q[B-2:0]};
    end

    if (R > N) begin : gen_spare
      wire unused = |{chosen[R-1:N], grant[R-1:N]};
    end
  endgenerate

  // Under hold the last one granted stays the same, and the turn does.
  always @(posedge clk_i) begin
    if (rst_i) begin
      last_q <= {N{1'b0}};
      turn_q <= {B{1'b0}};
    end else if (move) begin
      last_q <= chosen[N-1:0];
      turn_q <= next;
    end
  end

  assign grant_o = grant[N-1:0];
  assign last_o  = last_q;

endmodule

`default_nettype wire
