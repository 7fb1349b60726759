`default_nettype none
// The address of a word in a bank: {buffer, word, gamma, other}, without the fields that the bank does not need.
module mn_bank_address #(
    parameter IG     = 1,  // bits of gamma, 0 if it does not count here
    parameter PB     = 2,  // bits of the other half of the header, pi or delta
    parameter WB     = 0,  // bits of the word number, 0 for messages of one word
    parameter DOUBLE = 0,  // 1: two buffers
    // derived, not to be set
    parameter GP = IG > 0 ? IG : 1,
    parameter WP = WB > 0 ? WB : 1,
    parameter AB = IG + PB + WB + DOUBLE
) (
    input  wire          buffer_i,
    input  wire [WP-1:0] word_i,
    input  wire [GP-1:0] gamma_i,
    input  wire [PB-1:0] other_i,
    output wire [AB-1:0] address_o
);
    assign address_o[PB-1:0] = other_i;
    generate
        if (IG > 0) begin : gen_gamma
            assign address_o[PB+:GP] = gamma_i;
        end else begin : gen_no_gamma
            wire unused = &gamma_i;
        end
        if (WB > 0) begin : gen_word
            assign address_o[PB+IG+:WP] = word_i;
        end else begin : gen_no_word
            wire unused = &word_i;
        end
        if (DOUBLE != 0) begin : gen_double
            assign address_o[AB-1] = buffer_i;
        end else begin : gen_single
            wire unused = buffer_i;
        end
    endgenerate
endmodule
`default_nettype wire
