`default_nettype none
// A stream's registers in both directions: two places that are filled and emptied in turn, so that neither side waits for
// the other within a cycle, and ready_i reaches no more than three registers. A word a cycle passes.
// While valid_o is low data_o may be a word that was not taken.
module mn_slice #(
    parameter W = 8  // bits of a word
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
    output wire [W-1:0] data_o
);
    reg  [1:0]   full_q;           // whether a place holds a word
    reg          fill_q, front_q;  // the place to be filled next, the place of the oldest word
    reg  [W-1:0] place_0q, place_1q;
    wire [1:0]   fill = {valid_i && ready_o && fill_q, valid_i && ready_o && !fill_q};
    wire [1:0]   take = {ready_i && valid_o && front_q, ready_i && valid_o && !front_q};

    always @(posedge clk_i) begin
        if (!full_q[0]) place_0q <= data_i;
        if (!full_q[1]) place_1q <= data_i;
        if (rst_i) begin
            full_q  <= 2'b00;
            fill_q  <= 1'b0;
            front_q <= 1'b0;
        end else begin
            full_q  <= (full_q | fill) & ~take;
            fill_q  <= fill_q ^ (fill != 2'b00);
            front_q <= front_q ^ (take != 2'b00);
        end
    end

    assign ready_o = !rst_i && !full_q[fill_q];
    assign valid_o = full_q[front_q];
    assign data_o  = front_q ? place_1q : place_0q;
endmodule
`default_nettype wire
