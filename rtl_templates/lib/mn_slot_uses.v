`default_nettype none
// Address of a bank that advances with each use, and begins again after the last word.
module mn_slot_uses #(
    parameter W     = 4,  // bits
    parameter DEPTH = 16,  // words of the bank
    parameter GUARD = 0  // 1: a bit that flips is reported
) (
    input  wire         clk_i,
    input  wire         rst_i,
    // the row of the next cycle is a collective's first
    input  wire         first_i,
    // this cycle's row uses the address
    input  wire         use_i,
    output wire [W-1:0] address_o,
    output wire         wrong_o
);
    localparam [31:0] LAST = DEPTH - 1;
    reg [W-1:0] address_q;
    wire [W-1:0] address_d = first_i ? {W{1'b0}} : !use_i ? address_q : address_q == LAST[W-1:0] ? {W{1'b0}} : address_q + 1'b1;
    always @(posedge clk_i) address_q <= address_d;
    mn_guard #(.ON(GUARD)) u_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(^address_d), .kept_i(^address_q), .wrong_o(wrong_o));
    assign address_o = address_q;
endmodule
`default_nettype wire
