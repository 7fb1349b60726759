${ header }$
`default_nettype none
// ${ title }$
// Data goes in and comes out by one AXI4-Stream each way; see mn_host for the beats. Reset must last 64 cycles or more.
module mn_top (
    input  wire        clk_i,
    input  wire        rst_i,
    // AXI4-Stream in: s_axis_tdest = {kind[2:0], tile[${ p.tile_bits - 1 }$:0]}
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire [${ p.data_bits - 1 }$:0] s_axis_tdata,
    input  wire [${ p.tile_bits + 2 }$:0] s_axis_tdest,
    // AXI4-Stream out: m_axis_tid is the tile, m_axis_tuser is 1 for status
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire [${ p.data_bits - 1 }$:0] m_axis_tdata,
    output wire [${ p.tile_bits - 1 }$:0] m_axis_tid,
    output wire        m_axis_tuser,
    output wire        m_axis_tlast,
    // a collective is running; something went wrong (sticky)
    output wire        busy_o,
    output wire        fault_o
);
    wire [${ p.flit_bits - 1 }$:0] ring_in, ring_out;
    wire go, go_buffer, go_swap, done_all, done_any, fault, upset;
    wire [7:0] go_version;

    mn_host #(
        .TILES(${ p.tiles }$), .TB(${ p.tile_bits }$), .DW(${ p.data_bits }$), .PASS(${ host.pass }$), .LOADS(${ host.loads }$), .SET(${ host.set }$), .DOUBLE(${ host.double }$),
<% if host.live %>
        .LIVE(1),
<% endif %>
<% if !host.loadable %>
        .LOADABLE(0),
<% endif %>
        .FB(${ p.queue_bits }$), .FLUSH(${ p.flush_cycles }$), .GUARD(${ u32::from(*p.parity) }$)
    ) u_host (
        .clk_i(clk_i), .rst_i(rst_i),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata), .s_axis_tdest(s_axis_tdest),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata), .m_axis_tid(m_axis_tid),
        .m_axis_tuser(m_axis_tuser), .m_axis_tlast(m_axis_tlast),
        .ring_o(ring_in), .ring_i(ring_out),
        .go_o(go), .go_buffer_o(go_buffer), .go_swap_o(go_swap), .go_version_o(go_version),
        .done_all_i(done_all), .done_any_i(done_any), .fault_i(fault), .upset_i(upset),
        .busy_o(busy_o), .fault_o(fault_o)
    );
    mn_network u_network (
        .clk_i(clk_i), .rst_i(rst_i), .ring_i(ring_in), .ring_o(ring_out),
        .go_i(go), .go_buffer_i(go_buffer), .go_swap_i(go_swap), .go_version_i(go_version),
        .done_all_o(done_all), .done_any_o(done_any), .fault_o(fault), .upset_o(upset)
    );
endmodule
`default_nettype wire
