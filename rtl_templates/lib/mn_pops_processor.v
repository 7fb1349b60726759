`default_nettype none
// The port of a processor in a POPS network with a schedule: a packet memory, G transmitters, a receiver for one of G couplers, the
// program, the ring stop and the fault log.
//
// The host's words fill the packet memory from place 0 on, packet after packet, after every start anew; a single place takes the last
// packet. A beat of the program in cycle t reads the memory in t + 1 and sends in t + 2; the coupler shows the word in t + 3, the
// receiver in t + 4, and from t + 5 on it can be read again: the row that sends a packet on begins 4 cycles or more after the one
// that receives it.
//
// Faults by coupler, numbered by the group that sends on it: a collision on any coupler that leads here, a word that does not arrive,
// broken parity. A word that the program does not read is for other processors of the group.
module mn_pops_processor #(
    parameter G       = 4,   // groups: couplers to send on, and couplers that are heard
    parameter L       = 1,   // cycles of a slot: words of a packet
    parameter DW      = 32,  // bits of a word
    parameter PARITY  = 0,   // 1: a parity bit travels with each word
    parameter LOG     = 1,   // 1: the fault log keeps ports and cycles
    parameter TB      = 5,   // bits of a tile number
    parameter PLACES  = 2,   // packets that the memory holds
    parameter ROWS    = 4,   // rows of slots
    parameter RESULTS = 1,   // results that are read out
    parameter RAM     = 0,   // 1: the program is loadable
    parameter FILE    = "",  // its image
    // derived, not to be set
    parameter W  = DW + PARITY,
    parameter CW = 1 + W,
    parameter FW = 4 + TB + DW
) (
    input  wire            clk_i,
    input  wire            rst_i,
    // number of this processor
    input  wire [  TB-1:0] tile_i,
    // the host ring
    input  wire [  FW-1:0] ring_i,
    output wire [  FW-1:0] ring_o,
    // start and end of a collective
    input  wire            go_i,
    input  wire            go_swap_i,
    input  wire [     7:0] go_version_i,
    output wire            done_o,
    // transmitters: requests at the couplers to all groups, and the word, which is the same for all
    output wire [   G-1:0] request_o,
    output wire [   W-1:0] data_o,
    // couplers from all groups, {valid, word} each, and whether a collision is on them
    input  wire [G*CW-1:0] coupler_i,
    input  wire [   G-1:0] collision_i,
    // faults so far
    output wire            fault_o
);
    localparam WB = L > 1 ? $clog2(L) : 1;
    localparam PB = PLACES > 1 ? $clog2(PLACES) : 1;
    localparam GB = G > 1 ? $clog2(G) : 1;
    localparam RW = G + PB + 1 + GB + PB;
    localparam AB = PB + (L > 1 ? WB : 0);
    localparam [31:0] LAST_WORD = L - 1, NEXT_PLACE = PLACES > 1 ? 1 : 0;

    // The reset of the network has a register in each tile to reach.
    wire rst, wrong_rst;
    mn_late_reset #(.GUARD(PARITY)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o(rst), .wrong_o(wrong_rst));

    wire          unused_load_next, load, read_next, read, read_status, clear, program_piece;
    wire          wrong_flit;
    wire [DW-1:0] load_data, program_data;
    wire [   2:0] piece;
    wire [DW-1:0] answer;

    mn_ring_stop #(.DW(DW), .TB(TB), .GUARD(PARITY)) u_stop (
        .clk_i(clk_i), .rst_i(rst), .tile_i(tile_i), .ring_i(ring_i), .ring_o(ring_o),
        .load_next_o(unused_load_next), .load_o(load), .load_data_o(load_data),
        .read_next_o(read_next), .read_o(read), .status_o(read_status), .piece_o(piece), .answer_i(answer),
        .program_o(program_piece), .program_data_o(program_data), .clear_o(clear),
        .wrong_o(wrong_flit)
    );

    // ---- the program: cycle t + 1 ----
    wire          row_valid, last;
    wire [RW-1:0] row;
    wire [WB-1:0] word;
    wire [  15:0] program_status;

    mn_pops_program #(.L(L), .ROWS(ROWS), .RESULTS(RESULTS), .RW(RW), .DW(DW), .RAM(RAM), .FILE(FILE), .GUARD(PARITY)) u_program (
        .clk_i(clk_i), .rst_i(rst), .go_i(go_i), .go_swap_i(go_swap_i), .go_version_i(go_version_i),
        .read_i(read_next), .piece_i(program_piece), .piece_data_i(program_data), .status_o(program_status),
        .valid_o(row_valid), .row_o(row), .word_o(word), .last_o(last)
    );
    mn_stages #(.W(1), .N(4), .HEAD(1)) u_done (.clk_i(clk_i), .rst_i(rst), .d_i(last), .q_o(done_o));

    wire [ G-1:0] row_mask    = row[RW-1-:G];
    wire [PB-1:0] row_from    = row[PB+1+GB+:PB];
    wire          row_receive = row[PB+GB];
    wire [GB-1:0] row_coupler = row[PB+:GB];
    wire [PB-1:0] row_to      = row[0+:PB];

    // ---- where the host's next word belongs ----
    reg  [PB-1:0] load_place_q;
    reg  [WB-1:0] load_word_q;
    wire          packet_end = load_word_q == LAST_WORD[WB-1:0];
    wire [PB-1:0] load_place_d = go_i ? {PB{1'b0}} : load && packet_end ? load_place_q + NEXT_PLACE[PB-1:0] : load_place_q;
    wire [WB-1:0] load_word_d  = go_i || (load && packet_end) ? {WB{1'b0}} : load ? load_word_q + 1'b1 : load_word_q;
    wire          wrong_place;
    always @(posedge clk_i) begin
        load_place_q <= rst ? {PB{1'b0}} : load_place_d;
        load_word_q  <= rst ? {WB{1'b0}} : load_word_d;
    end
    mn_guard #(.ON(PARITY)) u_guard (
        .clk_i(clk_i), .rst_i(rst), .given_i(^{load_place_d, load_word_d}), .kept_i(^{load_place_q, load_word_q}), .wrong_o(wrong_place)
    );

    wire [W-1:0] load_payload;
    generate
        if (PARITY != 0) begin : gen_parity
            assign load_payload = {^load_data, load_data};
        end else begin : gen_no_parity
            assign load_payload = load_data;
        end
    endgenerate

    // ---- the packet memory: loads and arrivals never meet, since the host waits for the end of a collective ----
    reg           valid_q;      // a word has arrived, and was asked for
    reg  [ W-1:0] data_q;
    reg  [PB-1:0] to_2q, to_3q, to_4q;
    reg  [WB-1:0] word_2q, word_3q, word_4q;
    wire [ W-1:0] rdata;
    wire [AB-1:0] waddr, raddr;
    generate
        if (L > 1) begin : gen_words
            assign waddr = load ? {load_place_q, load_word_q} : {to_4q, word_4q};
            assign raddr = {row_from, word};
        end else begin : gen_word
            assign waddr = load ? load_place_q : to_4q;
            assign raddr = row_from;
            wire unused_word = &{word, word_4q};
        end
    endgenerate
    mn_bank #(.WIDTH(W), .AB(AB)) u_memory (
        .clk_i(clk_i), .we_i(load || valid_q), .waddr_i(waddr), .wdata_i(load ? load_payload : data_q),
        .raddr_i(raddr), .rdata_o(rdata)
    );

    // ---- transmitters: cycle t + 2; the memory's own register is the word's ----
    reg  [G-1:0] request_q;
    wire [G-1:0] request_d = row_valid ? row_mask : {G{1'b0}};
    always @(posedge clk_i) request_q <= rst ? {G{1'b0}} : request_d;
    assign request_o = request_q;
    assign data_o    = rdata;

    // ---- receiver: one-hot selects in cycle t + 3, the word in t + 4 ----
    reg           on_2q;
    reg  [GB-1:0] coupler_2q;
    reg  [ G-1:0] select_3q, select_4q;
    wire [ G-1:0] select_2, heard;
    wire [G*W-1:0] terms;
    wire [  W-1:0] any;
    genvar a;
    generate
        for (a = 0; a < G; a = a + 1) begin : gen_coupler
            localparam [31:0] GROUP = a;
            assign select_2[a]   = on_2q && coupler_2q == GROUP[GB-1:0];
            assign heard[a]      = select_3q[a] && coupler_i[a*CW+W];
            assign terms[a*W+:W] = {W{select_3q[a]}} & coupler_i[a*CW+:W];
        end
    endgenerate
    mn_or_tree #(.W(W), .N(G)) u_any (.terms_i(terms), .any_o(any));

    always @(posedge clk_i) begin
        on_2q      <= !rst && row_valid && row_receive;
        coupler_2q <= row_coupler;
        to_2q      <= row_to;
        word_2q    <= word;
        select_3q  <= select_2;
        to_3q      <= to_2q;
        word_3q    <= word_2q;
        select_4q  <= select_3q;
        to_4q      <= to_3q;
        word_4q    <= word_3q;
        valid_q    <= |heard;
        data_q     <= any;
    end

    wire wrong_receiver;
    mn_guard #(.ON(PARITY)) u_receive_guard (
        .clk_i(clk_i), .rst_i(rst), .wrong_o(wrong_receiver),
        .given_i(^{row_valid && row_receive, row_coupler, row_to, word, select_2, to_2q, word_2q, select_3q, to_3q, word_3q, |heard}),
        .kept_i(^{on_2q, coupler_2q, to_2q, word_2q, select_3q, to_3q, word_3q, select_4q, to_4q, word_4q, valid_q})
    );

    // ---- faults ----
    wire [G-1:0] missing = valid_q ? {G{1'b0}} : select_4q;
    wire [G-1:0] parity;
    generate
        if (PARITY != 0) begin : gen_check
            assign parity = valid_q && ^data_q ? select_4q : {G{1'b0}};
        end else begin : gen_no_check
            assign parity = {G{1'b0}};
        end
    endgenerate

    wire        wrong_word, wrong_sent;
    wire [47:0] log;
    wire [ 1:0] program_bits;
    mn_fault_log #(.PORTS(G), .LOG(LOG)) u_log (
        .clk_i(clk_i), .rst_i(rst), .clear_i(clear), .go_i(go_i),
        .conflict_i(collision_i), .unexpected_i({G{1'b0}}), .missing_i(missing), .parity_i(parity),
        .refused_i(program_status[15]), .wrong_row_i(program_status[14] || wrong_place || wrong_word || wrong_receiver || wrong_sent || wrong_rst || wrong_flit), .fault_o(fault_o), .status_o(log), .program_o(program_bits)
    );
    wire [DW*8-1:0] pieces = {{DW * 8 - 64{1'b0}}, program_bits, program_status[13:0], log};

    // the answer to the host: a piece of the status, or the word whose row was shown a cycle ago
    reg           status_q;
    reg  [DW-1:0] piece_q;
    wire [DW-1:0] piece_d = pieces[piece*DW+:DW];
    always @(posedge clk_i) begin
        status_q <= read_status;
        piece_q  <= piece_d;
    end
    mn_guard #(.ON(PARITY)) u_sent_guard (
        .clk_i(clk_i), .rst_i(rst), .given_i(^{read_status, piece_d, request_d}), .kept_i(^{status_q, piece_q, request_q}), .wrong_o(wrong_sent)
    );
    assign answer = status_q ? piece_q : rdata[DW-1:0];

    // what the host reads has the parity with which it was kept
    generate
        if (PARITY != 0) begin : gen_kept
            reg read_q, wrong_q;
            always @(posedge clk_i) begin
                read_q  <= !rst && read;
                wrong_q <= !rst && read_q && ^rdata;
            end
            assign wrong_word = wrong_q;
        end else begin : gen_not_kept
            assign wrong_word = 1'b0;
            wire unused_read = read;
        end
    endgenerate

    wire unused = unused_load_next;
endmodule
`default_nettype wire
