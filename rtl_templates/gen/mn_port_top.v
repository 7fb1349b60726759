${ header }$
`default_nettype none
// ${ title }$
// Every tile has an AXI4-Stream each way: s_axis_N takes the words of the core at tile N, m_axis_N gives its results.
<%- if let Some(period) = port.period %>
// A collective starts every ${ period }$ cycles, see mn_tile_start.
<%- else %>
// A collective starts when all tiles are ready; from start to start it takes ${ port.least_period }$ cycles if no core pauses.
<%- endif %>
// Reset must last 64 cycles or more<% if port.own_clocks %>, and 8 of every core's clock<% endif %>.
module mn_top (
    input  wire        clk_i,
    input  wire        rst_i,
<%- for t in tiles %>
    // tile ${ t.index }$, ${ t.label }$: ${ t.given }$ words to send, ${ t.results }$ results
<%- if port.own_clocks %>
    // its streams and faults are in the clock of its core; so is the reset of the network, for the core
    input  wire        clk_${ t.index }$_i,
    output wire        rst_${ t.index }$_o,
<%- endif %>
    input  wire        s_axis_${ t.index }$_tvalid,
    output wire        s_axis_${ t.index }$_tready,
    input  wire [${ p.data_bits - 1 }$:0] s_axis_${ t.index }$_tdata,
    input  wire [${ p.data_bits / 8 - 1 }$:0] s_axis_${ t.index }$_tkeep,
    input  wire        s_axis_${ t.index }$_tlast,
<%- if port.has_dests() %>
    input  wire [${ p.tile_bits - 1 }$:0] s_axis_${ t.index }$_tdest,
<%- endif %>
    output wire        m_axis_${ t.index }$_tvalid,
    input  wire        m_axis_${ t.index }$_tready,
    output wire [${ p.data_bits - 1 }$:0] m_axis_${ t.index }$_tdata,
    output wire [${ p.data_bits / 8 - 1 }$:0] m_axis_${ t.index }$_tkeep,
    output wire        m_axis_${ t.index }$_tlast,
<%- if port.has_sources() %>
    output wire [${ p.tile_bits - 1 }$:0] m_axis_${ t.index }$_tid,
<%- endif %>
    output wire [ 7:0] fault_${ t.index }$_o,
<%- endfor %>
    // a collective is running; tiles did not start and end together; something went wrong, that among it (sticky)
    output wire        busy_o,
    output wire        fault_order_o,
    output wire        fault_o
);
    localparam TILES = ${ p.tiles }$, KW = ${ p.data_bits / 8 }$;
    localparam SW = ${ port.send_bits(p) }$, MW = ${ port.result_bits(p) }$;  // bits of a beat, see mn_tile_port
    wire [TILES-1:0] s_valid, s_ready, m_valid, m_ready;
    wire [TILES*SW-1:0] s_beat;
    wire [TILES*MW-1:0] m_beat;
    wire [TILES*8-1:0] tile_fault;
    wire go, <% if port.period.is_none() %>unused_<% endif %>tick, ready_all, done_all, done_any, fault, upset;
<%- for t in tiles %>

<%- if !port.has_sources() %>
    wire [${ p.tile_bits - 1 }$:0] unused_id_${ t.index }$;
<%- endif %>
<%- if port.own_clocks %>
    mn_port_clock #(.SW(SW), .MW(MW)) u_clock_${ t.index }$ (
        .clk_i(clk_i), .rst_i(rst_i), .fault_i(tile_fault[${ t.index }$*8+:8]),
        .s_valid_o(s_valid[${ t.index }$]), .s_ready_i(s_ready[${ t.index }$]), .s_beat_o(s_beat[${ t.index }$*SW+:SW]),
        .m_valid_i(m_valid[${ t.index }$]), .m_ready_o(m_ready[${ t.index }$]), .m_beat_i(m_beat[${ t.index }$*MW+:MW]),
        .core_clk_i(clk_${ t.index }$_i), .core_rst_o(rst_${ t.index }$_o), .fault_o(fault_${ t.index }$_o),
        .s_valid_i(s_axis_${ t.index }$_tvalid), .s_ready_o(s_axis_${ t.index }$_tready), .s_beat_i(${ t.sent(port, p.tile_bits) }$),
        .m_valid_o(m_axis_${ t.index }$_tvalid), .m_ready_i(m_axis_${ t.index }$_tready), .m_beat_o(${ t.got(port) }$)
    );
<%- else %>
    assign s_valid[${ t.index }$] = s_axis_${ t.index }$_tvalid;
    assign s_axis_${ t.index }$_tready = s_ready[${ t.index }$];
    assign s_beat[${ t.index }$*SW+:SW] = ${ t.sent(port, p.tile_bits) }$;
    assign m_axis_${ t.index }$_tvalid = m_valid[${ t.index }$];
    assign m_ready[${ t.index }$] = m_axis_${ t.index }$_tready;
    assign ${ t.got(port) }$ = m_beat[${ t.index }$*MW+:MW];
    assign fault_${ t.index }$_o = tile_fault[${ t.index }$*8+:8];
<%- endif %>
    assign m_axis_${ t.index }$_tkeep = {KW{1'b1}};
<%- endfor %>

    mn_tile_start #(.PERIOD(${ port.period.unwrap_or(0) }$)) u_start (
        .clk_i(clk_i), .rst_i(rst_i), .ready_all_i(ready_all), .done_all_i(done_all), .done_any_i(done_any), .upset_i(upset),
        .go_o(go), .tick_o(<% if port.period.is_none() %>unused_<% endif %>tick), .busy_o(busy_o), .order_o(fault_order_o)
    );
    mn_network u_network (
        .clk_i(clk_i), .rst_i(rst_i),
        .s_valid_i(s_valid), .s_ready_o(s_ready), .s_beat_i(s_beat), .m_valid_o(m_valid), .m_ready_i(m_ready), .m_beat_o(m_beat),
        .tile_fault_o(tile_fault),
        .go_i(go), <% if port.period.is_some() %>.tick_i(tick), <% endif %>.ready_all_o(ready_all), .done_all_o(done_all), .done_any_o(done_any), .fault_o(fault), .upset_o(upset)
    );
    assign fault_o = fault || fault_order_o;
endmodule
`default_nettype wire
