`default_nettype none
// Counts through the words of a stream: word n = batch * LANES + lane, lane fastest, and begins again after the last.
module mn_lane_counter #(
    parameter COUNT = 4,  // words
    parameter LANES = 1,  // words of a batch
    // derived, not to be set
    parameter CB = COUNT > 1 ? $clog2(COUNT) : 1,
    parameter NB = LANES > 1 ? $clog2(LANES) : 1,
    parameter BATCHES = (COUNT + LANES - 1) / LANES,
    parameter BB = BATCHES > 1 ? $clog2(BATCHES) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          step_i,
    output wire [CB-1:0] word_o,
    output wire [NB-1:0] lane_o,
    output wire [BB-1:0] batch_o
);
    localparam [31:0] WORD_LAST = COUNT - 1;
    localparam [31:0] LANE_LAST = LANES - 1;

    reg [CB-1:0] word_q;
    reg [NB-1:0] lane_q;
    reg [BB-1:0] batch_q;

    wire word_end = word_q == WORD_LAST[CB-1:0];
    wire lane_end = lane_q == LANE_LAST[NB-1:0];

    always @(posedge clk_i) begin
        if (rst_i || (step_i && word_end)) begin
            word_q  <= {CB{1'b0}};
            lane_q  <= {NB{1'b0}};
            batch_q <= {BB{1'b0}};
        end else if (step_i) begin
            word_q <= word_q + 1'b1;
            lane_q <= lane_end ? {NB{1'b0}} : lane_q + 1'b1;
            if (lane_end) batch_q <= batch_q + 1'b1;
        end
    end

    assign word_o  = word_q;
    assign lane_o  = lane_q;
    assign batch_o = batch_q;
endmodule
`default_nettype wire
