`default_nettype none
// Registered fan-out tree of equal depth: q_o is N copies of d_i, 1 + ceil(log4 N) cycles later. Each copy has a
// register of its own, which synthesis must not merge with the others. Reset holds the root at zero, and so, in as
// many cycles, the rest. With GUARD a register that flips is reported, after about as many cycles.
module mn_fanout #(
    parameter N = 18,  // leaves
    parameter W = 1,   // bits
    parameter GUARD = 0  // 1: report
) (
    input  wire           clk_i,
    input  wire           rst_i,
    input  wire [  W-1:0] d_i,
    output wire [N*W-1:0] q_o,
    output wire           wrong_o
);
    localparam LEVELS = ($clog2(N) + 1) / 2;

    // nodes of the levels above one
    function integer above(input integer level);
        integer one;
        begin
            above = 0;
            for (one = 0; one < level; one = one + 1) above = above + (N + (1 << (2 * (LEVELS - one))) - 1) / (1 << (2 * (LEVELS - one)));
        end
    endfunction
    localparam ALL = above(LEVELS + 1);
    wire [ALL-1:0] wrong;  // by node, the root first

    genvar l, i;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : gen_level
            localparam BELOW = 1 << (2 * (LEVELS - l));  // leaves of a node
            localparam NODES = (N + BELOW - 1) / BELOW;
            localparam FIRST = above(l);
            wire [NODES*W-1:0] level;
            for (i = 0; i < NODES; i = i + 1) begin : gen_node
                wire [W-1:0] parent;
                if (l == 0) begin : gen_root
                    assign parent = rst_i ? {W{1'b0}} : d_i;
                end else begin : gen_child
                    assign parent = gen_level[l-1].level[(i/4)*W+:W];
                end
                mn_register #(.W(W)) u_node (.clk_i(clk_i), .d_i(parent), .q_o(level[i*W+:W]));
                mn_guard #(.ON(GUARD)) u_guard (
                    .clk_i(clk_i), .rst_i(rst_i), .given_i(^parent), .kept_i(^level[i*W+:W]), .wrong_o(wrong[FIRST+i])
                );
            end
        end
        if (GUARD != 0) begin : gen_gather
            wire unused_all;
            mn_fanin #(.N(ALL)) u_wrong (.clk_i(clk_i), .rst_i(rst_i), .d_i(wrong), .all_o(unused_all), .any_o(wrong_o));
        end else begin : gen_no_guard
            assign wrong_o = 1'b0;
            wire unused = &wrong;
        end
    endgenerate

    assign q_o = gen_level[LEVELS].level;
endmodule
`default_nettype wire
