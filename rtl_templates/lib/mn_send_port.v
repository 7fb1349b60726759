`default_nettype none
// A send bank and what it offers to the router: the word that a row of the program asks for, with its header.
// Timing: row_valid_i and its fields in cycle t, payload and header at the crossbar in cycle t + 2, zero when idle.
module mn_send_port #(
    parameter WIDTH = 32,  // bits of a payload
    parameter AB    = 4,   // address bits of the bank
    parameter HW    = 5    // bits of the decoded header
) (
    input  wire             clk_i,
    input  wire             rst_i,
    // host side: fill the bank
    input  wire             we_i,
    input  wire [   AB-1:0] waddr_i,
    input  wire [WIDTH-1:0] wdata_i,
    // program side
    input  wire             row_valid_i,
    input  wire [   AB-1:0] row_address_i,
    input  wire [   HW-1:0] row_header_i,
    // router side
    output wire [   HW-1:0] header_o,
    output wire [WIDTH-1:0] data_o
);
    wire [WIDTH-1:0] rdata;
    reg              valid_q;
    reg  [   HW-1:0] header_q, header_qq;
    reg  [WIDTH-1:0] data_q;

    mn_bank #(.WIDTH(WIDTH), .AB(AB)) u_bank (
        .clk_i(clk_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i),
        .raddr_i(row_address_i), .rdata_o(rdata)
    );

    always @(posedge clk_i) begin
        valid_q   <= !rst_i && row_valid_i;
        header_q  <= row_header_i;
        header_qq <= valid_q ? header_q : {HW{1'b0}};
        data_q    <= valid_q ? rdata : {WIDTH{1'b0}};
    end

    assign header_o = header_qq;
    assign data_o   = data_q;
endmodule
`default_nettype wire
