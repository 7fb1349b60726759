`default_nettype none
// A send bank of a stream: the word of the batch that is asked for, always with the same header.
// Timing: row_valid_i and row_address_i in cycle t, the flit at the crossbar in cycle t + 2, zero when idle.
// No reset: the outputs are idle two cycles after the inputs.
module mn_stream_send #(
    parameter WIDTH = 32,  // bits of a payload
    parameter AB    = 4,   // address bits of the bank
    parameter HW    = 5,   // bits of the header
    parameter [HW-1:0] HEADER = {HW{1'b0}}
) (
    input  wire                clk_i,
    // host side: fill the bank
    input  wire                we_i,
    input  wire [      AB-1:0] waddr_i,
    input  wire [   WIDTH-1:0] wdata_i,
    // program side
    input  wire                row_valid_i,
    input  wire [      AB-1:0] row_address_i,
    // router side
    output wire [HW+WIDTH-1:0] flit_o
);
    wire [WIDTH-1:0] rdata;
    reg              valid_q;
    reg  [HW+WIDTH-1:0] flit_q;

    mn_bank #(.WIDTH(WIDTH), .AB(AB)) u_bank (
        .clk_i(clk_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i),
        .raddr_i(row_address_i), .rdata_o(rdata)
    );

    always @(posedge clk_i) begin
        valid_q <= row_valid_i;
        flit_q  <= valid_q ? {HEADER, rdata} : {HW + WIDTH{1'b0}};
    end

    assign flit_o = flit_q;
endmodule
`default_nettype wire
