`default_nettype none
// An element of EB bits as a number of DW bits, at least as many.
module mn_product_extend #(
    parameter DW     = 32,  // bits of the number
    parameter EB     = 16,  // bits of the element
    parameter SIGNED = 0    // 1: in two's complement
) (
    input  wire [EB-1:0] element_i,
    output wire [DW-1:0] number_o
);
    generate
        if (DW == EB) begin : gen_same
            assign number_o = element_i;
        end else begin : gen_wider
            assign number_o = {{DW - EB{SIGNED != 0 && element_i[EB-1]}}, element_i};
        end
    endgenerate
endmodule
`default_nettype wire
