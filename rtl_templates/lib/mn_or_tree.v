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

  // A function, not generated scopes: those of all instances cost Icarus Verilog a time that grows with their square.
  function [W-1:0] any(input [N*W-1:0] terms);
    integer term;
    begin
      any = {W{1'b0}};
      for (term = 0; term < N; term = term + 1) any = any | terms[term*W+:W];
    end
  endfunction

  assign any_o = any(terms_i);

endmodule

`default_nettype wire
