`default_nettype none
// The reset of a part of a network, two cycles late: a register to reach it, then one for each of its COPIES. With GUARD a bit of these that flips
// is reported, so late that the fault log has left the reset that came of it.
module mn_late_reset #(
    parameter COPIES = 1,  // registers that give the reset
    parameter GUARD  = 0   // 1: report
) (
    input  wire              clk_i,
    input  wire              rst_i,
    output wire [COPIES-1:0] rst_o,
    output wire              wrong_o
);
    reg rst_q;
    always @(posedge clk_i) rst_q <= rst_i;

    genvar n;
    generate
        for (n = 0; n < COPIES; n = n + 1) begin : gen_copy
            mn_register u_rst (.clk_i(clk_i), .d_i(rst_q), .q_o(rst_o[n]));
        end
        if (GUARD != 0) begin : gen_guard
            wire wrong;
            reg  wrong_q;
            mn_guard u_guard (
                .clk_i(clk_i), .rst_i(rst_i), .given_i(^{rst_i, {COPIES{rst_q}}}), .kept_i(^{rst_q, rst_o}), .wrong_o(wrong)
            );
            always @(posedge clk_i) wrong_q <= !rst_i && wrong;
            assign wrong_o = wrong_q;
        end else begin : gen_no_guard
            assign wrong_o = 1'b0;
        end
    endgenerate
endmodule
`default_nettype wire
