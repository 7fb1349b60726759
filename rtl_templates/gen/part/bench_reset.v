        errors = 0;
        repeat (64) @(negedge clk);
        rst = 1'b0;
        @(negedge clk);
