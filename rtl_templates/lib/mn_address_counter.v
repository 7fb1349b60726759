`default_nettype none
// Counts through {buffer; c, d, p; word} in lexicographic order, word fastest: the order of the host stream.
module mn_address_counter #(
    parameter K      = 2,  // cabinets
    parameter M      = 3,  // drawers a cabinet, routers a drawer
    parameter WORDS  = 1,  // words a message
    parameter DOUBLE = 0,  // 1: the buffer alternates after each whole set
    parameter GUARD  = 0,  // 1: a bit of it that flips is reported
    // derived, not to be set
    parameter GB = K > 1 ? $clog2(K) : 1,
    parameter PB = $clog2(M),
    parameter WP = WORDS > 1 ? $clog2(WORDS) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          step_i,
    output wire          buffer_o,
    output wire [GB-1:0] c_o,
    output wire [PB-1:0] d_o,
    output wire [PB-1:0] p_o,
    output wire [WP-1:0] word_o,
    output wire          wrong_o
);
    localparam [31:0] C_LAST = K - 1;
    localparam [31:0] M_LAST = M - 1;
    localparam [31:0] W_LAST = WORDS - 1;

    reg          buffer_q;
    reg [GB-1:0] c_q;
    reg [PB-1:0] d_q, p_q;
    reg [WP-1:0] word_q;

    wire word_end = word_q == W_LAST[WP-1:0];
    wire p_end    = word_end && p_q == M_LAST[PB-1:0];
    wire d_end    = p_end && d_q == M_LAST[PB-1:0];
    wire c_end    = d_end && c_q == C_LAST[GB-1:0];

    wire [WP-1:0] word_d   = !step_i ? word_q : word_end ? {WP{1'b0}} : word_q + 1'b1;
    wire [PB-1:0] p_d      = !(step_i && word_end) ? p_q : p_end ? {PB{1'b0}} : p_q + 1'b1;
    wire [PB-1:0] d_d      = !(step_i && p_end) ? d_q : d_end ? {PB{1'b0}} : d_q + 1'b1;
    wire [GB-1:0] c_d      = !(step_i && d_end) ? c_q : c_end ? {GB{1'b0}} : c_q + 1'b1;
    wire          buffer_d = buffer_q ^ (step_i && c_end && DOUBLE != 0);

    always @(posedge clk_i) begin
        if (rst_i) begin
            buffer_q <= 1'b0;
            c_q      <= {GB{1'b0}};
            d_q      <= {PB{1'b0}};
            p_q      <= {PB{1'b0}};
            word_q   <= {WP{1'b0}};
        end else begin
            buffer_q <= buffer_d;
            c_q      <= c_d;
            d_q      <= d_d;
            p_q      <= p_d;
            word_q   <= word_d;
        end
    end
    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .given_i(^{buffer_d, c_d, d_d, p_d, word_d}), .kept_i(^{buffer_q, c_q, d_q, p_q, word_q}),
        .wrong_o(wrong_o)
    );

    assign buffer_o = buffer_q;
    assign c_o      = c_q;
    assign d_o      = d_q;
    assign p_o      = p_q;
    assign word_o   = word_q;
endmodule
`default_nettype wire
