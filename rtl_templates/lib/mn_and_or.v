// OR of words, each gated by a select of its own: the word of the one that is selected, zero if none is.
//
// N words take ceil((2N-1)/3) LUT4 a bit. Synthesis keeps the module separate, so that the logic of the selects is not copied into every bit.
//
// Data: select_i, data_i, data_o
`default_nettype none

(* keep_hierarchy *)
module mn_and_or #(
    parameter W = 32,  // width of a word in bits
    parameter N = 4    // number of words, at least 1
) (
    input  wire [  N-1:0] select_i,
    input  wire [N*W-1:0] data_i,    // word n at [n*W +: W]
    output wire [  W-1:0] data_o
);

  wire [N*W-1:0] terms;

  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : gen_term
      assign terms[n*W+:W] = {W{select_i[n]}} & data_i[n*W+:W];
    end
  endgenerate

  mn_or_tree #(
      .W(W),
      .N(N)
  ) u_or (
      .terms_i(terms),
      .any_o  (data_o)
  );

endmodule

`default_nettype wire
