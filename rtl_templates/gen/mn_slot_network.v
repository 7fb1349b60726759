${ header }$
`default_nettype none
<%- if let Some(port) = port %>
// ${ title }$: ${ p.tiles }$ tiles with streams of their own, ${ channels }$ channels, and the trees that start the tiles and
// hear of their readiness and their end.
module mn_network (
<% include "gen/part/tile_network_ports.v" %>
    localparam CW = ${ 1 + p.payload_bits() }$;  // a channel's {valid, word}

    wire [TILES-1:0] ready, done, fault;
    wire unused_ready_any;
    mn_fanin #(.N(TILES)) u_ready (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(ready), .all_o(ready_all_o), .any_o(unused_ready_any)
    );
<% else %>
// ${ title }$: ${ p.tiles }$ tiles, ${ channels }$ channels, the host ring through the tiles in order, and the
// start and done trees.
module mn_network (
<% let start = "start of a collective, from the one buffer that there is" %><% include "gen/part/network_ports.v" %>
    localparam CW = ${ 1 + p.payload_bits() }$;  // a channel's {valid, word}

    wire [(TILES+1)*FW-1:0] ring;
    wire [TILES-1:0] done, fault;
    assign ring[0+:FW] = ring_i;
    assign ring_o = ring[TILES*FW+:FW];
<% endif %>

    // all start in the same cycle
    wire [${ start_bits }$*TILES-1:0] start;
<%- if let Some(port) = port %>
    mn_fanout #(.N(TILES), .W(${ start_bits }$), .GUARD(${ u32::from(*p.parity) }$)) u_go (.clk_i(clk_i), .rst_i(rst_i), .d_i(<% if port.period.is_some() %>{tick_i, go_i}<% else %>go_i<% endif %>), .q_o(start), .wrong_o(upset_o));
<% else if ram %>
    mn_fanout #(.N(TILES), .W(${ start_bits }$), .GUARD(${ u32::from(*p.parity) }$)) u_go (
        .clk_i(clk_i), .rst_i(rst_i), .d_i({go_version_i, go_swap_i, go_i}), .q_o(start), .wrong_o(upset_o)
    );
    wire unused = go_buffer_i;
<% else %>
    mn_fanout #(.N(TILES), .W(${ start_bits }$), .GUARD(${ u32::from(*p.parity) }$)) u_go (.clk_i(clk_i), .rst_i(rst_i), .d_i({go_swap_i, go_i}), .q_o(start), .wrong_o(upset_o));
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
<%- if let Some(port) = port %>
    mn_slot_tile_${ t.class }$ #(
        .LOADS(${ t.loads }$), .GIVEN(${ t.given }$), .RESULTS(${ t.results }$), .DEST("${ t.dest }$"), .SOURCE("${ t.source }$"),
        ${ t.loops }$.TABLE("${ t.table }$"), .PLACES("${ t.places }$")
    ) u_tile_${ t.index }$ (
        .clk_i(clk_i), .rst_i(rst_i),
        .s_valid_i(s_valid_i[${ t.index }$]), .s_ready_o(s_ready_o[${ t.index }$]), .s_beat_i(s_beat_i[${ t.index }$*SW+:SW]),
        .m_valid_o(m_valid_o[${ t.index }$]), .m_ready_i(m_ready_i[${ t.index }$]), .m_beat_o(m_beat_o[${ t.index }$*MW+:MW]),
        .ready_o(ready[${ t.index }$]), .go_i(start[${ start_bits * t.index }$]), <% if port.period.is_some() %>.tick_i(start[${ start_bits * t.index + 1 }$]), <% endif %>.done_o(done[${ t.index }$]),
        .in_i({${ t.inputs }$}),
        .out_o(${ t.out }$), .fault_o(tile_fault_o[${ t.index }$*8+:8])
    );
    assign fault[${ t.index }$] = tile_fault_o[${ t.index }$*8+:8] != 8'd0;
<% else %>
    mn_slot_tile_${ t.class }$ #(.LOADS(${ t.loads }$), ${ t.loops }$.TABLE("${ t.table }$"), .PLACES("${ t.places }$")) u_tile_${ t.index }$ (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(${ p.tile_bits }$'d${ t.index }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .go_i(start[${ start_bits * t.index }$]), .go_swap_i(start[${ start_bits * t.index + 1 }$]), .done_o(done[${ t.index }$]),
<% if ram %>
        .go_version_i(start[${ start_bits * t.index + 2 }$+:8]),
<% endif %>
        .in_i({${ t.inputs }$}),
        .out_o(${ t.out }$), .fault_o(fault[${ t.index }$])
    );
<% endif %>
<% endfor %>

<% include "gen/part/network_tail.v" %>
