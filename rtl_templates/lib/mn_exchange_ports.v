`default_nettype none
// The ports of a router in exchanges on a hypercube: every word of the program is sent, relayed at intermediate
// routers, and taken at its end, each a fixed number of cycles after its beat. All routers do the same, so the
// program says of a word from this router also how to relay the neighbours' words of the same beat. A row of the
// program is {len, mask h, ..., mask 0, way, burst, last, carry, own, swapped, compare, combine, stage, dimension}.
// Mask h is one-hot: the port of hop h, or the bit above the ports to stay for the time of a local hop; zero behind
// the last hop. In hop 0, `own` and `carry` send over global port 0, too. Input i of a router leads back to where its
// output i leads. `way` is the cycles of all hops. Of ways of several hops, the first is global, the second local if
// there is a third, the third global. Timing: a word in beat cycle t is on its channel's register from t + 2 on, is
// relayed to the next register H cycles later, H being the cycles of a hop, and comes to its end in t + 1 + `way`.
module mn_exchange_ports #(
    parameter K      = 2,   // cabinets: global ports
    parameter M      = 2,   // routers a drawer: local ports + 1
    parameter DW     = 32,  // bits of a word
    parameter PARITY = 0,   // 1: a parity bit travels with each word
    parameter LOCAL_STAGES  = 1,  // cycles of a local hop
    parameter GLOBAL_STAGES = 1,  // cycles of a global hop
    parameter HOPS   = 1,   // hops of the longest way
    parameter STAY   = 0,   // 1: words stay
    parameter DEPTH  = 1,   // cycles of the longest way
    parameter [DEPTH:0] ARRIVE = {DEPTH + 1{1'b1}},  // bit t: there are ways of t cycles
    parameter AB     = 1,   // bits of a word's number
    parameter RB     = 42,  // bits of a row
    // derived, not to be set
    parameter P  = M - 1 + K,
    parameter W  = DW + PARITY
) (
    input  wire               clk_i,
    input  wire               rst_i,
    // number of this cycle's word, and one cycle later its value
    input  wire               beat_valid_i,
    input  wire [     AB-1:0] beat_word_i,
    input  wire [     RB-1:0] beat_row_i,
    input  wire [     DW-1:0] value_i,
    input  wire [     DW-1:0] carry_i,
    // channels: {valid, payload}, local ports first
    output wire [P*(W+1)-1:0] tx_o,
    input  wire [P*(W+1)-1:0] rx_i,
    // the word that comes to its end in the next cycle
    output wire               next_valid_o,
    output wire [     AB-1:0] next_word_o,
    // this cycle's word: its row, the word from the neighbour, and the word over global port 0
    output wire               valid_o,
    output wire [     AB-1:0] word_o,
    output wire [     RB-1:0] row_o,
    output wire [     DW-1:0] other_o,
    output wire [     DW-1:0] swap_o,
    // faults by port
    output wire [      P-1:0] conflict_o,
    output wire [      P-1:0] unexpected_o,
    output wire [      P-1:0] missing_o,
    output wire [      P-1:0] parity_o,
    // with PARITY: a bit of a beat has flipped
    output wire               wrong_o
);
    localparam Z = M - 1;  // the port of the swap
    localparam Q = P + STAY;
    localparam CW = W + 1;
    localparam BW = 1 + AB + RB;
    // a row's fields
    localparam OWN = 13, CARRY = 14, WAY = 17, MASK = 24;

    // ---- the beat and its delayed copies: tap t is t cycles later ----
    wire [(DEPTH+1)*BW-1:0] tap;
    wire [(DEPTH+1)*BW-1:0] coming;  // those of words at their end in the next cycle, all others 0
    assign tap[0+:BW] = {beat_valid_i, beat_word_i, beat_row_i};
    assign coming[0+:BW] = {BW{1'b0}};
    genvar t, i, h;
    generate
        for (t = 1; t <= DEPTH; t = t + 1) begin : gen_tap
            mn_stages #(.W(BW), .N(1), .HEAD(1)) u_tap (
                .clk_i(clk_i), .rst_i(rst_i), .d_i(tap[(t-1)*BW+:BW]), .q_o(tap[t*BW+:BW])
            );
            if (ARRIVE[t]) begin : gen_arrive
                wire hit = tap[t*BW+BW-1] && {25'd0, tap[t*BW+WAY+:7]} == t;
                assign coming[t*BW+:BW] = tap[t*BW+:BW] & {BW{hit}};
            end else begin : gen_not
                assign coming[t*BW+:BW] = {BW{1'b0}};
            end
        end
    endgenerate

    // the word that is next at its end, and the input of its last hop
    reg     [BW-1:0] next;
    reg     [ Q-1:0] last_hop;
    integer          a;
    always @* begin
        next = {BW{1'b0}};
        for (a = 1; a <= DEPTH; a = a + 1) next = next | coming[a*BW+:BW];
        last_hop = next[MASK+:Q];
        for (a = 1; a < HOPS; a = a + 1) if (|next[MASK+a*Q+:Q]) last_hop = next[MASK+a*Q+:Q];
    end
    reg              now_q;
    reg     [BW-2:0] beat_q;
    reg     [ Q-1:0] from_q;
    always @(posedge clk_i) begin
        now_q  <= !rst_i && next[BW-1];
        beat_q <= next[BW-2:0];
        from_q <= last_hop;
    end
    mn_guard #(.ON(PARITY)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{tap[0+:DEPTH*BW], next, last_hop}),
        .kept_i(^{tap[BW+:DEPTH*BW], now_q, beat_q, from_q}), .wrong_o(wrong_o)
    );
    assign next_valid_o = next[BW-1];
    assign next_word_o  = next[RB+:AB];
    assign valid_o = now_q;
    assign word_o  = beat_q[RB+:AB];
    assign row_o   = beat_q[RB-1:0];

    // ---- relays: a word that is not at its end goes from input to output in the cycle in which it comes ----
    wire [Q*CW-1:0] rx;
    wire [HOPS*CW-1:0] bus;         // what relay h carries; hop 0 has none
    wire [HOPS*Q-1:0] takes, gives;  // from which input, to which output; hop 0 has no input
    assign rx[0+:P*CW] = rx_i;
    assign bus[0+:CW]  = {CW{1'b0}};
    assign takes[0+:Q] = {Q{1'b0}};
    assign gives[0+:Q] = tap[BW+MASK+:Q] & {Q{tap[BW+BW-1]}};
    generate
        for (h = 1; h < HOPS; h = h + 1) begin : gen_relay
            // the cycles of the hops before: a global one, a local one, a global one
            localparam AT = 1 + (h > 2 ? 2 : 1) * GLOBAL_STAGES + (h > 1 ? LOCAL_STAGES : 0);
            wire       on = tap[AT*BW+BW-1] && |tap[AT*BW+MASK+h*Q+:Q];
            assign takes[h*Q+:Q] = tap[AT*BW+MASK+(h-1)*Q+:Q] & {Q{on}};
            assign gives[h*Q+:Q] = tap[AT*BW+MASK+h*Q+:Q] & {Q{on}};
            reg [CW-1:0] word;
            integer      n;
            always @* begin
                word = {CW{1'b0}};
                for (n = 0; n < Q; n = n + 1) word = word | (rx[n*CW+:CW] & {CW{takes[h*Q+n]}});
            end
            assign bus[h*CW+:CW] = word;
        end
    endgenerate

    // ---- outputs: the word of this router, or that of a relay ----
    wire          swap = tap[BW+BW-1] && (tap[BW+OWN] || tap[BW+CARRY]);
    wire [DW-1:0] swap_data = tap[BW+CARRY] ? carry_i : value_i;
    wire [Q*CW-1:0] tx;
    generate
        for (i = 0; i < Q; i = i + 1) begin : gen_output
            localparam SWAP = i == Z ? 1 : 0;
            wire            on = gives[i] || (SWAP != 0 && swap);
            wire [  DW-1:0] data = (SWAP != 0 && swap ? swap_data : value_i) & {DW{on}};
            wire [HOPS-1:0] wants;
            for (h = 0; h < HOPS; h = h + 1) begin : gen_hop
                assign wants[h] = h == 0 ? on : gives[h*Q+i];
            end
            reg  [CW-1:0] word;
            integer       n;
            always @* begin
                word = {CW{1'b0}};
                word[DW-1:0] = data;
                if (PARITY != 0) word[W-1] = ^data;
                word[W] = on;
                for (n = 1; n < HOPS; n = n + 1) word = word | (bus[n*CW+:CW] & {CW{wants[n]}});
            end
            reg           on_q;
            reg  [ W-1:0] payload_q;
            always @(posedge clk_i) begin
                on_q      <= !rst_i && word[W];
                payload_q <= word[W-1:0];
            end
            assign tx[i*CW+:CW] = {on_q, payload_q};
            if (i < P) begin : gen_conflict
                assign conflict_o[i] = |(wants & (wants - 1'b1));
            end
        end
        if (STAY != 0) begin : gen_stay
            mn_stages #(.W(CW), .N(LOCAL_STAGES - 1), .HEAD(1)) u_stay (
                .clk_i(clk_i), .rst_i(rst_i), .d_i(tx[(Q-1)*CW+:CW]), .q_o(rx[(Q-1)*CW+:CW])
            );
        end
    endgenerate
    assign tx_o = tx[0+:P*CW];

    // ---- inputs: expected words, and arriving words ----
    wire [P*DW-1:0] other;
    generate
        for (i = 0; i < P; i = i + 1) begin : gen_port
            localparam SWAP = i == Z ? 1 : 0;
            wire [HOPS-1:0] goes_on;
            for (h = 0; h < HOPS; h = h + 1) begin : gen_hop
                assign goes_on[h] = takes[h*Q+i];
            end
            // a word that has stayed last came over global port 0
            wire          stayed = SWAP != 0 && STAY != 0 && now_q && from_q[Q-1];
            wire          ends = now_q && (from_q[i] || (SWAP != 0 && (beat_q[OWN] || beat_q[CARRY])));
            wire          expected = ends || |goes_on;
            wire          valid = rx_i[i*CW+W];
            // word that the router takes
            wire          taken = stayed ? rx[(Q-1)*CW+W] : ends && valid;
            wire [ W-1:0] taken_payload = stayed ? rx[(Q-1)*CW+:W] : rx_i[i*CW+:W];
            assign other[i*DW+:DW] = taken_payload[DW-1:0] & {DW{from_q[i] || stayed}};
            if (SWAP != 0) begin : gen_swap
                assign swap_o = taken_payload[DW-1:0];
            end
            assign unexpected_o[i] = valid && !expected;
            assign missing_o[i]    = expected && !valid;
            assign parity_o[i]     = PARITY != 0 && ^rx_i[i*CW+:W];
            wire unused_taken = &{taken, taken_payload};
        end
    endgenerate
    reg [DW-1:0] any;
    integer b;
    always @* begin
        any = {DW{1'b0}};
        for (b = 0; b < P; b = b + 1) any = any | other[b*DW+:DW];
    end
    assign other_o = any;

    wire unused = &{tap, takes[0+:Q], bus[0+:CW]};
endmodule
`default_nettype wire
