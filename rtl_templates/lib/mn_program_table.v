`default_nettype none
// A router's program as four slot tables, read at the four taps of its beat. Rows come out one cycle after their tap.
// Row layout, port 1 (local) or 0 (global) in the low position:
//   local send {valid, gamma, pi} | global send {valid, pi} | global receive {valid, delta} | local receive {valid, gamma, delta}
// RAM = 1: two banks of tables; the one that is not selected is loaded through the write port, tables in the order above.
module mn_program_table #(
    parameter K = 2,               // cabinets: global ports
    parameter M = 3,               // routers a drawer: local ports + 1
    parameter ROWS  = 4,           // rows of the slot table
    parameter WORDS = 1,           // words a message
    parameter LOCAL_STAGES  = 1,   // cycles of a local hop
    parameter GLOBAL_STAGES = 1,   // cycles of a global hop
    parameter BANK_STAGES = 1,     // registers from a send bank's address to the router
    parameter RAM = 0,             // 1: loadable
    parameter GUARD = 0,           // 1: a bit of a register that flips is reported
    parameter FILE_LOCAL_SEND     = "",  // images for $readmemh
    parameter FILE_GLOBAL_SEND    = "",
    parameter FILE_GLOBAL_RECEIVE = "",
    parameter FILE_LOCAL_RECEIVE  = "",
    // derived, not to be set
    parameter GB  = K > 1 ? $clog2(K) : 1,
    parameter PB  = $clog2(M),
    parameter SB  = ROWS > 1 ? $clog2(ROWS) : 1,
    parameter WP  = WORDS > 1 ? $clog2(WORDS) : 1,
    parameter LRW = (M - 1) * (1 + GB + PB),
    parameter GRW = K * (1 + PB),
    parameter PW  = LRW > GRW ? LRW : GRW
) (
    input  wire           clk_i,
    input  wire           rst_i,
    input  wire           go_i,
    input  wire           go_buffer_i,
    input  wire           go_select_i,
    // write port of the bank that is not selected (RAM = 1)
    input  wire           we_i,
    input  wire           wselect_i,
    input  wire [    1:0] wtable_i,
    input  wire [ SB-1:0] wslot_i,
    input  wire [ PW-1:0] wrow_i,
    // rows (they count where valid_o is set), and the buffer and word that they speak of
    output wire [    3:0] valid_o,
    output wire [LRW-1:0] local_send_o,
    output wire [GRW-1:0] global_send_o,
    output wire [GRW-1:0] global_receive_o,
    output wire [LRW-1:0] local_receive_o,
    output wire [    3:0] buffer_o,
    output wire [4*WP-1:0] word_o,
    // the row of the local receive banks was the collective's last
    output wire           done_o,
    // a row was none of the network's, or a bit has flipped
    output wire           wrong_o
);
    // The reset comes as late as in the tile (mn_sv_tile), so that all leave it together.
    wire rst, wrong_rst;
    mn_late_reset #(.GUARD(GUARD)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o(rst), .wrong_o(wrong_rst));

    // a beat is {valid, last, buffer, select, word, slot}
    localparam BW = 4 + WP + SB;
    wire [  BW-1:0] beat;
    wire [4*BW-1:0] beats;

    wire wrong_tap, wrong_late, wrong_count;
    mn_slot_counter #(.ROWS(ROWS), .WORDS(WORDS), .GUARD(GUARD)) u_counter (
        .clk_i(clk_i), .rst_i(rst), .go_i(go_i), .go_buffer_i(go_buffer_i), .go_select_i(go_select_i),
        .valid_o(beat[BW-1]), .last_o(beat[BW-2]), .buffer_o(beat[BW-3]), .select_o(beat[BW-4]),
        .word_o(beat[SB+:WP]), .slot_o(beat[0+:SB]), .wrong_o(wrong_count)
    );
    mn_program_taps #(.W(BW), .HEAD(2), .LOCAL_STAGES(LOCAL_STAGES), .GLOBAL_STAGES(GLOBAL_STAGES), .BANK_STAGES(BANK_STAGES), .GUARD(GUARD)) u_taps (
        .clk_i(clk_i), .rst_i(rst), .row_i(beat), .row_o(beats), .wrong_o(wrong_tap)
    );

    wire [3:0] valid, last, buffer, select;
    wire [4*WP-1:0] word;
    wire [4*SB-1:0] slot;
    wire [3:0] wrong;
    assign wrong_o = |wrong || wrong_rst || wrong_tap || wrong_late || wrong_count;
    genvar t;
    generate
        for (t = 0; t < 4; t = t + 1) begin : gen_tap
            assign {valid[t], last[t], buffer[t], select[t], word[t*WP+:WP], slot[t*SB+:SB]} = beats[t*BW+:BW];
        end
    endgenerate

    generate
        if (RAM != 0) begin : gen_ram
            mn_table_ram #(.WIDTH(LRW), .ROWS(ROWS), .FILE(FILE_LOCAL_SEND)) u_local_send (
                .clk_i(clk_i), .select_i(select[0]), .slot_i(slot[0*SB+:SB]), .row_o(local_send_o), .wrong_o(wrong[0]),
                .we_i(we_i && wtable_i == 2'd0), .wselect_i(wselect_i), .wslot_i(wslot_i), .wrow_i(wrow_i[LRW-1:0])
            );
            mn_table_ram #(.WIDTH(GRW), .ROWS(ROWS), .FILE(FILE_GLOBAL_SEND)) u_global_send (
                .clk_i(clk_i), .select_i(select[1]), .slot_i(slot[1*SB+:SB]), .row_o(global_send_o), .wrong_o(wrong[1]),
                .we_i(we_i && wtable_i == 2'd1), .wselect_i(wselect_i), .wslot_i(wslot_i), .wrow_i(wrow_i[GRW-1:0])
            );
            mn_table_ram #(.WIDTH(GRW), .ROWS(ROWS), .FILE(FILE_GLOBAL_RECEIVE)) u_global_receive (
                .clk_i(clk_i), .select_i(select[2]), .slot_i(slot[2*SB+:SB]), .row_o(global_receive_o), .wrong_o(wrong[2]),
                .we_i(we_i && wtable_i == 2'd2), .wselect_i(wselect_i), .wslot_i(wslot_i), .wrow_i(wrow_i[GRW-1:0])
            );
            mn_table_ram #(.WIDTH(LRW), .ROWS(ROWS), .FILE(FILE_LOCAL_RECEIVE)) u_local_receive (
                .clk_i(clk_i), .select_i(select[3]), .slot_i(slot[3*SB+:SB]), .row_o(local_receive_o), .wrong_o(wrong[3]),
                .we_i(we_i && wtable_i == 2'd3), .wselect_i(wselect_i), .wslot_i(wslot_i), .wrow_i(wrow_i[LRW-1:0])
            );
        end else begin : gen_rom
            mn_table_rom #(.WIDTH(LRW), .ROWS(ROWS), .FILE(FILE_LOCAL_SEND)) u_local_send (
                .clk_i(clk_i), .slot_i(slot[0*SB+:SB]), .row_o(local_send_o), .wrong_o(wrong[0])
            );
            mn_table_rom #(.WIDTH(GRW), .ROWS(ROWS), .FILE(FILE_GLOBAL_SEND)) u_global_send (
                .clk_i(clk_i), .slot_i(slot[1*SB+:SB]), .row_o(global_send_o), .wrong_o(wrong[1])
            );
            mn_table_rom #(.WIDTH(GRW), .ROWS(ROWS), .FILE(FILE_GLOBAL_RECEIVE)) u_global_receive (
                .clk_i(clk_i), .slot_i(slot[2*SB+:SB]), .row_o(global_receive_o), .wrong_o(wrong[2])
            );
            mn_table_rom #(.WIDTH(LRW), .ROWS(ROWS), .FILE(FILE_LOCAL_RECEIVE)) u_local_receive (
                .clk_i(clk_i), .slot_i(slot[3*SB+:SB]), .row_o(local_receive_o), .wrong_o(wrong[3])
            );
            wire unused = &{we_i, wselect_i, wtable_i, wslot_i, wrow_i, select};
        end
    endgenerate

    reg [3:0] valid_q, buffer_q;
    reg [4*WP-1:0] word_q;
    reg done_q;

    always @(posedge clk_i) begin
        valid_q  <= rst ? 4'b0 : valid;
        done_q   <= !rst && last[3];
        buffer_q <= buffer;
        word_q   <= word;
    end

    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst), .given_i(^{valid, last[3], buffer, word}), .kept_i(^{valid_q, done_q, buffer_q, word_q}), .wrong_o(wrong_late)
    );

    assign valid_o  = valid_q;
    assign buffer_o = buffer_q;
    assign word_o   = word_q;
    assign done_o   = done_q;

    wire unused_last = &last[2:0];
endmodule
`default_nettype wire
