// Made by rust-hdl from tests/second_source/arbiters.rs; do not edit.
`default_nettype none
module mn_second_fixed_8(clock,reset,request,hold,grant,last);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [7:0] request;
    input wire  hold;
    output reg  [7:0] grant;
    output reg  [7:0] last;

    // Constant declarations
    localparam  one = 8'h1;
    localparam  none = 8'h0;

    // Stub signals
    reg  [7:0] granted$d;
    wire  [7:0] granted$q;
    reg  granted$clock;

    // Local signals
    reg  [7:0] chosen;

    // Sub module instances
    mn_second_fixed_8_granted granted(
        .d(granted$d),
        .q(granted$q),
        .clock(granted$clock)
    );

    // Update code
    always @(*) begin
        granted$clock = clock;
        granted$d = granted$q;
        chosen = request & (~request + one);
        if (hold) begin
            chosen = request & granted$q;
        end
        grant = chosen;
        last = granted$q;
        if (|chosen) begin
            granted$d = chosen;
        end
        if (reset) begin
            granted$d = none;
        end
    end

endmodule // mn_second_fixed_8


module mn_second_fixed_8_granted(d,q,clock);

    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 8'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // mn_second_fixed_8_granted
`default_nettype wire
