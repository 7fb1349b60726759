`default_nettype none
// The steps of exchanges on a hypercube from counters instead of a table: the same rows (see mn_exchange_ports), one after the other.
// Of a label's bits, those of p are the lowest, then come those of d, then those of c. All-reduce and scan take the dimensions up,
// where the first of c comes before those of d in an all-reduce of single hops; a sort takes stage after stage, down from the stage.
module mn_exchange_counter #(
    parameter K  = 2,   // cabinets: global ports, a power of two
    parameter M  = 2,   // routers a drawer: local ports + 1, a power of two
    parameter LOCAL_STAGES  = 1,  // cycles of a local hop
    parameter GLOBAL_STAGES = 1,  // cycles of a global hop
    parameter FAMILY = 0,  // 0: single hops; 1: one to three hops; 2: four hops
    parameter KIND   = 0,  // 0: all-reduce; 1: prefix scan; 2: sort
    parameter GUARD  = 0,  // 1: a bit that flips is reported
    parameter LB = 16,  // bits of a length
    // cycles to the next step, by class of the step and of the next one, and those of the last step
    parameter [17*LB-1:0] LENGTHS = {17 * LB{1'b0}},
    // derived, not to be set
    parameter P  = M - 1 + K,
    parameter HOPS = FAMILY == 2 ? 4 : FAMILY == 1 ? 3 : 1,
    parameter Q  = P + (FAMILY == 2 ? 1 : 0),
    parameter RB = LB + HOPS * Q + 24
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // to the first step, or to the next
    input  wire          first_i,
    input  wire          step_i,
    // the row, a cycle later
    output wire [RB-1:0] row_o,
    output wire          wrong_o
);
    localparam MB = $clog2(M), KB = $clog2(K), N = KB + 2 * MB, Z = M - 1;
    localparam JUMP = FAMILY == 0 && KIND == 0 && KB > 0 ? 1 : 0;
    localparam [31:0] D_AT = MB, C_AT = 2 * MB, END_AT = N, LAST_AT = JUMP != 0 && KB == 1 ? 2 * MB - 1 : N - 1;
    localparam [4:0] D_FIRST = D_AT[4:0], C_FIRST = C_AT[4:0], STAGES = END_AT[4:0], LAST = LAST_AT[4:0];
    // classes of steps: a bit of p, of d or of c is exchanged, or words move over global port 0 alone
    localparam [1:0] IS_P = 2'd0, IS_D = 2'd1, IS_C = 2'd2, IS_Z = 2'd3;
    localparam [6:0] NEAR = LOCAL_STAGES, FAR = GLOBAL_STAGES;

    function [1:0] class_of(input [4:0] of_dim, input is_swapped, input is_home);
        if (is_home) class_of = IS_Z;
        else if (of_dim < D_FIRST) class_of = FAMILY == 0 && is_swapped ? IS_Z : IS_P;
        else if (of_dim < C_FIRST) class_of = FAMILY == 0 && !is_swapped ? IS_Z : IS_D;
        else class_of = IS_C;
    endfunction

    // where nodes are swapped is known before a step; home: nothing is left but to bring the carries home
    reg  [4:0] dim_q, stage_q;
    reg        swapped_q, home_q;
    wire [1:0] here = class_of(dim_q, swapped_q, home_q);
    wire       exchanges = here != IS_Z;
    wire       swapped = !home_q && swapped_q != (!exchanges || (FAMILY == 0 && here == IS_C));
    wire       ends = exchanges && (KIND == 2 ? dim_q == 5'd0 && stage_q == STAGES : dim_q == LAST);
    wire       home = FAMILY == 0 && KIND == 1 && ends && swapped;
    wire       last = home_q || (ends && !home);
    wire       carry = FAMILY == 0 && KIND == 1 && last;

    // the next step
    reg  [4:0] dim, stage;
    always @* begin
        dim   = dim_q;
        stage = stage_q;
        if (exchanges && !ends) begin
            if (KIND == 2 && dim_q == 5'd0) begin
                dim   = stage_q;
                stage = stage_q + 5'd1;
            end else if (KIND == 2) dim = dim_q - 5'd1;
            else if (JUMP != 0 && dim_q == D_FIRST - 5'd1) dim = C_FIRST;
            else if (JUMP != 0 && dim_q == C_FIRST) dim = D_FIRST;
            else if (JUMP != 0 && dim_q == C_FIRST - 5'd1) dim = C_FIRST + 5'd1;
            else dim = dim_q + 5'd1;
        end
    end
    wire [1:0] then = class_of(dim, swapped, home);
    // for the guard alone: synthesis makes less of a block that has these
    wire [4:0] dim_d     = first_i ? 5'd0 : step_i ? dim : dim_q;
    wire [4:0] stage_d   = first_i ? 5'd1 : step_i ? stage : stage_q;
    wire       swapped_d = !first_i && (step_i ? swapped : swapped_q);
    wire       home_d    = !first_i && (step_i ? home : home_q);
    always @(posedge clk_i) begin
        if (rst_i || first_i) begin
            dim_q     <= 5'd0;
            stage_q   <= 5'd1;
            swapped_q <= 1'b0;
            home_q    <= 1'b0;
        end else if (step_i) begin
            dim_q     <= dim;
            stage_q   <= stage;
            swapped_q <= swapped;
            home_q    <= home;
        end
    end

    // the port to the neighbour
    reg     [Q-1:0] port;
    integer         i;
    always @* begin
        port = {Q{1'b0}};
        for (i = 0; i < MB; i = i + 1) if (dim_q == i[4:0] || dim_q == D_FIRST + i[4:0]) port[(1<<i)-1] = 1'b1;
        for (i = 0; i < KB; i = i + 1) if (dim_q == C_FIRST + i[4:0]) port[Z+(1<<i)] = 1'b1;
        if (!exchanges) port = {Q{1'b0}};
    end
    localparam [Q-1:0] NONE = {Q{1'b0}}, SWAP = {{Q - 1{1'b0}}, 1'b1} << Z, STAY = {{Q - 1{1'b0}}, 1'b1} << (Q - 1);

    wire [HOPS*Q-1:0] masks;
    wire [       6:0] way;
    wire              burst;
    generate
        if (FAMILY == 0) begin : gen_single
            assign masks = port;
            assign way   = here == IS_P || here == IS_D ? NEAR : FAR;
            assign burst = 1'b0;
            wire unused = &{NONE, SWAP, STAY};
        end else if (FAMILY == 1) begin : gen_paper
            assign masks = here == IS_D ? {SWAP, port, SWAP} : here == IS_C ? {NONE, SWAP, port} : {NONE, NONE, port};
            assign way   = here == IS_D ? FAR + NEAR + FAR : here == IS_C ? FAR + FAR : NEAR;
            assign burst = here == IS_D;
            wire unused = &STAY;
        end else begin : gen_uniform
            assign masks = here == IS_D ? {STAY, SWAP, port, SWAP} : here == IS_C ? {STAY, SWAP, STAY, port} : {port, SWAP, STAY, SWAP};
            assign way   = FAR + NEAR + FAR + NEAR;
            assign burst = 1'b1;
            wire unused = &NONE;
        end
    endgenerate

    wire [LB-1:0] len = last ? LENGTHS[16*LB+:LB] : LENGTHS[{here, then}*LB+:LB];
    wire          own = !carry && (!exchanges || (FAMILY == 0 && here == IS_C));
    wire    [4:0] dim_shown = exchanges ? dim_q : 5'd0, stage_shown = exchanges && KIND == 2 ? stage_q : 5'd0;
    wire [RB-1:0] row_d = {
        len, masks, way, burst, last, carry, own, swapped, exchanges && KIND == 2, exchanges && KIND != 2, stage_shown, dim_shown
    };
    reg  [RB-1:0] row_q;
    always @(posedge clk_i) row_q <= row_d;
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{dim_d, stage_d, swapped_d, home_d, row_d}),
        .kept_i(^{dim_q, stage_q, swapped_q, home_q, row_q}), .wrong_o(wrong_o)
    );
    assign row_o = row_q;
endmodule
`default_nettype wire
