`default_nettype none
// a_i - b_i in the group of the coordinates: modulo N, or exclusive or.
module mn_subtract #(
    parameter N   = 4,  // order of the group
    parameter XOR = 0,  // 1: exclusive or (N is a power of two)
    // derived, not to be set
    parameter B = N > 1 ? $clog2(N) : 1
) (
    input  wire [B-1:0] a_i,
    input  wire [B-1:0] b_i,
    output wire [B-1:0] q_o
);
    generate
        if (XOR != 0) begin : gen_xor
            assign q_o = a_i ^ b_i;
        end else if (N == 1 << B) begin : gen_wrap
            assign q_o = a_i - b_i;
        end else begin : gen_modulo
            localparam [31:0] ORDER = N;
            wire [B:0] plain = {1'b0, a_i} - {1'b0, b_i};
            wire [B:0] wrapped = plain + ORDER[B:0];
            assign q_o = plain[B] ? wrapped[B-1:0] : plain[B-1:0];
            wire unused = wrapped[B];
        end
    endgenerate
endmodule
`default_nettype wire
