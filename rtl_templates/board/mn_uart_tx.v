`default_nettype none
// Sends bytes on a serial line: one start bit, eight data bits with the lowest first, one stop bit.
module mn_uart_tx #(
    parameter DIVIDE = 104  // clock cycles a bit, at least 4
) (
    input  wire       clk_i,
    input  wire       rst_i,
    // a byte is taken where both are high
    input  wire       valid_i,
    output wire       ready_o,
    input  wire [7:0] data_i,
    // the line, high when idle
    output wire       line_o
);
    localparam TB = $clog2(DIVIDE);
    localparam [31:0] LAST = DIVIDE - 1;

    reg [TB-1:0] timer_q;
    reg          tick_q;   // the last cycle of a bit
    reg [   3:0] left_q;   // bits still to send, the current one included
    reg [   8:0] shift_q;  // the current bit lowest; the stop bit comes from above
    reg          ready_q;

    wire take = valid_i && ready_q;

    always @(posedge clk_i) begin
        if (take || tick_q) begin
            timer_q <= LAST[TB-1:0];
            tick_q  <= 1'b0;
        end else begin
            timer_q <= timer_q - 1'b1;
            tick_q  <= timer_q == {{TB - 1{1'b0}}, 1'b1};
        end
        if (rst_i) begin
            left_q  <= 4'd0;
            shift_q <= 9'h1ff;
            ready_q <= 1'b1;
        end else if (take) begin
            left_q  <= 4'd10;
            shift_q <= {data_i, 1'b0};
            ready_q <= 1'b0;
        end else if (tick_q && !ready_q) begin
            left_q  <= left_q - 4'd1;
            shift_q <= {1'b1, shift_q[8:1]};
            ready_q <= left_q == 4'd1;
        end
    end

    assign ready_o = ready_q;
    assign line_o  = shift_q[0];
endmodule
`default_nettype wire
