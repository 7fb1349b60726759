`default_nettype none
// The program of a processor of a POPS network: a row a slot, which lasts L cycles, and after the slots' rows those that name the
// places of its results. A row is, from its top: {mask of couplers to send on[G], place to send from, receive,
// coupler to receive from, place to receive into}. A row of a result has its place in the field of the place to send
// from. RAM = 1: two banks of rows; one is loaded from the host's pieces while the other runs.
module mn_pops_program #(
    parameter L       = 1,   // cycles of a slot: words of a packet
    parameter ROWS    = 4,   // rows of slots
    parameter RESULTS = 1,   // rows of results
    parameter RW      = 8,   // bits of a row
    parameter DW      = 32,  // bits of a piece
    parameter RAM     = 0,   // 1: loadable
    parameter FILE    = "",  // image for $readmemh
    parameter GUARD   = 0,   // 1: a bit of a register that flips is reported as a row that is none of the network's
    // derived, not to be set
    parameter WB = L > 1 ? $clog2(L) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // start of a collective; go_swap_i: with the loaded program, which must have version go_version_i
    input  wire          go_i,
    input  wire          go_swap_i,
    input  wire [   7:0] go_version_i,
    // the host reads the next word of the results
    input  wire          read_i,
    // pieces of a new program
    input  wire          piece_i,
    input  wire [DW-1:0] piece_data_i,
    output wire [  15:0] status_o,
    // one cycle later: a slot's row and word, or the row and word of the result that is to be read next
    output wire          valid_o,
    output wire [RW-1:0] row_o,
    output wire [WB-1:0] word_o,
    // the beat was the collective's last
    output wire          last_o
);
    localparam ALL = ROWS + RESULTS;
    localparam SB  = $clog2(ALL);
    localparam RB  = ROWS > 1 ? $clog2(ROWS) : 1;
    localparam [31:0] FIRST_RESULT = ROWS, LAST_RESULT = ALL - 1, LAST_WORD = L - 1;

    wire          select, we, wselect, go_select;
    wire [SB-1:0] wslot;
    wire [RW-1:0] wrow;
    wire          beat, last, wrong_row, wrong_table, wrong_count, wrong_result, unused_buffer;
    wire [RB-1:0] row;
    wire [WB-1:0] word;

    // the slot counter's "slot" is the word of a packet here, and its "word" the row
    mn_slot_counter #(.ROWS(L), .WORDS(ROWS), .GUARD(GUARD)) u_counter (
        .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .go_buffer_i(1'b0), .go_select_i(go_select),
        .valid_o(beat), .last_o(last), .buffer_o(unused_buffer), .select_o(select), .word_o(row), .slot_o(word), .wrong_o(wrong_count)
    );

    // the result that is read next, and its word
    reg  [SB-1:0] result_q;
    reg  [WB-1:0] result_word_q;
    wire          packet_end = result_word_q == LAST_WORD[WB-1:0];

    wire          over = read_i && packet_end;
    wire [SB-1:0] result_next   = result_q == LAST_RESULT[SB-1:0] ? FIRST_RESULT[SB-1:0] : result_q + 1'b1;
    wire [SB-1:0] result_d      = go_i ? FIRST_RESULT[SB-1:0] : over ? result_next : result_q;
    wire [WB-1:0] result_word_d = go_i ? {WB{1'b0}} : !read_i ? result_word_q : packet_end ? {WB{1'b0}} : result_word_q + 1'b1;
    always @(posedge clk_i) begin
        if (rst_i || go_i) begin
            result_q      <= FIRST_RESULT[SB-1:0];
            result_word_q <= {WB{1'b0}};
        end else begin
            result_q      <= result_d;
            result_word_q <= result_word_d;
        end
    end

    wire [SB-1:0] slot;
    generate
        if (SB > RB) begin : gen_wide
            assign slot = beat ? {{SB - RB{1'b0}}, row} : result_q;
        end else begin : gen_equal
            assign slot = beat ? row : result_q;
        end
    endgenerate

    generate
        if (RAM != 0) begin : gen_ram
            wire [1:0] unused_table;
            wire [15:0] loader_status;
            mn_program_loader #(.TABLES(1), .ROWS(ALL), .LRW(RW), .GRW(RW), .DW(DW)) u_loader (
                .clk_i(clk_i), .rst_i(rst_i), .piece_i(piece_i), .data_i(piece_data_i),
                .go_i(go_i), .go_swap_i(go_swap_i), .go_version_i(go_version_i), .select_o(go_select),
                .we_o(we), .wselect_o(wselect), .wtable_o(unused_table), .wslot_o(wslot), .wrow_o(wrow),
                .status_o(loader_status)
            );
            assign status_o = {loader_status[15], wrong_row, loader_status[13:0]};
            wire unused = loader_status[14];
            mn_table_ram #(.WIDTH(RW), .ROWS(ALL), .FILE(FILE)) u_table (
                .clk_i(clk_i), .select_i(select), .slot_i(slot), .row_o(row_o), .wrong_o(wrong_table),
                .we_i(we), .wselect_i(wselect), .wslot_i(wslot), .wrow_i(wrow)
            );
        end else begin : gen_rom
            // nothing to load: a swap is refused and reported
            reg refused_q;
            always @(posedge clk_i) refused_q <= !rst_i && go_i && go_swap_i;
            assign status_o  = {refused_q, wrong_row, 14'd0};
            assign go_select = 1'b0;
            mn_table_rom #(.WIDTH(RW), .ROWS(ALL), .FILE(FILE)) u_table (
                .clk_i(clk_i), .slot_i(slot), .row_o(row_o), .wrong_o(wrong_table)
            );
            assign {we, wselect, wslot, wrow} = {2 + SB + RW{1'b0}};
            wire unused = &{piece_i, piece_data_i, go_version_i, select, we, wselect, wslot, wrow};
        end
    endgenerate

    reg           valid_q, last_q;
    reg  [WB-1:0] word_q;
    wire [WB-1:0] word_d = beat ? word : result_word_q;
    always @(posedge clk_i) begin
        valid_q <= !rst_i && beat;
        last_q  <= !rst_i && last;
        word_q  <= word_d;
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{result_d, result_word_d, beat, last, word_d}),
        .kept_i(^{result_q, result_word_q, valid_q, last_q, word_q}), .wrong_o(wrong_result)
    );
    assign wrong_row = wrong_table || wrong_count || wrong_result;
    assign valid_o = valid_q;
    assign last_o  = last_q;
    assign word_o  = word_q;
endmodule
`default_nettype wire
