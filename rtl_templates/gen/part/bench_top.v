    reg clk = 1'b0, rst = 1'b1;
    reg s_tvalid = 1'b0, m_tready = 1'b1;
    reg [DW-1:0] s_tdata = {DW{1'b0}};
    reg [TB+2:0] s_tdest = {TB + 3{1'b0}};
    wire s_tready, m_tvalid, m_tuser, m_tlast, busy, fault;
    wire [DW-1:0] m_tdata;
    wire [TB-1:0] m_tid;

    mn_top u_top (
        .clk_i(clk), .rst_i(rst),
        .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tdest(s_tdest),
        .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready), .m_axis_tdata(m_tdata), .m_axis_tid(m_tid),
        .m_axis_tuser(m_tuser), .m_axis_tlast(m_tlast), .busy_o(busy), .fault_o(fault)
    );

    always #5 clk = !clk;
