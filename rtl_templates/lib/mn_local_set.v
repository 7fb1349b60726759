// A packed set of local ports as a mask: 0 is the empty set, n = 1 .. M the one port n - 1 (port 0 is "stay"), M + 1 all of them.
//
// Data: set_i, mask_o
`default_nettype none

module mn_local_set #(
    parameter M = 3,  // local ports, "stay" included
    parameter T = $clog2(M + 2)  // derived, do not set: width of a packed set
) (
    input  wire [T-1:0] set_i,
    output wire [M-1:0] mask_o
);

  localparam [31:0] ALL = M + 1;

  genvar n;
  generate
    for (n = 0; n < M; n = n + 1) begin : gen_port
      localparam [31:0] ONE = n + 1;
      assign mask_o[n] = set_i == ONE[T-1:0] || set_i == ALL[T-1:0];
    end
  endgenerate

endmodule

`default_nettype wire
