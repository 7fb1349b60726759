`default_nettype none
// Bank addresses of an all-to-all's words in a tile: the source vector of the next word to be loaded, in the order of
// destinations, and of the next word to be read, in the order of sources.
module mn_message_address #(
    parameter K      = 2,  // cabinets
    parameter M      = 3,  // routers a drawer
    parameter XOR    = 0,  // 1: exclusive-or coordinates
    parameter WORDS  = 1,  // words a message
    parameter DOUBLE = 0,  // 1: two buffers
    parameter GUARD  = 0,  // 1: a bit of a counter or an address that flips is reported
    // derived, not to be set
    parameter GB = K > 1 ? $clog2(K) : 1,
    parameter LW = M - 1,
    parameter PB = $clog2(M),
    parameter WP = WORDS > 1 ? $clog2(WORDS) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // coordinates of this tile
    input  wire [GB-1:0] c_i,
    input  wire [PB-1:0] d_i,
    input  wire [PB-1:0] p_i,
    // a word is loaded: the bank that it belongs to, one-hot, and its place there, one cycle later
    input  wire          load_next_i,
    output wire [LW-1:0] load_local_o,
    output wire [ K-1:0] load_global_o,
    output wire          load_buffer_o,
    output wire [WP-1:0] load_word_o,
    output wire [GB-1:0] load_gamma_o,
    output wire [PB-1:0] load_pi_o,
    // a word is read: the vector with which it came, one cycle later
    input  wire          read_next_i,
    output wire          read_buffer_o,
    output wire [WP-1:0] read_word_o,
    output wire [GB-1:0] read_gamma_o,
    output wire [PB-1:0] read_pi_o,
    output wire [PB-1:0] read_delta_o,
    output wire          wrong_o
);
    // the next word to be loaded is for (c,d,p), the next to be read is from (c,d,p)
    wire          to_buffer, from_buffer;
    wire [GB-1:0] to_c, from_c;
    wire [PB-1:0] to_d, to_p, from_d, from_p;
    wire [WP-1:0] to_word, from_word;

    wire wrong_to, wrong_from, wrong_address;
    mn_address_counter #(.K(K), .M(M), .WORDS(WORDS), .DOUBLE(DOUBLE), .GUARD(GUARD)) u_to (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(load_next_i), .wrong_o(wrong_to),
        .buffer_o(to_buffer), .c_o(to_c), .d_o(to_d), .p_o(to_p), .word_o(to_word)
    );
    mn_address_counter #(.K(K), .M(M), .WORDS(WORDS), .DOUBLE(DOUBLE), .GUARD(GUARD)) u_from (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(read_next_i), .wrong_o(wrong_from),
        .buffer_o(from_buffer), .c_o(from_c), .d_o(from_d), .p_o(from_p), .word_o(from_word)
    );

    // from (c,d,p), vector (gamma,pi,delta) ends at (c+gamma, p+delta, d+pi)
    wire [GB-1:0] to_gamma, from_gamma;
    wire [PB-1:0] to_pi, to_delta, from_pi, from_delta;

    mn_subtract #(.N(K), .XOR(XOR)) u_to_gamma (.a_i(to_c), .b_i(c_i), .q_o(to_gamma));
    mn_subtract #(.N(M), .XOR(XOR)) u_to_delta (.a_i(to_d), .b_i(p_i), .q_o(to_delta));
    mn_subtract #(.N(M), .XOR(XOR)) u_to_pi (.a_i(to_p), .b_i(d_i), .q_o(to_pi));
    mn_subtract #(.N(K), .XOR(XOR)) u_from_gamma (.a_i(c_i), .b_i(from_c), .q_o(from_gamma));
    mn_subtract #(.N(M), .XOR(XOR)) u_from_delta (.a_i(d_i), .b_i(from_p), .q_o(from_delta));
    mn_subtract #(.N(M), .XOR(XOR)) u_from_pi (.a_i(p_i), .b_i(from_d), .q_o(from_pi));

    reg          load_buffer_q, read_buffer_q;
    reg [WP-1:0] load_word_q, read_word_q;
    reg [GB-1:0] load_gamma_q, read_gamma_q;
    reg [PB-1:0] load_pi_q, read_pi_q, read_delta_q;
    reg [LW-1:0] load_local_q;
    reg [ K-1:0] load_global_q;

    wire [LW-1:0] load_local;
    wire [ K-1:0] load_global;
    genvar i;
    generate
        for (i = 1; i < M; i = i + 1) begin : gen_local
            localparam [31:0] PORT = i;
            assign load_local[i-1] = load_next_i && to_delta == PORT[PB-1:0];
        end
        for (i = 0; i < K; i = i + 1) begin : gen_global
            localparam [31:0] PORT = i;
            assign load_global[i] = load_next_i && to_delta == {PB{1'b0}} && to_gamma == PORT[GB-1:0];
        end
    endgenerate

    always @(posedge clk_i) begin
        load_local_q  <= load_local;
        load_global_q <= load_global;
        load_buffer_q <= to_buffer;
        load_word_q   <= to_word;
        load_gamma_q  <= to_gamma;
        load_pi_q     <= to_pi;
        read_buffer_q <= from_buffer;
        read_word_q   <= from_word;
        read_gamma_q  <= from_gamma;
        read_pi_q     <= from_pi;
        read_delta_q  <= from_delta;
    end

    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i),
        .given_i(^{load_local, load_global, to_buffer, to_word, to_gamma, to_pi, from_buffer, from_word, from_gamma, from_pi, from_delta}),
        .kept_i(^{load_local_q, load_global_q, load_buffer_q, load_word_q, load_gamma_q, load_pi_q,
                  read_buffer_q, read_word_q, read_gamma_q, read_pi_q, read_delta_q}),
        .wrong_o(wrong_address)
    );
    assign wrong_o = wrong_to || wrong_from || wrong_address;

    assign load_local_o  = load_local_q;
    assign load_global_o = load_global_q;
    assign load_buffer_o = load_buffer_q;
    assign load_word_o   = load_word_q;
    assign load_gamma_o  = load_gamma_q;
    assign load_pi_o     = load_pi_q;
    assign read_buffer_o = read_buffer_q;
    assign read_word_o   = read_word_q;
    assign read_gamma_o  = read_gamma_q;
    assign read_pi_o     = read_pi_q;
    assign read_delta_o  = read_delta_q;
endmodule
`default_nettype wire
