`default_nettype none
// The multipliers of an endpoint for products: lanes of operands from ports, each with its copy of the tile's part of the matrix, and
// the products that groups of lanes add up. Fields of a row of the program are those of mn_product_endpoint.
//
// Timing: lanes_i and sent_i are of this cycle's row; elements_i, came_i and groups_i of the one before, as products_o is.
module mn_product_multiply #(
    parameter P      = 4,   // ports
    parameter DW     = 32,  // bits of a sum
    parameter PARITY = 0,   // 1: a bit of the matrix, of a sum or of a register that flips is reported
    parameter EB     = 16,  // bits of an element
    parameter SIGNED = 0,   // 1: elements are signed
    parameter X      = 1,   // rows and columns of a block
    parameter GROUPS = 1,   // groups of multipliers
    parameter TERMS  = 1,   // lanes of a group
    parameter BANKS  = 1,   // banks of sums of a group
    parameter SPLIT  = 0,   // 1: every operand has products for all banks
    parameter HELD   = 1,   // rows of such a bank
    parameter ROWS   = 1,   // rows of the matrix that the tile has
    // derived, not to be set
    parameter L  = GROUPS * TERMS,
    parameter J  = SPLIT != 0 ? BANKS * X : X,
    parameter HB = HELD > 1 ? $clog2(HELD) : 1,
    parameter XB = X > 1 ? $clog2(X) : 1,
    parameter GB = GROUPS > 1 ? $clog2(GROUPS) : 1,
    parameter BB = BANKS > 1 ? $clog2(BANKS) : 1,
    parameter MB = ROWS > 1 ? $clog2(ROWS) : 1,
    parameter PW = 1 + GB + HB + XB,
    parameter GW = 1 + HB + BB,
    // which ports feed which lane
    parameter [L*P-1:0] LANE_PORTS = {L * P{1'b0}}
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // a row of the matrix that is loaded
    input  wire                 we_i,
    input  wire [       MB-1:0] address_i,
    input  wire [     J*EB-1:0] matrix_i,
    // arriving word by port, and a bit if it is an element
    input  wire [     P*DW-1:0] came_i,
    input  wire [        P-1:0] elements_i,
    // of each lane, the row of the matrix; of each group {bank, row, first}
    input  wire [     L*MB-1:0] lanes_i,
    input  wire [GROUPS*GW-1:0] groups_i,
    // of each bank {column, row, group, on}: the product to send, and that product
    input  wire [ BANKS*PW-1:0] sent_i,
    output wire [    BANKS-1:0] on_o,
    output wire [ BANKS*DW-1:0] products_o,
    // a bit has flipped of a row of the matrix or of sums that is used, or of a register
    output wire                 wrong_o
);
    localparam MW = J * EB + PARITY;
    wire [MW-1:0]     loaded;
    wire [GROUPS-1:0] wrong;
    genvar i, l, g, b;
    localparam SW = X * DW + PARITY;  // a row of sums
    wire [   GROUPS*BANKS*SW-1:0] sums;
    wire [            GROUPS-1:0] wrong_group;
    wire [             BANKS-1:0] odd_sum, wrong_send;
    wire [         BANKS*HB-1:0] address;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_address
            assign address[b*HB+:HB] = sent_i[b*PW+1+GB+:HB];
        end
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
            wire [  TERMS*EB-1:0] operand;
            wire [TERMS*J*EB-1:0] matrix;
            wire [     TERMS-1:0] there;
            wire [     TERMS-1:0] odd;  // rows with another parity than they were loaded with
            for (l = 0; l < TERMS; l = l + 1) begin : gen_lane
                localparam [P-1:0] PORTS = LANE_PORTS[(g*TERMS+l)*P+:P];
                wire [P*EB-1:0] parts;
                for (i = 0; i < P; i = i + 1) begin : gen_part
                    assign parts[i*EB+:EB] = came_i[i*DW+:EB] & {EB{elements_i[i] && PORTS[i]}};
                end
                mn_or_tree #(.W(EB), .N(P)) u_part (.terms_i(parts), .any_o(operand[l*EB+:EB]));
                assign there[l] = |(elements_i & PORTS);
                wire [MW-1:0] row;
                mn_bank #(.WIDTH(MW), .AB(MB)) u_matrix (
                    .clk_i(clk_i), .we_i(we_i), .waddr_i(address_i), .wdata_i(loaded),
                    .raddr_i(lanes_i[(g*TERMS+l)*MB+:MB]), .rdata_o(row)
                );
                assign matrix[l*J*EB+:J*EB] = row[J*EB-1:0];
                assign odd[l] = PARITY != 0 && ^row;
            end
            assign wrong[g] = |(odd & there);
            mn_product_group #(
                .DW(DW), .EB(EB), .SIGNED(SIGNED), .PARITY(PARITY), .TERMS(TERMS), .X(X), .BANKS(BANKS), .SPLIT(SPLIT), .HELD(HELD)
            ) u_group (
                .clk_i(clk_i), .rst_i(rst_i), .wrong_o(wrong_group[g]), .valid_i(|there), .operand_i(operand), .matrix_i(matrix),
                .first_i(groups_i[g*GW]), .row_i(groups_i[g*GW+1+:HB]), .bank_i(groups_i[g*GW+1+HB+:BB]),
                .address_i(address), .sums_o(sums[g*BANKS*SW+:BANKS*SW])
            );
        end
        for (b = 0; b < BANKS; b = b + 1) begin : gen_send
            reg           on_q;
            reg  [GB-1:0] group_q;
            reg  [XB-1:0] column_q;
            always @(posedge clk_i) begin
                on_q     <= !rst_i && sent_i[b*PW];
                group_q  <= sent_i[b*PW+1+:GB];
                column_q <= sent_i[b*PW+1+GB+HB+:XB];
            end
            mn_guard #(.ON(PARITY)) u_guard (
                .clk_i(clk_i), .rst_i(rst_i), .given_i(^{sent_i[b*PW], sent_i[b*PW+1+:GB], sent_i[b*PW+1+GB+HB+:XB]}),
                .kept_i(^{on_q, group_q, column_q}), .wrong_o(wrong_send[b])
            );
            wire [GROUPS*DW-1:0] choices;
            wire [   GROUPS-1:0] odd_choice;
            for (g = 0; g < GROUPS; g = g + 1) begin : gen_choice
                localparam [31:0] NUMBER = g;
                wire [SW-1:0] row = sums[(g*BANKS+b)*SW+:SW];
                wire          mine = group_q == NUMBER[GB-1:0];
                assign choices[g*DW+:DW] = row[{{32-XB{1'b0}},column_q}*DW+:DW] & {DW{mine}};
                assign odd_choice[g] = PARITY != 0 && mine && ^row;
            end
            mn_or_tree #(.W(DW), .N(GROUPS)) u_choice (.terms_i(choices), .any_o(products_o[b*DW+:DW]));
            assign on_o[b] = on_q;
            assign odd_sum[b] = on_q && |odd_choice;
        end
    endgenerate
    generate
        assign loaded[J*EB-1:0] = matrix_i;
        if (PARITY != 0) begin : gen_parity
            reg wrong_q;
            assign loaded[J*EB] = ^matrix_i;
            always @(posedge clk_i) wrong_q <= !rst_i && |{wrong, odd_sum};
            assign wrong_o = |{wrong_q, wrong_group, wrong_send};
        end else begin : gen_no_parity
            assign wrong_o = 1'b0;
            wire unused_wrong = &{wrong, odd_sum, wrong_group, wrong_send};
        end
    endgenerate
    // elements are narrower than sums
    wire unused = &came_i;
endmodule
`default_nettype wire
