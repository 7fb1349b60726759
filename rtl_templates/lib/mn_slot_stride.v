`default_nettype none
// Address of a bank that advances by a stride with each turn of a loop: the stored one, and so many strides.
module mn_slot_stride #(
    parameter W = 4,  // bits
    parameter GUARD = 0  // 1: a bit that flips is reported
) (
    input  wire         clk_i,
    input  wire         rst_i,
    // the row of the next cycle begins a loop, or a further turn of it; its stride
    input  wire         loop_i,
    input  wire         turn_i,
    input  wire [W-1:0] stride_i,
    // the address that is stored with this cycle's row; the address
    input  wire [W-1:0] stored_i,
    output wire [W-1:0] address_o,
    output wire         wrong_o
);
    reg [W-1:0] sum_q;
    wire [W-1:0] sum_d = loop_i ? {W{1'b0}} : turn_i ? sum_q + stride_i : sum_q;
    always @(posedge clk_i) sum_q <= sum_d;
    mn_guard #(.ON(GUARD)) u_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(^sum_d), .kept_i(^sum_q), .wrong_o(wrong_o));
    assign address_o = stored_i + sum_q;
endmodule
`default_nettype wire
