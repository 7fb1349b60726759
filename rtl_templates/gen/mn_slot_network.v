${ header }$
`default_nettype none
// ${ title }$: ${ p.tiles }$ tiles, ${ channels }$ channels, the host ring through the tiles in order, and the
// start and done trees.
module mn_network (
<% let start = "start of a collective, from the one buffer that there is" %><% include "gen/part/network_ports.v" %>
    localparam CW = ${ 1 + p.payload_bits() }$;  // a channel's {valid, word}

    wire [(TILES+1)*FW-1:0] ring;
    wire [TILES-1:0] done, fault;
    assign ring[0+:FW] = ring_i;
    assign ring_o = ring[TILES*FW+:FW];

    // all start in the same cycle
    wire [${ start_bits }$*TILES-1:0] start;
<% if ram %>
    mn_fanout #(.N(TILES), .W(${ start_bits }$)) u_go (
        .clk_i(clk_i), .rst_i(rst_i), .d_i({go_version_i, go_swap_i, go_i}), .q_o(start)
    );
    wire unused = go_buffer_i;
<% else %>
    mn_fanout #(.N(TILES), .W(${ start_bits }$)) u_go (.clk_i(clk_i), .rst_i(rst_i), .d_i({go_swap_i, go_i}), .q_o(start));
    wire unused = &{go_buffer_i, go_version_i};
<% endif %>

    // channels as they are entered, by node and port
    wire [${ channels }$*CW-1:0] channel;
<% for c in long %>
    wire [CW-1:0] end_${ c.index }$;
    mn_stages #(.W(CW), .N(${ c.stages }$), .HEAD(1)) u_channel_${ c.index }$ (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(channel[${ c.index }$*CW+:CW]), .q_o(end_${ c.index }$)
    );
<% endfor %>
<% for t in tiles %>

    // ${ t.label }$
<% if t.idle > 0 %>
    assign channel[${ t.first_idle }$*CW+:${ t.idle }$*CW] = {${ t.idle }$*CW{1'b0}};
    wire unused_idle_${ t.index }$ = &channel[${ t.first_idle }$*CW+:${ t.idle }$*CW];
<% endif %>
<% if t.ports == 0 %>
    wire [CW-1:0] unused_${ t.index }$;
<% endif %>
    mn_slot_tile_${ t.class }$ #(.LOADS(${ t.loads }$), .TABLE("${ t.table }$"), .PLACES("${ t.places }$")) u_tile_${ t.index }$ (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(${ p.tile_bits }$'d${ t.index }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .go_i(start[${ start_bits * t.index }$]), .go_swap_i(start[${ start_bits * t.index + 1 }$]), .done_o(done[${ t.index }$]),
<% if ram %>
        .go_version_i(start[${ start_bits * t.index + 2 }$+:8]),
<% endif %>
        .in_i({${ t.inputs }$}),
        .out_o(${ t.out }$), .fault_o(fault[${ t.index }$])
    );
<% endfor %>

<% include "gen/part/network_tail.v" %>
