`ifndef MN_ROM_DIR
`define MN_ROM_DIR "./"
`endif
`default_nettype none
// A slot table in memory: two banks, of which the selected one is read while the other is loaded. Rows stand behind the check byte
// (mn_table_check), of which memory keeps bits 1 and 0: a row that was never loaded is noticed. The image fills bank 0;
// bank 1 starts empty of meaning and is read only after it has been loaded. The macro MN_ROM_DIR goes before the image's path.
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
    // a row was none of the network's, a cycle or two after it
    output wire             wrong_o,
    // write port
    input  wire             we_i,
    input  wire             wselect_i,
    input  wire [   SB-1:0] wslot_i,
    input  wire [WIDTH-1:0] wrow_i
);
    localparam DIGITS = 4 * ((WIDTH + 3) / 4);  // bits of a row's digits
    reg [DIGITS+7:0] mem [0:(2<<SB)-1];
    reg [DIGITS+7:0] row_q;
    wire [DIGITS-1:0] digits;
    wire        [7:0] check;

    // without a file the module can still be read on its own
    generate
        if (FILE != "") begin : gen_image
            initial $readmemh({`MN_ROM_DIR, FILE}, mem, 0, ROWS - 1);
        end
        if (DIGITS > WIDTH) begin : gen_padding
            assign digits = {{DIGITS - WIDTH{1'b0}}, wrow_i};
        end else begin : gen_whole
            assign digits = wrow_i;
        end
    endgenerate

    always @(posedge clk_i) begin
        if (we_i) mem[{wselect_i, wslot_i}] <= {check[7:1], ~^digits, digits};
        row_q <= mem[{select_i, slot_i}];
    end

    mn_table_check #(.DIGITS(DIGITS)) u_check (
        .clk_i(clk_i), .found_i({check[7:2], row_q[DIGITS+:2]}), .digits_i(row_q[DIGITS-1:0]), .wrong_o(wrong_o), .check_o(check)
    );
    assign row_o = row_q[WIDTH-1:0];
    wire unused = &{check[0], row_q[DIGITS+7:DIGITS+2]};  // synthesis leaves these out
endmodule
`default_nettype wire
