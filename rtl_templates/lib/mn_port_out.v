`default_nettype none
// The stream of a tile to its core: the tile's results of one collective after the other, in the order of its places, TLAST with the last.
// Words are read only as there is room for them in the queue, so a core that pauses loses none.
module mn_port_out #(
    parameter DW      = 32,  // bits of a word
    parameter TB      = 5,   // bits of a tile number
    parameter RESULTS = 1,   // words of a collective; 0: the core gets none
    parameter AB      = 4,   // address bits of the queue
    parameter SOURCES = 0,   // 1: TID is the tile that sent the word
    parameter FILE    = ""   // image of the sources
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // results may be read; the next one is, and comes two cycles later; it is the last
    input  wire          drain_i,
    output wire          read_o,
    output wire          end_o,
    input  wire [DW-1:0] word_i,
    // words for the core, {TLAST, TID, TDATA} each
    output wire          valid_o,
    input  wire          ready_i,
    output wire [TB+DW:0] beat_o,
    // the image of the sources is another network's
    output wire          wrong_o
);
    localparam CB = RESULTS > 1 ? $clog2(RESULTS) : 1;
    localparam [31:0] LAST = RESULTS > 1 ? RESULTS - 1 : 0;
    localparam [31:0] PLACES = 1 << AB;

    // ---- the number of the word among those of its collective ----
    reg  [CB-1:0] count_q;
    reg           last_q;
    wire [CB-1:0] count = !read_o ? count_q : last_q ? {CB{1'b0}} : count_q + 1'b1;
    always @(posedge clk_i) begin
        count_q <= rst_i ? {CB{1'b0}} : count;
        last_q  <= rst_i ? LAST == 32'd0 : count == LAST[CB-1:0];
    end

    // ---- its source, which comes as late as the word ----
    reg           read_1q, read_2q, last_1q, last_2q;
    wire [TB-1:0] source;
    generate
        if (SOURCES != 0 && RESULTS != 0) begin : gen_sources
            wire [TB-1:0] row;
            reg  [TB-1:0] row_q, row_2q;
            mn_table_rom #(.WIDTH(TB), .ROWS(RESULTS), .FILE(FILE)) u_sources (
                .clk_i(clk_i), .slot_i(count), .row_o(row), .wrong_o(wrong_o)
            );
            always @(posedge clk_i) begin
                row_q  <= row;
                row_2q <= row_q;
            end
            assign source = row_2q;
        end else begin : gen_no_sources
            assign source  = {TB{1'b0}};
            assign wrong_o = 1'b0;
        end
    endgenerate

    // ---- the queue ----
    reg [AB:0] free_q;  // places that no word has or will have
    wire       taken = valid_o && ready_i;
    always @(posedge clk_i) begin
        if (rst_i) begin
            free_q  <= PLACES[AB:0];
            read_1q <= 1'b0;
            read_2q <= 1'b0;
        end else begin
            free_q  <= free_q - {{AB{1'b0}}, read_o} + {{AB{1'b0}}, taken};
            read_1q <= read_o;
            read_2q <= read_1q;
        end
        last_1q <= last_q;
        last_2q <= last_1q;
    end
    assign read_o = drain_i && free_q != {AB + 1{1'b0}};
    assign end_o  = read_o && last_q;

    wire unused_wrong;
    mn_fifo #(.W(1 + TB + DW), .AB(AB)) u_words (
        .clk_i(clk_i), .rst_i(rst_i), .push_i(read_2q), .data_i({last_2q, source, word_i}),
        .valid_o(valid_o), .ready_i(ready_i), .data_o(beat_o), .wrong_o(unused_wrong)
    );
endmodule
`default_nettype wire
