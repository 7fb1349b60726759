`default_nettype none
// The program of a router in exchanges on a hypercube: steps from a table or from counters, and the words of each: one a cycle, or with
// `burst` as many in consecutive cycles as a local and a global hop take, and then none for as long. For a row's other fields see mn_exchange_ports and mn_exchange_endpoint; len is the
// cycles to the next step, at least 3.
module mn_exchange_program #(
    parameter WORDS = 1,   // words a node
    parameter STEPS = 2,   // rows of the table
    parameter RB    = 42,  // bits of a row
    parameter LB    = 16,  // of them the length, topmost
    parameter FILE  = "",  // image of the table for $readmemh
    parameter GUARD = 0,   // 1: a bit of a register that flips is reported, and a start before the end
    parameter COUNTER = 0, // 1: counters instead of the table; see mn_exchange_counter for what follows
    parameter K      = 2,
    parameter M      = 2,
    parameter LOCAL_STAGES  = 1,
    parameter GLOBAL_STAGES = 1,
    parameter FAMILY = 0,
    parameter KIND   = 0,
    parameter [17*LB-1:0] LENGTHS = {17 * LB{1'b0}},
    // derived, not to be set
    parameter AB = WORDS > 1 ? $clog2(WORDS) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          go_i,
    // a word of this cycle, of the step of row_o; the first comes two cycles after go_i
    output wire          valid_o,
    output wire [AB-1:0] word_o,
    output wire [RB-1:0] row_o,
    // a row of the table was none of the network's, or a bit has flipped
    output wire          wrong_o
);
    localparam LAST = 15, BURST = 16;  // a row's fields
    localparam CLASH = LOCAL_STAGES + GLOBAL_STAGES, CB = $clog2(2 * CLASH);
    localparam [31:0] COUNT = WORDS, PHASE_LAST = 2 * CLASH - 1, PAUSE = CLASH;

    reg          on_q, valid_q;
    reg [LB-1:0] time_q;   // cycles of the step
    reg [CB-1:0] phase_q;  // and of the burst and its pause
    reg [  AB:0] next_q;   // the next word
    reg [AB-1:0] word_q;
    wire          wrong_row, wrong_step, wrong_time;
    wire [LB-1:0] len = row_o[RB-1-:LB];
    wire          ends = time_q + 1'b1 == len;
    // the first word leaves in any case, and only then is the step's row there
    wire          leaves = on_q && next_q < COUNT[AB:0] && (!row_o[BURST] || phase_q < PAUSE[CB-1:0]);

    generate
        if (COUNTER != 0) begin : gen_counter
            mn_exchange_counter #(
                .K(K), .M(M), .LOCAL_STAGES(LOCAL_STAGES), .GLOBAL_STAGES(GLOBAL_STAGES), .FAMILY(FAMILY), .KIND(KIND),
                .GUARD(GUARD), .LB(LB), .LENGTHS(LENGTHS)
            ) u_counter (
                .clk_i(clk_i), .rst_i(rst_i), .first_i(go_i || (ends && row_o[LAST])), .step_i(on_q && ends), .row_o(row_o),
                .wrong_o(wrong_row)
            );
            assign wrong_step = 1'b0;
        end else begin : gen_table
            localparam SB = STEPS > 1 ? $clog2(STEPS) : 1;
            reg [SB-1:0] step_q;
            wire [SB-1:0] step_d = go_i || (ends && row_o[LAST]) ? {SB{1'b0}} : on_q && ends ? step_q + 1'b1 : step_q;
            always @(posedge clk_i) step_q <= rst_i ? {SB{1'b0}} : step_d;
            mn_table_rom #(.WIDTH(RB), .ROWS(STEPS), .FILE(FILE)) u_table (.clk_i(clk_i), .slot_i(step_q), .row_o(row_o), .wrong_o(wrong_row));
            mn_guard #(.ON(GUARD)) u_step (.clk_i(clk_i), .rst_i(rst_i), .given_i(^step_d), .kept_i(^step_q), .wrong_o(wrong_step));
        end
    endgenerate

    wire          on_d    = go_i || (on_q && !(ends && row_o[LAST]));
    wire          begins  = go_i || (on_q && ends);
    wire [LB-1:0] time_d  = begins ? {LB{1'b0}} : on_q ? time_q + 1'b1 : time_q;
    wire [CB-1:0] phase_d = begins || (on_q && phase_q == PHASE_LAST[CB-1:0]) ? {CB{1'b0}} : on_q ? phase_q + 1'b1 : phase_q;
    wire [  AB:0] next_d  = begins ? {AB + 1{1'b0}} : on_q ? next_q + {{AB{1'b0}}, leaves} : next_q;
    always @(posedge clk_i) begin
        if (rst_i) begin
            on_q    <= 1'b0;
            time_q  <= {LB{1'b0}};
            phase_q <= {CB{1'b0}};
            next_q  <= {AB + 1{1'b0}};
            valid_q <= 1'b0;
        end else begin
            on_q    <= on_d;
            time_q  <= time_d;
            phase_q <= phase_d;
            next_q  <= next_d;
            valid_q <= leaves;
        end
        word_q  <= next_q[AB-1:0];
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{on_d, time_d, phase_d, next_d, leaves, next_q[AB-1:0]} ^ (go_i && on_q && !(ends && row_o[LAST]))),
        .kept_i(^{on_q, time_q, phase_q, next_q, valid_q, word_q}), .wrong_o(wrong_time)
    );
    assign wrong_o = wrong_row || wrong_step || wrong_time;

    assign valid_o = valid_q;
    assign word_o  = word_q;
endmodule
`default_nettype wire
