// Arbiter of fixed priority: the request of the lowest index is granted. Combinational.
//
// Requests: request_i, grant_o
`default_nettype none

module mn_arbiter_fixed #(
    parameter N = 4  // number of requests, at least 1
) (
    input  wire [N-1:0] request_i,
    output wire [N-1:0] grant_o     // one-hot; zero if there is no request
);

  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : gen_grant
      if (n == 0) begin : gen_first
        assign grant_o[n] = request_i[n];
      end else begin : gen_later
        assign grant_o[n] = request_i[n] && request_i[n-1:0] == {n{1'b0}};
      end
    end
  endgenerate

endmodule

`default_nettype wire
