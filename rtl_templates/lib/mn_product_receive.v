`default_nettype none
// A receive port of a product: the register behind an input of the router, and the faults of the arriving word (one pulse each).
// No reset: there is no fault two cycles after router and program have come to rest.
module mn_product_receive #(
    parameter WIDTH  = 32,  // bits of a payload on the channel, its parity bit included
    parameter PARITY = 0    // 1: the top bit of a payload is its even parity
) (
    input  wire                    clk_i,
    // router side
    input  wire                    valid_i,
    input  wire [       WIDTH-1:0] data_i,
    // program side, one cycle after the router's: whether something should have come
    input  wire                    expected_i,
    // arriving word, one cycle after the router's; zero if none should have come
    output wire [WIDTH-PARITY-1:0] data_o,
    // faults
    output wire                    unexpected_o,
    output wire                    missing_o,
    output wire                    parity_o
);
    reg             valid_q, unexpected_q, missing_q;
    reg [WIDTH-1:0] data_q;

    always @(posedge clk_i) begin
        valid_q      <= valid_i;
        data_q       <= data_i;
        unexpected_q <= valid_q && !expected_i;
        missing_q    <= !valid_q && expected_i;
    end
    assign data_o = data_q[WIDTH-PARITY-1:0] & {WIDTH - PARITY{valid_q && expected_i}};

    generate
        if (PARITY != 0) begin : gen_parity
            reg parity_q;
            always @(posedge clk_i) parity_q <= valid_q && ^data_q;
            assign parity_o = parity_q;
        end else begin : gen_no_parity
            assign parity_o = 1'b0;
        end
    endgenerate

    assign unexpected_o = unexpected_q;
    assign missing_o    = missing_q;
endmodule
`default_nettype wire
