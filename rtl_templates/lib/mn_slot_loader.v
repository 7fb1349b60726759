`default_nettype none
// Gathers a new program of a slot-table tile from the pieces of the host stream: first the version, then the rows of
// the table, then the places. Each row has ceil(bits / DW) pieces, lowest bits first. It goes to the banks that are
// not in use; they change with a collective that asks for it (go_swap_i).
//
// Words that the host loads lie where places say. From the last piece of a program on they are loaded by its places, so a program comes
// before its words. A collective that names another version than the loaded one, or whose words lie by the places of another program than
// the one that it runs, is a fault.
module mn_slot_loader #(
    parameter ROWS   = 4,   // rows of the table
    parameter RW     = 8,   // bits of a row
    parameter PLACES = 4,   // rows of places
    parameter PW     = 4,   // bits of a place
    parameter DW     = 32,  // bits of a piece
    // derived, not to be set
    parameter SB = $clog2(ROWS > PLACES ? ROWS : PLACES),
    parameter WW = RW > PW ? RW : PW
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // pieces
    input  wire          piece_i,
    input  wire [DW-1:0] data_i,
    // the host loads a word
    input  wire          load_i,
    // start of a collective; with go_swap_i it runs the loaded program, whose version must be go_version_i
    input  wire          go_i,
    input  wire          go_swap_i,
    input  wire [   7:0] go_version_i,
    // bank of the table from this cycle's start on, of the places of results and of loads
    output wire          go_select_o,
    output wire          select_o,
    output wire          load_select_o,
    // write port: of the table, or of the places
    output wire          we_o,
    output wire          wplaces_o,
    output wire          wselect_o,
    output wire [SB-1:0] wslot_o,
    output wire [WW-1:0] wrow_o,
    // a start was refused, for one cycle; version in use
    output wire          refused_o,
    output wire [   7:0] version_o
);
    localparam ROW_PIECES   = (RW + DW - 1) / DW;
    localparam PLACE_PIECES = (PW + DW - 1) / DW;
    localparam PIECES = ROW_PIECES > PLACE_PIECES ? ROW_PIECES : PLACE_PIECES;
    localparam ROWB = PIECES * DW;  // bits gathered, at least WW
    localparam CB   = PIECES > 1 ? $clog2(PIECES) : 1;
    localparam [31:0] LAST_ROW = ROWS - 1, LAST_PLACE = PLACES - 1, ROW_LAST = ROW_PIECES - 1, PLACE_LAST = PLACE_PIECES - 1;

    reg            head_q;              // the next piece is a version
    reg            ready_q;             // a reset has come
    reg            places_q;            // the next piece is of the places
    reg            complete_q;          // the banks that are not in use hold a whole program
    reg [     7:0] loaded_q, active_q;  // versions
    reg            select_q, refused_q, we_q, wplaces_q;
    reg            own_q, next_q;       // words were loaded by the places of the program in use, of the one that waits
    reg [  SB-1:0] slot_q, wslot_q;
    reg [  CB-1:0] piece_q;
    reg [ROWB-1:0] row_q;

    wire row_end  = piece_q == (places_q ? PLACE_LAST[CB-1:0] : ROW_LAST[CB-1:0]);
    wire slot_end = row_end && slot_q == (places_q ? LAST_PLACE[SB-1:0] : LAST_ROW[SB-1:0]);
    wire early    = !ready_q;  // what comes is no piece
    wire piece    = piece_i && !early;
    wire head     = piece && head_q;
    wire last     = piece && !head_q && slot_end && places_q;
    wire waiting  = last || (complete_q && !head);
    wire swap     = go_i && go_swap_i && complete_q && loaded_q == go_version_i;

    // the image of a memory stands before the first clock
    initial {ready_q, we_q} = 2'b00;
    always @(posedge clk_i) begin
        if (rst_i) begin
            ready_q    <= 1'b1;
            head_q     <= 1'b1;
            places_q   <= 1'b0;
            complete_q <= 1'b0;
            loaded_q   <= 8'd0;
            active_q   <= 8'd0;
            select_q   <= 1'b0;
            refused_q  <= 1'b0;
            own_q      <= 1'b0;
            next_q     <= 1'b0;
            slot_q     <= {SB{1'b0}};
            piece_q    <= {CB{1'b0}};
        end else begin
            if (head) begin
                head_q   <= 1'b0;
                loaded_q <= data_i[7:0];
            end else if (piece) begin
                piece_q <= row_end ? {CB{1'b0}} : piece_q + 1'b1;
                if (row_end) slot_q <= slot_end ? {SB{1'b0}} : slot_q + 1'b1;
                if (slot_end) places_q <= !places_q;
                if (last) head_q <= 1'b1;
            end
            complete_q <= waiting && !swap;
            if (swap) begin
                select_q <= !select_q;
                active_q <= loaded_q;
            end
            // words of a program that was loaded over are no other program's
            own_q     <= !go_i && (own_q || (load_i && !waiting) || (head && next_q));
            next_q    <= !go_i && (next_q || (load_i && waiting));
            refused_q <= go_i && ((go_swap_i && !swap) || (swap ? own_q : next_q));
        end
        we_q      <= !rst_i && piece && !head_q && row_end;
        wplaces_q <= places_q;
        wslot_q   <= slot_q;
    end

    genvar i;
    generate
        for (i = 0; i < PIECES; i = i + 1) begin : gen_piece
            localparam [31:0] PLACE = i;
            always @(posedge clk_i) if (piece_i && piece_q == PLACE[CB-1:0]) row_q[i*DW+:DW] <= data_i;
        end
        if (ROWB > WW) begin : gen_padding
            wire unused = &row_q[ROWB-1:WW];
        end
    endgenerate

    assign go_select_o   = select_q ^ swap;
    assign select_o      = select_q;
    assign load_select_o = select_q ^ waiting;
    assign we_o      = we_q;
    assign wplaces_o = wplaces_q;
    assign wselect_o = !select_q;
    assign wslot_o   = wslot_q;
    assign wrow_o    = row_q[WW-1:0];
    assign refused_o = refused_q;
    assign version_o = active_q;
endmodule
`default_nettype wire
