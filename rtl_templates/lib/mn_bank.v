`default_nettype none
// A bank of words: one write port, one read port with a registered output.
// A read of the word that is being written gives the old or the new one; the schedule never asks for it.
module mn_bank #(
    parameter WIDTH = 32,  // bits of a word
    parameter AB    = 4    // address bits; the bank holds 2**AB words
) (
    input  wire             clk_i,
    // write port
    input  wire             we_i,
    input  wire [   AB-1:0] waddr_i,
    input  wire [WIDTH-1:0] wdata_i,
    // read port: rdata_o is the word at raddr_i one cycle earlier
    input  wire [   AB-1:0] raddr_i,
    output wire [WIDTH-1:0] rdata_o
);
    reg [WIDTH-1:0] mem [0:(1<<AB)-1];
    reg [WIDTH-1:0] rdata_q;

    always @(posedge clk_i) begin
        if (we_i) mem[waddr_i] <= wdata_i;
        rdata_q <= mem[raddr_i];
    end

    assign rdata_o = rdata_q;
endmodule
`default_nettype wire
