`default_nettype none
// A receive bank behind one input of the router: a word is written where the program expects it. A word that comes
// unasked, one that does not come, and one with broken parity, when it comes or when the host reads it, are reported (one pulse each).
// No reset: there is no fault two cycles after router and program have come to rest.
module mn_receive_port #(
    parameter WIDTH  = 32,  // bits of a payload on the channel, its parity bit included
    parameter PARITY = 0,   // 1: the top bit of a payload is its even parity
    parameter AB     = 4,   // address bits of the bank
    parameter LATE   = 0    // 1: fewer registers for the host's reads, see mn_gated_bank
) (
    input  wire                    clk_i,
    // router side
    input  wire                    valid_i,
    input  wire [       WIDTH-1:0] data_i,
    // program side: the word expected in this cycle, and its address
    input  wire                    row_valid_i,
    input  wire [          AB-1:0] row_address_i,
    // host side: read the bank, rdata_o one cycle later; zero if nothing was asked
    input  wire                    read_i,
    input  wire [          AB-1:0] raddr_i,
    output wire [WIDTH-PARITY-1:0] rdata_o,
    // faults
    output wire                    unexpected_o,
    output wire                    missing_o,
    output wire                    parity_o
);
    reg unexpected_q, missing_q;

    always @(posedge clk_i) begin
        unexpected_q <= valid_i && !row_valid_i;
        missing_q    <= !valid_i && row_valid_i;
    end

    wire [WIDTH-1:0] rdata;
    mn_gated_bank #(.WIDTH(WIDTH), .AB(AB), .LATE(LATE)) u_bank (
        .clk_i(clk_i), .we_i(valid_i && row_valid_i), .waddr_i(row_address_i),
        .wdata_i(data_i), .read_i(read_i), .raddr_i(raddr_i), .rdata_o(rdata)
    );
    assign rdata_o = rdata[WIDTH-PARITY-1:0];

    generate
        if (PARITY != 0) begin : gen_parity
            reg parity_q, kept_q;
            always @(posedge clk_i) begin
                parity_q <= valid_i && ^data_i;
                kept_q   <= ^rdata;
            end
            assign parity_o = parity_q || kept_q;
        end else begin : gen_no_parity
            assign parity_o = 1'b0;
        end
    endgenerate

    assign unexpected_o = unexpected_q;
    assign missing_o    = missing_q;
endmodule
`default_nettype wire
