`default_nettype none
// A registered tree of equal depth from N places to one: all_o and any_o tell of d_i, 1 + ceil(log4 N) cycles later.
// Reset holds the root at zero.
module mn_fanin #(
    parameter N = 18  // leaves
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire [N-1:0] d_i,
    output wire         all_o,
    output wire         any_o
);
    localparam LEVELS = ($clog2(N) + 1) / 2;

    genvar l, i, j;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : gen_level
            localparam BELOW = 1 << (2 * (LEVELS - l));  // leaves of a node
            localparam NODES = (N + BELOW - 1) / BELOW;
            reg [NODES-1:0] all_q, any_q;
            if (l == LEVELS) begin : gen_leaves
                always @(posedge clk_i) begin
                    all_q <= d_i;
                    any_q <= d_i;
                end
            end else begin : gen_inner
                localparam CHILDREN = (N + BELOW / 4 - 1) / (BELOW / 4);
                // absent children agree with all and have nothing to say to any
                wire [4*NODES-1:0] all, any;
                for (j = 0; j < 4 * NODES; j = j + 1) begin : gen_child
                    if (j < CHILDREN) begin : gen_present
                        assign all[j] = gen_level[l+1].all_q[j];
                        assign any[j] = gen_level[l+1].any_q[j];
                    end else begin : gen_absent
                        assign all[j] = 1'b1;
                        assign any[j] = 1'b0;
                    end
                end
                for (i = 0; i < NODES; i = i + 1) begin : gen_node
                    always @(posedge clk_i) begin
                        all_q[i] <= (l > 0 || !rst_i) && (&all[4*i+:4]);
                        any_q[i] <= (l > 0 || !rst_i) && (|any[4*i+:4]);
                    end
                end
            end
        end
    endgenerate

    assign all_o = gen_level[0].all_q;
    assign any_o = gen_level[0].any_q;
endmodule
`default_nettype wire
