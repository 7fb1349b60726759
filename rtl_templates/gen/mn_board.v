${ header }$
`default_nettype none
// ${ title }$
// ${ board.purpose }$ on the board ${ board.title }$.
module mn_board (
    input  wire clk_i,
    input  wire button_i,
    input  wire uart_rx_i,
    output wire uart_tx_o,
    // lamps: the result is good, the result is bad or a fault was seen, at work
    output wire led_pass_o,
    output wire led_fail_o,
    output wire led_run_o
);
    localparam DW = ${ p.data_bits }$;
    localparam TB = ${ p.tile_bits }$;

    wire          rst, network_rst;
    wire          s_axis_tvalid, s_axis_tready, m_axis_tvalid, m_axis_tready, m_axis_tuser, m_axis_tlast, busy, fault;
    wire [DW-1:0] s_axis_tdata, m_axis_tdata;
    wire [TB+2:0] s_axis_tdest;
    wire [TB-1:0] m_axis_tid;
    wire          tx_valid, tx_ready, pass, fail, run;
    wire [   7:0] tx_data;

    mn_power_on #(.BUTTON_LOW(${ board.button_low as u8 }$)) u_power_on (.clk_i(clk_i), .button_i(button_i), .rst_o(rst));

    mn_top u_top (
        .clk_i(clk_i), .rst_i(network_rst),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata), .s_axis_tdest(s_axis_tdest),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata), .m_axis_tid(m_axis_tid),
        .m_axis_tuser(m_axis_tuser), .m_axis_tlast(m_axis_tlast),
        .busy_o(busy), .fault_o(fault)
    );
<% if board.is_selftest %>

    wire        done;
    wire [ 7:0] faults;
    wire [15:0] cycles;

    assign network_rst = rst;
    mn_selftest #(
        .DW(DW), .TILES(${ p.tiles }$), .TB(TB),
<% match selftest %>
<% when SelfTest::Tables { loads, wants } %>
        .LOADS(${ loads.len() }$), .FILE_LOADS("rom/selftest_loads.hex"), .WANTS(${ wants.len() }$), .FILE_WANTS("rom/selftest_wants.hex")
<% when SelfTest::AllToAll { words } %>
        .WORDS(${ words }$)
<% endmatch %>
    ) u_selftest (
        .clk_i(clk_i), .rst_i(rst),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata), .s_axis_tdest(s_axis_tdest),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata), .m_axis_tid(m_axis_tid),
        .m_axis_tuser(m_axis_tuser), .m_axis_tlast(m_axis_tlast), .busy_i(busy), .fault_i(fault),
        .done_o(done), .pass_o(pass), .faults_o(faults), .cycles_o(cycles)
    );
    mn_report #(
        .CHARS(${ board.text.len() + 2 }$), .TEXT({"${ board.text }$", 8'h0d, 8'h0a})
    ) u_report (
        .clk_i(clk_i), .rst_i(rst),
        .done_i(done), .pass_i(pass), .faults_i(faults), .cycles_i(cycles),
        .valid_o(tx_valid), .ready_i(tx_ready), .data_o(tx_data)
    );
    assign fail = done && !pass;
    assign run  = !done;
    wire unused_rx = uart_rx_i;
<% else %>

    wire       rx_valid;
    wire [7:0] rx_data;

    mn_uart_rx #(.DIVIDE(${ board.divide }$)) u_rx (
        .clk_i(clk_i), .rst_i(rst), .line_i(uart_rx_i), .valid_o(rx_valid), .data_o(rx_data)
    );
    mn_bridge #(
        .DW(DW), .TB(TB), .SET(${ set }$), .IDLE(${ board.idle_bits }$)
    ) u_bridge (
        .clk_i(clk_i), .rst_i(rst), .network_rst_o(network_rst),
        .rx_valid_i(rx_valid), .rx_data_i(rx_data),
        .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_data_o(tx_data),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata), .s_axis_tdest(s_axis_tdest),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata), .m_axis_tid(m_axis_tid),
        .m_axis_tuser(m_axis_tuser), .m_axis_tlast(m_axis_tlast), .fault_i(fault)
    );
    assign pass = !fault && !busy;
    assign fail = fault;
    assign run  = busy;
<% endif %>

    mn_uart_tx #(.DIVIDE(${ board.divide }$)) u_tx (
        .clk_i(clk_i), .rst_i(rst), .valid_i(tx_valid), .ready_o(tx_ready), .data_i(tx_data), .line_o(uart_tx_o)
    );

    reg [2:0] lamps_q;
    always @(posedge clk_i) lamps_q <= {run, fail, pass} ^ 3'b${ board.led_low }$;
    assign {led_run_o, led_fail_o, led_pass_o} = lamps_q;
<% if board.is_selftest %>
    wire unused = busy;
<% endif %>
endmodule
`default_nettype wire
