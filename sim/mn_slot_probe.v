`default_nettype none
// A tile of slot tables as the tile form of the co-simulation wants it: channels in whole 64-bit words, laid out as in an observation
// block, and the host ring taken apart. Its tables are empty; the shim fills them.
module mn_node_probe #(
    parameter PORTS = 4,   // channels that end here, and that begin here
    parameter DW    = 32,  // bits of a word
    parameter W     = 32,  // bits of a payload: the word and its parity
    parameter TB    = 5,   // bits of a tile number
    parameter LOADS = 1,   // words that are loaded
<%- if counters %>
    parameter ROWS  = 4,   // stored rows
    parameter LOOPS = 1,   // loops
<%- endif %>
    // derived, not to be set
    parameter CW = 1 + W,
    parameter CP = (CW + 63) / 64 * 64  // a channel in whole words
) (
    input  wire                clk_i,
    input  wire                rst_i,
    // who this node is
    input  wire [        31:0] tile_i,
    // a flit for this tile {valid, kind} and its data; the flit that leaves it
    input  wire [         3:0] flit_i,
    input  wire [        63:0] data_i,
    output wire [         3:0] flit_o,
    output wire [        31:0] tile_o,
    output wire [        63:0] data_o,
    // start and end of a collective
    input  wire                go_i,
    input  wire                go_buffer_i,
    input  wire                go_swap_i,
    input  wire [         7:0] go_version_i,
    output wire                done_o,
    // channels in words
    input  wire [PORTS*CP-1:0] channels_i,
    output wire [PORTS*CP-1:0] channels_o,
    // faults so far
    output wire                fault_o
);
    wire [ PORTS*CW-1:0] in, out;
    wire [4+TB+DW-1:0] flit_out;

    mn_slot_tile_0 #(.LOADS(LOADS)<% if counters %>, .ROWS(ROWS), .LOOPS(LOOPS)<% endif %>) u_node (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(tile_i[TB-1:0]),
        .ring_i({flit_i, tile_i[TB-1:0], data_i[DW-1:0]}), .ring_o(flit_out),
        .go_i(go_i), .go_swap_i(go_swap_i), .done_o(done_o),
<% if ram %>
        .go_version_i(go_version_i),
<% endif %>
        .in_i(in), .out_o(out), .fault_o(fault_o)
    );

    assign flit_o = flit_out[TB+DW+:4];
    assign tile_o = {{32 - TB{1'b0}}, flit_out[DW+:TB]};
    assign data_o[DW-1:0] = flit_out[DW-1:0];
    // there is one buffer
    wire unused = &{go_buffer_i, go_version_i, tile_i, data_i, channels_i};

    genvar i;
    generate
        if (DW < 64) begin : gen_data
            assign data_o[63:DW] = {64 - DW{1'b0}};
        end
        for (i = 0; i < PORTS; i = i + 1) begin : gen_channel
            assign in[i*CW+:CW]         = channels_i[i*CP+:CW];
            assign channels_o[i*CP+:CP] = {{CP - CW{1'b0}}, out[i*CW+:CW]};
        end
    endgenerate
endmodule
`default_nettype wire
