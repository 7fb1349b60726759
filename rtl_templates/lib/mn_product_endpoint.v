`default_nettype none
// Endpoint of a router in a product of matrices. It sends elements of the operand, and multiplies arriving elements
// with its block of the matrix. It sends products and partial sums to the routers that add them, and stores the
// result.
//
// A row of the program, lowest field first; widths are derived below:
//   kinds     of each port, two bits: 0 nothing comes, 1 an element of the operand, 2 a term of a sum, 3 a result
//   home      whether a term comes from this router itself
//   operand   {address, on}: the element to send
//   products  of each bank {column, row, group, on}: the product to send
//   sum       {port, on}: where the sum that is due goes; port P is the router itself
//   back      of each bank {address, on}: the sum to bring home
//   lanes     of each lane, the row of the matrix that its operand meets
//   groups    of each group {bank, row, first}: which sums its operands add to, and whether they begin them
//   result    the address of the result that comes or is summed; way, {bank, address} of the sum that will be brought home
//
// Timing: what a row of cycle t sends is at the crossbar in cycle t + 2; what it receives is there in cycle t. An operand of cycle t can be
// in a product that is sent by a row of cycle t + 3 (5 cycles from crossbar to crossbar). A sum of terms is sent SUM_CYCLES cycles
// after them, at least 2 from crossbar to crossbar; one to be brought home can be sent 4 cycles after its terms.
module mn_product_endpoint #(
    parameter K      = 2,   // cabinets: global ports
    parameter M      = 3,   // routers a drawer: local ports + 1
    parameter DW     = 32,  // bits of a word: an element of the operand, or a sum
    parameter EB     = 16,  // bits of an element
    parameter SIGNED = 0,   // 1: elements are signed
    parameter PARITY = 0,   // 1: a parity bit travels with each word
    parameter LOG    = 1,   // 1: the fault log keeps ports and cycles
    parameter TB     = 5,   // bits of a tile number
    parameter LOCAL_STAGES = 1,  // cycles of a local hop
    parameter SUM_CYCLES   = 2,  // cycles from the terms of a sum to the sum, at the crossbar
    parameter COLUMN  = 0,  // 1: a column vector is multiplied: operands go local first, and products are summed over local ports first
    parameter ARITH   = 1,  // 0: a transpose, without arithmetic
    parameter ONE_SUM = 0,  // 1: the first sum is the result
    parameter BACK    = 0,  // 1: results are brought home
    parameter X       = 1,  // rows and columns of a block
    parameter GROUPS  = 1,  // groups of multipliers
    parameter TERMS   = 1,  // lanes of a group: operands that come together for the same sums
    parameter BANKS   = 1,  // banks of sums of a group
    parameter SPLIT   = 0,  // 1: every operand has products for all banks
    parameter HELD    = 1,  // rows of such a bank
    parameter ROWS    = 1,  // rows of the matrix that the tile has
    parameter OPERAND_BANKS = 1,  // banks of the operand
    parameter OPERAND_WORDS = 1,  // words of each
    parameter RESULT_BANKS  = 1,  // banks of the result
    parameter RESULT_WORDS  = 1,  // words of each
    parameter BACK_BANKS    = 1,  // banks of sums that wait to return
    parameter BACK_WORDS    = 1,  // words of each
    parameter LHW    = 9,   // bits of a local channel's header
    parameter GHW    = 5,   // bits of a global channel's header
    parameter WIDTH  = 32,  // bits of a row of the program
    // derived, not to be set
    parameter LW = M - 1,
    parameter P  = LW + K,
    parameter W  = DW + PARITY,
    parameter FW = 4 + TB + DW,
    parameter L  = GROUPS * TERMS,
    parameter OBB = OPERAND_BANKS > 1 ? $clog2(OPERAND_BANKS) : 1,
    parameter RBB = RESULT_BANKS > 1 ? $clog2(RESULT_BANKS) : 1,
    parameter PB  = $clog2(P + 1),
    // which ports feed which lane
    parameter [L*P-1:0] LANE_PORTS = {L * P{1'b0}}
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    // what differs from tile to tile: its number; the ports that send elements of the operand, from which bank, with which header; the
    // port over which each bank's products and sums leave; the bank of results from each global port
    input  wire [        TB-1:0] tile_i,
    input  wire [         P-1:0] operand_on_i,
    input  wire [     P*OBB-1:0] operand_bank_i,
    input  wire [LW*LHW+K*GHW-1:0] operand_header_i,
    input  wire [  BANKS*PB-1:0] product_port_i,
    input  wire [BACK_BANKS*PB-1:0] back_port_i,
    input  wire [     K*RBB-1:0] result_bank_i,
    // the host ring
    input  wire [        FW-1:0] ring_i,
    output wire [        FW-1:0] ring_o,
    // start of the collective, and the row of this cycle (mn_product_program)
    input  wire                  go_i,
    input  wire                  go_swap_i,  // with another program, which there is none of
    input  wire                  wrong_row_i,  // a row of the slot table was none of the network's
    input  wire [     WIDTH-1:0] row_i,
    // to the router's send side: flits
    output wire [LW*(LHW+W)-1:0] tx_local_o,
    output wire [ K*(GHW+W)-1:0] tx_global_o,
    // from the router's receive side
    input  wire [         P-1:0] rx_valid_i,
    input  wire [       P*W-1:0] rx_data_i,
    input  wire [         P-1:0] conflict_i,
    // faults so far
    output wire                  fault_o
);
    localparam J  = SPLIT != 0 ? BANKS * X : X;
    localparam OAB = OPERAND_WORDS > 1 ? $clog2(OPERAND_WORDS) : 1;
    localparam RAB = RESULT_WORDS > 1 ? $clog2(RESULT_WORDS) : 1;
    localparam WAB = BACK_WORDS > 1 ? $clog2(BACK_WORDS) : 1;
    localparam WBB = BACK_BANKS > 1 ? $clog2(BACK_BANKS) : 1;
    localparam HB = HELD > 1 ? $clog2(HELD) : 1;
    localparam XB = X > 1 ? $clog2(X) : 1;
    localparam GB = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam BB = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam MB = ROWS > 1 ? $clog2(ROWS) : 1;
    // the fields of a row
    localparam HOME = 2 * P, OPERAND = HOME + 1, PRODUCTS = OPERAND + 1 + OAB, PW = 1 + GB + HB + XB;
    localparam SUM = PRODUCTS + BANKS * PW, RETURN = SUM + 1 + PB, LANES = RETURN + BACK_BANKS * (1 + WAB);
    localparam GROUP = LANES + L * MB, GW = 1 + HB + BB, RESULT = GROUP + GROUPS * GW, WAY = RESULT + RAB;
    // kinds of arriving words
    localparam [1:0] ELEMENT = 2'd1, TERM = 2'd2, FINAL = 2'd3;
    // result: an arriving result, or a sum
    localparam FINALS = ARITH == 0 || BACK != 0 ? 1 : 0;
    // a header that ends with the hop
    localparam [LHW-1:0] LOCAL_END = ({{LHW - 1{1'b0}}, 1'b1} << (K + M + 2)) | ({{LHW - 1{1'b0}}, 1'b1} << (K + M + 4));
    localparam [GHW-1:0] GLOBAL_END = {{GHW - 1{1'b0}}, 1'b1};

    // a word as it is kept
    function [W-1:0] with_parity(input [DW-1:0] word);
        begin
            with_parity = {W{1'b0}};
            with_parity[W-1] = ^word;
            with_parity[DW-1:0] = word;
        end
    endfunction

    genvar i, b;

    // ---- the host ----
    wire          load_next, load, read_next, read, read_status, clear, unused_program;
    wire          wrong_flit, wrong_load, wrong_late, wrong_due, wrong_kept;
    wire [DW-1:0] load_data, unused_program_data;
    wire [   2:0] piece;
    wire [DW-1:0] answer;
    mn_ring_stop #(.DW(DW), .TB(TB), .GUARD(PARITY)) u_stop (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(tile_i), .ring_i(ring_i), .ring_o(ring_o),
        .load_next_o(load_next), .load_o(load), .load_data_o(load_data),
        .read_next_o(read_next), .read_o(read), .status_o(read_status), .piece_o(piece), .answer_i(answer),
        .program_o(unused_program), .program_data_o(unused_program_data), .clear_o(clear),
        .wrong_o(wrong_flit)
    );
    wire            matrix_we, operand_we;
    wire [  MB-1:0] matrix_address;
    wire [J*EB-1:0] matrix_row;
    wire [ OAB-1:0] operand_address;
    wire [ OBB-1:0] operand_bank;
    mn_product_load #(
        .DW(DW), .EB(EB), .J(J), .ROWS(ARITH != 0 ? ROWS : 0), .WORDS(OPERAND_WORDS), .BANKS(OPERAND_BANKS), .GUARD(PARITY), .MB(MB)
    ) u_load (
        .clk_i(clk_i), .rst_i(rst_i), .load_i(load), .data_i(load_data),
        .row_we_o(matrix_we), .row_address_o(matrix_address), .row_o(matrix_row),
        .word_we_o(operand_we), .word_address_o(operand_address), .word_bank_o(operand_bank),
        .wrong_o(wrong_load)
    );
    localparam RESULTS = RESULT_BANKS * RESULT_WORDS;
    localparam NB = RESULTS > 1 ? $clog2(RESULTS) : 1;
    wire [ NB-1:0] unused_from_word;
    wire [RBB-1:0] from_bank;
    wire [RAB-1:0] from_address;
    reg  [RBB-1:0] from_bank_q;
    reg  [RAB-1:0] from_address_q;
    reg  [RBB-1:0] read_bank_q;
    wire wrong_from, wrong_place;
    mn_lane_counter #(.COUNT(RESULTS), .LANES(RESULT_BANKS), .GUARD(PARITY)) u_from (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(read_next), .wrong_o(wrong_from),
        .word_o(unused_from_word), .lane_o(from_bank), .batch_o(from_address)
    );
    always @(posedge clk_i) begin
        from_bank_q    <= from_bank;
        from_address_q <= from_address;
    end
    mn_guard #(.ON(PARITY)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{from_bank, from_address, from_bank_q}), .kept_i(^{from_bank_q, from_address_q, read_bank_q}),
        .wrong_o(wrong_place)
    );

    // ---- arriving words, registered, with their rows ----
    reg  [WIDTH-1:0] row_q;
    wire [ P*DW-1:0] came;
    wire [      P:0] unexpected, missing, parity;
    wire [    P-1:0] is_element, is_term, is_final;
    always @(posedge clk_i) row_q <= row_i;
    generate
        for (i = 0; i < P; i = i + 1) begin : gen_receive
            wire [1:0] kind = row_q[2*i+:2];
            mn_product_receive #(.WIDTH(W), .PARITY(PARITY)) u_receive (
                .clk_i(clk_i), .valid_i(rx_valid_i[i]), .data_i(rx_data_i[i*W+:W]), .expected_i(kind != 2'd0),
                .data_o(came[i*DW+:DW]), .unexpected_o(unexpected[i]), .missing_o(missing[i]), .parity_o(parity[i])
            );
            assign is_element[i] = kind == ELEMENT;
            assign is_term[i]    = kind == TERM;
            assign is_final[i]   = kind == FINAL;
        end
    endgenerate

    // word that the router has sent to itself, as late as if it had come from a neighbour
    wire [W:0]    home, home_in;
    wire [DW-1:0] home_came;
    mn_stages #(.W(W + 1), .N(LOCAL_STAGES), .HEAD(1)) u_home (.clk_i(clk_i), .rst_i(rst_i), .d_i(home), .q_o(home_in));
    mn_product_receive #(.WIDTH(W), .PARITY(PARITY)) u_home_receive (
        .clk_i(clk_i), .valid_i(home_in[W]), .data_i(home_in[W-1:0]), .expected_i(row_q[HOME]),
        .data_o(home_came), .unexpected_o(unexpected[P]), .missing_o(missing[P]), .parity_o(parity[P])
    );

    // ---- the operand that is sent ----
    reg                        element_q;
    wire                       element_late;
    wire [OPERAND_BANKS*DW-1:0] elements, elements_late;
    always @(posedge clk_i) element_q <= !rst_i && row_i[OPERAND];
    wire [               W-1:0] loaded = with_parity(load_data);
    wire [   OPERAND_BANKS-1:0] odd;  // elements that leave with another parity than they were loaded with
    reg                         wrong_element_q;
    always @(posedge clk_i) wrong_element_q <= !rst_i && element_q && |odd;
    generate
        for (b = 0; b < OPERAND_BANKS; b = b + 1) begin : gen_operand
            localparam [31:0] BANK = b;
            wire [W-1:0] element;
            mn_bank #(.WIDTH(W), .AB(OAB)) u_operand (
                .clk_i(clk_i), .we_i(operand_we && operand_bank == BANK[OBB-1:0]), .waddr_i(operand_address), .wdata_i(loaded),
                .raddr_i(row_i[OPERAND+1+:OAB]), .rdata_o(element)
            );
            assign elements[b*DW+:DW] = element[DW-1:0];
            wire [P-1:0] ports;
            for (i = 0; i < P; i = i + 1) begin : gen_port
                assign ports[i] = operand_on_i[i] && operand_bank_i[i*OBB+:OBB] == BANK[OBB-1:0];
            end
            assign odd[b] = PARITY != 0 && |ports && ^element;
        end
    endgenerate
    // a column's element goes to global ports after it has stayed for a local hop
    mn_guarded_stages #(.W(1 + OPERAND_BANKS * DW), .N(COLUMN != 0 ? LOCAL_STAGES : 0), .HEAD(1), .GUARD(PARITY)) u_late (
        .clk_i(clk_i), .rst_i(rst_i), .d_i({element_q, elements}), .q_o({element_late, elements_late}), .wrong_o(wrong_late)
    );

    // ---- products ----
    wire [BANKS*DW-1:0] products;
    wire [   BANKS-1:0] product_on;
    wire                wrong_matrix;
    generate
        if (ARITH != 0) begin : gen_products
            mn_product_multiply #(
                .P(P), .DW(DW), .PARITY(PARITY), .EB(EB), .SIGNED(SIGNED), .X(X), .GROUPS(GROUPS), .TERMS(TERMS), .BANKS(BANKS), .SPLIT(SPLIT),
                .HELD(HELD), .ROWS(ROWS), .LANE_PORTS(LANE_PORTS)
            ) u_multiply (
                .clk_i(clk_i), .rst_i(rst_i), .we_i(matrix_we), .address_i(matrix_address), .matrix_i(matrix_row),
                .came_i(came), .elements_i(is_element), .lanes_i(row_i[LANES+:L*MB]), .groups_i(row_q[GROUP+:GROUPS*GW]),
                .sent_i(row_i[PRODUCTS+:BANKS*PW]), .on_o(product_on), .products_o(products), .wrong_o(wrong_matrix)
            );
        end else begin : gen_no_products
            assign products   = {BANKS * DW{1'b0}};
            assign wrong_matrix = 1'b0;
            assign product_on = {BANKS{1'b0}};
            wire unused_matrix = &{matrix_we, matrix_address, matrix_row, is_element, came};
        end
    endgenerate

    // ---- sums of words over local ports and from here, and over global ports ----
    wire [DW-1:0] local_sum, global_sum;
    wire          local_any = |{row_q[HOME], is_term[LW-1:0]};
    wire          global_any = |is_term[P-1:LW];
    generate
        if (ARITH != 0) begin : gen_sums
            wire [M*DW-1:0] near;
            wire [K*DW-1:0] far;
            for (i = 0; i < LW; i = i + 1) begin : gen_near
                assign near[i*DW+:DW] = came[i*DW+:DW] & {DW{is_term[i]}};
            end
            assign near[LW*DW+:DW] = home_came;
            for (i = 0; i < K; i = i + 1) begin : gen_far
                assign far[i*DW+:DW] = came[(LW+i)*DW+:DW] & {DW{is_term[LW+i]}};
            end
            mn_product_sum #(.W(DW), .N(M)) u_near (.terms_i(near), .sum_o(local_sum));
            mn_product_sum #(.W(DW), .N(K)) u_far (.terms_i(far), .sum_o(global_sum));
        end else begin : gen_no_sums
            assign local_sum  = {DW{1'b0}};
            assign global_sum = {DW{1'b0}};
            wire unused_home = &home_came;
        end
    endgenerate
    wire [DW-1:0] first_sum = COLUMN != 0 ? local_sum : global_sum;
    wire          summed = (COLUMN != 0) == (ONE_SUM != 0) ? local_any : global_any;
    wire [DW-1:0] last_sum = (COLUMN != 0) == (ONE_SUM != 0) ? local_sum : global_sum;

    wire [DW-1:0] due;
    reg           due_q;
    reg  [PB-1:0] due_port_q;
    mn_guarded_stages #(.W(DW), .N(SUM_CYCLES - 2), .HEAD(1), .GUARD(PARITY)) u_due (
        .clk_i(clk_i), .rst_i(rst_i), .d_i(first_sum), .q_o(due), .wrong_o(wrong_due)
    );
    always @(posedge clk_i) begin
        due_q      <= !rst_i && row_i[SUM];
        due_port_q <= row_i[SUM+1+:PB];
    end

    // ---- sums that wait to be brought home ----
    wire [BACK_BANKS*DW-1:0] backs;
    wire [   BACK_BANKS-1:0] back_on, odd_back;
    generate
        for (b = 0; b < BACK_BANKS; b = b + 1) begin : gen_back
            localparam [31:0] BANK = b;
            if (BACK != 0) begin : gen_bank
                reg on_q;
                wire [W-1:0] word;
                mn_bank #(.WIDTH(W), .AB(WAB)) u_back (
                    .clk_i(clk_i), .we_i(summed && (BACK_BANKS == 1 || row_q[WAY+WAB+:WBB] == BANK[WBB-1:0])),
                    .waddr_i(row_q[WAY+:WAB]), .wdata_i(with_parity(last_sum)),
                    .raddr_i(row_i[RETURN+b*(1+WAB)+1+:WAB]), .rdata_o(word)
                );
                assign backs[b*DW+:DW] = word[DW-1:0];
                assign odd_back[b]     = PARITY != 0 && on_q && ^word;
                always @(posedge clk_i) on_q <= !rst_i && row_i[RETURN+b*(1+WAB)];
                assign back_on[b] = on_q;
            end else begin : gen_none
                assign backs[b*DW+:DW] = {DW{1'b0}};
                assign back_on[b]      = 1'b0;
                assign odd_back[b]     = 1'b0;
            end
        end
    endgenerate

    // ---- sending ----
    wire [P:0] clash;
    generate
        for (i = 0; i <= P; i = i + 1) begin : gen_send
            localparam [31:0] PORT = i;
            wire [OPERAND_BANKS*DW-1:0] operand;
            wire [             OBB-1:0] bank;
            wire                        on_operand, on;
            wire [               W-1:0] payload;
            if (i < P) begin : gen_channel
                assign operand    = COLUMN != 0 && i >= LW ? elements_late : elements;
                assign bank       = operand_bank_i[i*OBB+:OBB];
                assign on_operand = operand_on_i[i] && (COLUMN != 0 && i >= LW ? element_late : element_q);
            end else begin : gen_none
                assign operand    = {OPERAND_BANKS * DW{1'b0}};
                assign bank       = {OBB{1'b0}};
                assign on_operand = 1'b0;
            end
            mn_product_send #(
                .PORT(PORT), .DW(DW), .PARITY(PARITY), .PB(PB), .OPERAND_BANKS(OPERAND_BANKS), .BANKS(BANKS), .BACK_BANKS(BACK_BANKS)
            ) u_send (
                .clk_i(clk_i), .operand_on_i(on_operand), .operand_bank_i(bank), .elements_i(operand),
                .product_on_i(product_on), .product_port_i(product_port_i), .products_i(products),
                .sum_on_i(due_q), .sum_port_i(due_port_q), .sum_i(due),
                .back_on_i(back_on), .back_port_i(back_port_i), .backs_i(backs),
                .on_o(on), .payload_o(payload), .clash_o(clash[i])
            );
            if (i < LW) begin : gen_local
                reg [LHW+W-1:0] flit_q;
                wire [LHW-1:0] header = on_operand ? operand_header_i[i*LHW+:LHW] : LOCAL_END;
                always @(posedge clk_i) flit_q <= {header, payload} & {LHW + W{on && !rst_i}};
                assign tx_local_o[i*(LHW+W)+:LHW+W] = flit_q;
            end else if (i < P) begin : gen_global
                reg [GHW+W-1:0] flit_q;
                wire [GHW-1:0] header = on_operand ? operand_header_i[LW*LHW+(i-LW)*GHW+:GHW] : GLOBAL_END;
                always @(posedge clk_i) flit_q <= {header, payload} & {GHW + W{on && !rst_i}};
                assign tx_global_o[(i-LW)*(GHW+W)+:GHW+W] = flit_q;
            end else begin : gen_home
                reg [W:0] flit_q;
                always @(posedge clk_i) flit_q <= {1'b1, payload} & {W + 1{on && !rst_i}};
                assign home = flit_q;
            end
        end
    endgenerate

    // ---- results ----
    wire [RESULT_BANKS*DW-1:0] answers;
    wire [   RESULT_BANKS-1:0] odd_result;
    reg                        read_q;
    generate
        for (b = 0; b < RESULT_BANKS; b = b + 1) begin : gen_result
            localparam [31:0] BANK = b;
            wire          we;
            wire [DW-1:0] data;
            wire [ W-1:0] word;
            wire          asked = read_q && read_bank_q == BANK[RBB-1:0];
            if (FINALS != 0) begin : gen_final
                wire [   K-1:0] mine;
                wire [K*DW-1:0] parts;
                for (i = 0; i < K; i = i + 1) begin : gen_part
                    assign mine[i] = is_final[LW+i] && (RESULT_BANKS == 1 || result_bank_i[i*RBB+:RBB] == BANK[RBB-1:0]);
                    assign parts[i*DW+:DW] = came[(LW+i)*DW+:DW] & {DW{mine[i]}};
                end
                mn_or_tree #(.W(DW), .N(K)) u_part (.terms_i(parts), .any_o(data));
                assign we = |mine;
            end else begin : gen_sum
                assign we   = summed;
                assign data = last_sum;
            end
            mn_bank #(.WIDTH(W), .AB(RAB)) u_result (
                .clk_i(clk_i), .we_i(we), .waddr_i(row_q[RESULT+:RAB]), .wdata_i(with_parity(data)),
                .raddr_i(from_address_q), .rdata_o(word)
            );
            assign answers[b*DW+:DW] = word[DW-1:0] & {DW{asked}};
            // a router that gets no results is read, too
            reg has_q;
            always @(posedge clk_i) has_q <= !rst_i && (has_q || we);
            assign odd_result[b] = PARITY != 0 && asked && has_q && ^word;
        end
    endgenerate
    wire [DW-1:0] result;
    mn_or_tree #(.W(DW), .N(RESULT_BANKS)) u_result_read (.terms_i(answers), .any_o(result));

    // what is stored is used with the parity with which it was stored
    wire wrong_stored;
    generate
        if (PARITY != 0) begin : gen_stored
            reg wrong_q;
            always @(posedge clk_i) wrong_q <= !rst_i && |{odd_back, odd_result};
            assign wrong_stored = wrong_q;
        end else begin : gen_not_stored
            assign wrong_stored = 1'b0;
            wire unused_odd = &{odd_back, odd_result};
        end
    endgenerate
    wire upset = wrong_load || wrong_late || wrong_due || wrong_kept || wrong_stored;

    // ---- faults, and answers to the host; port P of the log is the router itself ----
    wire [47:0] log;
    wire [ 1:0] program_bits;
    mn_fault_log #(.PORTS(P + 1), .LOG(LOG)) u_log (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .go_i(go_i),
        .conflict_i({1'b0, conflict_i} | clash), .unexpected_i(unexpected), .missing_i(missing), .parity_i(parity),
        .refused_i(go_i && go_swap_i), .wrong_row_i(wrong_row_i || wrong_from || wrong_place || wrong_flit || wrong_matrix || wrong_element_q || upset), .fault_o(fault_o), .status_o(log), .program_o(program_bits)
    );
    wire [DW*8-1:0] pieces = {{DW * 8 - 64{1'b0}}, program_bits, 14'd0, log};
    wire [  DW-1:0] piece_d = read_status ? pieces[piece*DW+:DW] : {DW{1'b0}};
    reg  [  DW-1:0] piece_q;
    always @(posedge clk_i) begin
        read_q      <= read;
        read_bank_q <= from_bank_q;
        piece_q     <= piece_d;
    end
    mn_guard #(.ON(PARITY)) u_kept_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{row_i, row_i[OPERAND], row_i[SUM], row_i[SUM+1+:PB], read, piece_d}),
        .kept_i(^{row_q, element_q, due_q, due_port_q, read_q, piece_q}), .wrong_o(wrong_kept)
    );
    assign answer = piece_q | result;

    wire unused = &{load_next, unused_program, unused_program_data, unused_from_word, row_i, row_q, is_final, result_bank_i,
                    elements_late, element_late, due, back_port_i, summed, last_sum};
endmodule
`default_nettype wire
