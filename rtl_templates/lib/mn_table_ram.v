`default_nettype none
// A slot table in memory: two banks, of which the selected one is read while the other is loaded.
// The image fills bank 0; bank 1 starts empty of meaning and is read only after it has been loaded.
module mn_table_ram #(
    parameter WIDTH = 8,   // bits of a row
    parameter ROWS  = 4,   // rows
    parameter FILE  = "",  // image of bank 0 for $readmemh
    // derived, not to be set
    parameter SB = ROWS > 1 ? $clog2(ROWS) : 1
) (
    input  wire             clk_i,
    // read port
    input  wire             select_i,
    input  wire [   SB-1:0] slot_i,
    output wire [WIDTH-1:0] row_o,
    // write port
    input  wire             we_i,
    input  wire             wselect_i,
    input  wire [   SB-1:0] wslot_i,
    input  wire [WIDTH-1:0] wrow_i
);
    reg [WIDTH-1:0] mem [0:(2<<SB)-1];
    reg [WIDTH-1:0] row_q;

    // without a file the module can still be read on its own
    generate
        if (FILE != "") begin : gen_image
            initial $readmemh(FILE, mem, 0, ROWS - 1);
        end
    endgenerate

    always @(posedge clk_i) begin
        if (we_i) mem[{wselect_i, wslot_i}] <= wrow_i;
        row_q <= mem[{select_i, slot_i}];
    end

    assign row_o = row_q;
endmodule
`default_nettype wire
