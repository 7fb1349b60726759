`default_nettype none
// Counts through the words of a stream: word n = batch * LANES + lane, lane fastest, and begins again after the last.
module mn_lane_counter #(
    parameter COUNT = 4,  // words
    parameter LANES = 1,  // words of a batch
    parameter GUARD = 0,  // 1: a bit of it that flips is reported
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
    output wire [BB-1:0] batch_o,
    output wire          wrong_o
);
    localparam [31:0] WORD_LAST = COUNT - 1;
    localparam [31:0] LANE_LAST = LANES - 1;

    reg [CB-1:0] word_q;
    reg [NB-1:0] lane_q;
    reg [BB-1:0] batch_q;

    wire word_end = word_q == WORD_LAST[CB-1:0];
    wire lane_end = lane_q == LANE_LAST[NB-1:0];

    wire [CB-1:0] word_d  = !step_i ? word_q : word_end ? {CB{1'b0}} : word_q + 1'b1;
    wire [NB-1:0] lane_d  = !step_i ? lane_q : word_end || lane_end ? {NB{1'b0}} : lane_q + 1'b1;
    wire [BB-1:0] batch_d = !step_i ? batch_q : word_end ? {BB{1'b0}} : lane_end ? batch_q + 1'b1 : batch_q;

    always @(posedge clk_i) begin
        word_q  <= rst_i ? {CB{1'b0}} : word_d;
        lane_q  <= rst_i ? {NB{1'b0}} : lane_d;
        batch_q <= rst_i ? {BB{1'b0}} : batch_d;
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{word_d, lane_d, batch_d}), .kept_i(^{word_q, lane_q, batch_q}), .wrong_o(wrong_o)
    );

    assign word_o  = word_q;
    assign lane_o  = lane_q;
    assign batch_o = batch_q;
endmodule
`default_nettype wire
