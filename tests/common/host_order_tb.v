`default_nettype none
// Sends the beats of a file to mn_top as fast as it takes them, takes answers in most cycles, and prints each: tile, status, last, data.
module order_tb;
    localparam DW = $DW, TB = $TB, TOTAL = $TOTAL;
    reg clk = 1'b0, rst = 1'b1, s_tvalid = 1'b0, m_tready = 1'b0;
    reg [DW-1:0] s_tdata = {DW{1'b0}}, data;
    reg [TB+2:0] s_tdest = {TB + 3{1'b0}};
    wire s_tready, m_tvalid, m_tuser, m_tlast, busy, fault;
    wire [DW-1:0] m_tdata;
    wire [TB-1:0] m_tid;
    integer file, kind, tile, seen = 0, seed = 1;

    mn_top u_top (
        .clk_i(clk), .rst_i(rst),
        .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tdest(s_tdest),
        .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready), .m_axis_tdata(m_tdata), .m_axis_tid(m_tid),
        .m_axis_tuser(m_tuser), .m_axis_tlast(m_tlast), .busy_o(busy), .fault_o(fault)
    );

    always #5 clk = !clk;

    // inputs change at the falling edge
    initial begin
        repeat (64) @(negedge clk);
        rst = 1'b0;
        @(negedge clk);
        file = $fopen("beats.txt", "r");
        while ($fscanf(file, "%d %d %h\n", kind, tile, data) == 3) begin
            s_tvalid = 1'b1;
            s_tdest  = {kind[2:0], tile[TB-1:0]};
            s_tdata  = data;
            @(posedge clk);
            while (!s_tready) @(posedge clk);
            @(negedge clk);
            s_tvalid = 1'b0;
        end
    end

    always @(negedge clk) m_tready = $random(seed) & 7 ? 1'b1 : 1'b0;
    always @(posedge clk)
        if (m_tvalid && m_tready) begin
            $display("%h %h %h %h", m_tid, m_tuser, m_tlast, m_tdata);
            seen = seen + 1;
            if (seen == TOTAL || fault) $finish;
        end
    initial begin
        repeat (200000) @(posedge clk);
        $finish;
    end
endmodule
`default_nettype wire
