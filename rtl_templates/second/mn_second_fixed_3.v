// Made by rust-hdl from tests/second_source/arbiters.rs; do not edit.
`default_nettype none
module mn_second_fixed_3(clock,reset,request,hold,grant,last);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [2:0] request;
    input wire  hold;
    output reg  [2:0] grant;
    output reg  [2:0] last;

    // Constant declarations
    localparam  one = 3'b1;
    localparam  none = 3'b0;

    // Stub signals
    reg  [2:0] granted$d;
    wire  [2:0] granted$q;
    reg  granted$clock;

    // Local signals
    reg  [2:0] chosen;

    // Sub module instances
    mn_second_fixed_3_granted granted(
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

endmodule // mn_second_fixed_3


module mn_second_fixed_3_granted(d,q,clock);

    // Module arguments
    input wire  [2:0] d;
    output reg  [2:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 3'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // mn_second_fixed_3_granted
`default_nettype wire
