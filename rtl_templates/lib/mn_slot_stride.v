`default_nettype none
// Address of a bank that advances by a stride with each turn of a loop: the stored one, and so many strides.
module mn_slot_stride #(
    parameter W = 4  // bits
) (
    input  wire         clk_i,
    // the row of the next cycle begins a loop, or a further turn of it; its stride
    input  wire         loop_i,
    input  wire         turn_i,
    input  wire [W-1:0] stride_i,
    // the address that is stored with this cycle's row; the address
    input  wire [W-1:0] stored_i,
    output wire [W-1:0] address_o
);
    reg [W-1:0] sum_q;
    always @(posedge clk_i) begin
        if (loop_i) sum_q <= {W{1'b0}};
        else if (turn_i) sum_q <= sum_q + stride_i;
    end
    assign address_o = stored_i + sum_q;
endmodule
`default_nettype wire
