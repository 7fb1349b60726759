// Registers behind what a receive port takes, for the shims to read after the clock edge; the Verilog itself has none.
module mn_receive_probe #(
    parameter WIDTH = 32  // bits of a payload
) (
    input wire             clk_i,
    input wire             valid_i,
    input wire [WIDTH-1:0] data_i
);
    reg             valid_q;
    reg [WIDTH-1:0] data_q;

    always @(posedge clk_i) begin
        valid_q <= valid_i;
        data_q  <= data_i;
    end
endmodule

bind mn_receive_port mn_receive_probe #(.WIDTH(WIDTH)) u_probe (.clk_i(clk_i), .valid_i(valid_i), .data_i(data_i));
