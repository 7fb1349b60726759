`default_nettype none
// A send bank and what it offers to the router: the word that a row of the program asks for, with its header.
// Timing: row_valid_i and its fields in cycle t, payload and header at the crossbar in cycle t + 2, zero when idle.
// No reset: what comes out is idle two cycles after what comes in.
module mn_send_port #(
    parameter WIDTH = 32,  // bits of a payload
    parameter AB    = 4,   // address bits of the bank
    parameter M     = 3,   // values of pi
    parameter K     = 0,   // values of gamma in the header, 0 if it has none
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
    wire [WIDTH-1:0] rdata;
    reg              valid_q;
    reg  [   PB-1:0] pi_q;
    reg  [   HW-1:0] header_q;
    reg  [WIDTH-1:0] data_q;

    mn_bank #(.WIDTH(WIDTH), .AB(AB)) u_bank (
        .clk_i(clk_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i),
        .raddr_i(row_address_i), .rdata_o(rdata)
    );

    always @(posedge clk_i) begin
        valid_q <= row_valid_i;
        pi_q    <= row_pi_i;
        data_q  <= valid_q ? rdata : {WIDTH{1'b0}};
    end

    genvar i;
    generate
        for (i = 0; i < M; i = i + 1) begin : gen_pi
            localparam [31:0] VALUE = i;
            always @(posedge clk_i) header_q[K+i] <= valid_q && pi_q == VALUE[PB-1:0];
        end
        if (K > 0) begin : gen_gamma
            reg [GP-1:0] gamma_q;
            always @(posedge clk_i) gamma_q <= row_gamma_i;
            for (i = 0; i < K; i = i + 1) begin : gen_value
                localparam [31:0] VALUE = i;
                always @(posedge clk_i) header_q[i] <= valid_q && gamma_q == VALUE[GP-1:0];
            end
        end else begin : gen_no_gamma
            wire unused = row_gamma_i;
        end
    endgenerate

    assign header_o = header_q;
    assign data_o   = data_q;
endmodule
`default_nettype wire
