    // Inputs change at the falling edge and are taken at the rising one, so that no simulator can see the two in another order.
    task send(input [2:0] kind, input integer tile, input [DW-1:0] data);
        begin
            s_tvalid = 1'b1;
            s_tdest  = {kind, tile[TB-1:0]};
            s_tdata  = data;
            @(posedge clk);
            while (!s_tready) @(posedge clk);
            @(negedge clk);
            s_tvalid = 1'b0;
        end
    endtask
