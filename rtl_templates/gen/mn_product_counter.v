${ header }$
`default_nettype none
// The program of a router in ${ what }$ from counters instead of a slot table. It gives the same rows (see
// mn_product_endpoint) in the same cycles, and none before the start or after the end. The first row comes two cycles
// after go_i.
module mn_product_counter (
    input  wire             clk_i,
    input  wire             rst_i,
    input  wire             go_i,
    // values of the router's fields for the counts, see mn_product_field; the first field in the low position
    input  wire [${ step_bits - 1 }$:0] steps_i,
    // the row of this cycle, zero if there is none
    output wire [${ width - 1 }$:0] row_o,
    // all results are in their memories
    output wire             done_o,
    // a bit of a counter has flipped
    output wire             wrong_o
);
    localparam ROWS = ${ rows }$;
    localparam SB = ROWS > 1 ? $clog2(ROWS) : 1;
    wire          on, last, unused_buffer, unused_select, unused_word;
    wire [SB-1:0] slot;
    localparam GUARD = ${ u32::from(*parity) }$;
    wire wrong_count;
    wire [${ trains.len() - 1 }$:0] wrong_train;
    wire [${ fields.len() - 1 }$:0] wrong_field;
    assign wrong_o = wrong_count || |wrong_train || |wrong_field;
    mn_slot_counter #(.ROWS(ROWS), .WORDS(1), .GUARD(GUARD)) u_counter (
        .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .go_buffer_i(1'b0), .go_select_i(1'b0),
        .valid_o(on), .last_o(last), .buffer_o(unused_buffer), .select_o(unused_select),
        .word_o(unused_word), .slot_o(slot), .wrong_o(wrong_count)
    );
    mn_stages #(.W(1), .N(${ drain }$), .HEAD(1)) u_done (.clk_i(clk_i), .rst_i(rst_i), .d_i(last), .q_o(done_o));

    // ---- trains: cycles that all routers count alike ----
<% for t in trains %>
    wire on_${ t.number }$;
    wire [${ t.bits[0] - 1 }$:0] count_${ t.number }$_0;
    wire [${ t.bits[1] - 1 }$:0] count_${ t.number }$_1;
    wire [${ t.bits[2] - 1 }$:0] count_${ t.number }$_2;
    mn_product_train #(.START(${ t.start }$), .SB(SB), .N0(${ t.counts[0] }$), .N1(${ t.counts[1] }$), .N2(${ t.counts[2] }$), .GUARD(GUARD)) u_train_${ t.number }$ (
        .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .valid_i(on), .slot_i(slot), .on_o(on_${ t.number }$),
        .count0_o(count_${ t.number }$_0), .count1_o(count_${ t.number }$_1), .count2_o(count_${ t.number }$_2),
        .wrong_o(wrong_train[${ loop.index0 }$])
    );
<% endfor %>

    // ---- fields ----
<% for f in fields %>
    wire [${ f.width - 1 }$:0] field_${ f.number }$;
    mn_product_field #(.WIDTH(${ f.width }$), .N0(${ f.counts[0] }$), .N1(${ f.counts[1] }$), .N2(${ f.counts[2] }$), .GUARD(GUARD)) u_field_${ f.number }$ (
        .clk_i(clk_i), .rst_i(rst_i), .wrong_o(wrong_field[${ loop.index0 }$]), .on_i(on_${ f.train }$), .steps_i(steps_i[${ f.from }$+:${ f.bits }$]),
        .count0_i(count_${ f.train }$_0), .count1_i(count_${ f.train }$_1), .count2_i(count_${ f.train }$_2), .value_o(field_${ f.number }$)
    );
<% endfor %>
<% for part in parts %>
    assign row_o[${ part.at }$+:${ part.width }$] = ${ part.value }$;
<% endfor %>
endmodule
`default_nettype wire
