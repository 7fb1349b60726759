`default_nettype none
// A tile of a Swapped Dragonfly: router, endpoint, and the registers on the channels that come in. Every output is a register.
module mn_sv_tile #(
    parameter K      = 2,     // cabinets: global ports
    parameter M      = 3,     // routers a drawer: local ports + 1
    parameter XOR    = 0,     // 1: exclusive-or coordinates
    parameter DW     = 32,    // bits of a word
    parameter PARITY = 0,     // 1: a parity bit travels with each word
    parameter WORDS  = 1,     // words a message
    parameter DOUBLE = 0,     // 1: two buffers
    parameter LOG    = 1,     // 1: the fault log keeps ports and cycles
    parameter TB     = 5,     // bits of a tile number
    parameter LOCAL_STAGES  = 1,  // cycles of a local hop, at least XBAR_STAGES
    parameter GLOBAL_STAGES = 1,  // cycles of a global hop, at least XBAR_STAGES
    parameter XBAR_STAGES   = 1,  // of them in the crossbar: 1, 2 or 3
    parameter BANK_STAGES   = 1,  // registers from a send bank's address to the router: 1, or 2 for slow memories
    // derived, not to be set
    parameter LW  = M - 1,
    parameter W   = DW + PARITY,
    parameter GB  = K > 1 ? $clog2(K) : 1,
    parameter PB  = $clog2(M),
    parameter WP  = WORDS > 1 ? $clog2(WORDS) : 1,
    parameter LRW = LW * (1 + GB + PB),
    parameter GRW = K * (1 + PB),
    parameter FW  = 4 + TB + DW,
    parameter LCW = 1 + M + K + W,
    parameter GCW = M + W
) (
    input  wire              clk_i,
    input  wire              rst_i,
    // coordinates of this tile
    input  wire [    TB-1:0] tile_i,
    input  wire [    GB-1:0] c_i,
    input  wire [    PB-1:0] d_i,
    input  wire [    PB-1:0] p_i,
    // the host ring
    input  wire [    FW-1:0] ring_i,
    output wire [    FW-1:0] ring_o,
    // the program's rows of this cycle (mn_program_table)
    input  wire              go_i,
    input  wire [   LRW-1:0] local_send_i,
    input  wire [   GRW-1:0] global_send_i,
    input  wire [   GRW-1:0] global_receive_i,
    input  wire [   LRW-1:0] local_receive_i,
    input  wire [       3:0] row_valid_i,
    input  wire [       3:0] row_buffer_i,
    input  wire [  4*WP-1:0] row_word_i,
    // pieces of a new program, as they come from the host
    output wire              program_o,
    output wire [    DW-1:0] program_data_o,
    input  wire [      15:0] program_status_i,
    // channels: local port 1 and global port 0 in the low position
    input  wire [LW*LCW-1:0] local_i,
    input  wire [ K*GCW-1:0] global_i,
    output wire [LW*LCW-1:0] local_o,
    output wire [ K*GCW-1:0] global_o,
    // faults so far
    output wire              fault_o
);
    localparam HEADER = 1 + M + K;

    // The reset of the network has a register in each tile to reach, and then one for each part of the tile.
    wire rst, rst_endpoint, wrong_rst;
    mn_late_reset #(.COPIES(2), .GUARD(PARITY)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o({rst_endpoint, rst}), .wrong_o(wrong_rst));

    wire [LW*LCW-1:0] local_in;
    wire [ K*GCW-1:0] global_in;

    genvar i;
    generate
        for (i = 0; i < LW; i = i + 1) begin : gen_local
            mn_stages #(.W(LCW), .N(LOCAL_STAGES - XBAR_STAGES), .HEAD(HEADER)) u_channel (
                .clk_i(clk_i), .rst_i(rst), .d_i(local_i[i*LCW+:LCW]), .q_o(local_in[i*LCW+:LCW])
            );
        end
        for (i = 0; i < K; i = i + 1) begin : gen_global
            mn_stages #(.W(GCW), .N(GLOBAL_STAGES - XBAR_STAGES), .HEAD(M)) u_channel (
                .clk_i(clk_i), .rst_i(rst), .d_i(global_i[i*GCW+:GCW]), .q_o(global_in[i*GCW+:GCW])
            );
        end
    endgenerate

    wire [LW*M-1:0] tx_local_pi;
    wire [LW*K-1:0] tx_local_gamma;
    wire [LW*W-1:0] tx_local_data, rx_local_data;
    wire [ K*M-1:0] tx_global_pi;
    wire [ K*W-1:0] tx_global_data, rx_global_data;
    wire [  LW-1:0] rx_local_valid;
    wire [   K-1:0] rx_global_valid;
    wire [LW+K-1:0] conflict;

    mn_sv_endpoint #(
        .K(K), .M(M), .XOR(XOR), .DW(DW), .PARITY(PARITY), .WORDS(WORDS), .DOUBLE(DOUBLE), .LOG(LOG), .TB(TB),
        .BANK_STAGES(BANK_STAGES), .LATE(XBAR_STAGES == 1 ? 1 : 0)  // a crossbar that is slow and small has such reads
    ) u_endpoint (
        .clk_i(clk_i), .rst_i(rst_endpoint), .tile_i(tile_i), .c_i(c_i), .d_i(d_i), .p_i(p_i),
        .ring_i(ring_i), .ring_o(ring_o),
        .go_i(go_i), .local_send_i(local_send_i), .global_send_i(global_send_i),
        .global_receive_i(global_receive_i), .local_receive_i(local_receive_i),
        .row_valid_i(row_valid_i), .row_buffer_i(row_buffer_i), .row_word_i(row_word_i),
        .program_o(program_o), .program_data_o(program_data_o), .program_status_i({program_status_i[15], program_status_i[14] || wrong_rst, program_status_i[13:0]}),
        .tx_local_pi_o(tx_local_pi), .tx_local_gamma_o(tx_local_gamma), .tx_local_data_o(tx_local_data),
        .tx_global_pi_o(tx_global_pi), .tx_global_data_o(tx_global_data),
        .rx_local_valid_i(rx_local_valid), .rx_local_data_i(rx_local_data),
        .rx_global_valid_i(rx_global_valid), .rx_global_data_i(rx_global_data),
        .conflict_i(conflict), .fault_o(fault_o)
    );

    mn_sv_router #(.K(K), .M(M), .W(W), .XBAR_STAGES(XBAR_STAGES), .GUARD(PARITY)) u_router (
        .clk_i(clk_i), .rst_i(rst),
        .tx_local_pi_i(tx_local_pi), .tx_local_gamma_i(tx_local_gamma), .tx_local_data_i(tx_local_data),
        .tx_global_pi_i(tx_global_pi), .tx_global_data_i(tx_global_data),
        .local_i(local_in), .global_i(global_in), .local_o(local_o), .global_o(global_o),
        .rx_local_valid_o(rx_local_valid), .rx_local_data_o(rx_local_data),
        .rx_global_valid_o(rx_global_valid), .rx_global_data_o(rx_global_data),
        .conflict_o(conflict)
    );
endmodule
`default_nettype wire
