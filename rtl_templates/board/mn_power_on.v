`default_nettype none
// The reset of a board: after power-on, and while the button is pressed, until its contacts have come to rest.
module mn_power_on #(
    parameter BUTTON_LOW = 0,  // 1: the button is low when pressed
    parameter CB = 16          // the reset lasts 2**CB cycles after its cause
) (
    input  wire clk_i,
    // asynchronous
    input  wire button_i,
    output wire rst_o
);
    reg [  1:0] button_q;
    reg [ CB:0] count_q;
    reg         rst_q;

    // Values of the registers after configuration: there is no other reset.
    initial begin
        button_q = 2'b00;
        count_q  = {CB + 1{1'b0}};
        rst_q    = 1'b1;
    end

    always @(posedge clk_i) begin
        button_q <= {button_q[0], button_i ^ (BUTTON_LOW != 0)};
        rst_q    <= !count_q[CB];
        if (button_q[1]) count_q <= {CB + 1{1'b0}};
        else if (!count_q[CB]) count_q <= count_q + 1'b1;
    end

    assign rst_o = rst_q;
endmodule
`default_nettype wire
