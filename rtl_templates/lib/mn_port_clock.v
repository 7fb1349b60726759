`default_nettype none
// A core's own clock: queues from it to the network's and back, the network's reset and the tile's faults in it.
module mn_port_clock #(
    parameter SW = 8,  // bits of a beat to the network
    parameter MW = 8,  // bits of a beat from the network
    parameter AB = 4   // address bits of the queues
) (
    // the network's side: its clock and reset, the core's words, the core's results, faults, each sticky until reset
    input  wire          clk_i,
    input  wire          rst_i,
    output wire          s_valid_o,
    input  wire          s_ready_i,
    output wire [SW-1:0] s_beat_o,
    input  wire          m_valid_i,
    output wire          m_ready_o,
    input  wire [MW-1:0] m_beat_i,
    input  wire [   7:0] fault_i,
    // the core's side: likewise
    input  wire          core_clk_i,
    output wire          core_rst_o,
    input  wire          s_valid_i,
    output wire          s_ready_o,
    input  wire [SW-1:0] s_beat_i,
    output wire          m_valid_o,
    input  wire          m_ready_i,
    output wire [MW-1:0] m_beat_o,
    output wire [   7:0] fault_o
);
    // straight from a register, so that no glitch crosses
    reg rst_q;
    always @(posedge clk_i) rst_q <= rst_i;
    mn_sync #(.W(9)) u_levels (.clk_i(core_clk_i), .d_i({fault_i, rst_q}), .q_o({fault_o, core_rst_o}));

    mn_fifo_async #(.W(SW), .AB(AB)) u_words (
        .in_clk_i(core_clk_i), .in_rst_i(core_rst_o), .in_valid_i(s_valid_i), .in_ready_o(s_ready_o), .in_data_i(s_beat_i),
        .out_clk_i(clk_i), .out_rst_i(rst_q), .out_valid_o(s_valid_o), .out_ready_i(s_ready_i), .out_data_o(s_beat_o)
    );
    mn_fifo_async #(.W(MW), .AB(AB)) u_results (
        .in_clk_i(clk_i), .in_rst_i(rst_q), .in_valid_i(m_valid_i), .in_ready_o(m_ready_o), .in_data_i(m_beat_i),
        .out_clk_i(core_clk_i), .out_rst_i(core_rst_o), .out_valid_o(m_valid_o), .out_ready_i(m_ready_i), .out_data_o(m_beat_o)
    );
endmodule
`default_nettype wire
