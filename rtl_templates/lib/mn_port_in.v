`default_nettype none
// The stream of a core into its tile: the tile's words of one collective after the other, in the order of its places, TLAST with the last.
// A beat that is not as it must be (see fault_o) is not taken into a collective, nor is any beat behind it: the stream stands until reset.
module mn_port_in #(
    parameter DW     = 32,  // bits of a word
    parameter TB     = 5,   // bits of a tile number
    parameter LOADS  = 1,   // words of a collective; 0: the core has none to send
    parameter DOUBLE = 0,   // 1: a queue for the words of a whole collective
    parameter DESTS  = 0,   // 1: TDEST is compared with the destination of each word
    parameter FILE   = ""   // image of the destinations
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // the core's words, {all bytes count, TLAST, TDEST, TDATA} each
    input  wire          valid_i,
    output wire          ready_o,
    input  wire [TB+DW+1:0] beat_i,
    // the next word, and whether it is a collective's last; taken where valid and ready are high
    output wire          word_valid_o,
    input  wire          word_ready_i,
    output wire [DW-1:0] word_o,
    output wire          word_last_o,
    // the next beat has: 0 TLAST too early, 1 no TLAST though it is the last, 2 another TDEST, 3 bytes that do not count
    output wire [   3:0] fault_o,
    // the image of the destinations is another network's
    output wire          wrong_o
);
    localparam CB = LOADS > 1 ? $clog2(LOADS) : 1;
    localparam [31:0] LAST = LOADS > 1 ? LOADS - 1 : 0;
    localparam NONE = LOADS == 0;

    wire          valid, whole, last;
    wire [TB-1:0] dest;
    wire [DW-1:0] data;
    wire          take, unused_slice;
    mn_slice #(.W(2 + TB + DW)) u_beats (
        .clk_i(clk_i), .rst_i(rst_i),
        .valid_i(valid_i), .ready_o(ready_o), .data_i(beat_i),
        .valid_o(valid), .ready_i(take), .data_o({whole, last, dest, data}), .wrong_o(unused_slice)
    );

    // ---- the number of the word among those of its collective ----
    reg  [CB-1:0] count_q;
    reg           last_q;
    wire [CB-1:0] count = !take ? count_q : last_q ? {CB{1'b0}} : count_q + 1'b1;
    always @(posedge clk_i) begin
        count_q <= rst_i ? {CB{1'b0}} : count;
        last_q  <= rst_i ? LAST == 32'd0 : count == LAST[CB-1:0];
    end

    // ---- its destination ----
    wire astray;
    generate
        if (DESTS != 0 && !NONE) begin : gen_dests
            wire [TB-1:0] expected;
            mn_table_rom #(.WIDTH(TB), .ROWS(LOADS), .FILE(FILE)) u_dests (
                .clk_i(clk_i), .slot_i(count), .row_o(expected), .wrong_o(wrong_o)
            );
            assign astray = dest != expected;
        end else begin : gen_no_dests
            wire unused = &dest;
            assign astray  = 1'b0;
            assign wrong_o = 1'b0;
        end
    endgenerate

    wire [3:0] fault = NONE ? 4'b0010 : {!whole, astray, last_q && !last, last && !last_q};
    wire       good  = valid && fault == 4'd0;
    wire       room;
    assign fault_o = valid ? fault : 4'd0;
    assign take    = good && room;

    // ---- words that wait until the tile has room for them ----
    generate
        if (DOUBLE != 0 && !NONE) begin : gen_queue
            localparam AB = CB > 1 ? CB : 2;
            localparam [31:0] PLACES = 1 << AB;
            reg [AB:0] free_q;
            wire unused_wrong;
            mn_fifo #(.W(1 + DW), .AB(AB)) u_words (
                .clk_i(clk_i), .rst_i(rst_i), .push_i(take), .data_i({last, data}),
                .valid_o(word_valid_o), .ready_i(word_ready_i), .data_o({word_last_o, word_o}), .wrong_o(unused_wrong)
            );
            always @(posedge clk_i) begin
                free_q <= rst_i ? PLACES[AB:0] : free_q - {{AB{1'b0}}, take} + {{AB{1'b0}}, word_valid_o && word_ready_i};
            end
            assign room = free_q != {AB + 1{1'b0}};
        end else begin : gen_through
            assign room         = word_ready_i;
            assign word_valid_o = good;
            assign word_o       = data;
            assign word_last_o  = last;
        end
    endgenerate
endmodule
`default_nettype wire
