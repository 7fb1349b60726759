`default_nettype none
// A slot table in read-only memory: registered read, image from a file of hexadecimal rows.
module mn_table_rom #(
    parameter WIDTH = 8,   // bits of a row
    parameter ROWS  = 4,   // rows
    parameter FILE  = "",  // image for $readmemh
    // derived, not to be set
    parameter SB = ROWS > 1 ? $clog2(ROWS) : 1
) (
    input  wire             clk_i,
    input  wire [   SB-1:0] slot_i,
    output wire [WIDTH-1:0] row_o
);
    reg [WIDTH-1:0] mem [0:ROWS-1];
    reg [WIDTH-1:0] row_q;

    // without a file the table is empty, so that the module can be read on its own
    generate
        if (FILE != "") begin : gen_image
            initial $readmemh(FILE, mem);
        end else begin : gen_empty
            integer i;
            initial for (i = 0; i < ROWS; i = i + 1) mem[i] = {WIDTH{1'b0}};
        end
    endgenerate

    always @(posedge clk_i) row_q <= mem[slot_i];

    assign row_o = row_q;
endmodule
`default_nettype wire
