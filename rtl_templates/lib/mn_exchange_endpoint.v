`default_nettype none
// The endpoint of a router in exchanges on a hypercube: all-reduce, prefix scan or bitonic sort of WORDS words a
// node. In every step each router sends its value to the neighbour in a dimension. Where nodes change places, it
// sends its own value or carry over global port 0. Words that arrive are combined and stored. With the last step the
// results take the place of the words that were loaded. A word that comes to its end in cycle t (mn_exchange_ports)
// can be sent again by a beat in t + 2.
module mn_exchange_endpoint #(
    parameter K      = 2,   // cabinets: global ports
    parameter M      = 2,   // routers a drawer: local ports + 1
    parameter DW     = 32,  // bits of a word
    parameter PARITY = 0,   // 1: a parity bit travels with each word
    parameter LOG    = 1,   // 1: the fault log keeps ports and cycles
    parameter TB     = 5,   // bits of a tile number
    parameter WORDS  = 1,   // words a node
    parameter LOCAL_STAGES  = 1,  // cycles of a local hop
    parameter GLOBAL_STAGES = 1,  // cycles of a global hop
    parameter SCAN   = 0,   // 1: prefix scan, which keeps a prefix and a carry of each word
    parameter OP     = 0,   // operator: 0 sum, 1 min, 2 max, 3 exclusive or
    parameter [31:0] HOME = 0,  // the router's own node
    parameter [31:0] AWAY = 0,  // the node that is here when nodes are swapped
    parameter HOPS   = 1,   // see mn_exchange_ports, as the next four
    parameter STAY   = 0,
    parameter DEPTH  = 1,
    parameter [DEPTH:0] ARRIVE = {DEPTH + 1{1'b1}},
    parameter RB     = 42,
    // derived, not to be set
    parameter P  = M - 1 + K,
    parameter W  = DW + PARITY,
    parameter FW = 4 + TB + DW,
    parameter AB = WORDS > 1 ? $clog2(WORDS) : 1
) (
    input  wire               clk_i,
    input  wire               rst_i,
    input  wire [     TB-1:0] tile_i,
    // the host ring
    input  wire [     FW-1:0] ring_i,
    output wire [     FW-1:0] ring_o,
    // start of the collective, and the word of this cycle (mn_exchange_program)
    input  wire               go_i,
    input  wire               go_swap_i,  // with another program, which there is none of
    input  wire               wrong_row_i,  // a row of the slot table was none of the network's
    input  wire               beat_valid_i,
    input  wire [     AB-1:0] beat_word_i,
    input  wire [     RB-1:0] beat_row_i,
    // channels: {valid, payload}, local ports first
    output wire [P*(W+1)-1:0] tx_o,
    input  wire [P*(W+1)-1:0] rx_i,
    // the last word is kept
    output wire               done_o,
    // faults so far
    output wire               fault_o
);
    localparam [31:0] WORD_LAST = WORDS - 1;
    // a row's fields
    localparam COMBINE = 10, COMPARE = 11, SWAPPED = 12, OWN = 13, CARRY = 14, LAST = 15;

    function [DW-1:0] combined(input [DW-1:0] a, input [DW-1:0] b);
        case (OP)
            0: combined = a + b;
            1: combined = a < b ? a : b;
            2: combined = a < b ? b : a;
            default: combined = a ^ b;
        endcase
    endfunction
    // a word as it is kept
    function [W-1:0] with_parity(input [DW-1:0] word);
        begin
            with_parity = {W{1'b0}};
            with_parity[W-1] = ^word;
            with_parity[DW-1:0] = word;
        end
    endfunction
    localparam [DW-1:0] IDENTITY = OP == 1 ? {DW{1'b1}} : {DW{1'b0}};

    // ---- the host ----
    wire          load_next, load, read_next, read, read_status, clear, unused_program;
    wire          wrong_flit;
    wire [DW-1:0] load_data, unused_program_data;
    wire [   2:0] piece;
    wire [DW-1:0] answer;
    mn_ring_stop #(.DW(DW), .TB(TB), .GUARD(PARITY)) u_stop (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(tile_i), .ring_i(ring_i), .ring_o(ring_o),
        .load_next_o(load_next), .load_o(load), .load_data_o(load_data),
        .read_next_o(read_next), .read_o(read), .status_o(read_status), .piece_o(piece), .answer_i(answer),
        .program_o(unused_program), .program_data_o(unused_program_data), .clear_o(clear),
        .wrong_o(wrong_flit)
    );
    wire [AB-1:0] to_word, from_word;
    wire          unused_to_lane, unused_from_lane;
    wire [AB-1:0] unused_to_batch, unused_from_batch;
    reg  [AB-1:0] to_word_q, from_word_q;
    wire wrong_to, wrong_from, wrong_place, wrong_value, wrong_beat, wrong_kept;
    mn_lane_counter #(.COUNT(WORDS), .LANES(1), .GUARD(PARITY)) u_to (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(load_next), .wrong_o(wrong_to),
        .word_o(to_word), .lane_o(unused_to_lane), .batch_o(unused_to_batch)
    );
    mn_lane_counter #(.COUNT(WORDS), .LANES(1), .GUARD(PARITY)) u_from (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(read_next), .wrong_o(wrong_from),
        .word_o(from_word), .lane_o(unused_from_lane), .batch_o(unused_from_batch)
    );
    always @(posedge clk_i) begin
        to_word_q   <= to_word;
        from_word_q <= from_word;
    end
    mn_guard #(.ON(PARITY)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{to_word, from_word}), .kept_i(^{to_word_q, from_word_q}), .wrong_o(wrong_place)
    );

    // ---- the ports ----
    wire          next_valid, now_valid;
    wire [AB-1:0] next_word, now_word;
    wire [RB-1:0] now;
    wire [DW-1:0] value_sent, carry_sent, other, swap_in;
    wire [ P-1:0] conflict, unexpected, missing, parity;
    mn_exchange_ports #(
        .K(K), .M(M), .DW(DW), .PARITY(PARITY), .LOCAL_STAGES(LOCAL_STAGES), .GLOBAL_STAGES(GLOBAL_STAGES),
        .HOPS(HOPS), .STAY(STAY), .DEPTH(DEPTH), .ARRIVE(ARRIVE), .AB(AB), .RB(RB)
    ) u_ports (
        .clk_i(clk_i), .rst_i(rst_i), .beat_valid_i(beat_valid_i), .beat_word_i(beat_word_i), .beat_row_i(beat_row_i),
        .value_i(value_sent), .carry_i(carry_sent), .tx_o(tx_o), .rx_i(rx_i),
        .next_valid_o(next_valid), .next_word_o(next_word),
        .valid_o(now_valid), .word_o(now_word), .row_o(now), .other_o(other), .swap_o(swap_in),
        .conflict_o(conflict), .unexpected_o(unexpected), .missing_o(missing), .parity_o(parity), .wrong_o(wrong_beat)
    );
    wire [  31:0] node = now[SWAPPED] ? AWAY : HOME;
    wire          bit_set = node[now[4:0]], stage_set = node[now[9:5]];

    // ---- registers of each word; a word is written the cycle after it has come ----
    reg           value_we_q, prefix_we_q, carry_we_q;
    reg  [AB-1:0] word_q;
    reg  [W-1:0] value_q, prefix_q, carry_q;
    // words as they are kept, with their parity
    wire [W-1:0] kept_sent, kept_carry_sent, kept_value, kept_prefix, kept_carry;
    wire [DW-1:0] value_here = kept_value[DW-1:0], prefix_here = kept_prefix[DW-1:0], carry_here = kept_carry[DW-1:0];
    assign value_sent = kept_sent[DW-1:0];
    assign carry_sent = kept_carry_sent[DW-1:0];
    wire [AB-1:0] here = next_valid ? next_word : from_word_q;
    wire [AB-1:0] waddr = load ? to_word_q : word_q;
    wire [W-1:0] loaded = with_parity(load_data);
    wire [W-1:0] value_d = load ? loaded : value_q;
    mn_bank #(.WIDTH(W), .AB(AB)) u_value_sent (
        .clk_i(clk_i), .we_i(load || value_we_q), .waddr_i(waddr), .wdata_i(value_d),
        .raddr_i(beat_word_i), .rdata_o(kept_sent)
    );
    mn_bank #(.WIDTH(W), .AB(AB)) u_value_here (
        .clk_i(clk_i), .we_i(load || value_we_q), .waddr_i(waddr), .wdata_i(value_d),
        .raddr_i(here), .rdata_o(kept_value)
    );
    generate
        if (SCAN != 0) begin : gen_scan
            wire [W-1:0] carry_d = load ? with_parity(IDENTITY) : carry_q;
            mn_bank #(.WIDTH(W), .AB(AB)) u_prefix (
                .clk_i(clk_i), .we_i(load || prefix_we_q), .waddr_i(waddr), .wdata_i(load ? loaded : prefix_q),
                .raddr_i(here), .rdata_o(kept_prefix)
            );
            mn_bank #(.WIDTH(W), .AB(AB)) u_carry_sent (
                .clk_i(clk_i), .we_i(load || carry_we_q), .waddr_i(waddr), .wdata_i(carry_d),
                .raddr_i(beat_word_i), .rdata_o(kept_carry_sent)
            );
            mn_bank #(.WIDTH(W), .AB(AB)) u_carry_here (
                .clk_i(clk_i), .we_i(load || carry_we_q), .waddr_i(waddr), .wdata_i(carry_d),
                .raddr_i(here), .rdata_o(kept_carry)
            );
        end else begin : gen_no_scan
            assign kept_prefix = {W{1'b0}};
            assign kept_carry_sent = {W{1'b0}};
            assign kept_carry = {W{1'b0}};
            wire unused_scan = &{prefix_we_q, carry_we_q, prefix_q, carry_q};
        end
    endgenerate

    // ---- the operator ----
    wire [DW-1:0] own = now[OWN] ? swap_in : value_here;
    wire          smaller = bit_set == stage_set;
    wire          takes = now[COMBINE] && bit_set;
    wire [DW-1:0] value = now[COMBINE] ? combined(own, other) : now[COMPARE] && (own < other) != smaller ? other : own;
    wire [DW-1:0] taking = takes && !now[SWAPPED] ? combined(prefix_here, other) : prefix_here;
    wire [DW-1:0] prefix = now[CARRY] ? combined(taking, swap_in) : taking;
    reg           done_q;
    wire          prefix_we = now_valid && (now[CARRY] || (takes && !now[SWAPPED]));
    wire          carry_we  = now_valid && (now[LAST] || (takes && now[SWAPPED]));
    always @(posedge clk_i) begin
        word_q      <= now_word;
        value_q     <= with_parity(SCAN != 0 && now[LAST] ? prefix : value);
        prefix_q    <= with_parity(prefix);
        carry_q     <= with_parity(now[LAST] ? IDENTITY : combined(carry_here, other));
        value_we_q  <= !rst_i && now_valid;
        prefix_we_q <= !rst_i && prefix_we;
        carry_we_q  <= !rst_i && carry_we;
        done_q      <= !rst_i && now_valid && now[LAST] && now_word == WORD_LAST[AB-1:0];
    end
    assign done_o = done_q;

    // ---- faults, and answers to the host ----
    wire        upset = wrong_to || wrong_from || wrong_place || wrong_value || wrong_beat || wrong_kept;
    wire [47:0] log;
    wire [ 1:0] program_bits;
    mn_fault_log #(.PORTS(P), .LOG(LOG)) u_log (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .go_i(go_i),
        .conflict_i(conflict), .unexpected_i(unexpected), .missing_i(missing), .parity_i(parity),
        .refused_i(go_i && go_swap_i), .wrong_row_i(wrong_row_i || upset || wrong_flit), .fault_o(fault_o), .status_o(log), .program_o(program_bits)
    );
    wire [DW*8-1:0] pieces = {{DW * 8 - 64{1'b0}}, program_bits, 14'd0, log};
    wire [DW-1:0] piece_d = read_status ? pieces[piece*DW+:DW] : {DW{1'b0}};
    reg  [DW-1:0] piece_q;
    reg           read_q;
    always @(posedge clk_i) begin
        read_q  <= read;
        piece_q <= piece_d;
    end
    mn_guard #(.ON(PARITY)) u_kept_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{now_word, now_valid, prefix_we, carry_we, read, piece_d}),
        .kept_i(^{word_q, value_we_q, prefix_we_q, carry_we_q, read_q, piece_q}), .wrong_o(wrong_kept)
    );
    assign answer = piece_q | (value_here & {DW{read_q}});

    // words that are used have the parity with which they were kept
    generate
        if (PARITY != 0) begin : gen_kept
            reg sent_q, wrong_q;
            always @(posedge clk_i) begin
                sent_q  <= !rst_i && beat_valid_i;
                wrong_q <= !rst_i && ((sent_q && (^kept_sent || ^kept_carry_sent))
                                      || (now_valid && (^kept_value || ^kept_prefix || ^kept_carry)) || (read_q && ^kept_value));
            end
            assign wrong_value = wrong_q;
        end else begin : gen_not_kept
            assign wrong_value = 1'b0;
        end
    endgenerate

    wire unused = &{unused_program, unused_program_data, unused_to_lane, unused_from_lane, unused_to_batch, unused_from_batch,
                    now, node};
endmodule
`default_nettype wire
