${ header }$
`default_nettype none
// The network D3(${ p.k }$,${ p.m }$), ${ p.group_name() }$ coordinates: ${ p.tiles }$ tiles, the channels between them, the host ring
// through them in order, and the start and done trees. Port names: cabinet_drawer_position.
module mn_network (
<% let start = "start of a collective" %><% include "gen/part/network_ports.v" %>
    localparam LCW = ${ p.local_channel_bits }$;  // a local channel {last, pi, gamma, data}
    localparam GCW = ${ p.global_channel_bits }$;  // a global channel {pi, data}

    wire [(TILES+1)*FW-1:0] ring;
    wire [TILES-1:0] fault;
<% include "gen/part/network_channels.v" %>
<% if program.is_shared %>
    // one program for all: its rows reach every tile through a registered tree
    localparam RW = ${ p.shared_row_bits() }$;
    wire [${ p.local_row_bits - 1 }$:0] local_send, local_receive;
    wire [${ p.global_row_bits - 1 }$:0] global_send, global_receive;
    wire [3:0] row_valid, row_buffer;
    wire [${ 4 * p.word_bits - 1 }$:0] row_word;
    wire [15:0] program_status;
    wire row_done;
    wire [TILES*RW-1:0] row;
    wire [TILES-1:0] done, piece;
    wire [TILES*${ p.data_bits }$-1:0] piece_data;
    wire [TILES*${ p.data_bits + 1 }$-1:0] unused_piece = {piece, piece_data};

    mn_program u_program (
        .clk_i(clk_i), .rst_i(rst_i),
        .go_i(go_i), .go_buffer_i(go_buffer_i), .go_swap_i(go_swap_i), .go_version_i(go_version_i),
        .piece_i(piece[0]), .piece_data_i(piece_data[${ p.data_bits - 1 }$:0]), .status_o(program_status),
        .local_send_o(local_send), .global_send_o(global_send),
        .global_receive_o(global_receive), .local_receive_o(local_receive),
        .valid_o(row_valid), .buffer_o(row_buffer), .word_o(row_word), .done_o(row_done)
    );
    mn_fanout #(.N(TILES), .W(RW), .GUARD(${ u32::from(*p.parity) }$)) u_rows (
        .clk_i(clk_i), .rst_i(rst_i),
        .d_i({go_i, program_status, row_done, row_word, row_buffer, row_valid, local_receive, global_receive, global_send, local_send}),
        .q_o(row), .wrong_o(upset_o)
    );
<% else %>
    // every tile has its own program; all start in the same cycle
    wire [TILES*11-1:0] go;
    wire [TILES-1:0] done;

    mn_fanout #(.N(TILES), .W(11), .GUARD(${ u32::from(*p.parity) }$)) u_go (
        .clk_i(clk_i), .rst_i(rst_i), .d_i({go_version_i, go_swap_i, go_buffer_i, go_i}), .q_o(go), .wrong_o(upset_o)
    );
<% endif %>
<% for t in tiles %>

<% if program.is_shared %>
    mn_sv_tile #(
        ${ p.tile_parameters() }$
    ) u_tile_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_i),
        .tile_i(${ p.tile_bits }$'d${ t.index }$), .c_i(${ p.gamma_bits }$'d${ t.c }$), .d_i(${ p.pi_bits }$'d${ t.d }$), .p_i(${ p.pi_bits }$'d${ t.p }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .local_send_i(row[${ t.index }$*RW+${ p.shared_offset(0) }$+:${ p.local_row_bits }$]),
        .global_send_i(row[${ t.index }$*RW+${ p.shared_offset(1) }$+:${ p.global_row_bits }$]),
        .global_receive_i(row[${ t.index }$*RW+${ p.shared_offset(2) }$+:${ p.global_row_bits }$]),
        .local_receive_i(row[${ t.index }$*RW+${ p.shared_offset(3) }$+:${ p.local_row_bits }$]),
        .row_valid_i(row[${ t.index }$*RW+${ p.shared_offset(4) }$+:4]),
        .row_buffer_i(row[${ t.index }$*RW+${ p.shared_offset(5) }$+:4]),
        .row_word_i(row[${ t.index }$*RW+${ p.shared_offset(6) }$+:${ 4 * p.word_bits }$]),
        .program_status_i(row[${ t.index }$*RW+${ p.shared_offset(8) }$+:16]),
        .go_i(row[${ t.index }$*RW+${ p.shared_offset(9) }$]),
        .program_o(piece[${ t.index }$]), .program_data_o(piece_data[${ t.index }$*${ p.data_bits }$+:${ p.data_bits }$]),
<% else %>
    mn_node ${ t.images() }$u_node_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_i),
        .tile_i(${ p.tile_bits }$'d${ t.index }$), .c_i(${ p.gamma_bits }$'d${ t.c }$), .d_i(${ p.pi_bits }$'d${ t.d }$), .p_i(${ p.pi_bits }$'d${ t.p }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .go_i(go[${ t.index * 11 }$]), .go_buffer_i(go[${ t.index * 11 + 1 }$]), .go_swap_i(go[${ t.index * 11 + 2 }$]),
        .go_version_i(go[${ t.index * 11 + 3 }$+:8]), .done_o(done[${ t.index }$]),
<% endif %>
<% include "gen/part/tile_channels.v" %>
    );
<% if program.is_shared %>
    assign done[${ t.index }$] = row[${ t.index }$*RW+${ p.shared_offset(7) }$];
<% endif %>
<% endfor %>

<% include "gen/part/network_tail.v" %>
