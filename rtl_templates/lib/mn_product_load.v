`default_nettype none
// Puts a tile's words where they belong, as the host sends them: the rows of the matrix, then the operand, its banks in turns.
module mn_product_load #(
    parameter DW    = 32,  // bits of a word
    parameter EB    = 16,  // of them the element's
    parameter J     = 1,   // elements of a row of the matrix
    parameter ROWS  = 1,   // rows of the matrix, 0: none
    parameter WORDS = 1,   // words of a bank of the operand
    parameter BANKS = 1,   // banks of the operand
    parameter GUARD = 0,   // 1: a bit of a register that flips is reported
    // derived, not to be set
    parameter MB = ROWS > 1 ? $clog2(ROWS) : 1,
    parameter AB = WORDS > 1 ? $clog2(WORDS) : 1,
    parameter BB = BANKS > 1 ? $clog2(BANKS) : 1
) (
    input  wire            clk_i,
    input  wire            rst_i,
    // a word that is loaded
    input  wire            load_i,
    input  wire [  DW-1:0] data_i,
    // a whole row of the matrix
    output wire            row_we_o,
    output wire [  MB-1:0] row_address_o,
    output wire [J*EB-1:0] row_o,
    // a word of the operand
    output wire            word_we_o,
    output wire [  AB-1:0] word_address_o,
    output wire [  BB-1:0] word_bank_o,
    output wire            wrong_o
);
    localparam JB = J > 1 ? $clog2(J) : 1;
    localparam [31:0] COLUMN_LAST = J - 1, ROW_LAST = ROWS > 0 ? ROWS - 1 : 0, WORD_LAST = WORDS - 1, BANK_LAST = BANKS - 1;

    reg           operand_q;  // the matrix is there
    reg [ JB-1:0] column_q;
    reg [ MB-1:0] row_q;
    reg [ AB-1:0] word_q;
    reg [ BB-1:0] bank_q;
    reg [J*EB-1:0] elements_q;

    wire operand    = operand_q || ROWS == 0;
    wire column_end = column_q == COLUMN_LAST[JB-1:0];
    wire row_end    = row_q == ROW_LAST[MB-1:0];
    wire word_end   = word_q == WORD_LAST[AB-1:0];
    wire bank_end   = bank_q == BANK_LAST[BB-1:0];
    wire [(J+1)*EB-1:0] shifted = {data_i[EB-1:0], elements_q};
    wire [J*EB-1:0] elements = shifted[(J+1)*EB-1:EB];

    wire            of_row     = load_i && !operand;
    wire            of_word    = load_i && operand;
    wire            operand_d  = of_row ? column_end && row_end : operand_q && !(of_word && bank_end && word_end);
    wire [  JB-1:0] column_d   = !of_row ? column_q : column_end ? {JB{1'b0}} : column_q + 1'b1;
    wire [  MB-1:0] row_d      = !(of_row && column_end) ? row_q : row_end ? {MB{1'b0}} : row_q + 1'b1;
    wire [  BB-1:0] bank_d     = !of_word ? bank_q : bank_end ? {BB{1'b0}} : bank_q + 1'b1;
    wire [  AB-1:0] word_d     = !(of_word && bank_end) ? word_q : word_end ? {AB{1'b0}} : word_q + 1'b1;
    wire [J*EB-1:0] elements_d = of_row ? elements : elements_q;
    always @(posedge clk_i) begin
        if (rst_i) begin
            operand_q <= 1'b0;
            column_q  <= {JB{1'b0}};
            row_q     <= {MB{1'b0}};
            bank_q    <= {BB{1'b0}};
            word_q    <= {AB{1'b0}};
        end else begin
            operand_q <= operand_d;
            column_q  <= column_d;
            row_q     <= row_d;
            bank_q    <= bank_d;
            word_q    <= word_d;
        end
        elements_q <= elements_d;
    end
    // elements have no reset
    wire wrong_place, wrong_element;
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{operand_d, column_d, row_d, bank_d, word_d}),
        .kept_i(^{operand_q, column_q, row_q, bank_q, word_q}), .wrong_o(wrong_place)
    );
    mn_guard #(.ON(GUARD)) u_elements (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^elements_d), .kept_i(^elements_q), .wrong_o(wrong_element)
    );
    assign wrong_o = wrong_place || wrong_element;

    assign row_we_o       = of_row && column_end;
    assign row_address_o  = row_q;
    assign row_o          = elements;
    assign word_we_o      = of_word;
    assign word_address_o = word_q;
    assign word_bank_o    = bank_q;
    // the first element falls out when its row is complete
    wire unused = &{data_i, shifted};
endmodule
`default_nettype wire
