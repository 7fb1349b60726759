`default_nettype none
// Gathers a new program from the pieces of the host stream: first the version, then the rows of the tables in order, each
// row in ceil(bits / DW) pieces, lowest bits first. The program goes to the bank that is not in use. A collective
// with go_swap_i changes the bank; it is a fault if it names another version than the loaded one.
module mn_program_loader #(
    parameter TABLES = 4, // 4, or 1 with rows of LRW bits
    parameter ROWS = 4,   // rows of each table
    parameter LRW  = 10,  // bits of a row of the local tables
    parameter GRW  = 6,   // bits of a row of the global tables
    parameter DW   = 32,  // bits of a piece
    // derived, not to be set
    parameter SB = ROWS > 1 ? $clog2(ROWS) : 1,
    parameter PW = LRW > GRW ? LRW : GRW
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // pieces
    input  wire          piece_i,
    input  wire [DW-1:0] data_i,
    // start of a collective; with go_swap_i it runs the loaded program, whose version must be go_version_i
    input  wire          go_i,
    input  wire          go_swap_i,
    input  wire [   7:0] go_version_i,
    output wire          select_o,
    // write port of the tables
    output wire          we_o,
    output wire          wselect_o,
    output wire [   1:0] wtable_o,
    output wire [SB-1:0] wslot_o,
    output wire [PW-1:0] wrow_o,
    // {a version was refused, for one cycle, 7'b0, version in use}
    output wire [  15:0] status_o
);
    localparam LOCAL_PIECES  = (LRW + DW - 1) / DW;
    localparam GLOBAL_PIECES = (GRW + DW - 1) / DW;
    localparam PIECES = LOCAL_PIECES > GLOBAL_PIECES ? LOCAL_PIECES : GLOBAL_PIECES;
    localparam ROWB = PIECES * DW;  // bits gathered, at least PW
    localparam CB = PIECES > 1 ? $clog2(PIECES) : 1;
    localparam [31:0] LOCAL_LAST  = LOCAL_PIECES - 1;
    localparam [31:0] GLOBAL_LAST = GLOBAL_PIECES - 1;
    localparam [31:0] SLOT_LAST   = ROWS - 1;
    localparam [31:0] TABLE_LAST  = TABLES - 1;

    reg                  head_q;                // the next piece is a version
    reg                  ready_q;               // a reset has come
    reg                  complete_q;            // the bank that is not in use holds a whole program
    reg [           7:0] loaded_q, active_q;    // versions
    reg                  select_q, refused_q, we_q;
    reg [           1:0] table_q, wtable_q;
    reg [        SB-1:0] slot_q, wslot_q;
    reg [        CB-1:0] piece_q;
    reg [ROWB-1:0] row_q;

    wire is_global = table_q[0] ^ table_q[1];
    wire row_end   = piece_q == (is_global ? GLOBAL_LAST[CB-1:0] : LOCAL_LAST[CB-1:0]);
    wire slot_end  = row_end && slot_q == SLOT_LAST[SB-1:0];
    wire swap      = go_i && go_swap_i;
    wire early     = !ready_q;  // what comes is no piece
    wire piece     = piece_i && !early;

    // the image of a memory stands before the first clock
    initial {ready_q, we_q} = 2'b00;
    always @(posedge clk_i) begin
        if (rst_i) begin
            ready_q    <= 1'b1;
            head_q     <= 1'b1;
            complete_q <= 1'b0;
            loaded_q   <= 8'd0;
            active_q   <= 8'd0;
            select_q   <= 1'b0;
            refused_q  <= 1'b0;
            table_q    <= 2'd0;
            slot_q     <= {SB{1'b0}};
            piece_q    <= {CB{1'b0}};
        end else begin
            if (piece && head_q) begin
                head_q     <= 1'b0;
                complete_q <= 1'b0;
                loaded_q   <= data_i[7:0];
            end else if (piece) begin
                piece_q <= row_end ? {CB{1'b0}} : piece_q + 1'b1;
                if (row_end) slot_q <= slot_end ? {SB{1'b0}} : slot_q + 1'b1;
                if (slot_end) table_q <= table_q == TABLE_LAST[1:0] ? 2'd0 : table_q + 2'd1;
                if (slot_end && table_q == TABLE_LAST[1:0]) begin
                    head_q     <= 1'b1;
                    complete_q <= 1'b1;
                end
            end
            // a program that is not whole, or not the one that was asked for, is not run in silence
            refused_q <= swap && !(complete_q && loaded_q == go_version_i);
            if (swap && complete_q && loaded_q == go_version_i) begin
                select_q   <= !select_q;
                active_q   <= loaded_q;
                complete_q <= 1'b0;
            end
        end
        we_q     <= !rst_i && piece && !head_q && row_end;
        wtable_q <= table_q;
        wslot_q  <= slot_q;
    end

    genvar i;
    generate
        for (i = 0; i < PIECES; i = i + 1) begin : gen_piece
            localparam [31:0] PLACE = i;
            always @(posedge clk_i) if (piece_i && piece_q == PLACE[CB-1:0]) row_q[i*DW+:DW] <= data_i;
        end
    endgenerate

    generate
        if (ROWB > PW) begin : gen_padding
            wire unused = &row_q[ROWB-1:PW];
        end
    endgenerate

    assign select_o  = select_q ^ (swap && complete_q && loaded_q == go_version_i);
    assign we_o      = we_q;
    assign wselect_o = !select_q;
    assign wtable_o  = wtable_q;
    assign wslot_o   = wslot_q;
    assign wrow_o    = row_q[PW-1:0];
    assign status_o  = {refused_q, 7'd0, active_q};
endmodule
`default_nettype wire
