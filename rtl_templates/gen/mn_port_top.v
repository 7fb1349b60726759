${ header }$
`default_nettype none
// ${ title }$
// Every tile has an AXI4-Stream each way: s_axis_N takes the words of the core at tile N, m_axis_N gives its results.
<%- if let Some(period) = port.period %>
// A collective starts every ${ period }$ cycles, see mn_tile_start.
<%- else %>
// A collective starts when all tiles are ready; from start to start it takes ${ port.least_period }$ cycles if no core pauses.
<%- endif %>
// Reset must last 64 cycles or more.
module mn_top (
    input  wire        clk_i,
    input  wire        rst_i,
<%- for t in tiles %>
    // tile ${ t.index }$, ${ t.label }$: ${ t.given }$ words to send, ${ t.results }$ results
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
    localparam TILES = ${ p.tiles }$, DW = ${ p.data_bits }$, KW = ${ p.data_bits / 8 }$, TB = ${ p.tile_bits }$;
    wire [TILES-1:0] s_valid, s_ready, s_last, m_valid, m_ready, m_last;
    wire [TILES*DW-1:0] s_data, m_data;
    wire [TILES*KW-1:0] s_keep, m_keep;
    wire [TILES*TB-1:0] s_dest, m_id;
    wire [TILES*8-1:0] tile_fault;
    wire go, tick, ready_all, done_all, done_any, fault;
<%- for t in tiles %>

    assign s_valid[${ t.index }$] = s_axis_${ t.index }$_tvalid;
    assign s_axis_${ t.index }$_tready = s_ready[${ t.index }$];
    assign s_data[${ t.index }$*DW+:DW] = s_axis_${ t.index }$_tdata;
    assign s_keep[${ t.index }$*KW+:KW] = s_axis_${ t.index }$_tkeep;
    assign s_last[${ t.index }$] = s_axis_${ t.index }$_tlast;
<%- if port.has_dests() %>
    assign s_dest[${ t.index }$*TB+:TB] = s_axis_${ t.index }$_tdest;
<%- else %>
    assign s_dest[${ t.index }$*TB+:TB] = {TB{1'b0}};
<%- endif %>
    assign m_axis_${ t.index }$_tvalid = m_valid[${ t.index }$];
    assign m_ready[${ t.index }$] = m_axis_${ t.index }$_tready;
    assign m_axis_${ t.index }$_tdata = m_data[${ t.index }$*DW+:DW];
    assign m_axis_${ t.index }$_tkeep = m_keep[${ t.index }$*KW+:KW];
    assign m_axis_${ t.index }$_tlast = m_last[${ t.index }$];
<%- if port.has_sources() %>
    assign m_axis_${ t.index }$_tid = m_id[${ t.index }$*TB+:TB];
<%- endif %>
    assign fault_${ t.index }$_o = tile_fault[${ t.index }$*8+:8];
<%- endfor %>
<%- if !port.has_sources() %>
    wire unused = &m_id;
<%- endif %>

    mn_tile_start #(.PERIOD(${ port.period.unwrap_or(0) }$)) u_start (
        .clk_i(clk_i), .rst_i(rst_i), .ready_all_i(ready_all), .done_all_i(done_all), .done_any_i(done_any),
        .go_o(go), .tick_o(tick), .busy_o(busy_o), .order_o(fault_order_o)
    );
    mn_network u_network (
        .clk_i(clk_i), .rst_i(rst_i),
        .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data), .s_axis_tkeep(s_keep),
        .s_axis_tlast(s_last), .s_axis_tdest(s_dest),
        .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tkeep(m_keep),
        .m_axis_tlast(m_last), .m_axis_tid(m_id), .tile_fault_o(tile_fault),
        .go_i(go), .tick_i(tick), .ready_all_o(ready_all), .done_all_o(done_all), .done_any_o(done_any), .fault_o(fault)
    );
    assign fault_o = fault || fault_order_o;
endmodule
`default_nettype wire
