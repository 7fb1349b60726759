`default_nettype none
// The check byte of a network's slot tables, which begins every row of their images. A row with another byte is from an image that
// was not found, or from another network's. metronoc writes CHECK, a hash of all images, into each network's copy of this file.
module mn_table_check (
    input  wire       clk_i,
    input  wire [7:0] found_i,  // the byte of the row that is read
    output wire       wrong_o,  // it is another, a cycle later
    output wire [7:0] check_o   // for rows that the host loads
);
    localparam [7:0] CHECK = 8'h00;
    reg wrong_q;

    // in a simulation, an unknown byte takes the second branch
    always @(posedge clk_i) begin
        if (found_i == CHECK) wrong_q <= 1'b0;
        else wrong_q <= 1'b1;
    end

    assign wrong_o = wrong_q;
    assign check_o = CHECK;
endmodule
`default_nettype wire
