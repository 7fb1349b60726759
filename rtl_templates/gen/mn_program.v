${ header }$
`default_nettype none
// The program of a router: ${ program.describe }$
module mn_program ${ program.declared() }$(
    input  wire        clk_i,
    input  wire        rst_i,
    // start of a collective; go_swap_i: with the loaded program, which must have version go_version_i
    input  wire        go_i,
    input  wire        go_buffer_i,
    input  wire        go_swap_i,
    input  wire [ 7:0] go_version_i,
    // pieces of a new program
    input  wire        piece_i,
    input  wire [${ p.data_bits - 1 }$:0] piece_data_i,
    output wire [15:0] status_o,
    // the rows of this cycle, see mn_program_table
    output wire [${ p.local_row_bits - 1 }$:0] local_send_o,
    output wire [${ p.global_row_bits - 1 }$:0] global_send_o,
    output wire [${ p.global_row_bits - 1 }$:0] global_receive_o,
    output wire [${ p.local_row_bits - 1 }$:0] local_receive_o,
    output wire [ 3:0] valid_o,
    output wire [ 3:0] buffer_o,
    output wire [${ 4 * p.word_bits - 1 }$:0] word_o,
    output wire        done_o
);
    wire        wrong_row;
<% if program.is_ram %>
    wire        select, we, wselect;
    wire [15:0] loader_status;
    wire [ 1:0] wtable;
    wire [${ p.slot_bits - 1 }$:0] wslot;
    wire [${ p.row_bits_max() - 1 }$:0] wrow;

    mn_program_loader #(
        .ROWS(${ p.rows }$), .LRW(${ p.local_row_bits }$), .GRW(${ p.global_row_bits }$), .DW(${ p.data_bits }$)
    ) u_loader (
        .clk_i(clk_i), .rst_i(rst_i), .piece_i(piece_i), .data_i(piece_data_i),
        .go_i(go_i), .go_swap_i(go_swap_i), .go_version_i(go_version_i), .select_o(select),
        .we_o(we), .wselect_o(wselect), .wtable_o(wtable), .wslot_o(wslot), .wrow_o(wrow),
        .status_o(loader_status)
    );
    assign status_o = {loader_status[15], wrong_row, loader_status[13:0]};
    wire unused = loader_status[14];
<% else %>
    // nothing to load: a swap is refused and reported
    reg rst_q, refused_q;
    always @(posedge clk_i) rst_q <= rst_i;
    always @(posedge clk_i) refused_q <= !rst_q && go_i && go_swap_i;
    assign status_o = {refused_q, wrong_row, 14'd0};
    wire unused = &{piece_i, piece_data_i, go_version_i};
<% endif %>

    mn_program_table #(
        .K(${ p.k }$), .M(${ p.m }$), .ROWS(${ p.rows }$), .WORDS(${ p.words }$),
        .LOCAL_STAGES(${ p.local_stages }$), .GLOBAL_STAGES(${ p.global_stages }$), .BANK_STAGES(${ p.bank_stages }$), .RAM(${ program.is_ram as u8 }$), .GUARD(${ u32::from(*p.parity) }$),
        .FILE_LOCAL_SEND(${ program.image(0) }$),
        .FILE_GLOBAL_SEND(${ program.image(1) }$),
        .FILE_GLOBAL_RECEIVE(${ program.image(2) }$),
        .FILE_LOCAL_RECEIVE(${ program.image(3) }$)
    ) u_table (
        .clk_i(clk_i), .rst_i(rst_i), .go_i(go_i), .go_buffer_i(go_buffer_i),
<% if program.is_ram %>
        .go_select_i(select), .we_i(we), .wselect_i(wselect), .wtable_i(wtable), .wslot_i(wslot), .wrow_i(wrow),
<% else %>
        .go_select_i(1'b0), .we_i(1'b0), .wselect_i(1'b0), .wtable_i(2'd0),
        .wslot_i({${ p.slot_bits }${1'b0}}), .wrow_i({${ p.row_bits_max() }${1'b0}}),
<% endif %>
        .local_send_o(local_send_o), .global_send_o(global_send_o), .global_receive_o(global_receive_o),
        .local_receive_o(local_receive_o), .valid_o(valid_o), .buffer_o(buffer_o), .word_o(word_o), .done_o(done_o),
        .wrong_o(wrong_row)
    );
endmodule
`default_nettype wire
