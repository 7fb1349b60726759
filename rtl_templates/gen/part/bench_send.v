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
