`default_nettype none
// Rows of a slot table made by loops: one row a cycle from go_i on, as mn_slot_counter with a table makes them.
//
// A loop is, from bit 0 on, {it is the last, its last stored row, its turns less one, a stride of each address that has some}. It begins
// with the stored row after the last one of the loop before. A turn is one pass over its stored rows. The loop of the next cycle is read
// from its table in this one, so that a loop of one row takes one cycle.
module mn_slot_loops #(
    parameter ROWS  = 4,   // stored rows
    parameter RW    = 8,   // bits of a stored row
    parameter TABLE = "",  // image of the stored rows
    parameter LOOPS = 1,   // loops
    parameter LW    = 3,   // bits of a loop
    parameter EB    = 1,   // bits of the number of a stored row, enough for ROWS
    parameter CB    = 1,   // bits of a number of turns
    parameter LOOP  = "",  // image of the loops
    parameter GUARD = 0,   // 1: a bit of a counter that flips is reported, and a start before the end
    // derived, not to be set
    parameter XW = LW - EB - CB + 2
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // start of a collective; it may come in the cycle after the last row
    input  wire          go_i,
    // a row comes in the next cycle; it is the collective's last
    output wire          valid_o,
    output wire          last_o,
    // of that row: {strides of its loop, it begins a further turn of its loop, a loop, the collective}
    output wire [XW-1:0] strides_o,
    // the row of this cycle
    output wire [RW-1:0] row_o,
    // a row or a loop was none of the network's, or a bit has flipped
    output wire          wrong_o
);
    localparam SB = ROWS > 1 ? $clog2(ROWS) : 1;
    localparam IB = LOOPS > 1 ? $clog2(LOOPS) : 1;

    reg           valid_q, first_q, begin_q;
    reg  [IB-1:0] loop_q;
    reg  [CB-1:0] turn_q;
    reg  [SB-1:0] slot_q, start_q;
    wire [LW-1:0] body;

    wire          turn_end  = slot_q == body[1+:SB];
    wire          loop_end  = turn_end && turn_q == body[1+EB+:CB];
    wire          last      = loop_end && body[0];
    wire [SB-1:0] slot_next = last ? {SB{1'b0}} : slot_q + 1'b1;
    wire [IB-1:0] loop_next = go_i || (valid_q && last) ? {IB{1'b0}} : valid_q && loop_end ? loop_q + 1'b1 : loop_q;

    wire          valid_d = go_i || (valid_q && !last);
    wire          begin_d = go_i || (valid_q ? turn_end : begin_q);
    wire [SB-1:0] slot_d  = go_i ? {SB{1'b0}} : !valid_q ? slot_q : turn_end && !loop_end ? start_q : slot_next;
    wire [CB-1:0] turn_d  = go_i ? {CB{1'b0}} : !(valid_q && turn_end) ? turn_q : loop_end ? {CB{1'b0}} : turn_q + 1'b1;
    wire [SB-1:0] start_d = go_i ? {SB{1'b0}} : valid_q && loop_end ? slot_next : start_q;
    always @(posedge clk_i) begin
        first_q <= go_i;
        valid_q <= !rst_i && valid_d;
        if (rst_i || go_i) begin
            begin_q <= 1'b1;
            loop_q  <= {IB{1'b0}};
            turn_q  <= {CB{1'b0}};
            slot_q  <= {SB{1'b0}};
            start_q <= {SB{1'b0}};
        end else begin
            begin_q <= begin_d;
            loop_q  <= loop_next;
            turn_q  <= turn_d;
            slot_q  <= slot_d;
            start_q <= start_d;
        end
    end

    wire wrong_row, wrong_loop, wrong_count;
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .wrong_o(wrong_count),
        .given_i(^{go_i, valid_d, begin_d, loop_next, turn_d, slot_d, start_d} ^ (go_i && valid_q && !last)),
        .kept_i(^{first_q, valid_q, begin_q, loop_q, turn_q, slot_q, start_q})
    );
    mn_table_rom #(.WIDTH(LW), .ROWS(LOOPS), .FILE(LOOP)) u_loops (
        .clk_i(clk_i), .slot_i(loop_next), .row_o(body), .wrong_o(wrong_loop)
    );
    mn_table_rom #(.WIDTH(RW), .ROWS(ROWS), .FILE(TABLE)) u_table (
        .clk_i(clk_i), .slot_i(slot_q), .row_o(row_o), .wrong_o(wrong_row)
    );

    wire again = turn_q != {CB{1'b0}};
    generate
        if (XW > 3) begin : gen_strides
            assign strides_o = {body[LW-1:1+EB+CB], begin_q && again, begin_q && !again, first_q};
        end else begin : gen_no_strides
            assign strides_o = {begin_q && again, begin_q && !again, first_q};
        end
        if (EB > SB) begin : gen_unused
            wire unused_end = &body[EB:1+SB];
        end
    endgenerate
    assign valid_o = valid_q;
    assign last_o  = valid_q && last;
    assign wrong_o = wrong_row || wrong_loop || wrong_count;
endmodule
`default_nettype wire
