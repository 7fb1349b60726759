        errors = 0;
        repeat (16) @(posedge clk);
        rst <= 1'b0;
        @(posedge clk);
