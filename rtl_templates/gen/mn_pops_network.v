${ header }$
`default_nettype none
// The network ${ p.network }$ for ${ what }$: ${ p.tiles }$ processors, ${ p.network.couplers() }$ couplers, the host
// ring through the processors in order, and the start and done trees.
module mn_network (
<% let start = "start of a collective, from the one buffer that there is, and whether it runs the loaded program" %><% include "gen/part/network_ports.v" %>
    localparam D = ${ p.network.d() }$;    // processors a group
    localparam G = ${ p.network.g() }$;    // groups
    localparam W = ${ p.payload_bits() }$;   // bits of a word${ parity }$
    localparam CW = 1 + W;  // a coupler's register {valid, word}

    wire [(TILES+1)*FW-1:0] ring;
    wire [TILES-1:0] done, fault;
    assign ring[0+:FW] = ring_i;
    assign ring_o = ring[TILES*FW+:FW];

    // all start in the same cycle
    wire [10*TILES-1:0] start;
    mn_fanout #(.N(TILES), .W(10), .GUARD(${ u32::from(*p.parity) }$)) u_go (
        .clk_i(clk_i), .rst_i(rst_i), .d_i({go_version_i, go_swap_i, go_i}), .q_o(start), .wrong_o(upset_o)
    );
    wire unused = go_buffer_i;

    // couplers c(b,a), from group a to group b: couplers to one group are adjacent
    wire [TILES*G-1:0] request;
    wire [TILES*W-1:0] data;
    wire [G*G*CW-1:0] coupler;
    wire [G*G-1:0] collision;

    genvar b, a, s;
    generate
        for (b = 0; b < G; b = b + 1) begin : gen_to
            for (a = 0; a < G; a = a + 1) begin : gen_from
                wire [D-1:0] asks, unused_grant;
                for (s = 0; s < D; s = s + 1) begin : gen_sender
                    assign asks[s] = request[(a*D+s)*G+b];
                end
                mn_pops_coupler #(.D(D), .W(W), .MODE(0)) u_coupler (
                    .clk_i(clk_i), .rst_i(rst_i), .request_i(asks), .data_i(data[a*D*W+:D*W]), .hold_i(1'b0),
                    .grant_o(unused_grant), .valid_o(coupler[(b*G+a)*CW+W]), .data_o(coupler[(b*G+a)*CW+:W]),
                    .collision_o(collision[b*G+a])
                );
            end
        end
    endgenerate
<% for t in processors %>

    mn_pops_processor #(
        ${ parameters }$,
        .FILE("${ t.image }$")
    ) u_processor_${ t.index }$ (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(${ p.tile_bits }$'d${ t.index }$),
        .ring_i(ring[${ t.index }$*FW+:FW]), .ring_o(ring[${ t.index + 1 }$*FW+:FW]),
        .go_i(start[${ 10 * t.index }$]), .go_swap_i(start[${ 10 * t.index + 1 }$]), .go_version_i(start[${ 10 * t.index + 2 }$+:8]),
        .done_o(done[${ t.index }$]),
        .request_o(request[${ t.index }$*G+:G]), .data_o(data[${ t.index }$*W+:W]),
        .coupler_i(coupler[${ t.group }$*G*CW+:G*CW]), .collision_i(collision[${ t.group }$*G+:G]), .fault_o(fault[${ t.index }$])
    );
<% endfor %>

<% include "gen/part/network_tail.v" %>
