${ header }$
`default_nettype none
// Network: ${ p.name() }$, for ${ what }$: ${ p.tiles }$ tiles with their programs, the channels between
// them, the host ring through them in order, and the start and done trees. Port names: cabinet_drawer_position.
module mn_network (
<% let start = "start of a collective; there is one buffer and one program" %><% include "gen/part/network_ports.v" %>
    localparam LCW = ${ p.local_channel_bits }$;  // a local channel {past, copy, keep, own, then, pi, gamma, data}
    localparam GCW = ${ p.global_channel_bits }$;  // a global channel {copy, then, pi, data}
    localparam WIDTH = ${ width }$;  // a row of a program

    wire [(TILES+1)*FW-1:0] ring;
    wire [TILES-1:0] done, fault;
<% include "gen/part/network_channels.v" %>

    // all start in the same cycle; there is no other program to swap to, which the tiles say
    wire [2*TILES-1:0] start;
    mn_fanout #(.N(TILES), .W(2), .GUARD(${ u32::from(*p.parity) }$)) u_go (.clk_i(clk_i), .rst_i(rst_i), .d_i({go_swap_i, go_i}), .q_o(start), .wrong_o(upset_o));
    wire unused = &{go_buffer_i, go_version_i};
    wire rst_program, wrong_rst;
    mn_late_reset #(.GUARD(${ u32::from(*p.parity) }$)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o(rst_program), .wrong_o(wrong_rst));
<% for t in tiles %>

    wire [WIDTH-1:0] row_${ t.name }$;
    wire wrong_row_${ t.name }$;
<% if counter %>
    mn_product_counter u_program_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_program), .go_i(start[${ 2 * t.index }$]),
        .steps_i(${ t.own.steps }$), .wrong_o(wrong_row_${ t.name }$),
<% else %>
    mn_product_program #(.ROWS(${ rows }$), .WIDTH(WIDTH), .DRAIN(${ drain }$), .GUARD(${ u32::from(*p.parity) }$), .FILE("${ t.own.file }$")) u_program_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_program), .go_i(start[${ 2 * t.index }$]), .wrong_o(wrong_row_${ t.name }$),
<% endif %>
        .row_o(row_${ t.name }$), .done_o(done[${ t.index }$])
    );
    mn_product_tile #(
        ${ parameters }$
    ) u_tile_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_i),
        .tile_i(${ p.tile_bits }$'d${ t.index }$), .diagonal_i(${ t.own.diagonal }$),
        .operand_on_i(${ t.own.operand_on }$), .operand_bank_i(${ t.own.operand_bank }$),
        .operand_header_i(${ t.own.operand_header }$),
        .product_port_i(${ t.own.product_port }$), .back_port_i(${ t.own.back_port }$), .result_bank_i(${ t.own.result_bank }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .go_i(start[${ 2 * t.index }$]), .go_swap_i(start[${ 2 * t.index + 1 }$]), .wrong_row_i(wrong_row_${ t.name }$ || wrong_rst), .row_i(row_${ t.name }$),
<% include "gen/part/tile_channels.v" %>
    );
<% endfor %>

<% include "gen/part/network_tail.v" %>
