`default_nettype none
// The start of collectives of a network whose tiles have ports: when all tiles are ready, or, with a period, at the next time at which
// they are. Times follow one another from the first start on, PERIOD cycles apart.
module mn_tile_start #(
    parameter PERIOD = 0  // cycles from one time of a start to the next; 0: at any time
) (
    input  wire clk_i,
    input  wire rst_i,
    // all tiles are ready; a collective has ended in all tiles, in any tile
    input  wire ready_all_i,
    input  wire done_all_i,
    input  wire done_any_i,
    // a register on the way of a start to the tiles has flipped
    input  wire upset_i,
    // a start; with a period, the time of one
    output wire go_o,
    output wire tick_o,
    // a collective runs; tiles ended apart, or a collective that was not started, or one was started before the end, or a
    // start has changed on its way (sticky)
    output wire busy_o,
    output wire order_o
);
    localparam CB = PERIOD > 1 ? $clog2(PERIOD) : 1;
    localparam [31:0] REST = PERIOD > 1 ? PERIOD - 1 : 0;

    // the tiles are not ready until the start has come back as such; it is not to be answered twice
    reg  armed_q, go_q, busy_q, order_q;
    wire due;
    wire launch = ready_all_i && armed_q && due;

    always @(posedge clk_i) begin
        if (rst_i) begin
            armed_q <= 1'b1;
            go_q    <= 1'b0;
            busy_q  <= 1'b0;
            order_q <= 1'b0;
        end else begin
            armed_q <= launch ? 1'b0 : armed_q || !ready_all_i;
            go_q    <= launch;
            busy_q  <= launch || (busy_q && !done_all_i);
            order_q <= order_q || done_all_i != done_any_i || (done_any_i && !busy_q) || (launch && busy_q) || upset_i;
        end
    end

    generate
        if (PERIOD != 0) begin : gen_period
            reg          running_q, due_q, tick_q;  // there was a first start; its time, or that of a later one, is now
            reg [CB-1:0] rest_q;
            always @(posedge clk_i) begin
                if (rst_i) begin
                    running_q <= 1'b0;
                    due_q     <= 1'b1;
                    tick_q    <= 1'b0;
                end else begin
                    running_q <= running_q || launch;
                    due_q     <= running_q ? rest_q == {{CB - 1{1'b0}}, 1'b1} : !launch;
                    tick_q    <= due_q && (running_q || launch);
                end
                rest_q <= due_q ? REST[CB-1:0] : rest_q - 1'b1;
            end
            assign due    = due_q;
            assign tick_o = tick_q;
        end else begin : gen_any_time
            assign due    = 1'b1;
            assign tick_o = 1'b0;
        end
    endgenerate

    assign go_o    = go_q;
    assign busy_o  = busy_q;
    assign order_o = order_q;
endmodule
`default_nettype wire
