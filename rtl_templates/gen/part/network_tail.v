    mn_fanin #(.N(TILES)) u_done (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(done), .all_o(done_all_o), .any_o(done_any_o)
    );
    wire unused_fault_all;
    mn_fanin #(.N(TILES)) u_fault (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(fault), .all_o(unused_fault_all), .any_o(fault_o)
    );
endmodule
`default_nettype wire
