`default_nettype none
// A tile of a Swapped Dragonfly for a stream collective: synchronizing-header router, endpoint with its program, and the registers on
// the channels that come in. Every output is a register. With SOFTWARE > 0 the router does not copy: it takes every packet off, and the
// endpoint forwards the copies (mn_stream_relay).
module mn_stream_tile #(
    parameter K      = 2,   // cabinets: global ports
    parameter M      = 3,   // routers a drawer: local ports + 1
    parameter DW     = 32,  // bits of a word
    parameter PARITY = 0,   // 1: a parity bit travels with each word
    parameter LOG    = 1,   // 1: the fault log keeps ports and cycles
    parameter TB     = 5,   // bits of a tile number
    parameter LOCAL_STAGES  = 1,  // cycles of a local hop, at least XBAR_STAGES
    parameter GLOBAL_STAGES = 1,  // cycles of a global hop, at least XBAR_STAGES
    parameter XBAR_STAGES   = 1,  // of them in the crossbar: 1 or 2
    parameter SOFTWARE = 0, // cycles that the endpoint takes over a packet after each hop; 0: the router copies
    parameter STAY    = 1,  // packets that may stay in the router, see mn_sh_router
    parameter COUNT   = 4,  // words of the stream
    parameter LANES   = 1,  // lanes
    parameter TAPS    = 16, // taps of the beat
    parameter BURST   = 1,  // batches of a burst
    parameter PERIOD  = 1,  // cycles from burst to burst
    parameter ROWS    = 4,  // rows of the slot table
    parameter COUNTER = 0,  // 1: counters instead of the table
    parameter FILE    = "", // image of the slot table
    parameter SOURCE  = 0,  // 1: this router has the words
    parameter SLOTS   = 1,  // lanes that a port may receive, at most 2
    // derived, not to be set
    parameter LW  = M - 1,
    parameter P   = LW + K,
    parameter W   = DW + PARITY,
    parameter FW  = 4 + TB + DW,
    parameter LHW = 5 + M + K,
    parameter GHW = 2 + M,
    parameter PW  = SOFTWARE != 0 ? LHW + W : W,  // what the router carries: the packet's header is a part of it, or not
    parameter LCW = LHW + PW,
    parameter GCW = GHW + PW,
    // constants of the ports, see mn_stream_endpoint
    parameter [    P-1:0] TX_ON = {P{1'b0}},
    parameter [    P-1:0] TX_SHORT = {P{1'b0}},
    parameter [  8*P-1:0] TX_LANE = {P{8'd0}},
    parameter [  8*P-1:0] TX_TAP = {P{8'd0}},
    parameter [LW*LHW+K*GHW-1:0] TX_HEADER = {LW * LHW + K * GHW{1'b0}},
    parameter [  SLOTS*P-1:0] RX_ON = {SLOTS * P{1'b0}},
    parameter [  SLOTS*P-1:0] RX_SHORT = {SLOTS * P{1'b0}},
    parameter [8*SLOTS*P-1:0] RX_LANE = {SLOTS * P{8'd0}},
    parameter [8*SLOTS*P-1:0] RX_TAP = {SLOTS * P{8'd0}}
) (
    input  wire              clk_i,
    input  wire              rst_i,
    // coordinates of this tile
    input  wire [    TB-1:0] tile_i,
    input  wire [     M-1:0] diagonal_i,
    // the host ring
    input  wire [    FW-1:0] ring_i,
    output wire [    FW-1:0] ring_o,
    // start and end of the collective
    input  wire              go_i,
    input  wire              go_swap_i,
    output wire              done_o,
    // channels: local port 1 and global port 0 in the low position
    input  wire [LW*LCW-1:0] local_i,
    input  wire [ K*GCW-1:0] global_i,
    output wire [LW*LCW-1:0] local_o,
    output wire [ K*GCW-1:0] global_o,
    // faults so far
    output wire              fault_o
);
    localparam BATCHES = (COUNT + LANES - 1) / LANES;
    localparam BB = BATCHES > 1 ? $clog2(BATCHES) : 1;
    localparam SCW = 4 + W;
    localparam LFW = LHW + W;
    localparam GFW = GHW + W;

    // The reset of the network has a register in each tile to reach, and then one for each part of the tile.
    wire rst, rst_endpoint, wrong_rst;
    mn_late_reset #(.COPIES(2), .GUARD(PARITY)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o({rst_endpoint, rst}), .wrong_o(wrong_rst));

    wire [LW*LCW-1:0] local_in;
    wire [ K*GCW-1:0] global_in;
    wire [LW*LFW-1:0] tx_local;
    wire [ K*GFW-1:0] tx_global;
    wire [     P-1:0] rx_valid, conflict;
    wire [   P*W-1:0] rx_data;
    wire              beat_valid, beat_last, wrong_row;
    wire [    BB-1:0] beat_batch;

    genvar i;
    generate
        for (i = 0; i < LW; i = i + 1) begin : gen_local
            mn_stages #(.W(LCW), .N(LOCAL_STAGES - XBAR_STAGES), .HEAD(LHW)) u_channel (
                .clk_i(clk_i), .rst_i(rst), .d_i(local_i[i*LCW+:LCW]), .q_o(local_in[i*LCW+:LCW])
            );
        end
        for (i = 0; i < K; i = i + 1) begin : gen_global
            mn_stages #(.W(GCW), .N(GLOBAL_STAGES - XBAR_STAGES), .HEAD(GHW)) u_channel (
                .clk_i(clk_i), .rst_i(rst), .d_i(global_i[i*GCW+:GCW]), .q_o(global_in[i*GCW+:GCW])
            );
        end
    endgenerate

    mn_stream_program #(
        .BATCHES(BATCHES), .BURST(BURST), .PERIOD(PERIOD), .ROWS(ROWS), .FLIGHT(TAPS + 1), .COUNTER(COUNTER), .FILE(FILE), .GUARD(PARITY)
    ) u_program (
        .clk_i(clk_i), .rst_i(rst_endpoint), .go_i(go_i),
        .valid_o(beat_valid), .last_o(beat_last), .batch_o(beat_batch), .done_o(done_o), .wrong_o(wrong_row)
    );

    mn_stream_endpoint #(
        .K(K), .M(M), .DW(DW), .PARITY(PARITY), .LOG(LOG), .TB(TB), .COUNT(COUNT), .LANES(LANES), .TAPS(TAPS),
        .SOURCE(SOURCE), .SLOTS(SLOTS), .LHW(LHW), .GHW(GHW),
        .TX_ON(TX_ON), .TX_SHORT(TX_SHORT), .TX_LANE(TX_LANE), .TX_TAP(TX_TAP),
        .TX_HEADER(TX_HEADER),
        .RX_ON(RX_ON), .RX_SHORT(RX_SHORT), .RX_LANE(RX_LANE), .RX_TAP(RX_TAP)
    ) u_endpoint (
        .clk_i(clk_i), .rst_i(rst_endpoint), .tile_i(tile_i), .ring_i(ring_i), .ring_o(ring_o),
        .go_i(go_i), .go_swap_i(go_swap_i), .wrong_row_i(wrong_row || wrong_rst), .beat_valid_i(beat_valid), .beat_last_i(beat_last), .beat_batch_i(beat_batch),
        .tx_local_o(tx_local), .tx_global_o(tx_global),
        .rx_valid_i(rx_valid), .rx_data_i(rx_data), .conflict_i(conflict), .fault_o(fault_o)
    );

    generate
        if (SOFTWARE == 0) begin : gen_copying
            wire [SCW-1:0] stay, stay_in;
            mn_stages #(.W(SCW), .N(LOCAL_STAGES - XBAR_STAGES), .HEAD(4)) u_stay (
                .clk_i(clk_i), .rst_i(rst), .d_i(stay), .q_o(stay_in)
            );
            mn_sh_router #(.K(K), .M(M), .W(W), .XBAR_STAGES(XBAR_STAGES), .GUARD(PARITY), .STAY(STAY)) u_router (
                .clk_i(clk_i), .rst_i(rst), .diagonal_i(diagonal_i),
                .tx_local_i(tx_local), .tx_global_i(tx_global),
                .local_i(local_in), .global_i(global_in), .stay_i(stay_in),
                .local_o(local_o), .global_o(global_o), .stay_o(stay),
                .rx_local_valid_o(rx_valid[LW-1:0]), .rx_local_data_o(rx_data[LW*W-1:0]),
                .rx_global_valid_o(rx_valid[P-1:LW]), .rx_global_data_o(rx_data[P*W-1:LW*W]),
                .conflict_o(conflict)
            );
        end else begin : gen_relaying
            wire [P-1:0] came, goes, router_conflict, relay_conflict;
            wire [P*LFW-1:0] came_packet, goes_packet;
            wire [LW*LCW-1:0] hop_local;
            wire [K*GCW-1:0] hop_global;
            wire [4+PW-1:0] unused_stay;

            mn_stream_relay #(
                .K(K), .M(M), .W(W), .SOFTWARE(SOFTWARE), .LOCAL_STAGES(LOCAL_STAGES), .STAY(STAY)
            ) u_relay (
                .clk_i(clk_i), .rst_i(rst), .diagonal_i(diagonal_i),
                .bank_local_i(tx_local), .bank_global_i(tx_global),
                .valid_i(came), .packet_i(came_packet), .valid_o(goes), .packet_o(goes_packet),
                .rx_valid_o(rx_valid), .rx_data_o(rx_data), .conflict_o(relay_conflict)
            );

            // a packet's hop: to the router at the other end, which keeps it
            for (i = 0; i < LW; i = i + 1) begin : gen_hop_local
                assign hop_local[i*LCW+:LCW] = {goes[i], 1'b0, goes[i], 1'b0, {1 + M + K{1'b0}}, goes_packet[i*LFW+:LFW]};
            end
            for (i = 0; i < K; i = i + 1) begin : gen_hop_global
                assign hop_global[i*GCW+:GCW] = {2'b00, {M - 1{1'b0}}, goes[LW+i], goes_packet[(LW+i)*LFW+:LFW]};
            end
            mn_sh_router #(.K(K), .M(M), .W(PW), .XBAR_STAGES(XBAR_STAGES), .GUARD(PARITY), .STAY(0)) u_router (
                .clk_i(clk_i), .rst_i(rst), .diagonal_i(diagonal_i),
                .tx_local_i(hop_local), .tx_global_i(hop_global),
                .local_i(local_in), .global_i(global_in), .stay_i({4 + PW{1'b0}}),
                .local_o(local_o), .global_o(global_o), .stay_o(unused_stay),
                .rx_local_valid_o(came[LW-1:0]), .rx_local_data_o(came_packet[LW*LFW-1:0]),
                .rx_global_valid_o(came[P-1:LW]), .rx_global_data_o(came_packet[P*LFW-1:LW*LFW]),
                .conflict_o(router_conflict)
            );
            assign conflict = router_conflict | relay_conflict;
            wire unused = &unused_stay;
        end
    endgenerate
endmodule
`default_nettype wire
