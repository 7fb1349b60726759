`default_nettype none
// The beat of a router at its four places. Row s of the slot table belongs to the global hops of one cycle; the packets
// of the row are read from the local send banks first, from the global send banks one local hop later, and arrive in the
// global and the local receive banks one global, then one more local hop later:
//   tap 0 local send banks, 1 global send banks, 2 global receive banks, 3 local receive banks.
module mn_program_taps #(
    parameter ROWS  = 4,           // rows of the slot table
    parameter WORDS = 1,           // words a message
    parameter LOCAL_STAGES  = 1,   // cycles of a local hop
    parameter GLOBAL_STAGES = 1,   // cycles of a global hop
    parameter BANK_STAGES   = 3,   // cycles from a send row's address to the arrival register, without the hops
    // derived, not to be set
    parameter SB = ROWS > 1 ? $clog2(ROWS) : 1,
    parameter WP = WORDS > 1 ? $clog2(WORDS) : 1
) (
    input  wire            clk_i,
    input  wire            rst_i,
    input  wire            go_i,
    input  wire            go_buffer_i,
    input  wire            go_select_i,
    // one field a tap, tap 0 in the low position
    output wire [     3:0] valid_o,
    output wire [     3:0] last_o,
    output wire [     3:0] buffer_o,
    output wire [     3:0] select_o,
    output wire [4*WP-1:0] word_o,
    output wire [4*SB-1:0] slot_o
);
    localparam BW = 4 + WP + SB;

    wire [4*BW-1:0] beat;

    mn_slot_counter #(.ROWS(ROWS), .WORDS(WORDS)) u_counter (
        .clk_i(clk_i), .rst_i(rst_i),
        .go_i(go_i), .go_buffer_i(go_buffer_i), .go_select_i(go_select_i),
        .valid_o(beat[BW-1]), .last_o(beat[BW-2]), .buffer_o(beat[BW-3]), .select_o(beat[BW-4]),
        .word_o(beat[SB+:WP]), .slot_o(beat[0+:SB])
    );
    mn_stages #(.W(BW), .N(LOCAL_STAGES), .HEAD(BW)) u_to_global_send (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(beat[0+:BW]), .q_o(beat[BW+:BW])
    );
    mn_stages #(.W(BW), .N(GLOBAL_STAGES + BANK_STAGES), .HEAD(BW)) u_to_global_receive (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(beat[BW+:BW]), .q_o(beat[2*BW+:BW])
    );
    mn_stages #(.W(BW), .N(LOCAL_STAGES), .HEAD(BW)) u_to_local_receive (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(beat[2*BW+:BW]), .q_o(beat[3*BW+:BW])
    );

    genvar t;
    generate
        for (t = 0; t < 4; t = t + 1) begin : gen_tap
            assign valid_o[t]         = beat[t*BW+BW-1];
            assign last_o[t]          = beat[t*BW+BW-2];
            assign buffer_o[t]        = beat[t*BW+BW-3];
            assign select_o[t]        = beat[t*BW+BW-4];
            assign word_o[t*WP+:WP]   = beat[t*BW+SB+:WP];
            assign slot_o[t*SB+:SB]   = beat[t*BW+:SB];
        end
    endgenerate
endmodule
`default_nettype wire
