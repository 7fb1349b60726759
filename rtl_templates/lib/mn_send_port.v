`default_nettype none
// Send bank with its output to the router: the word that a row of the program reads, with its header.
// Timing: row_valid_i and its fields in cycle t, payload and header at the crossbar in cycle t + STAGES, zero when idle.
// No reset: the outputs are idle STAGES cycles after the inputs.
module mn_send_port #(
    parameter WIDTH = 32,  // bits of a payload
    parameter AB    = 4,   // address bits of the bank
    parameter M     = 3,   // values of pi
    parameter K     = 0,   // values of gamma in the header, 0 if it has none
    parameter STAGES = 1,  // 2: a register follows the bank, since a block RAM is slow to answer
    // derived, not to be set
    parameter PB = $clog2(M),
    parameter GP = K > 1 ? $clog2(K) : 1,
    parameter HW = M + K
) (
    input  wire             clk_i,
    // host side: fill the bank
    input  wire             we_i,
    input  wire [   AB-1:0] waddr_i,
    input  wire [WIDTH-1:0] wdata_i,
    // program side
    input  wire             row_valid_i,
    input  wire [   AB-1:0] row_address_i,
    input  wire [   PB-1:0] row_pi_i,
    input  wire [   GP-1:0] row_gamma_i,
    // router side: the header is one-hot pi, then one-hot gamma in the low position
    output wire [   HW-1:0] header_o,
    output wire [WIDTH-1:0] data_o
);
    wire [HW-1:0] header;
    reg  [HW-1:0] header_q;

    genvar i;
    generate
        for (i = 0; i < M; i = i + 1) begin : gen_pi
            localparam [31:0] VALUE = i;
            assign header[K+i] = row_valid_i && row_pi_i == VALUE[PB-1:0];
        end
        for (i = 0; i < K; i = i + 1) begin : gen_gamma
            localparam [31:0] VALUE = i;
            assign header[i] = row_valid_i && row_gamma_i == VALUE[GP-1:0];
        end
        if (K == 0) begin : gen_no_gamma
            wire unused = &row_gamma_i;
        end
    endgenerate
    always @(posedge clk_i) header_q <= header;

    wire [WIDTH-1:0] rdata;
    mn_gated_bank #(.WIDTH(WIDTH), .AB(AB)) u_bank (
        .clk_i(clk_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i),
        .read_i(row_valid_i), .raddr_i(row_address_i), .rdata_o(rdata)
    );

    mn_stages #(.W(HW + WIDTH), .N(STAGES - 1), .HEAD(1)) u_late (
        .clk_i(clk_i), .rst_i(1'b0), .d_i({header_q, rdata}), .q_o({header_o, data_o})
    );
endmodule
`default_nettype wire
