`default_nettype none
// A bank of words like mn_bank, whose output is zero unless a word was asked for: what comes out can be ORed with others.
module mn_gated_bank #(
    parameter WIDTH = 32,  // bits of a word
    parameter AB    = 4    // address bits; the bank holds 2**AB words
) (
    input  wire             clk_i,
    // write port
    input  wire             we_i,
    input  wire [   AB-1:0] waddr_i,
    input  wire [WIDTH-1:0] wdata_i,
    // read port: rdata_o is the word at raddr_i one cycle earlier if read_i was high then, and zero if not
    input  wire             read_i,
    input  wire [   AB-1:0] raddr_i,
    output wire [WIDTH-1:0] rdata_o
);
    reg [WIDTH-1:0] mem [0:(1<<AB)-1];
    reg [WIDTH-1:0] rdata_q;

    always @(posedge clk_i) begin
        if (we_i) mem[waddr_i] <= wdata_i;
        if (!read_i) rdata_q <= {WIDTH{1'b0}};
        else rdata_q <= mem[raddr_i];
    end

    assign rdata_o = rdata_q;
endmodule
`default_nettype wire
