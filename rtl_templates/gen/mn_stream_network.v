${ header }$
`default_nettype none
// Network: ${ p.name() }$, for a stream from router ${ source }$: ${ p.tiles }$ tiles, the channels between
// them, the host ring through them in order, and the start and done trees. Port names: cabinet_drawer_position.
module mn_network (
<% let start = "start of a collective; there is one buffer and one program" %><% include "gen/part/network_ports.v" %>
    localparam LCW = ${ p.local_channel_bits }$;  // a local channel {past, copy, keep, own, then, pi, gamma, data}
    localparam GCW = ${ p.global_channel_bits }$;  // a global channel {copy, then, pi, data}
<% if carried %>
    // routers do not copy: data is itself {past, copy, keep, own, then, pi, gamma, data}, with less on a global channel
<% endif %>

    wire [(TILES+1)*FW-1:0] ring;
    wire [TILES-1:0] done, fault;
<% include "gen/part/network_channels.v" %>

    // all start in the same cycle; there is no other program to swap to, which the tiles say
    wire [2*TILES-1:0] start;
    mn_fanout #(.N(TILES), .W(2), .GUARD(${ u32::from(*p.parity) }$)) u_go (.clk_i(clk_i), .rst_i(rst_i), .d_i({go_swap_i, go_i}), .q_o(start), .wrong_o(upset_o));
    wire unused = &{go_buffer_i, go_version_i};
<% for t in tiles %>

    mn_stream_tile #(
        ${ parameters }$,
        .SOURCE(${ t.own.source as u8 }$),
<% if t.own.source %>
        .TX_ON(${ t.own.tx_on }$), .TX_SHORT(${ t.own.tx_short }$),
        .TX_LANE(${ t.own.tx_lane }$), .TX_TAP(${ t.own.tx_tap }$),
        .TX_HEADER(${ t.own.tx_header }$),
<% endif %>
        .RX_ON(${ t.own.rx_on }$), .RX_SHORT(${ t.own.rx_short }$),
        .RX_LANE(${ t.own.rx_lane }$), .RX_TAP(${ t.own.rx_tap }$)
    ) u_tile_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_i),
        .tile_i(${ p.tile_bits }$'d${ t.index }$), .diagonal_i(${ t.own.diagonal }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .go_i(start[${ 2 * t.index }$]), .go_swap_i(start[${ 2 * t.index + 1 }$]), .done_o(done[${ t.index }$]),
<% include "gen/part/tile_channels.v" %>
    );
<% endfor %>

<% include "gen/part/network_tail.v" %>
