// Made by rust-hdl from tests/second_source/arbiters.rs; do not edit.
`default_nettype none
module mn_second_round_robin_4(clock,reset,request,hold,grant,last);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [3:0] request;
    input wire  hold;
    output reg  [3:0] grant;
    output reg  [3:0] last;

    // Constant declarations
    localparam  one = 4'h1;
    localparam  none = 4'h0;

    // Stub signals
    reg  [3:0] granted$d;
    wire  [3:0] granted$q;
    reg  granted$clock;

    // Local signals
    reg  [3:0] behind;
    reg  [3:0] first;
    reg  [3:0] chosen;

    // Sub module instances
    mn_second_round_robin_4_granted granted(
        .d(granted$d),
        .q(granted$q),
        .clock(granted$clock)
    );

    // Update code
    always @(*) begin
        granted$clock = clock;
        granted$d = granted$q;
        behind = request & ~(granted$q | (granted$q - one));
        first = request;
        if (|behind) begin
            first = behind;
        end
        chosen = first & (~first + one);
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

endmodule // mn_second_round_robin_4


module mn_second_round_robin_4_granted(d,q,clock);

    // Module arguments
    input wire  [3:0] d;
    output reg  [3:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 4'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // mn_second_round_robin_4_granted
`default_nettype wire
