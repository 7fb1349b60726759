${ header }$
`default_nettype none
// A node of the network: a tile and the program that it follows. Every output is a register.
module mn_node ${ program.declared() }$(
    input  wire        clk_i,
    input  wire        rst_i,
    // coordinates of this node
    input  wire [${ p.tile_bits - 1 }$:0] tile_i,
    input  wire [${ p.gamma_bits - 1 }$:0] c_i,
    input  wire [${ p.pi_bits - 1 }$:0] d_i,
    input  wire [${ p.pi_bits - 1 }$:0] p_i,
    // the host ring
    input  wire [${ p.flit_bits - 1 }$:0] ring_i,
    output wire [${ p.flit_bits - 1 }$:0] ring_o,
    // start and end of a collective
    input  wire        go_i,
    input  wire        go_buffer_i,
    input  wire        go_swap_i,
    input  wire [ 7:0] go_version_i,
    output wire        done_o,
    // channels, lowest port in the low position
    input  wire [${ p.local_bits() - 1 }$:0] local_i,
    input  wire [${ p.global_bits() - 1 }$:0] global_i,
    output wire [${ p.local_bits() - 1 }$:0] local_o,
    output wire [${ p.global_bits() - 1 }$:0] global_o,
    // faults so far
    output wire        fault_o
);
    wire [${ p.local_row_bits - 1 }$:0] local_send, local_receive;
    wire [${ p.global_row_bits - 1 }$:0] global_send, global_receive;
    wire [3:0] row_valid, row_buffer;
    wire [${ 4 * p.word_bits - 1 }$:0] row_word;
    wire piece;
    wire [${ p.data_bits - 1 }$:0] piece_data;
    wire [15:0] program_status;

    mn_program ${ program.passed() }$u_program (
        .clk_i(clk_i), .rst_i(rst_i),
        .go_i(go_i), .go_buffer_i(go_buffer_i), .go_swap_i(go_swap_i), .go_version_i(go_version_i),
        .piece_i(piece), .piece_data_i(piece_data), .status_o(program_status),
        .local_send_o(local_send), .global_send_o(global_send),
        .global_receive_o(global_receive), .local_receive_o(local_receive),
        .valid_o(row_valid), .buffer_o(row_buffer), .word_o(row_word), .done_o(done_o)
    );

    mn_sv_tile #(
        ${ p.tile_parameters() }$
    ) u_tile (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(tile_i), .c_i(c_i), .d_i(d_i), .p_i(p_i),
        .ring_i(ring_i), .ring_o(ring_o), .go_i(go_i),
        .local_send_i(local_send), .global_send_i(global_send),
        .global_receive_i(global_receive), .local_receive_i(local_receive),
        .row_valid_i(row_valid), .row_buffer_i(row_buffer), .row_word_i(row_word),
        .program_o(piece), .program_data_o(piece_data), .program_status_i(program_status),
        .local_i(local_i), .global_i(global_i), .local_o(local_o), .global_o(global_o), .fault_o(fault_o)
    );
endmodule
`default_nettype wire
