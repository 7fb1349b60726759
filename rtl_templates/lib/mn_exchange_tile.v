`default_nettype none
// A tile of a Swapped Dragonfly for exchanges on its hypercube: endpoint with its program, and the registers on the channels that come
// in. Every output is a register.
module mn_exchange_tile #(
    parameter K      = 2,   // cabinets: global ports
    parameter M      = 2,   // routers a drawer: local ports + 1
    parameter DW     = 32,  // bits of a word
    parameter PARITY = 0,   // 1: a parity bit travels with each word
    parameter LOG    = 1,   // 1: the fault log keeps ports and cycles
    parameter TB     = 5,   // bits of a tile number
    parameter WORDS  = 1,   // words a node
    parameter LOCAL_STAGES  = 1,  // cycles of a local hop
    parameter GLOBAL_STAGES = 1,  // cycles of a global hop
    parameter SCAN   = 0,   // see mn_exchange_endpoint
    parameter OP     = 0,   // likewise
    parameter HOPS   = 1,   // see mn_exchange_ports, as the next three
    parameter STAY   = 0,
    parameter DEPTH  = 1,
    parameter [DEPTH:0] ARRIVE = {DEPTH + 1{1'b1}},
    parameter STEPS  = 2,   // steps of the program
    parameter LB     = 16,  // bits of the cycles of a step
    parameter FILE   = "",  // image of the program
    parameter COUNTER = 0,  // 1: counters instead of the image; see mn_exchange_counter for what follows
    parameter FAMILY = 0,
    parameter KIND   = 0,
    parameter [17*LB-1:0] LENGTHS = {17 * LB{1'b0}},
    parameter [31:0] HOME = 0,  // the router's own node
    parameter [31:0] AWAY = 0,  // the node that is here when nodes are swapped
    // derived, not to be set
    parameter LW = M - 1,
    parameter P  = LW + K,
    parameter CW = DW + PARITY + 1,
    parameter FW = 4 + TB + DW
) (
    input  wire             clk_i,
    input  wire             rst_i,
    // coordinates of this tile
    input  wire [   TB-1:0] tile_i,
    // the host ring
    input  wire [   FW-1:0] ring_i,
    output wire [   FW-1:0] ring_o,
    // start and end of the collective
    input  wire             go_i,
    input  wire             go_swap_i,
    output wire             done_o,
    // channels: local port 1 and global port 0 in the low position
    input  wire [LW*CW-1:0] local_i,
    input  wire [ K*CW-1:0] global_i,
    output wire [LW*CW-1:0] local_o,
    output wire [ K*CW-1:0] global_o,
    // faults so far
    output wire             fault_o
);
    localparam RB = LB + HOPS * (P + STAY) + 24;
    localparam AB = WORDS > 1 ? $clog2(WORDS) : 1;

    // The reset of the network has a register in each tile to reach, and then one for each part of the tile.
    wire rst, rst_endpoint, wrong_rst;
    mn_late_reset #(.COPIES(2), .GUARD(PARITY)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o({rst_endpoint, rst}), .wrong_o(wrong_rst));

    wire [P*CW-1:0] rx, tx;
    wire            beat_valid, wrong_row;
    wire [  AB-1:0] beat_word;
    wire [  RB-1:0] beat_row;

    genvar i;
    generate
        for (i = 0; i < LW; i = i + 1) begin : gen_local
            mn_stages #(.W(CW), .N(LOCAL_STAGES - 1), .HEAD(1)) u_channel (
                .clk_i(clk_i), .rst_i(rst), .d_i(local_i[i*CW+:CW]), .q_o(rx[i*CW+:CW])
            );
        end
        for (i = 0; i < K; i = i + 1) begin : gen_global
            mn_stages #(.W(CW), .N(GLOBAL_STAGES - 1), .HEAD(1)) u_channel (
                .clk_i(clk_i), .rst_i(rst), .d_i(global_i[i*CW+:CW]), .q_o(rx[(LW+i)*CW+:CW])
            );
        end
    endgenerate

    mn_exchange_program #(
        .WORDS(WORDS), .STEPS(STEPS), .RB(RB), .LB(LB), .FILE(FILE), .GUARD(PARITY), .COUNTER(COUNTER), .K(K), .M(M),
        .LOCAL_STAGES(LOCAL_STAGES), .GLOBAL_STAGES(GLOBAL_STAGES), .FAMILY(FAMILY), .KIND(KIND), .LENGTHS(LENGTHS)
    ) u_program (
        .clk_i(clk_i), .rst_i(rst_endpoint), .go_i(go_i),
        .valid_o(beat_valid), .word_o(beat_word), .row_o(beat_row), .wrong_o(wrong_row)
    );

    mn_exchange_endpoint #(
        .K(K), .M(M), .DW(DW), .PARITY(PARITY), .LOG(LOG), .TB(TB), .WORDS(WORDS), .LOCAL_STAGES(LOCAL_STAGES),
        .GLOBAL_STAGES(GLOBAL_STAGES), .SCAN(SCAN), .OP(OP), .HOME(HOME), .AWAY(AWAY),
        .HOPS(HOPS), .STAY(STAY), .DEPTH(DEPTH), .ARRIVE(ARRIVE), .RB(RB)
    ) u_endpoint (
        .clk_i(clk_i), .rst_i(rst_endpoint), .tile_i(tile_i), .ring_i(ring_i), .ring_o(ring_o),
        .go_i(go_i), .go_swap_i(go_swap_i), .wrong_row_i(wrong_row || wrong_rst), .beat_valid_i(beat_valid), .beat_word_i(beat_word), .beat_row_i(beat_row),
        .tx_o(tx), .rx_i(rx), .done_o(done_o), .fault_o(fault_o)
    );
    assign local_o  = tx[LW*CW-1:0];
    assign global_o = tx[P*CW-1:LW*CW];
endmodule
`default_nettype wire
