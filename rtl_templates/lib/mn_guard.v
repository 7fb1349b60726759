`default_nettype none
// Guard of registers that take new values in every cycle: the parity of what they were given is kept beside them, and a bit that flips
// meanwhile is reported two cycles later. Nothing is reported in reset.
module mn_guard #(
    parameter ON = 1  // 0: no guard
) (
    input  wire clk_i,
    input  wire rst_i,
    input  wire given_i,  // parity of what the registers take at the end of this cycle, reset left aside
    input  wire kept_i,   // parity of what they have
    output wire wrong_o
);
    generate
        if (ON != 0) begin : gen_guard
            reg given_q, known_q, wrong_q;
            always @(posedge clk_i) begin
                given_q <= given_i;
                known_q <= !rst_i;
                // in a simulation, an unknown bit takes the second branch: ring and memories have no reset
                if (!rst_i && known_q && given_q != kept_i) wrong_q <= 1'b1;
                else wrong_q <= 1'b0;
            end
            assign wrong_o = wrong_q;
        end else begin : gen_none
            assign wrong_o = 1'b0;
            wire unused = &{clk_i, rst_i, given_i, kept_i};
        end
    endgenerate
endmodule
`default_nettype wire
