`default_nettype none
// Multipliers and the products that they add up: TERMS operands a cycle, each with a row of the matrix, and BANKS memories of HELD rows of X
// sums. With SPLIT the row of the matrix is as wide as all banks, and every operand adds to all of them; without, to the one that is named.
// The X operands of a sum come one after the other, so that sums are read only to be sent.
//
// Timing: operands and their rows of the matrix in cycle t, `first_i`, `row_i` and `bank_i` with them. An address in
// cycle t + 2 reads the sums in cycle t + 3.
module mn_product_group #(
    parameter DW     = 32,  // bits of a sum
    parameter EB     = 16,  // bits of an element, at most DW
    parameter SIGNED = 0,   // 1: elements are signed
    parameter PARITY = 0,   // 1: each row of sums has a parity bit, and a bit that flips is reported
    parameter TERMS  = 1,   // operands that add to the same sums
    parameter X      = 1,   // sums of a row of a bank, and cycles in which the operands of a sum come
    parameter BANKS  = 1,   // memories
    parameter SPLIT  = 0,   // 1: every operand has products for all of them
    parameter HELD   = 1,   // rows of a memory
    // derived, not to be set
    parameter SW = X * DW + PARITY,  // bits of a row of sums, its parity the topmost
    parameter J  = SPLIT != 0 ? BANKS * X : X,
    parameter HB = HELD > 1 ? $clog2(HELD) : 1,
    parameter BB = BANKS > 1 ? $clog2(BANKS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    // operands, zero where there is none; whether there is any
    input  wire                    valid_i,
    input  wire [    TERMS*EB-1:0] operand_i,
    input  wire [  TERMS*J*EB-1:0] matrix_i,
    // whether they begin a sum; where that is
    input  wire                    first_i,
    input  wire [          HB-1:0] row_i,
    input  wire [          BB-1:0] bank_i,
    // sums to be sent: an address for each bank, its row a cycle later
    input  wire [    BANKS*HB-1:0] address_i,
    output wire [    BANKS*SW-1:0] sums_o,
    output wire                    wrong_o
);
    // ---- multiply, and add the products of one cycle ----
    wire [J*DW-1:0] product_d;
    reg  [J*DW-1:0] product_q;
    reg             valid_q, first_q;
    reg  [  HB-1:0] row_q;
    reg  [  BB-1:0] bank_q;
    genvar j, n, b;
    generate
        for (j = 0; j < J; j = j + 1) begin : gen_column
            wire [TERMS*DW-1:0] terms;
            wire [DW-1:0] term;
            for (n = 0; n < TERMS; n = n + 1) begin : gen_term
                wire signed [DW-1:0] left, right;
                mn_product_extend #(.DW(DW), .EB(EB), .SIGNED(SIGNED)) u_left (
                    .element_i(operand_i[n*EB+:EB]), .number_o(left)
                );
                mn_product_extend #(.DW(DW), .EB(EB), .SIGNED(SIGNED)) u_right (
                    .element_i(matrix_i[(n*J+j)*EB+:EB]), .number_o(right)
                );
                assign terms[n*DW+:DW] = left * right;
            end
            mn_product_sum #(.W(DW), .N(TERMS)) u_sum (.terms_i(terms), .sum_o(term));
            assign product_d[j*DW+:DW] = term;
        end
    endgenerate
    always @(posedge clk_i) begin
        product_q <= product_d;
        valid_q   <= valid_i;
        first_q   <= first_i;
        row_q     <= row_i;
        bank_q    <= bank_i;
    end

    // ---- add to the sums of the cycle before: X operands come one after the other ----
    wire [J*DW-1:0] sum;
    wire            wrong_sum;
    generate
        if (X > 1) begin : gen_sum
            reg [J*DW-1:0] last_q;
            always @(posedge clk_i) last_q <= sum;
            for (j = 0; j < J; j = j + 1) begin : gen_add
                assign sum[j*DW+:DW] = product_q[j*DW+:DW] + (first_q ? {DW{1'b0}} : last_q[j*DW+:DW]);
            end
            mn_guard #(.ON(PARITY)) u_last (.clk_i(clk_i), .rst_i(rst_i), .given_i(^sum), .kept_i(^last_q), .wrong_o(wrong_sum));
        end else begin : gen_product
            assign sum       = product_q;
            assign wrong_sum = 1'b0;
        end
        for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
            localparam [31:0] BANK = b;
            wire we = valid_q && (SPLIT != 0 || BANKS == 1 || bank_q == BANK[BB-1:0]);
            wire [SW-1:0] wdata;
            assign wdata[X*DW-1:0] = sum[(SPLIT!=0?b:0)*X*DW+:X*DW];
            if (PARITY != 0) begin : gen_parity
                assign wdata[SW-1] = ^wdata[X*DW-1:0];
            end
            mn_bank #(.WIDTH(SW), .AB(HB)) u_sent (
                .clk_i(clk_i), .we_i(we), .waddr_i(row_q), .wdata_i(wdata),
                .raddr_i(address_i[b*HB+:HB]), .rdata_o(sums_o[b*SW+:SW])
            );
        end
    endgenerate

    // ---- bits that flip: registers by what they are given; a stored sum by its parity, where it is sent ----
    wire wrong_register;
    mn_guard #(.ON(PARITY)) u_product (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{product_d, valid_i, first_i, row_i, bank_i}),
        .kept_i(^{product_q, valid_q, first_q, row_q, bank_q}), .wrong_o(wrong_register)
    );
    assign wrong_o = wrong_register || wrong_sum;
endmodule
`default_nettype wire
