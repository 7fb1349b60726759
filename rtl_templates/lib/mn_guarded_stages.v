`default_nettype none
// Delay of N registers like mn_stages. With GUARD a bit of these that flips is reported.
module mn_guarded_stages #(
    parameter W = 32,    // width in bits
    parameter N = 1,     // number of registers, 0 or more
    parameter HEAD = 1,  // topmost bits of W that reset to zero, 1..W
    parameter GUARD = 0  // 1: report
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire [W-1:0] d_i,
    output wire [W-1:0] q_o,
    output wire         wrong_o
);
    generate
        if (GUARD != 0 && N > 0) begin : gen_guarded
            wire [(N+1)*W-1:0] chain;
            assign chain[0+:W] = d_i;
            assign q_o = chain[N*W+:W];
            genvar n;
            for (n = 0; n < N; n = n + 1) begin : gen_one
                mn_stages #(.W(W), .N(1), .HEAD(HEAD)) u_stage (
                    .clk_i(clk_i), .rst_i(rst_i), .d_i(chain[n*W+:W]), .q_o(chain[(n+1)*W+:W])
                );
            end
            mn_guard u_guard (
                .clk_i(clk_i), .rst_i(rst_i), .given_i(^chain[0+:N*W]), .kept_i(^chain[W+:N*W]), .wrong_o(wrong_o)
            );
        end else begin : gen_plain
            mn_stages #(.W(W), .N(N), .HEAD(HEAD)) u_stages (.clk_i(clk_i), .rst_i(rst_i), .d_i(d_i), .q_o(q_o));
            assign wrong_o = 1'b0;
        end
    endgenerate
endmodule
`default_nettype wire
