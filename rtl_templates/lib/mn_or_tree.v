// Wide OR of terms of which at most one is non-zero.
//
// N terms take ceil((N-1)/3) LUT4 a bit.
//
// Data: terms_i, any_o
`default_nettype none

module mn_or_tree #(
    parameter W = 32,  // width of a term in bits
    parameter N = 4    // number of terms, at least 1
) (
    input  wire [N*W-1:0] terms_i,  // term n at [n*W +: W]
    output wire [  W-1:0] any_o     // their bitwise OR
);

  genvar bit_g, term_g;
  generate
    for (bit_g = 0; bit_g < W; bit_g = bit_g + 1) begin : gen_bit
      wire [N-1:0] column;
      for (term_g = 0; term_g < N; term_g = term_g + 1) begin : gen_term
        assign column[term_g] = terms_i[term_g*W+bit_g];
      end
      assign any_o[bit_g] = |column;
    end
  endgenerate

endmodule

`default_nettype wire
