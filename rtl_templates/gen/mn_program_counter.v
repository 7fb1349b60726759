${ header }$
`default_nettype none
// The program of a router: ${ program.describe }$
module mn_program (
    input  wire        clk_i,
    input  wire        rst_i,
    // start of a collective; there is nothing to load, and a swap is refused with a fault
    input  wire        go_i,
    input  wire        go_buffer_i,
    input  wire        go_swap_i,
    input  wire [ 7:0] go_version_i,
    input  wire        piece_i,
    input  wire [${ p.data_bits - 1 }$:0] piece_data_i,
    output wire [15:0] status_o,
    // the rows of this cycle, see mn_program_table
    output wire [${ p.local_row_bits - 1 }$:0] local_send_o,
    output wire [${ p.global_row_bits - 1 }$:0] global_send_o,
    output wire [${ p.global_row_bits - 1 }$:0] global_receive_o,
    output wire [${ p.local_row_bits - 1 }$:0] local_receive_o,
    output wire [ 3:0] valid_o,
    output wire [ 3:0] buffer_o,
    output wire [${ 4 * p.word_bits - 1 }$:0] word_o,
    output wire        done_o
);
    reg rst_q, refused_q;
    always @(posedge clk_i) rst_q <= rst_i;
    always @(posedge clk_i) refused_q <= !rst_q && go_i && go_swap_i;
    localparam GUARD = ${ u32::from(*p.parity) }$;
    wire wrong_tap, wrong_count, wrong_late;
    wire [3:0] wrong_row;
    assign status_o = {refused_q, wrong_tap || wrong_count || wrong_late || |wrong_row, 14'd0};
    wire unused = &{piece_i, piece_data_i, go_version_i};

    // a row is {last, buffer, word, gamma, pi, delta, length}
    localparam RW = ${ s.row_bits }$;
    wire [RW-1:0] row;
    wire [4*RW-1:0] rows;

    mn_sequencer u_sequencer (
        .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .go_buffer_i(go_buffer_i),
        .last_o(row[RW-1]), .buffer_o(row[RW-2]), .word_o(row[${ s.word_at }$+:${ p.word_bits }$]),
        .gamma_o(row[${ s.length_bits + 2 * p.pi_bits }$+:${ p.gamma_bits }$]), .pi_o(row[${ s.length_bits + p.pi_bits }$+:${ p.pi_bits }$]),
        .delta_o(row[${ s.length_bits }$+:${ p.pi_bits }$]), .length_o(row[0+:${ s.length_bits }$]), .wrong_o(wrong_count)
    );
    mn_program_taps #(.W(RW), .LOCAL_STAGES(${ p.local_stages }$), .GLOBAL_STAGES(${ p.global_stages }$), .BANK_STAGES(${ p.bank_stages }$), .GUARD(GUARD)) u_taps (
        .clk_i(clk_i), .rst_i(rst_i), .row_i(row), .row_o(rows), .wrong_o(wrong_tap)
    );
<% for tap in s.taps %>

    mn_row_expand #(
        .K(${ p.k }$), .M(${ p.m }$), .GLOBAL_BLOCK(${ s.global_block }$), .LOCAL_BLOCK(${ s.local_block }$), .LOCAL(${ tap.is_local as u8 }$), .NB(${ s.length_bits }$), .GUARD(GUARD)
    ) u_${ tap.name }$ (
        .clk_i(clk_i), .rst_i(rst_i), .wrong_o(wrong_row[${ tap.index }$]), .gamma_i(rows[${ tap.index }$*RW+${ s.length_bits + 2 * p.pi_bits }$+:${ p.gamma_bits }$]),
        .key_i(rows[${ tap.index }$*RW+${ tap.key_at }$+:${ p.pi_bits }$]), .other_i(rows[${ tap.index }$*RW+${ tap.other_at }$+:${ p.pi_bits }$]),
        .length_i(rows[${ tap.index }$*RW+:${ s.length_bits }$]), .row_o(${ tap.name }$_o)
    );
<% endfor %>

    reg [3:0] buffer_q;
    reg [${ 4 * p.word_bits - 1 }$:0] word_q;
    reg done_q;
    wire [3:0] buffer;
    wire [${ 4 * p.word_bits - 1 }$:0] word;
<% for tap in s.taps %>
    assign buffer[${ tap.index }$] = rows[${ tap.index }$*RW+RW-2];
    assign word[${ tap.index }$*${ p.word_bits }$+:${ p.word_bits }$] = rows[${ tap.index }$*RW+${ s.word_at }$+:${ p.word_bits }$];
<% endfor %>
    always @(posedge clk_i) begin
        done_q   <= !rst_i && rows[3*RW+RW-1];
        buffer_q <= buffer;
        word_q   <= word;
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{rows[3*RW+RW-1], buffer, word}), .kept_i(^{done_q, buffer_q, word_q}), .wrong_o(wrong_late)
    );
    assign valid_o  = 4'b1111;  // an idle row has length 0: no entry of it is valid
    assign buffer_o = buffer_q;
    assign word_o   = word_q;
    assign done_o   = done_q;
    wire unused_last = &{rows[2*RW+RW-1], rows[1*RW+RW-1], rows[0*RW+RW-1]};
endmodule
`default_nettype wire
