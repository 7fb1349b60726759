`default_nettype none
// The metronome of a router: from go_i on it counts the rows of the slot table, once for each word of a message.
// A new go_i may come in the cycle after the last row, so that collectives follow each other without a gap.
module mn_slot_counter #(
    parameter ROWS  = 4,  // rows of the slot table: the period
    parameter WORDS = 1,  // words a message: passes through the table
    parameter GUARD = 0,  // 1: a bit that flips is reported, and a start before the end
    // derived, not to be set
    parameter SB = ROWS > 1 ? $clog2(ROWS) : 1,
    parameter WP = WORDS > 1 ? $clog2(WORDS) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // start of a collective, from buffer go_buffer_i, with program go_select_i
    input  wire          go_i,
    input  wire          go_buffer_i,
    input  wire          go_select_i,
    // the row of this cycle
    output wire          valid_o,
    output wire          last_o,    // the collective's last row
    output wire          buffer_o,
    output wire          select_o,
    output wire [WP-1:0] word_o,
    output wire [SB-1:0] slot_o,
    output wire          wrong_o
);
    localparam [31:0] SLOT_LAST = ROWS - 1;
    localparam [31:0] WORD_LAST = WORDS - 1;

    reg          valid_q, buffer_q, select_q;
    reg [WP-1:0] word_q;
    reg [SB-1:0] slot_q;

    wire slot_end = slot_q == SLOT_LAST[SB-1:0];
    wire last     = slot_end && word_q == WORD_LAST[WP-1:0];

    wire          valid_d  = go_i || (valid_q && !last);
    wire          buffer_d = go_i ? go_buffer_i : buffer_q;
    wire          select_d = go_i ? go_select_i : select_q;
    wire [SB-1:0] slot_d   = go_i ? {SB{1'b0}} : !valid_q ? slot_q : slot_end ? {SB{1'b0}} : slot_q + 1'b1;
    wire [WP-1:0] word_d   = go_i ? {WP{1'b0}} : valid_q && slot_end ? word_q + 1'b1 : word_q;
    always @(posedge clk_i) begin
        if (rst_i) begin
            valid_q  <= 1'b0;
            buffer_q <= 1'b0;
            select_q <= 1'b0;
            slot_q   <= {SB{1'b0}};
            word_q   <= {WP{1'b0}};
        end else begin
            valid_q  <= valid_d;
            buffer_q <= buffer_d;
            select_q <= select_d;
            slot_q   <= slot_d;
            word_q   <= word_d;
        end
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{valid_d, buffer_d, select_d, slot_d, word_d} ^ (go_i && valid_q && !last)),
        .kept_i(^{valid_q, buffer_q, select_q, slot_q, word_q}), .wrong_o(wrong_o)
    );

    assign valid_o  = valid_q;
    assign last_o   = valid_q && last;
    assign buffer_o = buffer_q;
    assign select_o = select_q;
    assign word_o   = word_q;
    assign slot_o   = slot_q;
endmodule
`default_nettype wire
