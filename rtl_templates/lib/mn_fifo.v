`default_nettype none
// A first-in first-out queue of 2**AB words whose oldest word stands at the output. The writer counts its credits: a
// word that comes to a full queue is lost, so it must not come. A deep memory of look-up tables is slow. So it has
// groups of 32 words with a register each, and the output register selects one of these. From 256 words on a block
// RAM is used. A word that comes to an empty queue leaves the memory after two cycles, so that the memory never has
// all 2**AB words, and its count needs AB bits.
module mn_fifo #(
    parameter W  = 8,  // bits of a word
    parameter AB = 4,  // address bits, at least 2
    parameter GUARD = 0,  // 1: a bit of its counters that flips is reported
    // derived, not to be set but in proofs
    parameter GB = AB < 5 || AB >= 8 ? AB : 5  // address bits of a group
) (
    input  wire         clk_i,
    input  wire         rst_i,
    // write side
    input  wire         push_i,
    input  wire [W-1:0] data_i,
    // read side: the word is taken where both are high
    output wire         valid_o,
    input  wire         ready_i,
    output wire [W-1:0] data_o,
    output wire         wrong_o
);
    localparam GROUPS = 1 << (AB - GB);
    localparam SB     = AB > GB ? AB - GB : 1;

    reg [AB-1:0] head_q, tail_q;  // next to read, next to write
    reg [AB-1:0] stored_q;        // words in the memory
    reg          more_q;          // there are some for sure; a word that has just come is seen a cycle later
    reg          read_valid_q, valid_q;
    reg [W-1:0]  data_q;
    wire [GROUPS*W-1:0] read;     // what was read from each group
    wire [W-1:0]        chosen;
    wire                group_given, group_kept;  // parity of the number of its group

    wire move = read_valid_q && (!valid_q || ready_i);
    wire take = more_q && (!read_valid_q || move);

    genvar g;
    generate
        if (AB >= 8) begin : gen_deep
            (* ram_style = "block" *) reg [W-1:0] block [0:(1<<AB)-1];
            reg [W-1:0] read_q;
            always @(posedge clk_i) begin
                if (push_i) block[tail_q] <= data_i;
                if (take) read_q <= block[head_q];
            end
            assign read   = read_q;
            assign chosen = read;
        end
        if (AB < 8 && GROUPS == 1) begin : gen_one
            reg [W-1:0] mem [0:(1<<AB)-1];
            reg [W-1:0] read_q;
            always @(posedge clk_i) begin
                if (push_i) mem[tail_q] <= data_i;
                if (take) read_q <= mem[head_q];
            end
            assign read   = read_q;
            assign chosen = read;
        end
        if (GROUPS > 1) begin : gen_several
            reg  [SB-1:0] group_q;  // of the word that was read
            wire [SB-1:0] group_d = take ? head_q[AB-1:GB] : group_q;
            always @(posedge clk_i) group_q <= group_d;
            assign group_given = ^group_d;
            assign group_kept  = ^group_q;
            for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
                localparam [31:0] GROUP = g;
                reg [W-1:0] mem [0:(1<<GB)-1];
                reg [W-1:0] read_q;
                always @(posedge clk_i) begin
                    if (push_i && tail_q[AB-1:GB] == GROUP[SB-1:0]) mem[tail_q[GB-1:0]] <= data_i;
                    if (take) read_q <= mem[head_q[GB-1:0]];
                end
                assign read[g*W+:W] = read_q;
            end
            assign chosen = read[group_q*W+:W];
        end else begin : gen_single
            assign group_given = 1'b0;
            assign group_kept  = 1'b0;
        end
    endgenerate

    wire [AB-1:0] tail_d   = tail_q + {{AB - 1{1'b0}}, push_i};
    wire [AB-1:0] head_d   = head_q + {{AB - 1{1'b0}}, take};
    wire [AB-1:0] stored_d = stored_q + {{AB - 1{1'b0}}, push_i} - {{AB - 1{1'b0}}, take};
    wire more_d       = stored_q[AB-1:1] != {AB - 1{1'b0}} || (stored_q[0] && !take);
    wire read_valid_d = take || (read_valid_q && !move);
    wire valid_d      = move || (valid_q && !ready_i);

    always @(posedge clk_i) begin
        if (move) data_q <= chosen;
        if (rst_i) begin
            head_q       <= {AB{1'b0}};
            tail_q       <= {AB{1'b0}};
            stored_q     <= {AB{1'b0}};
            more_q       <= 1'b0;
            read_valid_q <= 1'b0;
            valid_q      <= 1'b0;
        end else begin
            tail_q       <= tail_d;
            head_q       <= head_d;
            stored_q     <= stored_d;
            more_q       <= more_d;
            read_valid_q <= read_valid_d;
            valid_q      <= valid_d;
        end
    end
    // the group has no reset
    wire wrong_count, wrong_group;
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{tail_d, head_d, stored_d, more_d, read_valid_d, valid_d}),
        .kept_i(^{tail_q, head_q, stored_q, more_q, read_valid_q, valid_q}), .wrong_o(wrong_count)
    );
    mn_guard #(.ON(GUARD)) u_group (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(group_given), .kept_i(group_kept), .wrong_o(wrong_group)
    );
    assign wrong_o = wrong_count || wrong_group;

    assign valid_o = valid_q;
    assign data_o  = data_q;
endmodule
`default_nettype wire
