`default_nettype none
// Operator of a slot-table endpoint: combines the words of its operands, a balanced tree with a register a level. Operands that are
// idle do not count, so that one alone is copied. The result of a word with broken parity has broken parity. It is there 1 + ceil(log2 N)
// cycles (2 if N = 1) after the operands' row.
module mn_slot_operator #(
    parameter DW     = 32,  // bits of a word
    parameter PARITY = 0,   // 1: words have a parity bit above them
    parameter N      = 2,   // operands, at least 1
    parameter [3:0] KINDS = 4'b0001,  // the operators that are used: sum, smallest, largest, exclusive or from bit 0 on
    // derived, not to be set
    parameter W      = DW + PARITY,
    parameter CW     = 1 + W,
    parameter LEVELS = N > 2 ? $clog2(N) : 1
) (
    input  wire            clk_i,
    // operands, {valid, word} each, zero when idle, and the operator, one-hot among KINDS
    input  wire [N*CW-1:0] operands_i,
    input  wire [     3:0] kind_i,
    output wire [  CW-1:0] result_o
);
    genvar l, i;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : gen_level
            localparam NODES = 1 << (LEVELS - l);
            wire [NODES*CW-1:0] words;
            wire [3:0] kind;
            if (l == 0) begin : gen_operands
                assign kind = kind_i & KINDS;
                for (i = 0; i < NODES; i = i + 1) begin : gen_operand
                    if (i < N) begin : gen_word
                        assign words[i*CW+:CW] = operands_i[i*CW+:CW];
                    end else begin : gen_idle
                        assign words[i*CW+:CW] = {CW{1'b0}};
                    end
                end
            end else begin : gen_combine
                reg  [3:0] kind_q;
                wire [3:0] by = gen_level[l-1].kind;
                always @(posedge clk_i) kind_q <= by;
                assign kind = kind_q;
                for (i = 0; i < NODES; i = i + 1) begin : gen_pair
                    wire [CW-1:0] a_word = gen_level[l-1].words[2*i*CW+:CW];
                    wire [CW-1:0] b_word = gen_level[l-1].words[(2*i+1)*CW+:CW];
                    wire          a_valid = a_word[W];
                    wire          b_valid = b_word[W];
                    wire [DW-1:0] a = a_word[DW-1:0];
                    wire [DW-1:0] b = b_word[DW-1:0];
                    wire          less = a < b;
                    wire          swap = by[2] ? less : !less;  // b is the smallest, or the largest
                    reg  [DW-1:0] result;
                    reg  [CW-1:0] word_q;
                    always @* begin
                        if (!a_valid || !b_valid) result = a | b;
                        else if (by[0]) result = a + b;
                        else if (by[3]) result = a ^ b;
                        else result = swap ? b : a;
                    end
                    always @(posedge clk_i) word_q[DW-1:0] <= result;
                    always @(posedge clk_i) word_q[W] <= a_valid || b_valid;
                    if (PARITY != 0) begin : gen_parity
                        wire one = (by & (by - 4'd1)) == 4'd0 && by != 4'd0;
                        wire lost = (!a_valid && |a_word) || (!b_valid && |b_word);  // one that is idle is zero
                        wire odd = ^a_word[W-1:0] || ^b_word[W-1:0] || lost || (a_valid && b_valid && !one);
                        always @(posedge clk_i) word_q[W-1] <= ^result ^ odd;
                    end
                    assign words[i*CW+:CW] = word_q;
                end
            end
        end
    endgenerate
    assign result_o = gen_level[LEVELS].words;
    wire unused_kind = &gen_level[LEVELS].kind;
endmodule
`default_nettype wire
