// Properties of mn_slot_loader, for any pieces, any loads and any starts, at small sizes.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// The reference counts the pieces of a program: from that number alone follow the table, the row and the part of the row that a piece is.
// Attribute hierconn is Yosys' way to name a signal inside an instance.
//
// Clock, reset: clk_i, rst_i
// Host:         piece_i, data_i, load_i, go_i, go_swap_i, go_version_i
`default_nettype none

module mn_prove_slot_loader #(
    parameter ROWS = 2,
    parameter RW = 9,
    parameter PLACES = 2,
    parameter PW = 3,
    // derived, not to be set
    parameter SB = $clog2(ROWS > PLACES ? ROWS : PLACES),
    parameter WW = RW > PW ? RW : PW
) (
    input wire       clk_i,
    input wire       rst_i,
    input wire       piece_i,
    input wire [7:0] data_i,
    input wire       load_i,
    input wire       go_i,
    input wire       go_swap_i,
    input wire [7:0] go_version_i
);
  localparam DW = 8;
  localparam RP = (RW + DW - 1) / DW;  // pieces of a row
  localparam PP = (PW + DW - 1) / DW;  // pieces of a place
  localparam MOST = RP > PP ? RP : PP;
  localparam ROWS_END = 1 + ROWS * RP;  // number of the first piece of the places
  localparam ALL = ROWS_END + PLACES * PP;  // pieces of a program, its version included

  wire go_select, select, load_select, we, wplaces, wselect, refused;
  wire [SB-1:0] wslot;
  wire [WW-1:0] wrow;
  wire [7:0] version;
  mn_slot_loader #(
      .ROWS(ROWS),
      .RW(RW),
      .PLACES(PLACES),
      .PW(PW),
      .DW(DW)
  ) u_loader (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .piece_i(piece_i),
      .data_i(data_i),
      .load_i(load_i),
      .go_i(go_i),
      .go_swap_i(go_swap_i),
      .go_version_i(go_version_i),
      .go_select_o(go_select),
      .select_o(select),
      .load_select_o(load_select),
      .we_o(we),
      .wplaces_o(wplaces),
      .wselect_o(wselect),
      .wslot_o(wslot),
      .wrow_o(wrow),
      .refused_o(refused),
      .version_o(version)
  );

  // Inside the loader.
  (* hierconn *) wire \u_loader.early ;
  (* hierconn *) wire \u_loader.head_q ;
  (* hierconn *) wire \u_loader.places_q ;
  (* hierconn *) wire \u_loader.complete_q ;
  (* hierconn *) wire [7:0] \u_loader.loaded_q ;
  (* hierconn *) wire \u_loader.own_q ;
  (* hierconn *) wire \u_loader.next_q ;
  (* hierconn *) wire [SB-1:0] \u_loader.slot_q ;
  (* hierconn *) wire [$clog2(MOST > 1 ? MOST : 2)-1:0] \u_loader.piece_q ;
  (* hierconn *) wire [MOST*DW-1:0] \u_loader.row_q ;

  // A reset has come.
  reg known = 0;
  always @(posedge clk_i) known <= known || rst_i;

  // Pieces of the program that came, 0 before its version; the table, the row and the part of it that the next one is.
  reg [7:0] count;
  wire head = count == 0;
  wire places = count >= ROWS_END;
  wire [7:0] since = places ? count - ROWS_END : count - 1;
  wire [7:0] row = places ? since / PP : since / RP;
  wire [7:0] part = places ? since % PP : since % RP;
  wire ends = !head && part == (places ? PP - 1 : RP - 1);
  wire last = piece_i && count == ALL - 1;

  // A whole program waits from its last piece on, until the version of another comes or it is taken into use.
  reg whole, used;
  reg [7:0] waits, runs;
  wire there = last || (whole && !(piece_i && head));
  wire taken = go_i && go_swap_i && whole && waits == go_version_i;

  // Words that lie by the places of the program in use, of the one that waits, and of one that was loaded over.
  reg by_used, by_waiting, by_lost;

  // What the cycle before has done.
  reg did_end, did_places, did_refuse, was_known, was_taken, was_select;
  reg [7:0] did_row;
  reg [MOST*DW-1:0] pieces;
  initial was_known = 0;

  always @(posedge clk_i) begin
    was_known <= known && !rst_i;
    was_select <= select;
    was_taken <= taken;
    if (rst_i) begin
      count <= 0;
      whole <= 0;
      waits <= 0;
      runs <= 0;
      used <= 0;
      by_used <= 0;
      by_waiting <= 0;
      by_lost <= 0;
      did_refuse <= 0;
    end else begin
      if (piece_i) count <= last ? 0 : count + 1;
      if (piece_i && head) waits <= data_i;
      whole <= there && !taken;
      if (taken) begin
        used <= !used;
        runs <= waits;
      end
      by_used <= !go_i && (by_used || (load_i && !there));
      by_waiting <= !go_i && !(piece_i && head) && (by_waiting || (load_i && there));
      by_lost <= !go_i && (by_lost || (piece_i && head && by_waiting));
      did_refuse <= go_i && ((go_swap_i && !taken) || by_lost || (taken ? by_used : by_waiting));
    end
    did_end <= !rst_i && piece_i && ends;
    did_places <= places;
    did_row <= row;
    if (piece_i && !head) pieces[part*DW+:DW] <= data_i;
  end

  always @* begin
    // Nothing is written before the first reset, however late it comes.
    assert (\u_loader.early == !known && !(we && !known));
    // The loader is at the table, row and part of a row that the number of pieces says.
    if (known) assert (count < ALL && \u_loader.head_q == head && \u_loader.places_q == places && (head || (\u_loader.slot_q == row && \u_loader.piece_q == part)) && (!head || (\u_loader.slot_q == 0 && \u_loader.piece_q == 0)));
    // A row is written in the cycle after its last piece, and at no other time.
    if (was_known) assert (we == did_end);
    // A row is written to its place: the table or the places, and its number there.
    if (was_known && did_end) assert (wplaces == did_places && wslot == did_row);
    // A program is written to the banks that are not in use.
    if (known) assert (wselect == !select);
    // Nothing is written to the banks of a collective that starts but the last of the places.
    if (was_known && we && wselect == go_select) assert (wplaces && wslot == PLACES - 1);
    // A program is whole from its last piece until the next one's version, or until it is taken into use.
    if (known) assert (\u_loader.complete_q == whole && (!whole || \u_loader.head_q ) && \u_loader.loaded_q == waits);
    // The banks change exactly with a start that asks for it, when a whole program waits that has the version which the start names.
    if (was_known) assert (select == (was_taken ? !was_select : was_select) && select == used);
    // A collective runs by the changed banks from its first row on.
    if (known && !rst_i) assert (go_select == (taken ? !select : select));
    // The version is that of the program in use.
    if (known) assert (version == runs);
    // Words are loaded by the places of the whole program that waits, else of the one in use.
    if (known) assert (load_select == (there ? !select : select));
    // The loader knows by which places words were loaded.
    if (known) assert (\u_loader.own_q == (by_used || by_lost) && \u_loader.next_q == (by_waiting || by_lost));
    // A start is refused exactly if its program does not wait, or if words lie by the places of another program than it runs.
    if (was_known) assert (refused == did_refuse);
  end

  genvar i;
  generate
    for (i = 0; i < MOST; i = i + 1) begin : gen_part
      wire [31:0] at = i;
      always @* begin
        // Pieces of a row stand side by side as they came, the lowest bits first.
        if (known && !head && at < part) assert (\u_loader.row_q [i*DW+:DW] == pieces[i*DW+:DW]);
      end
    end
  endgenerate

  always @* begin
    // A row of the table is written with the bits of its pieces.
    if (was_known && did_end && !did_places) assert (wrow[RW-1:0] == pieces[RW-1:0]);
    // A place is written with the bits of its pieces.
    if (was_known && did_end && did_places) assert (wrow[PW-1:0] == pieces[PW-1:0]);
  end

endmodule

`default_nettype wire
