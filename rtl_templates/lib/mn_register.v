`default_nettype none
// A register that stays itself: synthesis merges equal registers, except across the border of a module that it keeps.
(* keep_hierarchy *)
module mn_register #(
    parameter W = 1  // bits
) (
    input  wire         clk_i,
    input  wire [W-1:0] d_i,
    output wire [W-1:0] q_o
);
    reg [W-1:0] data_q;

    always @(posedge clk_i) data_q <= d_i;

    assign q_o = data_q;
endmodule
`default_nettype wire
