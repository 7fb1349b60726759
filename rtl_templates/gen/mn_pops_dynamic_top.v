${ header }$
`default_nettype none
// ${ title }$
// A pair of AXI4-Streams for every processor, processor 0 lowest. tdest and tid are {group[${ p.group_bits() }$], processor in the group[${ p.index_bits() }$]}. See mn_pops_dynamic,
// and mn_pops_queue_port for the contract of the streams. Reset must last 2 cycles or more.
module mn_top (
    input  wire         clk_i,
    input  wire         rst_i,
    // Streams in.
    input  wire [${ n - 1 }$:0] s_axis_tvalid,
    output wire [${ n - 1 }$:0] s_axis_tready,
    input  wire [${ n * p.data_bits - 1 }$:0] s_axis_tdata,
    input  wire [${ n * name_bits - 1 }$:0] s_axis_tdest,
    input  wire [${ n - 1 }$:0] s_axis_tlast,
    // Streams out.
    output wire [${ n - 1 }$:0] m_axis_tvalid,
    input  wire [${ n - 1 }$:0] m_axis_tready,
    output wire [${ n * p.data_bits - 1 }$:0] m_axis_tdata,
    output wire [${ n * name_bits - 1 }$:0] m_axis_tid,
    output wire [${ n - 1 }$:0] m_axis_tlast,
    // A stream in broke its contract (sticky).
    output wire         fault_o
);
    mn_pops_dynamic #(
        .D(${ p.network.d() }$), .G(${ p.network.g() }$), .W(${ p.data_bits }$), .L(${ p.words }$), .DEPTH(${ p.depth }$), .MODE(${ mode }$)
    ) u_network (
        .clk_i(clk_i), .rst_i(rst_i),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata), .s_axis_tdest(s_axis_tdest),
        .s_axis_tlast(s_axis_tlast),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata), .m_axis_tid(m_axis_tid),
        .m_axis_tlast(m_axis_tlast),
        .fault_o(fault_o)
    );
endmodule
`default_nettype wire
