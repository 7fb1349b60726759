`default_nettype none
// The endpoint of a Swapped Dragonfly router: send and receive memories banked by port, so that injection and ejection
// need no crossbar. A word with source vector (gamma,pi,delta) waits in the send bank of its first hop: local port
// delta, or global port gamma if delta = 0. It ends in the receive bank of its last hop: local port pi, or global
// port gamma if pi = 0.
module mn_sv_endpoint #(
    parameter K      = 2,     // cabinets: global ports
    parameter M      = 3,     // routers a drawer: local ports + 1
    parameter XOR    = 0,     // 1: exclusive-or coordinates
    parameter DW     = 32,    // bits of a word
    parameter PARITY = 0,     // 1: a parity bit travels with each word
    parameter WORDS  = 1,     // words a message
    parameter DOUBLE = 0,     // 1: two buffers
    parameter LOG    = 1,     // 1: the fault log keeps ports and cycles
    parameter TB     = 5,     // bits of a tile number
    parameter BANK_STAGES = 1,  // registers from a send bank's address to the router: 1, or 2 for slow memories
    parameter LATE   = 0,   // 1: fewer registers for the host's reads, see mn_gated_bank
    // derived, not to be set
    parameter LW  = M - 1,
    parameter W   = DW + PARITY,
    parameter GB  = K > 1 ? $clog2(K) : 1,
    parameter PB  = $clog2(M),
    parameter WP  = WORDS > 1 ? $clog2(WORDS) : 1,
    parameter LRW = LW * (1 + GB + PB),
    parameter GRW = K * (1 + PB),
    parameter FW  = 4 + TB + DW
) (
    input  wire            clk_i,
    input  wire            rst_i,
    // coordinates of this tile
    input  wire [  TB-1:0] tile_i,
    input  wire [  GB-1:0] c_i,
    input  wire [  PB-1:0] d_i,
    input  wire [  PB-1:0] p_i,
    // the host ring
    input  wire [  FW-1:0] ring_i,
    output wire [  FW-1:0] ring_o,
    // the program's rows of this cycle (mn_program_table)
    input  wire            go_i,
    input  wire [ LRW-1:0] local_send_i,
    input  wire [ GRW-1:0] global_send_i,
    input  wire [ GRW-1:0] global_receive_i,
    input  wire [ LRW-1:0] local_receive_i,
    input  wire [     3:0] row_valid_i,
    input  wire [     3:0] row_buffer_i,
    input  wire [4*WP-1:0] row_word_i,
    // pieces of a new program, as they come from the host
    output wire            program_o,
    output wire [  DW-1:0] program_data_o,
    input  wire [    15:0] program_status_i,
    // to the router's send side
    output wire [LW*M-1:0] tx_local_pi_o,
    output wire [LW*K-1:0] tx_local_gamma_o,
    output wire [LW*W-1:0] tx_local_data_o,
    output wire [ K*M-1:0] tx_global_pi_o,
    output wire [ K*W-1:0] tx_global_data_o,
    // from the router's receive side
    input  wire [  LW-1:0] rx_local_valid_i,
    input  wire [LW*W-1:0] rx_local_data_i,
    input  wire [   K-1:0] rx_global_valid_i,
    input  wire [ K*W-1:0] rx_global_data_i,
    input  wire [LW+K-1:0] conflict_i,
    // faults so far
    output wire            fault_o
);
    localparam IG = K > 1 ? GB : 0;     // index bits that gamma takes
    localparam WB = WORDS > 1 ? WP : 0;
    localparam LAB = IG + PB + WB + DOUBLE;
    localparam GAB = PB + WB + DOUBLE;

    wire          load_buffer, read_buffer, clear;
    wire [WP-1:0] load_word, read_word;
    wire [GB-1:0] load_gamma, read_gamma;
    wire [PB-1:0] load_pi, read_pi, read_delta;
    wire [LW-1:0] load_local;
    wire [ K-1:0] load_global;
    wire          wrong_flit;
    wire [DW-1:0] load_data;
    wire [   2:0] piece;
    wire          read, read_status;
    reg  [DW-1:0] answer;

    wire load_next, read_next, wrong_address;
    wire unused_load;  // the banks have their own write enables, a register from the memory

    mn_ring_stop #(.DW(DW), .TB(TB), .GUARD(PARITY)) u_stop (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(tile_i), .ring_i(ring_i), .ring_o(ring_o),
        .load_next_o(load_next), .load_o(unused_load), .load_data_o(load_data),
        .read_next_o(read_next), .read_o(read), .status_o(read_status), .piece_o(piece), .answer_i(answer),
        .program_o(program_o), .program_data_o(program_data_o), .clear_o(clear),
        .wrong_o(wrong_flit)
    );
    mn_message_address #(.K(K), .M(M), .XOR(XOR), .WORDS(WORDS), .DOUBLE(DOUBLE), .GUARD(PARITY)) u_address (
        .clk_i(clk_i), .rst_i(rst_i), .c_i(c_i), .d_i(d_i), .p_i(p_i),
        .load_next_i(load_next), .load_local_o(load_local), .load_global_o(load_global),
        .load_buffer_o(load_buffer), .load_word_o(load_word), .load_gamma_o(load_gamma), .load_pi_o(load_pi),
        .read_next_i(read_next), .read_buffer_o(read_buffer), .read_word_o(read_word), .read_gamma_o(read_gamma),
        .read_pi_o(read_pi), .read_delta_o(read_delta), .wrong_o(wrong_address)
    );

    wire [W-1:0] load_payload;
    generate
        if (PARITY != 0) begin : gen_parity
            assign load_payload = {^load_data, load_data};
        end else begin : gen_no_parity
            assign load_payload = load_data;
        end
    endgenerate

    wire [  LW+K-1:0] unexpected, missing, parity;
    wire [(LW+K)*DW-1:0] bank_data;

    genvar x, g;
    generate
        for (x = 1; x < M; x = x + 1) begin : gen_local
            localparam [31:0] PORT = x;
            localparam AT = (x - 1) * (1 + GB + PB);

            // send bank of local port x
            wire [GB-1:0] send_gamma = local_send_i[AT+PB+:GB];
            wire [PB-1:0] send_pi    = local_send_i[AT+:PB];
            wire [LAB-1:0] fill_address, send_address;
            wire [M+K-1:0] header;

            mn_bank_address #(.IG(IG), .PB(PB), .WB(WB), .DOUBLE(DOUBLE)) u_fill (
                .buffer_i(load_buffer), .word_i(load_word), .gamma_i(load_gamma), .other_i(load_pi),
                .address_o(fill_address)
            );
            mn_bank_address #(.IG(IG), .PB(PB), .WB(WB), .DOUBLE(DOUBLE)) u_send_address (
                .buffer_i(row_buffer_i[0]), .word_i(row_word_i[0*WP+:WP]), .gamma_i(send_gamma), .other_i(send_pi),
                .address_o(send_address)
            );
            mn_send_port #(.WIDTH(W), .AB(LAB), .M(M), .K(K), .STAGES(BANK_STAGES)) u_send (
                .clk_i(clk_i),
                .we_i(load_local[x-1]), .waddr_i(fill_address), .wdata_i(load_payload),
                .row_valid_i(row_valid_i[0] && local_send_i[AT+GB+PB]), .row_address_i(send_address),
                .row_pi_i(send_pi), .row_gamma_i(send_gamma),
                .header_o(header), .data_o(tx_local_data_o[(x-1)*W+:W])
            );
            assign tx_local_pi_o[(x-1)*M+:M]    = header[K+:M];
            assign tx_local_gamma_o[(x-1)*K+:K] = header[0+:K];

            // receive bank of local port x
            wire [GB-1:0] receive_gamma = local_receive_i[AT+PB+:GB];
            wire [PB-1:0] receive_delta = local_receive_i[AT+:PB];
            wire [LAB-1:0] receive_address, read_address;

            mn_bank_address #(.IG(IG), .PB(PB), .WB(WB), .DOUBLE(DOUBLE)) u_receive_address (
                .buffer_i(row_buffer_i[3]), .word_i(row_word_i[3*WP+:WP]),
                .gamma_i(receive_gamma), .other_i(receive_delta), .address_o(receive_address)
            );
            mn_bank_address #(.IG(IG), .PB(PB), .WB(WB), .DOUBLE(DOUBLE)) u_read (
                .buffer_i(read_buffer), .word_i(read_word), .gamma_i(read_gamma), .other_i(read_delta),
                .address_o(read_address)
            );
            mn_receive_port #(.WIDTH(W), .PARITY(PARITY), .AB(LAB), .LATE(LATE)) u_receive (
                .clk_i(clk_i),
                .valid_i(rx_local_valid_i[x-1]), .data_i(rx_local_data_i[(x-1)*W+:W]),
                .row_valid_i(row_valid_i[3] && local_receive_i[AT+GB+PB]), .row_address_i(receive_address),
                .read_i(read && read_pi == PORT[PB-1:0]), .raddr_i(read_address), .rdata_o(bank_data[(x-1)*DW+:DW]),
                .unexpected_o(unexpected[x-1]), .missing_o(missing[x-1]), .parity_o(parity[x-1])
            );
        end

        for (g = 0; g < K; g = g + 1) begin : gen_global
            localparam [31:0] PORT = g;
            localparam AT = g * (1 + PB);

            // send bank of global port g, for words without a first local hop
            wire [PB-1:0] send_pi = global_send_i[AT+:PB];
            wire [GAB-1:0] fill_address, send_address;

            mn_bank_address #(.IG(0), .PB(PB), .WB(WB), .DOUBLE(DOUBLE)) u_fill (
                .buffer_i(load_buffer), .word_i(load_word), .gamma_i(1'b0), .other_i(load_pi), .address_o(fill_address)
            );
            mn_bank_address #(.IG(0), .PB(PB), .WB(WB), .DOUBLE(DOUBLE)) u_send_address (
                .buffer_i(row_buffer_i[1]), .word_i(row_word_i[1*WP+:WP]), .gamma_i(1'b0), .other_i(send_pi),
                .address_o(send_address)
            );
            mn_send_port #(.WIDTH(W), .AB(GAB), .M(M), .STAGES(BANK_STAGES)) u_send (
                .clk_i(clk_i),
                .we_i(load_global[g]), .waddr_i(fill_address), .wdata_i(load_payload),
                .row_valid_i(row_valid_i[1] && global_send_i[AT+PB]), .row_address_i(send_address),
                .row_pi_i(send_pi), .row_gamma_i(1'b0),
                .header_o(tx_global_pi_o[g*M+:M]), .data_o(tx_global_data_o[g*W+:W])
            );

            // receive bank of global port g, for words without a last local hop
            wire [PB-1:0] receive_delta = global_receive_i[AT+:PB];
            wire [GAB-1:0] receive_address, read_address;

            mn_bank_address #(.IG(0), .PB(PB), .WB(WB), .DOUBLE(DOUBLE)) u_receive_address (
                .buffer_i(row_buffer_i[2]), .word_i(row_word_i[2*WP+:WP]), .gamma_i(1'b0), .other_i(receive_delta),
                .address_o(receive_address)
            );
            mn_bank_address #(.IG(0), .PB(PB), .WB(WB), .DOUBLE(DOUBLE)) u_read (
                .buffer_i(read_buffer), .word_i(read_word), .gamma_i(1'b0), .other_i(read_delta), .address_o(read_address)
            );
            mn_receive_port #(.WIDTH(W), .PARITY(PARITY), .AB(GAB), .LATE(LATE)) u_receive (
                .clk_i(clk_i),
                .valid_i(rx_global_valid_i[g]), .data_i(rx_global_data_i[g*W+:W]),
                .row_valid_i(row_valid_i[2] && global_receive_i[AT+PB]), .row_address_i(receive_address),
                .read_i(read && read_pi == {PB{1'b0}} && read_gamma == PORT[GB-1:0]), .raddr_i(read_address),
                .rdata_o(bank_data[(LW+g)*DW+:DW]),
                .unexpected_o(unexpected[LW+g]), .missing_o(missing[LW+g]), .parity_o(parity[LW+g])
            );
        end
    endgenerate

    // status: fault log, then program
    wire        wrong_piece;
    wire [47:0] log;
    wire [ 1:0] program_bits;
    mn_fault_log #(.PORTS(LW + K), .LOG(LOG)) u_log (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .go_i(go_i),
        .conflict_i(conflict_i), .unexpected_i(unexpected), .missing_i(missing), .parity_i(parity),
        .refused_i(program_status_i[15]), .wrong_row_i(program_status_i[14] || wrong_address || wrong_flit || wrong_piece), .fault_o(fault_o), .status_o(log), .program_o(program_bits)
    );
    wire [DW*8-1:0] pieces = {{DW * 8 - 64{1'b0}}, program_bits, program_status_i[13:0], log};

    // the answer to the host: a piece of the status, or the word of the one bank that was asked
    wire [DW-1:0] piece_d = read_status ? pieces[piece*DW+:DW] : {DW{1'b0}};
    reg  [DW-1:0] piece_q;
    integer b;
    always @* begin
        answer = piece_q;
        for (b = 0; b < LW + K; b = b + 1) answer = answer | bank_data[b*DW+:DW];
    end
    always @(posedge clk_i) piece_q <= piece_d;
    mn_guard #(.ON(PARITY)) u_piece_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(^piece_d), .kept_i(^piece_q), .wrong_o(wrong_piece));
endmodule
`default_nettype wire
