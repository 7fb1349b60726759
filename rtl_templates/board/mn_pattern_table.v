`default_nettype none
// Words of a self-test from a table, one a step, with their tile and whether they are compared: rows {compared, tile, word}.
module mn_pattern_table #(
    parameter DW    = 32,  // bits of a word
    parameter TB    = 5,   // bits of a tile number
    parameter COUNT = 4,   // words
    parameter FILE  = ""   // image for $readmemh
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          step_i,
    output wire [DW-1:0] data_o,
    output wire [TB-1:0] outer_o,
    output wire          care_o,
    output wire          last_o
);
    localparam CB = COUNT > 1 ? $clog2(COUNT) : 1;
    localparam [31:0] LAST = COUNT - 1;

    // the table is read a cycle ahead
    reg  [CB-1:0] index_q;
    wire [CB-1:0] index = rst_i ? {CB{1'b0}} : step_i ? index_q + 1'b1 : index_q;
    always @(posedge clk_i) index_q <= index;

    reg [TB+DW:0] mem [0:COUNT-1];
    reg [TB+DW:0] row_q;
    generate
        if (FILE != "") begin : gen_image
            initial $readmemh(FILE, mem);
        end
    endgenerate
    always @(posedge clk_i) row_q <= mem[index];
    assign {care_o, outer_o, data_o} = row_q;
    assign last_o = index_q == LAST[CB-1:0];
endmodule
`default_nettype wire
