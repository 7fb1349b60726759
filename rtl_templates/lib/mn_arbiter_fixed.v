// Arbiter of fixed priority: of several requests the lowest index is granted.
//
// The grant is combinational from the requests. While hold_i is high, only the last requester that was granted can be granted, and only if it
// requests. Before the first grant after reset there is no such requester.
//
// Clock, reset: clk_i, rst_i
// Requests:     request_i, hold_i, grant_o, last_o
`default_nettype none

module mn_arbiter_fixed #(
    parameter N = 4  // number of requests, at least 1
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire [N-1:0] request_i,
    input  wire         hold_i,
    output wire [N-1:0] grant_o,    // one-hot; zero if no request may be granted
    output wire [N-1:0] last_o      // the last one granted, from registers
);

  reg [N-1:0] last_q;  // the last one granted

  wire [N-1:0] lowest;  // the lowest that requests

  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : gen_lowest
      if (n == 0) begin : gen_first
        assign lowest[n] = request_i[n];
      end else begin : gen_later
        assign lowest[n] = request_i[n] && request_i[n-1:0] == {n{1'b0}};
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    if (rst_i) last_q <= {N{1'b0}};
    else if (!hold_i && request_i != {N{1'b0}}) last_q <= lowest;
  end

  assign grant_o = hold_i ? request_i & last_q : lowest;
  assign last_o  = last_q;

endmodule

`default_nettype wire
