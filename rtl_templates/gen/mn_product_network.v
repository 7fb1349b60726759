${ header }$
`default_nettype none
// The network D3(${ p.k }$,${ p.m }$), ${ p.group_name() }$ coordinates, for ${ what }$: ${ p.tiles }$ tiles with their programs, the channels between
// them, the host ring through them in order, and the trees that start them and hear of their end. Port names: cabinet_drawer_position.
module mn_network (
<% let start = "start of a collective; there is one buffer and one program" %><% include "gen/part/network_ports.v" %>
    localparam LCW = ${ p.local_channel_bits }$;  // a local channel {copy, keep, own, then, pi, gamma, data}
    localparam GCW = ${ p.global_channel_bits }$;  // a global channel {copy, then, pi, data}
    localparam ROWS = ${ rows }$, WIDTH = ${ width }$;  // a slot table

    wire [(TILES+1)*FW-1:0] ring;
    wire [TILES-1:0] go, done, fault;
<% include "gen/part/network_channels.v" %>

    // all start in the same cycle
    mn_fanout #(.N(TILES), .W(1)) u_go (.clk_i(clk_i), .rst_i(rst_i), .d_i(go_i), .q_o(go));
    reg rst_q;
    wire rst_program;
    always @(posedge clk_i) rst_q <= rst_i;
    mn_register u_rst_program (.clk_i(clk_i), .d_i(rst_q), .q_o(rst_program));
<% for t in tiles %>

    wire [WIDTH-1:0] row_${ t.name }$;
    mn_product_program #(.ROWS(ROWS), .WIDTH(WIDTH), .DRAIN(${ drain }$), .FILE("${ t.own.file }$")) u_program_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_program), .go_i(go[${ t.index }$]), .row_o(row_${ t.name }$), .done_o(done[${ t.index }$])
    );
    mn_product_tile #(
        ${ parameters }$
    ) u_tile_${ t.name }$ (
        .clk_i(clk_i), .rst_i(rst_i),
        .tile_i(${ p.tile_bits }$'d${ t.index }$), .diagonal_i(1'b${ (t.d == t.p) as u8 }$),
        .operand_on_i(${ t.own.operand_on }$), .operand_bank_i(${ t.own.operand_bank }$),
        .operand_header_i(${ t.own.operand_header }$),
        .product_port_i(${ t.own.product_port }$), .back_port_i(${ t.own.back_port }$), .result_bank_i(${ t.own.result_bank }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .go_i(go[${ t.index }$]), .row_i(row_${ t.name }$),
<% include "gen/part/tile_channels.v" %>
    );
<% endfor %>

    mn_fanin #(.N(TILES)) u_done (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(done), .all_o(done_all_o), .any_o(done_any_o)
    );
    // the one program there is cannot be swapped: it is asked for as long as reset lasts, and says so
    reg swapped_q;
    always @(posedge clk_i) swapped_q <= !rst_i && (swapped_q || (go_i && go_swap_i));
    wire unused = &{go_buffer_i, go_version_i};
    wire unused_fault_all, tile_fault;
    mn_fanin #(.N(TILES)) u_fault (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(fault), .all_o(unused_fault_all), .any_o(tile_fault)
    );
    assign fault_o = tile_fault || swapped_q;
endmodule
`default_nettype wire
