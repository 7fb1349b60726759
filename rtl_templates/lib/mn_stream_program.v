`default_nettype none
// The program of a router in a stream collective: which batch is on, cycle by cycle, from a slot table {valid, last, batch} or
// from counters that say the same.
module mn_stream_program #(
    parameter BATCHES = 4,  // batches in all
    parameter BURST   = 1,  // batches of a burst
    parameter PERIOD  = 1,  // cycles from burst to burst
    parameter ROWS    = 4,  // rows of the slot table: cycles from the first batch to the last
    parameter FLIGHT  = 8,  // cycles from a batch to the end of its last arrival
    parameter COUNTER = 0,  // 1: counters instead of the table
    parameter FILE    = "", // image of the table for $readmemh
    parameter GUARD   = 0,  // 1: a bit of a counter that flips is reported
    // derived, not to be set
    parameter BB = BATCHES > 1 ? $clog2(BATCHES) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          go_i,
    // the batch of this cycle; the first comes two cycles after go_i
    output wire          valid_o,
    output wire          last_o,
    output wire [BB-1:0] batch_o,
    // all words have arrived
    output wire          done_o,
    // a row of the table was none of the network's, or a bit has flipped
    output wire          wrong_o
);
    generate
        if (COUNTER != 0) begin : gen_counter
            mn_train #(.BATCHES(BATCHES), .BURST(BURST), .PERIOD(PERIOD), .GUARD(GUARD)) u_train (
                .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .valid_o(valid_o), .last_o(last_o), .batch_o(batch_o), .wrong_o(wrong_o)
            );
        end else begin : gen_table
            localparam SB = ROWS > 1 ? $clog2(ROWS) : 1;
            wire          on, row_valid, row_last, unused_last, unused_buffer, unused_select, unused_word;
            wire [SB-1:0] slot;
            wire          wrong_row, wrong_count, wrong_on;
            reg           on_q;

            mn_slot_counter #(.ROWS(ROWS), .WORDS(1), .GUARD(GUARD)) u_counter (
                .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .go_buffer_i(1'b0), .go_select_i(1'b0),
                .valid_o(on), .last_o(unused_last), .buffer_o(unused_buffer), .select_o(unused_select),
                .word_o(unused_word), .slot_o(slot), .wrong_o(wrong_count)
            );
            mn_table_rom #(.WIDTH(2 + BB), .ROWS(ROWS), .FILE(FILE)) u_table (
                .clk_i(clk_i), .slot_i(slot), .row_o({row_valid, row_last, batch_o}), .wrong_o(wrong_row)
            );
            always @(posedge clk_i) on_q <= !rst_i && on;
            mn_guard #(.ON(GUARD)) u_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(on), .kept_i(on_q), .wrong_o(wrong_on));
            assign wrong_o = wrong_row || wrong_count || wrong_on;
            assign valid_o = on_q && row_valid;
            assign last_o  = on_q && row_valid && row_last;
        end
    endgenerate

    mn_stages #(.W(1), .N(FLIGHT), .HEAD(1)) u_done (.clk_i(clk_i), .rst_i(rst_i), .d_i(last_o), .q_o(done_o));
endmodule
`default_nettype wire
