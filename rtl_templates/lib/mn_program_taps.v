`default_nettype none
// The beat of a router at its four places. A row of the schedule belongs to the global hops of one cycle; the packets of
// the row are read from the local send banks first, from the global send banks one local hop later, and arrive in the
// global and the local receive banks one global, then one more local hop later:
//   tap 0 local send banks, 1 global send banks, 2 global receive banks, 3 local receive banks.
module mn_program_taps #(
    parameter W              = 8,  // bits of a row
    parameter HEAD           = W,  // topmost bits of a row that reset to zero
    parameter LOCAL_STAGES   = 1,  // cycles of a local hop
    parameter GLOBAL_STAGES  = 1,  // cycles of a global hop
    parameter BANK_STAGES    = 1,  // registers from a send bank's address to the router
    parameter GUARD          = 0   // 1: a bit of a delayed row that flips is reported
) (
    input  wire           clk_i,
    input  wire           rst_i,
    input  wire [  W-1:0] row_i,
    output wire [4*W-1:0] row_o,  // tap 0 in the low position
    output wire           wrong_o
);
    wire [2:0] wrong;
    assign wrong_o = |wrong;
    assign row_o[0+:W] = row_i;
    mn_guarded_stages #(.W(W), .N(LOCAL_STAGES), .HEAD(HEAD), .GUARD(GUARD)) u_to_global_send (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(row_o[0+:W]), .q_o(row_o[W+:W]), .wrong_o(wrong[0])
    );
    mn_guarded_stages #(.W(W), .N(GLOBAL_STAGES + BANK_STAGES), .HEAD(HEAD), .GUARD(GUARD)) u_to_global_receive (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(row_o[W+:W]), .q_o(row_o[2*W+:W]), .wrong_o(wrong[1])
    );
    mn_guarded_stages #(.W(W), .N(LOCAL_STAGES), .HEAD(HEAD), .GUARD(GUARD)) u_to_local_receive (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(row_o[2*W+:W]), .q_o(row_o[3*W+:W]), .wrong_o(wrong[2])
    );
endmodule
`default_nettype wire
