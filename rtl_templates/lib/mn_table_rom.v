`ifndef MN_ROM_DIR
`define MN_ROM_DIR "./"
`endif
`default_nettype none
// A slot table in read-only memory: registered read, image from a file of hexadecimal rows, each behind the check byte (mn_table_check).
// The macro MN_ROM_DIR goes before the file's path.
module mn_table_rom #(
    parameter WIDTH = 8,   // bits of a row
    parameter ROWS  = 4,   // rows
    parameter FILE  = "",  // image for $readmemh
    // derived, not to be set
    parameter SB = ROWS > 1 ? $clog2(ROWS) : 1
) (
    input  wire             clk_i,
    input  wire [   SB-1:0] slot_i,
    output wire [WIDTH-1:0] row_o,
    // a row was none of the network's, a cycle or two after it
    output wire             wrong_o
);
    localparam DIGITS = 4 * ((WIDTH + 3) / 4);  // bits of a row's digits
    reg [DIGITS+7:0] mem [0:ROWS-1];
    reg [DIGITS+7:0] row_q;

    // without a file the table is empty, so that the module can be read on its own
    generate
        if (FILE != "") begin : gen_image
            initial $readmemh({`MN_ROM_DIR, FILE}, mem);
        end else begin : gen_empty
            integer i;
            initial for (i = 0; i < ROWS; i = i + 1) mem[i] = {DIGITS + 8{1'b0}};
        end
    endgenerate

    always @(posedge clk_i) row_q <= mem[slot_i];

    wire [7:0] unused_check;
    mn_table_check #(.DIGITS(DIGITS)) u_check (
        .clk_i(clk_i), .found_i(row_q[DIGITS+:8]), .digits_i(row_q[DIGITS-1:0]), .wrong_o(wrong_o), .check_o(unused_check)
    );
    assign row_o = row_q[WIDTH-1:0];
endmodule
`default_nettype wire
