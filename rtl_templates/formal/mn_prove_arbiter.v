// Properties of mn_arbiter_fixed and mn_arbiter_round_robin, for any requests, any use of hold_i and of the reset.
//
// The reference remembers the last one granted from the grants themselves, goes through the requests one by one and counts what each waits.
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

  // Requests that come before request n without hold.
  function [N-1:0] before(input integer n, input [N-1:0] behind);
    integer m;
    begin
      before = 0;
      for (m = 0; m < N; m = m + 1) begin
        // Those behind the last one granted come first, then by index.
        if (m != n) before[m] = behind[m] == behind[n] ? m < n : behind[m];
      end
    end
  endfunction

  // Those behind the last one granted, for round-robin.
  reg [N-1:0] behind;
  integer i;
  always @* begin
    behind = 0;
    for (i = 1; i < N; i = i + 1) behind[i] = ROUND_ROBIN != 0 && (behind[i-1] || last[i-1]);
  end

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

      // A register inside, joined by its name when the design is flattened.
      (* hierconn *)
      wire [(N+1)/2-1:0] \u_arbiter.behind_q ;
      wire [(N+1)/2-1:0] pairs = \u_arbiter.behind_q ;
      for (n = 0; n < N; n = n + 2) begin : gen_pair
        // A pair is marked as behind the last one granted exactly if it is as a whole.
        always @* if (known) assert (pairs[n/2] == behind[n]);
      end
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
      wire [N-1:0] earlier = before(n, behind);
      wire [N-1:0] others = grant & ~(1 << n);
      always @* begin
        // Only a request is granted.
        if (known && grant[n]) assert (request_i[n]);
        // Whoever is granted is granted alone.
        if (known && grant[n]) assert (others == 0);
        // Without hold nobody who requests comes before the one that is granted: a lower index, or in round-robin one that follows sooner
        // behind the last one granted.
        if (known && !hold_i && grant[n]) assert ((request_i & earlier) == 0);
        // Under hold a request is granted exactly if it is of the last one granted.
        if (known && hold_i && request_i[n]) assert (grant[n] == last[n]);
      end

      if (ROUND_ROBIN != 0) begin : gen_wait
        // Grants of others since the request is there, and those that can still come before it.
        reg  [CW-1:0] waited;
        reg  [CW-1:0] left;
        integer k;
        always @(posedge clk_i) begin
          if (rst_i || !request_i[n] || grant[n]) waited <= 0;
          else if (!hold_i && grant != 0) waited <= waited + 1;
        end
        always @* begin
          left = 0;
          for (k = 0; k < N; k = k + 1) left = left + earlier[k];
        end
        wire [CW:0] total = waited + left;
        // A request waits for N-1 grants of others at most: those that were and those that can still come before it are never more.
        always @* if (known) assert (total <= N - 1);
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
