// Round-robin arbiter: the search begins behind the last one granted, so that a request waits for N-1 grants of others at most.
//
// The grant is combinational from the requests and a register, which moves with every grant. After reset the last one granted is N-1.
//
// Clock, reset: clk_i, rst_i
// Requests:     request_i, grant_o, last_o
`default_nettype none

module mn_arbiter_round_robin #(
    parameter N = 4  // number of requests, at least 1
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire [N-1:0] request_i,
    output wire [N-1:0] grant_o,    // one-hot; zero if there is no request
    output wire [N-1:0] last_o      // the last one granted, one-hot, from a register
);

  reg [N-1:0] last_q;

  // Requests behind the last one granted; if there are none, all.
  wire [N-1:0] behind;
  wire [N-1:0] first = behind == {N{1'b0}} ? request_i : behind;

  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : gen_behind
      if (n == 0) begin : gen_first
        assign behind[n] = 1'b0;
      end else begin : gen_later
        assign behind[n] = request_i[n] && last_q[n-1:0] != {n{1'b0}};
      end
    end
  endgenerate

  mn_arbiter_fixed #(
      .N(N)
  ) u_first (
      .request_i(first),
      .grant_o  (grant_o)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      last_q      <= {N{1'b0}};
      last_q[N-1] <= 1'b1;
    end else if (request_i != {N{1'b0}}) begin
      last_q <= grant_o;
    end
  end

  assign last_o = last_q;

endmodule

`default_nettype wire
