${ header }$
`default_nettype none
// Network: ${ p.name() }$, for ${ what }$: ${ p.tiles }$ tiles, the channels between
// them, the host ring through them in order, and the start and done trees. Port names: cabinet_drawer_position.
module mn_network (
<% let start = "start of a collective; there is one buffer and one program" %><% include "gen/part/network_ports.v" %>
    localparam LCW = ${ p.local_channel_bits }$;  // a local channel {valid, data}
    localparam GCW = ${ p.global_channel_bits }$;  // a global channel {valid, data}

    wire [(TILES+1)*FW-1:0] ring;
    wire [TILES-1:0] done, fault;
<% include "gen/part/network_channels.v" %>

    // all start in the same cycle; there is no other program to swap to, which the tiles say
    wire [2*TILES-1:0] start;
    mn_fanout #(.N(TILES), .W(2), .GUARD(${ u32::from(*p.parity) }$)) u_go (.clk_i(clk_i), .rst_i(rst_i), .d_i({go_swap_i, go_i}), .q_o(start), .wrong_o(upset_o));
    wire unused = &{go_buffer_i, go_version_i};
<% for t in tiles %>

    mn_exchange_tile #(
        ${ parameters }$,
        .HOME(${ t.node }$), .AWAY(${ t.own }$)
    ) u_tile_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_i),
        .tile_i(${ p.tile_bits }$'d${ t.index }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .go_i(start[${ 2 * t.index }$]), .go_swap_i(start[${ 2 * t.index + 1 }$]), .done_o(done[${ t.index }$]),
<% include "gen/part/tile_channels.v" %>
    );
<% endfor %>

<% include "gen/part/network_tail.v" %>
