        if (fault) errors = errors + 1;
        if (errors == 0) $display("PASS: %0d words", seen);
        else $display("FAIL: %0d errors, fault %b", errors, fault);
        $finish;
    end

    initial begin
        repeat (TIMEOUT) @(posedge clk);
        $display("FAIL: no end after %0d cycles, fault %b", TIMEOUT, fault);
        $finish;
    end
endmodule
`default_nettype wire
