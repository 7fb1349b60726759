`default_nettype none
// Two registers for signals from another clock. Each bit of d_i comes straight from a register of that clock. Bits that change together may
// arrive a cycle apart, so d_i is one bit, a Gray code, or bits with a meaning each of its own.
module mn_sync #(
    parameter W = 1  // bits
) (
    input  wire         clk_i,
    input  wire [W-1:0] d_i,
    output wire [W-1:0] q_o
);
    // next to each other on the chip, and no shift register made of memory
    (* ASYNC_REG = "TRUE", shreg_extract = "no" *) reg [W-1:0] first_q;
    (* ASYNC_REG = "TRUE", shreg_extract = "no" *) reg [W-1:0] second_q;

    always @(posedge clk_i) begin
        first_q  <= d_i;
        second_q <= first_q;
    end

    assign q_o = second_q;
endmodule
`default_nettype wire
