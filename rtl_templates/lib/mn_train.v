`default_nettype none
// The batches of a stream from counters: BURST batches in consecutive cycles, then a pause, every PERIOD cycles.
module mn_train #(
    parameter BATCHES = 4,  // batches in all
    parameter BURST   = 1,  // batches of a burst
    parameter PERIOD  = 1,  // cycles from burst to burst, at least BURST
    parameter GUARD   = 0,  // 1: a bit that flips is reported, and a start before the end
    // derived, not to be set
    parameter BB = BATCHES > 1 ? $clog2(BATCHES) : 1,
    parameter PB = PERIOD > 1 ? $clog2(PERIOD) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          go_i,
    // the batch of this cycle, from the second cycle after go_i on; the last is marked
    output wire          valid_o,
    output wire          last_o,
    output wire [BB-1:0] batch_o,
    output wire          wrong_o
);
    localparam [31:0] BATCH_LAST = BATCHES - 1, PHASE_LAST = PERIOD - 1, BURST_LAST = BURST - 1;

    reg          run_q, valid_q, last_q;
    reg [BB-1:0] next_q, batch_q;
    reg [PB-1:0] phase_q;

    wire on   = run_q && phase_q <= BURST_LAST[PB-1:0];
    wire last = next_q == BATCH_LAST[BB-1:0];

    wire          run_d   = go_i || (run_q && !(on && last));
    wire [PB-1:0] phase_d = go_i ? {PB{1'b0}} : phase_q == PHASE_LAST[PB-1:0] ? {PB{1'b0}} : phase_q + 1'b1;
    wire [BB-1:0] next_d  = go_i ? {BB{1'b0}} : on ? next_q + 1'b1 : next_q;
    always @(posedge clk_i) begin
        if (rst_i) begin
            run_q   <= 1'b0;
            valid_q <= 1'b0;
        end else begin
            run_q   <= run_d;
            valid_q <= on;
        end
        phase_q <= phase_d;
        next_q  <= next_d;
        last_q  <= last;
        batch_q <= next_q;
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{run_d, on, phase_d, next_d, last, next_q} ^ (go_i && run_q && !(on && last))),
        .kept_i(^{run_q, valid_q, phase_q, next_q, last_q, batch_q}), .wrong_o(wrong_o)
    );

    assign valid_o = valid_q;
    assign last_o  = valid_q && last_q;
    assign batch_o = batch_q;
endmodule
`default_nettype wire
