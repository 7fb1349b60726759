`default_nettype none
// Registers of a stream in both directions. One register has the word at the output; the other stores the next word
// while the first cannot leave. So there is no combinational path from one side to the other. A word a cycle passes;
// data_o comes straight from registers. While valid_o is low data_o may be a word that was not taken.
module mn_slice #(
    parameter W = 8,  // bits of a word
    parameter GUARD = 0  // 1: a bit that says whether there is a word is reported if it flips
) (
    input  wire         clk_i,
    input  wire         rst_i,
    // in: the word is taken where both are high
    input  wire         valid_i,
    output wire         ready_o,
    input  wire [W-1:0] data_i,
    // out: likewise
    output wire         valid_o,
    input  wire         ready_i,
    output wire [W-1:0] data_o,
    output wire         wrong_o
);
    reg          valid_q, held_valid_q;
    reg  [W-1:0] data_q, held_q;
    wire         leaves = ready_i || !valid_q;
    wire         more = held_valid_q || (valid_i && ready_o);
    wire         valid_d = leaves ? more : valid_q;
    wire         held_valid_d = !leaves && more;

    always @(posedge clk_i) begin
        if (!held_valid_q) held_q <= data_i;
        if (leaves) data_q <= held_valid_q ? held_q : data_i;
        if (rst_i) begin
            valid_q      <= 1'b0;
            held_valid_q <= 1'b0;
        end else begin
            valid_q      <= valid_d;
            held_valid_q <= held_valid_d;
        end
    end

    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{valid_d, held_valid_d}), .kept_i(^{valid_q, held_valid_q}), .wrong_o(wrong_o)
    );

    assign ready_o = !rst_i && !held_valid_q;
    assign valid_o = valid_q;
    assign data_o  = data_q;
endmodule
`default_nettype wire
