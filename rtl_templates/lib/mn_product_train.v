`default_nettype none
// Three counters, one inside the other, that run once, from a row of the program on: the cycles of a train.
module mn_product_train #(
    parameter START = 0,  // the first row
    parameter SB    = 4,  // bits of a row's number
    parameter N0    = 2,  // counts of the innermost counter, which steps in every cycle
    parameter N1    = 2,  // counts of the next, which steps when it is over
    parameter N2    = 2,  // counts of the outermost
    parameter GUARD = 0,  // 1: a bit that flips is reported
    // derived, not to be set
    parameter B0 = N0 > 1 ? $clog2(N0) : 1,
    parameter B1 = N1 > 1 ? $clog2(N1) : 1,
    parameter B2 = N2 > 1 ? $clog2(N2) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // start of the collective, and the number of the row a cycle later and on
    input  wire          go_i,
    input  wire          valid_i,
    input  wire [SB-1:0] slot_i,
    // whether the row of this cycle is one of the train, and where its counters stand
    output wire          on_o,
    output wire [B0-1:0] count0_o,
    output wire [B1-1:0] count1_o,
    output wire [B2-1:0] count2_o,
    output wire          wrong_o
);
    localparam [31:0] BEFORE = START - 1, LAST0 = N0 - 1, LAST1 = N1 - 1, LAST2 = N2 - 1;

    wire first;
    generate
        if (START == 0) begin : gen_at_once
            assign first = go_i;
            wire unused = &{valid_i, slot_i};
        end else begin : gen_later
            assign first = valid_i && slot_i == BEFORE[SB-1:0];
            wire unused = go_i;
        end
    endgenerate

    reg          on_q;
    reg [B0-1:0] count0_q;
    reg [B1-1:0] count1_q;
    reg [B2-1:0] count2_q;
    wire over0 = count0_q == LAST0[B0-1:0];
    wire over1 = over0 && count1_q == LAST1[B1-1:0];
    wire over2 = over1 && count2_q == LAST2[B2-1:0];

    wire          on_d     = first || (on_q && !over2);
    wire [B0-1:0] count0_d = first || over0 ? {B0{1'b0}} : count0_q + 1'b1;
    wire [B1-1:0] count1_d = first || over1 ? {B1{1'b0}} : over0 ? count1_q + 1'b1 : count1_q;
    wire [B2-1:0] count2_d = first ? {B2{1'b0}} : over1 ? count2_q + 1'b1 : count2_q;
    always @(posedge clk_i) begin
        on_q     <= !rst_i && on_d;
        count0_q <= count0_d;
        count1_q <= count1_d;
        count2_q <= count2_d;
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{on_d, count0_d, count1_d, count2_d}), .kept_i(^{on_q, count0_q, count1_q, count2_q}),
        .wrong_o(wrong_o)
    );

    assign on_o     = on_q;
    assign count0_o = count0_q;
    assign count1_o = count1_q;
    assign count2_o = count2_q;
endmodule
`default_nettype wire
