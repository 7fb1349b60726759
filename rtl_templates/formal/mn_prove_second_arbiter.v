// Equality of mn_arbiter_fixed and mn_arbiter_round_robin with their second source in rust-hdl, for any requests, any use of hold_i and of
// the reset.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// Clock, reset: clk_i, rst_i
// Requests:     request_i, hold_i
`default_nettype none

module mn_prove_second_arbiter #(
    parameter N = 4,  // number of requests: 2, 3, 4 or 8
    parameter ROUND_ROBIN = 1  // 0 for mn_arbiter_fixed
) (
    input wire         clk_i,
    input wire         rst_i,
    input wire [N-1:0] request_i,
    input wire         hold_i
);

  wire [N-1:0] grant, last, second_grant, second_last;
  wire [N-1:0] second_turn;  // one-hot, for round-robin
  reg known = 0;
  always @(posedge clk_i) known <= 1;

  generate
    if (ROUND_ROBIN == 0 && N == 2) begin : gen_fixed_2
      mn_second_fixed_2 u_second (
          .clock  (clk_i),
          .reset  (rst_i),
          .request(request_i),
          .hold   (hold_i),
          .grant  (second_grant),
          .last   (second_last)
      );
    end else if (ROUND_ROBIN == 0 && N == 3) begin : gen_fixed_3
      mn_second_fixed_3 u_second (
          .clock  (clk_i),
          .reset  (rst_i),
          .request(request_i),
          .hold   (hold_i),
          .grant  (second_grant),
          .last   (second_last)
      );
    end else if (ROUND_ROBIN == 0 && N == 4) begin : gen_fixed_4
      mn_second_fixed_4 u_second (
          .clock  (clk_i),
          .reset  (rst_i),
          .request(request_i),
          .hold   (hold_i),
          .grant  (second_grant),
          .last   (second_last)
      );
    end else if (ROUND_ROBIN == 0 && N == 8) begin : gen_fixed_8
      mn_second_fixed_8 u_second (
          .clock  (clk_i),
          .reset  (rst_i),
          .request(request_i),
          .hold   (hold_i),
          .grant  (second_grant),
          .last   (second_last)
      );
    end else if (ROUND_ROBIN == 1 && N == 2) begin : gen_round_robin_2
      mn_second_round_robin_2 u_second (
          .clock  (clk_i),
          .reset  (rst_i),
          .request(request_i),
          .hold   (hold_i),
          .grant  (second_grant),
          .last   (second_last),
          .turn   (second_turn)
      );
    end else if (ROUND_ROBIN == 1 && N == 3) begin : gen_round_robin_3
      mn_second_round_robin_3 u_second (
          .clock  (clk_i),
          .reset  (rst_i),
          .request(request_i),
          .hold   (hold_i),
          .grant  (second_grant),
          .last   (second_last),
          .turn   (second_turn)
      );
    end else if (ROUND_ROBIN == 1 && N == 4) begin : gen_round_robin_4
      mn_second_round_robin_4 u_second (
          .clock  (clk_i),
          .reset  (rst_i),
          .request(request_i),
          .hold   (hold_i),
          .grant  (second_grant),
          .last   (second_last),
          .turn   (second_turn)
      );
    end else if (ROUND_ROBIN == 1 && N == 8) begin : gen_round_robin_8
      mn_second_round_robin_8 u_second (
          .clock  (clk_i),
          .reset  (rst_i),
          .request(request_i),
          .hold   (hold_i),
          .grant  (second_grant),
          .last   (second_last),
          .turn   (second_turn)
      );
    end
  endgenerate

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
          .last_o   (last)
      );

      // Inside, joined by their names when the design is flattened.
      localparam B = N > 2 ? $clog2(N) : 1;
      (* hierconn *)
      wire [B-1:0] \u_arbiter.turn_q ;
      (* hierconn *)
      wire [B-1:0] \u_arbiter.first ;
      wire [B-1:0] turn = \u_arbiter.turn_q ;
      wire [B-1:0] first = \u_arbiter.first ;
      for (n = 0; n < N; n = n + 1) begin : gen_turn
        localparam ALONE = n % 2 != 0 && n + (1 << (B - 1)) >= N;
        always @* begin
          // It is the same one's turn in both sources.
          if (known) assert ((turn == n) == second_turn[n]);
          // The first in order are the requests that have the bits of the turn.
          if (known && turn == n) assert (first == (ALONE ? n | (1 << (B - 1)) : n));
        end
      end
      // It is somebody's turn.
      always @* if (known) assert (turn < N);
    end else begin : gen_fixed
      mn_arbiter_fixed #(
          .N(N)
      ) u_arbiter (
          .clk_i    (clk_i),
          .rst_i    (rst_i),
          .request_i(request_i),
          .hold_i   (hold_i),
          .grant_o  (grant),
          .last_o   (last)
      );
    end
  endgenerate

  // The first cycle is one of reset.
  always @* if (!known) assume (rst_i);

  always @* begin
    // Both sources grant the same.
    if (known) assert (grant == second_grant);
    // Both sources have granted the same one last.
    if (known) assert (last == second_last);
    // The last one granted is one or nobody.
    if (known) assert ((second_last & (second_last - 1)) == 0);
  end

endmodule

`default_nettype wire
