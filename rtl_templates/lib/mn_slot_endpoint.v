`default_nettype none
// The endpoint of a slot-table tile without its banks: the program (mn_slot_program), the fault log, the word that is read. Its words come
// and go over the host ring (mn_ring_stop) or the tile's own streams (mn_tile_port).
//
// A place of a load is, from bit 0 on, {mask of banks that take the word, its address}; one of a result {bank, address}. A word loads two
// cycles after load_next_i; a result is read while no row is valid.
module mn_slot_endpoint #(
    parameter DW     = 32,  // bits of a word
    parameter PARITY = 0,   // 1: a parity bit travels with each word
    parameter LOG    = 1,   // 1: the fault log keeps ports and cycles
    parameter PORTS  = 4,   // inputs or outputs, whichever are more
    parameter BANKS  = 2,   // banks of results
    parameter ROWS   = 4,   // rows of the table, at least 4; stored rows of loops
    parameter RW     = 8,   // bits of a row
    parameter TABLE  = "",  // its image
    parameter LOADS  = 1,   // words that are loaded
    parameter SET    = 1,   // words that are read, at least 1
    parameter PW     = 4,   // bits of a place
    parameter PLACES = "",  // image of the places
    parameter RAM    = 0,   // 1: table and places can be loaded
    parameter LOOPS  = 0,   // loops that make the rows; 0: the table is in memory
    parameter LW     = 3,   // bits of a loop
    parameter EB     = 1,   // of which so many are the last stored row
    parameter CB     = 1,   // and so many the turns
    parameter LOOP   = "",  // image of the loops
    // derived, not to be set
    parameter W = DW + PARITY,
    parameter XW = LW - EB - CB + 2
) (
    input  wire               clk_i,
    input  wire               rst_i,
    output wire               rst_o,  // late, for the tile
    // load: load_next_i tells of a word that comes in the next cycle
    input  wire               load_next_i,
    input  wire [     DW-1:0] load_data_i,
    // read: the next result, or a piece of the status, is wanted; read_next_i comes a cycle before status_i, the answer two cycles after
    input  wire               read_next_i,
    input  wire               status_i,
    input  wire [        2:0] piece_i,
    output wire [     DW-1:0] answer_o,
    // program pieces, faults
    input  wire               program_i,
    input  wire [     DW-1:0] program_data_i,
    input  wire               clear_i,
    // start and end of a collective
    input  wire               go_i,
    input  wire               go_swap_i,
    input  wire [        7:0] go_version_i,
    output wire               done_o,
    // the row of this cycle, and the place of the host's next word
    output wire               row_valid_o,
    output wire [     RW-1:0] row_o,
    output wire [     PW-1:0] place_o,
    // what the addresses of the next row need, see mn_slot_program
    output wire [     XW-1:0] strides_o,
    // the word that is loaded, in the cycle of its place
    output wire [      W-1:0] load_word_o,
    // words that the banks of results show, two cycles after the place of a result
    input  wire [BANKS*W-1:0] words_i,
    // faults by port
    input  wire [  PORTS-1:0] conflict_i,
    input  wire [  PORTS-1:0] missing_i,
    input  wire [  PORTS-1:0] unexpected_i,
    input  wire [  PORTS-1:0] parity_i,
    // a register of the tile has flipped
    input  wire               upset_i,
    output wire               fault_o
);
    localparam BB  = BANKS > 1 ? $clog2(BANKS) : 1;

    // The reset of the network has a register in each tile to reach.
    wire rst, wrong_rst;
    mn_late_reset #(.GUARD(PARITY)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o(rst), .wrong_o(wrong_rst));
    assign rst_o = rst;

    generate
        if (PARITY != 0) begin : gen_parity
            assign load_word_o = {^load_data_i, load_data_i};
        end else begin : gen_no_parity
            assign load_word_o = load_data_i;
        end
    endgenerate

    // ---- the program ----
    wire       last, wrong, refused, wrong_bank, wrong_word;
    wire [7:0] version;
    mn_slot_program #(
        .ROWS(ROWS), .RW(RW), .TABLE(TABLE), .LOADS(LOADS), .SET(SET), .PW(PW), .PLACES(PLACES), .DW(DW), .RAM(RAM), .GUARD(PARITY),
        .LOOPS(LOOPS), .LW(LW), .EB(EB), .CB(CB), .LOOP(LOOP)
    ) u_program (
        .clk_i(clk_i), .rst_i(rst), .go_i(go_i), .go_swap_i(go_swap_i), .go_version_i(go_version_i),
        .load_next_i(load_next_i), .read_next_i(read_next_i), .piece_i(program_i), .piece_data_i(program_data_i),
        .row_valid_o(row_valid_o), .row_o(row_o), .place_o(place_o), .strides_o(strides_o), .last_o(last),
        .wrong_o(wrong), .refused_o(refused), .version_o(version)
    );
    mn_stages #(.W(1), .N(5), .HEAD(1)) u_done (.clk_i(clk_i), .rst_i(rst), .d_i(last), .q_o(done_o));

    // ---- faults ----
    wire [47:0] log;
    wire [ 1:0] program_bits;
    mn_fault_log #(.PORTS(PORTS), .LOG(LOG)) u_log (
        .clk_i(clk_i), .rst_i(rst), .clear_i(clear_i), .go_i(go_i),
        .conflict_i(conflict_i), .unexpected_i(unexpected_i), .missing_i(missing_i), .parity_i(parity_i),
        .refused_i(refused), .wrong_row_i(wrong || wrong_bank || wrong_word || wrong_rst || upset_i), .fault_o(fault_o), .status_o(log), .program_o(program_bits)
    );
    wire [DW*8-1:0] pieces = {{DW * 8 - 64{1'b0}}, program_bits, 6'd0, version, log};

    // ---- the answer: a piece of the status, or the word of the bank that was named two cycles ago ----
    reg  [BB-1:0] bank_1q, bank_2q;
    reg           status_q;
    wire [DW-1:0] piece_d = pieces[piece_i*DW+:DW];
    reg  [DW-1:0] piece_q;
    wire [ W-1:0] word;
    always @(posedge clk_i) begin
        bank_1q  <= place_o[BB-1:0];
        bank_2q  <= bank_1q;
        status_q <= status_i;
        piece_q  <= piece_d;
    end
    assign word     = words_i[bank_2q*W+:W];
    assign answer_o = status_q ? piece_q : word[DW-1:0];

    mn_guard #(.ON(PARITY)) u_guard (
        .clk_i(clk_i), .rst_i(rst), .wrong_o(wrong_bank),
        .given_i(^{place_o[BB-1:0], bank_1q, status_i, piece_d}), .kept_i(^{bank_1q, bank_2q, status_q, piece_q})
    );
    // what is read has the parity with which it was kept
    generate
        if (PARITY != 0) begin : gen_kept
            reg read_1q, read_2q, wrong_q;
            always @(posedge clk_i) begin
                read_1q <= !rst && read_next_i;
                read_2q <= !rst && read_1q;
                wrong_q <= !rst && read_2q && ^word;
            end
            assign wrong_word = wrong_q;
        end else begin : gen_not_kept
            assign wrong_word = 1'b0;
        end
    endgenerate
endmodule
`default_nettype wire
