`default_nettype none
// A field of a row, by the counters of its train: on where all three stand at marked counts, and then the sum of a number for each.
module mn_product_field #(
    parameter WIDTH = 4,  // bits of the field
    parameter N0 = 2,     // counts of the train's counters
    parameter N1 = 2,
    parameter N2 = 2,
    parameter GUARD = 0,  // 1: a bit that flips is reported
    // derived, not to be set
    parameter B0 = N0 > 1 ? $clog2(N0) : 1,
    parameter B1 = N1 > 1 ? $clog2(N1) : 1,
    parameter B2 = N2 > 1 ? $clog2(N2) : 1,
    parameter E  = WIDTH + 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire                    on_i,
    input  wire [          B0-1:0] count0_i,
    input  wire [          B1-1:0] count1_i,
    input  wire [          B2-1:0] count2_i,
    // constants of the router: {on, number} of every count, those of counter 0 in the low position
    input  wire [(N0+N1+N2)*E-1:0] steps_i,
    // the field, a cycle later; zero where it is off
    output wire [       WIDTH-1:0] value_o,
    output wire                    wrong_o
);
    reg [E-1:0] step0, step1, step2;
    integer     n;
    always @* begin
        step0 = {E{1'b0}};
        step1 = {E{1'b0}};
        step2 = {E{1'b0}};
        for (n = 0; n < N0; n = n + 1) if (count0_i == n[B0-1:0]) step0 = step0 | steps_i[n*E+:E];
        for (n = 0; n < N1; n = n + 1) if (count1_i == n[B1-1:0]) step1 = step1 | steps_i[(N0+n)*E+:E];
        for (n = 0; n < N2; n = n + 1) if (count2_i == n[B2-1:0]) step2 = step2 | steps_i[(N0+N1+n)*E+:E];
    end

    reg [WIDTH-1:0] value_q;
    wire             here = on_i && step0[WIDTH] && step1[WIDTH] && step2[WIDTH];
    wire [WIDTH-1:0] value_d = here ? step0[WIDTH-1:0] + step1[WIDTH-1:0] + step2[WIDTH-1:0] : {WIDTH{1'b0}};
    always @(posedge clk_i) value_q <= value_d;
    mn_guard #(.ON(GUARD)) u_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(^value_d), .kept_i(^value_q), .wrong_o(wrong_o));
    assign value_o = value_q;
endmodule
`default_nettype wire
