`default_nettype none
// Receives bytes from a serial line: one start bit, eight data bits with the lowest first, one stop bit.
// A byte whose stop bit is low is dropped.
module mn_uart_rx #(
    parameter DIVIDE = 104  // clock cycles a bit, at least 4
) (
    input  wire       clk_i,
    input  wire       rst_i,
    // the line, asynchronous, high when idle
    input  wire       line_i,
    // a byte, for one cycle
    output wire       valid_o,
    output wire [7:0] data_o
);
    localparam TB = $clog2(DIVIDE);
    localparam [31:0] LAST = DIVIDE - 1;
    localparam [31:0] MIDDLE = DIVIDE / 2 - 1;

    // two registers against metastability, one to see the edge
    reg [   2:0] line_q;
    reg [TB-1:0] timer_q;
    reg          tick_q;   // the middle of a bit
    reg [   3:0] left_q;   // bits still to come, start and stop bits included
    reg          busy_q;
    reg [   7:0] data_q;
    reg          valid_q;

    wire start = !busy_q && line_q[2:1] == 2'b10;

    always @(posedge clk_i) begin
        if (start || tick_q) begin
            timer_q <= start ? MIDDLE[TB-1:0] : LAST[TB-1:0];
            tick_q  <= 1'b0;
        end else begin
            timer_q <= timer_q - 1'b1;
            tick_q  <= timer_q == {{TB - 1{1'b0}}, 1'b1};
        end
        if (tick_q && busy_q) data_q <= left_q == 4'd1 ? data_q : {line_q[2], data_q[7:1]};
        if (rst_i) begin
            line_q  <= 3'b111;
            left_q  <= 4'd0;
            busy_q  <= 1'b0;
            valid_q <= 1'b0;
        end else begin
            line_q  <= {line_q[1:0], line_i};
            valid_q <= busy_q && tick_q && left_q == 4'd1 && line_q[2];
            if (start) begin
                busy_q <= 1'b1;
                left_q <= 4'd10;
            end else if (busy_q && tick_q) begin
                left_q <= left_q - 4'd1;
                busy_q <= left_q != 4'd1;
            end
        end
    end

    assign valid_o = valid_q;
    assign data_o  = data_q;
endmodule
`default_nettype wire
