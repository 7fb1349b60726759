`default_nettype none
// Operator of a slot-table endpoint: combines the words of its operands, a balanced tree with a register a level. Operands that are
// idle do not count, so that one alone is copied. The result is there 1 + ceil(log2 N) cycles (2 if N = 1) after the operands' row.
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
    localparam VW = 1 + DW;  // {valid, word} without parity

    genvar l, i;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : gen_level
            localparam NODES = 1 << (LEVELS - l);
            wire [NODES*VW-1:0] words;
            wire [3:0] kind;
            if (l == 0) begin : gen_operands
                assign kind = kind_i & KINDS;
                for (i = 0; i < NODES; i = i + 1) begin : gen_operand
                    if (i < N) begin : gen_word
                        assign words[i*VW+:VW] = {operands_i[i*CW+W], operands_i[i*CW+:DW]};
                        if (PARITY != 0) begin : gen_parity
                            wire unused = operands_i[i*CW+DW];
                        end
                    end else begin : gen_idle
                        assign words[i*VW+:VW] = {VW{1'b0}};
                    end
                end
            end else begin : gen_combine
                reg [3:0] kind_q;
                always @(posedge clk_i) kind_q <= gen_level[l-1].kind;
                assign kind = kind_q;
                for (i = 0; i < NODES; i = i + 1) begin : gen_pair
                    wire          a_valid = gen_level[l-1].words[2*i*VW+DW];
                    wire          b_valid = gen_level[l-1].words[(2*i+1)*VW+DW];
                    wire [DW-1:0] a = gen_level[l-1].words[2*i*VW+:DW];
                    wire [DW-1:0] b = gen_level[l-1].words[(2*i+1)*VW+:DW];
                    wire          less = a < b;
                    wire          swap = gen_level[l-1].kind[2] ? less : !less;  // b is the smallest, or the largest
                    reg  [VW-1:0] word_q;
                    always @(posedge clk_i) begin
                        word_q[DW] <= a_valid || b_valid;
                        if (!a_valid || !b_valid) word_q[DW-1:0] <= a | b;
                        else if (gen_level[l-1].kind[0]) word_q[DW-1:0] <= a + b;
                        else if (gen_level[l-1].kind[3]) word_q[DW-1:0] <= a ^ b;
                        else word_q[DW-1:0] <= swap ? b : a;
                    end
                    assign words[i*VW+:VW] = word_q;
                end
            end
        end
        if (PARITY != 0) begin : gen_with_parity
            assign result_o = {gen_level[LEVELS].words[DW], ^gen_level[LEVELS].words[DW-1:0], gen_level[LEVELS].words[DW-1:0]};
        end else begin : gen_without_parity
            assign result_o = gen_level[LEVELS].words;
        end
    endgenerate
    wire unused_kind = &gen_level[LEVELS].kind;
endmodule
`default_nettype wire
