// Round-robin arbiter: the search begins behind the last one granted, so that a request waits for N-1 grants of others at most.
//
// The grant is combinational from the requests, and three LUT4 deep for N <= 8. While hold_i is high nobody but the last one granted is
// granted, and that only if it requests; before the first grant after reset that is nobody, and the search begins at 0.
//
// Requests go by pairs. A request behind the last one granted gives way to those behind it in lower pairs; any other, to all in lower pairs
// and to those behind in higher ones. Within a pair the even one is first unless it was the last one granted.
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
    output wire [N-1:0] grant_o,    // one-hot; zero if nobody may be granted
    output wire [N-1:0] last_o      // the last one granted, from registers
);

  localparam PAIRS = (N + 1) / 2;
  localparam R = 2 * PAIRS;

  reg [N-1:0] last_q;  // the last one granted
  reg [PAIRS-1:0] behind_q;  // pairs behind it as a whole

  wire [    R-1:0] request = {{R - N{1'b0}}, request_i};
  wire [    R-1:0] last = {{R - N{1'b0}}, last_q};
  wire [    R-1:0] grant;
  wire [PAIRS-1:0] any;  // of each pair: a request
  wire [PAIRS-1:0] any_behind;  // a request behind the last one granted
  wire [PAIRS-1:0] next;  // pairs behind the one that is granted

  genvar q;
  generate
    for (q = 0; q < PAIRS; q = q + 1) begin : gen_pair
      wire even = request[2*q];
      wire odd = request[2*q+1];
      wire last_even = last[2*q];
      wire behind = behind_q[q];
      assign any[q]        = even || odd;
      assign any_behind[q] = (even && behind) || (odd && (behind || last_even));

      // Requests in lower pairs, and in higher ones, of which those behind the last one granted are told apart.
      wire lower, lower_behind, higher_behind;
      if (q == 0) begin : gen_lowest
        assign lower        = 1'b0;
        assign lower_behind = 1'b0;
      end else begin : gen_lower
        assign lower        = any[q-1:0] != {q{1'b0}};
        assign lower_behind = any_behind[q-1:0] != {q{1'b0}};
      end
      if (q == PAIRS - 1) begin : gen_highest
        assign higher_behind = 1'b0;
      end else begin : gen_higher
        assign higher_behind = any_behind[PAIRS-1:q+1] != {PAIRS - 1 - q{1'b0}};
      end

      // Whether one behind the last one granted gives way, and any other. The one that keeps the grant is no longer behind itself.
      wire yield_behind = hold_i || lower_behind;
      wire yield = !hold_i && (lower || higher_behind);

      wire even_first = even && (hold_i ? last_even : !(odd && last_even));
      wire odd_first = odd && (hold_i ? last[2*q+1] : !even);
      wire odd_behind = odd && (last_even || (behind && !even));
      assign grant[2*q]   = even_first && !(behind ? yield_behind : yield);
      assign grant[2*q+1] = (odd_behind && !yield_behind) || (odd_first && !yield);
      assign next[q]      = lower_behind || (lower && !higher_behind && !any_behind[q]);
    end

    if (R > N) begin : gen_spare
      wire unused = grant[N];
    end
  endgenerate

  // No pair is higher than the highest.
  wire unused = any[PAIRS-1];

  // Under hold the last one granted stays the same.
  always @(posedge clk_i) begin
    if (rst_i) begin
      last_q   <= {N{1'b0}};
      behind_q <= {PAIRS{1'b0}};
    end else if (!hold_i && request_i != {N{1'b0}}) begin
      last_q   <= grant_o;
      behind_q <= next;
    end
  end

  assign grant_o = grant[N-1:0];
  assign last_o  = last_q;

endmodule

`default_nettype wire
