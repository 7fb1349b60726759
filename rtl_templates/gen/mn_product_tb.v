${ header }$
`default_nettype none
// Test bench of mn_top for ${ what }$: loads all tiles, runs the product, drains and compares with the definition; ${ sets }$
// times. Prints one line and ends; run it in the folder that holds rom/ and tb/.
module mn_tb;
    localparam DW = ${ p.data_bits }$;
    localparam TB = ${ p.tile_bits }$;
    localparam TILES = ${ p.tiles }$;
    localparam LOADS = ${ loads }$;
    localparam COUNT = ${ results }$;
    localparam SETS = ${ sets }$;
    localparam TIMEOUT = ${ timeout }$;

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

    integer s, i, n, errors, seen;
    integer rs, ri, rn;

    // words by set, tile and word: what is loaded, and which bits must come out, below a mask of those that are compared
    reg [DW-1:0] loads [0:SETS*TILES*LOADS-1];
    reg [2*DW-1:0] expects [0:SETS*TILES*COUNT-1];
    wire [2*DW-1:0] expected = expects[(rs*TILES+ri)*COUNT+rn];
    wire [DW-1:0] found = m_tdata & expected[DW+:DW];
    initial begin
        $readmemh("tb/loads.hex", loads);
        $readmemh("tb/expects.hex", expects);
    end

    task send(input [2:0] kind, input integer tile, input [DW-1:0] data);
        begin
            s_tvalid <= 1'b1;
            s_tdest  <= {kind, tile[TB-1:0]};
            s_tdata  <= data;
            @(posedge clk);
            while (!s_tready) @(posedge clk);
            s_tvalid <= 1'b0;
        end
    endtask

    initial begin
        errors = 0;
        repeat (16) @(posedge clk);
        rst <= 1'b0;
        @(posedge clk);
        for (s = 0; s < SETS; s = s + 1) begin
            for (i = 0; i < TILES; i = i + 1)
                for (n = 0; n < LOADS; n = n + 1) send(3'd0, i, loads[(s*TILES+i)*LOADS+n]);
            send(3'd2, 0, {{DW - 1{1'b0}}, 1'b1});
            send(3'd3, 0, {DW{1'b0}});
        end
    end

    // the receive banks come tile after tile
    initial begin
        seen = 0;
        rs = 0; ri = 0; rn = 0;
        while (rs < SETS) begin
            @(posedge clk);
            if (m_tvalid && m_tready) begin
                if (m_tid !== ri[TB-1:0] || (found !== expected[DW-1:0] && expected[DW+:DW] != {DW{1'b0}})) begin
                    errors = errors + 1;
                    if (errors < 10)
                        $display("set %0d, tile %0d, word %0d: %h, not %h", rs, ri, rn, found, expected[DW-1:0]);
                end
                seen = seen + 1;
                rn = rn + 1;
                if (rn == COUNT) begin rn = 0; ri = ri + 1; end
                if (ri == TILES) begin ri = 0; rs = rs + 1; end
            end
        end
        if (fault) errors = errors + 1;
        if (errors == 0) $display("PASS: %0d words", seen);
        else $display("FAIL: %0d errors, fault %b", errors, fault);
        $finish;
    end

    initial begin
        repeat (TIMEOUT) @(posedge clk);
        $display("FAIL: no end after %0d cycles", TIMEOUT);
        $finish;
    end
endmodule
`default_nettype wire
