`default_nettype none
// A tile's stop on the host ring. A flit is {valid, kind, tile, data}; it moves on by one register a cycle and leaves the
// stop STOP_STAGES = 5 cycles after it came, so that a read that was asked for can take the place of the request.
// Kinds: 0 load a word into the next place of the send banks, 1 load the next piece of the program, 2 read the next word
// of the receive banks, 3 read piece `data` of the status, 4 an answer on its way to the host, 5 clear faults.
// A flit for tile 2**TB - 1 is for every tile (kinds 1 and 5).
module mn_ring_stop #(
    parameter K      = 2,   // cabinets
    parameter M      = 3,   // routers a drawer
    parameter XOR    = 0,   // 1: exclusive-or coordinates
    parameter WORDS  = 1,   // words a message
    parameter DOUBLE = 0,   // 1: two buffers
    parameter DW     = 32,  // bits of a word
    parameter TB     = 5,   // bits of a tile number
    // derived, not to be set
    parameter GB = K > 1 ? $clog2(K) : 1,
    parameter PB = $clog2(M),
    parameter WP = WORDS > 1 ? $clog2(WORDS) : 1,
    parameter FW = 4 + TB + DW
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // who this tile is
    input  wire [TB-1:0] tile_i,
    input  wire [GB-1:0] c_i,
    input  wire [PB-1:0] d_i,
    input  wire [PB-1:0] p_i,
    // the ring
    input  wire [FW-1:0] ring_i,
    output wire [FW-1:0] ring_o,
    // load: a word and the source vector with which it will leave
    output wire          load_o,
    output wire          load_buffer_o,
    output wire [WP-1:0] load_word_o,
    output wire [GB-1:0] load_gamma_o,
    output wire [PB-1:0] load_pi_o,
    output wire [PB-1:0] load_delta_o,
    output wire [DW-1:0] load_data_o,
    // read: the source vector with which the word came
    output wire          read_buffer_o,
    output wire [WP-1:0] read_word_o,
    output wire [GB-1:0] read_gamma_o,
    output wire [PB-1:0] read_pi_o,
    output wire [PB-1:0] read_delta_o,
    // a read, or a piece of the status, is wanted; the answer comes two cycles later
    output wire          read_o,
    output wire          status_o,
    output wire [   2:0] piece_o,
    input  wire [DW-1:0] answer_i,
    // program pieces, faults
    output wire          program_o,
    output wire [DW-1:0] program_data_o,
    output wire          clear_o
);
    localparam [2:0] LOAD = 3'd0, PROGRAM = 3'd1, READ = 3'd2, STATUS = 3'd3, ANSWER = 3'd4, CLEAR = 3'd5;

    // stage 1: the flit, and what it means here; it comes from a register of the tile before, so there is time to tell.
    wire          valid_in = ring_i[FW-1];
    wire [   2:0] kind_in  = ring_i[FW-2-:3];
    wire [TB-1:0] tile_in  = ring_i[DW+:TB];
    wire          mine_in  = valid_in && tile_in == tile_i;
    wire          all_in   = valid_in && tile_in == {TB{1'b1}};
    reg  [FW-1:0] flit_1q;
    reg           load_1q, read_1q, status_1q, program_1q, clear_1q;

    always @(posedge clk_i) begin
        flit_1q    <= ring_i;
        load_1q    <= mine_in && kind_in == LOAD;
        read_1q    <= mine_in && kind_in == READ;
        status_1q  <= mine_in && kind_in == STATUS;
        program_1q <= (mine_in || all_in) && kind_in == PROGRAM;
        clear_1q   <= (mine_in || all_in) && kind_in == CLEAR;
    end

    // the next word to be loaded is for (c,d,p), the next to be read is from (c,d,p)
    wire          to_buffer, from_buffer;
    wire [GB-1:0] to_c, from_c;
    wire [PB-1:0] to_d, to_p, from_d, from_p;
    wire [WP-1:0] to_word, from_word;

    mn_address_counter #(.K(K), .M(M), .WORDS(WORDS), .DOUBLE(DOUBLE)) u_to (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(load_1q),
        .buffer_o(to_buffer), .c_o(to_c), .d_o(to_d), .p_o(to_p), .word_o(to_word)
    );
    mn_address_counter #(.K(K), .M(M), .WORDS(WORDS), .DOUBLE(DOUBLE)) u_from (
        .clk_i(clk_i), .rst_i(rst_i), .step_i(read_1q),
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

    // stage 2: vectors
    reg [FW-1:0] flit_2q;
    reg          load_2q, read_2q, status_2q, program_2q, clear_2q;
    reg          load_buffer_q, read_buffer_q;
    reg [WP-1:0] load_word_q, read_word_q;
    reg [GB-1:0] load_gamma_q, read_gamma_q;
    reg [PB-1:0] load_pi_q, load_delta_q, read_pi_q, read_delta_q;

    always @(posedge clk_i) begin
        flit_2q       <= flit_1q;
        load_2q       <= load_1q;
        read_2q       <= read_1q;
        status_2q     <= status_1q;
        program_2q    <= program_1q;
        clear_2q      <= clear_1q;
        load_buffer_q <= to_buffer;
        load_word_q   <= to_word;
        load_gamma_q  <= to_gamma;
        load_pi_q     <= to_pi;
        load_delta_q  <= to_delta;
        read_buffer_q <= from_buffer;
        read_word_q   <= from_word;
        read_gamma_q  <= from_gamma;
        read_pi_q     <= from_pi;
        read_delta_q  <= from_delta;
    end

    assign load_o         = load_2q;
    assign load_buffer_o  = load_buffer_q;
    assign load_word_o    = load_word_q;
    assign load_gamma_o   = load_gamma_q;
    assign load_pi_o      = load_pi_q;
    assign load_delta_o   = load_delta_q;
    assign load_data_o    = flit_2q[DW-1:0];
    assign read_buffer_o  = read_buffer_q;
    assign read_word_o    = read_word_q;
    assign read_gamma_o   = read_gamma_q;
    assign read_pi_o      = read_pi_q;
    assign read_delta_o   = read_delta_q;
    assign program_o      = program_2q;
    assign program_data_o = flit_2q[DW-1:0];
    assign clear_o        = clear_2q;

    // stages 3 and 4: the banks or the status answer; stage 5: the answer takes the flit's place
    reg [FW-1:0] flit_3q, flit_4q, flit_5q;
    reg          read_3q, status_3q, answer_4q;

    always @(posedge clk_i) begin
        flit_3q   <= flit_2q;
        read_3q   <= read_2q;
        status_3q <= status_2q;
        flit_4q   <= flit_3q;
        answer_4q <= read_3q || status_3q;
        flit_5q   <= answer_4q ? {1'b1, ANSWER, tile_i, answer_i} : flit_4q;
        // No flit leaves in reset, so in as many cycles as a tile has stages the next tile has none.
        if (rst_i) flit_5q[FW-1] <= 1'b0;
    end

    assign read_o   = read_2q;
    assign status_o = status_2q;
    assign piece_o  = flit_2q[2:0];
    assign ring_o   = flit_5q;
endmodule
`default_nettype wire
