// A network as a board's top sees it, played from tables: it takes the words in `loads.hex`, says which are others, is busy for a time, and
// gives the words in `wants.hex` and a status of every tile. The number in `trial.txt` says what is wrong with it:
//   0 nothing; 1 the last word; 2 the first word's highest bit; 3 a tile's number; 4 no last beat of the drain; 5 to 8 a kind of fault in the
//   status of a tile; 9 the fault signal, for a cycle; 10 the drain lacks a word; 11 to 13 nothing, other times; 14 no end; 15 nothing, the
//   other bits of all status bytes are high; 16 the fault signal in the last cycle of the status; 17 no word is taken for long; 18 the fault signal, from
//   the start on; 32 + b bit b of a word
module mn_top #(
    parameter DW = `DW, TB = `TB, TILES = `TILES
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          s_axis_tvalid,
    output wire          s_axis_tready,
    input  wire [DW-1:0] s_axis_tdata,
    input  wire [TB+2:0] s_axis_tdest,
    output wire          m_axis_tvalid,
    input  wire          m_axis_tready,
    output wire [DW-1:0] m_axis_tdata,
    output wire [TB-1:0] m_axis_tid,
    output wire          m_axis_tuser,
    output wire          m_axis_tlast,
    output wire          busy_o,
    output wire          fault_o
);
    localparam PIECES = (64 + DW - 1) / DW;
    // rows {compared, tile, word}
    reg [TB+DW:0] loads [0:`LOADS-1];
    reg [TB+DW:0] wants [0:`WANTS-1];
    integer file, read, trial;
`ifndef YOSYS
    initial begin
        $readmemh("loads.hex", loads);
        $readmemh("wants.hex", wants);
        file = $fopen("trial.txt", "r");
        read = $fscanf(file, "%d", trial);
    end
`endif

    integer now, loaded, busy, words, pieces;
    reg faulty;
    wire take = s_axis_tvalid && s_axis_tready, give = m_axis_tvalid && m_axis_tready;
    wire end_status = pieces == 1 && give;
    reg [15:0] random;  // pauses on both streams
    reg waits;
    reg [TB+DW+2:0] beat;
    always @(posedge clk_i) begin
        now <= now + 1;
        if (rst_i) begin
            random <= 16'hace1; waits <= 1'b0; now <= 0; loaded <= 0; busy <= 0; words <= 0; pieces <= 0; faulty <= 1'b0;
        end else begin
            random <= {random[14:0], random[15] ^ random[13] ^ random[12] ^ random[10]};
            // what is offered stays until it is taken
            if (waits && {s_axis_tvalid, s_axis_tdest, s_axis_tdata} !== {1'b1, beat}) $display("unstable: %h %h", s_axis_tdest, s_axis_tdata);
            waits <= s_axis_tvalid && !s_axis_tready;
            beat <= {s_axis_tdest, s_axis_tdata};
            if (busy > 0 && trial != 14) busy <= busy - 1;
            if (give && words > 0) words <= words - 1;
            else if (give) pieces <= pieces - 1;
            if (take) case (s_axis_tdest[TB+2:TB])
                3'd0: begin
                    loaded <= loaded + 1;
                    if (loaded >= `LOADS || {s_axis_tdest[TB-1:0], s_axis_tdata} !== loads[loaded][TB+DW-1:0])
                        $display("load %0d: %h %h", loaded, s_axis_tdest, s_axis_tdata);
                end
                3'd2: begin
                    if (loaded != `LOADS || s_axis_tdata !== 1 || s_axis_tdest[TB-1:0] !== 0) $display("start after %0d: %h %h", loaded, s_axis_tdest, s_axis_tdata);
                    loaded <= 0;
                    faulty <= trial == 18;
                    case (trial)
                        11: busy <= 7;
                        12: busy <= 60999;
                        13: busy <= 10;
                        default: busy <= 12345;
                    endcase
                end
                3'd3: words <= `WANTS - (trial == 10 ? 1 : 0);
                3'd4: pieces <= TILES * PIECES;
                default: $display("kind: %h", s_axis_tdest);
            endcase
        end
    end
    // cycles of a reset
    integer held;
    initial held = 0;
    always @(posedge clk_i) begin
        held <= rst_i ? held + 1 : 0;
        if (!rst_i && held != 0) $display("reset of %0d cycles", held);
    end
    assign s_axis_tready = random[0] && words == 0 && pieces == 0 && (trial != 17 || now > 60000);
    assign busy_o        = busy > 0;
    assign fault_o       = (trial == 9 && busy == 100) || (trial == 16 && end_status) || faulty;

    // answers, with pauses, when the collective has ended
    wire [31:0]    at = words > 0 ? `WANTS - words : 0;
    wire [TB+DW:0] want = wants[at];
    wire [31:0]    piece = TILES * PIECES - pieces;
    reg  [DW-1:0]  flip;
    reg  [63:0]    status;
    always @* begin
        flip = {DW{!want[TB+DW]}};  // a word that is not compared is another one
        if (trial == 1 && words == 1) flip[0] = 1'b1;
        if (trial == 2 && at == 0) flip[DW-1] = 1'b1;
        if (trial >= 32 && at == (trial * 7) % `WANTS) flip[trial-32] = 1'b1;
        status = trial == 15 ? {32'hffffffff, 32'h7f7f7f7f} : 64'd0;
        if (trial >= 5 && trial <= 8 && piece / PIECES == (trial % 2 == 0 ? 0 : TILES - 1)) status[8*(trial-5)+7] = 1'b1;
    end
    assign m_axis_tvalid = busy == 0 && (words > 0 || pieces > 0) && random[3:2] != 2'd0;
    assign m_axis_tuser  = words == 0;
    assign m_axis_tdata  = words > 0 ? want[DW-1:0] ^ flip : status[DW*(piece%PIECES)+:DW];
    assign m_axis_tid    = words > 0 ? want[DW+:TB] ^ {{TB - 1{1'b0}}, trial == 3 && at == `WANTS / 2} : piece / PIECES;
    assign m_axis_tlast  = words > 0 ? words == 1 && trial != 4 : pieces == 1;
endmodule
