`default_nettype none
// The program of a slot-table tile: the table with its counter, a row a cycle, and the places of words that the host loads and reads.
//
// Places are LOADS rows for the host's words, in their order, then SET rows for the words that it reads. RAM = 1: two banks of each; one is
// loaded from the host's pieces (mn_slot_loader) while the other is in use. LOOPS > 0: rows are made by loops over ROWS stored rows
// (mn_slot_loops), and strides_o has what the addresses in them need.
module mn_slot_program #(
    parameter ROWS   = 4,   // rows of the table, at least 4; stored rows of loops
    parameter RW     = 8,   // bits of a row
    parameter TABLE  = "",  // its image
    parameter LOADS  = 1,   // words that are loaded
    parameter SET    = 1,   // words that are read, at least 1
    parameter PW     = 4,   // bits of a place
    parameter PLACES = "",  // image of the places
    parameter DW     = 32,  // bits of a piece
    parameter RAM    = 0,   // 1: loadable
    parameter GUARD  = 0,   // 1: a bit of a counter that flips is reported
    parameter LOOPS  = 0,   // loops; 0: the table is in memory
    parameter LW     = 3,   // bits of a loop
    parameter EB     = 1,   // of which so many are the last stored row
    parameter CB     = 1,   // and so many the turns
    parameter LOOP   = "",  // image of the loops
    // derived, not to be set
    parameter XW = LW - EB - CB + 2
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // start of a collective; go_swap_i: with the loaded program, which must have version go_version_i
    input  wire          go_i,
    input  wire          go_swap_i,
    input  wire [   7:0] go_version_i,
    // a word comes in the next cycle; the place of a result is wanted in the next cycle
    input  wire          load_next_i,
    input  wire          read_next_i,
    // pieces of a new program
    input  wire          piece_i,
    input  wire [DW-1:0] piece_data_i,
    // the row of this cycle; the place of the host's word, else that of the next result
    output wire          row_valid_o,
    output wire [RW-1:0] row_o,
    output wire [PW-1:0] place_o,
    // of the row that comes in the next cycle: {strides, it begins a further turn of its loop, a loop, the collective}
    output wire [XW-1:0] strides_o,
    // the row that comes in the next cycle is the collective's last
    output wire          last_o,
    // a row was none of the network's; a start was refused; version of the program in use
    output wire          wrong_o,
    output wire          refused_o,
    output wire [   7:0] version_o
);
    localparam ALL = LOADS + SET;
    localparam PB  = ALL > 1 ? $clog2(ALL) : 1;
    localparam SB  = ROWS > 1 ? $clog2(ROWS) : 1;
    localparam [31:0] FIRST_RESULT = LOADS, LAST_RESULT = ALL - 1;

    wire          beat, select, go_select, wrong_row, wrong_place, wrong_slot;
    wire [SB-1:0] slot;
    generate
        if (LOOPS == 0) begin : gen_slot
            wire       unused_buffer;
            wire [0:0] unused_word;
            mn_slot_counter #(.ROWS(ROWS), .WORDS(1), .GUARD(GUARD)) u_counter (
                .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .go_buffer_i(1'b0), .go_select_i(go_select),
                .valid_o(beat), .last_o(last_o), .buffer_o(unused_buffer), .select_o(select), .word_o(unused_word), .slot_o(slot), .wrong_o(wrong_slot)
            );
            assign strides_o = {XW{1'b0}};
        end else begin : gen_no_slot
            assign select = 1'b0;
            assign slot   = {SB{1'b0}};
            assign wrong_slot = 1'b0;  // loops say so themselves
            wire unused_slot = &{slot, go_select};
        end
    endgenerate
    reg valid_q;
    always @(posedge clk_i) valid_q <= !rst_i && beat;
    assign row_valid_o = valid_q;

    // ---- places: that of a load one cycle after it is announced, else that of the next result ----
    reg  [PB-1:0] load_q, result_q;
    wire [PB-1:0] result_next = !read_next_i ? result_q : result_q == LAST_RESULT[PB-1:0] ? FIRST_RESULT[PB-1:0] : result_q + 1'b1;
    wire [PB-1:0] place = load_next_i ? load_q : result_next;
    wire [PB-1:0] load_d   = rst_i || go_i ? {PB{1'b0}} : load_next_i ? load_q + 1'b1 : load_q;
    wire [PB-1:0] result_d = rst_i || go_i ? FIRST_RESULT[PB-1:0] : result_next;
    wire          wrong_count;
    always @(posedge clk_i) begin
        load_q   <= load_d;
        result_q <= result_d;
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{load_d, result_d, beat}), .kept_i(^{load_q, result_q, valid_q}), .wrong_o(wrong_count)
    );

    assign wrong_o = wrong_row || wrong_place || wrong_count || wrong_slot;
    generate
        if (RAM != 0) begin : gen_ram
            localparam LB = $clog2(ROWS > ALL ? ROWS : ALL);
            localparam WW = RW > PW ? RW : PW;
            wire          now_select, load_select, we, wplaces, wselect;
            wire [LB-1:0] wslot;
            wire [WW-1:0] wrow;
            mn_slot_loader #(.ROWS(ROWS), .RW(RW), .PLACES(ALL), .PW(PW), .DW(DW)) u_loader (
                .clk_i(clk_i), .rst_i(rst_i), .piece_i(piece_i), .data_i(piece_data_i), .load_i(load_next_i),
                .go_i(go_i), .go_swap_i(go_swap_i), .go_version_i(go_version_i),
                .go_select_o(go_select), .select_o(now_select), .load_select_o(load_select),
                .we_o(we), .wplaces_o(wplaces), .wselect_o(wselect), .wslot_o(wslot), .wrow_o(wrow),
                .refused_o(refused_o), .version_o(version_o)
            );
            mn_table_ram #(.WIDTH(RW), .ROWS(ROWS), .FILE(TABLE)) u_table (
                .clk_i(clk_i), .select_i(select), .slot_i(slot), .row_o(row_o), .wrong_o(wrong_row),
                .we_i(we && !wplaces), .wselect_i(wselect), .wslot_i(wslot[SB-1:0]), .wrow_i(wrow[RW-1:0])
            );
            mn_table_ram #(.WIDTH(PW), .ROWS(ALL), .FILE(PLACES)) u_places (
                .clk_i(clk_i), .select_i(load_next_i ? load_select : now_select), .slot_i(place), .row_o(place_o), .wrong_o(wrong_place),
                .we_i(we && wplaces), .wselect_i(wselect), .wslot_i(wslot[PB-1:0]), .wrow_i(wrow[PW-1:0])
            );
            wire unused = &{wslot, wrow};
        end else begin : gen_rom
            if (LOOPS != 0) begin : gen_loops
                mn_slot_loops #(
                    .ROWS(ROWS), .RW(RW), .TABLE(TABLE), .LOOPS(LOOPS), .LW(LW), .EB(EB), .CB(CB), .LOOP(LOOP), .GUARD(GUARD)
                ) u_loops (
                    .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .valid_o(beat), .last_o(last_o), .strides_o(strides_o),
                    .row_o(row_o), .wrong_o(wrong_row)
                );
            end else begin : gen_table
                mn_table_rom #(.WIDTH(RW), .ROWS(ROWS), .FILE(TABLE)) u_table (
                    .clk_i(clk_i), .slot_i(slot), .row_o(row_o), .wrong_o(wrong_row)
                );
            end
            mn_table_rom #(.WIDTH(PW), .ROWS(ALL), .FILE(PLACES)) u_places (
                .clk_i(clk_i), .slot_i(place), .row_o(place_o), .wrong_o(wrong_place)
            );
            // nothing to load: a swap is refused and reported
            reg refused_q;
            always @(posedge clk_i) refused_q <= !rst_i && go_i && go_swap_i;
            assign refused_o = refused_q;
            assign version_o = 8'd0;
            assign go_select = 1'b0;
            wire unused = &{go_version_i, piece_i, piece_data_i, select};
        end
    endgenerate
endmodule
`default_nettype wire
