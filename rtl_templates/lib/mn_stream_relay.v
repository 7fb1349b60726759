`default_nettype none
// Relay of an endpoint of a stream collective, for routers that do not copy: every hop ends here. A packet that
// arrives is read for SOFTWARE cycles. Then its header decides if its word is stored, and which copies are sent. Each
// copy goes over the bank of its port, with its new header. This is what mn_sh_router does with headers, so one of
// them does it here.
//
// A packet on its way is {header, data} of the form of its channel in mn_sh_router. Between two routers it is what a packet of
// one hop carries: the router takes it off at the other end, whatever the header says.
//
// Time: a word that the router takes off in cycle t is stored in cycle t + SOFTWARE - 1. Its copies are at the router
// in cycle t + SOFTWARE, over all ports at once. A flit of a send bank takes one cycle. Where a header says "stay",
// so does a packet here, for as long as one that takes a local hop and is read after it.
module mn_stream_relay #(
    parameter K        = 2,   // cabinets: global ports
    parameter M        = 3,   // routers a drawer: local ports + 1
    parameter W        = 32,  // bits of a payload
    parameter SOFTWARE = 1,   // cycles from a packet to its copies, at least 1
    parameter LOCAL_STAGES = 1,  // cycles of a local hop
    parameter STAY     = 1,   // packets that may stay, see mn_sh_router
    // derived, not to be set
    parameter LW  = M - 1,
    parameter P   = LW + K,
    parameter LHW = 5 + M + K,
    parameter GHW = 2 + M,
    parameter LFW = LHW + W,
    parameter GFW = GHW + W
) (
    input  wire              clk_i,
    input  wire              rst_i,
    input  wire [     M-1:0] diagonal_i,
    // from the send banks: flits
    input  wire [LW*LFW-1:0] bank_local_i,
    input  wire [ K*GFW-1:0] bank_global_i,
    // from the router's receive side: packets, local ports first, those of global ports in the low bits
    input  wire [     P-1:0] valid_i,
    input  wire [ P*LFW-1:0] packet_i,
    // to the router's send side: packets, likewise
    output wire [     P-1:0] valid_o,
    output wire [ P*LFW-1:0] packet_o,
    // to the receive banks: words that are kept
    output wire [     P-1:0] rx_valid_o,
    output wire [   P*W-1:0] rx_data_o,
    // two packets for one port in one cycle
    output wire [     P-1:0] conflict_o
);
    localparam SCW = 4 + W;

    wire [LW*LFW-1:0] local_in, local_out;
    wire [ K*GFW-1:0] global_in, global_out;
    wire [   SCW-1:0] stay, stay_in;

    genvar i;
    generate
        for (i = 0; i < LW; i = i + 1) begin : gen_local
            mn_stages #(.W(LFW), .N(SOFTWARE - 1), .HEAD(LHW)) u_read (
                .clk_i(clk_i), .rst_i(rst_i),
                .d_i(valid_i[i] ? packet_i[i*LFW+:LFW] : {LFW{1'b0}}), .q_o(local_in[i*LFW+:LFW])
            );
            assign packet_o[i*LFW+:LFW] = local_out[i*LFW+:LFW];
            assign valid_o[i] = |local_out[i*LFW+W+:LHW];
        end
        for (i = 0; i < K; i = i + 1) begin : gen_global
            mn_stages #(.W(GFW), .N(SOFTWARE - 1), .HEAD(GHW)) u_read (
                .clk_i(clk_i), .rst_i(rst_i),
                .d_i(valid_i[LW+i] ? packet_i[(LW+i)*LFW+:GFW] : {GFW{1'b0}}), .q_o(global_in[i*GFW+:GFW])
            );
            assign packet_o[(LW+i)*LFW+:LFW] = {{LHW - GHW{1'b0}}, global_out[i*GFW+:GFW]};
            assign valid_o[LW+i] = |global_out[i*GFW+W+:GHW];
            // a header on a global channel is the shorter one
            wire unused = &packet_i[(LW+i)*LFW+GFW+:LHW-GHW];
        end
    endgenerate
    mn_stages #(.W(SCW), .N(LOCAL_STAGES + SOFTWARE - 1), .HEAD(4)) u_stay (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(stay), .q_o(stay_in)
    );

    mn_sh_router #(.K(K), .M(M), .W(W), .XBAR_STAGES(1), .STAY(STAY)) u_headers (
        .clk_i(clk_i), .rst_i(rst_i), .diagonal_i(diagonal_i),
        .tx_local_i(bank_local_i), .tx_global_i(bank_global_i),
        .local_i(local_in), .global_i(global_in), .stay_i(stay_in),
        .local_o(local_out), .global_o(global_out), .stay_o(stay),
        .rx_local_valid_o(rx_valid_o[LW-1:0]), .rx_local_data_o(rx_data_o[LW*W-1:0]),
        .rx_global_valid_o(rx_valid_o[P-1:LW]), .rx_global_data_o(rx_data_o[P*W-1:LW*W]),
        .conflict_o(conflict_o)
    );
endmodule
`default_nettype wire
