`default_nettype none
// The sum of N terms modulo 2**W, by a tree of adders.
module mn_product_sum #(
    parameter W = 32,  // bits of a term
    parameter N = 4    // terms, at least 1
) (
    input  wire [N*W-1:0] terms_i,  // term n at [n*W +: W]
    output wire [  W-1:0] sum_o
);
    localparam LEAVES = 1 << $clog2(N);

    // node 0 is the root, the sons of node n are 2n+1 and 2n+2
    wire [(2*LEAVES-1)*W-1:0] node;
    genvar n;
    generate
        for (n = 0; n < LEAVES; n = n + 1) begin : gen_leaf
            if (n < N) begin : gen_term
                assign node[(LEAVES-1+n)*W+:W] = terms_i[n*W+:W];
            end else begin : gen_none
                assign node[(LEAVES-1+n)*W+:W] = {W{1'b0}};
            end
        end
        for (n = 0; n < LEAVES - 1; n = n + 1) begin : gen_node
            assign node[n*W+:W] = node[(2*n+1)*W+:W] + node[(2*n+2)*W+:W];
        end
    endgenerate
    assign sum_o = node[0+:W];
endmodule
`default_nettype wire
