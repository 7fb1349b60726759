`default_nettype none
// Send port of an endpoint for products: an element of the operand, a product, a sum, or a result on its way back to the operand's layout.
// Two that want the port in one cycle are a clash (a pulse, a cycle later).
module mn_product_send #(
    parameter [31:0] PORT = 0,    // the port's number
    parameter DW     = 32,        // bits of a word
    parameter PARITY = 0,         // 1: a parity bit travels with each word
    parameter PB     = 3,         // bits of a port's number
    parameter OPERAND_BANKS = 1,  // banks of the operand
    parameter BANKS         = 1,  // banks of products
    parameter BACK_BANKS    = 1,  // banks of sums that wait to return
    // derived, not to be set
    parameter W   = DW + PARITY,
    parameter OBB = OPERAND_BANKS > 1 ? $clog2(OPERAND_BANKS) : 1
) (
    input  wire                        clk_i,
    // an element for this port, from one of the banks
    input  wire                        operand_on_i,
    input  wire [             OBB-1:0] operand_bank_i,
    input  wire [OPERAND_BANKS*DW-1:0] elements_i,
    // products and sums, and the ports for which they are
    input  wire [           BANKS-1:0] product_on_i,
    input  wire [        BANKS*PB-1:0] product_port_i,
    input  wire [        BANKS*DW-1:0] products_i,
    input  wire                        sum_on_i,
    input  wire [              PB-1:0] sum_port_i,
    input  wire [              DW-1:0] sum_i,
    input  wire [      BACK_BANKS-1:0] back_on_i,
    input  wire [   BACK_BANKS*PB-1:0] back_port_i,
    input  wire [   BACK_BANKS*DW-1:0] backs_i,
    // word that is sent in this cycle
    output wire                        on_o,
    output wire [               W-1:0] payload_o,
    output wire                        clash_o
);
    genvar b;
    wire [OPERAND_BANKS*DW-1:0] elements;
    wire [        BANKS*DW-1:0] products;
    wire [   BACK_BANKS*DW-1:0] backs;
    wire [           BANKS-1:0] on_product;
    wire [      BACK_BANKS-1:0] on_back;
    wire [              DW-1:0] element, product, back;
    wire                        on_sum = sum_on_i && sum_port_i == PORT[PB-1:0];
    generate
        for (b = 0; b < OPERAND_BANKS; b = b + 1) begin : gen_element
            localparam [31:0] BANK = b;
            assign elements[b*DW+:DW] = elements_i[b*DW+:DW] & {DW{operand_bank_i == BANK[OBB-1:0]}};
        end
        for (b = 0; b < BANKS; b = b + 1) begin : gen_product
            assign on_product[b] = product_on_i[b] && product_port_i[b*PB+:PB] == PORT[PB-1:0];
            assign products[b*DW+:DW] = products_i[b*DW+:DW] & {DW{on_product[b]}};
        end
        for (b = 0; b < BACK_BANKS; b = b + 1) begin : gen_back
            assign on_back[b] = back_on_i[b] && back_port_i[b*PB+:PB] == PORT[PB-1:0];
            assign backs[b*DW+:DW] = backs_i[b*DW+:DW] & {DW{on_back[b]}};
        end
    endgenerate
    mn_or_tree #(.W(DW), .N(OPERAND_BANKS)) u_element (.terms_i(elements), .any_o(element));
    mn_or_tree #(.W(DW), .N(BANKS)) u_product (.terms_i(products), .any_o(product));
    mn_or_tree #(.W(DW), .N(BACK_BANKS)) u_back (.terms_i(backs), .any_o(back));

    localparam WANTS = 2 + BANKS + BACK_BANKS;
    wire [WANTS-1:0] wants = {operand_on_i, on_product, on_sum, on_back};
    reg              clash_q;
    always @(posedge clk_i) clash_q <= (wants & (wants - 1'b1)) != {WANTS{1'b0}};

    wire [DW-1:0] data = (element & {DW{operand_on_i}}) | product | (sum_i & {DW{on_sum}}) | back;
    generate
        if (PARITY != 0) begin : gen_parity
            assign payload_o = {^data, data};
        end else begin : gen_no_parity
            assign payload_o = data;
        end
    endgenerate
    assign on_o    = |wants;
    assign clash_o = clash_q;
endmodule
`default_nettype wire
