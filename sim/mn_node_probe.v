`default_nettype none
// A node as the tile form of the co-simulation wants it: channels and receive ports in whole 64-bit words, laid out as in
// an observation block, and the host ring taken apart. What is inside the node is read, never driven.
module mn_node_probe #(
    parameter K  = 2,   // cabinets: global ports
    parameter M  = 3,   // routers a drawer: local ports + 1
    parameter DW = 32,  // bits of a word
    parameter W  = 32,  // bits of a payload: the word and its parity
    parameter TB = 5,   // bits of a tile number
    parameter LCW = 40,  // bits of a local channel
    parameter GCW = 40,  // bits of a global channel
<% if product %>
    parameter PLACE = 8,  // bits of a tile's constants
<% endif %>
    // derived, not to be set
    parameter LW  = M - 1,
<% if !product %>
    parameter GB  = K > 1 ? $clog2(K) : 1,
    parameter PB  = $clog2(M),
<% endif %>
    parameter LP  = (LCW + 63) / 64 * 64,  // a local channel in whole words
    parameter GP  = (GCW + 63) / 64 * 64,  // a global channel
    parameter RP  = (W + 64) / 64 * 64     // a receive port {valid, payload}
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    // who this node is
    input  wire [           31:0] tile_i,
    input  wire [           31:0] c_i,
    input  wire [           31:0] d_i,
    input  wire [           31:0] p_i,
<% if product %>
    input  wire [      PLACE-1:0] place_i,
<% endif %>
    // a flit for this tile {valid, kind} and its data; the flit that leaves it
    input  wire [            3:0] flit_i,
    input  wire [           63:0] data_i,
    output wire [            3:0] flit_o,
    output wire [           31:0] tile_o,
    output wire [           63:0] data_o,
    // start and end of a collective
    input  wire                   go_i,
    input  wire                   go_buffer_i,
    input  wire                   go_swap_i,
    input  wire [            7:0] go_version_i,
    output wire                   done_o,
    // channels in words: local ports, then global ports
    input  wire [LW*LP+K*GP-1:0]  channels_i,
    output wire [LW*LP+K*GP-1:0]  channels_o,
    // receive ports in words, in the same order
    output wire [(LW+K)*RP-1:0]   receives_o,
    // faults so far
    output wire                   fault_o
);
    wire [LW*LCW-1:0] local_in, local_out;
    wire [ K*GCW-1:0] global_in, global_out;
    wire [4+TB+DW-1:0] flit_out;

    mn_node u_node (
        .clk_i(clk_i), .rst_i(rst_i),
        .tile_i(tile_i[TB-1:0]),
        .ring_i({flit_i, tile_i[TB-1:0], data_i[DW-1:0]}), .ring_o(flit_out),
<% if product %>
        .place_i(place_i), .go_i(go_i), .go_swap_i(go_swap_i), .done_o(done_o),
<% else %>
        .c_i(c_i[GB-1:0]), .d_i(d_i[PB-1:0]), .p_i(p_i[PB-1:0]),
        .go_i(go_i), .go_buffer_i(go_buffer_i), .go_swap_i(go_swap_i), .go_version_i(go_version_i), .done_o(done_o),
<% endif %>
        .local_i(local_in), .global_i(global_in), .local_o(local_out), .global_o(global_out), .fault_o(fault_o)
    );

    assign flit_o = flit_out[TB+DW+:4];
    assign tile_o = {{32 - TB{1'b0}}, flit_out[DW+:TB]};
    assign data_o[DW-1:0] = flit_out[DW-1:0];
<% if product %>
    // coordinates are among the constants, and there is one buffer and one program
    wire unused = &{c_i, d_i, p_i, go_buffer_i, go_version_i, data_i, flit_out};
<% endif %>

    genvar i;
    generate
        if (DW < 64) begin : gen_data
            assign data_o[63:DW] = {64 - DW{1'b0}};
        end
        for (i = 0; i < LW; i = i + 1) begin : gen_local
            wire          valid = u_node.u_tile.u_endpoint.${ local_receive }$.valid_q;
            wire [ W-1:0] data  = u_node.u_tile.u_endpoint.${ local_receive }$.data_q;
            wire [LP-1:0] out   = {{LP - LCW{1'b0}}, local_out[i*LCW+:LCW]};
            wire [RP-1:0] rx    = {{RP - W - 1{1'b0}}, valid, data & {W{valid}}};
            assign local_in[i*LCW+:LCW]     = channels_i[i*LP+:LCW];
            assign channels_o[i*LP+:LP]     = out;
            assign receives_o[i*RP+:RP]     = rx;
        end
        for (i = 0; i < K; i = i + 1) begin : gen_global
            wire          valid = u_node.u_tile.u_endpoint.${ global_receive }$.valid_q;
            wire [ W-1:0] data  = u_node.u_tile.u_endpoint.${ global_receive }$.data_q;
            wire [GP-1:0] out   = {{GP - GCW{1'b0}}, global_out[i*GCW+:GCW]};
            wire [RP-1:0] rx    = {{RP - W - 1{1'b0}}, valid, data & {W{valid}}};
            assign global_in[i*GCW+:GCW]          = channels_i[LW*LP+i*GP+:GCW];
            assign channels_o[LW*LP+i*GP+:GP]     = out;
            assign receives_o[(LW+i)*RP+:RP]      = rx;
        end
    endgenerate
endmodule
`default_nettype wire
