`default_nettype none
// The words of an all-to-all in the order of two nested node loops, words fastest. Word w with outer node a and inner
// node b is a * OUTER + b * INNER + (w + 1) * WORD modulo 2**DW. Both orders of the loops need only additions.
module mn_pattern #(
    parameter DW    = 32,   // bits of a word
    parameter TILES = 18,   // nodes
    parameter TB    = 5,    // bits of a tile number
    parameter WORDS = 1,    // words a message
    parameter [DW-1:0] OUTER = 1,  // step of the outer node
    parameter [DW-1:0] INNER = 1,  // step of the inner node
    parameter [DW-1:0] WORD  = 1   // step of the word
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          step_i,
    output wire [DW-1:0] data_o,
    output wire [TB-1:0] outer_o,
    output wire          last_o    // of all
);
    localparam WP = WORDS > 1 ? $clog2(WORDS) : 1;
    localparam [31:0] TILE_LAST = TILES - 1;
    localparam [31:0] WORD_LAST = WORDS - 1;

    reg [WP-1:0] word_q;
    reg [TB-1:0] inner_q, outer_q;
    reg [DW-1:0] data_q, inner_sum_q, outer_sum_q;
    // whether a counter is at its end, kept beside it
    reg          word_end_q, inner_end_q, outer_end_q;

    wire word_end  = word_end_q;
    wire inner_end = word_end_q && inner_end_q;
    // the sums that the next inner and the next outer node begin with
    wire [DW-1:0] inner_sum = inner_sum_q + INNER;
    wire [DW-1:0] outer_sum = outer_sum_q + OUTER;

    always @(posedge clk_i) begin
        if (rst_i) begin
            word_q      <= {WP{1'b0}};
            inner_q     <= {TB{1'b0}};
            outer_q     <= {TB{1'b0}};
            word_end_q  <= WORDS == 1;
            inner_end_q <= TILES == 1;
            outer_end_q <= TILES == 1;
            data_q      <= WORD;
            inner_sum_q <= WORD;
            outer_sum_q <= WORD;
        end else if (step_i) begin
            word_q     <= word_end ? {WP{1'b0}} : word_q + 1'b1;
            word_end_q <= WORDS == 1 || (!word_end && word_q + 1'b1 == WORD_LAST[WP-1:0]);
            data_q     <= inner_end ? outer_sum : word_end ? inner_sum : data_q + WORD;
            if (word_end) begin
                inner_q     <= inner_end_q ? {TB{1'b0}} : inner_q + 1'b1;
                inner_end_q <= TILES == 1 || (!inner_end_q && inner_q + 1'b1 == TILE_LAST[TB-1:0]);
                inner_sum_q <= inner_end_q ? outer_sum : inner_sum;
            end
            if (inner_end) begin
                outer_q     <= outer_q + 1'b1;
                outer_end_q <= outer_q + 1'b1 == TILE_LAST[TB-1:0];
                outer_sum_q <= outer_sum;
            end
        end
    end

    assign data_o  = data_q;
    assign outer_o = outer_q;
    assign last_o  = inner_end && outer_end_q;
endmodule
`default_nettype wire
