`default_nettype none
// A tile of a Swapped Dragonfly for a product of matrices: synchronizing-header router, endpoint that multiplies and adds, and the
// registers on the channels that come in. Its program stands beside it (mn_product_program). Every output is a register.
module mn_product_tile #(
    parameter K      = 2,   // cabinets: global ports
    parameter M      = 3,   // routers a drawer: local ports + 1
    parameter LOCAL_STAGES  = 1,  // cycles of a local hop, at least XBAR_STAGES
    parameter GLOBAL_STAGES = 1,  // cycles of a global hop, at least XBAR_STAGES
    parameter XBAR_STAGES   = 1,  // of them in the crossbar: 1 or 2
    // the endpoint's, see mn_product_endpoint
    parameter DW     = 32,
    parameter EB     = 16,
    parameter SIGNED = 0,
    parameter PARITY = 0,
    parameter LOG    = 1,
    parameter TB     = 5,
    parameter SUM_CYCLES = 2,
    parameter COLUMN  = 0,
    parameter ARITH   = 1,
    parameter ONE_SUM = 0,
    parameter BACK    = 0,
    parameter X       = 1,
    parameter GROUPS  = 1,
    parameter TERMS   = 1,
    parameter BANKS   = 1,
    parameter SPLIT   = 0,
    parameter HELD    = 1,
    parameter ROWS    = 1,
    parameter OPERAND_BANKS = 1,
    parameter OPERAND_WORDS = 1,
    parameter RESULT_BANKS  = 1,
    parameter RESULT_WORDS  = 1,
    parameter BACK_BANKS    = 1,
    parameter BACK_WORDS    = 1,
    parameter WIDTH  = 32,
    // derived, not to be set
    parameter LW  = M - 1,
    parameter P   = LW + K,
    parameter W   = DW + PARITY,
    parameter FW  = 4 + TB + DW,
    parameter LHW = 5 + M + K,
    parameter GHW = 2 + M,
    parameter LCW = LHW + W,
    parameter GCW = GHW + W,
    parameter OBB = OPERAND_BANKS > 1 ? $clog2(OPERAND_BANKS) : 1,
    parameter RBB = RESULT_BANKS > 1 ? $clog2(RESULT_BANKS) : 1,
    parameter PB  = $clog2(P + 1),
    parameter [GROUPS*TERMS*P-1:0] LANE_PORTS = {GROUPS * TERMS * P{1'b0}}
) (
    input  wire              clk_i,
    input  wire              rst_i,
    // coordinates of this tile, and the use of its ports
    input  wire [    TB-1:0] tile_i,
    input  wire [     M-1:0] diagonal_i,
    input  wire [     P-1:0] operand_on_i,
    input  wire [ P*OBB-1:0] operand_bank_i,
    input  wire [LW*LHW+K*GHW-1:0] operand_header_i,
    input  wire [BANKS*PB-1:0] product_port_i,
    input  wire [BACK_BANKS*PB-1:0] back_port_i,
    input  wire [ K*RBB-1:0] result_bank_i,
    // the host ring
    input  wire [    FW-1:0] ring_i,
    output wire [    FW-1:0] ring_o,
    // start of the collective, and its program
    input  wire              go_i,
    input  wire              go_swap_i,
    input  wire              wrong_row_i,  // a row of the slot table was none of the network's
    input  wire [ WIDTH-1:0] row_i,
    // channels: local port 1 and global port 0 in the low position
    input  wire [LW*LCW-1:0] local_i,
    input  wire [ K*GCW-1:0] global_i,
    output wire [LW*LCW-1:0] local_o,
    output wire [ K*GCW-1:0] global_o,
    // faults so far
    output wire              fault_o
);
    localparam SCW = 4 + W;

    // The reset of the network has a register in each tile to reach, and then one for each part of the tile.
    wire rst, rst_endpoint, wrong_rst;
    mn_late_reset #(.COPIES(2), .GUARD(PARITY)) u_reset (.clk_i(clk_i), .rst_i(rst_i), .rst_o({rst_endpoint, rst}), .wrong_o(wrong_rst));

    wire [LW*LCW-1:0] local_in, tx_local;
    wire [ K*GCW-1:0] global_in, tx_global;
    wire [   SCW-1:0] unused_stay;
    wire [     P-1:0] rx_valid, conflict;
    wire [   P*W-1:0] rx_data;

    genvar i;
    generate
        for (i = 0; i < LW; i = i + 1) begin : gen_local
            mn_stages #(.W(LCW), .N(LOCAL_STAGES - XBAR_STAGES), .HEAD(LHW)) u_channel (
                .clk_i(clk_i), .rst_i(rst), .d_i(local_i[i*LCW+:LCW]), .q_o(local_in[i*LCW+:LCW])
            );
        end
        for (i = 0; i < K; i = i + 1) begin : gen_global
            mn_stages #(.W(GCW), .N(GLOBAL_STAGES - XBAR_STAGES), .HEAD(GHW)) u_channel (
                .clk_i(clk_i), .rst_i(rst), .d_i(global_i[i*GCW+:GCW]), .q_o(global_in[i*GCW+:GCW])
            );
        end
    endgenerate

    mn_product_endpoint #(
        .K(K), .M(M), .DW(DW), .EB(EB), .SIGNED(SIGNED), .PARITY(PARITY), .LOG(LOG), .TB(TB), .LOCAL_STAGES(LOCAL_STAGES),
        .SUM_CYCLES(SUM_CYCLES), .COLUMN(COLUMN), .ARITH(ARITH), .ONE_SUM(ONE_SUM), .BACK(BACK), .X(X), .GROUPS(GROUPS),
        .TERMS(TERMS), .BANKS(BANKS), .SPLIT(SPLIT), .HELD(HELD), .ROWS(ROWS), .OPERAND_BANKS(OPERAND_BANKS),
        .OPERAND_WORDS(OPERAND_WORDS), .RESULT_BANKS(RESULT_BANKS), .RESULT_WORDS(RESULT_WORDS), .BACK_BANKS(BACK_BANKS), .BACK_WORDS(BACK_WORDS),
        .LHW(LHW), .GHW(GHW), .WIDTH(WIDTH), .LANE_PORTS(LANE_PORTS)
    ) u_endpoint (
        .clk_i(clk_i), .rst_i(rst_endpoint), .tile_i(tile_i), .operand_on_i(operand_on_i), .operand_bank_i(operand_bank_i),
        .operand_header_i(operand_header_i), .product_port_i(product_port_i), .back_port_i(back_port_i), .result_bank_i(result_bank_i),
        .ring_i(ring_i), .ring_o(ring_o), .go_i(go_i), .go_swap_i(go_swap_i), .wrong_row_i(wrong_row_i || wrong_rst), .row_i(row_i),
        .tx_local_o(tx_local), .tx_global_o(tx_global),
        .rx_valid_i(rx_valid), .rx_data_i(rx_data), .conflict_i(conflict), .fault_o(fault_o)
    );

    mn_sh_router #(.K(K), .M(M), .W(W), .XBAR_STAGES(XBAR_STAGES), .GUARD(PARITY), .STAY(0)) u_router (
        .clk_i(clk_i), .rst_i(rst), .diagonal_i(diagonal_i),
        .tx_local_i(tx_local), .tx_global_i(tx_global),
        .local_i(local_in), .global_i(global_in), .stay_i({SCW{1'b0}}),
        .local_o(local_o), .global_o(global_o), .stay_o(unused_stay),
        .rx_local_valid_o(rx_valid[LW-1:0]), .rx_local_data_o(rx_data[LW*W-1:0]),
        .rx_global_valid_o(rx_valid[P-1:LW]), .rx_global_data_o(rx_data[P*W-1:LW*W]),
        .conflict_o(conflict)
    );
    wire unused = &unused_stay;
endmodule
`default_nettype wire
