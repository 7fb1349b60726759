// Made by rust-hdl from tests/second_source/arbiters.rs; do not edit.
`default_nettype none
module mn_second_round_robin_2(clock,reset,request,hold,grant,last,turn);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [1:0] request;
    input wire  hold;
    output reg  [1:0] grant;
    output reg  [1:0] last;
    output reg  [1:0] turn;

    // Constant declarations
    localparam  bit0 = 2'b10;
    localparam  bit1 = 2'b0;
    localparam  bit2 = 2'b0;
    localparam  turns0 = 2'b10;
    localparam  turns1 = 2'b10;
    localparam  turns2 = 2'b10;
    localparam  one = 2'b1;
    localparam  none = 2'b0;
    localparam  step = 2'b1;
    localparam  back = 2'b1;

    // Stub signals
    reg  [1:0] granted$d;
    wire  [1:0] granted$q;
    reg  granted$clock;
    reg  [1:0] turns$d;
    wire  [1:0] turns$q;
    reg  turns$clock;

    // Local signals
    reg  [1:0] kept;
    reg  [1:0] alike;
    reg  [1:0] chosen;

    // Sub module instances
    mn_second_round_robin_2_granted granted(
        .d(granted$d),
        .q(granted$q),
        .clock(granted$clock)
    );
    mn_second_round_robin_2_turns turns(
        .d(turns$d),
        .q(turns$q),
        .clock(turns$clock)
    );

    // Update code
    always @(*) begin
        granted$clock = clock;
        turns$clock = clock;
        granted$d = granted$q;
        turns$d = turns$q;
        kept = request;
        alike = kept & ~bit0;
        if (|(turns$q & turns0)) begin
            alike = kept & bit0;
        end
        if (|alike) begin
            kept = alike;
        end
        alike = kept & ~bit1;
        if (|(turns$q & turns1)) begin
            alike = kept & bit1;
        end
        if (|alike) begin
            kept = alike;
        end
        alike = kept & ~bit2;
        if (|(turns$q & turns2)) begin
            alike = kept & bit2;
        end
        if (|alike) begin
            kept = alike;
        end
        chosen = kept;
        if (hold) begin
            chosen = request & granted$q;
        end
        else if (|kept) begin
            turns$d = (turns$q << step) | (turns$q >> back);
        end
        grant = chosen;
        last = granted$q;
        turn = turns$q;
        if (|chosen) begin
            granted$d = chosen;
        end
        if (reset) begin
            granted$d = none;
            turns$d = one;
        end
    end

endmodule // mn_second_round_robin_2


module mn_second_round_robin_2_granted(d,q,clock);

    // Module arguments
    input wire  [1:0] d;
    output reg  [1:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 2'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // mn_second_round_robin_2_granted


module mn_second_round_robin_2_turns(d,q,clock);

    // Module arguments
    input wire  [1:0] d;
    output reg  [1:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 2'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // mn_second_round_robin_2_turns
`default_nettype wire
