`default_nettype none
// The program of a router in a product of matrices: a row a cycle from its slot table, none before the start and after the end.
// The first row comes two cycles after go_i. mn_product_endpoint defines the fields of a row.
module mn_product_program #(
    parameter ROWS  = 4,   // rows of the slot table
    parameter WIDTH = 32,  // bits of a row
    parameter DRAIN = 4,   // cycles from the last row to the end of what it asks for
    parameter FILE  = "",  // image of the table for $readmemh
    parameter GUARD = 0    // 1: a bit of a counter that flips is reported
) (
    input  wire             clk_i,
    input  wire             rst_i,
    input  wire             go_i,
    // the row of this cycle, zero if there is none
    output wire [WIDTH-1:0] row_o,
    // all results are in their memories
    output wire             done_o,
    // a row of the table was none of the network's, or a bit has flipped
    output wire             wrong_o
);
    localparam SB = ROWS > 1 ? $clog2(ROWS) : 1;
    wire             on, last, unused_buffer, unused_select, unused_word;
    wire [   SB-1:0] slot;
    wire [WIDTH-1:0] row;
    wire             wrong_row, wrong_count, wrong_on;
    reg              on_q;

    mn_slot_counter #(.ROWS(ROWS), .WORDS(1), .GUARD(GUARD)) u_counter (
        .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .go_buffer_i(1'b0), .go_select_i(1'b0),
        .valid_o(on), .last_o(last), .buffer_o(unused_buffer), .select_o(unused_select),
        .word_o(unused_word), .slot_o(slot), .wrong_o(wrong_count)
    );
    mn_table_rom #(.WIDTH(WIDTH), .ROWS(ROWS), .FILE(FILE)) u_table (.clk_i(clk_i), .slot_i(slot), .row_o(row), .wrong_o(wrong_row));
    always @(posedge clk_i) on_q <= !rst_i && on;
    mn_guard #(.ON(GUARD)) u_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(on), .kept_i(on_q), .wrong_o(wrong_on));
    assign wrong_o = wrong_row || wrong_count || wrong_on;
    assign row_o = row & {WIDTH{on_q}};

    mn_stages #(.W(1), .N(DRAIN), .HEAD(1)) u_done (.clk_i(clk_i), .rst_i(rst_i), .d_i(last), .q_o(done_o));
endmodule
`default_nettype wire
