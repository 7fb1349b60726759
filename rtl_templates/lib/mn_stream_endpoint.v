`default_nettype none
// The endpoint of a router in a stream collective: one router, the source, sends COUNT words, and all receive them.
// Word n is word n / LANES of lane n % LANES. All words of a lane take the same route. So each port of a router sends
// one lane with one header, or none. It receives at most SLOTS lanes, each a fixed number of cycles after the beat
// that launched the batch.
//
// Constants of each port, local ports first, port 0 in the low position, and for receivers slot 0 of all ports first: is it used; its lane; its tap, the cycles from the beat to the
// word at the crossbar (send) or in the receive port (receive); whether it has no word in the last batch (short).
module mn_stream_endpoint #(
    parameter K      = 2,   // cabinets: global ports
    parameter M      = 3,   // routers a drawer: local ports + 1
    parameter DW     = 32,  // bits of a word
    parameter PARITY = 0,   // 1: a parity bit travels with each word
    parameter LOG    = 1,   // 1: the fault log keeps ports and cycles
    parameter TB     = 5,   // bits of a tile number
    parameter COUNT  = 4,   // words of the stream
    parameter LANES  = 1,   // lanes
    parameter TAPS   = 16,  // taps of the beat, more than any port's
    parameter SOURCE = 0,   // 1: this router has the words
    parameter SLOTS  = 1,   // lanes that a port may receive, at most 2
    parameter LHW    = 9,   // bits of a local channel's header
    parameter GHW    = 5,   // bits of a global channel's header
    // derived, not to be set
    parameter LW = M - 1,
    parameter P  = LW + K,
    parameter W  = DW + PARITY,
    parameter FW = 4 + TB + DW,
    parameter BATCHES = (COUNT + LANES - 1) / LANES,
    parameter BB = BATCHES > 1 ? $clog2(BATCHES) : 1,
    // constants of the ports: eight bits each where they are numbers
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
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire [        TB-1:0] tile_i,
    // the host ring
    input  wire [        FW-1:0] ring_i,
    output wire [        FW-1:0] ring_o,
    // start of the collective, and the batch of this cycle (mn_stream_program)
    input  wire                  go_i,
    input  wire                  go_swap_i,  // with another program, which there is none of
    input  wire                  wrong_row_i,  // a row of the slot table was none of the network's
    input  wire                  beat_valid_i,
    input  wire                  beat_last_i,
    input  wire [        BB-1:0] beat_batch_i,
    // to the router's send side: flits
    output wire [LW*(LHW+W)-1:0] tx_local_o,
    output wire [ K*(GHW+W)-1:0] tx_global_o,
    // from the router's receive side
    input  wire [         P-1:0] rx_valid_i,
    input  wire [       P*W-1:0] rx_data_i,
    input  wire [         P-1:0] conflict_i,
    // faults so far
    output wire                  fault_o
);
    localparam CB = COUNT > 1 ? $clog2(COUNT) : 1;
    localparam NB = LANES > 1 ? $clog2(LANES) : 1;
    localparam TW = $clog2(TAPS);

    wire          load_next, load, read_next, read, read_status, clear, unused_program;
    wire          wrong_flit;
    wire [DW-1:0] load_data, unused_program_data;
    wire [   2:0] piece;
    reg  [DW-1:0] answer;

    mn_ring_stop #(.DW(DW), .TB(TB), .GUARD(PARITY)) u_stop (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(tile_i), .ring_i(ring_i), .ring_o(ring_o),
        .load_next_o(load_next), .load_o(load), .load_data_o(load_data),
        .read_next_o(read_next), .read_o(read), .status_o(read_status), .piece_o(piece), .answer_i(answer),
        .program_o(unused_program), .program_data_o(unused_program_data), .clear_o(clear),
        .wrong_o(wrong_flit)
    );

    wire [W-1:0] load_payload;
    generate
        if (PARITY != 0) begin : gen_parity
            assign load_payload = {^load_data, load_data};
        end else begin : gen_no_parity
            assign load_payload = load_data;
        end
    endgenerate

    // where the next word to be loaded belongs, and from where the next to be read comes
    wire [CB-1:0] to_word, from_word;
    wire [NB-1:0] to_lane, from_lane;
    wire [BB-1:0] to_batch, from_batch;
    reg  [CB-1:0] to_word_q, from_word_q;
    reg  [NB-1:0] to_lane_q, from_lane_q;
    reg  [BB-1:0] to_batch_q, from_batch_q;

    wire wrong_to, wrong_from, wrong_place, wrong_home;
    mn_lane_counter #(.COUNT(COUNT), .LANES(LANES), .GUARD(PARITY)) u_to (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(load_next), .word_o(to_word), .lane_o(to_lane), .batch_o(to_batch), .wrong_o(wrong_to)
    );
    mn_lane_counter #(.COUNT(COUNT), .LANES(LANES), .GUARD(PARITY)) u_from (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(read_next), .word_o(from_word), .lane_o(from_lane), .batch_o(from_batch), .wrong_o(wrong_from)
    );
    always @(posedge clk_i) begin
        to_word_q    <= to_word;
        to_lane_q    <= to_lane;
        to_batch_q   <= to_batch;
        from_word_q  <= from_word;
        from_lane_q  <= from_lane;
        from_batch_q <= from_batch;
    end
    mn_guard #(.ON(PARITY)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i),
        .given_i(^{to_word, to_lane, to_batch, from_word, from_lane, from_batch}),
        .kept_i(^{to_word_q, to_lane_q, to_batch_q, from_word_q, from_lane_q, from_batch_q}), .wrong_o(wrong_place)
    );

    // the beat and its delayed copies
    wire [TAPS-1:0] tap_valid, tap_last;
    wire [TAPS*BB-1:0] tap_batch;
    assign tap_valid[0] = beat_valid_i;
    assign tap_last[0] = beat_last_i;
    assign tap_batch[0+:BB] = beat_batch_i;

    wire wrong_tap;
    mn_guard #(.ON(PARITY)) u_tap_guard (
        .clk_i(clk_i), .rst_i(rst_i), .wrong_o(wrong_tap),
        .given_i(^{tap_valid, tap_last, tap_batch, tap_valid[TAPS-1], tap_last[TAPS-1], tap_batch[(TAPS-1)*BB+:BB]}),
        .kept_i(^{tap_valid, tap_last, tap_batch, tap_valid[0], tap_last[0], tap_batch[0+:BB]})
    );

    wire [P-1:0] unexpected, missing, parity;
    wire [P*DW-1:0] bank_data;

    genvar t, i, s;
    generate
        for (t = 1; t < TAPS; t = t + 1) begin : gen_tap
            mn_stages #(.W(2 + BB), .N(1), .HEAD(2)) u_tap (
                .clk_i(clk_i), .rst_i(rst_i),
                .d_i({tap_valid[t-1], tap_last[t-1], tap_batch[(t-1)*BB+:BB]}),
                .q_o({tap_valid[t], tap_last[t], tap_batch[t*BB+:BB]})
            );
        end

        for (i = 0; i < P; i = i + 1) begin : gen_port
            localparam HW = i < LW ? LHW : GHW;

            // words that the port sends
            wire [HW+W-1:0] flit;
            if (SOURCE != 0 && TX_ON[i]) begin : gen_send
                localparam [7:0] TAP = TX_TAP[8*i+:8], LANE = TX_LANE[8*i+:8];
                localparam [HW-1:0] HEADER = TX_HEADER[(i<LW?i*LHW:LW*LHW+(i-LW)*GHW)+:HW];
                mn_stream_send #(.WIDTH(W), .AB(BB), .HW(HW), .HEADER(HEADER)) u_send (
                    .clk_i(clk_i),
                    .we_i(load && to_lane_q == LANE[NB-1:0]), .waddr_i(to_batch_q), .wdata_i(load_payload),
                    .row_valid_i(tap_valid[TAP[TW-1:0]] && !(TX_SHORT[i] && tap_last[TAP[TW-1:0]])),
                    .row_address_i(tap_batch[TAP*BB+:BB]), .flit_o(flit)
                );
            end else begin : gen_silent
                assign flit = {HW + W{1'b0}};
            end
            if (i < LW) begin : gen_to_local
                assign tx_local_o[i*(LHW+W)+:LHW+W] = flit;
            end else begin : gen_to_global
                assign tx_global_o[(i-LW)*(GHW+W)+:GHW+W] = flit;
            end

            // words that it receives; a port without a lane must stay idle
            localparam BANK = SOURCE == 0 && RX_ON[i] ? 1 : 0;
            localparam AB = BANK == 0 ? 1 : SLOTS > 1 && RX_ON[(SLOTS-1)*P+i] ? BB + 1 : BB;
            wire [SLOTS-1:0] hit, asked;
            wire [SLOTS*BB-1:0] batch;
            wire [BB:0] row_address = {hit[SLOTS-1] && SLOTS > 1, batch[(SLOTS-1)*BB+:BB] | (SLOTS > 1 ? batch[0+:BB] : {BB{1'b0}})};
            wire [BB:0] raddr = {asked[SLOTS-1] && SLOTS > 1, from_batch_q};
            for (s = 0; s < SLOTS; s = s + 1) begin : gen_slot
                localparam [7:0] TAP = RX_TAP[8*(s*P+i)+:8], LANE = RX_LANE[8*(s*P+i)+:8];
                assign hit[s] = RX_ON[s*P+i] && tap_valid[TAP[TW-1:0]] && !(RX_SHORT[s*P+i] && tap_last[TAP[TW-1:0]]);
                assign batch[s*BB+:BB] = hit[s] ? tap_batch[TAP*BB+:BB] : {BB{1'b0}};
                assign asked[s] = RX_ON[s*P+i] && read && from_lane_q == LANE[NB-1:0];
            end
            mn_receive_port #(.WIDTH(W), .PARITY(PARITY), .AB(AB)) u_receive (
                .clk_i(clk_i),
                .valid_i(rx_valid_i[i]), .data_i(rx_data_i[i*W+:W]),
                .row_valid_i(|hit), .row_address_i(row_address[AB-1:0]),
                .read_i(BANK != 0 && |asked), .raddr_i(raddr[AB-1:0]), .rdata_o(bank_data[i*DW+:DW]),
                .unexpected_o(unexpected[i]), .missing_o(missing[i]), .parity_o(parity[i])
            );
            wire unused_address = &{row_address, raddr};
        end

        // the source keeps the words in their order too, to answer as all do
        wire [W-1:0] home;
        if (SOURCE != 0) begin : gen_home
            mn_gated_bank #(.WIDTH(W), .AB(CB)) u_home (
                .clk_i(clk_i), .we_i(load), .waddr_i(to_word_q), .wdata_i(load_payload),
                .read_i(read), .raddr_i(from_word_q), .rdata_o(home)
            );
        end else begin : gen_far
            assign home = {W{1'b0}};
            wire unused_load = &{load, load_payload, to_word_q, to_lane_q, to_batch_q, from_word_q};
        end
    endgenerate

    generate
        if (PARITY != 0) begin : gen_home_parity
            reg home_q;
            always @(posedge clk_i) home_q <= ^home;
            assign wrong_home = home_q;
        end else begin : gen_no_home_parity
            assign wrong_home = 1'b0;
        end
    endgenerate

    wire        upset = wrong_to || wrong_from || wrong_place || wrong_home || wrong_tap;
    wire        wrong_piece;
    wire [47:0] log;
    wire [ 1:0] program_bits;
    mn_fault_log #(.PORTS(P), .LOG(LOG)) u_log (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .go_i(go_i),
        .conflict_i(conflict_i), .unexpected_i(unexpected), .missing_i(missing), .parity_i(parity),
        .refused_i(go_i && go_swap_i), .wrong_row_i(wrong_row_i || upset || wrong_flit || wrong_piece), .fault_o(fault_o), .status_o(log), .program_o(program_bits)
    );
    wire [DW*8-1:0] pieces = {{DW * 8 - 64{1'b0}}, program_bits, 14'd0, log};

    // the answer to the host: a piece of the status, or the word that was asked
    wire [DW-1:0] piece_d = read_status ? pieces[piece*DW+:DW] : {DW{1'b0}};
    reg  [DW-1:0] piece_q;
    integer b;
    always @* begin
        answer = piece_q | home[DW-1:0];
        for (b = 0; b < P; b = b + 1) answer = answer | bank_data[b*DW+:DW];
    end
    always @(posedge clk_i) piece_q <= piece_d;
    mn_guard #(.ON(PARITY)) u_piece_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(^piece_d), .kept_i(^piece_q), .wrong_o(wrong_piece));

    wire unused = &{unused_program, unused_program_data, tap_batch};
endmodule
`default_nettype wire
