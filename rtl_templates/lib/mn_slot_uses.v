`default_nettype none
// Address of a bank that advances with each use, and begins again after the last word.
module mn_slot_uses #(
    parameter W     = 4,  // bits
    parameter DEPTH = 16  // words of the bank
) (
    input  wire         clk_i,
    // the row of the next cycle is a collective's first
    input  wire         first_i,
    // this cycle's row uses the address
    input  wire         use_i,
    output wire [W-1:0] address_o
);
    localparam [31:0] LAST = DEPTH - 1;
    reg [W-1:0] address_q;
    always @(posedge clk_i) begin
        if (first_i) address_q <= {W{1'b0}};
        else if (use_i) address_q <= address_q == LAST[W-1:0] ? {W{1'b0}} : address_q + 1'b1;
    end
    assign address_o = address_q;
endmodule
`default_nettype wire
