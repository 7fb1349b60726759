// Properties of mn_arbiter_fixed and mn_arbiter_round_robin, for any requests, any use of hold_i and of the reset.
//
// The reference remembers the last one granted and whose turn it is from the grants themselves, goes through the requests one by one and
// counts what each waits.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// Clock, reset: clk_i, rst_i
// Requests:     request_i, hold_i
`default_nettype none

module mn_prove_arbiter #(
    parameter N = 4,  // number of requests
    parameter ROUND_ROBIN = 1,  // 0 for mn_arbiter_fixed
    parameter CW = 5  // width of a number of requests
) (
    input wire         clk_i,
    input wire         rst_i,
    input wire [N-1:0] request_i,
    input wire         hold_i
);

  wire [N-1:0] grant, last_o;

  // The last one granted since the reset, one-hot, zero if there is none.
  reg [N-1:0] last;
  reg known = 0;
  always @(posedge clk_i) begin
    known <= 1;
    if (rst_i) last <= 0;
    else if (grant != 0) last <= grant;
  end

  // Whose turn it is, for round-robin: one on with every grant that hold does not keep.
  localparam B = N > 2 ? $clog2(N) : 1;
  reg [CW-1:0] turn;
  always @(posedge clk_i) begin
    if (rst_i) turn <= 0;
    else if (!hold_i && grant != 0) turn <= turn == N - 1 ? 0 : turn + 1;
  end

  // The turn, with the highest bit of every second one that has nobody there.
  reg [CW-1:0] first;
  always @* begin
    first = turn;
    if (turn[0] && turn + (1 << (B - 1)) >= N) first = turn | (1 << (B - 1));
  end

  // Requests that come before request n without hold.
  function [N-1:0] before(input integer n, input [CW-1:0] first);
    integer m, b;
    reg decided;
    begin
      before = 0;
      for (m = 0; m < N; m = m + 1) begin
        // The lowest bit in which they differ decides: who has it as the turn does comes first. In fixed priority the lower index does.
        decided = 0;
        for (b = 0; b < B; b = b + 1) begin
          if (!decided && ((m ^ n) >> b) % 2 != 0) begin
            decided   = 1;
            before[m] = ROUND_ROBIN != 0 ? ((m >> b) % 2 != 0) == first[b] : m < n;
          end
        end
      end
    end
  endfunction

  // The first cycle is one of reset.
  always @* if (!known) assume (rst_i);

  genvar n;
  generate
    if (ROUND_ROBIN != 0) begin : gen_round_robin
      mn_arbiter_round_robin #(
          .N(N)
      ) u_arbiter (
          .clk_i    (clk_i),
          .rst_i    (rst_i),
          .request_i(request_i),
          .hold_i   (hold_i),
          .grant_o  (grant),
          .last_o   (last_o)
      );

      // Inside, joined by their names when the design is flattened.
      (* hierconn *)
      wire [B-1:0] \u_arbiter.turn_q ;
      (* hierconn *)
      wire [B-1:0] \u_arbiter.first ;
      wire [B-1:0] turn_of = \u_arbiter.turn_q ;
      wire [B-1:0] first_of = \u_arbiter.first ;
      // The turn moves on with every grant, from the last to the first, and not under hold.
      always @* if (known) assert (turn_of == turn && turn < N);
      // The first in order are the requests that have the bits of the turn.
      always @* if (known) assert (first_of == first);
    end else begin : gen_fixed
      mn_arbiter_fixed #(
          .N(N)
      ) u_arbiter (
          .clk_i    (clk_i),
          .rst_i    (rst_i),
          .request_i(request_i),
          .hold_i   (hold_i),
          .grant_o  (grant),
          .last_o   (last_o)
      );
    end

    for (n = 0; n < N; n = n + 1) begin : gen_request
      wire [N-1:0] earlier = before(n, first);
      wire [N-1:0] others = grant & ~(1 << n);
      always @* begin
        // Only a request is granted.
        if (known && grant[n]) assert (request_i[n]);
        // Whoever is granted is granted alone.
        if (known && grant[n]) assert (others == 0);
        // Without hold nobody who requests comes before the one that is granted: a lower index, or in round-robin one that has more of the
        // turn's low bits.
        if (known && !hold_i && grant[n]) assert ((request_i & earlier) == 0);
        // Under hold a request is granted exactly if it is of the last one granted.
        if (known && hold_i && request_i[n]) assert (grant[n] == last[n]);
      end

      if (ROUND_ROBIN != 0) begin : gen_wait
        // Grants of others since the request is there, and those that can still come before its turn.
        reg [CW-1:0] waited;
        always @(posedge clk_i) begin
          if (rst_i || !request_i[n] || grant[n]) waited <= 0;
          else if (!hold_i && grant != 0) waited <= waited + 1;
        end
        wire [CW-1:0] left = turn <= n ? n - turn : n + N - turn;
        wire [CW:0] total = waited + left;
        // A request waits for N-1 grants of others at most: those that were and those that can still come before its turn are never more.
        always @* if (known) assert (total <= N - 1);
        // Whose turn it is has the grant without hold.
        always @* if (known && !hold_i && request_i[n] && turn == n) assert (grant[n]);
      end
    end
  endgenerate

  // A request without hold is followed by a grant in the same cycle: no cycle is lost.
  always @* if (known && !hold_i && request_i != 0) assert (grant != 0);
  // The last one granted is one or nobody.
  always @* if (known) assert ((last & (last - 1)) == 0);
  // The last one granted is told as it was.
  always @* if (known) assert (last_o == last);

endmodule

`default_nettype wire
